//! Top-level keys of other programs, with Benchdog's alternative. Such a key is still an error.

pub(crate) const ELSEWHERE: &[(&str, &str)] = &[
    ("active_model", "write `model`"),
    ("api_base", "write `provider.NAME.base_url`"),
    (
        "api_key",
        "run `benchdog auth set NAME`, or name a variable in `provider.NAME.api_key_env`",
    ),
    (
        "api_timeout",
        "write `provider.NAME.idle_timeout_s`: the timeout of a silent stream",
    ),
    (
        "api_retry_max_elapsed_time",
        "remove it: Benchdog retries four times within about a minute and shows the countdown",
    ),
    (
        "auto_compact_threshold",
        "write `compaction.threshold`, as a fraction of the context window",
    ),
    (
        "context_warnings",
        "write `compaction.warn`: `[]` turns the warnings off",
    ),
    (
        "raise_on_compaction_failure",
        "remove it: a failed compaction is always reported",
    ),
    (
        "system_prompt_id",
        "write `system_prompt`, and put the text into the folder `prompts` next to this file",
    ),
    ("compaction_prompt_id", "write `agent.summary.prompt`"),
    (
        "include_project_context",
        "write `instructions`: files whose text is sent to the model",
    ),
    (
        "include_model_info",
        "remove it: the model always gets these facts (see `docs/context.md`)",
    ),
    (
        "include_prompt_detail",
        "remove it: the model always gets these facts about the machine (see `docs/context.md`)",
    ),
    (
        "agent_paths",
        "run `benchdog agent add FILE`, or put agents into the folder `agents` next to this file",
    ),
    (
        "project_context",
        "remove it: the first prompt always has the last five commits (see `docs/context.md`)",
    ),
    (
        "session_logging",
        "remove it: every session is stored; the variable `BENCHDOG_HOME` moves all folders",
    ),
    (
        "include_commit_signature",
        "write `commit.co_author`: the name and mail that `/commit` adds",
    ),
    (
        "bypass_tool_permissions",
        "write rules into `permission`, or use `--approve` with `run`",
    ),
    ("mcp_servers", "write `mcp`"),
    ("mcpServers", "write `mcp`"),
    ("enable_experimental_hooks", "write `hooks`: they need no switch"),
    ("enable_notifications", "write `ui.notify`"),
    (
        "autocopy_to_clipboard",
        "remove it: text selected with the mouse is copied; with `ui.mouse` off, the terminal selects text",
    ),
    (
        "disable_welcome_banner_animation",
        "remove it: there is no animation at the start",
    ),
    (
        "displayed_workdir",
        "remove it: the folder is always shown, shortened to its end if needed",
    ),
    (
        "file_watcher_for_autocomplete",
        "remove it: files are always watched if the system supports it",
    ),
    (
        "voice_mode_enabled",
        "write `voice.record` and `voice.transcribe`, and use `/voice`",
    ),
    ("narrator_enabled", "remove it: Benchdog reads nothing aloud"),
    (
        "enable_telemetry",
        "remove it: Benchdog sends telemetry only to the collector of `telemetry.endpoint`",
    ),
    ("enable_otel", "write `telemetry.endpoint`, the address of a collector"),
    ("otel_endpoint", "write `telemetry.endpoint`"),
    ("enable_update_checks", "remove it: Benchdog never checks for updates"),
    ("enable_auto_update", "remove it: Benchdog never checks for updates"),
    ("autoupdate", "remove it: Benchdog never checks for updates"),
    (
        "enable_system_trust_store",
        "remove it: the system's certificates are always trusted; add others with `network.ca_file`",
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
    ("args", "write the arguments into `command`, after the program"),
    (
        "autoApprove",
        "write rules into `permission`, such as `\"NAME__*\": \"allow\"`",
    ),
    (
        "bearer_token_env_var",
        "write `token_env`, a list of environment variables",
    ),
    ("disabled", "write `\"enabled\": false`"),
    ("disabledTools", "write `disabled_tools`"),
    ("enabled_tools", "list the other tools in `disabled_tools`"),
    ("env", "write `environment`"),
    ("excludeTools", "write `disabled_tools`"),
    ("headersHelper", "name a variable in `token_env`"),
    ("httpUrl", "write `url`"),
    ("http_headers", "write `headers`"),
    ("includeTools", "list the other tools in `disabled_tools`"),
    ("oauth", "write `client_id`, `scopes` and `callback_port` next to `url`"),
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
