//! Tests of the transfer of a session to another machine and back: exported without secrets, imported, found, and
//! continued.

use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::{call, text};
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
    server.script([text("It was the zone.")]);
    let first = id.get(..5).expect("five digits");
    let same = other.run(&["run", "--session-id", first, "what was it?"]);
    same.assert_code(0);
    server.script([text("It was the format.")]);
    let fork = other.run(&["run", "--fork", &id, "what was it?"]);
    fork.assert_code(0);
    assert!(fork.stdout.contains("It was the format."), "{fork}");
    let listed = other.run(&["sessions", "list"]).stdout;
    assert_eq!(listed.lines().count(), 2);
    assert!(
        listed.lines().nth(1).is_some_and(|fork| fork.contains("└ ")),
        "{listed}"
    );
    other.run(&["sessions", "rename", &id, "the date bug"]).assert_code(0);
    other.run(&["sessions", "rename", &id, " "]).assert_code(2);
    let listed = other.run(&["sessions", "list"]).stdout;
    assert!(listed.lines().any(|line| line.ends_with("  the date bug")), "{listed}");
    let described = other.run(&["sessions", "list", "--format", "json"]).stdout;
    assert!(described.contains("\"forked_from\":{"), "{described}");
    other.run(&["sessions", "import", "/dev/null"]).assert_code(2);
}

#[test]
fn a_session_deleted_in_the_list_says_how_to_restore_it() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Fixed.")]);
    home.run(&["run", "fix the date bug"]).assert_code(0);
    let listed = home.run(&["sessions", "list"]).stdout;
    let id = listed.split_whitespace().next().expect("an id").to_owned();
    let bench = home.bench(&[]);
    bench.wait_for_text("Last session: fix the date bug");
    bench.keys("ctrl-o");
    bench.wait_for_text("2 of 2");
    bench.keys("down ctrl-x w");
    bench.wait_for_text("Deleted. Press Enter to restore it");
    bench.keys("esc");
    bench.wait_for("the list to close", |screen| !screen.has("Deleted."));
    bench.leave();
    let empty = home.run(&["sessions", "list"]);
    assert!(!empty.stdout.contains(&id), "{empty}");
    assert!(empty.stderr.contains("Deleted sessions: 1."), "{empty}");
    let deleted = home.run(&["sessions", "list", "--deleted"]).stdout;
    assert!(deleted.starts_with(&id), "{deleted}");
    home.run(&["sessions", "restore", &id]).assert_code(0);
    assert_eq!(home.run(&["sessions", "list"]).stdout, listed);
}

#[test]
fn checkpoints_of_a_folder_that_is_gone_are_removed_and_doctor_names_the_size() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("bash", json!({"command": "touch made.txt"})), text("Done.")]);
    home.run(&["run", "--approve", "all", "make it"]).assert_code(0);
    let doctor = home.run(&["doctor", "--json"]);
    assert!(doctor.stdout.contains("folders: 1,"), "{doctor}");
    let kept = home.run(&["sessions", "gc", "--json"]);
    kept.assert_code(0);
    assert!(kept.stdout.contains("\"error\":null"), "{kept}");
    // Make the label refer to a folder that does not exist.
    let stores = home.benchdog_home().join("data").join("checkpoints");
    let store = std::fs::read_dir(&stores).unwrap().next().unwrap().unwrap().path();
    std::fs::write(store.join("root"), "/nowhere/at/all").unwrap();
    let gone = home.run(&["sessions", "gc"]);
    gone.assert_code(0);
    assert!(gone.stdout.contains("/nowhere/at/all: 1 MB before, 0 MB now"), "{gone}");
    assert!(!store.exists());
    assert!(home.run(&["sessions", "gc"]).stdout.contains("no checkpoints"));
}
