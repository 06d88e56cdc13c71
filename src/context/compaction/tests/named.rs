//! Tests of mentioned files and invoked skills. They are preserved if needed, and otherwise listed by name.

use super::*;
use benchdog_domain::mention::{Mention, MentionKind};

const FILE: &str = "The plum line of the file.";
const SKILL: &str = "Always deploy on Mondays.";

fn mention(kind: MentionKind, path: &str, text: String) -> Mention {
    Mention {
        kind,
        path: path.to_owned(),
        lines: None,
        hash: None,
        text,
        truncated: false,
        image: None,
    }
}

fn file(bytes: usize) -> Mention {
    mention(MentionKind::File, "src/big.rs", format!("{FILE} {}", text(bytes)))
}

fn skill(bytes: usize) -> Mention {
    mention(MentionKind::Skill, "deploy", format!("{SKILL} {}", text(bytes)))
}

impl Desk {
    fn naming(&mut self, words: &str, mentions: Vec<Mention>) -> EntryId {
        self.turn += 1;
        self.push(Body::User {
            text: words.to_owned(),
            mentions,
            notes: Vec::new(),
        })
    }

    fn turn_naming(&mut self, words: &str, mentions: Vec<Mention>) -> EntryId {
        let prompt = self.naming(words, mentions);
        self.answer("I see.", Vec::new());
        self.end();
        prompt
    }

    fn talk(&mut self, turns: usize) {
        for turn in 0..turns {
            self.turn_naming(&format!("Remark {turn}."), Vec::new());
            self.answer(&text(1_200), Vec::new());
            self.end();
        }
    }

    fn compact(&mut self) -> Compaction {
        let plan = self.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
        let compaction = self.summarised(plan, "So far.");
        self.take(compaction.clone());
        compaction
    }

    fn skills(&self) -> Vec<String> {
        let entries = self.history.carried().uncut();
        let skills = entries.flat_map(|entry| entry.body.skills(&self.tools));
        skills.map(str::to_owned).collect()
    }
}

#[test]
fn a_prompt_is_kept_by_its_words_and_says_which_file_it_named() {
    let mut desk = Desk::with(16_000);
    desk.turn_naming("The task.", Vec::new());
    desk.talk(24);
    desk.turn_naming("Explain the big one.", vec![file(12_000)]);
    desk.talk(4);
    desk.compact();
    let all = read(&desk.messages());
    assert!(all.contains("Explain the big one."), "its own words are few: {all}");
    assert!(
        all.contains("What `src/big.rs` held went along.") && !all.contains(FILE),
        "{all}"
    );
}

#[test]
fn the_prompt_that_is_worked_on_keeps_the_name_of_its_file() {
    let mut desk = Desk::with(16_000);
    desk.turn_naming("The task.", Vec::new());
    desk.naming("Explain the big one.", vec![file(8_000)]);
    for _ in 0..20 {
        desk.calls("todowrite", &[text(1_500)]);
    }
    desk.make_room(POLICY, Some("So far."));
    let all = read(&desk.messages());
    assert!(
        all.contains("Explain the big one.") && all.contains("What `src/big.rs` held went along."),
        "{all}"
    );
}

#[test]
fn a_pinned_prompt_keeps_its_file_through_every_summary() {
    let mut desk = Desk::with(16_000);
    desk.turn_naming("The task.", Vec::new());
    let entry = desk.turn_naming("Explain the big one.", vec![file(3_000)]);
    desk.push(Body::Pinned { entry, pinned: true });
    for _ in 0..3 {
        desk.talk(24);
        desk.compact();
        assert_eq!(read(&desk.messages()).matches(FILE).count(), 1);
    }
    desk.push(Body::Pinned { entry, pinned: false });
    desk.talk(24);
    desk.compact();
    assert!(!read(&desk.messages()).contains(FILE));
}

#[test]
fn a_skill_that_was_invoked_stays_through_every_summary() {
    let mut desk = Desk::with(16_000);
    desk.turn_naming("The task.", Vec::new());
    desk.turn_naming("/deploy now", vec![skill(1_000), file(8_000)]);
    for _ in 0..3 {
        desk.talk(24);
        desk.compact();
        let all = read(&desk.messages());
        assert_eq!(all.matches(SKILL).count(), 1, "{all}");
        assert!(all.contains("/deploy now") && all.contains("What `src/big.rs` held went along."));
        assert_eq!(desk.skills(), ["deploy"]);
    }
}

#[test]
fn a_skill_that_is_not_carried_any_more_is_not_loaded() {
    let mut desk = Desk::with(16_000);
    desk.turn_naming("The task.", Vec::new());
    let long = desk.turn_naming("/deploy now", vec![skill(20_000)]);
    assert_eq!(desk.skills(), ["deploy"]);
    desk.talk(4);
    desk.compact();
    let all = read(&desk.messages());
    assert!(!all.contains(SKILL) && all.contains("load it again"), "{all}");
    assert!(all.contains("/deploy now"));
    assert_eq!(desk.skills(), [""; 0]);
    let mut dropped = Desk::with(16_000);
    let loaded = dropped.turn_naming("/deploy now", vec![skill(1_000)]);
    assert_eq!(long.0, loaded.0 + 3);
    dropped.take(Compaction {
        dropped: vec![loaded],
        ..Compaction::default()
    });
    assert_eq!(dropped.skills(), [""; 0]);
}

#[test]
fn of_two_loads_of_one_skill_the_newest_is_kept_and_a_long_one_keeps_no_other_out() {
    let mut desk = Desk::with(16_000);
    desk.turn_naming("The task.", Vec::new());
    let first = desk.turn_naming("/deploy now", vec![skill(1_000)]);
    let second = desk.turn_naming("/deploy again", vec![skill(1_000)]);
    desk.turn_naming("/long", vec![mention(MentionKind::Skill, "long", text(16_000))]);
    for _ in 0..24 {
        desk.turn_naming(&"many words ".repeat(60), Vec::new());
    }
    let kept = desk.compact().replaced.unwrap().kept;
    assert!(kept.contains(&second) && !kept.contains(&first), "{kept:?}");
    assert_eq!(read(&desk.messages()).matches(SKILL).count(), 1);
}

#[test]
fn what_is_pinned_while_a_summary_is_made_or_looked_at_is_kept() {
    let mut desk = Desk::with(16_000);
    let first = desk.turn_naming(&format!("The task. {} the end of it", text(3_000)), Vec::new());
    let answer = desk.answer("The plum answer.", Vec::new());
    desk.talk(30);
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    for entry in [first, answer] {
        desk.push(Body::Pinned { entry, pinned: true });
    }
    let compaction = desk.summarised(plan, "So far.");
    desk.take(compaction);
    let all = read(&desk.messages());
    assert!(all.contains("The plum answer."), "{all}");
    assert!(
        all.contains("the end of it") && !all.contains("taken out here"),
        "{all}"
    );
}
