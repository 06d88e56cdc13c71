//! Messages about the sandbox of commands.

use super::{Word, message, word};
use benchdog_domain::confinement::{Confinement, Level, Network, Part};

/// Formats the effective sandbox level and its missing parts for the status line.
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
    let said: fn(&str) -> String = if standing.level == Level::Off && standing.network == Network::Inherit {
        message::confined_cannot
    } else {
        message::confined_lacks
    };
    let lacks = (!missing.is_empty()).then(|| said(&parts(&missing)));
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
        return word(Word::BecauseSwitchedOff).to_owned();
    }
    message::because_not_confined(level.word(), &parts(missing))
}

fn parts(all: &[Part]) -> String {
    all.iter().map(|one| part(*one)).collect::<Vec<_>>().join(", ")
}

/// Formats the line about the sandbox level in `doctor`.
pub fn doctor_level(level: &str, network: Network) -> String {
    let network = match network {
        Network::Inherit => "inherit",
        Network::None => "none",
    };
    message::doctor_level(level, network)
}

pub fn doctor_part(one: Part, why_not: Option<&str>) -> String {
    match why_not {
        None => message::doctor_holds(part(one)),
        Some(why) => message::doctor_missing(part(one), why),
    }
}

pub fn doctor_variables(withheld: &[String]) -> String {
    match withheld {
        [] => word(Word::DoctorNoneWithheld).to_owned(),
        names => message::doctor_withheld(&names.join(", ")),
    }
}

pub fn doctor_passed(passed: &[String]) -> String {
    message::doctor_passed(&passed.join(", "))
}
