mod any_session;
mod asked;
mod desk;
mod lasting;
mod mentions;
mod named;
mod summarised;

use std::sync::Arc;

use desk::Desk;

use super::{Bench, Plan, Policy, Step};
use crate::assembly::Assembly;
use crate::ledger::Estimator;
use crate::rules::ToldRules;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::{LedgerKind, Window};
use benchdog_domain::compaction::{Compaction, Cut, Why};
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::history::History;
use benchdog_domain::message::{Arguments, ChatMessage, ToolCall};
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_domain::tool::{CallStatus, EffectClass, Success, ToolFacts};

const POLICY: Policy = Policy {
    auto: true,
    prune: true,
    threshold: 0.8,
};

fn text(bytes: usize) -> String {
    let lines = (0..).map(|line| format!("line {line}: let value = compute({line});\n"));
    let mut text = String::new();
    for line in lines {
        if text.len() >= bytes {
            return text;
        }
        text.push_str(&line);
    }
    text
}

/// Returns the text of the messages. Panics if a result does not follow its call.
fn read(messages: &[ChatMessage]) -> String {
    let mut owed: Vec<CallId> = Vec::new();
    let mut all = String::new();
    for (place, message) in messages.iter().enumerate() {
        if let ChatMessage::Tool { call, .. } = message {
            assert_eq!(owed.first(), Some(call), "a result without its call");
            owed.remove(0);
        } else {
            assert!(owed.is_empty(), "calls without results: {owed:?}");
        }
        match message {
            ChatMessage::System(text) => all.push_str(text),
            ChatMessage::User(text) | ChatMessage::Pictured { text, .. } | ChatMessage::Tool { text, .. } => {
                all.push_str(text)
            }
            ChatMessage::Assistant { text, calls, .. } => {
                all.push_str(text);
                owed.extend(calls.iter().map(|call| call.id.clone()));
            }
        }
        let alike = place > 0 && std::mem::discriminant(message) == std::mem::discriminant(&messages[place - 1]);
        assert!(!alike || matches!(message, ChatMessage::Tool { .. } | ChatMessage::Assistant { .. }));
    }
    all
}

fn step(desk: &mut Desk) -> Option<Step> {
    let bench = desk.bench(POLICY);
    bench.step(bench.need(false)?, false)
}

#[test]
fn nothing_is_done_while_there_is_room() {
    let mut desk = Desk::with(16_000);
    desk.reads("go", 8_000);
    assert_eq!(step(&mut desk), None);
}

#[test]
fn old_outputs_go_first_and_enough_of_them_at_once() {
    let mut desk = Desk::with(16_000);
    let reads: Vec<EntryId> = (0..10).map(|turn| desk.reads(&format!("turn {turn}"), 4_000)).collect();
    let pinned = reads[1];
    desk.push(Body::Pinned {
        entry: pinned,
        pinned: true,
    });
    let Some(Step::Take(pruned)) = step(&mut desk) else {
        panic!("outputs are enough")
    };
    assert_eq!((pruned.why, &pruned.replaced), (Why::Threshold, &None));
    let cut: Vec<EntryId> = pruned.cuts.iter().map(|cut| cut.entry).collect();
    assert!(!cut.contains(&pinned), "what is pinned stays");
    assert!(cut.contains(&reads[0]) && !cut.contains(&reads[9]), "{cut:?}");
    assert!(pruned.after <= desk.window.room() / 2 + 300, "{pruned:?}");
    let before = desk.used();
    desk.take(pruned.clone());
    assert!(desk.used() < before && desk.used().abs_diff(pruned.after) <= 1);
    let messages = desk.messages();
    let all = read(&messages);
    assert!(all.contains("bytes were taken out here to make room. To read it again: `read` src/a.rs."));
    assert_eq!(step(&mut desk), None);
}

#[test]
fn what_the_model_has_not_seen_yet_is_whole_in_the_next_request_while_it_fits() {
    let mut desk = Desk::with(9_000);
    desk.user(&format!("Compare the two files. {}", text(6_000)));
    desk.calls("read", &[text(10_500)]);
    // The result has more than a quarter of the window.
    let unseen = text(9_000);
    desk.calls("read", std::slice::from_ref(&unseen));
    assert!(desk.bench(POLICY).need(false).is_some(), "room is needed");
    desk.make_room(POLICY, Some("So far."));
    assert!(read(&desk.messages()).contains(&unseen));
}

#[test]
fn a_list_of_the_model_is_no_output_that_could_be_had_again() {
    let mut desk = Desk::with(16_000);
    desk.user("go");
    desk.calls("todowrite", &[text(20_000)]);
    desk.reads("more", 1_000);
    assert!(!matches!(step(&mut desk), Some(Step::Take(_))));
}

#[test]
fn what_a_skill_says_is_neither_shortened_nor_lost_in_a_summary() {
    let mut desk = Desk::with(16_000);
    desk.user("The task: port the ledger to cents.");
    let skill = desk.calls(
        "skill",
        &[format!("{}Always round half to even.{}", text(2_000), text(2_000))],
    )[0];
    desk.answer("I follow it.", Vec::new());
    desk.end();
    for turn in 0..12 {
        desk.reads(&format!("turn {turn}"), 3_000);
    }
    desk.make_room(POLICY, Some("So far."));
    assert!(read(&desk.messages()).contains("Always round half to even."));
    let Some(plan) = desk.bench(POLICY).plan(Why::Asked) else {
        panic!("there are turns to summarise")
    };
    let compaction = desk.summarised(plan, "So far.");
    let replaced = compaction.replaced.as_ref().expect("earlier turns are replaced");
    assert!(replaced.kept.contains(&skill), "{replaced:?}");
    desk.take(compaction);
    assert!(read(&desk.messages()).contains("Always round half to even."));
}

#[test]
fn where_outputs_are_not_enough_earlier_turns_are_summarised_and_what_matters_stays_word_for_word() {
    let mut desk = Desk::with(16_000);
    desk.user("The task: port the ledger to cents.");
    desk.todo("port the ledger");
    for turn in 0..36 {
        desk.answer(&format!("An answer of many words. {}", text(1_200)), Vec::new());
        desk.end();
        desk.user(&format!(
            "A remark of the person, number {turn}.{}",
            " and so on".repeat(24)
        ));
    }
    let pin = desk.history.entries()[4].id;
    desk.push(Body::Pinned {
        entry: pin,
        pinned: true,
    });
    let Some(Step::Summarise(plan)) = step(&mut desk) else {
        panic!("there is no output to shorten")
    };
    assert!(plan.most >= 160 && plan.most < desk.window.room() / 5, "{}", plan.most);
    let compaction = desk.summarised(plan, "What happened so far.");
    assert!(compaction.is_worth_it(), "{compaction:?}");
    desk.take(compaction);
    let messages = desk.messages();
    let all = read(&messages);
    for kept in [
        "The task: port",
        "# Summary of what happened\n\nWhat happened so far.",
        "1 [ ] port the ledger",
    ] {
        assert!(all.contains(kept), "{kept}: {all}");
    }
    assert!(
        all.contains("number 35.") && all.contains("number 31."),
        "the newest remarks"
    );
    assert!(!all.contains("number 3."), "and no more than a part of them");
    assert!(all.contains("number 0."), "what is pinned");
    assert!(desk.used() < desk.window.room() * 6 / 10);
}

#[test]
fn ten_summaries_in_a_row_keep_task_list_and_pins_and_lose_no_later_prompt() {
    let mut desk = Desk::with(16_000);
    desk.user("The task: port the ledger to cents.");
    desk.todo("port the ledger");
    let pinned = desk.calls("read", &["the pinned chapter, word for word".to_owned()])[0];
    desk.push(Body::Pinned {
        entry: pinned,
        pinned: true,
    });
    let mut sections = Vec::new();
    for round in 0..10 {
        for turn in 0..20 {
            desk.answer(&text(1_200), Vec::new());
            desk.end();
            desk.user(&format!("Remark {round}-{turn}."));
        }
        let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
        let compaction = desk.summarised(plan, &format!("Summary {round}."));
        desk.take(compaction);
        let messages = desk.messages();
        let ChatMessage::User(beginning) = &messages[1] else {
            panic!("no beginning")
        };
        assert!(beginning.contains(&format!("Summary {round}.")));
        let (_, kept) = beginning.split_once("# Kept word for word").unwrap();
        sections.push(kept.to_owned());
        let all = read(&messages);
        assert!(
            all.contains("The task: port") && all.contains(&format!("Remark {round}-19.")),
            "{all}"
        );
    }
    assert!(sections[0].contains("the pinned chapter") && sections[0].contains("1 [ ] port the ledger"));
    assert!(sections.iter().all(|section| *section == sections[0]), "{sections:#?}");
}

#[test]
fn taking_the_last_one_back_brings_the_exact_request_back() {
    let mut desk = Desk::with(16_000);
    for turn in 0..8 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    desk.make_room(POLICY, Some("So far."));
    let before = desk.messages();
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    let compaction = desk.summarised(plan, "All of it.");
    let compaction = desk.take(compaction);
    assert_ne!(desk.messages(), before);
    desk.push(Body::CompactionUndone { compaction });
    assert_eq!(desk.messages(), before);
}

#[test]
fn after_it_was_taken_back_nothing_is_done_before_it_must_be() {
    let mut desk = Desk::with(16_000);
    for turn in 0..10 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    let Some(Step::Take(pruned)) = step(&mut desk) else {
        panic!("outputs are enough")
    };
    let compaction = desk.take(pruned);
    desk.push(Body::CompactionUndone { compaction });
    assert_eq!(step(&mut desk), None);
    desk.reads("one more", 12_000);
    assert!(desk.used() > desk.window.room());
    assert!(step(&mut desk).is_some());
}

#[test]
fn seven_outputs_at_once_in_a_small_window_are_shortened_and_not_refused() {
    let mut desk = Desk::with(9_000);
    desk.user("Read them all.");
    desk.calls("read", &vec![text(6_000); 7]);
    desk.make_room(POLICY, Some("The person wants all of them read."));
    assert!(desk.used() <= desk.window.room(), "{}", desk.used());
    let messages = desk.messages();
    let all = read(&messages);
    assert!(all.contains("Read them all.") && all.contains("line 0:"), "{all}");
}

#[test]
fn without_a_summary_outputs_are_shortened_further_and_then_the_oldest_turns_are_left_out() {
    let mut desk = Desk::with(16_000);
    desk.user("The task: port the ledger to cents.");
    for turn in 0..40 {
        desk.answer(&text(1_500), Vec::new());
        desk.end();
        desk.user(&format!("Remark {turn}."));
    }
    desk.make_room(POLICY, None);
    assert!(desk.used() <= desk.window.room() * 8 / 10, "{}", desk.used());
    let messages = desk.messages();
    let all = read(&messages);
    assert!(all.contains("Earlier turns were dropped without a summary") && all.contains("The task: port"));
    assert!(all.contains("Remark 39."));
}

#[test]
fn the_list_of_prompts_says_that_prompts_are_missing() {
    for (words, omits) in [(10, false), (2_000, true)] {
        let mut desk = Desk::with(32_000);
        for round in 0..2 {
            for turn in 0..10 {
                desk.user(&format!("Remark {round}-{turn}. {}", text(words)));
                desk.answer(&text(1_200), Vec::new());
                desk.end();
            }
            let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
            let compaction = desk.summarised(plan, "So far.");
            desk.take(compaction);
            let all = read(&desk.messages());
            assert_eq!(all.contains("Remark 0-1."), !omits, "{all}");
            let mark = "(some messages after the first one are omitted)";
            assert_eq!(all.contains(mark), omits, "{round}: {all}");
        }
    }
}

#[test]
fn what_the_person_took_out_is_one_line_and_does_not_come_back() {
    let mut desk = Desk::with(16_000);
    desk.user("The task.");
    let secret = desk.user("My secret plan.");
    desk.answer(&text(20_000), Vec::new());
    desk.end();
    desk.user("Go on.");
    let dropped = desk.bench(POLICY).weighed(Compaction {
        why: Why::Asked,
        dropped: vec![secret],
        ..Compaction::default()
    });
    desk.take(dropped);
    let messages = desk.messages();
    let all = read(&messages);
    assert!(
        !all.contains("secret") && all.contains("took this message of theirs out"),
        "{all}"
    );
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    let compaction = desk.summarised(plan, "So far.");
    desk.take(compaction);
    let messages = desk.messages();
    assert!(!read(&messages).contains("secret"));
}

#[test]
fn a_prompt_weighs_what_cannot_be_left_out_beside_it() {
    let mut desk = Desk::with(16_000);
    for turn in 0..40 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    let bench = desk.bench(POLICY);
    assert!(bench.used > bench.window.room());
    assert!(bench.alone("a question") < 1_000, "{}", bench.alone("a question"));
    assert!(bench.alone(&text(60_000)) > bench.window.room());
}

#[test]
fn what_is_listed_adds_up_to_the_request() {
    let mut desk = Desk::with(16_000);
    for turn in 0..6 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    let upto = desk.history.last_entry();
    let messages = desk.assembly.extend(&desk.history, upto).clone();
    let used = desk.estimator.before(&messages, desk.window).used;
    let sum = |desk: &mut Desk| desk.bench(POLICY).items().iter().map(|item| item.tokens).sum::<u64>();
    assert!(sum(&mut desk).abs_diff(used) <= 5, "{} of {used}", sum(&mut desk));
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    let compaction = desk.summarised(plan, "So far.");
    desk.take(compaction);
    let used = desk.used();
    assert!(
        sum(&mut desk).abs_diff(used) <= used / 50 + 20,
        "{} of {used}",
        sum(&mut desk)
    );
}
