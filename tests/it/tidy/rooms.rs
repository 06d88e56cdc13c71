//! Tables of allowed imports, and of the home of each external crate.

/// A part of the source and its allowed imports. The first row whose path is a prefix applies.
pub struct Room {
    pub part: &'static str,
    pub may: &'static [&'static str],
}

/// Imports only go downward. A room may always use itself.
pub const ROOMS: &[Room] = &[
    Room { part: "base", may: &[] },
    Room {
        part: "domain",
        may: &["base"],
    },
    Room {
        part: "diff",
        may: &["base"],
    },
    Room {
        part: "detached",
        may: &["base"],
    },
    // Plain data and tables.
    Room {
        part: "theme",
        may: &["base", "domain", "diff"],
    },
    Room {
        part: "keys",
        may: &["base", "domain", "diff"],
    },
    Room {
        part: "config",
        may: &["base", "domain", "diff"],
    },
    Room {
        part: "lang",
        may: &["base", "domain"],
    },
    Room {
        part: "protocol",
        may: &["base", "domain", "diff"],
    },
    // An entry in readable form.
    Room {
        part: "transcript",
        may: &["base", "domain", "diff", "lang", "protocol"],
    },
    // Services with side effects, each for its own area.
    Room {
        part: "storage",
        may: SERVICES,
    },
    Room {
        part: "provider",
        may: SERVICES,
    },
    Room {
        part: "security",
        may: SERVICES,
    },
    Room {
        part: "context",
        may: SERVICES,
    },
    Room {
        part: "files",
        may: SERVICES,
    },
    Room {
        part: "children",
        may: SERVICES,
    },
    Room {
        part: "checkpoints",
        may: &["base", "domain", "diff", "files"],
    },
    Room {
        part: "web",
        may: &["base", "config", "provider"],
    },
    Room {
        part: "lsp",
        may: &["base", "domain", "children"],
    },
    Room {
        part: "search",
        may: &["base", "files"],
    },
    Room {
        part: "tools",
        may: TOOLS,
    },
    Room {
        part: "agent",
        may: TOOLS,
    },
    Room {
        part: "mcp",
        may: TOOLS,
    },
    // The agent: a pure machine first, then engine and seats, which may use everything below.
    Room {
        part: "orchestrator/machine",
        may: PURE,
    },
    Room {
        part: "orchestrator/input",
        may: PURE,
    },
    Room {
        part: "orchestrator/effect",
        may: PURE,
    },
    Room {
        part: "orchestrator",
        may: &[
            "base",
            "domain",
            "diff",
            "theme",
            "keys",
            "config",
            "protocol",
            "storage",
            "provider",
            "security",
            "context",
            "files",
            "checkpoints",
            "children",
            "search",
            "tools",
            "agent",
            "lsp",
            "mcp",
            "web",
        ],
    },
    Room {
        part: "sessions",
        may: &[
            "base",
            "domain",
            "diff",
            "lang",
            "storage",
            "search",
            "security",
            "tools",
            "transcript",
        ],
    },
    // Agents are started as processes, so that the engine is not imported.
    Room {
        part: "bench",
        may: &["base", "domain", "lang", "security", "children", "tools"],
    },
    // The destination of log lines. Others log with `tracing` and do not import it.
    Room {
        part: "traces",
        may: &["base", "config"],
    },
    // The user interface.
    Room {
        part: "app",
        may: &[
            "base",
            "domain",
            "diff",
            "protocol",
            "keys",
            "config",
            "lang",
            "transcript",
        ],
    },
    Room {
        part: "ui",
        may: &[
            "base",
            "domain",
            "diff",
            "protocol",
            "keys",
            "config",
            "lang",
            "transcript",
            "app",
            "theme",
        ],
    },
    Room {
        part: "terminal",
        may: &[
            "base", "domain", "protocol", "keys", "config", "app", "theme", "ui", "detached",
        ],
    },
    Room {
        part: "headless",
        may: &[
            "base",
            "domain",
            "diff",
            "protocol",
            "config",
            "lang",
            "transcript",
            "app",
        ],
    },
    // Editors: questions and requests are those of the app.
    Room {
        part: "acp",
        may: &["base", "domain", "diff", "protocol", "lang", "transcript", "app"],
    },
    // The line mode: commands and requests are those of the app, notices those of a run.
    Room {
        part: "linear",
        may: &[
            "base",
            "domain",
            "diff",
            "protocol",
            "config",
            "lang",
            "transcript",
            "app",
            "headless",
        ],
    },
];

const SERVICES: &[&str] = &["base", "domain", "diff", "theme", "keys", "config", "protocol"];
const TOOLS: &[&str] = &[
    "base", "domain", "diff", "theme", "keys", "config", "protocol", "storage", "provider", "security", "context",
    "files", "children", "lsp", "search", "web",
];
const PURE: &[&str] = &["base", "domain", "diff", "protocol"];

/// External crates with a single home, by their names in code.
pub const HOMES: &[(&str, &[&str])] = &[
    ("redb", &["storage"]),
    ("crc32fast", &["storage", "checkpoints"]),
    ("memchr", &["base"]),
    ("chardetng", &["base"]),
    ("encoding_rs", &["base"]),
    ("unicode_normalization", &["base"]),
    ("reqwest", &["provider", "web"]),
    ("dom_query", &["web/page", "web/search"]),
    ("dom_smoothie", &["web/page"]),
    ("html5ever", &["web/page"]),
    ("cap_std", &["security"]),
    ("ignore", &["files"]),
    ("nucleo", &["files"]),
    ("flate2", &["tools"]),
    ("pdfboss_core", &["tools/read/pdf"]),
    ("pdfboss_output", &["tools/read/pdf"]),
    ("pdfboss_text", &["tools/read/pdf"]),
    ("grep_searcher", &["tools"]),
    ("grep_regex", &["tools"]),
    ("grep_matcher", &["tools"]),
    ("similar", &["diff"]),
    ("strsim", &["base"]),
    ("schemars", &["base", "domain", "protocol", "transcript", "headless"]),
    ("zstd", &["checkpoints"]),
    ("fluent_bundle", &["lang"]),
    ("jsonc_parser", &["base/document"]),
    ("toml", &["config/import", "bench/task"]),
    ("shell_words", &["config/import"]),
    ("directories", &["base"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli/shell"]),
    ("clap_complete_nushell", &["cli/shell"]),
    ("clap_mangen", &["cli/shell"]),
    ("crossterm", &["terminal"]),
    ("syntect", &["ui/highlight"]),
    ("two_face", &["ui/highlight"]),
    ("ratatui", &["app", "ui", "terminal", "theme"]),
    ("pulldown_cmark", &["app", "sessions/html"]),
    ("landlock", &["children/confined"]),
    ("seccompiler", &["children/confined"]),
    ("nix", &["children/confined"]),
    ("mimalloc", &["main"]),
    // The pure rooms do not trace: `app`, `ui`, and the orchestrator's machine.
    (
        "tracing",
        &[
            "base/panics",
            "traces",
            "storage",
            "provider",
            "files",
            "children",
            "orchestrator/engine",
            "orchestrator/seat",
            "terminal",
        ],
    ),
    ("tracing_subscriber", &["traces"]),
    ("rmcp", &["mcp"]),
    ("agent_client_protocol_schema", &["acp"]),
    ("sse_stream", &["mcp/http"]),
];
