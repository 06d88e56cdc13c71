//! Tests of a person's requests about the context window: a summary that is previewed, accepted, rejected or undone,
//! and pinned and dropped items.

use serde_json::json;

use super::{ROOM, home, long};
use crate::support::pty::Pty;
use crate::support::reply::{call, never, stream, text};
use crate::support::request::Request;
use crate::support::server::Server;

fn four_turns(bench: &Pty) {
    for turn in 1..=4 {
        ask(bench, &format!("Question {turn}"), turn);
    }
}

fn ask(bench: &Pty, prompt: &str, turn: usize) {
    bench.ask(prompt);
    bench.wait_for_text(&format!("Answer {turn}"));
    bench.wait_for("the end of the turn", |screen| !screen.has("Esc stop"));
}

/// Answers each prompt with a long text and its number. Answers requests for a summary with `summary`.
fn numbered(server: &Server, summary: &'static str) {
    server.model(move |request| {
        if request.is_for_summary() {
            return Some(text(summary));
        }
        let asked = request.last("user").rsplit(' ').next().unwrap_or_default().to_owned();
        Some(
            stream()
                .says(&format!("{} Answer {asked}", long("so")))
                .counts(request.tokens())
                .ends(),
        )
    });
}

#[test]
fn a_summary_is_shown_before_anything_changes_and_is_taken_back_to_the_last_byte() {
    let server = Server::start();
    let home = home(&server).window(120, 45);
    numbered(&server, "Objective: four questions about the ledger.");
    let bench = home.bench(&[]);
    four_turns(&bench);
    bench.ask("/compact keep the numbers");
    bench.wait_for("the summary", |screen| {
        screen.has("four questions about the ledger") && screen.has("Nothing has changed yet")
    });
    let asked = server
        .requests()
        .into_iter()
        .find(Request::is_for_summary)
        .expect("a request for a summary");
    assert!(asked.says("keep the numbers") && asked.says("Question 1"));
    bench.keys("y");
    bench.wait_for_text("Summarised earlier turns");
    ask(&bench, "Question 5", 5);
    let fifth = server.requests().pop().expect("a request");
    assert!(
        fifth.says("four questions about the ledger")
            && !fifth.says("so: thought number 3 of many. so: thought number 4 of many. Answer 1")
    );
    bench.ask("/compact undo");
    bench.wait_for_text("Restored: the model reads");
    ask(&bench, "Question 6", 6);
    let requests: Vec<Request> = server
        .requests()
        .into_iter()
        .filter(|request| !request.is_for_summary())
        .collect();
    let (fourth, sixth) = (&requests[3], &requests[5]);
    assert!(
        sixth.growing_part().starts_with(fourth.growing_part()),
        "the request before it, byte for byte"
    );
    assert!(sixth.says("Question 5"), "and what was said since");
    bench.ask("/compact undo");
    bench.wait_for_text("No compaction to undo");
    bench.leave();
}

#[test]
fn a_summary_that_is_not_wanted_changes_nothing() {
    let server = Server::start();
    let home = home(&server);
    numbered(&server, "Objective: four questions about the ledger.");
    let bench = home.bench(&[]);
    four_turns(&bench);
    bench.ask("/compact");
    bench.wait_for_text("Nothing has changed yet");
    bench.keys("esc");
    bench.wait_for("the dialog to close", |screen| !screen.has("Nothing has changed yet"));
    ask(&bench, "Question 5", 5);
    let requests: Vec<Request> = server
        .requests()
        .into_iter()
        .filter(|request| !request.is_for_summary())
        .collect();
    crate::support::request::assert_append_only(&requests);
    bench.leave();
}

#[test]
fn a_summary_that_is_stopped_while_it_is_made_changes_nothing() {
    let server = Server::start();
    let home = home(&server);
    numbered(&server, "never asked for");
    server.when(
        Request::is_for_summary,
        stream().says("Objective: half of").falls_silent(),
    );
    let bench = home.bench(&[]);
    four_turns(&bench);
    bench.ask("/compact");
    bench.wait_for("what is done", |screen| {
        screen.has("compacting 0:0") && screen.has("Esc stop")
    });
    let asked = server.request(5);
    assert!(asked.is_for_summary());
    bench.keys("esc");
    bench.wait_for_text("Summary stopped");
    server.wait_abandoned(5);
    ask(&bench, "Question 5", 5);
    let requests: Vec<Request> = server
        .requests()
        .into_iter()
        .filter(|request| !request.is_for_summary())
        .collect();
    crate::support::request::assert_append_only(&requests);
    bench.leave();
}

#[test]
fn esc_skips_a_summary_that_does_not_come_and_the_prompt_gets_its_answer() {
    let server = Server::start();
    let home = home(&server).window(120, 45);
    server.model(|request| {
        if request.is_for_summary() {
            return Some(never());
        }
        let asked = request.raw.rsplit("Question ").next().unwrap_or_default();
        let number: String = asked.chars().take_while(char::is_ascii_digit).collect();
        let says = format!("{} Answer {number}", long("so"));
        Some(stream().says(&says).counts(request.tokens()).ends())
    });
    let bench = home.bench(&[]);
    let mut turns = 1..=12;
    let waiting = turns.find(|turn| {
        bench.ask(&format!("Question {turn}"));
        bench.wait_for("its end, or a summary", |screen| {
            screen.has("Esc skip") || (screen.has(&format!("Answer {turn}")) && !screen.has("Esc stop"))
        });
        bench.look(|screen| screen.has("Esc skip"))
    });
    let turn = waiting.expect("the window fills");
    assert!(!bench.look(|screen| screen.has(&format!("Answer {turn}"))));
    bench.keys("esc");
    bench.wait_for("the answer", |screen| {
        screen.has(&format!("Answer {turn}")) && !screen.has("Esc stop")
    });
    let summaries = server.requests().into_iter().filter(Request::is_for_summary);
    assert_eq!(summaries.count(), 1);
    bench.leave();
    server.when(Request::is_for_summary, text("Objective: questions."));
    let run = home.run(&["run", "--continue", "and now?", "--output", "json"]);
    let id = run.json_lines()[0]["session"].as_str().expect("an id").to_owned();
    let shown = home.run(&["sessions", "show", &id]);
    assert!(shown.stdout.contains("Could not summarise: you skipped it"), "{shown}");
}

#[test]
fn ten_compactions_in_a_row_leave_rules_list_and_pins_byte_for_byte() {
    let server = Server::start();
    let home = home(&server);
    std::fs::write(
        home.benchdog_home().join("AGENTS.md"),
        "Numbers are written out, always.",
    )
    .expect("rules");
    home.file("chapter.txt", "The seventh chapter, which must stay word for word.\n");
    server.model(|request| {
        if request.is_for_summary() {
            return Some(text("Objective: the ledger."));
        }
        let items = json!({"items": [{"text": "port the ledger", "status": "in_progress"}]});
        let first = !request.messages().iter().any(|message| message["role"] == "assistant");
        let reads = request
            .messages()
            .last()
            .is_some_and(|message| message["role"] == "user")
            && request.says("Question 1");
        if first && reads {
            return Some(
                stream()
                    .calls("todowrite", items)
                    .calls("read", json!({"path": "chapter.txt"}))
                    .ends(),
            );
        }
        let asked = request.raw.rsplit("Question ").next().unwrap_or_default();
        let number: String = asked.chars().take_while(char::is_ascii_digit).collect();
        Some(
            stream()
                .says(&format!("{} Answer {number}", long("so")))
                .counts(request.tokens())
                .ends(),
        )
    });
    let bench = home.bench(&[]);
    ask(&bench, "Question 1", 1);
    pin_what_was_read(&bench);
    let mut kept = Vec::new();
    for round in 0..10 {
        ask(&bench, &format!("Question {}", 2 * round + 2), 2 * round + 2);
        ask(&bench, &format!("Question {}", 2 * round + 3), 2 * round + 3);
        bench.ask("/compact");
        bench.wait_for_text("Nothing has changed yet");
        bench.keys("y");
        bench.wait_for("the compaction", |screen| {
            !screen.has("Nothing has changed yet") && screen.has("Summarised earlier turns")
        });
        let newest = server
            .requests()
            .into_iter()
            .rfind(|request| !request.is_for_summary())
            .expect("a request");
        if round > 0 {
            let beginning = newest.messages()[1]["content"].as_str().unwrap_or_default().to_owned();
            let (_, word_for_word) = beginning.split_once("# Kept word for word").expect("what is pinned");
            kept.push((newest.messages()[0].to_string(), word_for_word.to_owned()));
        }
    }
    assert!(kept[0].0.contains("Numbers are written out") && kept[0].1.contains("The seventh chapter"));
    assert!(kept[0].1.contains("1 [~] port the ledger"), "{kept:?}");
    assert!(kept.iter().all(|one| *one == kept[0]), "{kept:#?}");
    assert!(server.requests().iter().all(|request| request.tokens() <= ROOM));
    bench.leave();
}

/// Opens the file items of the context pane, and pins the only one.
fn pin_what_was_read(bench: &Pty) {
    bench.ask("/context");
    bench.keys("down down down enter");
    bench.wait_for_text("…apter.txt");
    bench.keys("down p");
    bench.wait_for_text("▪");
    bench.keys("esc");
}

#[test]
fn what_is_left_out_is_one_line_that_says_how_it_is_had_again() {
    let server = Server::start();
    let home = home(&server);
    home.file("chapter.txt", &"The seventh chapter.\n".repeat(40));
    server.script([
        call("read", json!({"path": "chapter.txt"})),
        text("Answer 1"),
        text("Answer 2"),
    ]);
    let bench = home.bench(&[]);
    ask(&bench, "Question 1", 1);
    bench.ask("/tokens");
    bench.keys("down down enter");
    bench.wait_for("the file in the list", |screen| screen.has("…apter.txt"));
    bench.keys("down d");
    bench.wait_for_text("⊘");
    bench.keys("esc");
    ask(&bench, "Question 2", 2);
    let third = server.request(3);
    assert!(!third.says("The seventh chapter."));
    assert!(third.says("To read it again: `read` chapter.txt"), "{}", third.raw);
    third.assert_well_formed();
    bench.leave();
}
