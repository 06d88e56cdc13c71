//! The rows of the table of configuration keys.

mod servers;

use super::{Key, Kind, Setter};
use benchdog_base::charset;

const REACHES: &str = "it affects access outside the folder";
const CONFINES: &str = "it controls the sandbox of the folder's commands";
const SPENDS: &str = "it limits what may be spent in your name";
const SIGNS: &str = "it signs your commits";
const STARTS: &str = "it names programs that run outside the sandbox, and the receiver of recordings";
const READER: &str = "it depends on the person at the screen";

const fn key(path: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key {
        path,
        kind,
        default,
        doc,
        setter: Setter::Anyone,
    }
}

impl Key {
    const fn tightened(self, to: &'static [&'static str]) -> Self {
        Self {
            setter: Setter::Tightened { to, why: CONFINES },
            ..self
        }
    }

    const fn of_the_person(self, why: &'static str) -> Self {
        Self {
            setter: Setter::Person(why),
            ..self
        }
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
/// All configuration keys in the order of the docs.
pub(crate) const KEYS: &[Key] =
    &joined::<{ FIRST.len() + servers::ROWS.len() + OTHERS.len() }>(&[FIRST, servers::ROWS, OTHERS]);

#[expect(
    clippy::indexing_slicing,
    reason = "an index out of bounds is an error of the compiler"
)]
const fn joined<const N: usize>(parts: &[&[Key]]) -> [Key; N] {
    let mut rows = [FIRST[0]; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut row = 0;
        while row < parts[part].len() {
            rows[at] = parts[part][row];
            row += 1;
            at += 1;
        }
        part += 1;
    }
    rows
}

const FIRST: &[Key] = &[
    key(
        "$schema",
        Kind::Text,
        "",
        "The JSON Schema that editors use to check this file.",
    ),
    key(
        "version",
        Kind::Whole { min: 1, max: 1_000 },
        "1",
        "The format version of this file. Only version 1 exists ([versions](config.md#versions)).",
    ),
    key(
        "model",
        Kind::Text,
        "",
        "`provider/model`, the name of a model of the first provider, or `auto`: choose a model that the servers offer.",
    ),
    key(
        "small_model",
        Kind::Text,
        "",
        "The model that writes summaries. Without it, the session's model writes them.",
    ),
    key(
        "fallback",
        Kind::Texts,
        "[]",
        "Models to try in this order if the endpoint of the model is unreachable, fails, is rate limited or does not have the model.",
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
        Kind::Choice(&["openai", "openai-responses", "ollama", "anthropic"]),
        "\"openai\"",
        "The protocol of the endpoint.",
    ),
    key(
        "provider.*.base_url",
        Kind::Server,
        "",
        "The base address of requests, with `/v1` if the server needs it. Without a scheme, Benchdog adds the scheme and `/v1`: `127.0.0.1:8000` becomes `http://127.0.0.1:8000/v1`.",
    ),
    key(
        "provider.*.api_key_env",
        Kind::Texts,
        "[]",
        "Environment variables that may hold the key. The first that is set is used.",
    )
    .of_the_person("it names variables of your environment"),
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
        "A PEM file with an additional certificate authority to trust, or with the server's own certificate.",
    )
    .of_the_person("it adds a trusted certificate authority"),
    key(
        "provider.*.idle_timeout_s",
        Kind::Whole { min: 1, max: 86_400 },
        "300",
        "Seconds without data after which a stream times out.",
    ),
    key(
        "provider.*.warm_up",
        Kind::Switch,
        "true",
        "Let Ollama on this machine load the model while you type the first prompt. This is never done for a model with a price.",
    ),
    key(
        "provider.*.keep_alive",
        Kind::Stay,
        "",
        "How long Ollama keeps the model in memory after a request, for `\"api\": \"ollama\"`. Without it, the server's setting applies.",
    ),
    key(
        "provider.*.strict_tools",
        Kind::Choice(&["auto", "on", "off"]),
        "\"auto\"",
        "Whether Benchdog tells the server to enforce the schemas of tool calls. `auto`: only for servers that are known to need this (vLLM).",
    ),
    key(
        "provider.*.slots",
        Kind::Whole { min: 1, max: 1_024 },
        "",
        "The number of requests that the server answers at once. At most as many subagents run at once. Without it, Benchdog asks llama.cpp, and uses 1 for Ollama.",
    ),
    key(
        "provider.*.models",
        Kind::Names,
        "{}",
        "Settings of single models, by the id that the server uses.",
    ),
    key("provider.*.models.*", Kind::Table, "", "One model."),
    key(
        "provider.*.models.*.context",
        TOKENS,
        "",
        "The context window in tokens. Without it, Benchdog asks the server.",
    ),
    key(
        "provider.*.models.*.output",
        TOKENS,
        "8192",
        "The maximum number of tokens in one answer.",
    ),
    key(
        "provider.*.models.*.tools",
        Kind::Choice(&["auto", "native", "text"]),
        "\"auto\"",
        "How tool calls are sent: in API fields, or as text that the system prompt explains. `auto`: `text` if the server says that the model does not support tools.",
    ),
    key(
        "provider.*.models.*.send_reasoning",
        Kind::Choice(&["auto", "never", "turn", "always"]),
        "\"auto\"",
        "Which reasoning is sent back to the model: from answers with tool calls (`turn`), from all answers (`always`), or none (`never`). `auto`: as `turn`, but only reasoning that the same model sent in a separate field.",
    ),
    key(
        "provider.*.models.*.vision",
        Kind::Switch,
        "",
        "Whether the model can read images. If so, images mentioned with `@` are sent. When unset, the server's description of the model decides.",
    ),
    key(
        "provider.*.models.*.completion",
        Kind::Choice(&["text", "evidence"]),
        "\"text\"",
        "How a turn of this model ends, for every agent: with a text, or with a call of `done` that cites files and lines as evidence.",
    ),
    key(
        "provider.*.models.*.temperature",
        Kind::Number { min: 0.0, max: 2.0 },
        "",
        "Sent with every request when set.",
    ),
    key(
        "provider.*.models.*.top_p",
        Kind::Number { min: 0.0, max: 1.0 },
        "",
        "Sent with every request when set.",
    ),
    key(
        "provider.*.models.*.thinking",
        Kind::Choice(&["off", "low", "medium", "high"]),
        "",
        "How much the model thinks, unless a session sets `/thinking`. Without it, the server decides.",
    ),
    key(
        "provider.*.models.*.alias",
        Kind::Text,
        "",
        "A short name for the model. It is accepted wherever a model is named.",
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
        "Price per million input tokens.",
    ),
    key(
        "provider.*.models.*.price.output",
        PRICE,
        "0",
        "Price per million output tokens.",
    ),
    key(
        "provider.*.models.*.extra_body",
        Kind::Open,
        "{}",
        "Fields that are merged into every request body.",
    ),
    key(
        "permission",
        Kind::Rules,
        "{}",
        "Which calls run without asking, by tool. A `deny` from any source is final.",
    ),
    key("agent", Kind::Names, "{}", "Agents by name. Files in `agents/` define agents, too ([agents](agents.md))."),
    key("agent.*", Kind::Table, "{}", "One agent: a new one, or changes to a built-in one."),
    key("agent.*.description", Kind::Text, "", "The purpose of the agent, shown in lists and to other agents."),
    key(
        "agent.*.mode",
        Kind::Choice(&["primary", "subagent"]),
        "\"primary\"",
        "Whether you choose this agent (`primary`), or other agents start it (`subagent`).",
    ),
    key(
        "agent.*.hidden",
        Kind::Switch,
        "false",
        "Hide the agent from lists. You can still choose it by name.",
    ),
    key(
        "agent.*.model",
        Kind::TextOrNull,
        "null",
        "The agent's model. Without it, the session's model is used. `agent.summary.model` overrides `small_model`. A model writes session titles only if `agent.title.model` is set.",
    ),
    key(
        "agent.*.temperature",
        Kind::NumberOrNull { min: 0.0, max: 2.0 },
        "null",
        "The agent's sampling temperature. Without it, the model's setting is used.",
    ),
    key(
        "agent.*.top_p",
        Kind::NumberOrNull { min: 0.0, max: 1.0 },
        "null",
        "The agent's `top_p`. Without it, the model's setting is used.",
    ),
    key(
        "agent.*.steps",
        Kind::WholeOrNull { min: 1, max: 10_000 },
        "null",
        "The maximum number of requests in one turn of the agent. `--max-steps` overrides it.",
    ),
    key(
        "agent.*.completion",
        Kind::Choice(&["text", "evidence"]),
        "\"text\"",
        "How the agent's turn ends: with a text, or with a call of `done` that cites files and lines as evidence. A model that only sends text is reminded at most twice.",
    ),
    key(
        "agent.*.prompt",
        Kind::Text,
        "",
        "Instructions for the model. A single line that ends in `.md` or `.txt` names a file next to this one.",
    ),
    key(
        "agent.*.tools",
        Kind::Texts,
        "[]",
        "The tools that the agent may use, by name or pattern; `-name` excludes a tool. The last match wins. The lists of all sources apply.",
    ),
    key(
        "agent.*.permission",
        Kind::Rules,
        "{}",
        "The agent's rules, which override those of the top-level `permission`. A `deny` in either is final.",
    ),
    key(
        "system_prompt",
        Kind::TextOrNull,
        "null",
        "Replaces the built-in working instructions: `terse` means `prompts/terse.md` next to this file. Facts about the folder and Benchdog are still added. A running session keeps its system prompt.",
    ),
    key(
        "instructions",
        Kind::Texts,
        "[]",
        "Files whose text is added to the rules. A pattern such as `docs/*.md` adds all matching files, sorted by name.",
    ),
    key("skills", Kind::Table, "", "Skills: instructions for special tasks."),
    key(
        "skills.paths",
        Kind::Texts,
        "[]",
        "Additional folders with skills, searched first. `~/` is your home folder.",
    ),
    key("commands", Kind::Table, "", "Texts that you send often ([custom commands](custom_commands.md))."),
    key(
        "commands.paths",
        Kind::Texts,
        "[]",
        "Additional folders with commands, searched first. `~/` is your home folder.",
    ),
    key("tools", Kind::Names, "{}", "Changes to tools, by name ([changing a tool](tools.md#changing-a-tool))."),
    key(
        "tools.paths",
        Kind::Texts,
        "[]",
        "Additional folders with [custom tools](custom_tools.md), searched first. `~/` is your home folder. A change needs a restart.",
    )
    .of_the_person("it names programs that models may start"),
    key("tools.*", Kind::Table, "", "One tool."),
    key("tools.*.enabled", Kind::Switch, "true", "Whether models get this tool. A project can only switch a tool off."),
    key(
        "tools.*.description",
        Kind::Text,
        "",
        "Replaces the tool's description for the model. A single line that ends in `.md` or `.txt` names a file in `prompts` next to this one.",
    ),
    key("tools.*.note", Kind::Text, "", "Text added to the tool's description for the model. A text or a file, as in `description`."),
    key(
        "tools.*.timeout_ms",
        Kind::Whole { min: 1, max: 600_000 },
        "",
        "The timeout of a call. For `bash`, it applies if the model gives no timeout.",
    ),
    key(
        "tools.*.max_output_bytes",
        Kind::Whole { min: 4_096, max: 65_536 },
        "",
        "The maximum size of a result, if the context window has space for it.",
    ),
];

const OTHERS: &[Key] = &[
    key("files", Kind::Table, "", "The files of the workspace."),
    key(
        "files.encoding",
        Kind::Choice(charset::NAMES),
        "\"auto\"",
        "The encoding of texts that are not UTF-8. `auto`: detect it for each text.",
    ),
    key("compaction", Kind::Table, "", "Compaction: how Benchdog frees space in the context window."),
    key(
        "compaction.auto",
        Kind::Switch,
        "true",
        "Compact automatically when the context window is nearly full, with a summary if shortening outputs is not enough.",
    ),
    key(
        "compaction.prune",
        Kind::Switch,
        "true",
        "Shorten old outputs before summarising.",
    ),
    key(
        "compaction.threshold",
        Kind::Number { min: 0.2, max: 1.0 },
        "0.8",
        "The fraction of the available context at which compaction starts.",
    ),
    key(
        "compaction.warn",
        Kind::Shares,
        "[0.5, 0.8]",
        "The fractions of the available context at which a notification appears, once each.",
    ),
    key("retrieval", Kind::Table, "", "Search in an index of the folder's files ([search](tools.md#search-by-words))."),
    key(
        "retrieval.index",
        Kind::Choice(&["off", "lexical"]),
        "\"off\"",
        "Whether models get the tool `search_semantic`. `lexical`: it ranks files by words and parts of names.",
    ),
    key(
        "retrieval.embedding_model",
        Kind::Text,
        "",
        "The `provider/model` of an embedding model. With it, and with `lexical`, `search_semantic` also ranks by meaning. The text of your files is sent to that provider.",
    )
    .of_the_person("the text of your files is sent to it"),
    key(
        "retrieval.map_tokens",
        Kind::Whole { min: 100, max: 16_000 },
        "",
        "The size in tokens of a map in the first prompt of a session. It lists files with the definitions that other files use most. Without the key, there is no map.",
    ),
    key("validation", Kind::Table, "", "The check that runs after changes."),
    key("validation.auto", Kind::Switch, "true", "Run the check automatically."),
    key(
        "validation.command",
        Kind::TextOrNull,
        "null",
        "The check. Without it, it is detected from the project's files.",
    ),
    key(
        "validation.network",
        Kind::Choice(&["inherit", "none"]),
        "\"inherit\"",
        "Whether the check may use the network: as `sandbox.network` says (`inherit`), or never (`none`).",
    )
    .tightened(&["none"]),
    key("network", Kind::Table, "", "How model servers are reached.").of_the_person(REACHES),
    key(
        "network.offline",
        Kind::Switch,
        "false",
        "Connect only to this machine, private addresses and `network.allowed_hosts`.",
    )
    .of_the_person(REACHES),
    key(
        "network.allowed_hosts",
        Kind::Texts,
        "[]",
        "Hosts that stay reachable. `*.example.org` includes all its subdomains.",
    )
    .of_the_person(REACHES),
    key(
        "network.proxy",
        Kind::TextOrNull,
        "null",
        "The address of a proxy, or `none`. Without it, `HTTPS_PROXY` and similar variables apply. This machine is never reached through a proxy.",
    )
    .of_the_person(REACHES),
    key(
        "network.ca_file",
        Kind::TextOrNull,
        "null",
        "A PEM file with an additional certificate authority to trust, or with the server's own certificate. Used for endpoints without a `ca_file`.",
    )
    .of_the_person(REACHES),
    key("web", Kind::Table, "", "Tools for web pages, off by default ([web](web.md)).").of_the_person(REACHES),
    key("web.fetch", Kind::Switch, "false", "Whether models get the tool `webfetch`. Each host needs approval or a rule of `permission.webfetch`.").of_the_person(REACHES),
    key("web.search", Kind::Table, "", "The engines of the tool `websearch`. Models get the tool if an engine is set.").of_the_person(REACHES),
    key("web.search.searxng", Kind::Address, "", "The address of a SearXNG server that allows the format `json`.").of_the_person(REACHES),
    key("web.search.json", Kind::Address, "", "The address of another search service that answers with JSON. It contains `{query}`, and may contain `{locale}`: `https://HOST/search?q={query}`.").of_the_person(REACHES),
    key("web.search.headers", Kind::Names, "{}", "Headers sent to `web.search.searxng` or `web.search.json`.").of_the_person(REACHES),
    key("web.search.headers.*", Kind::Text, "", "The value of one header. `${NAME}` is replaced by your environment variable.").of_the_person(REACHES),
    key("web.search.duckduckgo", Kind::Switch, "false", "Use DuckDuckGo's page of results if no other engine is set, or if the other engine fails.").of_the_person(REACHES),
    key("web.search.locale", Kind::Text, "", "The language and region of results, such as `de-DE`. Without it, the engine decides.").of_the_person(REACHES),
    key("web.private_hosts", Kind::Texts, "[]", "Hosts that may have private addresses, such as `wiki.corp.example` or `127.0.0.1:8080`. An entry without a port means ports 80 and 443.").of_the_person(REACHES),
    key("voice", Kind::Table, "", "Speech input for the prompt, off by default ([voice](commands.md#voice)).").of_the_person(STARTS),
    key("voice.record", Kind::Texts, "[]", "The program that records, and its arguments. The program writes a WAV file at `{file}` until it gets SIGTERM.").of_the_person(STARTS),
    key("voice.transcribe", Kind::TextOrTexts, "[]", "A program that prints the text, with its arguments and `{file}`; or `PROVIDER/MODEL` of a server with `/v1/audio/transcriptions`.").of_the_person(STARTS),
    key("telemetry", Kind::Table, "", "Traces that are sent to a collector, off by default ([telemetry](config.md#telemetry)).").of_the_person(REACHES),
    key("telemetry.endpoint", Kind::Address, "", "The address of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`. A change needs a restart.").of_the_person(REACHES),
    key("sandbox", Kind::Table, "", "The sandbox of commands."),
    key(
        "sandbox.level",
        Kind::Choice(&["auto", "off", "workspace", "read-only"]),
        "\"auto\"",
        "How the kernel confines commands that you allowed. Commands that run without your answer are always in the sandbox, except with `off`.",
    )
    .tightened(&["workspace", "read-only"]),
    key(
        "sandbox.writable",
        Kind::Texts,
        "[]",
        "Additional files and folders that confined commands may write. Commands may also read them if they are secret.",
    )
    .of_the_person(CONFINES),
    key(
        "sandbox.network",
        Kind::Choice(&["inherit", "none"]),
        "\"inherit\"",
        "`inherit`: commands may use the network if you allowed them, or if their rule grants it. `none`: no command may.",
    )
    .tightened(&["none"]),
    key(
        "sandbox.pass_env",
        Kind::Texts,
        "[]",
        "Additional variables for commands, including those that look secret. The keys of endpoints are never passed.",
    )
    .of_the_person(CONFINES),
    key("ui", Kind::Table, "", "The workbench."),
    key(
        "ui.theme",
        Kind::Text,
        "\"auto\"",
        "The name of a theme: one from `/theme`, or one of yours. `auto` follows the terminal.",
    ),
    key(
        "ui.language",
        Kind::Choice(&["auto", "en", "zh", "ja", "ko"]),
        "\"auto\"",
        "The language of Benchdog: English, Chinese, Japanese or Korean. `auto` follows `LC_ALL`, `LC_MESSAGES` or `LANG`.",
    )
    .of_the_person(READER),
    key(
        "ui.ambiguous_width",
        Kind::Choice(&["narrow", "wide"]),
        "\"narrow\"",
        "Whether your terminal shows characters of ambiguous width (`…`, `→`, `“`, `①`, lines, Greek and Cyrillic) in one column or in two. Change it if text next to such characters is shifted or cut off.",
    )
    .of_the_person(READER),
    key(
        "ui.keys",
        Kind::Names,
        "{}",
        "Key bindings by action, such as `palette.open`. A project cannot set the keys of actions that decide requests: `approval.*`, `confirm.*`, `reason.*`, `question.*`, `folder.*`.",
    ),
    key(
        "ui.keys.*",
        Kind::TextOrTexts,
        "",
        "A key such as `ctrl-p`, or a list of them.",
    ),
    key("ui.mouse", Kind::Switch, "true", "Whether the mouse is used: clicks, the wheel, and copying text by dragging within a pane. Off: the terminal selects text."),
    key(
        "ui.notify",
        Kind::Choice(&["auto", "bell", "osc9", "osc777", "off"]),
        "\"auto\"",
        "How Benchdog notifies you of a pending request or an ended turn: by the bell, or by text. `auto`: by text in terminals that support it.",
    ),
    key(
        "ui.vim",
        Kind::Switch,
        "false",
        "Use vi keys in the prompt.",
    ),
    key(
        "ui.confirm_exit",
        Kind::Switch,
        "true",
        "Ask before quitting if this would stop a turn or a background job.",
    ),
    key(
        "ui.alt_decides",
        Kind::Switch,
        "true",
        "Whether Alt+Y and Alt+N decide a request while another place has the focus.",
    ),
    key("engine", Kind::Table, "", "Workbenches that run without a terminal.").of_the_person(READER),
    key(
        "engine.detach",
        Kind::Choice(&["never", "auto"]),
        "\"never\"",
        "`auto`: every workbench outlives its terminal, as with `--detached`.",
    )
    .of_the_person(READER),
    key(
        "engine.idle_minutes",
        Kind::Whole { min: 1, max: 100_000 },
        "10",
        "The minutes after which a workbench without a terminal and without work ends.",
    )
    .of_the_person(READER),
    key(
        "engine.deny_after_minutes",
        Kind::Whole { min: 1, max: 100_000 },
        "",
        "The minutes after which a request or question is denied while no terminal is attached. Without the key, requests and questions wait.",
    )
    .of_the_person(READER),
    key("limits", Kind::Table, "", "Limits of a turn. Flags of `run` override these keys.").of_the_person(SPENDS),
    key(
        "limits.steps",
        Kind::Whole { min: 1, max: 100_000 },
        "",
        "The maximum number of requests in one turn. At the limit, the workbench asks whether to continue, and `run` ends. Without this key, the limit is 100 in the workbench and 50 in `run`.",
    )
    .of_the_person(SPENDS),
    key(
        "limits.tokens",
        TOKENS,
        "",
        "The maximum number of tokens of a session. At the limit, the turn ends.",
    )
    .of_the_person(SPENDS),
    key(
        "limits.cost",
        PRICE,
        "",
        "The maximum cost of a session in USD. At the limit, the turn ends. The model needs a configured price.",
    )
    .of_the_person(SPENDS),
    key(
        "limits.checks",
        Kind::Whole { min: 1, max: 20 },
        "3",
        "How often the check may run in one turn before the turn ends as failed.",
    )
    .of_the_person(SPENDS),
    key("commit", Kind::Table, "", "Git commits of `/commit`.").of_the_person(SIGNS),
    key(
        "commit.co_author",
        Kind::Text,
        "",
        "A co-author that `/commit` adds to its message, as `NAME <MAIL>`.",
    )
    .of_the_person(SIGNS),
    key("todo", Kind::Table, "", "The todo list."),
    key(
        "todo.auto",
        Kind::Switch,
        "true",
        "Create a todo list with the task before the first change of a turn, if the model has made none.",
    ),
    key("logs", Kind::Table, "", "Log files, in the folder `logs`.").of_the_person(REACHES),
    key(
        "logs.level",
        Kind::LogFilter,
        "\"info\"",
        "What is logged. `BENCHDOG_LOG` overrides this key, and `--log-level` overrides both.",
    )
    .of_the_person(REACHES),
    key(
        "logs.max_bytes",
        Kind::Whole {
            min: 4_096,
            max: 1_000_000_000_000,
        },
        "10485760",
        "The size in bytes at which a new log file is started.",
    )
    .of_the_person(REACHES),
    key(
        "logs.files",
        Kind::Whole { min: 1, max: 1_000 },
        "5",
        "The number of log files to keep, including the current one.",
    )
    .of_the_person(REACHES),
    key("checkpoint", Kind::Table, "", "Checkpoints of the folder's files, for `/undo` after commands.").of_the_person(REACHES),
    key(
        "checkpoint.max_file",
        Kind::Whole {
            min: 1,
            max: 1_000_000_000,
        },
        "16777216",
        "The size in bytes above which `/undo` does not cover a file that a command changes.",
    )
    .of_the_person(REACHES),
    key("cache", Kind::Table, "", "Files that Benchdog can create again.").of_the_person(REACHES),
    key(
        "cache.days",
        Kind::Whole { min: 1, max: 3_650 },
        "30",
        "The number of days for which the full outputs of long commands are kept.",
    )
    .of_the_person(REACHES),
];
