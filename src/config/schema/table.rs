//! The rows of the table: each key, its type, and its effect.

use super::{Effect, Key, Kind, Setter};
use benchdog_base::charset;

const REACHES: &str = "it reaches outside the folder";
const CONFINES: &str = "it is what confines the folder's commands";
const SPENDS: &str = "it says what may be spent in your name";
const READER: &str = "it is about who sits before the screen";

const fn key(path: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key {
        path,
        kind,
        default,
        doc,
        effect: Effect::Now,
        setter: Setter::Anyone,
    }
}

impl Key {
    /// Marks a key without effect yet.
    const fn waits(self) -> Self {
        Self {
            effect: Effect::NotYet,
            ..self
        }
    }

    /// Marks a key that a project may only make stricter.
    const fn tightened(self, to: &'static [&'static str]) -> Self {
        Self {
            setter: Setter::Tightened { to, why: CONFINES },
            ..self
        }
    }

    /// Marks a key that a project must not set, because of `why`.
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

pub(crate) const KEYS: &[Key] = &[
    key(
        "$schema",
        Kind::Text,
        "",
        "The JSON Schema an editor checks this file with.",
    ),
    key(
        "version",
        Kind::Whole { min: 1, max: 1_000 },
        "1",
        "The form this file is written in. There is one so far; a file of a later one is refused as a whole, and a key by an earlier name is read and told.",
    ),
    key(
        "model",
        Kind::Text,
        "",
        "`provider/model`, a model of the first provider, or `auto`: pick from what the servers offer.",
    ),
    key(
        "small_model",
        Kind::Text,
        "",
        "The model that summarises; without one the model itself does.",
    ),
    key(
        "fallback",
        Kind::Texts,
        "[]",
        "Models asked in this order when the endpoint of the model fails: it cannot be reached, fails on its side, takes no more requests now, or does not have the model.",
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
        Kind::Server,
        "",
        "The address requests go under, with `/v1` where the server wants it. Without a scheme both are added: `127.0.0.1:8000` is `http://127.0.0.1:8000/v1`.",
    ),
    key(
        "provider.*.api_key_env",
        Kind::Texts,
        "[]",
        "Variables that may hold the key; the first that is set counts.",
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
        "A PEM file with a certificate authority to trust beside the system's, or with the server's own certificate.",
    )
    .of_the_person("it makes another authority trusted"),
    key(
        "provider.*.idle_timeout_s",
        Kind::Whole { min: 1, max: 86_400 },
        "300",
        "Seconds without a byte after which a stream counts as dead.",
    ),
    key(
        "provider.*.warm_up",
        Kind::Switch,
        "true",
        "Have an Ollama on this machine load the model while the first prompt is typed; never where the model has a price.",
    ),
    key(
        "provider.*.keep_alive",
        Kind::Stay,
        "",
        "How long Ollama keeps the model in memory after a request, for `\"api\": \"ollama\"`; without it, as the server is set.",
    ),
    key(
        "provider.*.strict_tools",
        Kind::Choice(&["auto", "on", "off"]),
        "\"auto\"",
        "Whether the server is asked to hold calls to the schemas of their tools; `auto`: where it is known to need that (vLLM).",
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
        "How tool calls travel: in fields of their own, or as text that the system prompt teaches; `auto` is `text` where the server says that the model knows no tools.",
    ),
    key(
        "provider.*.models.*.send_reasoning",
        Kind::Choice(&["auto", "never", "turn", "always"]),
        "\"auto\"",
        "Which reasoning goes back to the model with the history: that of answers with tool calls (`turn`), of every answer (`always`), or none; `auto` is `turn` for reasoning of the same model that came in a field of its own.",
    ),
    key(
        "provider.*.models.*.vision",
        Kind::Switch,
        "false",
        "Whether the model reads images: those that a prompt names with `@` go along.",
    ),
    key(
        "provider.*.models.*.completion",
        Kind::Choice(&["text", "evidence"]),
        "\"text\"",
        "What ends a turn of the model, whoever works: text, or the tool `done` with places that show what was said.",
    ),
    key(
        "provider.*.models.*.temperature",
        Kind::Number { min: 0.0, max: 2.0 },
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
    key("agent", Kind::Names, "{}", "Agents by name; files in `agents/` say the same ([agents](agents.md))."),
    key("agent.*", Kind::Table, "{}", "One agent, or what is different of one that is always there."),
    key("agent.*.description", Kind::Text, "", "What it is for, as lists and other agents read it."),
    key(
        "agent.*.mode",
        Kind::Choice(&["primary", "subagent"]),
        "\"primary\"",
        "Whether a person works with it, or another agent gives it work.",
    ),
    key(
        "agent.*.hidden",
        Kind::Switch,
        "false",
        "It is not offered: whoever knows its name chooses it.",
    ),
    key(
        "agent.*.model",
        Kind::TextOrNull,
        "null",
        "Its model; without one that of the session. `agent.summary.model` wins over `small_model`.",
    ),
    key(
        "agent.*.temperature",
        Kind::NumberOrNull { min: 0.0, max: 2.0 },
        "null",
        "How freely it answers; without it as the model is set.",
    ),
    key(
        "agent.*.steps",
        Kind::WholeOrNull { min: 1, max: 10_000 },
        "null",
        "Requests a turn of it may make; `--max-steps` wins over it.",
    ),
    key(
        "agent.*.completion",
        Kind::Choice(&["text", "evidence"]),
        "\"text\"",
        "What ends a turn of it: text, or the tool `done` with places that show what was said; text alone is then asked about twice at most.",
    ),
    key(
        "agent.*.prompt",
        Kind::Text,
        "",
        "What the model is told when it begins to work; one line that ends in `.md` or `.txt` names a file beside this one.",
    ),
    key(
        "agent.*.tools",
        Kind::Texts,
        "[]",
        "The tools it may use, by name or pattern; `-name`: all but these. In their order, the last that fits counts, and every layer's list holds.",
    ),
    key(
        "agent.*.permission",
        Kind::Rules,
        "{}",
        "Its own rules, nearer than those of `permission`; a deny of either is final.",
    ),
    key(
        "system_prompt",
        Kind::TextOrNull,
        "null",
        "A text of one's own in the place of how to work: `terse` is `prompts/terse.md` beside this file. Where the work is and what the bench does stay. A session keeps what its first request said.",
    ),
    key(
        "instructions",
        Kind::Texts,
        "[]",
        "Files whose text is added to the rules; `docs/*.md` and the like mean files in their order.",
    ),
    key("skills", Kind::Table, "", "Instructions for special tasks."),
    key(
        "skills.paths",
        Kind::Texts,
        "[]",
        "Further folders with skills, looked into first; `~/` is your home folder.",
    ),
    key("commands", Kind::Table, "", "Texts that you send often ([commands of your own](own_commands.md))."),
    key(
        "commands.paths",
        Kind::Texts,
        "[]",
        "Further folders with commands, looked into first; `~/` is your home folder.",
    ),
    key("tools", Kind::Names, "{}", "What is said of tools, by their names ([changing a tool](tools.md#changing-a-tool))."),
    key(
        "tools.paths",
        Kind::Texts,
        "[]",
        "Further folders with [tools of your own](own_tools.md), looked into first; `~/` is your home folder. Read when the program starts.",
    )
    .of_the_person("it names programs that models may start"),
    key("tools.*", Kind::Table, "", "One tool."),
    key("tools.*.enabled", Kind::Switch, "true", "Whether models have it at all; a project only switches off."),
    key(
        "tools.*.description",
        Kind::Text,
        "",
        "In the place of what the model is told of it; one line that ends in `.md` or `.txt` names a file in `prompts` beside this one.",
    ),
    key("tools.*.note", Kind::Text, "", "Behind what the model is told of it; text or file, as `description`."),
    key(
        "tools.*.timeout_ms",
        Kind::Whole { min: 1, max: 600_000 },
        "",
        "How long a call may take; of `bash`, where the model names no time.",
    ),
    key(
        "tools.*.max_output_bytes",
        Kind::Whole { min: 4_096, max: 65_536 },
        "",
        "How long a result may be, where the model's window has room for it.",
    ),
    key("mcp", Kind::Names, "{}", "MCP servers, by name ([MCP](mcp.md))."),
    key("mcp.*", Kind::Table, "", "One server: a program that speaks the Model Context Protocol, or an address where one is reached."),
    key("mcp.*.enabled", Kind::Switch, "true", "Whether it is started at all."),
    key(
        "mcp.*.command",
        Kind::Texts,
        "[]",
        "The program and each of its arguments; it is started in the folder, by no shell.",
    ),
    key(
        "mcp.*.environment",
        Kind::Names,
        "{}",
        "Variables it gets beside yours; of yours it gets none that looks secret.",
    ),
    key(
        "mcp.*.environment.*",
        Kind::Text,
        "",
        "The value of one variable; in a file of your own, `${NAME}` is a variable of yours.",
    ),
    key(
        "mcp.*.timeout_ms",
        Kind::Whole {
            min: 100,
            max: 3_600_000,
        },
        "30000",
        "How long it may take to start, to list its tools, and to answer a call or to report that it goes on.",
    ),
    key(
        "mcp.*.start_timeout_ms",
        Kind::Whole {
            min: 100,
            max: 3_600_000,
        },
        "",
        "How long it may take to start and to list its tools, where that is another time than `timeout_ms`.",
    ),
    key(
        "mcp.*.cwd",
        Kind::Text,
        "",
        "The folder the program is started in, from the session's on; a project's lies in the project.",
    ),
    key(
        "mcp.*.disabled_tools",
        Kind::Texts,
        "[]",
        "Tools of it that models do not get, by its own names for them; `/mcp` switches one for a session.",
    ),
    key(
        "mcp.*.url",
        Kind::Address,
        "",
        "In place of `command`: the address of a server that is reached by HTTP; in a file of your own, `${NAME}` is a variable of yours.",
    ),
    key("mcp.*.headers", Kind::Names, "{}", "Headers sent to that address with every request."),
    key(
        "mcp.*.headers.*",
        Kind::Text,
        "",
        "The value of one header; in a file of your own, `${NAME}` is a variable of yours.",
    ),
    key(
        "mcp.*.token_env",
        Kind::Texts,
        "[]",
        "Variables that may hold a token for that address, sent as `Authorization: Bearer`; the first that is set counts.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.auth",
        Kind::Choice(&["none", "token", "oauth", "client_credentials", "cross_app"]),
        "",
        "How that address gets to know who asks: by a token of yours, by a sign-in (`benchdog mcp login NAME`), without a person by what a client of yours proves or by an identity that is exchanged, or not at all; without it `token` where `token_env` is set, else `oauth`.",
    ),
    key(
        "mcp.*.client_id",
        Kind::Text,
        "",
        "As whom you sign in, where the place to sign in takes nobody it does not know.",
    ),
    key(
        "mcp.*.client_secret_env",
        Kind::Texts,
        "[]",
        "Variables that may hold the secret that goes with `client_id`, where that has one; the first that is set counts.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.client_metadata_url",
        Kind::Address,
        "",
        "The address of a document that describes you as a client; you sign in as it where the place to sign in takes that, and else are written down there.",
    ),
    key(
        "mcp.*.client_key_env",
        Kind::Texts,
        "[]",
        "Variables that may hold the private key (PEM) with which `client_id` proves itself in place of a secret; the first that is set counts.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.client_key_file",
        Kind::Text,
        "",
        "A file with that key, which only you may read; its path begins with `/`, or with `~/` for your home folder.",
    )
    .of_the_person("it names a file of yours"),
    key(
        "mcp.*.identity_url",
        Kind::Address,
        "",
        "With `cross_app`: the address where your identity provider exchanges tokens.",
    )
    .of_the_person("your identity is sent there"),
    key(
        "mcp.*.identity_client_id",
        Kind::Text,
        "",
        "As whom Benchdog asks there.",
    )
    .of_the_person("your identity is sent by it"),
    key(
        "mcp.*.identity_client_secret_env",
        Kind::Texts,
        "[]",
        "Variables that may hold the secret that goes with `identity_client_id`, where that has one; the first that is set counts.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.identity_token_env",
        Kind::Texts,
        "[]",
        "Variables that may hold the ID token that says who you are; the first that is set counts.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.identity_token_file",
        Kind::Text,
        "",
        "A file with that token, which only you may read; it is read anew for each exchange, and its path begins with `/`, or with `~/` for your home folder.",
    )
    .of_the_person("it names a file of yours"),
    key(
        "mcp.*.scopes",
        Kind::Texts,
        "[]",
        "What a sign-in asks for; without it, what the server names.",
    ),
    key(
        "mcp.*.callback_port",
        Kind::Whole { min: 0, max: 65_535 },
        "0",
        "The port of this machine that a sign-in comes back to, where `client_id` is tied to one; 0: any.",
    ),
    key("hooks", Kind::Table, "", "Programs that are asked at points of a turn ([hooks](hooks.md)). Those of every layer count."),
    key("hooks.session_start", Kind::Hooks, "[]", "Asked with the first prompt of a session; may add a note to it."),
    key("hooks.user_prompt", Kind::Hooks, "[]", "Asked before a prompt is sent; may keep it back or add a note."),
    key("hooks.before_tool", Kind::Hooks, "[]", "Asked before a call of the model is run; may deny it, change its arguments or add a note."),
    key("hooks.approval", Kind::Hooks, "[]", "Told that you are asked about a call."),
    key("hooks.after_tool", Kind::Hooks, "[]", "Asked when a call has ended; may add a note to its result."),
    key("hooks.before_compact", Kind::Hooks, "[]", "Told that room is made in the window."),
    key("hooks.turn_end", Kind::Hooks, "[]", "Asked when a turn would end; may send the model on, three times at the most."),
    key("hooks.session_end", Kind::Hooks, "[]", "Told that a session is closed."),
    key("files", Kind::Table, "", "The files of the workspace."),
    key(
        "files.encoding",
        Kind::Choice(charset::NAMES),
        "\"auto\"",
        "The encoding of texts that are not UTF-8; `auto`: it is found out from each.",
    ),
    key("compaction", Kind::Table, "", "What happens when the window fills."),
    key(
        "compaction.auto",
        Kind::Switch,
        "true",
        "Make room by itself when the window is nearly full, by a summary where outputs are not enough.",
    ),
    key(
        "compaction.prune",
        Kind::Switch,
        "true",
        "Shorten old outputs before anything is summarised.",
    ),
    key(
        "compaction.threshold",
        Kind::Number { min: 0.2, max: 1.0 },
        "0.8",
        "The part of the room for requests at which it begins.",
    ),
    key(
        "compaction.warn",
        Kind::Shares,
        "[0.5, 0.8]",
        "The parts of that room at which it is said, once each.",
    ),
    key("validation", Kind::Table, "", "The check that runs after changes."),
    key("validation.auto", Kind::Switch, "true", "Run it without being told to."),
    key(
        "validation.command",
        Kind::TextOrNull,
        "null",
        "The command; without one it is found by the project's files.",
    ),
    key(
        "validation.network",
        Kind::Choice(&["inherit", "none"]),
        "\"inherit\"",
        "Whether the check may reach the network, where a person or a rule lets it.",
    )
    .tightened(&["none"]),
    key("network", Kind::Table, "", "How model servers are reached.").of_the_person(REACHES),
    key(
        "network.offline",
        Kind::Switch,
        "false",
        "Reach only this machine, private addresses and `network.allowed_hosts`.",
    )
    .of_the_person(REACHES),
    key(
        "network.allowed_hosts",
        Kind::Texts,
        "[]",
        "Hosts that are reached all the same; `*.example.org` means all under it.",
    )
    .of_the_person(REACHES),
    key(
        "network.proxy",
        Kind::TextOrNull,
        "null",
        "The address of a proxy, or `none`; without it `HTTPS_PROXY` and the like count. This machine is never asked for through one.",
    )
    .of_the_person(REACHES),
    key(
        "network.ca_file",
        Kind::TextOrNull,
        "null",
        "A PEM file with a certificate authority to trust beside the system's, or with the server's own certificate, for endpoints without a `ca_file`.",
    )
    .of_the_person(REACHES),
    key("sandbox", Kind::Table, "", "Confinement of commands by the system."),
    key(
        "sandbox.level",
        Kind::Choice(&["auto", "off", "workspace", "read-only"]),
        "\"auto\"",
        "How far commands that a person allowed are confined by the kernel. Others run in the sandbox at every level but `off`.",
    )
    .tightened(&["workspace", "read-only"]),
    key(
        "sandbox.writable",
        Kind::Texts,
        "[]",
        "Further files and folders that confined commands may write, and read where they are secret.",
    )
    .of_the_person(CONFINES),
    key(
        "sandbox.network",
        Kind::Choice(&["inherit", "none"]),
        "\"inherit\"",
        "Whether commands may reach the network: those that a person allowed, and those whose rule grants it.",
    )
    .tightened(&["none"]),
    key(
        "sandbox.pass_env",
        Kind::Texts,
        "[]",
        "Further variables that commands get, also those that look secret; never the keys of endpoints.",
    )
    .of_the_person(CONFINES),
    key("ui", Kind::Table, "", "The workbench."),
    key(
        "ui.theme",
        Kind::Text,
        "\"auto\"",
        "A theme by its name: one that `/theme` lists, or your own; `auto` follows the terminal.",
    ),
    key(
        "ui.language",
        Kind::Choice(&["auto", "en", "zh", "ja", "ko"]),
        "\"auto\"",
        "The language you are spoken to in: English, Chinese, Japanese or Korean; `auto` follows `LC_ALL`, `LC_MESSAGES` or `LANG`.",
    )
    .of_the_person(READER),
    key(
        "ui.ambiguous_width",
        Kind::Choice(&["narrow", "wide"]),
        "\"narrow\"",
        "How many columns your terminal gives letters whose width is not settled (`…`, `→`, `“`, `①`, lines, Greek and Cyrillic): one, or, as some with a Chinese, Japanese or Korean font do, two. Where text beside them is shifted or cut, it is the other.",
    )
    .of_the_person(READER),
    key(
        "ui.keys",
        Kind::Names,
        "{}",
        "Keys by action, such as `palette.open`. Those that answer a request are not a project's to set: `approval.*`, `confirm.*`, `reason.*`, `question.*`, `folder.*`.",
    ),
    key(
        "ui.keys.*",
        Kind::TextOrTexts,
        "",
        "A key such as `ctrl-p`, or a list of them.",
    ),
    key("ui.mouse", Kind::Switch, "true", "Whether the mouse is used: clicks, the wheel, and dragging over text of one pane, which copies it as it was written. Off, the terminal selects."),
    key(
        "ui.notify",
        Kind::Choice(&["auto", "bell", "osc9", "osc777", "off"]),
        "\"auto\"",
        "How you are called when something waits or a turn has ended unseen: by the bell, and in words where the terminal shows them; `auto` knows the terminals that do.",
    ),
    key(
        "ui.vim",
        Kind::Switch,
        "false",
        "Whether the prompt is edited as in vi: Esc, then letters are commands.",
    ),
    key(
        "ui.confirm_exit",
        Kind::Switch,
        "true",
        "Ask before leaving where a turn or a command in the background would be stopped by it.",
    ),
    key(
        "ui.alt_decides",
        Kind::Switch,
        "true",
        "Whether Alt+Y and Alt+N decide a request without the focus.",
    ),
    key("limits", Kind::Table, "", "Where a turn stops. A flag of `run` wins over its key.").of_the_person(SPENDS),
    key(
        "limits.steps",
        Kind::Whole { min: 1, max: 100_000 },
        "",
        "Requests to the model in one turn; the workbench then asks whether to go on (100 without this key), `run` ends (50).",
    )
    .of_the_person(SPENDS),
    key(
        "limits.tokens",
        TOKENS,
        "",
        "Tokens a session may use before its turn ends with `limit`.",
    )
    .of_the_person(SPENDS),
    key(
        "limits.cost",
        PRICE,
        "",
        "USD a session may cost before its turn ends with `limit`, from the configured prices; without a price for the model it is an error.",
    )
    .of_the_person(SPENDS),
    key(
        "limits.checks",
        Kind::Whole { min: 1, max: 20 },
        "3",
        "How often the check after changes runs in one turn before the turn ends as failed.",
    )
    .of_the_person(SPENDS),
    key("todo", Kind::Table, "", "The todo list."),
    key(
        "todo.auto",
        Kind::Switch,
        "true",
        "Open a list with the task as its item before the first change of a turn in which the model keeps no list.",
    ),
    key("logs", Kind::Table, "", "Log files, in the folder `logs`.").of_the_person(REACHES),
    key(
        "logs.level",
        Kind::LogFilter,
        "\"info\"",
        "What is written; `BENCHDOG_LOG` wins over it, and `--log-level` over both.",
    )
    .of_the_person(REACHES),
    key(
        "logs.max_bytes",
        Kind::Whole {
            min: 4_096,
            max: 1_000_000_000_000,
        },
        "10485760",
        "The bytes after which a log file is put aside and another begun.",
    )
    .of_the_person(REACHES),
    key(
        "logs.files",
        Kind::Whole { min: 1, max: 1_000 },
        "5",
        "How many log files are kept, the current one included.",
    )
    .of_the_person(REACHES),
    key("cache", Kind::Open, "{}", "The cache.")
        .of_the_person(REACHES)
        .waits(),
];
