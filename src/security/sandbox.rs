//! Determines the sandbox level from Benchdog's configuration and command line. The crate `children` applies the level.

use benchdog_config::settings::SandboxSettings;
use benchdog_domain::confinement::{AskedBy, Level, Network, View};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub level: Level,
    pub network: Network,
    pub view: View,
    pub asked_by: AskedBy,
}

/// Sandbox rights of a command that no person approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Granted {
    pub writes: bool,
    pub network: bool,
    /// Permission to run without a sandbox on a kernel that does not support one.
    pub core: bool,
}

/// Returns the sandbox for commands that a person allowed.
pub fn wanted(settings: &SandboxSettings) -> Wanted {
    let network = settings.network;
    let asked_by = match (settings.level, network) {
        (None, Network::Inherit) => AskedBy::Default,
        (Some(_), _) | (None, Network::None) => AskedBy::Person,
    };
    Wanted {
        level: settings.level.unwrap_or(Level::Off),
        network,
        view: View::Whole,
        asked_by,
    }
}

impl Wanted {
    pub fn reading_only(self) -> Self {
        Self {
            level: Level::ReadOnly,
            asked_by: AskedBy::Person,
            ..self
        }
    }

    /// Returns the sandbox for a command that no person approved. If the person switched the sandbox off, it stays off.
    pub fn unasked(self, granted: Granted) -> Self {
        if self.is_switched_off() {
            return self;
        }
        let level = match self.level {
            Level::Off | Level::Workspace if granted.writes => Level::Workspace,
            Level::Off | Level::Workspace | Level::ReadOnly => Level::ReadOnly,
        };
        let network = if granted.network { self.network } else { Network::None };
        Self {
            level,
            network,
            view: View::Project,
            asked_by: self.asked_by,
        }
    }

    pub fn is_switched_off(self) -> bool {
        self.level == Level::Off && self.asked_by == AskedBy::Person && self.network == Network::Inherit
    }

    pub fn holds_in(self) -> bool {
        self.level != Level::Off || self.network == Network::None
    }
}

#[cfg(test)]
mod tests;
