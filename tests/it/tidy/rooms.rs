//! Tables of the allowed imports of each part, and of the parts that may use each external crate.

/// A part of the source, and its allowed imports. The first row whose path is a prefix applies.
pub struct Room {
    pub part: &'static str,
    pub may: &'static [&'static str],
}

const fn room(part: &'static str, may: &'static [&'static str]) -> Room {
    Room { part, may }
}

/// Imports only go to earlier rows. A part may always import itself.
pub const ROOMS: &[Room] = &[
    room("base", &[]),
    room("domain", &["base"]),
    room("diff", &["base"]),
    room("detached", &["base"]),
    // Plain data and tables.
    room("theme", &["base", "domain", "diff"]),
    room("keys", &["base", "domain", "diff"]),
    room("config", &["base", "domain", "diff"]),
    room("lang", &["base", "domain"]),
    room("protocol", &["base", "domain", "diff"]),
    // A log entry in readable form.
    room("transcript", &["base", "domain", "diff", "lang", "protocol"]),
    // Services with side effects, each for its own area.
    room("storage", SERVICES),
    room("provider", SERVICES),
    room("security", SERVICES),
    room("context", SERVICES),
    room("files", SERVICES),
    room("children", SERVICES),
    room("checkpoints", &["base", "domain", "diff", "files"]),
    room("web", &["base", "config", "provider"]),
    room("lsp", &["base", "domain", "children"]),
    room("search", &["base", "files"]),
    room("tools", TOOLS),
    room("agent", TOOLS),
    room("mcp", TOOLS),
    // The agent: first a pure state machine, then engine and seats, which may use all earlier rows.
    room("orchestrator/machine", PURE),
    room("orchestrator/input", PURE),
    room("orchestrator/effect", PURE),
    room(
        "orchestrator",
        &[
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
    ),
    room(
        "sessions",
        &[
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
    ),
    // Agents are started as processes, so this part does not import the engine.
    room("bench", &["base", "domain", "lang", "security", "children", "tools"]),
    room("traces", &["base", "config"]),
    // The user interface.
    room(
        "app",
        &[
            "base",
            "domain",
            "diff",
            "protocol",
            "keys",
            "config",
            "lang",
            "transcript",
        ],
    ),
    room(
        "ui",
        &[
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
    ),
    room(
        "terminal",
        &[
            "base", "domain", "protocol", "keys", "config", "app", "theme", "ui", "detached",
        ],
    ),
    room(
        "headless",
        &[
            "base",
            "domain",
            "diff",
            "protocol",
            "config",
            "lang",
            "transcript",
            "app",
        ],
    ),
    // Editors use the questions and requests of the app.
    room(
        "acp",
        &["base", "domain", "diff", "protocol", "lang", "transcript", "app"],
    ),
    // The line mode uses the commands and requests of the app, and the notices of a run.
    room(
        "linear",
        &[
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
    ),
];

const SERVICES: &[&str] = &["base", "domain", "diff", "theme", "keys", "config", "protocol"];
const TOOLS: &[&str] = &[
    "base", "domain", "diff", "theme", "keys", "config", "protocol", "storage", "provider", "security", "context",
    "files", "children", "lsp", "search", "web",
];
const PURE: &[&str] = &["base", "domain", "diff", "protocol"];

/// Names of external crates in code, and the parts that may use each.
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
    ("fork", &["detached/host"]),
    ("mimalloc", &["main"]),
    // `traces` receives the log lines, but is not imported by others. The pure parts do not log: `app`, `ui`, and the
    // orchestrator's machine.
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
            "acp/frames",
        ],
    ),
    ("tracing_subscriber", &["traces"]),
    ("rmcp", &["mcp"]),
    ("agent_client_protocol_schema", &["acp"]),
    ("sse_stream", &["mcp/http"]),
];
