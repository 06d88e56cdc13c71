//! Tests of the input for a summary. It contains a part of every turn, and always the earlier summary.

use super::*;
use crate::compaction::requests;
use crate::tokens::estimate;

const SMALL: Window = Window {
    tokens: 9_000,
    reserve: 2_250,
    is_guess: false,
};

impl Desk {
    /// Adds many short steps. Each has a fact that the input must contain.
    fn facts(&mut self, from: usize, count: usize) {
        for fact in from..from + count {
            self.user(&format!("FACT{fact:04}"));
            self.answer(&format!("Noted as {fact:04}. {}", "It is so. ".repeat(25)), Vec::new());
            self.end();
        }
    }

    fn asked_of(&mut self, window: Window) -> crate::compaction::Task {
        let plan = self.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
        requests(&plan, window, "")
    }

    fn compacts(&mut self, summary: &str) {
        let plan = self.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
        let compaction = self.summarised(plan, summary);
        self.take(compaction);
    }
}

#[test]
fn everything_is_read_and_never_more_than_the_small_model_has_room_for() {
    let mut desk = Desk::with(60_000);
    desk.facts(0, 700);
    let task = desk.asked_of(SMALL);
    assert!(task.most <= SMALL.room() / 4 && task.output <= SMALL.tokens / 4 && task.output >= task.most);
    assert!(task.pieces.len() <= 12);
    let all = task.pieces.join("\n");
    let missing: Vec<usize> = (0..500)
        .filter(|fact| !all.contains(&format!("FACT{fact:04}")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(
        task.read_in_part.is_some_and(|(read, whole)| read < whole),
        "{:?}",
        task.read_in_part
    );
    for piece in &task.pieces {
        let messages = task.messages(piece, &"word ".repeat(1_000));
        let sent: u64 = messages
            .iter()
            .map(|message| match message {
                ChatMessage::System(text) => estimate(text),
                ChatMessage::User(text) => estimate(text),
                _ => 0,
            })
            .sum();
        assert!(sent + task.output <= SMALL.tokens, "{sent} and {}", task.output);
    }
}

#[test]
fn the_summary_before_is_read_first_each_time() {
    let mut desk = Desk::with(60_000);
    desk.facts(0, 300);
    desk.compacts("EARLIER: it began with plums.");
    for round in 1..4 {
        desk.facts(round * 1_000, 700);
        let task = desk.asked_of(SMALL);
        let first = task.pieces.first().expect("a piece");
        assert!(
            first.starts_with("## Earlier") && first.contains("it began with plums"),
            "{first}"
        );
        desk.compacts("EARLIER: it began with plums.");
    }
}

#[test]
fn of_very_many_texts_some_are_left_out_evenly_and_it_says_so() {
    let mut desk = Desk::with(200_000);
    for fact in 0..6_000 {
        desk.user(&format!("FACT{fact:04} with a few words of its own"));
        desk.answer("Noted, with as many words as that.", Vec::new());
    }
    let task = desk.asked_of(Window::of(4_000, 1_000));
    assert!(task.pieces.len() <= 12, "{}", task.pieces.len());
    let all = task.pieces.join("\n");
    let parts = [0..1_000, 1_000..2_000, 2_000..3_000, 3_000..4_000, 4_000..5_000];
    for mut part in parts {
        assert!(part.any(|fact| all.contains(&format!("FACT{fact:04}"))), "{all}");
    }
    assert!(all.contains("more left out here]"), "{all}");
}

#[test]
fn what_fits_is_read_whole_and_nothing_is_said() {
    let mut desk = Desk::with(16_000);
    desk.facts(0, 40);
    let task = desk.asked_of(Window::of(16_000, 2_000));
    assert_eq!(task.read_in_part, None);
    assert!(!task.pieces.join("\n").contains("[…]"));
}
