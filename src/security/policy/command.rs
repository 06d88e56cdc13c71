//! What is decided about a command line: what the rules say, and what of the line's analysis no rule can switch off.

use super::{Judge, guard, scope};
use crate::domain::command::{CommandLine, Reach, RunsIn};
use crate::domain::permission::{Action, Because, CommandClass, Verdict};

impl Judge<'_> {
    pub(super) fn command(&self, line: &CommandLine) -> Verdict {
        let analysis = &line.analysis;
        let strictest = line.reaches.iter().min_by_key(|reach| reach.rank());
        let mut verdict = self.command_by_rules(line);
        verdict.class = Some(analysis.class);
        verdict.needs_person = analysis.class != CommandClass::Plain || line.reaches.iter().any(Reach::needs_person);
        match (verdict.action, objection(line, strictest)) {
            (Action::Deny, _) => verdict,
            // For a line that is not plain, the reason names its class rather than the rule that asks.
            (_, Some(why)) if analysis.class != CommandClass::Plain => guard(verdict, why),
            (Action::Allow, Some(why)) => guard(verdict, why),
            (Action::Ask, None) => {
                let plain = analysis.plain.as_ref();
                verdict.scope = plain.and_then(|plain| scope::for_command(&self.tool.name, plain));
                verdict
            }
            (Action::Ask, Some(_)) | (Action::Allow, None) => verdict,
        }
    }

    /// A deny for any command inside counts for the line; an allow only when the whole line is one command.
    fn command_by_rules(&self, line: &CommandLine) -> Verdict {
        let whole = match &line.analysis.plain {
            Some(plain) => plain.words.join(" "),
            None => line.command.trim().to_owned(),
        };
        let verdict = self.by_rules(&whole);
        let parts = line.analysis.parts.iter().map(|part| part.command.as_str());
        let denied = parts
            .chain([line.command.trim()])
            .map(|text| self.by_rules(text))
            .find(|verdict| verdict.action == Action::Deny);
        denied.unwrap_or(verdict)
    }
}

/// Why no allow of a rule covers the line. Rules are written for one plain command in the workspace's own folder.
fn objection(line: &CommandLine, strictest: Option<&Reach>) -> Option<Because> {
    let why = line.analysis.because.clone();
    match line.analysis.class {
        CommandClass::Dangerous => return Some(Because::Dangerous { why }),
        CommandClass::Unknown => return Some(Because::NotUnderstood { why }),
        CommandClass::Plain => {}
    }
    if let Some(reach) = strictest {
        return Some(Because::Reaches(reach.clone()));
    }
    if line.analysis.plain.is_none() {
        return Some(Because::NotPlain);
    }
    match line.runs_in {
        RunsIn::Workspace => None,
        RunsIn::Elsewhere => Some(Because::Elsewhere {
            folder: line.workdir.clone(),
        }),
    }
}
