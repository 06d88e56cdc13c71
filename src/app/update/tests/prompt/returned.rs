//! Tests texts that return to the prompt: unsent, undone, or too long.

use super::*;
use benchdog_domain::failure::Overweight;
use benchdog_domain::waiting::{WaitingPrompt, WaitsFor};

#[test]
fn a_prompt_that_is_too_large_for_the_window_is_back_in_the_editor_with_the_reason_above_it() {
    let mut bench = Bench::new(80, 24);
    bench.types("a whole book\n");
    assert_eq!(bench.prompt(), "");
    bench.event(Answer::TooLarge {
        prompt: "a whole book".to_owned(),
        over: Overweight {
            used: 90,
            limit: 80,
            fixed: 0,
        },
    });
    assert_eq!(bench.prompt(), "a whole book");
    assert!(bench.screen().iter().any(|row| row.contains("about 90 tokens")));
    assert!(
        !bench.screen().iter().any(|row| row.contains("you")),
        "it is not in the log"
    );
}

#[test]
fn what_was_never_sent_stands_above_the_prompt_with_the_key_that_brings_it_back() {
    let mut bench = Bench::new(80, 24);
    let waits = |text: &str, waits_for| WaitingPrompt {
        text: text.to_owned(),
        waits_for,
    };
    bench.event(Live::Queued(vec![
        waits("/steer stop", WaitsFor::Person),
        waits("then test", WaitsFor::Person),
    ]));
    let cards = |bench: &Bench| -> Vec<String> {
        let rows = crate::view::cards::cards(&bench.state, 78);
        rows.into_iter().map(|(row, _)| row).collect()
    };
    let told = cards(&bench);
    assert!(told[0].contains("Press Up to edit it"), "{told:?}");
    assert_eq!(told[1..], ["not sent  /steer stop", "not sent  then test"]);
    bench.asks(edit("c1"));
    assert_eq!(
        cards(&bench),
        ["2 not sent  /steer stop"],
        "what is asked about comes before them"
    );
    let before = bench.ops.len();
    bench.keys("up");
    assert!(matches!(bench.ops[before..], [Op::Send(Command::Unqueue), ..]));
}

#[test]
fn beside_a_review_in_a_low_window_what_is_queued_is_one_row_with_its_number() {
    let told = |height| {
        let mut bench = Bench::new(80, height);
        bench.asks(edit("c1"));
        let queued = ["first", "second", "third"].map(|text| WaitingPrompt {
            text: text.to_owned(),
            waits_for: WaitsFor::TurnEnd,
        });
        bench.event(Live::Queued(queued.to_vec()));
        above(&bench)
    };
    assert_eq!(told(24), ["3 queued  third"], "the one that `Up` brings back");
    assert_eq!(told(45), ["queued  first", "queued  second", "queued  third"]);
}

fn above(bench: &Bench) -> Vec<String> {
    let rows = crate::view::cards::cards(&bench.state, 78);
    rows.into_iter().map(|(row, _)| row).collect()
}

/// Gives prompts back as after a stop, oldest first.
fn comes_back(bench: &mut Bench, texts: &[&str]) {
    let texts = texts.iter().map(|text| (*text).to_owned());
    bench.event(Answer::GivenBack(texts.collect()));
}

#[test]
fn what_a_stop_gives_back_stands_above_the_draft_and_up_shows_it_whatever_is_written() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Generating));
    bench.types("add tests\n");
    bench.types("mention netrc");
    bench.keys("alt-s");
    bench.types("half a draft");
    bench.keys("esc");
    comes_back(&mut bench, &["/steer mention netrc", "add tests"]);
    let row = "2 not sent, press Up to edit  /steer mention netrc";
    assert_eq!(above(&bench), [row], "in one row");
    let mut walked = Vec::new();
    for _ in 0..3 {
        bench.keys("up");
        walked.push(bench.prompt());
    }
    assert_eq!(
        walked,
        ["/steer mention netrc", "add tests", "add tests"],
        "the older is found first, and each is there once"
    );
    bench.keys("down down");
    assert_eq!(bench.prompt(), "half a draft");
    assert_eq!(above(&bench), [row], "until they are sent");
    bench.keys("up");
    bench.types("\n");
    assert_eq!(above(&bench), ["not sent, press Up to edit  add tests"]);
    bench.types("something else\n");
    assert_eq!(above(&bench), [] as [&str; 0]);
}

#[test]
fn what_came_back_into_an_empty_prompt_hides_nothing_of_what_came_with_it() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Generating));
    bench.types("first of two\n");
    bench.types("second of two\n");
    bench.keys("esc");
    comes_back(&mut bench, &["first of two", "second of two"]);
    assert_eq!(bench.prompt(), "first of two");
    bench.keys("up");
    assert_eq!(bench.prompt(), "second of two");
    bench.keys("down");
    assert_eq!(bench.prompt(), "first of two");
}

#[test]
fn those_taken_back_are_walked_in_their_order_whatever_was_sent_since() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Generating));
    for text in ["one\n", "two\n", "three\n"] {
        bench.types(text);
    }
    bench.keys("esc");
    comes_back(&mut bench, &["one", "two", "three"]);
    assert_eq!(bench.prompt(), "one");
    for (next, above_it) in [
        ("two", "2 not sent, press Up to edit  two"),
        ("three", "not sent, press Up to edit  three"),
    ] {
        bench.keys("enter up");
        assert_eq!(bench.prompt(), next, "the one that is named above");
        assert_eq!(above(&bench), [above_it]);
    }
    bench.keys("enter up");
    assert_eq!(bench.prompt(), "three", "what was sent last");
}

#[test]
fn what_is_cleared_beside_prompts_that_came_back_is_brought_by_the_key_that_is_named() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Generating));
    bench.types("one\n");
    bench.types("two\n");
    bench.types("half a draft");
    bench.keys("esc");
    comes_back(&mut bench, &["one", "two"]);
    bench.event(Live::State(TurnState::Interrupted));
    bench.keys("ctrl-c");
    let said = bench.state.screen.toast.as_ref().map(|toast| toast.text.clone());
    assert!(said.is_some_and(|said| said.contains("Up or")));
    bench.keys("up");
    assert_eq!(bench.prompt(), "half a draft");
    assert_eq!(bench.state.screen.toast, None, "it was about that key");
    bench.keys("up");
    assert_eq!(bench.prompt(), "one");
}

#[test]
fn three_quotes_begin_and_end_a_prompt_of_several_lines_and_what_lies_between_is_text() {
    let sent = |typed: &str| {
        let mut bench = Bench::new(80, 24);
        bench.types(typed);
        let prompts = bench.commands().into_iter().filter_map(|command| match command {
            Command::Prompt { text, .. } => Some(text.clone()),
            Command::Shell { command, .. } => Some(format!("a command: {command}")),
            _ => None,
        });
        prompts.collect::<Vec<_>>()
    };
    assert_eq!(sent("\"\"\"\none\n/quit\n!ls"), [] as [&str; 0], "it is not ended");
    assert_eq!(sent("\"\"\"\none\n/quit\n!ls\n\"\"\"\n"), ["one\n/quit\n!ls"]);
    assert_eq!(sent("\"\"\"\n!ls\n\"\"\"\n"), ["!ls"], "as a prompt");
    assert_eq!(sent("\"\"\"\n\"\"\"\n"), [] as [&str; 0]);
    assert_eq!(sent("what is \"\"\"\n"), ["what is \"\"\""]);
    assert_eq!(sent("\"\"\"doc\"\"\"\n"), ["\"\"\"doc\"\"\""]);
}
