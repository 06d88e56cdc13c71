//! Creates the old sessions: conversations with every kind of entry. It was run once, by hand, with the binary whose
//! sessions are kept. Do not run it again, because the new sessions would not be old.
//!
//! `BENCHDOG_GOLDEN=write BENCHDOG_GOLDEN_BIN=… cargo nextest run --run-ignored only -E 'test(old_sessions::make)'`

use rustix::process::Signal;
use serde_json::{Value, json};

use super::{messages, packed};
use crate::golden::pages::{data, writes};
use crate::golden::stage::plain_home;
use crate::support::home::{Home, config};
use crate::support::reply::{Reply, call, calls, stream, text};
use crate::support::server::Server;

/// Configures two models, a check, and a rule for an allowed command.
pub fn settings(server: &Server) -> Value {
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"]["kit-other"] = json!({"context": 40_000, "output": 4096});
    settings["permission"] = json!({"bash": {"echo *": "allow", "touch never*": "deny"}});
    settings["validation"] = json!({"command": "grep -q fixed made.txt || { echo 'not fixed'; exit 1; }"});
    settings
}

fn begun() -> (Server, Home) {
    let server = Server::start();
    let home = plain_home();
    home.configure(&settings(&server));
    (server, home)
}

/// Stores the only session, and the messages of its last request.
fn keep(name: &str, home: &Home, server: &Server) {
    assert!(writes(), "made only where golden files are written");
    let folder = data(&format!("sessions/{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for it");
    let files = std::fs::read_dir(home.benchdog_home().join("data/sessions")).expect("the sessions");
    let files: Vec<_> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "redb"))
        .collect();
    let [file] = files.as_slice() else {
        panic!("one session: {files:?}")
    };
    let name = file.file_stem().expect("a name").to_string_lossy();
    let bytes = packed::packed(&std::fs::read(file).expect("a session file"));
    std::fs::write(folder.join(format!("{name}.packed")), bytes).expect("a packed file");
    let requests = server.requests();
    let sent = messages(requests.last().expect("a request").messages(), home);
    let sent: String = sent.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("sent.jsonl"), sent).expect("what was sent");
}

fn write(content: &str) -> Reply {
    call("write", json!({"path": "made.txt", "content": content}))
}

/// Returns a reply for every tool, for a failing check and for a passing one.
fn every_tool() -> Vec<Reply> {
    let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-1\n+one\n two\n";
    vec![
        stream()
            .thinks("I should look first.\nThen do it.")
            .says("I look **first**.")
            .calls(
                "todowrite",
                json!({"items": [{"text": "look", "status": "in_progress"}, {"text": "do", "status": "pending"}]}),
            )
            .calls("list", json!({"depth": 2}))
            .ends(),
        calls([("read", json!({"path": "a.txt"}))]),
        calls([("glob", json!({"pattern": "*.txt"}))]),
        calls([("grep", json!({"pattern": "two"}))]),
        call("todowrite", json!({"set": {"id": 1, "status": "completed"}})),
        calls([("todoread", json!({})), ("no_such_tool", json!({"x": 1}))]),
        call("edit", json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})),
        call("read", json!({"path": "a.txt"})),
        call("patch", json!({"patch": patch})),
        stream()
            .says("Now a file.")
            .calls("write", json!({"path": "made.txt", "content": "wrong\n"}))
            .ends(),
        call(
            "bash",
            json!({"command": "cat made.txt; exit 3", "reason": "To see it."}),
        ),
        call("bash", json!({"command": "echo allowed by a rule"})),
        call("ask", json!({"question": "Which one?", "options": ["this", "that"]})),
        text("Done, I think:\n\n- `a.txt` as before\n- `made.txt` is new\n\n```sh\ncat made.txt\n```\n"),
        write("fixed\n"),
        call("todowrite", json!({"set": {"id": 2, "status": "completed"}})),
        text("Now it is fixed."),
    ]
}

#[test]
#[ignore = "made once: see the top of this file"]
fn kinds() {
    let (server, home) = begun();
    home.file("a.txt", "one\ntwo\n");
    server.script(every_tool());
    home.run(&["run", "--approve", "all", "do all of it"]).assert_code(0);
    server.script([stream().thinks("Hm.").says("Half an answer").cut()]);
    home.run(&["run", "-c", "talk"]).assert_code(5);

    server.script([
        call(
            "edit",
            json!({"path": "a.txt", "edits": [{"old": "two", "new": "2\nzwei"}]}),
        ),
        text("Changed, and you saw it."),
        call("bash", json!({"command": "rm a.txt"})),
        text("Then not."),
    ]);
    let bench = home.bench(&["-c"]);
    bench.ask("!cat a.txt");
    bench.wait_for("the command's end", |screen| screen.has("exit 0"));
    bench.ask("/models kit-other");
    bench.wait_for("the other model", |screen| screen.has("kit-other"));
    bench.ask("change it");
    bench.accept("zwei");
    bench.wait_for_text("Changed, and you saw it.");
    bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    bench.ask("remove it");
    bench.refuse("rm a.txt");
    bench.wait_for_text("Then not.");
    bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    bench.leave();
    keep("kinds", &home, &server);
}

#[test]
#[ignore = "made once: see the top of this file"]
fn killed() {
    let (server, home) = begun();
    home.file("a.txt", "one\n");
    server.script([
        stream()
            .says("First I read.")
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        stream()
            .says("Then I wait.")
            .calls("bash", json!({"command": "printf 'begun\\n'; sleep 64"}))
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
    ]);
    let run = home.start(
        &["run", "--approve", "all", "--output", "stream-json", "wait for it"],
        None,
    );
    run.wait_for_stdout("tool_output");
    run.signal(Signal::KILL);
    run.wait();
    keep("killed", &home, &server);
}

#[test]
#[ignore = "made once: see the top of this file"]
fn wide() {
    let (server, home) = begun();
    home.file("筆記/購物.txt", "第一行：牛奶\n第二行：雞蛋\n");
    server.script([
        stream()
            .thinks("先看一下檔案。")
            .says("我先讀**購物清單**。")
            .calls("read", json!({"path": "筆記/購物.txt"}))
            .ends(),
        call("todowrite", json!({"items": [{"text": "讀清單", "status": "completed"}, {"text": "한국어로 쓰기", "status": "in_progress"}]})),
        call("write", json!({"path": "筆記/新.txt", "content": "日本語のテキスト\n한국어 👨\u{200d}👩\u{200d}👧\n"})),
        call("bash", json!({"command": "cat 筆記/新.txt"})),
        text("| 品項 | 數量 |\n|---|---|\n| 牛奶 | 一瓶 |\n| 雞蛋 | 十顆 |\n\n都寫好了。"),
        text("我會再看一次。"),
    ]);
    home.run(&["run", "--approve", "all", "請幫我整理購物清單，然後寫一個新檔案"]);
    keep("wide", &home, &server);
}

#[test]
#[ignore = "made once: see the top of this file"]
fn ended() {
    let (server, home) = begun();
    let never = || call("bash", json!({"command": "touch never.txt"}));
    server.script([never(), text("The rules say no.")]);
    home.run(&["run", "--approve", "all", "touch it"]).assert_code(3);
    server.script([write("x\n"), text("Not made.")]);
    home.run(&["run", "-c", "make it"]).assert_code(3);
    server.script([call("list", json!({}))]);
    home.run(&["run", "-c", "--max-steps", "1", "look"]).assert_code(4);
    server.script([stream().ends(), stream().ends(), stream().ends()]);
    home.run(&["run", "-c", "say something"]).assert_code(5);
    server.script([write("wrong\n"), text("Made."), text("It is fine.")]);
    home.run(&["run", "-c", "--approve", "edits", "make it after all"])
        .assert_code(6);
    server.script([stream().says("I am thinking about").falls_silent()]);
    let run = home.start(&["run", "-c", "--output", "stream-json", "think"], None);
    run.wait_for_stdout("about\"}");
    run.signal(Signal::INT);
    run.wait().assert_code(130);
    keep("ended", &home, &server);
}
