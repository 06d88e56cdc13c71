//! Which level of confinement holds, by the configuration and by how the program was started. `children` applies it.

use crate::config::settings::SandboxSettings;
use crate::domain::confinement::{AskedBy, Level, Network};

/// What is wanted for the commands of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) level: Level,
    pub(crate) network: Network,
    pub(crate) asked_by: AskedBy,
}

/// `auto`: the level where the configuration leaves it open.
pub(crate) fn wanted(settings: &SandboxSettings, auto: Level) -> Wanted {
    let network = settings.network;
    let asked_by = match (settings.level, network) {
        (None, Network::Inherit) => AskedBy::Default,
        (Some(_), _) | (None, Network::None) => AskedBy::Person,
    };
    Wanted {
        level: settings.level.unwrap_or(auto),
        network,
        asked_by,
    }
}

impl Wanted {
    /// The same where nothing may be written.
    pub(crate) fn reading_only(self) -> Self {
        Self {
            level: Level::ReadOnly,
            asked_by: AskedBy::Person,
            ..self
        }
    }

    /// Whether anything is held in at all.
    pub(crate) fn holds_in(self) -> bool {
        self.level != Level::Off || self.network == Network::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_is_configured_wins_over_the_one_that_follows_from_the_start() {
        let settings = |level| SandboxSettings {
            level,
            ..SandboxSettings::default()
        };
        let level = |configured, auto| wanted(&settings(configured), auto).level;
        assert_eq!(level(None, Level::Workspace), Level::Workspace);
        assert_eq!(level(None, Level::Off), Level::Off);
        assert_eq!(level(Some(Level::Off), Level::Workspace), Level::Off);
        assert_eq!(level(Some(Level::ReadOnly), Level::Off), Level::ReadOnly);
        assert_eq!(wanted(&settings(None), Level::Workspace).asked_by, AskedBy::Default);
        assert_eq!(
            wanted(&settings(Some(Level::Off)), Level::Off).asked_by,
            AskedBy::Person
        );
    }

    #[test]
    fn a_network_that_is_cut_off_is_asked_for_and_holds_something_in_by_itself() {
        let settings = SandboxSettings {
            network: Network::None,
            ..SandboxSettings::default()
        };
        let wanted = wanted(&settings, Level::Off);
        assert!(wanted.holds_in());
        assert_eq!(wanted.asked_by, AskedBy::Person);
    }
}
