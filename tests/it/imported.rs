//! Tests of `config import`, which shows another program's configuration and writes it on request. Secrets and
//! permissions need confirmation.

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::server::Server;

const CODEX: &str = "[mcp_servers.docs]\ncommand = \"docs\"\nenv = { API_KEY = \"very-secret-value\" }\n[mcp_servers.\"a b\"]\ncommand = \"x\"\n";
const CLAUDE: &str = r#"{"permissions": {"allow": ["Bash(make:*)", "Read", "WebFetch"], "deny": ["Bash(curl:*)"]}}"#;

fn put(home: &Home, name: &str, text: &str) {
    let path = home.user_home().join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn own(home: &Home) -> String {
    std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("the configuration")
}

#[test]
fn what_it_comes_to_is_shown_first_and_written_with_what_stands_there_as_it_was() {
    let server = Server::start();
    let home = Home::bare();
    let before = config(&server.base_url()).to_string();
    home.configure_text(&format!("// mine\n{before}\n"));
    put(&home, ".codex/config.toml", CODEX);
    put(&home, ".codex/prompts/fix.md", "Fix $1.");
    let shown = home.run(&["config", "import", "--from", "codex"]);
    shown.assert_code(0);
    assert!(
        shown
            .stdout
            .contains(r#"+ mcp.docs = {"command":["docs"],"environment":{"API_KEY":"${API_KEY}"}}"#),
        "{shown}"
    );
    assert!(
        shown.stdout.contains("- mcp_servers.a b: "),
        "our own checks refuse that name: {shown}"
    );
    assert!(shown.stdout.contains("Nothing was written"), "{shown}");
    assert_eq!(own(&home), format!("// mine\n{before}\n"));

    home.run(&["config", "import", "--from", "codex", "--write"])
        .assert_code(0);
    let written = own(&home);
    assert!(
        written.starts_with("// mine\n") && written.contains("\"docs\""),
        "{written}"
    );
    assert!(!written.contains("very-secret-value") && !shown.stdout.contains("very-secret-value"));
    let command = home.benchdog_home().join("commands/fix.md");
    assert_eq!(std::fs::read_to_string(&command).expect("a command"), "Fix $1.");
    assert!(home.run(&["mcp", "list"]).stdout.contains("docs: docs"));

    std::fs::write(&command, "Mine.").expect("a command");
    let again = home.run(&["config", "import", "--from", "codex", "--write"]);
    assert!(
        again
            .stdout
            .contains("- mcp_servers.docs: your configuration already sets this"),
        "{again}"
    );
    assert_eq!(
        (own(&home), std::fs::read_to_string(&command).expect("a command")),
        (written, "Mine.".to_owned())
    );
}

#[test]
fn nothing_is_allowed_that_nobody_confirmed_in_whole_words() {
    let server = Server::start();
    let home = Home::with(&server);
    put(&home, ".claude/settings.json", CLAUDE);
    let alone = home.run_with_input(&["config", "import", "--from", "claude", "--write"], "yes\nyes\nyes\n");
    alone.assert_code(0);
    assert!(
        alone
            .stdout
            .contains("- permissions.allow: Read: it would allow something"),
        "{alone}"
    );
    let rules = |home: &Home| -> Value {
        let whole: Value = serde_json::from_str(&home.run(&["config", "show"]).stdout).expect("JSON");
        whole["permission"].clone()
    };
    assert_eq!(rules(&home)["bash"], json!({"curl *": "deny"}));

    let pty = home.open(&["config", "import", "--from", "claude", "--write"]);
    pty.wait_for_text("Bash(make:*)");
    pty.send(b"yes\r");
    pty.wait_for_text("permissions.allow: Read");
    pty.send(b"y\r");
    pty.wait_for_text("permissions.allow: WebFetch");
    pty.send(b"no\r");
    pty.wait_for_text("Written.");
    assert_eq!(rules(&home)["bash"], json!({"curl *": "deny", "make *": "allow"}));
    assert!(rules(&home).get("read").is_none(), "`y` is no whole word");
}

#[test]
fn what_cannot_be_read_is_told_and_nothing_is_written() {
    let server = Server::start();
    let home = Home::with(&server);
    let before = own(&home);
    put(&home, ".codex/config.toml", "a = 1\n[oops\n");
    let broken = home.run(&["config", "import", "--from", "codex", "--write"]);
    broken.assert_code(2);
    assert!(broken.stderr.contains("config.toml:2:"), "{broken}");
    put(
        &home,
        ".gemini/settings.json",
        "{\"mcpServers\": {\"a\\u001b[2Jb\": {\"command\": \"x\"}}}",
    );
    let odd = home.run(&["config", "import", "--from", "gemini", "--write"]);
    assert!(!odd.stdout.contains('\u{1b}'), "{odd}");
    let none = home.run(&["config", "import", "--from", "vibe"]);
    assert!(none.stdout.contains("No configuration of `vibe` was found"), "{none}");
    home.run(&["config", "import", "--from", "nobody"]).assert_code(2);
    assert_eq!(own(&home), before);
}

#[test]
fn no_rule_counts_before_one_that_denies_and_one_command_of_a_name_is_taken() {
    let server = Server::start();
    let home = Home::bare();
    let mut own = config(&server.base_url());
    own["permission"] = json!({"bash": {"npm *": "deny"}, "files__*": "deny"});
    home.configure(&own);
    let theirs = r#"{"permissions": {
        "allow": ["Bash(npm run test:*)", "Bash(make:*)", "mcp__files__read"],
        "ask": ["Bash(npm run lint:*)", "Bash(git push origin:*)", "Bash(cargo test:*)"], "deny": ["Bash(git push:*)"]}}"#;
    put(&home, ".claude/settings.json", theirs);
    let shown = home.run(&["config", "import", "--from", "claude"]);
    for (rule, deny) in [
        ("allow: Bash(npm run test:*)", "`npm *` of `bash`"),
        ("ask: Bash(npm run lint:*)", "`npm *` of `bash`"),
        ("ask: Bash(git push origin:*)", "`git push *` of `bash`"),
        ("allow: mcp__files__read", "`*` of `files__*`"),
    ] {
        let line = format!("- permissions.{rule}: it would override the denying rule {deny}");
        assert!(shown.stdout.contains(&line), "{line}: {shown}");
    }
    assert!(shown.stdout.contains("+ permission.bash.cargo test * = "), "{shown}");
    assert!(
        shown.stdout.contains("Bash(make:*): it would allow something"),
        "{shown}"
    );

    let templates = r#"{"command": {"fix": {"template": "One."}}}"#;
    put(&home, ".config/opencode/opencode.json", templates);
    put(&home, ".config/opencode/command/fix.md", "Two.");
    let twice = home.run(&["config", "import", "--from", "opencode", "--write"]);
    twice.assert_code(0);
    assert!(
        twice.stdout.contains("another command with this name is imported"),
        "{twice}"
    );
    let kept = std::fs::read_to_string(home.benchdog_home().join("commands/fix.md")).expect("a command");
    assert_eq!(kept.trim(), "One.");
}
