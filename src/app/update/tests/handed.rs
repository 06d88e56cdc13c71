//! Tests a proposal whose file changes on disk while the user edits it in an external editor.

use super::anew::{anew, editions, text_of};
use super::*;
use crate::msg::{EditTicket, OpResult};
use benchdog_lang::{Word, word};

fn handed(bench: &mut Bench) -> (EditTicket, String) {
    bench.keys("E");
    let opened = bench.ops.iter().rev().find_map(|op| match op {
        Op::OpenEditor { ticket, text, .. } => Some((ticket.clone(), text.clone())),
        _ => None,
    });
    opened.unwrap()
}

fn comes_back(bench: &mut Bench, ticket: EditTicket, text: String) {
    bench.wait(2_000);
    let (seat, text) = (bench.state.screen.seat, Ok(Some(text)));
    bench.send(Msg::Done(OpResult::Edited { seat, ticket, text }));
}

#[test]
fn a_text_from_an_editor_outside_is_carried_over_to_what_is_there_now() {
    let mut bench = inside();
    let (ticket, text) = handed(&mut bench);
    bench.asks(anew(|text| text.replace("line 20\n", "line 20\ntheirs\n")));
    comes_back(&mut bench, ticket, text.replace("line three\n", "line of mine\n"));
    let now = text_of(&bench);
    assert!(now.contains("line of mine\n") && now.contains("theirs\n"), "{now}");
    let notes = &bench.state.screen.approvals.front().unwrap().diff().unwrap().files[0].notes;
    assert!(notes.iter().any(|note| note == word(Word::EditedByYou)), "{notes:?}");
    assert!(bench.earlier_prompts().is_empty());
    bench.keys("y");
    bench.wait(100);
    assert!(editions(&bench).is_empty(), "it was on screen for a moment only");
    bench.wait(1_000);
    bench.keys("y");
    assert_eq!(editions(&bench), [1]);
}

#[test]
fn it_is_carried_over_all_that_came_meanwhile_and_only_once() {
    let mut bench = inside();
    let (ticket, text) = handed(&mut bench);
    bench.asks(anew(|text| text.replace("line 20\n", "line 20\ntheirs\n")));
    let mut next = anew(|text| text.replace("line 20\n", "line 20\ntheirs\n") + "more of theirs\n");
    next.edition = 2;
    bench.asks(next);
    comes_back(
        &mut bench,
        ticket.clone(),
        text.replace("line three\n", "line of mine\n"),
    );
    let now = text_of(&bench);
    assert!(
        now.contains("line of mine\n") && now.contains("theirs\n") && now.ends_with("more of theirs\n"),
        "{now}"
    );
    comes_back(&mut bench, ticket, "again\n".to_owned());
    assert_eq!(text_of(&bench), now);
    assert_eq!(bench.earlier_prompts(), ["again"]);
}

#[test]
fn a_text_that_cannot_be_carried_over_becomes_an_earlier_prompt_and_no_letter_counts_at_once() {
    let mut bench = inside();
    let (ticket, text) = handed(&mut bench);
    bench.asks(anew(|text| text.replace("line 4\n", "line four\n")));
    comes_back(&mut bench, ticket, text.replace("line three\n", "line of mine\n"));
    assert!(!text_of(&bench).contains("of mine"), "{}", text_of(&bench));
    let toast = bench.state.screen.toast.as_ref().map(|toast| toast.text.clone());
    assert_eq!(toast, Some(benchdog_lang::is_earlier_prompt("Ctrl+R")));
    let prompts = bench.earlier_prompts();
    assert!(prompts.len() == 1 && prompts[0].contains("line of mine"), "{prompts:?}");
    bench.keys("y");
    bench.wait(100);
    assert!(editions(&bench).is_empty(), "it is the text of the model again");
}

#[test]
fn a_text_that_builds_on_one_that_found_no_place_becomes_an_earlier_prompt_whole() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("mine ");
    bench.keys("ctrl-s");
    bench.wait(600);
    let (ticket, text) = handed(&mut bench);
    assert!(text.contains("mine line three\n"), "{text}");
    bench.asks(anew(|text| text.replace("line 4\n", "line four\n")));
    comes_back(&mut bench, ticket, text.replace("line 40\n", "line forty\n"));
    assert!(!text_of(&bench).contains("line forty"), "{}", text_of(&bench));
    let prompts = bench.earlier_prompts();
    let is_whole = |text: &String| text.contains("mine line three") && text.contains("line forty");
    assert!(prompts.iter().any(is_whole), "{prompts:?}");
}
