//! A session goes to another machine and comes back: exported without its secrets, imported, found, and continued.

use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn a_session_is_exported_without_secrets_of_the_environment_imported_found_and_continued() {
    let server = Server::start();
    let home = Home::with(&server).env("DEPLOY_TOKEN", "correct-horse-battery");
    server.script([text("The date bug is fixed: 日期错误已修复。")]);
    home.run(&["run", "fix the date bug with correct-horse-battery"])
        .assert_code(0);
    let listed = home.run(&["sessions", "list"]).stdout;
    let id = listed.split_whitespace().next().expect("an id").to_owned();

    let preview = home.run(&["sessions", "export", &id, "--preview"]);
    preview.assert_code(0);
    assert!(preview.stdout.is_empty(), "{preview}");
    assert!(preview.stderr.contains("configured-key: entry 1 (user)"), "{preview}");

    let file = home.path("session.jsonl").display().to_string();
    let export = ["sessions", "export", &id, "--output", &file];
    home.run(&export).assert_code(0);
    assert!(!home.read("session.jsonl").contains("correct-horse"));
    home.run(&export).assert_code(2);
    let missing = home.run(&["sessions", "export", &id, "--output", "no/such/folder.md"]);
    missing.assert_code(2);
    home.run(&["sessions", "export", "feedfeed"]).assert_code(2);

    let other = Home::with(&server);
    let imported = other.run(&["sessions", "import", &file]);
    imported.assert_code(0);
    let found = other.run(&["sessions", "search", "日期", "--json"]);
    found.assert_code(0);
    assert!(found.stdout.contains("\"snippet\":\"The date bug is fixed"), "{found}");
    other.run(&["sessions", "search", "nowhere"]).assert_code(1);
    server.script([text("It was the format.")]);
    let fork = other.run(&["run", "--fork", &id, "what was it?"]);
    fork.assert_code(0);
    assert!(fork.stdout.contains("It was the format."), "{fork}");
    assert_eq!(other.run(&["sessions", "list"]).stdout.lines().count(), 2);
    other.run(&["sessions", "import", "/dev/null"]).assert_code(2);
}
