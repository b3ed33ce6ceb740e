//! The floor: the cheapest program a host could start in the dispatcher's place.

fn main() {}
