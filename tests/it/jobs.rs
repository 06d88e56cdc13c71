//! Tests of background jobs: started, read, and ended by the model, the person, the session and the program.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::reply::{call, calls, text};
use crate::support::server::Server;

const SOON: Duration = Duration::from_secs(10);

fn background(command: &str) -> Value {
    json!({"command": command, "background": true})
}

fn home(server: &Server) -> Home {
    let home = Home::with(server);
    let mut config = crate::support::home::config(&server.base_url());
    config["permission"] = json!({"bash": "allow"});
    home.configure(&config);
    home
}

fn sent(server: &Server, number: usize) -> String {
    server.request(number).body["messages"].to_string()
}

#[test]
fn a_development_server_is_started_asked_read_and_ended() {
    let server = Server::start();
    let home = home(&server);
    home.file("page.txt", "hello from the server\n");
    home.file(
        "serve.py",
        "import http.server\nserver = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\n\
         print('Serving HTTP on 127.0.0.1 port', server.server_port, flush=True)\nserver.serve_forever()\n",
    );
    let serve = "python3 serve.py 71.0001";
    server.script([
        call("bash", background(serve)),
        call("bash_output", json!({"id": "bg_1", "wait_ms": 20_000, "offset": 0})),
        call("bash_kill", json!({"id": "bg_1"})),
        text("It ran and is gone."),
    ]);
    let run = home.run(&["run", "--output", "stream-json", "--approve", "all", "serve it"]);
    run.assert_code(0);
    assert!(
        sent(&server, 2).contains("bg_1 runs in the background"),
        "{}",
        sent(&server, 2)
    );
    assert!(
        sent(&server, 3).contains("Serving HTTP on 127.0.0.1"),
        "{}",
        sent(&server, 3)
    );
    assert!(sent(&server, 4).contains("[stopped after "), "{}", sent(&server, 4));
    assert!(!run.events("tool_output").is_empty(), "what it wrote is told: {run}");
    server.assert_append_only();
    home.assert_gone("71.0001", SOON);
}

#[test]
fn the_end_of_a_run_ends_them_and_the_next_one_is_told() {
    let server = Server::start();
    let home = home(&server);
    server.script([call("bash", background("echo up; sleep 71.0101")), text("It runs.")]);
    home.run(&["run", "--approve", "all", "start it"]).assert_code(0);
    home.assert_gone("71.0101", SOON);
    server.script([text("I know.")]);
    home.run(&["run", "-c", "and now?"]).assert_code(0);
    let told = sent(&server, 3);
    assert!(told.contains("do not run any more"), "{told}");
    assert!(told.contains("bg_1 (`echo up; sleep 71.0101`)"), "{told}");
    server.script([text("Once is enough.")]);
    home.run(&["run", "-c", "and then?"]).assert_code(0);
    assert_eq!(sent(&server, 4).matches("do not run any more").count(), 1);
    server.assert_append_only();
}

#[test]
fn a_kill_of_the_program_leaves_no_process_and_the_session_says_what_is_gone() {
    let server = Server::start();
    let home = home(&server);
    home.file(
        "deaf.py",
        "import signal, subprocess, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
         subprocess.Popen(['sleep', '71.0202'], start_new_session=True)\nprint('up', flush=True)\ntime.sleep(600)\n",
    );
    server.script([call("bash", background("python3 deaf.py 71.0202")), text("It runs.")]);
    let bench = home.bench(&[]);
    bench.ask("start it");
    bench.wait_for_text("It runs.");
    bench.wait_for_text("1 job");
    home.wait_for_process("71.0202");
    bench.signal(Signal::KILL);
    home.assert_gone("71.0202", SOON);
    let again = home.bench(&["-c"]);
    again.wait_for_text("Ended with the session: bg_1");
    server.script([text("I know.")]);
    again.ask("and now?");
    again.wait_for_text("I know.");
    assert!(sent(&server, 3).contains("do not run any more"), "{}", sent(&server, 3));
    again.leave();
    server.assert_append_only();
}

#[test]
fn the_list_shows_what_one_writes_and_ends_it_and_the_model_hears_of_it() {
    let server = Server::start();
    let home = home(&server);
    server.script([
        call("bash", background("echo line one; echo line two; sleep 71.0303")),
        text("It runs."),
        text("I see."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("start it");
    bench.wait_for_text("It runs.");
    bench.wait_for_text("1 job");
    bench.type_text("/jobs");
    bench.keys("enter");
    bench.wait_for("the newest output", |screen| {
        screen.has("line one") && screen.has("x end · ")
    });
    bench.keys("x");
    bench.wait_for_text("again to end bg_1");
    bench.keys("x");
    home.assert_gone("71.0303", SOON);
    bench.wait_for("that it has ended", |screen| screen.has("stopped"));
    bench.keys("esc");
    bench.wait_for_text("bg_1 has ended");
    bench.ask("still there?");
    bench.wait_for_text("I see.");
    assert!(
        sent(&server, 3).contains("The command in the background bg_1"),
        "{}",
        sent(&server, 3)
    );
    bench.leave();
    server.assert_append_only();
}

#[test]
fn a_new_session_ends_them_and_says_which() {
    let server = Server::start();
    let home = home(&server);
    server.script([call("bash", background("sleep 71.0404")), text("It runs.")]);
    let bench = home.bench(&[]);
    bench.ask("start it");
    bench.wait_for_text("It runs.");
    home.wait_for_process("71.0404");
    bench.type_text("/new");
    bench.keys("enter");
    home.assert_gone("71.0404", SOON);
    bench.wait_for("which were ended", |screen| screen.has("Ended with the session: bg_1"));
    bench.leave();
}

#[test]
fn the_request_says_that_it_goes_on_and_what_is_denied_never_runs() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("bash", background("touch made; sleep 71.0505")), text("Then not.")]);
    let bench = home.bench(&[]);
    bench.ask("start it");
    bench.wait_for_review("in the background, until the session ends");
    bench.refuse("touch made");
    bench.wait_for_text("Then not.");
    assert!(!home.path("made").exists());
    bench.leave();
}

#[test]
fn the_seventeenth_is_refused_and_esc_ends_a_wait_and_no_job() {
    let server = Server::start();
    let home = home(&server);
    let many = (0..17).map(|_| ("bash", background("sleep 71.0606")));
    server.script([
        calls(many),
        call("bash_output", json!({"id": "bg_1", "wait_ms": 30_000})),
        text("Still there."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("start them");
    bench.wait_for_text("16 jobs");
    bench.wait_for_text("bash_output");
    assert!(sent(&server, 2).contains("16 commands run in the background already"));
    bench.keys("esc");
    bench.wait_for_text("interrupted");
    let sleeping = || {
        home.processes()
            .iter()
            .filter(|(_, line)| line.contains("sleep 71.0606"))
            .count()
    };
    assert!(look_until(SOON, || sleeping() >= 16), "{}", sleeping());
    bench.leave();
    home.assert_gone("71.0606", SOON);
}
