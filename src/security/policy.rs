//! Decides whether a call may run, by rules of several layers and by guards that no rule can switch off. Pure, because
//! the preparation of the call has collected all facts.

mod command;
mod explain;
mod grants;
mod matching;
mod outdone;
mod rules;
mod scope;

#[cfg(test)]
mod tests;

pub use command::of_person;
pub use explain::explain;
pub use grants::{Grants, is_of};

use std::sync::Arc;

use benchdog_domain::command::Reach;
use benchdog_domain::permission::{
    Action, BUILT_IN, Because, CATASTROPHIC, CONFINED, CommandClass, Layer, Place, Rule, Subject, ToolRules, Verdict,
};
use benchdog_domain::server::{ServerName, server_of};
use rules::{Rules, nearness};

/// The rules of one layer. A key is a tool's name, `edit`, `external_directory` or `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerRules {
    pub layer: Layer,
    /// Source as shown to the person: `file:line`, or a flag.
    pub origin: String,
    pub rules: Vec<(String, Vec<(String, Action)>)>,
    /// Keys and patterns of rules that grant network access in the sandbox.
    pub network: Vec<(String, String)>,
}

impl LayerRules {
    fn grants_network(&self, key: &str, pattern: &str) -> bool {
        self.network.iter().any(|(of, granted)| of == key && granted == pattern)
    }
}

/// Layers from the farthest to the nearest, the built-in one first.
#[derive(Debug, Clone)]
pub struct Policy {
    layers: Arc<[LayerRules]>,
}

/// Defaults for keys that are not tools, and for tools that may be unavailable.
const OTHER_DEFAULTS: &[(&str, Action)] = &[
    ("*", Action::Ask),
    ("external_directory", Action::Deny),
    (CATASTROPHIC, Action::Deny),
    (CONFINED, Action::Ask),
];

impl Policy {
    /// Creates a policy. The rules in `tools` become the built-in layer. `layers` may be in any order.
    pub fn new(tools: &[ToolRules], layers: Vec<LayerRules>) -> Self {
        let mut all = vec![built_in(tools)];
        all.extend(layers);
        all.sort_by_key(|rules| nearness(rules.layer));
        Self { layers: all.into() }
    }

    pub fn with(&self, layers: &[LayerRules]) -> Self {
        let mut all = self.layers.to_vec();
        all.extend_from_slice(layers);
        all.sort_by_key(|rules| nearness(rules.layer));
        Self { layers: all.into() }
    }

    /// Returns all rules, from the nearest layer to the farthest. Rules of one layer are in file order.
    pub fn rules(&self, grants: &Grants) -> Vec<(Layer, Rule)> {
        let granted = grants
            .layers()
            .into_iter()
            .flat_map(|(layer, origin, scopes)| scopes.iter().map(move |scope| (layer, grants::rule(scope, origin))));
        let configured = self.layers.iter().rev().flat_map(|layer| {
            layer.rules.iter().flat_map(move |(key, patterns)| {
                patterns.iter().map(move |(pattern, action)| {
                    let rule = Rule {
                        key: key.clone(),
                        pattern: pattern.clone(),
                        options: None,
                        action: *action,
                        origin: layer.origin.clone(),
                    };
                    (layer.layer, rule)
                })
            })
        });
        granted.chain(configured).collect()
    }

    pub fn judge(&self, grants: &Grants, tool: &ToolRules, subjects: &[Subject]) -> Verdict {
        let judge = Judge {
            rules: Rules::new(&self.layers, grants),
            tool,
        };
        let strictest = subjects.iter().map(|subject| judge.one(subject)).reduce(both);
        strictest.unwrap_or_else(|| judge.one(&Subject::Tool))
    }
}

fn built_in(tools: &[ToolRules]) -> LayerRules {
    let others = OTHER_DEFAULTS
        .iter()
        .map(|(key, action)| ((*key).to_owned(), vec![("*".to_owned(), *action)]));
    let of_tools = tools.iter().map(|tool| {
        let patterns = tool.defaults.iter();
        let patterns = patterns.map(|(pattern, action)| (pattern.clone().into_owned(), *action));
        (tool.name.clone().into_owned(), patterns.collect())
    });
    LayerRules {
        layer: Layer::Default,
        origin: BUILT_IN.to_owned(),
        rules: others.chain(of_tools).collect(),
        network: Vec::new(),
    }
}

struct Judge<'p> {
    rules: Rules<'p>,
    tool: &'p ToolRules,
}

impl Judge<'_> {
    fn one(&self, subject: &Subject) -> Verdict {
        match subject {
            Subject::Command(line) => self.command(line),
            Subject::Path { path, place, reach } => self.path(path, *place, reach.as_ref()),
            Subject::CalledRisky => self.called_risky(),
            Subject::Named(name) => self.named(name),
            Subject::Host(host) => self.host(host),
            Subject::Served { server } => self.served(server),
            Subject::Tool => self.by_rules(""),
        }
    }

    /// Returns the verdict for a call that the model marked as risky. The verdict is at least as strict as the rules.
    fn called_risky(&self) -> Verdict {
        let verdict = self.by_rules("");
        if verdict.action == Action::Deny {
            return verdict;
        }
        guard(verdict, Because::CalledRisky)
    }

    fn path(&self, path: &str, place: Place, reach: Option<&Reach>) -> Verdict {
        let mut verdict = match place {
            Place::Inside => self.by_rules(path),
            Place::Scratch => unasked(self.by_rules(path)),
            Place::Outside => match self.by_rules(path) {
                // A path that is denied everywhere is also denied outside the workspace.
                denied if denied.action == Action::Deny => denied,
                _ => self.rules.say(&["external_directory", "*"], path),
            },
        };
        if let Some(reach) = reach {
            verdict.needs_person = true;
            if verdict.action != Action::Deny {
                verdict = guard(verdict, Because::Reaches(reach.clone()));
            }
        } else if place == Place::Inside {
            verdict.scopes = scope::for_path(self.tool, path, verdict.action);
        }
        verdict
    }

    /// Judges a call by a name. An "Always allow" answer applies only to this name.
    fn named(&self, name: &str) -> Verdict {
        let verdict = self.by_rules(name);
        let scope = (verdict.action == Action::Ask).then(|| scope::for_name(self.tool, name));
        Verdict {
            scopes: scope.into_iter().collect(),
            ..verdict
        }
    }

    /// Judges access to a host. Only the person's own rule for this tool can allow the host, and unencrypted access
    /// needs a rule with `http://`. Without such a rule the person decides, even with `--approve`. A denied host is
    /// denied on all ports and schemes.
    fn host(&self, host: &str) -> Verdict {
        let mut verdict = self.by_rules(host);
        let of_name = self.by_rules(name_of_host(host));
        if of_name.action == Action::Deny {
            return of_name;
        }
        let covers = |rule: &Rule| {
            let is_encrypted = !host.starts_with(HTTP) || rule.pattern.starts_with(HTTP);
            rule.key == self.tool.name && is_encrypted
        };
        let names_it = matches!(&verdict.because, Because::Rule(rule) if covers(rule));
        let of_person = !matches!(verdict.layer, Layer::Project | Layer::Agent);
        if verdict.action == Action::Allow && !(names_it && of_person) {
            let host = host.to_owned();
            verdict = guard(verdict, Because::HostNotNamed { host });
        }
        if verdict.action == Action::Ask {
            verdict.class = Some(CommandClass::External);
            verdict.scopes = vec![scope::for_name(self.tool, host)];
        }
        verdict
    }

    /// Judges a tool of an MCP server. "Always allow" applies to this tool with any arguments, or to all tools of the
    /// server.
    fn served(&self, server: &ServerName) -> Verdict {
        let verdict = self.by_rules("");
        let scopes = match verdict.action {
            Action::Ask => scope::for_served(self.tool, server),
            Action::Allow | Action::Deny => Vec::new(),
        };
        Verdict { scopes, ..verdict }
    }

    /// Returns the verdict of the rules for the tool's name, patterns of tool names, the tool's group, and all tools.
    fn by_rules(&self, text: &str) -> Verdict {
        let name = &*self.tool.name;
        let group = self.tool.group.as_deref().filter(|group| *group != name);
        let patterns = match server_of(name) {
            Some(_) => self.rules.patterns_of(name),
            None => Vec::new(),
        };
        let keys: Vec<&str> = [name].into_iter().chain(patterns).chain(group).chain(["*"]).collect();
        self.rules.say(&keys, text)
    }
}

const HTTP: &str = "http://";

fn name_of_host(subject: &str) -> &str {
    let host = subject.strip_prefix(HTTP).unwrap_or(subject);
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    }
}

fn strictness(action: Action) -> u8 {
    match action {
        Action::Allow => 0,
        Action::Ask => 1,
        Action::Deny => 2,
    }
}

/// Returns the stricter of two verdicts on the same call. The call runs only if both verdicts allow it.
pub fn stricter(one: Verdict, other: Verdict) -> Verdict {
    both(one, other)
}

/// Combines two verdicts. Offers a scope for "Always allow" only if both verdicts offer it.
fn both(a: Verdict, b: Verdict) -> Verdict {
    let weight = |verdict: &Verdict| (strictness(verdict.action), verdict.needs_person, verdict.class);
    let network = a.network && b.network;
    let needs_person = a.needs_person || b.needs_person;
    let scopes = match (a.action, b.action) {
        _ if needs_person => Vec::new(),
        (Action::Ask, Action::Allow) => a.scopes.clone(),
        (Action::Allow, Action::Ask) => b.scopes.clone(),
        _ => a
            .scopes
            .iter()
            .filter(|scope| b.scopes.contains(scope))
            .cloned()
            .collect(),
    };
    let class = a.class.max(b.class);
    let strictest = if weight(&b) > weight(&a) { b } else { a };
    Verdict {
        scopes,
        class,
        network,
        needs_person,
        ..strictest
    }
}

/// Allows a scratch path without asking. A denied path stays denied.
fn unasked(verdict: Verdict) -> Verdict {
    if verdict.action != Action::Ask {
        return verdict;
    }
    Verdict {
        action: Action::Allow,
        because: Because::Scratch,
        layer: Layer::Default,
        scopes: Vec::new(),
        ..verdict
    }
}

/// Sets the action to "ask" for a reason that no rule can switch off.
fn guard(verdict: Verdict, because: Because) -> Verdict {
    Verdict {
        action: Action::Ask,
        because,
        layer: Layer::Guard,
        scopes: Vec::new(),
        ..verdict
    }
}
