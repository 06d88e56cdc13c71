//! Tests that a workbench survives its terminal, and that scripts can list all workbenches.

mod hosts;

use std::fs::{DirBuilder, Permissions};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::{kill, look_until};
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::Server;

fn agents(home: &Home) -> Vec<Value> {
    let listed = home.run(&["agents", "--json"]);
    listed.assert_code(0);
    listed.json_lines()
}

#[track_caller]
fn wait_for_state(home: &Home, state: &str) -> Value {
    let mut last = Vec::new();
    let came = look_until(Duration::from_secs(20), || {
        last = agents(home);
        last.first()
            .is_some_and(|session| session["state"] == state && session["title"] != "")
    });
    assert!(came, "never {state}: {last:?}");
    last.remove(0)
}

#[test]
fn a_turn_goes_on_while_no_terminal_is_attached() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream()
        .says("The first half")
        .holds(&gate)
        .says(" and the second half.")
        .ends()]);
    let bench = home.bench(&["--detached"]);
    bench.ask("tell me both halves");
    bench.wait_for_text("The first half");
    bench.type_text("my draft");
    bench.wait_for_text("my draft");
    bench.keys("ctrl-x d");
    assert_eq!(bench.wait_exit().exit_code(), 0);
    assert!(bench.raw().contains("benchdog attach "), "{}", bench.raw());
    assert_eq!(wait_for_state(&home, "working")["title"], "tell me both halves");

    gate.open();
    let waited = home.run(&["agents", "wait", "--timeout", "20"]);
    waited.assert_code(0);
    assert!(waited.stdout.contains("idle"), "{}", waited.stdout);

    let again = home.open(&["attach"]);
    again.wait_for("all of it", |screen| {
        screen.has("and the second half.") && screen.has("my draft")
    });
    again.keys("ctrl-u");
    again.leave();
    assert_eq!(agents(&home), Vec::<Value>::new());
}

#[test]
fn a_killed_terminal_takes_nothing_with_it() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["engine"] = json!({"detach": "auto"});
    home.configure(&settings);
    let gate = Gate::new();
    server.script([stream()
        .says("Before the kill,")
        .holds(&gate)
        .says(" after the kill.")
        .ends()]);
    let bench = home.bench(&[]);
    bench.ask("go on");
    bench.wait_for_text("Before the kill,");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    gate.open();
    let session = wait_for_state(&home, "idle");
    let id = session["id"].as_str().unwrap();

    let again = home.open(&["attach", id.get(id.len() - 8..).unwrap()]);
    again.wait_for_text("after the kill.");
    again.leave();
    server.assert_append_only();
}

#[test]
fn the_terminal_that_attaches_last_types_and_a_viewer_only_looks() {
    let server = Server::start();
    let home = Home::with(&server);
    let first = home.bench(&["--detached"]);
    first.type_text("from the first");
    first.wait_for_text("from the first");
    let second = home.open(&["attach"]);
    second.wait_for_text("from the first");
    first.wait_exit();
    assert!(first.raw().contains("Another terminal attached"), "{}", first.raw());

    let viewer = home.open(&["attach", "--view-only"]);
    viewer.wait_for_text("from the first");
    viewer.type_text("nothing");
    second.type_text(", then the second");
    second.wait_for_text("from the first, then the second");
    viewer.wait_for_text("from the first, then the second");
    viewer.keys("q");
    assert_eq!(viewer.wait_exit().exit_code(), 0);
    second.keys("ctrl-u");
    second.leave();
}

#[test]
fn scripts_find_a_waiting_session_and_send_and_stop() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([
        call("bash", json!({"command": "make all"})),
        text("So it was refused."),
        stream().says("A long answer").holds(&gate).ends(),
    ]);
    let bench = home.bench(&["--detached"]);
    bench.ask("build it");
    let waiting = wait_for_state(&home, "waiting");
    assert!(waiting["last"].as_str().unwrap().contains("make all"), "{waiting}");
    let id = waiting["id"].as_str().unwrap();
    bench.refuse("make all");
    bench.wait_for_text("So it was refused.");

    home.run(&["agents", "send", id, "and now a long one"]).assert_code(0);
    let too_soon = home.run(&["agents", "wait", id, "--timeout", "0"]);
    too_soon.assert_code(4);
    bench.wait_for_text("A long answer");
    let stopped = home.run(&["agents", "stop", id]);
    stopped.assert_code(0);
    assert!(stopped.stdout.contains("was stopped"), "{}", stopped.stdout);
    wait_for_state(&home, "idle");
    let idle = home.run(&["agents", "stop", id]);
    assert!(idle.stdout.contains("No turn was running"), "{}", idle.stdout);
    assert!(server.request(3).raw.contains("and now a long one"));
    bench.leave();
}

#[test]
fn what_cannot_be_reached_is_one_clear_error() {
    let server = Server::start();
    let home = Home::with(&server);
    let none = home.run(&["agents", "stop", "abcd"]);
    none.assert_code(2);
    assert!(none.stderr.contains("benchdog agents"), "{}", none.stderr);
    let listed = home.run(&["agents"]);
    listed.assert_code(0);
    assert!(listed.stdout.contains("No workbench is running."), "{}", listed.stdout);

    let bench = home.bench(&[]);
    bench.keys("ctrl-x d");
    bench.wait_for_text("ends with its terminal");
    let attached = home.open(&["attach"]);
    assert_eq!(attached.wait_exit().exit_code(), 2);
    assert!(attached.raw().contains("--detached"), "{}", attached.raw());
    bench.leave();

    let live = home.benchdog_home().join("live");
    std::fs::set_permissions(&live, Permissions::from_mode(0o777)).unwrap();
    let refused = home.open(&["--detached"]);
    assert_eq!(refused.wait_exit().exit_code(), 1);
    assert!(refused.raw().contains("others may enter it"), "{}", refused.raw());
}

#[test]
fn a_killed_workbench_gives_the_terminal_back() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&["--detached"]);
    let pid = agents(&home)[0]["pid"].as_u64().unwrap();
    kill(u32::try_from(pid).unwrap(), Signal::KILL);
    assert_eq!(bench.wait_exit().exit_code(), 1);
    assert!(bench.raw().contains("benchdog -c"), "{}", bench.raw());
    assert_eq!(bench.left_behind(), Vec::<String>::new());
    assert_eq!(agents(&home), Vec::<Value>::new());
    let sockets = std::fs::read_dir(home.benchdog_home().join("live")).unwrap();
    assert_eq!(sockets.count(), 0);
}

/// Writes the status file of a fake workbench, with the process id of this test. Returns the path of its socket.
fn pretend(home: &Home, host: &str, id: &str) -> PathBuf {
    let live = home.benchdog_home().join("live");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&live)
        .expect("a private folder");
    let pid = std::process::id();
    let session = json!({
        "id": id, "title": "two\nlines \u{1b}[2J", "folder": "/p", "state": "idle",
        "last": "x".repeat(300), "context": "", "since": 1,
    });
    let status = json!({"pid": pid, "host": host, "folder": "/p", "sessions": [session]});
    std::fs::write(live.join(format!("{pid}.json")), status.to_string()).expect("a status file");
    live.join(format!("{host}.sock"))
}

#[test]
fn a_host_that_sends_nothing_does_not_hold_the_terminal() {
    let home = Home::bare();
    let socket = pretend(&home, "silent", "01a2");
    let listener = UnixListener::bind(&socket).unwrap();
    let waiting = home.open(&["attach"]);
    let stopped = home.open(&["attach"]);
    let mut connections = Vec::new();
    for _ in 0..2 {
        // The client sends its hello message in raw mode.
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0]).unwrap();
        connections.push(stream);
    }
    stopped.keys("ctrl-c");
    assert_eq!(stopped.wait_exit().exit_code(), 130);
    assert_eq!(waiting.wait_exit().exit_code(), 1);
    let told = waiting.raw();
    assert!(told.contains("no answer in 5 seconds"), "{told}");
    assert_eq!(waiting.left_behind(), Vec::<String>::new());
    assert_eq!(stopped.left_behind(), Vec::<String>::new());
}

#[test]
fn a_missing_socket_is_named_once_with_the_next_step() {
    let home = Home::bare();
    let socket = pretend(&home, "missing", "01a2");
    let sent = home.run(&["agents", "send", "missing", "text"]);
    sent.assert_code(1);
    assert_eq!(sent.stderr.matches("cannot be reached").count(), 1, "{}", sent.stderr);
    assert!(sent.stderr.contains(socket.to_str().unwrap()), "{}", sent.stderr);
    assert!(sent.stderr.contains("benchdog --detached"), "{}", sent.stderr);
}

#[test]
fn the_list_shows_each_session_in_one_clean_line() {
    let home = Home::bare();
    pretend(&home, "a1", "\u{1b}]0;name\u{7}");
    let listed = home.run(&["agents"]);
    listed.assert_code(0);
    assert!(!listed.stdout.contains('\u{1b}'), "{:?}", listed.stdout);
    assert_eq!(listed.stdout.lines().count(), 1, "{:?}", listed.stdout);
    assert!(
        listed.stdout.contains("two lines") && listed.stdout.len() < 200,
        "{:?}",
        listed.stdout
    );
}

#[test]
fn a_folder_of_others_is_not_listed() {
    let home = Home::bare();
    let socket = pretend(&home, "a1", "01a2");
    let live = socket.parent().unwrap();
    std::fs::set_permissions(live, Permissions::from_mode(0o755)).unwrap();
    let listed = home.run(&["agents"]);
    listed.assert_code(1);
    assert!(
        listed.stdout.is_empty() && listed.stderr.contains("others may enter it"),
        "{}",
        listed.stderr
    );
    assert!(listed.stderr.contains("XDG_RUNTIME_DIR"), "{}", listed.stderr);
}
