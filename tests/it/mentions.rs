//! Tests that files mentioned with `@` are sent with the prompt, or the prompt stays in the input.

mod files;

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::{Home, config};
use crate::support::reply::{self, Gate, call, stream, text};
use crate::support::server::Server;

fn sent(home: &Home, server: &Server, prompt: &str) -> String {
    let number = server.requests().len() + 1;
    server.script([text("Fine.")]);
    home.run(&["run", prompt]).assert_code(0);
    server.request(number).last("user").to_owned()
}

/// Sends an invalid prompt. Returns the error.
#[track_caller]
fn refused(home: &Home, server: &Server, prompt: &str) -> String {
    let before = server.requests().len();
    let run = home.run(&["run", prompt]);
    assert_eq!(server.requests().len(), before, "nothing is sent: {run}");
    assert_ne!(run.code, Some(0), "{run}");
    run.stderr
}

#[test]
fn a_file_goes_along_with_its_lines_and_its_hash_and_needs_no_reading_before_an_edit() {
    let server = Server::start();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"edit": "allow"});
    let home = Home::bare();
    home.configure(&settings);
    home.file("src/total.rs", "one\ntwo\nthree\n");
    server.script([
        call(
            "edit",
            json!({"path": "src/total.rs", "edits": [{"old": "two", "new": "2"}]}),
        ),
        text("Done."),
    ]);
    let run = home.run(&["run", "mend @src/total.rs, please", "--output", "stream-json"]);
    run.assert_code(0);
    assert_eq!(home.read("src/total.rs"), "one\n2\nthree\n", "{run}");
    let request = server.request(1);
    let user = request.last("user");
    // The file is `one\ntwo\nthree\n`.
    let mark = "[benchdog] The user named `src/total.rs`, lines 1 to 3 of 3, sha256 ";
    assert!(user.starts_with("mend @src/total.rs, please\n\n"), "{user}");
    assert!(
        user.contains(mark) && user.contains("\n1\tone\n2\ttwo\n3\tthree\n[benchdog] end of"),
        "{user}"
    );
    let started = run.events("turn_started").remove(0);
    assert_eq!(started["mentions"][0]["path"], "src/total.rs");
    assert_eq!(
        started["mentions"][0]["lines"],
        json!({"first": 1, "last": 3, "total": 3})
    );
    assert!(
        started["mentions"][0].get("text").is_none(),
        "a script is not sent the text: {started}"
    );
    server.assert_append_only();
}

#[test]
fn a_range_and_a_folder_and_names_with_spaces_and_east_asian_letters_are_read() {
    let server = Server::start();
    let home = Home::with(&server);
    let lines: String = (1..=40).map(|line| format!("line {line}\n")).collect();
    home.file("long.txt", &lines);
    home.file("my notes/a b.txt", "spaced\n");
    home.file("说明 文件.md", "中文\n");
    home.file("数据/一.txt", "一\n");
    let user = sent(&home, &server, "see @long.txt:10-12 and @\"my notes/a b.txt\"");
    assert!(user.contains("`long.txt`, lines 10 to 12 of 40"), "{user}");
    assert!(user.contains("10\tline 10\n11\tline 11\n12\tline 12\n"), "{user}");
    assert!(!user.contains("\tline 9\n") && !user.contains("\tline 13\n"), "{user}");
    assert!(user.contains("1\tspaced"), "{user}");
    let user = sent(&home, &server, "看看@\"说明 文件.md\"，还有@数据/一.txt的内容。");
    assert!(user.contains("1\t中文") && user.contains("1\t一"), "{user}");
    let user = sent(&home, &server, "what is in @\"my notes/\" and @数据/ ?");
    assert!(
        user.contains("what the folder `my notes` holds") && user.contains("a b.txt"),
        "{user}"
    );
    assert!(user.contains("一.txt"), "{user}");
}

#[test]
fn an_at_that_names_nothing_is_text() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("media/a.txt", "never told\n");
    let prompt = "mail me@example.com, ask @user, use @app.route and @types/node, then @media (x) and @Override";
    assert_eq!(sent(&home, &server, prompt), prompt);
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_is_sent() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("here.txt", "never told\n");
    home.file(".env", "KEY=abc\n");
    std::fs::write(home.path("blob.bin"), b"\0\x01\x02").unwrap();
    std::fs::write(home.outside().join("away.txt"), "away\n").unwrap();
    symlink(home.outside().join("away.txt"), home.path("link.txt")).unwrap();
    for (prompt, why) in [
        ("see @gone.rs and @here.txt", "`@gone.rs` cannot be read: no such file"),
        ("see @../away.txt", "`@../away.txt` cannot be read: it is outside"),
        ("see @/etc/hostname", "it is outside"),
        ("see @link.txt", "`@link.txt` cannot be read: it is outside"),
        ("see @.env", "`@.env` cannot be read: reading it needs your approval"),
        ("see @blob.bin", "a binary file"),
        ("see @here.txt:5-9", "past its end"),
    ] {
        let said = refused(&home, &server, prompt);
        assert!(said.contains(why), "{prompt}: {said}");
    }
}

#[test]
fn a_rule_that_denies_reading_denies_it_to_a_mention() {
    let server = Server::start();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"read": {"*": "allow", "private/*": "deny"}, "list": {"private*": "deny"}});
    let home = Home::bare();
    home.configure(&settings);
    home.file("private/plan.txt", "never told\n");
    let said = refused(&home, &server, "see @private/plan.txt and @private/");
    assert!(said.contains("`@private/plan.txt`") && said.contains("deny"), "{said}");
    assert!(said.contains("`@private`"), "{said}");
}

#[test]
fn a_prompt_with_a_file_that_was_renamed_while_it_was_typed_stays_in_the_editor() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("old name.txt", "text\n");
    let bench = home.bench(&[]);
    bench.type_text("look at @old");
    bench.wait_for("the list over the prompt", |screen| {
        screen.text().matches("old name.txt").count() > 1
    });
    std::fs::rename(home.path("old name.txt"), home.path("new name.txt")).unwrap();
    bench.keys("tab");
    bench.keys("enter");
    bench.wait_for_text("cannot be read: no such file");
    bench.wait_for("the prompt where it was typed", |screen| {
        draft_of(screen).contains("@\"old name.txt\"")
    });
    assert_eq!(server.requests().len(), 0);
    bench.keys("ctrl-u");
    bench.leave();
}

#[test]
fn the_transcript_shows_a_chip_and_a_resumed_session_sends_the_text_as_it_was() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "the secret word is plum\n");
    server.script([text("Read."), text("Still plum.")]);
    let bench = home.bench(&[]);
    bench.ask("what does @notes.txt say?");
    bench.wait_for_text("Read.");
    bench.wait_for_text("@notes.txt  1 line");
    assert!(
        bench.look(|screen| !screen.has("the secret word")),
        "the text is not shown"
    );
    bench.leave();
    home.file("notes.txt", "now a pear\n");
    home.run(&["run", "--continue", "and now?"]).assert_code(0);
    assert!(server.request(2).says("1\tthe secret word is plum"));
    assert!(!server.request(2).says("a pear"));
    server.assert_append_only();
}

#[test]
fn what_is_steered_into_a_turn_takes_its_files_along() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "alpha\n");
    home.file("b.txt", "beta\n");
    let gate = Gate::new();
    server.script([
        stream()
            .says("Looking.")
            .holds(&gate)
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        text("Both."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("look");
    bench.wait_for_text("Looking.");
    bench.ask("/steer and @b.txt");
    bench.wait_for_text("and @b.txt");
    bench.ask("/steer and @gone.txt");
    bench.wait_for_text("cannot be read: no such file");
    gate.open();
    bench.wait_for_text("Both.");
    bench.keys("ctrl-u");
    let request = server.request(2);
    let result = request.last("tool");
    assert!(
        result.contains("The user says meanwhile:\nand @b.txt") && result.contains("1\tbeta"),
        "{result}"
    );
    assert!(!request.says("gone.txt"));
    server.assert_append_only();
    bench.leave();
}

#[test]
fn a_prompt_that_waits_takes_the_file_as_it_is_when_its_turn_comes() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "before\n");
    let gate = Gate::new();
    server.script([stream().says("Working.").holds(&gate).ends(), reply::text("Second.")]);
    let bench = home.bench(&[]);
    bench.ask("work");
    bench.wait_for_text("Working.");
    bench.ask("then see @a.txt");
    bench.wait_for_text("then see");
    home.file("a.txt", "after\n");
    gate.open();
    bench.wait_for_text("Second.");
    assert!(server.request(2).last("user").contains("1\tafter"));
    bench.leave();
}
