//! The same letter again and again where the keyboard was kept: each request is decided once it was read, and no text decides.

use super::*;

/// Five edits wait, and `y` is pressed at this pace until all are decided. For how long each was on screen, and how many letters it took.
fn accepts(pace: i64) -> (Vec<i64>, usize) {
    let mut bench = Bench::new(120, 40);
    for call in 0..5 {
        bench.asks(edit(&call.to_string()));
    }
    let (mut shown, mut lasted, mut letters) = (bench.now.0, Vec::new(), 0);
    bench.keys("alt-a");
    bench.wait(1_000);
    while lasted.len() < 5 && letters < 40 {
        bench.keys("y");
        letters += 1;
        for _ in 0..(pace - 20) / 10 {
            bench.wait(10);
            if decided(&bench).len() > lasted.len() {
                lasted.push(bench.now.0 - shown);
                shown = bench.now.0;
            }
            assert_eq!(decided(&bench).len(), lasted.len(), "one at a time");
        }
    }
    assert_eq!(bench.prompt(), "", "{pace}");
    (lasted, letters)
}

#[test]
fn a_letter_that_is_pressed_again_while_it_waits_does_not_wait_anew() {
    for pace in [350, 480, 700, 900] {
        let (lasted, letters) = accepts(pace);
        assert_eq!(lasted.len(), 5, "{pace}: after {letters} letters");
        assert!(lasted.iter().all(|ms| *ms >= 500), "{pace}: {lasted:?}");
        assert!(pace < 700 || letters == 5, "{pace}: {letters} letters");
        assert!(letters <= 25, "{pace}: {letters} letters");
    }
}

/// The first of two requests was decided from inside, and the second is on screen for so long.
fn kept_for(ms: i64) -> Bench {
    let mut bench = inside();
    bench.keys("y");
    bench.asks(edit("two"));
    bench.wait(ms);
    bench
}

#[test]
fn what_is_typed_at_any_pace_decides_nothing_and_stays_whole() {
    for text in ["yes", "any", "yyyes please", "nny", "no", "yyyy-mm-dd", "nnoremap"] {
        for pace in [30, 60, 100, 150, 200, 250, 300, 350, 450] {
            for shown in [50, 300, 480, 600, 2_000] {
                let mut bench = kept_for(shown);
                for c in text.chars() {
                    bench.types(&c.to_string());
                    bench.wait(pace - 20);
                }
                bench.wait(2_000);
                assert_eq!(
                    (decided(&bench).len(), bench.prompt().as_str()),
                    (1, text),
                    "{pace} {shown}"
                );
            }
        }
    }
}

#[test]
fn a_key_that_is_held_down_decides_nothing() {
    for first in [250, 400, 480] {
        for shown in [50, 300, 600] {
            let mut bench = kept_for(shown);
            bench.keys("y");
            bench.wait(first - 20);
            for _ in 0..40 {
                bench.keys("y");
                bench.wait(10);
            }
            bench.wait(2_000);
            assert_eq!(decided(&bench).len(), 1, "{first} {shown}");
        }
    }
}

#[test]
fn a_letter_before_it_is_lit_waits_and_is_shown_to() {
    for letter in ["y", "n"] {
        let mut bench = kept_for(250);
        bench.keys(letter);
        assert!(bench.state.approvals.pressed().is_some(), "{letter}");
        bench.wait(490);
        assert_eq!(decided(&bench).len(), 1, "{letter}");
        bench.wait(10);
        assert_eq!(decided(&bench).len(), 2, "{letter}");
        assert_eq!(bench.prompt(), "");
    }
}

#[test]
fn what_was_typed_between_two_requests_is_text_and_the_way_in_is_said_once() {
    let says = |bench: &Bench| {
        let said = bench.state.toast.as_ref();
        said.is_some_and(|said| said.text.contains("typing goes to the prompt"))
    };
    let mut bench = inside();
    bench.keys("y");
    bench.wait(300);
    bench.keys("y");
    assert!(!says(&bench), "nothing waits yet");
    bench.asks(edit("two"));
    assert!(says(&bench) && !bench.state.approvals.has_keyboard());
    assert_eq!(bench.prompt(), "y");
    bench.state.toast = None;
    bench.asks(edit("three"));
    assert!(!says(&bench), "it was said");
    bench.wait(2_000);
    assert_eq!(decided(&bench).len(), 1);

    // Nothing stands in the prompt, or the keyboard came along: there is nothing to say.
    for between in ["y backspace", ""] {
        let mut bench = inside();
        bench.keys("y");
        bench.wait(300);
        for key in between.split_whitespace() {
            bench.keys(key);
        }
        bench.asks(edit("two"));
        assert!(!says(&bench), "{between}");
    }
}

#[test]
fn a_letter_right_behind_what_nobody_expected_decides_nothing() {
    // Sooner than anybody can answer to what they see.
    let mut bench = kept_for(150);
    bench.keys("y");
    bench.wait(2_000);
    assert_eq!(decided(&bench).len(), 1);

    // The one before was decided elsewhere.
    let mut bench = inside();
    bench.asks(edit("two"));
    bench.decided(CallId("one".to_owned()), crate::domain::permission::DecidedBy::Timeout);
    bench.wait(300);
    bench.keys("y");
    bench.wait(2_000);
    assert!(decided(&bench).is_empty(), "{:?}", decided(&bench));

    // The answer took its time, and the letter may be the first of the next prompt.
    let mut bench = inside();
    bench.keys("y");
    bench.wait(5_000);
    bench.asks(edit("two"));
    bench.wait(300);
    bench.keys("y");
    bench.wait(2_000);
    assert_eq!(decided(&bench).len(), 1);
}
