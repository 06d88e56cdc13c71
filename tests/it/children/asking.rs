//! Tests of one reply that starts several subagents. Some need approval to start.

use rustix::process::Signal;

use super::{plays, requests_of, results, task};
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{calls, never, text};
use crate::support::request::Request;
use crate::support::server::Server;

/// Without a rule, `general` needs approval, because it may change files.
const CALLS: [(&str, &str); 8] = [
    ("explore", "find one"),
    ("general", "write one"),
    ("general", "write two"),
    ("explore", "find two"),
    ("explore", "find three"),
    ("explore", "find four"),
    ("explore", "find five"),
    ("explore", "find six"),
];

fn explorers() -> impl Iterator<Item = &'static str> {
    CALLS
        .iter()
        .filter(|(agent, _)| *agent == "explore")
        .map(|(_, who)| *who)
}

/// Waits until the subagent rows begin with these marks.
fn wait_for_marks(bench: &Pty, marks: &str) {
    bench.wait_for("all who need no answer", |screen| {
        explorers().all(|who| {
            let row = screen.row(&format!("· {who}"));
            row.is_some_and(|row| row.trim_start().starts_with(|mark| marks.contains(mark)))
        })
    });
}

#[test]
fn who_needs_no_answer_works_while_others_wait_for_theirs() {
    let server = Server::start();
    let home = Home::with(&server).window(100, 30);
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => calls(CALLS.map(|(agent, prompt)| task(agent, prompt))),
        ("go", _) => text("All eight are back."),
        (who, _) => text(&format!("Answer of {who}.")),
    });
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.wait_for_text("1 of 2");
    wait_for_marks(&bench, "✓");
    assert!(requests_of(&server, "write one").is_empty(), "nobody allowed it");
    bench.accept("write one");
    bench.wait_for_text("2 of 2");
    bench.refuse("write two");
    bench.wait_for_text("All eight are back.");
    bench.leave();
    let all = requests_of(&server, "go");
    all.iter().for_each(Request::assert_well_formed);
    let got = results(&all[1]);
    assert_eq!(got.len(), 8);
    for ((_, who), got) in CALLS.iter().zip(&got) {
        let wanted = match *who {
            "write two" => "The user refused this call".to_owned(),
            who => format!("Answer of {who}."),
        };
        assert!(got.starts_with(&wanted), "{wanted:?} does not begin {got:?}");
    }
    assert!(requests_of(&server, "write two").is_empty());
}

#[test]
fn an_always_covers_those_that_wait_beside() {
    let server = Server::start();
    let home = Home::with(&server).window(100, 30);
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => calls([task("general", "write one"), task("general", "write two")]),
        ("go", _) => text("Both are back."),
        (who, _) => text(&format!("Answer of {who}.")),
    });
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.wait_for_text("1 of 2");
    bench.enter_review();
    bench.open_always("a");
    bench.keys("y");
    bench.wait_for_text("Both are back.");
    bench.leave();
    let got = results(&requests_of(&server, "go")[1]);
    assert!(got[0].starts_with("Answer of write one.") && got[1].starts_with("Answer of write two."));
}

#[test]
fn one_key_stops_who_works_and_takes_back_what_is_asked() {
    let server = Server::start();
    let home = Home::with(&server).window(100, 30);
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => calls(CALLS.map(|(agent, prompt)| task(agent, prompt))),
        ("go", _) => text("Going on."),
        _ => never(),
    });
    let bench = home.bench(&[]);
    bench.ask("go");
    server.request(7);
    bench.wait_for_text("1 of 2");
    bench.keys("esc");
    bench.wait_for_text("interrupted");
    bench.wait_for("no request", |screen| !screen.has("1 of 2"));
    bench.ask("what now?");
    bench.wait_for_text("Going on.");
    bench.leave();
    let all = requests_of(&server, "go");
    all.iter().for_each(Request::assert_well_formed);
    let got = results(all.last().unwrap());
    assert_eq!(got.len(), 8);
    assert!(requests_of(&server, "write one").is_empty() && requests_of(&server, "write two").is_empty());
}

#[test]
fn killed_in_the_middle_each_call_says_what_became_of_it() {
    let server = Server::start();
    let home = Home::with(&server).window(100, 30);
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => calls(CALLS.map(|(agent, prompt)| task(agent, prompt))),
        ("go", _) => text("Going on."),
        _ => never(),
    });
    let bench = home.bench(&[]);
    bench.ask("go");
    server.request(7);
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let again = home.bench(&["-c"]);
    again.wait_for_text("result unknown");
    again.ask("what now?");
    again.wait_for_text("Going on.");
    again.leave();
    let all = requests_of(&server, "go");
    all.iter().for_each(Request::assert_well_formed);
    let got = results(all.last().unwrap());
    for ((agent, who), got) in CALLS.iter().zip(&got) {
        let wanted = match *agent {
            "general" => "before this call was run. Nothing was done.",
            _ => "had answered 0 times",
        };
        assert!(got.contains(wanted), "{who}: {wanted:?} is not in {got:?}");
    }
}
