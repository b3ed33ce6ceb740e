//! The network: what an address names is fetched into memory, within limits. Nothing here writes.
//!
//! - [`Address`]: an http or https address, and where a redirect from it may lead
//! - [`Client`]: gets what is there, within limits of size, time, silence and speed
//! - `proxy`: the proxies that the environment names
//! - `roots`: the authorities that this system trusts
//! - `progress`: what a person at a terminal sees meanwhile

mod address;
mod client;
mod fault;
mod progress;
mod proxy;
mod roots;

pub(crate) use address::Address;
pub(crate) use client::Client;
