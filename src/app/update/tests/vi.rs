//! Tests the prompt with vi key bindings.

use super::*;

fn vi() -> Bench {
    let mut bench = Bench::new(100, 30);
    bench.state.screen.prompt.edit_as_vi(true);
    bench
}

#[test]
fn esc_makes_letters_commands_and_i_makes_them_text() {
    let mut bench = vi();
    bench.types("one two");
    bench.keys("esc");
    assert!(crate::view::status::status(&bench.state).left.starts_with("normal"));
    bench.types("bcwthree");
    assert_eq!(bench.prompt(), "one three");
    bench.keys("esc");
    bench.types("0dwA!");
    assert_eq!(bench.prompt(), "three!");
    bench.keys("esc enter");
    assert!(
        bench.prompt().is_empty() && !bench.state.screen.prompt.commands(),
        "what was sent begins anew"
    );
    bench.types("next");
    bench.keys("esc");
    bench.types("0k");
    assert_eq!(bench.prompt(), "three!", "earlier prompts are above");
    bench.types("j");
    assert_eq!(bench.prompt(), "next");
}

#[test]
fn esc_in_an_empty_prompt_makes_letters_commands_where_it_has_nothing_else_to_do() {
    let mut bench = vi();
    bench.types("first");
    bench.keys("enter");
    bench.types("second");
    bench.keys("enter esc");
    assert!(bench.state.screen.prompt.commands(), "nothing is written yet");
    bench.types("kk");
    assert_eq!(bench.prompt(), "first", "earlier prompts, and no letters");
    for (state, command) in [
        (TurnState::Generating, Command::Interrupt),
        (TurnState::Compacting, Command::SkipSummary),
    ] {
        let mut bench = vi();
        bench.event(Live::State(state));
        bench.keys("esc");
        assert!(bench.commands().contains(&&command), "{command:?}");
        bench.types("jot");
        assert_eq!(bench.prompt(), "jot", "the next prompt begins with its first letter");
    }
}

#[test]
fn what_v_selects_is_named_beside_the_letters_that_are_commands() {
    let named = |bench: &Bench, name: &str| crate::view::status::status(&bench.state).left.starts_with(name);
    for letter in ["v", "V"] {
        let mut bench = vi();
        bench.types("one two");
        bench.keys("esc");
        bench.types(letter);
        assert!(named(&bench, "visual"));
        bench.keys("esc");
        assert!(named(&bench, "normal"));
    }
}

#[test]
fn esc_still_stops_a_turn_where_nothing_is_written_or_letters_are_commands() {
    let stops = |bench: &Bench| bench.commands().contains(&&Command::Interrupt);
    let mut bench = vi();
    bench.event(Live::State(TurnState::Generating));
    bench.keys("esc");
    assert!(stops(&bench));
    let mut bench = vi();
    bench.event(Live::State(TurnState::Generating));
    bench.types("later");
    bench.keys("esc");
    assert!(!stops(&bench));
    bench.keys("esc");
    assert!(stops(&bench));
}

#[test]
fn letters_that_come_from_elsewhere_are_text_and_change_nothing() {
    let mut bench = vi();
    bench.types("keep this");
    bench.keys("esc");
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.types("dd");
    assert_eq!(bench.prompt().replace("dd", ""), "keep this");
    assert!(bench.decisions().is_empty());
    bench.keys("esc alt-2");
    bench.types("x");
    assert!(bench.prompt().contains('x'), "{}", bench.prompt());
}

#[test]
fn without_the_setting_esc_and_letters_are_what_they_were() {
    let mut bench = Bench::new(100, 30);
    bench.types("one");
    bench.keys("esc");
    bench.types("dd");
    assert_eq!(bench.prompt(), "onedd");
}

#[test]
fn rows_up_and_down_keep_the_column_and_the_caret_stays_on_a_letter() {
    let mut bench = vi();
    bench.types("long line");
    bench.keys("ctrl-j");
    bench.types("ab");
    bench.keys("ctrl-j");
    bench.types("a long line");
    bench.keys("esc");
    bench.types("kx");
    assert_eq!(
        bench.prompt(),
        "long line\na\na long line",
        "the last letter of a short row"
    );
    bench.types("ukk");
    bench.types("$jjx");
    let third = bench.prompt().lines().nth(2).map(str::to_owned);
    assert_eq!(third.as_deref(), Some("a long lne"), "the column it came from");
}
