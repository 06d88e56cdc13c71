//! The rows of the table of configuration keys for language servers and MCP servers.

use super::{CONFINES, key};
use crate::schema::{Key, Kind};

pub(super) const ROWS: &[Key] = &[
    key("lsp", Kind::Names, "{}", "Language servers, by name ([language servers](lsp.md)). `rust-analyzer`, `pyright`, `gopls` and `typescript-language-server` need no further settings."),
    key("lsp.*", Kind::Table, "", "One server: a program that speaks the Language Server Protocol. It runs in a sandbox."),
    key("lsp.*.enabled", Kind::Switch, "true", "Whether the server is used."),
    key(
        "lsp.*.command",
        Kind::Texts,
        "[]",
        "The program and its arguments. The program starts in the folder, without a shell, when the first file that matches `files` is read or edited.",
    ),
    key(
        "lsp.*.files",
        Kind::Texts,
        "[]",
        "Patterns of the files that the server checks, such as `*.rs`. A pattern with `/` matches the path in the folder.",
    ),
    key("lsp.*.environment", Kind::Names, "{}", "Additional environment variables for the program."),
    key("lsp.*.environment.*", Kind::Text, "", "The value of one variable."),
    key(
        "lsp.*.settings",
        Kind::Open,
        "{}",
        "Settings of the server itself, sent as initialization options and whenever the server asks for its configuration.",
    ),
    key("lsp.*.warnings", Kind::Switch, "false", "Whether warnings are reported like errors."),
    key(
        "lsp.*.writable",
        Kind::Texts,
        "[]",
        "Folders that the server may write, such as its cache or `target`. They must exist. `~/` is your home folder.",
    )
    .of_the_person(CONFINES),
    key("mcp", Kind::Names, "{}", "MCP servers, by name ([MCP](mcp.md))."),
    key("mcp.*", Kind::Table, "", "One server that speaks the Model Context Protocol: a program, or an HTTP server."),
    key("mcp.*.enabled", Kind::Switch, "true", "Whether the server is started."),
    key(
        "mcp.*.command",
        Kind::Texts,
        "[]",
        "The program and its arguments. The program starts in the folder, without a shell.",
    ),
    key(
        "mcp.*.environment",
        Kind::Names,
        "{}",
        "Additional environment variables for the program. Your variables that look secret are not passed to it.",
    ),
    key(
        "mcp.*.environment.*",
        Kind::Text,
        "",
        "The value of one variable. In your own files, `${NAME}` is replaced by your environment variable.",
    ),
    key(
        "mcp.*.timeout_ms",
        Kind::Whole {
            min: 100,
            max: 3_600_000,
        },
        "30000",
        "The timeout for the start, for the list of tools, and for each answer or progress report of a call.",
    ),
    key(
        "mcp.*.start_timeout_ms",
        Kind::Whole {
            min: 100,
            max: 3_600_000,
        },
        "",
        "The timeout for the start and for the list of tools, if it differs from `timeout_ms`.",
    ),
    key(
        "mcp.*.cwd",
        Kind::Text,
        "",
        "The folder in which the program starts, relative to the session's folder. If a project sets it, the folder must be inside the project.",
    ),
    key(
        "mcp.*.disabled_tools",
        Kind::Texts,
        "[]",
        "Tools of this server that models do not get, by the server's names. `/mcp` switches a tool on or off for one session.",
    ),
    key(
        "mcp.*.url",
        Kind::Address,
        "",
        "The address of an HTTP server, in place of `command`. In your own files, `${NAME}` is replaced by your environment variable.",
    ),
    key("mcp.*.headers", Kind::Names, "{}", "Headers sent to `url` with every request."),
    key(
        "mcp.*.headers.*",
        Kind::Text,
        "",
        "The value of one header. In your own files, `${NAME}` is replaced by your environment variable.",
    ),
    key(
        "mcp.*.token_env",
        Kind::Texts,
        "[]",
        "Environment variables that may hold a token, sent as `Authorization: Bearer`. The first that is set is used.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.auth",
        Kind::Choice(&["none", "token", "oauth", "client_credentials", "cross_app"]),
        "",
        "How Benchdog signs in: not at all (`none`), with your token (`token`), through `benchdog mcp login NAME` (`oauth`), or by itself, with a client (`client_credentials`) or with your exchanged identity (`cross_app`). Without it: `token` if `token_env` is set, else `oauth`.",
    ),
    key(
        "mcp.*.client_id",
        Kind::Text,
        "",
        "Your client ID, for sign-in servers that accept only registered clients.",
    ),
    key(
        "mcp.*.client_secret_env",
        Kind::Texts,
        "[]",
        "Environment variables that may hold the secret of `client_id`. The first that is set is used.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.client_metadata_url",
        Kind::Address,
        "",
        "The address of a document that describes you as a client. If the sign-in server does not support such documents, Benchdog registers instead.",
    ),
    key(
        "mcp.*.client_key_env",
        Kind::Texts,
        "[]",
        "Environment variables that may hold the private key (PEM) of `client_id`, in place of a secret. The first that is set is used.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.client_key_file",
        Kind::Text,
        "",
        "A file with that private key. Only you may have access to the file. Its path begins with `/` or `~/`.",
    )
    .of_the_person("it names one of your files"),
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
        "The client ID of Benchdog at your identity provider.",
    )
    .of_the_person("it sends your identity"),
    key(
        "mcp.*.identity_client_secret_env",
        Kind::Texts,
        "[]",
        "Environment variables that may hold the secret of `identity_client_id`. The first that is set is used.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.identity_token_env",
        Kind::Texts,
        "[]",
        "Environment variables that may hold your ID token. The first that is set is used.",
    )
    .of_the_person("it names variables of your environment"),
    key(
        "mcp.*.identity_token_file",
        Kind::Text,
        "",
        "A file with your ID token. Only you may have access to the file. Benchdog reads it for each exchange. Its path begins with `/` or `~/`.",
    )
    .of_the_person("it names one of your files"),
    key(
        "mcp.*.scopes",
        Kind::Texts,
        "[]",
        "The scopes that a sign-in requests. Without it, a sign-in requests the scopes that the server names.",
    ),
    key(
        "mcp.*.callback_port",
        Kind::Whole { min: 0, max: 65_535 },
        "0",
        "The local port that receives the answer of a sign-in. Needed if `client_id` is registered with a fixed port. 0: any port.",
    ),
    key("hooks", Kind::Table, "", "Programs that run at certain points of a turn ([hooks](hooks.md)). The hooks of all sources run."),
    key("hooks.worktree_setup", Kind::Hooks, "[]", "Runs with the first prompt in a worktree that Benchdog made. It prepares the folder, and may add a note to the prompt."),
    key("hooks.session_start", Kind::Hooks, "[]", "Runs with the first prompt of a session. It may add a note to the prompt."),
    key("hooks.user_prompt", Kind::Hooks, "[]", "Runs before a prompt is sent. It may block the prompt or add a note."),
    key("hooks.before_tool", Kind::Hooks, "[]", "Runs before a tool call of the model. It may deny the call, change its arguments or add a note."),
    key("hooks.approval", Kind::Hooks, "[]", "Runs when Benchdog asks you about a call."),
    key("hooks.after_tool", Kind::Hooks, "[]", "Runs when a call has ended. It may add a note to the result."),
    key("hooks.before_compact", Kind::Hooks, "[]", "Runs before a compaction."),
    key("hooks.turn_end", Kind::Hooks, "[]", "Runs before a turn ends. It may make the model continue, at most three times."),
    key("hooks.session_end", Kind::Hooks, "[]", "Runs when a session is closed."),
    key("hooks.status_line", Kind::Hooks, "[]", "Runs when the state of the session changed. The first line that it prints is shown above the status line."),
];
