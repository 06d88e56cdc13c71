//! What is decided about a command line: what the rules say, and what of the line's analysis no rule can switch off.

use super::{Judge, guard, scope};
use crate::domain::command::{CommandLine, Reach, RunsIn};
use crate::domain::permission::{Action, CommandClass, Verdict};

impl Judge<'_> {
    pub(super) fn command(&self, line: &CommandLine) -> Verdict {
        let analysis = &line.analysis;
        let strictest = line.reaches.iter().min_by_key(|reach| reach.rank());
        let mut verdict = self.command_by_rules(line);
        verdict.class = Some(analysis.class);
        verdict.needs_person = analysis.class != CommandClass::Plain || line.reaches.iter().any(Reach::needs_person);
        match (verdict.action, objection(line, strictest)) {
            (Action::Deny, _) => verdict,
            // Of what is not plain the person reads what it is, not which rule asks.
            (_, Some(why)) if analysis.class != CommandClass::Plain => guard(verdict, &why),
            (Action::Allow, Some(why)) => guard(verdict, &why),
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
fn objection(line: &CommandLine, strictest: Option<&Reach>) -> Option<String> {
    let because = &line.analysis.because;
    match line.analysis.class {
        CommandClass::Dangerous => return Some(format!("dangerous: {because}")),
        CommandClass::Unknown => return Some(format!("not understood: {because}")),
        CommandClass::Plain => {}
    }
    if let Some(reach) = strictest {
        return Some(words(reach));
    }
    if line.analysis.plain.is_none() {
        let why = "only one plain command, without redirection or substitution, can be allowed by a rule";
        return Some(why.to_owned());
    }
    match line.runs_in {
        RunsIn::Workspace => None,
        RunsIn::Elsewhere => Some(format!(
            "it runs in `{}`; what a rule allows is allowed in the workspace's own folder only",
            line.workdir
        )),
    }
}

fn words(reach: &Reach) -> String {
    match reach {
        Reach::Process { path } => format!("`{path}` may belong to another process: that always asks"),
        Reach::Secret { path } => format!("`{path}` is a secret: secrets always ask"),
        Reach::LeadsToSecret { path } => format!("`{path}` leads to a secret: secrets always ask"),
        Reach::NamesSecret => "it names a secret: secrets always ask".to_owned(),
        Reach::SecretBelow { path } => format!("it would read `{path}`: secrets always ask"),
        Reach::LinkBelow { path } => format!("it may follow `{path}` out of the workspace"),
        Reach::Unseen => "there are too many files to see whether one is a secret".to_owned(),
        Reach::Outside { path } => format!("`{path}` lies outside the workspace"),
        Reach::Unfollowed { path, reason } => format!("`{path}`: {reason}"),
    }
}
