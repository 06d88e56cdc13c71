//! Tests of the log files of a turn, and of text that they never contain.

use serde_json::json;

use crate::logs::log;
use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{Gate, call, status, stream, text};
use crate::support::server::Server;

const KEY: &str = "sk-kennwort-4711";
const HEADER: &str = "kopfzeile-0815";

fn secretive(server: &Server) -> Home {
    let home = Home::bare().env("KIT_API_KEY", KEY);
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api_key_env"] = json!(["KIT_API_KEY"]);
    settings["provider"]["kit"]["headers"] = json!({"x-secret": HEADER});
    home.configure(&settings);
    home
}

/// Runs one turn with a command, an edit and a check. All contain words that must not be logged.
fn turn(server: &Server, home: &Home, arguments: &[&str]) -> Finished {
    home.file("total.txt", "inhalt-alt\n");
    home.file("check.sh", "true\n");
    server.script([
        status(503, "serverwort").header("retry-after", "0"),
        stream()
            .thinks("denkwort")
            .says("sagwort")
            .calls("bash", json!({"command": "touch befehlswort; printf ausgabe-%s wort"}))
            .ends(),
        call(
            "edit",
            json!({"path": "total.txt", "edits": [{"old": "inhalt-alt", "new": "inhalt-neu"}]}),
        ),
        call("befehlswort", json!({"argument": "argumentwort"})),
        text("schlusswort"),
    ]);
    let mut line = vec!["run", "--approve", "all"];
    line.extend(arguments);
    line.push("fragewort");
    let run = home.run(&line);
    run.assert_code(0);
    assert_eq!(home.read("total.txt"), "inhalt-neu\n", "{run}");
    let request = server.request(5);
    assert!(request.header("authorization").is_some_and(|value| value.contains(KEY)));
    assert!(request.says("ausgabe-wort"), "the command ran");
    run
}

#[test]
fn at_debug_it_can_be_read_who_waited_for_what() {
    let server = Server::start();
    let home = secretive(&server);
    turn(&server, &home, &["--log-level", "debug"]);
    let log = log(&home);
    let mut after = 0;
    for words in [
        "INFO benchdog_traces: started version=",
        "turn started",
        "committed waited_ms=",
        "request sent upto=",
        "server answered status=503",
        "request tried again attempt=1 wait_ms=",
        "server answered status=200",
        "first token after_ms=",
        "request ended took_ms=",
        "call prepared call=\"call_",
        "approval asked call=\"call_",
        "approval decided call=\"call_",
        "call started",
        "child started child=",
        "child ended child=",
        "call ended status=Ok",
        "call refused",
        "turn ended outcome=Done took_ms=",
        "INFO benchdog_traces: ended",
    ] {
        let at = log.get(after..).and_then(|rest| rest.find(words));
        after += at.unwrap_or_else(|| panic!("no {words:?} at its place in\n{log}"));
    }
    for span in [
        "turn{seat=1 session=\"",
        "}:request{request=1 model=kit/kit-model}",
        "}:commit{session=\"",
    ] {
        assert!(log.contains(span), "{span}\n{log}");
    }
    let of_child = log.lines().find(|line| line.contains("child ended")).expect("a child");
    for words in [
        "turn{",
        "}:call{call=\"call_",
        "tool=\"bash\"}:child{program=",
        "exit=0",
        "took_ms=",
    ] {
        assert!(of_child.contains(words), "{words}: {of_child}");
    }
    let decided = log.lines().find(|line| line.contains("approval decided")).expect("one");
    assert!(
        decided.contains("decision=\"once\" by=\"Policy\" waited_ms="),
        "{decided}"
    );
}

#[test]
fn no_log_holds_a_key_a_prompt_or_anything_that_was_said_or_done() {
    for level in ["info", "debug", "trace"] {
        let server = Server::start();
        let home = secretive(&server);
        let run = turn(&server, &home, &["--log-level", level]);
        let log = log(&home);
        assert!(log.contains("turn ended"), "{level}");
        for word in [
            KEY,
            HEADER,
            "wort",
            "inhalt",
            "printf",
            "ausgabe",
            "total.txt",
            "authorization",
            "x-secret",
        ] {
            assert!(!log.contains(word), "{level}: {word:?} in\n{log}\n{run}");
        }
    }
}

#[test]
fn at_info_a_turn_costs_a_handful_of_lines_however_much_it_does() {
    let server = Server::start();
    let home = secretive(&server);
    turn(&server, &home, &[]);
    let log = log(&home);
    let of_turn = log.lines().filter(|line| line.contains("turn{")).count();
    assert!((2..=20).contains(&of_turn) && log.lines().count() <= 8, "{log}");
    let ended = log.lines().find(|line| line.contains("turn ended")).expect("its end");
    for words in [" requests=4 ", " calls=3 ", " asked=", " commits=", "_ms="] {
        assert!(ended.contains(words), "{words}: {ended}");
    }
}

#[test]
fn a_request_that_fails_is_said_with_its_code() {
    let server = Server::start();
    let home = secretive(&server);
    server.script([status(401, &format!("no such key {KEY}"))]);
    home.run(&["run", "fragewort"]).assert_code(5);
    let log = log(&home);
    let failed = log.lines().find(|line| line.contains("request failed"));
    let failed = failed.unwrap_or_else(|| panic!("{log}"));
    assert!(
        failed.contains(" WARN ") && failed.contains("code=\"unauthorized\" status=401"),
        "{failed}"
    );
    assert!(!log.contains(KEY), "{log}");
}

#[test]
fn what_a_person_was_asked_and_for_how_long_is_in_it() {
    let server = Server::start();
    let home = Home::with(&server).env("BENCHDOG_LOG", "off,orchestrator=debug");
    home.file("total.txt", "alpha\n");
    let gate = Gate::new();
    server.script([
        call(
            "edit",
            json!({"path": "total.txt", "edits": [{"old": "alpha", "new": "beta"}]}),
        ),
        stream().says("It goes on").holds(&gate).ends(),
    ]);
    let bench = home.bench(&[]);
    bench.ask("mend it");
    bench.accept("beta");
    bench.wait_for_text("It goes on");
    bench.keys("esc esc");
    server.wait_abandoned(2);
    bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    bench.leave();
    let log = log(&home);
    let waited = log
        .split("by=\"User\" waited_ms=")
        .nth(1)
        .expect("an answer of a person");
    let waited: u64 = waited
        .split_whitespace()
        .next()
        .and_then(|ms| ms.parse().ok())
        .expect("a number");
    assert!(waited > 0, "the letters of a dialog count after a moment only\n{log}");
    assert!(log.contains("request stopped request=2"), "{log}");
    assert!(log.contains("turn ended outcome=Interrupted"), "{log}");
    assert!(!log.contains("benchdog_storage"), "only the part that was named\n{log}");
}

#[test]
fn the_last_lines_are_on_screen_as_they_come() {
    let server = Server::start();
    let gate = Gate::new();
    server.script([stream().holds(&gate).says("Said.").ends()]);
    let home = Home::with(&server).window(160, 40);
    let bench = home.bench(&["--log-level", "debug"]);
    bench.ask("hello");
    bench.ask("/debug");
    bench.wait_for_text("turn started");
    gate.open();
    bench.wait_for_text("turn ended");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| !screen.has(" log ─"));
    bench.leave();
    let bench = home.bench(&["--log-level", "off"]);
    std::fs::remove_dir_all(home.benchdog_home().join("logs")).expect("the logs of the bench before");
    bench.ask("/debug");
    bench.wait_for_text("Nothing logged");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| !screen.has(" log ─"));
    bench.leave();
}
