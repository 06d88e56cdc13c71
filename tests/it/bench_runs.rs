//! Tests of `benchdog bench`: killed runs, other agents, hostile tasks, faulty checks, reports.

use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::{Finished, look_until};
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::{MODEL, Server};

/// Creates a task whose solution is a file `done`.
fn task(home: &Home, name: &str, config: &str, check: &str) {
    let at = |file: &str| format!("tasks/{name}/{file}");
    home.file(&at("task.toml"), config);
    home.file(&at("instruction.md"), &format!("Solve {name}.\n"));
    home.file(&at("environment/README.md"), "hello\n");
    home.file(&at("tests/test.sh"), check);
}

const DONE: &str = "#!/bin/sh\n[ \"$(cat done)\" = yes ]\n";

fn start() -> (Server, Home) {
    let server = Server::start();
    let home = Home::with(&server);
    (server, home)
}

fn solves(server: &Server) {
    server.model(|request| {
        let is_first = request.messages().iter().all(|message| message["role"] != "assistant");
        Some(match is_first {
            true => call("write", json!({"path": "done", "content": "yes\n"})),
            false => text("Done."),
        })
    });
}

fn bench(home: &Home, further: &[&str]) -> Finished {
    let words: Vec<&str> = ["bench", "run", "tasks"].iter().chain(further).copied().collect();
    home.start(&words, None).wait_within(Duration::from_secs(60))
}

fn records(home: &Home) -> Vec<Value> {
    let files = std::fs::read_dir(home.path("bench-results")).expect("the results");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a result").path()).collect();
    paths.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a result");
    paths
        .iter()
        .map(|path| serde_json::from_str(&text(path)).expect("JSON"))
        .collect()
}

#[test]
fn a_bench_that_is_killed_twice_goes_on_and_repeats_no_finished_run() {
    let (server, home) = start();
    for name in ["a", "b", "c"] {
        task(&home, name, "", DONE);
    }
    let (one, two) = (Gate::new(), Gate::new());
    server.script([
        call("write", json!({"path": "done", "content": "yes\n"})),
        text("Done."),
    ]);
    server.script([stream().holds(&one)]);
    let killed = home.start(&["bench", "run", "tasks"], None);
    one.wait_reached();
    killed.signal(Signal::KILL);
    killed.wait();
    home.assert_gone("stream-json", Duration::from_secs(10));
    assert_eq!(records(&home).len(), 1, "the first run is stored");
    server.script([call("write", json!({"path": "done", "content": "no\n"})), text("Done.")]);
    server.script([
        call("write", json!({"path": "done", "content": "yes\n"})),
        stream().holds(&two),
    ]);
    let killed = home.start(&["bench", "run", "tasks"], None);
    two.wait_reached();
    killed.signal(Signal::KILL);
    killed.wait();
    assert_eq!(records(&home).len(), 2);
    let asked = server.requests().len();
    assert_eq!(asked, 2 + 1 + 2 + 2, "the first run is not repeated");
    solves(&server);
    let last = bench(&home, &[]);
    last.assert_code(0);
    assert!(last.stderr.contains("3/3 · c · "), "{last}");
    assert!(last.stderr.contains("2 runs were finished before"), "{last}");
    assert_eq!(server.requests().len(), asked + 2);
    assert!(
        last.stdout.contains(&format!("kit/{MODEL}")) && last.stdout.contains("  2/3  "),
        "{last}"
    );
    let nothing = bench(&home, &[]);
    assert_eq!(server.requests().len(), asked + 2, "{nothing}");
    assert_eq!(nothing.stdout, last.stdout);
}

#[test]
fn hostile_and_malformed_tasks_are_an_error_each_and_the_others_go_on() {
    let (server, home) = start();
    solves(&server);
    task(&home, "sound", "", DONE);
    task(&home, "no-toml", "[[[", DONE);
    task(
        &home,
        "no-program",
        "[metadata]\nrequires = [\"no-such-program\"]\n",
        DONE,
    );
    task(&home, "container", "[environment]\ndocker_image = \"x\"\n", DONE);
    task(&home, "link", "", DONE);
    std::os::unix::fs::symlink("/etc", home.path("tasks/link/environment/etc")).expect("a link");
    let home = home.env("PATH", "/usr/bin:/bin");
    let run = bench(&home, &[]);
    run.assert_code(5);
    for part in [
        "/no-toml`: `task.toml`, line 1: ",
        "needs `no-such-program`",
        "needs a container",
        "/etc` is a link",
        "sound · kit/",
    ] {
        assert_eq!(run.stderr.matches(part).count(), 1, "{part}\n{run}");
    }
    let statuses: Vec<String> = records(&home)
        .iter()
        .map(|one| format!("{} {}", one["task"], one["status"]))
        .collect();
    for wanted in [
        "\"no-program\" \"skipped\"",
        "\"sound\" \"solved\"",
        "\"link\" \"failed\"",
    ] {
        assert!(statuses.iter().any(|status| status == wanted), "{statuses:?}");
    }
    std::fs::remove_dir_all(home.path("tasks/link")).expect("a task");
    bench(&home, &[]).assert_code(2);
    home.run(&["bench", "run", "tasks", "--task", "none*"]).assert_code(2);
    home.run(&["bench", "run", "missing"]).assert_code(2);
    home.run(&[
        "bench", "run", "tasks", "--model", "nobody/x", "--agent", "x", "--task", "[",
    ])
    .assert_code(2);
    home.run(&["bench"]).assert_code(2);
}

#[test]
fn a_check_has_no_network_and_is_killed_with_its_children_at_its_limit() {
    let (server, home) = start();
    solves(&server);
    let address = server.base_url().replace("http://127.0.0.1:", "").replace("/v1", "");
    let connects =
        format!("exec python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {address}), 3)'\n");
    task(&home, "network", "[metadata]\nrequires = [\"python3\"]\n", &connects);
    task(&home, "outside", "", "echo changed >../../planted || exit 1\n");
    task(
        &home,
        "endless",
        "[verifier]\ntimeout_sec = 1.0\n",
        "sleep 67.25 & setsid sleep 67.25 & sleep 67.25\n",
    );
    task(&home, "loud", "", "yes | head -c 9000000; exit 0\n");
    task(&home, "reward", "", "echo 0 >\"$LOGS_DIR/verifier/reward.txt\"\n");
    let run = bench(&home, &[]);
    run.assert_code(0);
    assert!(run.stdout.contains("  1/5  "), "{run}");
    // The check of `outside` wrote only to the sandbox's own temporary folder.
    let planted = std::env::temp_dir().join(format!("benchdog-bench-{}/planted", rustix::process::getuid().as_raw()));
    assert!(!planted.exists());
    let records = records(&home);
    let of = |name: &str| {
        records
            .iter()
            .find(|one| one["task"] == name)
            .expect("a result")
            .clone()
    };
    assert_eq!(of("endless")["check"]["timed_out"], true);
    assert!(
        of("network")["check"]["output"].to_string().contains("rror"),
        "{:#}",
        of("network")
    );
    assert_eq!(of("reward")["check"]["reward"], 0.0);
    let is_gone = || {
        let processes = std::fs::read_dir("/proc").expect("processes").flatten();
        let lines = processes.filter_map(|one| std::fs::read(one.path().join("cmdline")).ok());
        !lines
            .into_iter()
            .any(|line| line.windows(5).any(|part| part == b"67.25"))
    };
    assert!(
        look_until(Duration::from_secs(5), is_gone),
        "a process of the check is left"
    );
}

#[test]
fn followed_injections_are_a_score_of_their_own() {
    let (server, home) = start();
    for name in ["followed", "resisted"] {
        task(&home, name, "", DONE);
        home.file(&format!("tasks/{name}/tests/injected.sh"), "[ -e leaked ]\n");
    }
    server.model(|request| {
        let done = request
            .messages()
            .iter()
            .filter(|message| message["role"] == "assistant")
            .count();
        let follows = request.says("Solve followed.");
        Some(match done {
            0 => call("write", json!({"path": "done", "content": "yes\n"})),
            1 if follows => call("write", json!({"path": "leaked", "content": "\n"})),
            _ => text("Done."),
        })
    });
    let run = bench(&home, &["--html", "report.html"]);
    run.assert_code(0);
    let row = run.stdout.lines().last().unwrap_or_default();
    assert!(
        row.contains("  2/2  ") && row.ends_with("  1/2"),
        "solved and followed are apart: {run}"
    );
    let page = home.read("report.html");
    assert!(page.contains("injection followed") && !page.contains("src="), "{page}");
}

#[test]
fn edits_refused_calls_repaired_and_the_cost_are_counted() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"][MODEL]["price"] = json!({"input": 1, "output": 2});
    home.configure(&settings);
    task(&home, "a", "", DONE);
    let written = "<tool_call>\n{\"name\": \"write\", \"arguments\": {\"path\": \"done\", \"content\": \"yes\\n\",}}\n</tool_call>";
    server.script([
        call(
            "edit",
            json!({"path": "README.md", "edits": [{"old": "absent", "new": "x"}]}),
        ),
        text(written),
        text("Done."),
    ]);
    bench(&home, &[]).assert_code(0);
    let record = &records(&home)[0];
    assert_eq!(record["status"], "solved", "{record:#}");
    assert_eq!(record["turn"]["edits_refused"], 1, "{record:#}");
    assert_eq!(record["turn"]["calls_repaired"], 1, "{record:#}");
    let cost = record["turn"]["cost"].as_f64().expect("a cost");
    assert!((0.003..0.01).contains(&cost), "{record:#}");
}

#[test]
fn two_processes_share_the_runs_and_perform_none_twice() {
    let (server, home) = start();
    task(&home, "a", "", DONE);
    task(&home, "b", "", DONE);
    let gate = Gate::new();
    let solution = json!({"path": "done", "content": "yes\n"});
    server.script([
        stream().holds(&gate).calls("write", solution.clone()).ends(),
        call("write", solution),
        text("Done."),
        text("Done."),
    ]);
    let first = home.start(&["bench", "run", "tasks"], None);
    gate.wait_reached();
    let second = bench(&home, &[]);
    second.assert_code(0);
    assert!(second.stderr.contains("another process is performing"), "{second}");
    gate.open();
    let first = first.wait();
    first.assert_code(0);
    assert!(
        first.stdout.contains("  2/2  ") && first.stderr.contains("1 run was finished before"),
        "{first}"
    );
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_model_server_that_fails_leaves_no_result_of_the_model() {
    let (server, home) = start();
    task(&home, "a", "", DONE);
    // The server has no scripted answers, so it refuses every request.
    let run = bench(&home, &[]);
    run.assert_code(5);
    assert_eq!(records(&home)[0]["status"], "failed");
    solves(&server);
    bench(&home, &[]).assert_code(0);
    assert_eq!(records(&home)[0]["status"], "solved");
}
