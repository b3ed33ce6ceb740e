//! Between dist, which calls an archive by its target alone, and what is published, which is named
//! with the version.
//!
//! ```text
//! manifest PLAN DIR    what dist planned, with the sums of what was packed: dist reads it
//! names FILE DIR       what dist wrote (the formula, the announcement), with the published names
//! ```

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;
use lexopt::prelude::*;
use serde_json::{Value as Json, json};

use crate::dist::Machine;
use crate::sums::Sums;

/// dist's name of an archive, and the machine whose archive it is.
const PLANNED: [(&str, Machine); 5] = [
    (
        "hookkit-x86_64-unknown-linux-musl.tar.gz",
        Machine::LinuxX86_64,
    ),
    (
        "hookkit-aarch64-unknown-linux-musl.tar.gz",
        Machine::LinuxAarch64,
    ),
    ("hookkit-x86_64-apple-darwin.tar.gz", Machine::Macos),
    ("hookkit-aarch64-apple-darwin.tar.gz", Machine::Macos),
    ("hookkit-x86_64-pc-windows-gnu.zip", Machine::Windows),
];

pub(super) fn manifest(arguments: lexopt::Parser) -> Result<()> {
    let (plan, sums) = given(arguments)?;
    println!("{:#}", with_sums(&plan, &sums)?);
    Ok(())
}

pub(super) fn names(arguments: lexopt::Parser) -> Result<()> {
    let (text, sums) = given(arguments)?;
    print!("{}", with_published_names(&text, &sums)?);
    Ok(())
}

/// The text of a file, and the list of the folder that is named after it.
fn given(mut arguments: lexopt::Parser) -> Result<(String, Sums)> {
    let mut values = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(value) => values.push(PathBuf::from(value)),
            other => return Err(other.unexpected().into()),
        }
    }
    let [file, folder] = &values[..] else {
        anyhow::bail!("name a file of dist's and the folder of the release");
    };
    Ok((fs::read_to_string(file)?, Sums::read(folder)?))
}

fn with_sums(plan: &str, sums: &Sums) -> Result<Json> {
    let mut plan: Json = serde_json::from_str(plan).context("it is no plan of dist's")?;
    let version = plan["releases"][0]["app_version"].as_str();
    ensure!(
        version == Some(&sums.version),
        "dist planned {}, and {} was packed: dist.toml and Cargo.toml differ",
        version.unwrap_or("nothing"),
        sums.version
    );
    for (name, machine) in PLANNED {
        let artifact = plan["artifacts"]
            .get_mut(name)
            .with_context(|| format!("dist did not plan {name}"))?;
        artifact["checksums"] = json!({ "sha256": sum(machine, sums)? });
    }
    Ok(plan)
}

fn with_published_names(text: &str, sums: &Sums) -> Result<String> {
    let mut text = text.to_owned();
    for (name, machine) in PLANNED {
        text = text.replace(name, &machine.archive_name(&sums.version));
    }
    // The formula says what each archive's sum is.
    let said = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("sha256 "));
    for sum in said.map(|sum| sum.trim_matches('"')) {
        ensure!(
            sums.has(sum),
            "{sum} is the sum of nothing that is published"
        );
    }
    Ok(text)
}

fn sum(machine: Machine, sums: &Sums) -> Result<&str> {
    let name = machine.archive_name(&sums.version);
    sums.of(&name)
        .with_context(|| format!("{name} was not packed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = include_str!("../../../tests/data/dist/plan.json");
    const FORMULA: &str = include_str!("../../../tests/data/dist/hookkit.rb");

    /// The list of a release with these sums; macOS has one archive for both architectures.
    fn listed(version: &str) -> Sums {
        let mut sums = Sums::new(version, "0123456789ab");
        for (digit, machine) in Machine::ALL.into_iter().enumerate() {
            sums.add(
                &machine.archive_name(version),
                &digit.to_string().repeat(64),
            );
        }
        sums
    }

    #[test]
    fn dist_learns_the_sums_of_what_was_packed() {
        let version = env!("CARGO_PKG_VERSION");
        let manifest = with_sums(PLAN, &listed(version)).expect("a manifest");
        let sum = |name: &str| manifest["artifacts"][name]["checksums"]["sha256"].clone();
        assert_eq!(sum("hookkit-x86_64-apple-darwin.tar.gz"), "2".repeat(64));
        assert_eq!(sum("hookkit-aarch64-apple-darwin.tar.gz"), "2".repeat(64));
        assert_eq!(sum("hookkit-x86_64-pc-windows-gnu.zip"), "3".repeat(64));
        assert!(with_sums(PLAN, &listed("9.9.9")).is_err());
        assert!(with_sums(PLAN, &Sums::new(version, "ab")).is_err());
    }

    /// The committed formula is dist's own, made from the committed plan with these sums.
    #[test]
    fn the_formula_names_what_is_published() {
        let version = env!("CARGO_PKG_VERSION");
        let formula = with_published_names(FORMULA, &listed(version)).expect("a formula");
        let pairs: Vec<(&str, &str)> = formula
            .lines()
            .map(str::trim)
            .zip(formula.lines().skip(1).map(str::trim))
            .filter(|(url, sum)| url.starts_with("url ") && sum.starts_with("sha256 "))
            .collect();
        assert_eq!(pairs.len(), 4);
        for (url, sum) in pairs {
            let machine = Machine::ALL
                .into_iter()
                .position(|machine| url.contains(&machine.archive_name(version)));
            let digit = machine.expect("a published archive").to_string();
            assert_eq!(sum, format!("sha256 \"{}\"", digit.repeat(64)), "{url}");
            assert!(url.contains(&format!("/releases/download/v{version}/hookkit-{version}-")));
        }
        assert!(with_published_names(FORMULA, &Sums::new(version, "ab")).is_err());
    }
}
