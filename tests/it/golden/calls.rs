//! Scenarios with calls of file tools, the todo list, questions, and invalid calls.

use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;

use super::stage::Stage;
use crate::support::reply::{Reply, call, calls, stream, text};

#[test]
fn read_list_glob_grep() {
    let mut stage = Stage::new("read_list_glob_grep");
    stage
        .file("a.txt", "one\ntwo\nthree\n")
        .file("src/lib.rs", "fn one() {}\n")
        .file("src/main.rs", "fn main() { one() }\n");
    for (path, age) in [("src/lib.rs", 1), ("src/main.rs", 2)] {
        let file = std::fs::File::options()
            .append(true)
            .open(stage.home.path(path))
            .expect("a file");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000 * age))
            .expect("a time");
    }
    stage.script([
        call("read", json!({"path": "a.txt", "offset": 2, "limit": 1})),
        call("list", json!({"depth": 2})),
        call("glob", json!({"pattern": "**/*.rs"})),
        call("grep", json!({"pattern": "one", "mode": "content", "context": 1})),
        call("grep", json!({"pattern": "nothing like it"})),
        text("I have seen it all."),
    ]);
    stage.run(&["look around"]).hold();
}

/// Returns a search that is slow enough for parallel reads to start first. The pattern has a hundred different partial
/// matches at every character.
fn slow_grep() -> (&'static str, serde_json::Value) {
    ("grep", json!({"pattern": r"[a-h].{100}\d", "path": "slow.txt"}))
}

#[test]
fn parallel_reads() {
    let mut stage = Stage::new("parallel_reads");
    stage.home.file("slow.txt", &slow_text());
    stage.file("a.txt", "one\n").file("b.txt", "two\n").script([
        calls([
            slow_grep(),
            ("read", json!({"path": "a.txt"})),
            ("read", json!({"path": "b.txt"})),
            ("grep", json!({"pattern": "one", "path": "a.txt"})),
        ]),
        text("Read."),
    ]);
    stage.run(&["read all"]);
    std::fs::remove_file(stage.home.path("slow.txt")).expect("no part of the golden file");
    stage.hold();
}

#[test]
fn reads_and_a_change_in_one_reply() {
    let mut stage = Stage::new("reads_and_a_change_in_one_reply");
    stage.home.file("slow.txt", &slow_text());
    stage.script([
        calls([
            slow_grep(),
            ("write", json!({"path": "made.txt", "content": "made\n"})),
            ("read", json!({"path": "made.txt"})),
        ]),
        text("Made."),
    ]);
    stage.run(&["--approve", "edits", "make it"]);
    std::fs::remove_file(stage.home.path("slow.txt")).expect("no part of the golden file");
    stage.hold();
}

fn slow_text() -> String {
    let mut dice: u32 = 1;
    let mut letter = |_| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + u8::try_from(dice >> 28).expect("four bits"))
    };
    let mut line = |_| (0..200).map(&mut letter).chain(['\n']).collect::<String>();
    (0..200).map(&mut line).collect()
}

#[test]
fn several_changes_in_one_reply() {
    let mut stage = Stage::new("several_changes_in_one_reply");
    stage.script([
        stream()
            .says("Two at once.")
            .calls("write", json!({"path": "a.txt", "content": "a\n"}))
            .calls("bash", json!({"command": "cat a.txt"}))
            .calls("write", json!({"path": "b/b.txt", "content": "b\n"}))
            .ends(),
        text("Made."),
    ]);
    stage.run(&["--approve", "all", "make two"]).hold();
}

const PATCH: &str =
    "--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+new\n";

fn changes() -> [Reply; 6] {
    [
        call("write", json!({"path": "sub/made.txt", "content": "made\n"})),
        call("read", json!({"path": "a.txt"})),
        call(
            "edit",
            json!({"path": "a.txt", "edits": [{"old": "two", "new": "2"}, {"old": "three\n", "new": ""}]}),
        ),
        call("read", json!({"path": "b.txt"})),
        call("patch", json!({"patch": PATCH})),
        text("All three."),
    ]
}

#[test]
fn changes_with_approve_edits() {
    let mut stage = Stage::new("changes_with_approve_edits");
    stage
        .file("a.txt", "one\ntwo\nthree\n")
        .file("b.txt", "one\ntwo\n")
        .script(changes());
    stage.run(&["--approve", "edits", "change them"]).hold();
}

#[test]
fn changes_with_approve_never() {
    let mut stage = Stage::new("changes_with_approve_never");
    stage
        .file("a.txt", "one\ntwo\nthree\n")
        .file("b.txt", "one\ntwo\n")
        .script(changes());
    stage.run(&["--approve", "never", "change them"]).hold();
}

#[test]
fn changes_with_approve_all() {
    let mut stage = Stage::new("changes_with_approve_all");
    stage
        .file("a.txt", "one\ntwo\nthree\n")
        .file("b.txt", "one\ntwo\n")
        .script(changes());
    stage.run(&["--approve", "all", "change them"]).hold();
}

#[test]
fn changes_that_do_not_fit() {
    let mut stage = Stage::new("changes_that_do_not_fit");
    stage.file("a.txt", "one\none\n").script([
        call("edit", json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})),
        call("read", json!({"path": "a.txt"})),
        call("edit", json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})),
        call("edit", json!({"path": "a.txt", "edits": [{"old": "nine", "new": "9"}]})),
        call(
            "patch",
            json!({"patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-nine\n+9\n"}),
        ),
        call("write", json!({"path": "../out.txt", "content": "x"})),
        text("None of it."),
    ]);
    stage.run(&["--approve", "all", "change it"]).hold();
}

#[test]
fn unknown_tool() {
    let mut stage = Stage::new("unknown_tool");
    stage.script([
        calls([("no_such_tool", json!({"x": 1})), ("reed", json!({"path": "a.txt"}))]),
        text("There is no such tool."),
    ]);
    stage.run(&["use it"]).hold();
}

#[test]
fn bad_arguments() {
    let mut stage = Stage::new("bad_arguments");
    let raw = |arguments: &str| {
        let call =
            json!({"index": 0, "id": "", "type": "function", "function": {"name": "read", "arguments": arguments}});
        let chunk = json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": null}]});
        stream().raw(&format!("data: {chunk}\n\n")).ends()
    };
    stage.file("a.txt", "one\n").script([
        call("read", json!({})),
        call("read", json!({"path": 7, "offset": "many"})),
        call("edit", json!({"path": "a.txt", "edits": "all of them"})),
        raw("{'path': 'a.txt',}"),
        raw("not at all"),
        raw("{\"path\": \"a.t"),
        text("I cannot spell."),
    ]);
    stage.run(&["read it"]).hold();
}

#[test]
fn names_of_other_benches() {
    let mut stage = Stage::new("names_of_other_benches");
    stage.file("a.txt", "one\n").script([
        call("read_file", json!({"file_path": "a.txt"})),
        call("LS", json!({})),
        call("search", json!({"query": "one"})),
        call(
            "str_replace",
            json!({"path": "a.txt", "old_str": "one", "new_str": "two"}),
        ),
        call("run_command", json!({"cmd": "cat a.txt"})),
        call("todo_write", json!({"todos": [{"content": "look", "status": "done"}]})),
        text("Whatever they are called."),
    ]);
    stage.run(&["--approve", "all", "use other names"]).hold();
}

#[test]
fn todo_list_of_the_model() {
    let mut stage = Stage::new("todo_list_of_the_model");
    let items = json!([{"text": "look", "status": "in_progress"}, {"text": "tell", "status": "pending"}]);
    stage.script([
        call("todowrite", json!({"items": items})),
        call("todowrite", json!({"set": {"id": 1, "status": "completed"}})),
        call(
            "todowrite",
            json!({"set": {"id": 2, "status": "in_progress", "text": "tell all"}}),
        ),
        call("todowrite", json!({"set": {"id": 9, "status": "completed"}})),
        call("todoread", json!({})),
        text("One is still open."),
    ]);
    stage.run(&["do two things"]).hold();
}

#[test]
fn todo_list_of_the_engine() {
    let mut stage = Stage::new("todo_list_of_the_engine");
    stage.script([
        call("write", json!({"path": "a.txt", "content": "a\n"})),
        text("Made."),
        text("And more."),
    ]);
    stage
        .run(&["--approve", "edits", "make a file\nwith an a"])
        .run(&["-c", "more?"])
        .hold();
}

#[test]
fn todo_list_of_the_engine_ends_with_its_turn() {
    let mut stage = Stage::new("todo_list_of_the_engine_ends_with_its_turn");
    stage.script([
        call("write", json!({"path": "a.txt", "content": "a\n"})),
        text("Not made."),
    ]);
    stage.run(&["make a file"]).hold();
}

#[test]
fn question_without_a_person() {
    let mut stage = Stage::new("question_without_a_person");
    stage.script([
        call("ask", json!({"question": "Which one?", "options": ["this", "that"]})),
        text("I took this."),
    ]);
    stage.run(&["choose"]).hold();
}

#[test]
fn paths_outside_and_secrets() {
    let mut stage = Stage::new("paths_outside_and_secrets");
    std::os::unix::fs::symlink("/etc/passwd", stage.home.path("way-out")).expect("a link");
    stage.file(".env", "KEY=very-secret\n").script([
        call("read", json!({"path": "/etc/passwd"})),
        call("read", json!({"path": "../x"})),
        call("read", json!({"path": "way-out"})),
        call("read", json!({"path": ".env"})),
        call("read", json!({"path": "missing.txt"})),
        text("Nowhere."),
    ]);
    stage.run(&["--approve", "all", "get out"]);
    std::fs::remove_file(stage.home.path("way-out")).expect("what it shows is the machine's");
    stage.hold();
}
