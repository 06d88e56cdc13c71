//! `doctor`: tests the sandbox for commands on this system, and lists the names of variables that commands do not
//! inherit. Never shows their values.

use serde_json::{Value, json};

use benchdog_config::settings::SandboxSettings;
use benchdog_domain::confinement::{Confinement, Level, Network, Part};
use benchdog_lang as lang;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Health {
    /// The configured sandbox level. `None` for `auto`.
    pub(crate) level: Option<Level>,
    pub(crate) network: Network,
    /// Test results for every part of the sandbox, including parts that the configuration does not use.
    pub(crate) tried: Confinement,
    pub(crate) withheld: Vec<String>,
    pub(crate) passed: Vec<String>,
}

impl Health {
    pub(crate) fn of(
        settings: &SandboxSettings,
        tried: Confinement,
        withheld: Vec<String>,
        passed: Vec<String>,
    ) -> Self {
        Self {
            level: settings.level,
            network: settings.network,
            tried,
            withheld,
            passed,
        }
    }

    pub(crate) fn is_well(&self) -> bool {
        let needed = |part: Part| match part {
            Part::Network => self.network == Network::None,
            Part::Mounts | Part::Processes | Part::Landlock | Part::Calls => {
                matches!(self.level, Some(Level::Workspace | Level::ReadOnly))
            }
        };
        !self.tried.missing.iter().any(|missing| needed(missing.part))
    }

    pub(crate) fn json(&self) -> Value {
        let parts: Vec<Value> = Part::ALL
            .iter()
            .map(
                |part| json!({"part": part.code(), "holds": self.why_not(*part).is_none(), "why": self.why_not(*part)}),
            )
            .collect();
        json!({
            "ok": self.is_well(),
            "confinement": {
                "level": self.level.map_or("auto", Level::word),
                "network": self.network,
                "parts": parts,
            },
            "environment": {"withheld": self.withheld, "passed": self.passed},
        })
    }

    pub(crate) fn text(&self) -> String {
        let level = self.level.map_or("auto", Level::word);
        let mut lines = vec![lang::doctor_level(level, self.network)];
        lines.extend(
            Part::ALL
                .iter()
                .map(|part| lang::doctor_part(*part, self.why_not(*part))),
        );
        if !self.tried.missing.is_empty() {
            lines.push(lang::word(lang::Word::DoctorIncomplete).to_owned());
        }
        lines.push(lang::doctor_variables(&self.withheld));
        if !self.passed.is_empty() {
            lines.push(lang::doctor_passed(&self.passed));
        }
        lines.join("\n") + "\n"
    }

    fn why_not(&self, part: Part) -> Option<&str> {
        let missing = self.tried.missing.iter().find(|missing| missing.part == part);
        missing.map(|missing| missing.why.as_str())
    }
}

#[cfg(test)]
mod tests;
