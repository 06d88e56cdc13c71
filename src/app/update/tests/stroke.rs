//! Tests of two-key bindings.

use super::*;
use crate::msg::MouseKind;
use crate::view::status::status;

#[test]
fn a_first_stroke_stays_on_screen_with_what_may_follow_until_the_next_key() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Generating));
    bench.keys("ctrl-x");
    bench.wait(60_000);
    let shown = status(&bench.state);
    assert_eq!(
        shown.middle_short,
        "Ctrl+X … 1 2 3 4 5 6 panes · n new · o next · w close · a all"
    );
    let mut narrow = Bench::new(60, 24);
    narrow.keys("ctrl-x");
    assert_eq!(
        status(&narrow.state).middle_short,
        "Ctrl+X … 1 2 3 4 5 6 n o w r f v p d a x e"
    );
    assert!(
        shown
            .middle
            .starts_with("Ctrl+X … 1 Go to files · 2 Go to conversation · "),
        "{}",
        shown.middle
    );
    let keys: Vec<_> = shown.keys.iter().map(|hint| (&*hint.key, hint.text)).collect();
    assert_eq!(keys, [("Esc", "back")]);
    bench.keys("esc");
    assert!(bench.state.stroke.is_none() && bench.state.screen.toast.is_none());
    assert_eq!(
        bench.commands(),
        [] as [&Command; 0],
        "Esc ended the wait, not the turn"
    );
}

#[test]
fn a_second_stroke_that_nothing_is_bound_to_says_so_and_does_nothing() {
    for (second, said) in [
        ("k", "Ctrl+X k is not bound"),
        ("enter", "Ctrl+X Enter is not bound"),
        ("ctrl-p", "Ctrl+X Ctrl+P is not bound"),
        ("ctrl-x", "Ctrl+X Ctrl+X is not bound"),
    ] {
        let mut bench = Bench::new(80, 24);
        bench.types("hello");
        bench.keys("ctrl-x");
        bench.keys(second);
        assert_eq!(bench.state.screen.toast.as_ref().unwrap().text, said);
        assert!(bench.state.stroke.is_none() && bench.state.screen.dialog.is_none());
        assert_eq!(bench.prompt(), "hello", "{said}");
        assert_eq!(bench.commands(), [&Command::Typing], "{said}");
        bench.types("k");
        assert_eq!(bench.prompt(), "hellok");
    }
}

#[test]
fn the_key_that_stops_the_turn_stops_it_after_a_first_stroke_too() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Planning));
    bench.keys("ctrl-x ctrl-c");
    assert_eq!(bench.commands(), [&Command::Interrupt]);
    assert!(bench.state.stroke.is_none());
}

#[test]
fn a_paste_or_a_click_ends_the_wait_for_a_second_stroke() {
    let mut bench = Bench::new(80, 24);
    bench.keys("ctrl-x");
    bench.send(Msg::Paste {
        text: "2".to_owned(),
        at: bench.now,
    });
    bench.types("2");
    assert_eq!(bench.prompt(), "22");
    bench.keys("ctrl-x");
    bench.send(Msg::Mouse {
        kind: MouseKind::Press,
        x: 2,
        y: 20,
        at: bench.now,
    });
    assert!(bench.state.stroke.is_none());
}
