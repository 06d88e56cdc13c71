//! Who types where the keyboard was kept: that is told from deciding, and all of it is in the prompt.

use super::super::approval::{Dice, once_more};
use super::*;
use crate::app::dialogs::Dialog;

#[test]
fn who_types_forty_words_a_minute_decides_nothing() {
    let mut bench = kept();
    for letter in ["n", "o", "w"] {
        bench.types(letter);
        bench.wait(330);
    }
    bench.wait(1_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "now"));
}

#[test]
fn two_letters_are_typing_and_both_are_in_the_prompt() {
    for typed in ["ye", "yj", "jy", "a ", "xy"] {
        let mut bench = kept();
        bench.types(typed);
        bench.wait(2_000);
        assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, typed));
        assert!(!bench.state.approvals.has_keyboard());
        let said = bench.state.toast.as_ref().map(|toast| toast.text.as_str());
        assert!(
            said.is_none_or(|said| said.contains("typing goes to the prompt")),
            "{said:?}"
        );
    }
}

#[test]
fn enter_after_a_letter_sends_nothing_and_escape_takes_the_letter_back() {
    let mut bench = kept();
    bench.keys("y enter");
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "y"));

    let mut bench = kept();
    bench.keys("y esc");
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, ""));
    assert!(bench.state.approvals.has_keyboard());
    bench.keys("n");
    bench.wait(550);
    assert_eq!(decided(&bench)[1], ("two", &Decision::Deny { reason: None }));
}

#[test]
fn a_thousand_requests_that_keep_the_keyboard_remember_nothing_of_what_is_typed_however_slowly() {
    let letters = "aaaayyyyn1 \n";
    let mut dice = Dice(13);
    let mut bench = kept();
    let mut confirmed = 0;
    for round in 1..=1_000 {
        for _ in 0..10 {
            let pause = match dice.roll(3) {
                0 => 30 + dice.roll(200),
                _ => 250 + dice.roll(1_500),
            };
            bench.wait(i64::try_from(pause).unwrap());
            let front = bench.state.approvals.front();
            confirmed += usize::from(front.is_some_and(|front| matches!(front.step, Step::ConfirmAlways(_))));
            let at = usize::try_from(dice.roll(letters.len() as u64)).unwrap();
            bench.types(letters.get(at..=at).unwrap());
        }
        bench.wait(2_000);
        let always = decided(&bench)
            .into_iter()
            .find(|(_, decision)| matches!(decision, Decision::Always { .. }));
        assert_eq!(always, None, "round {round}");
        // The person decides one from inside, and the next takes the keyboard along.
        if bench.state.approvals.waiting.is_empty() {
            bench.asks(edit(&format!("before-{round}")));
        }
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys("n");
        bench.wait(500);
        bench.asks(edit(&format!("round-{round}")));
    }
    assert!(confirmed > 100, "the scope was shown, {confirmed} times");
}

#[test]
fn a_letter_for_a_request_that_was_decided_elsewhere_is_typing() {
    let mut bench = kept();
    bench.keys("y");
    bench.decided(CallId("two".to_owned()), DecidedBy::Timeout);
    bench.asks(edit("three"));
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "y"));
}

#[test]
fn a_thousand_requests_that_keep_the_keyboard_take_no_typing_for_a_decision() {
    let prose =
        "yes a nay 1 any y a n 1 always say no, y\na year in any way; n y a 1 run it: yy aa nn rr ee ?? u w g G j k";
    let mut dice = Dice(11);
    let mut bench = kept();
    let (mut typed, mut prompts) = (String::new(), String::new());
    for round in 1..=1_000 {
        // A burst of typing begins at any moment; within it keys come as fast as people type.
        bench.now.0 += i64::try_from(dice.roll(1_200)).unwrap();
        bench.wait(0);
        let mut from = usize::try_from(dice.roll(prose.len() as u64 - 20)).unwrap();
        // Enter in the request, also right after a letter, sends nothing.
        while prose.get(from..from + 2).unwrap().contains('\n') {
            from += 1;
        }
        for c in prose.get(from..from + 20).unwrap().chars() {
            bench.wait(30 + i64::try_from(dice.roll(200)).unwrap());
            bench.types(&c.to_string());
            if c == '\n' {
                once_more(&mut bench);
                prompts.push_str(std::mem::take(&mut typed).trim());
            } else {
                typed.push(c);
            }
        }
        assert_eq!(decided(&bench).len(), round, "round {round}");
        assert_eq!(bench.prompt(), typed, "round {round}");
        // The person decides one from inside, and the next takes the keyboard along.
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys(if bench.state.approvals.front_is_question() {
            "enter"
        } else {
            "n"
        });
        bench.wait(500);
        let call = format!("round-{round}");
        bench.asks(if round % 3 == 0 { question(&call) } else { edit(&call) });
    }
    let said = bench.commands().into_iter().filter_map(|command| match command {
        Command::Prompt { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(said.collect::<String>(), prompts);
}

#[test]
fn the_first_letter_of_what_was_typed_was_lost_where_the_request_was_made_anew_behind_it() {
    let mut bench = kept();
    bench.keys("h");
    let mut anew = edit("two");
    anew.edition = 1;
    bench.asks(anew);
    bench.types("ello");
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "hello"));
}

#[test]
fn a_letter_that_waited_under_what_came_over_its_request_is_in_the_prompt_and_closes_nothing() {
    let mut bench = kept();
    bench.keys("y");
    bench.event(Answer::CompactionReady(super::super::context::preview()));
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "y"));
    assert!(matches!(bench.state.dialog, Some(Dialog::Compaction(_))));
}
