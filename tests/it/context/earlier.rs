//! Tests that turns dropped from memory in a long session are loaded again on demand.

use super::{home, long};
use crate::support::pty::Pty;
use crate::support::reply::{stream, text};
use crate::support::server::Server;

const EARLY: &str = "The oldest word is chrysoprase.";

fn ask(bench: &Pty, turn: usize) {
    bench.ask(&format!("Question {turn}"));
    bench.wait_for_text(&format!("Answer {turn}."));
    bench.wait_for("the end of the turn", |screen| !screen.has("Esc stop"));
}

fn summarise(bench: &Pty) {
    bench.ask("/compact");
    bench.wait_for_text("Nothing has changed yet");
    bench.keys("y");
    bench.wait_for("the compaction", |screen| {
        !screen.has("Nothing has changed yet") && screen.has("Summarised earlier turns")
    });
}

fn find_the_oldest(bench: &Pty) {
    assert!(!bench.look(|screen| screen.has("chrysoprase")));
    bench.keys("alt-2 /");
    bench.type_text("oldest word is");
    bench.keys("enter");
    bench.wait_for_text(EARLY);
    // Close the find line, then the pane.
    bench.keys("esc");
    bench.wait_for("the end of the search", |screen| !screen.has("find oldest"));
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| !screen.has("▌"));
}

#[test]
fn a_search_finds_what_stands_above_many_compactions_also_after_the_session_is_opened_again() {
    let server = Server::start();
    let home = home(&server);
    server.model(|request| {
        if request.is_for_summary() {
            return Some(text("Objective: the ledger."));
        }
        let asked = request.last("user").rsplit(' ').next().unwrap_or_default().to_owned();
        let early = if asked == "1" { EARLY } else { "" };
        let said = format!("{early}\n\n{}\n\nAnswer {asked}.", long("so"));
        Some(stream().says(&said).counts(request.tokens()).ends())
    });
    let bench = home.bench(&[]);
    for round in 0..4 {
        for turn in 1..=3 {
            ask(&bench, 3 * round + turn);
        }
        summarise(&bench);
    }
    find_the_oldest(&bench);
    bench.leave();

    let bench = home.bench(&["--continue"]);
    bench.wait_for_text("Answer 12.");
    find_the_oldest(&bench);
    // The session continues unchanged after earlier turns were shown.
    ask(&bench, 13);
    let newest = server.requests().pop().expect("a request");
    assert!(newest.says("Question 13") && !newest.says("chrysoprase"));
    bench.leave();
}
