//! Messages about the confinement of commands.

use super::{Word, say, word};
use benchdog_domain::confinement::{Confinement, Level, Network, Part};

/// Formats the effective level and its missing parts for the status line.
pub fn confinement(standing: &Confinement) -> String {
    let level = match standing.level {
        Level::Off => None,
        Level::Workspace => Some(word(Word::ConfinedWorkspace)),
        Level::ReadOnly => Some(word(Word::ConfinedReadOnly)),
    };
    let network = match standing.network {
        Network::Inherit => None,
        Network::None => Some(word(Word::ConfinedNoNetwork)),
    };
    let missing: Vec<Part> = standing.missing.iter().map(|missing| missing.part).collect();
    let key = if standing.level == Level::Off && standing.network == Network::Inherit {
        "confined-cannot"
    } else {
        "confined-lacks"
    };
    let lacks = (!missing.is_empty()).then(|| say(key, &[("parts", &parts(&missing))]));
    let words = [level.map(str::to_owned), network.map(str::to_owned), lacks];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn part(part: Part) -> &'static str {
    word(match part {
        Part::Mounts => Word::PartMounts,
        Part::Processes => Word::PartProcesses,
        Part::Landlock => Word::PartLandlock,
        Part::Calls => Word::PartCalls,
        Part::Network => Word::PartNetwork,
    })
}

pub(super) fn not_confined(level: Level, missing: &[Part]) -> String {
    if missing.is_empty() {
        return say("because-switched-off", &[]);
    }
    let values = [("level", level.word()), ("parts", &parts(missing))];
    say("because-not-confined", &values)
}

fn parts(all: &[Part]) -> String {
    all.iter().map(|one| part(*one)).collect::<Vec<_>>().join(", ")
}

/// The first line of `doctor`.
pub fn doctor_level(level: &str, network: Network) -> String {
    let network = match network {
        Network::Inherit => "inherit",
        Network::None => "none",
    };
    say("doctor-level", &[("level", level), ("network", network)])
}

pub fn doctor_part(one: Part, why_not: Option<&str>) -> String {
    match why_not {
        None => say("doctor-holds", &[("part", part(one))]),
        Some(why) => say("doctor-missing", &[("part", part(one)), ("why", why)]),
    }
}

/// Explains the effect of a missing part, with advice.
pub fn doctor_incomplete() -> String {
    say("doctor-incomplete", &[])
}

pub fn doctor_variables(withheld: &[String]) -> String {
    match withheld {
        [] => say("doctor-none-withheld", &[]),
        names => say("doctor-withheld", &[("names", &names.join(", "))]),
    }
}

pub fn doctor_passed(passed: &[String]) -> String {
    say("doctor-passed", &[("names", &passed.join(", "))])
}
