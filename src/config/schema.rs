//! THE table of configuration keys. Errors and their suggestions, the JSON Schema and the book's table come from it.

use serde_json::{Map, Value, json};

/// One key. `*` in a path stands for any name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub(crate) path: &'static str,
    pub(crate) kind: Kind,
    /// As JSON text; empty where there is none.
    pub(crate) default: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) stage: Stage,
}

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    TextOrNull,
    /// An `http://` or `https://` address.
    Address,
    Texts,
    Switch,
    /// A whole number within the bounds.
    Whole {
        min: u64,
        max: u64,
    },
    /// Any number within the bounds.
    Number {
        min: f64,
        max: f64,
    },
    Choice(&'static [&'static str]),
    /// An object whose keys are rows of this table.
    Table,
    /// An object whose names the person chooses; the row `path.*` says what each is.
    Names,
    /// Permission rules: `allow`, `ask` or `deny`, or an object of patterns with these.
    Rules,
    /// One text or a list of texts.
    TextOrTexts,
    /// An object that is handed on as it is.
    Open,
}

/// Whether this version acts on a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Now,
    /// Accepted so that a shared file stays valid; set to something, it earns a warning.
    Later,
}

const fn key(path: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key {
        path,
        kind,
        default,
        doc,
        stage: Stage::Now,
    }
}

const fn later(path: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key {
        path,
        kind,
        default,
        doc,
        stage: Stage::Later,
    }
}

const TOKENS: Kind = Kind::Whole {
    min: 1,
    max: 100_000_000,
};
const PRICE: Kind = Kind::Number {
    min: 0.0,
    max: 1_000_000.0,
};

pub(crate) const KEYS: &[Key] = &[
    key(
        "$schema",
        Kind::Text,
        "",
        "The JSON Schema an editor checks this file with.",
    ),
    key(
        "model",
        Kind::Text,
        "",
        "`provider/model`, a model of the first provider, or `auto`: pick from what the servers offer.",
    ),
    later("small_model", Kind::Text, "", "The model for titles and summaries."),
    later(
        "fallback",
        Kind::Texts,
        "[]",
        "Models tried in order when the endpoint fails.",
    ),
    key(
        "provider",
        Kind::Names,
        "{}",
        "Model endpoints by name; the first is the default.",
    ),
    key("provider.*", Kind::Table, "", "One endpoint."),
    key(
        "provider.*.api",
        Kind::Choice(&["openai", "ollama", "anthropic"]),
        "\"openai\"",
        "The protocol the endpoint speaks.",
    ),
    key(
        "provider.*.base_url",
        Kind::Address,
        "",
        "The address requests go under, with `/v1` where the server wants it.",
    ),
    key(
        "provider.*.api_key_env",
        Kind::Texts,
        "[]",
        "Variables that may hold the key; the first that is set counts.",
    ),
    key(
        "provider.*.headers",
        Kind::Names,
        "{}",
        "Headers sent with every request.",
    ),
    key("provider.*.headers.*", Kind::Text, "", "The value of one header."),
    key(
        "provider.*.ca_file",
        Kind::TextOrNull,
        "null",
        "A PEM file with a certificate authority to trust beside the system's.",
    ),
    key(
        "provider.*.idle_timeout_s",
        Kind::Whole { min: 1, max: 86_400 },
        "300",
        "Seconds without a byte after which a stream counts as dead.",
    ),
    key(
        "provider.*.models",
        Kind::Names,
        "{}",
        "What is known of single models, by the id the server uses.",
    ),
    key("provider.*.models.*", Kind::Table, "", "One model."),
    key(
        "provider.*.models.*.context",
        TOKENS,
        "",
        "The window in tokens; without it the server is asked.",
    ),
    key(
        "provider.*.models.*.output",
        TOKENS,
        "8192",
        "The most tokens one answer may have.",
    ),
    key(
        "provider.*.models.*.tools",
        Kind::Choice(&["auto", "native", "text"]),
        "\"auto\"",
        "How tool calls travel.",
    ),
    key(
        "provider.*.models.*.vision",
        Kind::Switch,
        "false",
        "Whether the model reads images.",
    ),
    key(
        "provider.*.models.*.temperature",
        Kind::Number { min: 0.0, max: 5.0 },
        "",
        "Sent with every request when set.",
    ),
    key(
        "provider.*.models.*.price",
        Kind::Table,
        "",
        "Price per million tokens.",
    ),
    key(
        "provider.*.models.*.price.input",
        PRICE,
        "0",
        "Per million tokens read.",
    ),
    key(
        "provider.*.models.*.price.output",
        PRICE,
        "0",
        "Per million tokens written.",
    ),
    key(
        "provider.*.models.*.extra_body",
        Kind::Open,
        "{}",
        "Merged into every request body.",
    ),
    key(
        "permission",
        Kind::Rules,
        "{}",
        "What may happen without being asked, by tool; a deny of any layer is final.",
    ),
    later("agent", Kind::Names, "{}", "Agent profiles by name."),
    later("agent.*", Kind::Open, "", "One profile."),
    key(
        "instructions",
        Kind::Texts,
        "[]",
        "Files whose text is added to the rules.",
    ),
    later("skills", Kind::Open, "{}", "Folders with skills."),
    later("mcp", Kind::Open, "{}", "MCP servers."),
    later("hooks", Kind::Open, "{}", "Commands run at points of a turn."),
    key("compaction", Kind::Table, "", "What happens when the window fills."),
    later(
        "compaction.auto",
        Kind::Switch,
        "true",
        "Summarise by itself when the window is nearly full.",
    ),
    later("compaction.prune", Kind::Switch, "true", "Drop old tool outputs first."),
    key("validation", Kind::Table, "", "The check that runs after changes."),
    key("validation.auto", Kind::Switch, "true", "Run it without being told to."),
    key(
        "validation.command",
        Kind::TextOrNull,
        "null",
        "The command; without one it is found by the project's files.",
    ),
    later("network", Kind::Open, "{}", "Proxies and allowed hosts."),
    key("sandbox", Kind::Table, "", "Confinement of commands by the system."),
    later(
        "sandbox.level",
        Kind::Choice(&["off", "workspace", "strict"]),
        "\"off\"",
        "How much commands are confined.",
    ),
    key("ui", Kind::Table, "", "The workbench."),
    key(
        "ui.theme",
        Kind::Text,
        "\"auto\"",
        "A theme by name; `auto` follows the terminal.",
    ),
    key(
        "ui.language",
        Kind::Text,
        "\"auto\"",
        "The language of the interface; `auto` follows the system.",
    ),
    key("ui.keys", Kind::Names, "{}", "Keys by action, such as `palette.open`."),
    key(
        "ui.keys.*",
        Kind::TextOrTexts,
        "",
        "A key such as `ctrl-p`, or a list of them.",
    ),
    key("ui.mouse", Kind::Switch, "true", "Whether the mouse is used."),
    later("logs", Kind::Open, "{}", "Log files."),
    later("cache", Kind::Open, "{}", "The cache."),
];

/// The row of a path; a name the person chose matches `*`.
pub(crate) fn find(path: &[String]) -> Option<&'static Key> {
    KEYS.iter().find(|key| {
        let mut parts = key.path.split('.');
        path.iter()
            .all(|name| parts.next().is_some_and(|part| part == "*" || part == name))
            && parts.next().is_none()
    })
}

/// The names that may stand directly under `path`, as the table has them.
pub(crate) fn children(path: &[String]) -> Vec<&'static str> {
    let depth = path.len();
    KEYS.iter()
        .filter(|key| {
            let parts: Vec<_> = key.path.split('.').collect();
            parts.len() == depth + 1 && parts.iter().zip(path).all(|(part, name)| *part == "*" || part == name)
        })
        .filter_map(|key| key.path.rsplit('.').next())
        .collect()
}

/// What was probably meant by a name that is not known under `path`.
pub(crate) fn suggestion(path: &[String], name: &str) -> Option<String> {
    let siblings = children(path);
    if let Some(near) = nearest(name, siblings.iter().copied()) {
        let mut whole: Vec<&str> = path.iter().map(String::as_str).collect();
        whole.push(near);
        return Some(format!("did you mean `{}`?", whole.join(".")));
    }
    // A known key in the wrong place, such as `theme` at the top.
    let elsewhere = KEYS
        .iter()
        .find(|key| !key.path.contains('*') && key.path.rsplit('.').next() == Some(name))?;
    Some(format!("did you mean `{}`?", elsewhere.path))
}

/// The candidate that a slip of the finger explains best, if one does.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .map(|candidate| (distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + same);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

impl Kind {
    /// As an error says it after `must be`.
    pub(crate) fn expected(self) -> String {
        match self {
            Self::Text => "a string".to_owned(),
            Self::TextOrNull => "a string or null".to_owned(),
            Self::Address => "an address that begins with `http://` or `https://`".to_owned(),
            Self::Texts => "a list of strings".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Number { min, max } => format!("a number from {min} to {max}"),
            Self::Choice(options) => format!("one of `{}`", options.join("`, `")),
            Self::Table | Self::Names | Self::Open | Self::Rules => "an object".to_owned(),
            Self::TextOrTexts => "a string or a list of strings".to_owned(),
        }
    }

    /// Whether a nearer layer adds to this object instead of replacing it.
    pub(crate) fn is_merged(self) -> bool {
        matches!(self, Self::Table | Self::Names | Self::Rules)
    }

    fn schema(self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::TextOrNull => json!({"type": ["string", "null"]}),
            Self::Address => json!({"type": "string", "pattern": "^https?://"}),
            Self::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Self::Switch => json!({"type": "boolean"}),
            Self::Whole { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            Self::Number { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
            Self::Choice(options) => json!({"enum": options}),
            Self::TextOrTexts => json!({"type": ["string", "array"], "items": {"type": "string"}}),
            Self::Table | Self::Names | Self::Open => json!({"type": "object"}),
            Self::Rules => {
                let action = json!({"enum": ["allow", "ask", "deny"]});
                json!({"type": "object", "additionalProperties":
                    {"anyOf": [action, {"type": "object", "additionalProperties": action}]}})
            }
        }
    }
}

/// The JSON Schema of a configuration file, for editors.
pub(crate) fn json_schema() -> Value {
    let mut schema = object_schema(&[]);
    if let Value::Object(fields) = &mut schema {
        let title = json!("Benchdog configuration");
        fields.insert(
            "$schema".to_owned(),
            json!("https://json-schema.org/draft/2020-12/schema"),
        );
        fields.insert("title".to_owned(), title);
    }
    schema
}

fn object_schema(path: &[String]) -> Value {
    let mut properties = Map::new();
    let mut any = Value::Bool(false);
    for name in children(path) {
        let mut child = path.to_vec();
        child.push(name.to_owned());
        let Some(row) = find(&child) else { continue };
        let mut value = match row.kind {
            Kind::Table | Kind::Names => object_schema(&child),
            other => other.schema(),
        };
        if let Value::Object(fields) = &mut value {
            fields.insert("description".to_owned(), json!(row.doc));
            if let Ok(default) = serde_json::from_str::<Value>(row.default) {
                fields.insert("default".to_owned(), default);
            }
        }
        if name == "*" {
            any = value;
        } else {
            properties.insert(name.to_owned(), value);
        }
    }
    json!({"type": "object", "properties": properties, "additionalProperties": any})
}

/// The table of the book: one line a key.
pub(crate) fn markdown() -> String {
    let mut table = "| key | value | default | meaning |\n|---|---|---|---|\n".to_owned();
    for key in KEYS {
        let default = if key.default.is_empty() {
            String::new()
        } else {
            format!("`{}`", key.default)
        };
        let meaning = match key.stage {
            Stage::Now => key.doc.to_owned(),
            Stage::Later => format!("{} Accepted, without effect in this version.", key.doc),
        };
        table.push_str(&format!(
            "| `{}` | {} | {default} | {meaning} |\n",
            key.path,
            key.kind.expected().replace('|', "\\|")
        ));
    }
    table
}
