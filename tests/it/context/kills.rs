//! Tests of kills around a compaction. The log has its state before or after the compaction.

use rustix::process::Signal;
use serde_json::json;

use super::summaries::talks;
use super::{long, settings};
use crate::support::home::Home;
use crate::support::process::Running;
use crate::support::reply::{Gate, never, stream, text};
use crate::support::request::Request;
use crate::support::server::Server;

/// Runs prompts until `reached` matches a request. Returns the run with this request.
fn until(server: &Server, home: &Home, reached: impl Fn(&Request) -> bool) -> Running {
    for asked in 1.. {
        let prompt = format!("Question number {asked}.");
        let mut arguments = vec!["run", "--output", "stream-json", &prompt];
        arguments.extend((asked > 1).then_some("-c"));
        let before = server.requests().len();
        let run = home.start(&arguments, None);
        let mut number = before + 1;
        // Requests after a summary belong to the same run.
        while server.request(number).is_for_summary() && !reached(&server.request(number)) {
            number += 1;
        }
        if reached(&server.request(number)) {
            return run;
        }
        run.wait().assert_code(0);
    }
    unreachable!("the window fills")
}

fn log_of(home: &Home) -> String {
    let listed = home.run(&["sessions", "list", "--format", "json"]);
    let sessions = listed.json_lines().remove(0);
    let id = sessions[0]["id"].as_str().expect("a session");
    let log = home.run(&["sessions", "show", id, "--format", "jsonl"]);
    log.assert_code(0);
    log.stdout
}

#[test]
fn a_kill_in_the_moment_a_summary_has_come_leaves_the_log_before_it_or_after_it() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&settings(&server, 12_000, 2_000));
    let gate = Gate::new();
    let end = gate.clone();
    talks(&server, move |_| {
        stream().says("Objective: asked and answered.").holds(&end).ends()
    });
    let run = until(&server, &home, Request::is_for_summary);
    gate.wait_reached();
    gate.open();
    run.signal(Signal::KILL);
    run.wait();
    let log = log_of(&home);
    let after = log.contains("\"kind\":\"compaction\"");
    assert!(!after || log.contains("asked and answered"), "{log}");
    talks(&server, |_| text("Objective: asked and answered."));
    home.run(&["run", "-c", "the last question"]).assert_code(0);
    let last = server.requests().pop().expect("a request");
    assert!(
        last.says("the last question") && last.says("asked and answered"),
        "{}",
        last.raw
    );
    last.assert_well_formed();
}

#[test]
fn a_kill_before_the_answer_to_the_first_request_behind_a_compaction_loses_nothing_of_it() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&settings(&server, 12_000, 2_000));
    server.model(|request| {
        Some(if request.is_for_summary() {
            text("Objective: asked and answered.")
        } else if request.says("asked and answered") {
            never()
        } else {
            stream().says(&long("answer")).counts(request.tokens()).ends()
        })
    });
    let run = until(&server, &home, |request| {
        !request.is_for_summary() && request.says("asked and answered")
    });
    let sent = server.requests().pop().expect("a request");
    run.signal(Signal::KILL);
    run.wait();
    assert_eq!(log_of(&home).matches("\"kind\":\"compaction\"").count(), 1);
    talks(&server, |_| panic!("it was summarised already"));
    home.run(&["run", "-c", "the last question"]).assert_code(0);
    let last = server.requests().pop().expect("a request");
    assert!(last.growing_part().starts_with(sent.growing_part()), "{}", last.raw);
    last.assert_well_formed();
}

#[test]
fn a_kill_between_a_prune_and_the_answer_to_its_request_leaves_outputs_shortened() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&settings(&server, 12_000, 2_000));
    let lines: String = (0..120)
        .map(|line| format!("chapter one, line {line} of many\n"))
        .collect();
    home.file("chapter.txt", &lines);
    server.model(|request| {
        let asked = request
            .messages()
            .last()
            .is_some_and(|message| message["role"] == "user");
        let reply = if request.says("were taken out here") {
            return Some(never());
        } else if asked {
            stream().calls("read", json!({"path": "chapter.txt"}))
        } else {
            stream().says("Done.")
        };
        Some(reply.counts(request.tokens()).ends())
    });
    let mut asked = 0;
    let run = loop {
        asked += 1;
        let prompt = format!("Question number {asked}.");
        let mut arguments = vec!["run", "--output", "stream-json", &prompt];
        arguments.extend((asked > 1).then_some("-c"));
        let before = server.requests().len();
        let run = home.start(&arguments, None);
        let pruned = [1, 2]
            .into_iter()
            .find(|step| server.request(before + step).says("were taken out here"));
        if pruned.is_some() {
            break run;
        }
        run.wait().assert_code(0);
    };
    let sent = server.requests().pop().expect("a request");
    run.signal(Signal::KILL);
    run.wait();
    assert_eq!(log_of(&home).matches("\"kind\":\"compaction\"").count(), 1);
    server.model(|request| Some(stream().says("Done.").counts(request.tokens()).ends()));
    home.run(&["run", "-c", "the last question"]).assert_code(0);
    let last = server.requests().pop().expect("a request");
    assert!(last.growing_part().starts_with(sent.growing_part()), "{}", last.raw);
    last.assert_well_formed();
}

#[test]
fn a_kill_while_a_summary_is_made_leaves_the_session_as_it_was() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&settings(&server, 12_000, 2_000));
    talks(&server, |_| stream().says("Objective: half of").falls_silent());
    let mut asked = 0;
    let run = loop {
        asked += 1;
        let prompt = format!("Question number {asked}.");
        let mut arguments = vec!["run", "--output", "stream-json", &prompt];
        arguments.extend((asked > 1).then_some("-c"));
        let before = server.requests().len();
        let run = home.start(&arguments, None);
        if server.request(before + 1).is_for_summary() {
            break run;
        }
        run.wait().assert_code(0);
    };
    run.signal(Signal::KILL);
    run.wait();
    let listed = home.run(&["sessions", "list", "--format", "json"]);
    let sessions = listed.json_lines().remove(0);
    let id = sessions[0]["id"].as_str().expect("a session");
    let log = home.run(&["sessions", "show", id, "--format", "jsonl"]);
    log.assert_code(0);
    assert!(
        log.stdout.contains("\"kind\":\"user\"") && !log.stdout.contains("\"kind\":\"compaction\""),
        "{log}"
    );
    talks(&server, |_| text("Objective: questions were asked and answered."));
    home.run(&["run", "-c", "the last question"]).assert_code(0);
    let last = server.requests().pop().expect("a request");
    assert!(last.says("the last question") && last.says("questions were asked and answered"));
    last.assert_well_formed();
}
