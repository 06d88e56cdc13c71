//! Top-level names of other programs with our alternative. They are still errors.

pub(crate) const ELSEWHERE: &[(&str, &str)] = &[
    ("active_model", "write `model`"),
    ("api_base", "write `provider.NAME.base_url`"),
    (
        "api_key",
        "run `benchdog auth set NAME`, or name a variable in `provider.NAME.api_key_env`",
    ),
    (
        "api_timeout",
        "write `provider.NAME.idle_timeout_s`: how long a stream may be silent",
    ),
    (
        "api_retry_max_elapsed_time",
        "remove it: what may succeed is tried four times more within about a minute, and the countdown is shown",
    ),
    (
        "auto_compact_threshold",
        "write `compaction.threshold`, as a part of the window",
    ),
    ("context_warnings", "write `compaction.warn`: `[]` is silent"),
    (
        "raise_on_compaction_failure",
        "remove it: a compaction that fails is always told, and nothing is cut instead",
    ),
    (
        "system_prompt_id",
        "write `system_prompt`, and put the text into the folder `prompts` beside this file",
    ),
    ("compaction_prompt_id", "write `agent.summary.prompt`"),
    (
        "include_project_context",
        "write `instructions`: files whose text the model is told",
    ),
    (
        "include_model_info",
        "remove it: what the model is told of itself and its tools is fixed, and `docs/context.md` says what it is",
    ),
    (
        "include_prompt_detail",
        "remove it: what the model is told of the machine is fixed, and `docs/context.md` says what it is",
    ),
    (
        "include_commit_signature",
        "remove it: `/commit` shows the message before anything happens, and nothing is added to it",
    ),
    (
        "bypass_tool_permissions",
        "write what may happen into `permission`, or give `run` its `--approve`",
    ),
    ("mcp_servers", "write `mcp`"),
    ("mcpServers", "write `mcp`"),
    ("enable_experimental_hooks", "write `hooks`: they need no switch"),
    ("enable_notifications", "write `ui.notify`"),
    (
        "autocopy_to_clipboard",
        "remove it: what the mouse marks is copied; with `ui.mouse` off the terminal selects",
    ),
    (
        "disable_welcome_banner_animation",
        "remove it: nothing at the start is animated",
    ),
    (
        "displayed_workdir",
        "remove it: the folder is shown as it is, and its end where there is no room",
    ),
    (
        "file_watcher_for_autocomplete",
        "remove it: files are watched where the system can, and completion knows them at once",
    ),
    ("voice_mode_enabled", "remove it: Benchdog neither listens nor speaks"),
    ("narrator_enabled", "remove it: Benchdog neither listens nor speaks"),
    ("enable_telemetry", "remove it: nothing is ever reported to anybody"),
    (
        "enable_otel",
        "remove it: nothing is ever reported to anybody; `logs` stay on this machine",
    ),
    (
        "otel_endpoint",
        "remove it: nothing is ever reported to anybody; `logs` stay on this machine",
    ),
    (
        "enable_update_checks",
        "remove it: Benchdog asks nobody for a newer version",
    ),
    (
        "enable_auto_update",
        "remove it: Benchdog asks nobody for a newer version",
    ),
    ("autoupdate", "remove it: Benchdog asks nobody for a newer version"),
    (
        "enable_system_trust_store",
        "remove it: the system's certificates always count; further ones are named in `network.ca_file`",
    ),
];

pub(crate) fn instead(name: &str) -> Option<&'static str> {
    let row = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name);
    row.map(|(_, instead)| *instead)
}

const OF_SERVERS: &[(&str, &str)] = &[
    (
        "alwaysAllow",
        "write rules into `permission`, such as `\"NAME__*\": \"allow\"`",
    ),
    ("args", "write the arguments into `command`, behind the program"),
    (
        "autoApprove",
        "write rules into `permission`, such as `\"NAME__*\": \"allow\"`",
    ),
    ("bearer_token_env_var", "write `token_env`, a list of variables"),
    ("disabled", "write `\"enabled\": false`"),
    ("disabledTools", "write `disabled_tools`"),
    ("enabled_tools", "name the other ones in `disabled_tools`"),
    ("env", "write `environment`"),
    ("excludeTools", "write `disabled_tools`"),
    ("headersHelper", "name a variable in `token_env`"),
    ("httpUrl", "write `url`"),
    ("http_headers", "write `headers`"),
    ("includeTools", "name the other ones in `disabled_tools`"),
    ("oauth", "write `client_id`, `scopes` and `callback_port` beside `url`"),
    ("startup_timeout_sec", "write `start_timeout_ms`, in milliseconds"),
    ("timeout", "write `timeout_ms`, in milliseconds"),
    ("tool_timeout_sec", "write `timeout_ms`, in milliseconds"),
    ("transport", "remove it: `command` or `url` says which it is"),
    (
        "trust",
        "write rules into `permission`, such as `\"NAME__*\": \"allow\"`",
    ),
    ("type", "remove it: `command` or `url` says which it is"),
];

pub(super) fn of_server(name: &str) -> Option<&'static str> {
    let row = OF_SERVERS.iter().find(|(theirs, _)| *theirs == name);
    row.map(|(_, instead)| *instead)
}
