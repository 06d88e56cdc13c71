//! Judges command lines by the rules and the command analysis. No rule can switch off the analysis's findings.

use super::matching::exactly;
use super::{Judge, guard, scope};
use benchdog_domain::command::{BLANKS, CommandLine, PlainCommand, Reach, RunsIn, Step, Written};
use benchdog_domain::permission::{
    Action, Because, CATASTROPHIC, CONFINED, CommandClass, DANGEROUS, Layer, OnlyOnce, Scope, Subject, Verdict,
};

/// Maximum number of rules of one "Always allow" answer. A person could not review more.
const MOST_PARTS: usize = 4;

/// Maximum number of word suffixes that are compared with deny rules.
const MOST_BEHIND: usize = 32;

/// Returns the verdict for a command that the person typed. The command runs without approval, unless it has large or
/// unknown effects or accesses secrets. Denied commands stay denied.
pub fn of_person(verdict: Verdict, subjects: &[Subject]) -> Verdict {
    let is_harmless = |subject: &Subject| match subject {
        Subject::Command(line) => !line.reaches.iter().chain(&line.below).any(Reach::needs_person),
        _ => false,
    };
    let class = matches!(verdict.class, Some(CommandClass::Plain | CommandClass::External));
    // A typed command runs outside the sandbox, so nothing hides secrets from a recursive search.
    let met = subjects.iter().find_map(|subject| match subject {
        Subject::Command(line) => line.below.first(),
        _ => None,
    });
    if let Some(reach) = met.filter(|_| verdict.action == Action::Allow) {
        let because = Because::Reaches(reach.clone());
        return Verdict {
            needs_person: true,
            ..guard(verdict, because)
        };
    }
    if verdict.action != Action::Ask || !class || subjects.is_empty() || !subjects.iter().all(is_harmless) {
        return verdict;
    }
    Verdict {
        action: Action::Allow,
        because: Because::Typed,
        ..verdict
    }
}

impl Judge<'_> {
    pub(super) fn command(&self, line: &CommandLine) -> Verdict {
        let analysis = &line.analysis;
        let strictest = line.reaches.iter().min_by_key(|reach| reach.rank());
        let mut verdict = self.command_by_rules(line);
        let by_rules = verdict.clone();
        verdict.class = Some(analysis.class);
        verdict.needs_person = analysis.class != CommandClass::Plain || line.reaches.iter().any(Reach::needs_person);
        if let Some(interactive) = analysis.interactive.clone().filter(|_| verdict.action != Action::Deny) {
            return Verdict {
                action: Action::Deny,
                ..guard(verdict, Because::Interactive(interactive))
            };
        }
        if analysis.class == CommandClass::Catastrophic && verdict.action != Action::Deny {
            return self.catastrophic(verdict, analysis.because.clone());
        }
        if let Some(declared) = self.declared_dangerous(line) {
            return dangerous(verdict, declared);
        }
        if line.unconfined && verdict.action != Action::Deny {
            let asked = guard(verdict, Because::Unconfined);
            return Verdict {
                needs_person: true,
                ..asked
            };
        }
        if let Some(allowed) = self.in_sandbox(line, &by_rules, &verdict) {
            return allowed;
        }
        match (verdict.action, objection(line, &verdict, strictest)) {
            (Action::Deny, _) => verdict,
            // Show the class of the line as the reason, not the rule that asks.
            (_, Some(why)) if analysis.class != CommandClass::Plain => guard(verdict, why),
            (Action::Allow, Some(why)) => guard(verdict, why),
            (Action::Ask, None) => self.offer(line, verdict),
            (Action::Ask, Some(why)) => {
                let written = analysis.written.filter(|_| why == Because::NotPlain);
                let why = written.map_or(OnlyOnce::Guarded(why), OnlyOnce::Written);
                verdict.only_once = Some(why);
                verdict
            }
            (Action::Allow, None) => verdict,
        }
    }

    /// Allows a line to run in the read-only sandbox without approval, if the rule `confined` is "allow" and the line
    /// is not dangerous. A configured "ask" rule for the command still applies.
    fn in_sandbox(&self, line: &CommandLine, by_rules: &Verdict, verdict: &Verdict) -> Option<Verdict> {
        let asked_by_name = by_rules.action == Action::Ask
            && by_rules.layer != Layer::Default
            && !matches!(&by_rules.because, Because::Rule(rule) if rule.pattern == "*");
        let fits = matches!(line.analysis.class, CommandClass::Plain | CommandClass::Unknown);
        let would_ask = verdict.action == Action::Ask || objection(line, verdict, line.reaches.first()).is_some();
        if verdict.action == Action::Deny || !fits || asked_by_name || !would_ask {
            return None;
        }
        let said = self.rules.say(&[CONFINED], "");
        (said.action == Action::Allow).then(|| Verdict {
            action: Action::Allow,
            because: Because::Confined,
            layer: said.layer,
            needs_person: false,
            network: false,
            ..verdict.clone()
        })
    }

    /// Offers scopes for "Always allow". For a single command, the scopes range from narrow to wide. For a list or
    /// pipeline, one scope is this exact line. Another allows each command of the line, if rules can do so.
    fn offer(&self, line: &CommandLine, mut verdict: Verdict) -> Verdict {
        if let Some(plain) = &line.analysis.plain {
            verdict.scopes = scope::for_command(&self.tool.name, plain);
            verdict.only_once = verdict.scopes.is_empty().then_some(OnlyOnce::Written(Written::Quoted));
            return verdict;
        }
        let exact = is_plain_list(line).then(|| scope::for_line(&self.tool.name, line.command.trim_matches(BLANKS)));
        verdict.scopes = exact.into_iter().chain(self.of_parts(line)).collect();
        verdict.only_once = verdict.scopes.is_empty().then(|| OnlyOnce::Written(not_a_list(line)));
        verdict
    }

    /// Returns a scope with one rule for each command that is not allowed yet, if these rules would allow the line.
    fn of_parts(&self, line: &CommandLine) -> Option<Scope> {
        let mut parts: Vec<Scope> = Vec::new();
        for step in line.analysis.steps.iter().flatten() {
            if self.allows(step).is_some() {
                continue;
            }
            let part = scope::wider(&self.tool.name, &step.command).filter(|_| step.class == CommandClass::Plain)?;
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let scope = Scope::of_all(parts).filter(|scope| scope.and.len() < MOST_PARTS)?;
        // Configured rules may ask despite the new rules, which would then have no effect.
        let mut grants = self.rules.grants().clone();
        grants.grant(scope.clone());
        let with_it = Judge {
            rules: self.rules.answered_by(&grants),
            tool: self.tool,
        };
        (with_it.command_by_rules(line).action == Action::Allow).then_some(scope)
    }

    /// Returns the verdict of the rules on a command's words. An exact "Always allow" answer does not apply if quotes
    /// or expansions produced the words.
    fn by_words(&self, command: &PlainCommand) -> Verdict {
        let text = command.words.join(" ");
        let verdict = self.by_rules(&text);
        match command.exact() {
            None if answers(&verdict, &text) => guard(verdict, Because::NotPlain),
            _ => verdict,
        }
    }

    /// Applies a deny rule to a command that another program may run, as in `strace git push`. The analysis does not
    /// know how that program uses its arguments.
    fn denied_behind(&self, line: &CommandLine) -> Option<Verdict> {
        let parts = line
            .analysis
            .parts
            .iter()
            .filter(|part| part.class != CommandClass::Plain);
        let behind = parts.flat_map(|part| {
            let blanks = part.command.match_indices(' ').take(MOST_BEHIND);
            blanks.filter_map(|(at, _)| part.command.get(at..))
        });
        let names_command = |verdict: &Verdict| matches!(&verdict.because, Because::Rule(rule) if rule.pattern != "*");
        behind
            .map(|text| self.by_rules(text.trim_matches(BLANKS)))
            .find(|verdict| verdict.action == Action::Deny && names_command(verdict))
    }

    /// Denies the line. If the person's configuration replaces the deny rule `CATASTROPHIC`, asks the person.
    fn catastrophic(&self, verdict: Verdict, why: String) -> Verdict {
        let said = self.rules.say(&[CATASTROPHIC], "");
        let action = if said.action == Action::Deny {
            Action::Deny
        } else {
            Action::Ask
        };
        Verdict {
            action,
            ..guard(verdict, Because::Catastrophic { why })
        }
    }

    fn declared_dangerous(&self, line: &CommandLine) -> Option<Verdict> {
        let parts = line.analysis.parts.iter().map(|part| part.command.as_str());
        let judged = parts
            .chain([line.command.trim_matches(BLANKS)])
            .map(|text| self.rules.say(&[DANGEROUS], text));
        judged
            .filter(|said| said.layer != Layer::Guard)
            .max_by_key(|said| super::strictness(said.action))
    }

    /// Applies the rules to the line: denied if any command is denied, allowed if all commands are allowed.
    fn command_by_rules(&self, line: &CommandLine) -> Verdict {
        let whole = line.command.trim_matches(BLANKS);
        let verdict = match &line.analysis.plain {
            Some(plain) => self.by_words(plain),
            None => self.by_rules(whole),
        };
        let parts = line.analysis.parts.iter().map(|part| part.command.as_str());
        let judged: Vec<Verdict> = parts
            .chain([line.command.trim_matches(BLANKS)])
            .map(|text| self.by_rules(text))
            .collect();
        if let Some(denied) = judged.iter().find(|verdict| verdict.action == Action::Deny) {
            return denied.clone();
        }
        if let Some(denied) = self.denied_behind(line) {
            return denied;
        }
        if is_plain_list(line) && answers(&verdict, whole) {
            return verdict;
        }
        let asked = |verdict: &&Verdict| verdict.action == Action::Ask && verdict.layer != Layer::Default;
        if line.analysis.plain.is_none()
            && let Some(asked) = judged.iter().find(asked)
        {
            return asked.clone();
        }
        if verdict.layer == Layer::Default
            && (line.analysis.plain.is_none() || verdict.action == Action::Ask)
            && line.analysis.reads_only
        {
            return Verdict {
                action: Action::Allow,
                because: Because::OnlyReads,
                ..verdict
            };
        }
        match &line.analysis.steps {
            Some(steps) if line.analysis.plain.is_none() => self.by_steps(steps, verdict),
            _ => verdict,
        }
    }

    /// Returns the verdict on a list or pipeline: allowed if each command only reads or is allowed by a rule.
    fn by_steps(&self, steps: &[Step], whole: Verdict) -> Verdict {
        let judged: Option<Vec<Verdict>> = steps.iter().map(|step| self.allows(step)).collect();
        let network = judged.iter().flatten().all(|verdict| verdict.network);
        let by_rule = judged
            .filter(|_| !goes_elsewhere(steps))
            .and_then(|judged| judged.into_iter().find(|verdict| verdict.action == Action::Allow))
            .map(|verdict| Verdict { network, ..verdict });
        match by_rule {
            Some(allowed) => allowed,
            // A pattern that matches the whole line was written for one command, so it does not allow several.
            None if whole.action == Action::Allow => guard(whole, Because::NotPlain),
            None => whole,
        }
    }

    /// Returns the verdict that allows one command of a line. `None` if it has effects and no rule allows it.
    fn allows(&self, step: &Step) -> Option<Verdict> {
        let verdict = self.by_words(&step.command);
        let read = step.reads_only && verdict.action == Action::Ask && verdict.layer == Layer::Default;
        let allowed = match step.class {
            CommandClass::Plain => verdict.action == Action::Allow || read,
            CommandClass::External => names_it(&verdict, &step.command.words),
            CommandClass::Unknown | CommandClass::Dangerous | CommandClass::Catastrophic => false,
        };
        allowed.then_some(verdict)
    }
}

/// Whether a command with effects follows a `cd` out of the workspace. Rules apply only inside the workspace.
fn goes_elsewhere(steps: &[Step]) -> bool {
    let mut behind = steps.iter().skip_while(|step| !step.leaves);
    behind.any(|step| !step.reads_only)
}

fn not_a_list(line: &CommandLine) -> Written {
    let mut steps = line.analysis.steps.iter().flatten();
    if steps.any(|step| step.command.exact().is_none()) {
        Written::Quoted
    } else {
        Written::Fed
    }
}

/// Whether the line is a list or pipeline of plain commands without quotes or expansions.
fn is_plain_list(line: &CommandLine) -> bool {
    let is_plain = |step: &Step| step.class == CommandClass::Plain && step.command.exact().is_some();
    let steps = line.analysis.steps.as_ref();
    line.analysis.class == CommandClass::Plain && steps.is_some_and(|steps| steps.iter().all(is_plain))
}

/// Whether the verdict comes from an "Always allow" answer for exactly this text.
fn answers(verdict: &Verdict, text: &str) -> bool {
    let is_exact = |because: &Because| match because {
        Because::Rule(rule) => rule.options.is_none() && rule.pattern == exactly(text),
        _ => false,
    };
    let by_person = matches!(verdict.layer, Layer::Session | Layer::Remembered);
    verdict.action == Action::Allow && by_person && is_exact(&verdict.because)
}

fn dangerous(verdict: Verdict, declared: Verdict) -> Verdict {
    let strictest = if verdict.action == Action::Deny {
        verdict
    } else {
        declared
    };
    Verdict {
        class: Some(CommandClass::Dangerous),
        scopes: Vec::new(),
        needs_person: true,
        ..strictest
    }
}

/// Whether a rule of the person's configuration allows this program by name.
fn names_it(verdict: &Verdict, words: &[String]) -> bool {
    let Because::Rule(rule) = &verdict.because else {
        return false;
    };
    let named = rule
        .pattern
        .split_whitespace()
        .next()
        .filter(|name| !name.contains(['*', '?', '\\']));
    verdict.action == Action::Allow
        && verdict.layer == Layer::User
        && named.is_some()
        && named == words.first().map(String::as_str)
}

/// Returns the reason why no allow rule applies to the line. Allow rules need plain commands in the workspace folder.
fn objection(line: &CommandLine, verdict: &Verdict, strictest: Option<&Reach>) -> Option<Because> {
    let analysis = &line.analysis;
    let why = analysis.because.clone();
    match analysis.class {
        CommandClass::Catastrophic => return Some(Because::Catastrophic { why }),
        CommandClass::Dangerous => return Some(Because::Dangerous { why }),
        CommandClass::Unknown => return Some(Because::NotUnderstood { why }),
        CommandClass::External if !allowed_by_name(line, verdict) => return Some(Because::External { why }),
        CommandClass::External | CommandClass::Plain => {}
    }
    if let Some(reach) = strictest {
        return Some(Because::Reaches(reach.clone()));
    }
    if analysis.reads_only {
        return None;
    }
    if analysis.plain.is_none() && analysis.steps.is_none() {
        return Some(Because::NotPlain);
    }
    match line.runs_in {
        RunsIn::Workspace => None,
        RunsIn::Elsewhere => Some(Because::Elsewhere {
            folder: line.workdir.clone(),
        }),
    }
}

fn allowed_by_name(line: &CommandLine, verdict: &Verdict) -> bool {
    match (&line.analysis.plain, &line.analysis.steps) {
        (Some(plain), _) => names_it(verdict, &plain.words),
        // `by_steps` has already applied the rules to each command.
        (None, Some(_)) => verdict.action == Action::Allow,
        (None, None) => false,
    }
}
