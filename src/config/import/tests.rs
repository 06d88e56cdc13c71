//! Tests with real configuration files of other programs.

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

pub(super) fn home(files: &[(&str, &str)]) -> TempDir {
    let home = TempDir::new().unwrap();
    for (name, text) in files {
        let path: PathBuf = home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    home
}

pub(super) fn proposed(plan: &Plan) -> Vec<(String, String)> {
    let line = |key: &Key| (key.path.join("."), key.value.to_string());
    plan.keys.iter().map(line).collect()
}

pub(super) fn left<'p>(plan: &'p Plan, theirs: &str) -> Option<&'p Why> {
    plan.left
        .iter()
        .find(|left| left.theirs == theirs)
        .map(|left| &left.why)
}

const CODEX: &str = r#"
model = "gpt-5"            # not ours to choose
approval_policy = "never"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
env = { API_KEY = "hidden-in-plain-sight", MODE = "fast" }
startup_timeout_sec = 20
tool_timeout_sec = 0.01
disabled_tools = ["search"]
cwd = "/srv/docs"

[mcp_servers.remote]
url = "https://example.org/mcp"
bearer_token_env_var = "REMOTE_TOKEN"

[model_providers.near]
base_url = "http://127.0.0.1:8000/v1"
env_key = "NEAR_KEY"

[model_providers.new]
base_url = "https://example.org/v1"
wire_api = "responses"
"#;

#[test]
fn codex_brings_servers_endpoints_and_prompts_and_no_secret() {
    let home = home(&[
        (".codex/config.toml", CODEX),
        (".codex/prompts/fix.md", "Fix $1."),
        (".codex/prompts/note.txt", "no command"),
    ]);
    let plan = plan("codex", home.path()).unwrap();
    assert_eq!(
        proposed(&plan),
        [
            (
                "mcp.docs".to_owned(),
                r#"{"command":["npx","-y","docs-mcp"],"cwd":"/srv/docs","disabled_tools":["search"],"environment":{"API_KEY":"${API_KEY}","MODE":"${MODE}"},"start_timeout_ms":20000}"#
                    .to_owned()
            ),
            (
                "mcp.remote".to_owned(),
                r#"{"url":"https://example.org/mcp","token_env":["REMOTE_TOKEN"]}"#.to_owned()
            ),
            (
                "provider.near".to_owned(),
                r#"{"base_url":"http://127.0.0.1:8000/v1","api_key_env":["NEAR_KEY"]}"#.to_owned()
            ),
            (
                "provider.new".to_owned(),
                r#"{"base_url":"https://example.org/v1","api":"openai-responses"}"#.to_owned()
            ),
        ]
    );
    assert_eq!(plan.commands.len(), 1);
    assert_eq!(
        (plan.commands[0].name.as_str(), plan.commands[0].text.as_str()),
        ("fix.md", "Fix $1.")
    );
    assert_eq!(left(&plan, ".codex/config.toml: approval_policy"), Some(&Why::Nothing));
    assert_eq!(left(&plan, "mcp_servers.docs.tool_timeout_sec"), Some(&Why::Form));
    assert_eq!(
        left(&plan, "mcp_servers.docs.env.API_KEY"),
        Some(&Why::Variable("API_KEY".to_owned()))
    );
    assert!(!format!("{plan:?}").contains("hidden-in-plain-sight"));
}

#[test]
fn vibe_writes_a_server_as_one_line_and_the_others_write_a_program() {
    let toml = |commands: &[(&str, &str)]| {
        let one = |(name, command): &(&str, &str)| {
            format!("[[mcp_servers]]\nname = \"{name}\"\ncommand = '''{command}'''\nargs = [\"--last\"]\n")
        };
        commands.iter().map(one).collect::<String>()
    };
    let commands = [
        ("line", "npx -y \"a b\" c"),
        ("open", "run \"half"),
        ("secret", "run --token abc 'x"),
    ];
    let home = home(&[
        (".vibe/config.toml", &toml(&commands)),
        (
            ".gemini/settings.json",
            r#"{"mcpServers": {"spaced": {"command": "/opt/my tools/run"}}}"#,
        ),
    ]);
    let vibe = plan("vibe", home.path()).unwrap();
    let line = (
        "mcp.line".to_owned(),
        r#"{"command":["npx","-y","a b","c","--last"]}"#.to_owned(),
    );
    assert_eq!(proposed(&vibe), [line]);
    let open = Why::Quotes("run \"half".to_owned());
    assert_eq!(left(&vibe, "mcp_servers.open.command"), Some(&open));
    assert_eq!(left(&vibe, "mcp_servers.secret.command"), Some(&Why::Secret));
    let gemini = plan("gemini", home.path()).unwrap();
    assert_eq!(proposed(&gemini)[0].1, r#"{"command":["/opt/my tools/run"]}"#);
}

#[test]
fn what_would_allow_something_is_kept_apart_from_what_denies() {
    let settings = r#"{"permissions": {
        "allow": ["Bash(npm run test:*)", "mcp__files__move"], "deny": ["Bash(curl:*)", "Read(./.env)", "WebFetch(domain:evil.example)"], "ask": ["Edit"],
        "defaultMode": "acceptEdits"
    }, "theme": "dark"}"#;
    let home = home(&[(".claude/settings.json", settings)]);
    let plan = plan("claude", home.path()).unwrap();
    let of = |keys: &[Key]| {
        keys.iter()
            .map(|key| (key.path.join("."), key.value.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of(&plan.allows),
        [
            ("permission.Bash.npm run test *".to_owned(), json!("allow")),
            ("permission.files__move.*".to_owned(), json!("allow")),
        ]
    );
    assert_eq!(
        of(&plan.keys),
        [
            ("permission.Bash.curl *".to_owned(), json!("deny")),
            ("permission.WebFetch.evil.example".to_owned(), json!("deny")),
            ("permission.Edit.*".to_owned(), json!("ask")),
        ]
    );
    assert_eq!(left(&plan, "permissions.deny: Read(./.env)"), Some(&Why::Nothing));
    assert_eq!(left(&plan, "permissions.defaultMode"), Some(&Why::Nothing));
}

#[test]
fn opencode_crush_gemini_and_vibe_are_read_in_their_own_forms() {
    let home = home(&[
        (
            ".config/opencode/opencode.jsonc",
            r#"{ // mine
              "mcp": {"a": {"type": "local", "command": ["a", "--x"], "environment": {"T": "{env:MY_T}"}, "enabled": false}},
              "provider": {"p": {"options": {"baseURL": "http://127.0.0.1:1/v1", "apiKey": "sk-123"}}},
              "permission": {"bash": {"git push *": "ask", "*": "allow"}, "edit": "deny"},
              "command": {"t": {"template": "Test $ARGUMENTS", "description": "Tests: all"}, "../x": {"template": "y"}},
            }"#,
        ),
        (
            ".config/crush/crush.json",
            r#"{"mcp": {"b": {"type": "http", "url": "https://b.example/mcp", "headers": {"Authorization": "Bearer abc", "X": "$B_X"}}},
              "permissions": {"allowed_tools": ["view"]}}"#,
        ),
        (
            ".gemini/settings.json",
            r#"{"mcpServers": {"c": {"command": "c", "args": ["--api-key", "abc"]}, "d": {"httpUrl": "https://d/mcp?key=1"}}}"#,
        ),
        (
            ".vibe/config.toml",
            "[[mcp_servers]]\nname = \"e\"\ntransport = \"stdio\"\ncommand = \"e\"\n[[providers]]\nname = \"q\"\napi_base = \"http://127.0.0.1:2/v1\"\napi_key_env_var = \"Q\"\n[tools.bash]\npermission = \"always\"\ndenylist = [\"vi\"]\n",
        ),
    ]);
    let plan = |name| plan(name, home.path()).unwrap();
    let opencode = plan("opencode");
    assert_eq!(
        proposed(&opencode),
        [
            (
                "mcp.a",
                r#"{"command":["a","--x"],"environment":{"T":"${MY_T}"},"enabled":false}"#
            ),
            ("provider.p", r#"{"base_url":"http://127.0.0.1:1/v1"}"#),
            ("permission.bash.git push *", r#""ask""#),
            ("permission.edit.*", r#""deny""#),
        ]
        .map(|(path, value)| (path.to_owned(), value.to_owned()))
    );
    assert_eq!(opencode.allows.len(), 1);
    assert_eq!(left(&opencode, "provider.p.api_key"), Some(&Why::Secret));
    assert_eq!(
        opencode.commands[0].text,
        "---\ndescription: \"Tests: all\"\n---\nTest $ARGUMENTS\n"
    );
    assert_eq!(left(&opencode, "command.../x"), Some(&Why::Form));

    let crush = plan("crush");
    assert_eq!(
        proposed(&crush)[0].1,
        r#"{"url":"https://b.example/mcp","headers":{"X":"${B_X}"}}"#
    );
    assert_eq!(left(&crush, "mcp.b.headers.Authorization"), Some(&Why::Secret));
    assert_eq!(crush.allows[0].path, ["permission", "view", "*"]);

    let gemini = plan("gemini");
    assert!(proposed(&gemini).is_empty());
    assert_eq!(left(&gemini, "mcpServers.c"), Some(&Why::Secret));
    assert_eq!(left(&gemini, "mcpServers.d"), Some(&Why::Secret));

    let vibe = plan("vibe");
    assert_eq!(
        proposed(&vibe)
            .iter()
            .map(|(path, _)| path.as_str())
            .collect::<Vec<_>>(),
        ["mcp.e", "provider.q", "permission.bash.vi *"]
    );
    assert_eq!(vibe.allows[0].path, ["permission", "bash", "*"]);
}

#[test]
fn every_key_of_claude_becomes_something_or_is_told_with_why() {
    let settings = r#"{"$schema": "x", "hooks": {"Stop": []}, "env": {"A": "b"}, "model": "opus", "sandbox": {"enabled": true},
        "statusLine": {"type": "command"}, "permissions": {"ask": ["Edit"], "additionalDirectories": ["/x"]}}"#;
    let notes = r#"{"numStartups": 5, "userID": "u-1", "theme": "dark", "mcpServers": {"a": {"command": "a"}},
        "projects": {"/work": {"mcpServers": {"b": {"command": "b"}}}, "/play": {"history": ["secret words"]}}}"#;
    let home = home(&[(".claude/settings.json", settings), (".claude.json", notes)]);
    let plan = plan("claude", home.path()).unwrap();
    let told: Vec<(&str, &Why)> = plan.left.iter().map(|left| (left.theirs.as_str(), &left.why)).collect();
    let otherwise = |key: &str| Why::Otherwise(key.to_owned());
    assert_eq!(
        told,
        [
            (".claude.json: theme", &otherwise("ui.theme")),
            (".claude.json: projects./work.mcpServers", &Why::OfFolder),
            (".claude.json: numStartups, userID", &Why::Nothing),
            ("permissions.additionalDirectories", &Why::Nothing),
            (".claude/settings.json: hooks", &otherwise("hooks")),
            (".claude/settings.json: env", &Why::Nothing),
            (".claude/settings.json: model", &otherwise("model")),
            (".claude/settings.json: sandbox", &otherwise("sandbox")),
            (".claude/settings.json: statusLine", &Why::Nothing),
        ]
    );
    assert!(!format!("{plan:?}").contains("secret words"), "{plan:?}");
}

#[test]
fn what_cannot_be_read_is_told_at_its_line_and_links_are_not_followed_out() {
    let broken = home(&[(".codex/config.toml", "a = 1\n[mcp_servers\n")]);
    let told = plan("codex", broken.path()).unwrap_err().remove(0).to_string();
    assert!(told.contains("config.toml:2:"), "{told}");

    let large = home(&[(".gemini/settings.json", "")]);
    let file = std::fs::File::create(large.path().join(".gemini/settings.json")).unwrap();
    file.set_len(100 << 20).unwrap();
    assert!(plan("gemini", large.path()).is_err());

    let deep = home(&[(
        ".gemini/settings.json",
        &format!("{{\"mcpServers\": {}", "[".repeat(100_000)),
    )]);
    assert!(plan("gemini", deep.path()).is_err());
    let deep = home(&[(".codex/config.toml", &format!("a = {}", "[".repeat(100_000)))]);
    assert!(plan("codex", deep.path()).is_err());

    let linked = home(&[(".claude/commands/ok.md", "Ok."), ("secret", "key")]);
    let link = linked.path().join(".claude/commands/steal.md");
    std::os::unix::fs::symlink(linked.path().join("secret"), &link).unwrap();
    let plan = plan("claude", linked.path()).unwrap();
    assert_eq!(plan.commands.len(), 1);
    assert_eq!(left(&plan, &link.display().to_string()), Some(&Why::Link));
}

#[test]
fn a_command_loses_the_fields_that_mean_something_over_there_alone() {
    let file =
        "---\nallowed-tools:\n  - Bash(git:*)\ndescription: Tidy\nmodel: opus\nargument-hint: [file]\n---\nTidy $1\n";
    let home = home(&[
        (".claude/commands/tidy.md", file),
        (".claude/commands/bare.md", "Do it\n"),
    ]);
    let plan = plan("claude", home.path()).unwrap();
    let texts: Vec<&str> = plan.commands.iter().map(|command| &*command.text).collect();
    assert_eq!(
        texts,
        [
            "Do it\n",
            "---\ndescription: Tidy\nargument-hint: [file]\n---\nTidy $1\n"
        ]
    );
    let left = format!("{:?}", plan.left);
    assert!(
        left.contains("tidy.md: allowed-tools") && left.contains("tidy.md: model"),
        "{left}"
    );
}

#[test]
fn no_secret_is_taken_from_arguments_and_no_transport_that_is_not_spoken() {
    let servers = r#"{"mcpServers": {
        "a": {"command": "npx", "args": ["mcp-remote", "https://x.example", "--header", "Authorization: Bearer abc"]},
        "b": {"command": "b", "args": ["--auth-header", "X ghp_abcdef"]},
        "c": {"command": "c", "args": ["${HOME}/c"]},
        "d": {"type": "sse", "url": "https://d.example/sse"},
        "e": {"command": "e", "args": ["--at", "https://e.example/task-list"]}
    }}"#;
    let home = home(&[(".claude.json", servers)]);
    let plan = plan("claude", home.path()).unwrap();
    let names: Vec<&str> = plan
        .keys
        .iter()
        .filter_map(|key| key.path.get(1))
        .map(String::as_str)
        .collect();
    assert_eq!(names, ["e"]);
}

#[test]
fn a_value_of_a_variable_is_not_copied_whatever_its_name_says() {
    let servers = r#"{"mcpServers": {"a": {"command": "a", "env": {
        "JIRA_PAT": "seen-1", "LINEAR": "lin_api_seen-2", "DB_PW": "seen-3", "PGPASS": "seen-4", "CREDS": "seen-5:seen-6",
        "MIXED": "seen-7${HOME}", "DEBUG": "true", "PORT": "8080", "NOTES": "/home/me/notes", "OTHER": "${OTHER_NAME}"
    }, "headers": {"X-Half": "seen-8 ${X}"}}}}"#;
    let home = home(&[(".claude.json", servers)]);
    let plan = plan("claude", home.path()).unwrap();
    assert_eq!(
        plan.keys[0].value["environment"],
        json!({
            "JIRA_PAT": "${JIRA_PAT}", "LINEAR": "${LINEAR}", "DB_PW": "${DB_PW}", "PGPASS": "${PGPASS}", "CREDS": "${CREDS}",
            "MIXED": "${MIXED}", "DEBUG": "true", "PORT": "8080", "NOTES": "/home/me/notes", "OTHER": "${OTHER_NAME}"
        })
    );
    let why = Why::Variable("DB_PW".to_owned());
    assert_eq!(left(&plan, "mcpServers.a.env.DB_PW"), Some(&why));
    assert_eq!(left(&plan, "mcpServers.a.headers.X-Half"), Some(&Why::Secret));
    assert!(!format!("{plan:?}").contains("seen-"), "{plan:?}");
}
