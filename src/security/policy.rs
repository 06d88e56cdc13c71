//! Whether a call may run: rules of several layers, and guards no rule can switch off. It decides; it asks nobody.

mod below;
mod explain;
mod matching;
mod naming;
mod scope;

#[cfg(test)]
mod tests;

pub(crate) use explain::explain;

use crate::domain::permission::{Action, CommandClass, Layer, Rule, Scope, Subject, Verdict};
use crate::security::secrets::is_secret_path;
use crate::security::shell::{Analysis, PlainCommand, analyse};
use crate::security::workspace::Workspace;
use matching::{Specificity, matches};

/// The rules of one layer. A key is a tool's name, `edit`, `external_directory` or `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LayerRules {
    pub(crate) layer: Layer,
    /// Where a person can look it up: `file:line`, or a flag.
    pub(crate) origin: String,
    pub(crate) rules: Vec<(String, Vec<(String, Action)>)>,
}

/// Layers from the farthest to the nearest; the built-in default first, "always" answers last.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    layers: Vec<LayerRules>,
}

/// Tools that are covered by the key `edit` as well.
const EDITING: &[&str] = &["write", "edit", "patch", "notebook_edit"];

/// One rule that fits, with what decides between it and others.
struct Fit<'p> {
    layer: &'p LayerRules,
    key: &'p str,
    pattern: &'p str,
    action: Action,
}

impl Policy {
    /// The layers in any order; the default need not be among them.
    pub(crate) fn new(layers: Vec<LayerRules>) -> Self {
        let mut all = vec![default_rules()];
        all.extend(layers);
        all.sort_by_key(|rules| nearness(rules.layer));
        Self { layers: all }
    }

    /// The strictest verdict over all subjects.
    pub(crate) fn judge(&self, tool: &str, subjects: &[Subject], workspace: &Workspace) -> Verdict {
        let verdicts = subjects.iter().map(|subject| self.judge_one(tool, subject, workspace));
        let strictest = verdicts.reduce(stricter);
        strictest.unwrap_or_else(|| self.judge_one(tool, &Subject::Tool, workspace))
    }

    /// Keeps an "always" answer for this session. It is an ordinary allow and covers neither the dangerous class nor
    /// what is not understood, nor secrets, and no deny.
    pub(crate) fn remember(&mut self, scope: Scope) {
        let rule = (scope.key, vec![(scope.pattern, Action::Allow)]);
        match self.layers.iter_mut().find(|rules| rules.layer == Layer::Session) {
            Some(rules) if rules.rules.contains(&rule) => {}
            Some(rules) => rules.rules.push(rule),
            None => self.layers.push(LayerRules {
                layer: Layer::Session,
                origin: "answered `always` in this session".to_owned(),
                rules: vec![rule],
            }),
        }
    }

    fn judge_one(&self, tool: &str, subject: &Subject, workspace: &Workspace) -> Verdict {
        match subject {
            Subject::Command { command, workdir } => {
                let analysis = analyse(command, &workspace.world(workdir));
                let verdict = self.judge_command(tool, command, &analysis, workspace);
                if workdir == "." {
                    return verdict;
                }
                elsewhere(verdict, command, &analysis, workdir, workspace)
            }
            Subject::Path { path, secret } => self.judge_path(tool, path, *secret, workspace),
            Subject::Tool => self.by_rules(tool, &[""]),
        }
    }

    fn judge_path(&self, tool: &str, path: &str, secret: bool, workspace: &Workspace) -> Verdict {
        if path.starts_with('/')
            && workspace
                .resolve(path)
                .is_err_and(|error| error.code == "outside_workspace")
        {
            let mut verdict = self.by_rules("external_directory", &[path]);
            verdict.scope = None;
            return verdict;
        }
        let mut verdict = self.by_rules(tool, &[path]);
        if secret || is_secret_path(std::path::Path::new(path)) {
            verdict.needs_person = true;
            verdict.scope = None;
            if verdict.action == Action::Allow {
                verdict = guard(verdict, &format!("`{path}` is a secret: secrets always ask"));
            }
        } else {
            verdict.scope = scope::for_tool(tool, verdict.action);
        }
        verdict
    }

    /// A command whose analysis is known already.
    pub(crate) fn judge_command(
        &self,
        tool: &str,
        command: &str,
        analysis: &Analysis,
        workspace: &Workspace,
    ) -> Verdict {
        let mut verdict = self.command_by_rules(tool, command, analysis);
        verdict.class = Some(analysis.class);
        verdict.scope = None;
        if analysis.class != CommandClass::Plain {
            verdict.needs_person = true;
            if verdict.action != Action::Deny {
                let class = if analysis.class == CommandClass::Dangerous {
                    "dangerous"
                } else {
                    "not understood"
                };
                verdict = guard(verdict, &format!("{class}: {}", analysis.because));
            }
            return verdict;
        }
        let blocked = not_coverable(command, analysis, workspace);
        if let Some((why, secret)) = &blocked {
            verdict.needs_person |= *secret;
            if verdict.action == Action::Allow {
                verdict = guard(verdict, why);
            }
        } else if let (Action::Ask, Some(plain)) = (verdict.action, &analysis.plain) {
            verdict.scope = scope::for_command(tool, plain);
        }
        verdict
    }

    /// A deny for any command inside counts for the line; an allow only when the whole line is one command.
    fn command_by_rules(&self, tool: &str, command: &str, analysis: &Analysis) -> Verdict {
        let whole = match &analysis.plain {
            Some(PlainCommand { words, .. }) => words.join(" "),
            None => command.trim().to_owned(),
        };
        let verdict = self.by_rules(tool, &[&whole]);
        let inner = analysis
            .parts
            .iter()
            .map(|part| part.command.as_str())
            .chain([command.trim()]);
        let denied = inner
            .map(|text| self.by_rules(tool, &[text]))
            .find(|verdict| verdict.action == Action::Deny);
        denied.unwrap_or(verdict)
    }

    /// What the rules alone say.
    fn by_rules(&self, tool: &str, texts: &[&str]) -> Verdict {
        let keys = keys(tool);
        for rules in self.layers.iter().filter(|rules| rules.layer != Layer::Default) {
            let own = decide(&keys, texts, std::slice::from_ref(rules));
            if let Some(fit) = own.filter(|fit| fit.action == Action::Deny) {
                return verdict(&fit);
            }
        }
        match decide(&keys, texts, &self.layers) {
            Some(fit) => verdict(&fit),
            // The default has a rule for everything; without one, asking is safe.
            None => Verdict {
                action: Action::Ask,
                because: Rule("no rule fits".to_owned()),
                layer: Layer::Guard,
                class: None,
                scope: None,
                needs_person: false,
            },
        }
    }
}

/// The keys that speak about a tool, the most particular first.
fn keys(tool: &str) -> Vec<&str> {
    let mut keys = vec![tool];
    if EDITING.contains(&tool) && tool != "edit" {
        keys.push("edit");
    }
    keys.push("*");
    keys
}

/// The first key that has a rule that fits; inside it the most specific pattern, then the nearer layer, then the
/// stricter action.
fn decide<'p>(keys: &[&str], texts: &[&str], layers: &'p [LayerRules]) -> Option<Fit<'p>> {
    keys.iter().find_map(|key| {
        let fits = layers.iter().flat_map(|layer| {
            let of_key = layer.rules.iter().filter(move |(name, _)| name == key);
            of_key.flat_map(move |(name, rules)| {
                let fitting = rules
                    .iter()
                    .filter(|(pattern, _)| texts.iter().any(|text| matches(pattern, text)));
                fitting.map(move |(pattern, action)| Fit {
                    layer,
                    key: name,
                    pattern,
                    action: *action,
                })
            })
        });
        fits.max_by_key(|fit| {
            (
                Specificity::of(fit.pattern),
                nearness(fit.layer.layer),
                strictness(fit.action),
            )
        })
    })
}

fn nearness(layer: Layer) -> u8 {
    match layer {
        Layer::Default => 0,
        Layer::User => 1,
        Layer::Project => 2,
        Layer::File => 3,
        Layer::Environment => 4,
        Layer::Flag => 5,
        Layer::Session => 6,
        Layer::Guard => 7,
    }
}

fn strictness(action: Action) -> u8 {
    match action {
        Action::Allow => 0,
        Action::Ask => 1,
        Action::Deny => 2,
    }
}

/// Of two verdicts the one that holds for both; of two that ask, the one that needs more of the person.
fn stricter(a: Verdict, b: Verdict) -> Verdict {
    let weight = |verdict: &Verdict| (strictness(verdict.action), verdict.class, verdict.scope.is_none());
    let needs_person = a.needs_person || b.needs_person;
    let mut strictest = if weight(&b) > weight(&a) { b } else { a };
    strictest.needs_person = needs_person;
    strictest
}

fn verdict(fit: &Fit<'_>) -> Verdict {
    let action = match fit.action {
        Action::Allow => "allow",
        Action::Ask => "ask",
        Action::Deny => "deny",
    };
    let origin = if fit.layer.origin.is_empty() {
        String::new()
    } else {
        format!(" ({})", fit.layer.origin)
    };
    Verdict {
        action: fit.action,
        because: Rule(format!("{}: \"{}\": {action}{origin}", fit.key, fit.pattern)),
        layer: fit.layer.layer,
        class: None,
        scope: None,
        needs_person: false,
    }
}

/// The same verdict, made to ask by something no rule can switch off.
fn guard(verdict: Verdict, why: &str) -> Verdict {
    Verdict {
        action: Action::Ask,
        because: Rule(why.to_owned()),
        layer: Layer::Guard,
        scope: None,
        ..verdict
    }
}

/// The same verdict for a command that runs in another folder than the workspace's own. Rules are written for that one, so
/// none that allows counts here, and nothing can be remembered; a deny stays.
fn elsewhere(
    mut verdict: Verdict,
    command: &str,
    analysis: &Analysis,
    workdir: &str,
    workspace: &Workspace,
) -> Verdict {
    verdict.needs_person |= naming::names_secret(command, analysis, workdir, workspace);
    verdict.scope = None;
    if verdict.action == Action::Allow {
        let why = format!("it runs in `{workdir}`; what a rule allows is allowed in the workspace's own folder only");
        verdict = guard(verdict, &why);
    }
    verdict
}

/// Why no allow covers a harmless-looking command, and whether a secret is the reason.
fn not_coverable(command: &str, analysis: &Analysis, workspace: &Workspace) -> Option<(String, bool)> {
    let secret_write = analysis
        .writes
        .iter()
        .find(|path| is_secret_path(std::path::Path::new(path)));
    let Some(plain) = &analysis.plain else {
        let named = secret_write.map(|path| (format!("`{path}` is a secret: secrets always ask"), true));
        return named.or_else(|| {
            let secret = naming::names_secret(command, analysis, ".", workspace);
            let why = if secret {
                "it names a secret: secrets always ask"
            } else {
                "only one plain command, without redirection or substitution, can be allowed by a rule"
            };
            Some((why.to_owned(), secret))
        });
    };
    for path in &plain.paths {
        if path.starts_with('~') {
            return Some((format!("`{path}` lies outside the workspace"), false));
        }
        if is_secret_path(std::path::Path::new(path)) {
            return Some((format!("`{path}` is a secret: secrets always ask"), true));
        }
        match workspace.resolve(path) {
            Ok(found) if found.is_secret() => {
                return Some((format!("`{path}` leads to a secret: secrets always ask"), true));
            }
            Ok(_) => {}
            // A pattern or a sentence may be no path at all; only what cannot be one is passed over.
            Err(error) if matches!(error.code, "bad_path" | "too_long" | "not_a_folder") => {}
            Err(error) => return Some((format!("`{path}`: {}", error.reason), false)),
        }
    }
    let words: Vec<&str> = plain.words.iter().map(String::as_str).collect();
    below::secret_below(&words, ".", workspace).map(|why| (why, true))
}

/// design.md §7, "Permission default".
fn default_rules() -> LayerRules {
    let all = |key: &str, action: Action| (key.to_owned(), vec![("*".to_owned(), action)]);
    let mut rules = vec![all("*", Action::Ask)];
    rules.extend(
        ["read", "list", "glob", "grep", "todoread", "todowrite", "ask", "done"].map(|key| all(key, Action::Allow)),
    );
    rules.extend(["edit", "skill", "task"].map(|key| all(key, Action::Ask)));
    let mut bash = vec![("*".to_owned(), Action::Ask)];
    bash.extend(["ls *", "cat *", "grep *"].map(|pattern| (pattern.to_owned(), Action::Allow)));
    rules.push(("bash".to_owned(), bash));
    rules.push(all("external_directory", Action::Deny));
    LayerRules {
        layer: Layer::Default,
        origin: "built in".to_owned(),
        rules,
    }
}
