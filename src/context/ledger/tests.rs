use std::sync::Arc;

use super::{Estimator, PER_MESSAGE};
use crate::rules::{RulesFile, ToldRules, told};
use benchdog_base::id::{BlobId, CallId};
use benchdog_domain::budget::{LedgerKind, Usage, Window};
use benchdog_domain::image::{Image, ImageKind};
use benchdog_domain::message::ChatMessage;
use benchdog_domain::tool::{EffectClass, Success, ToolFacts};

/// Returns a read tool under an unusual name, because code must not compare tool names.
fn tools() -> Arc<[ToolFacts]> {
    Arc::new([ToolFacts {
        success: Success::FileRead,
        ..ToolFacts::of("look", EffectClass::Reads)
    }])
}

fn window() -> Window {
    Window::of(100_000, 0)
}

fn rules() -> ToldRules {
    let file = RulesFile {
        path: "AGENTS.md".into(),
        text: "Use tabs.".to_owned(),
    };
    told(&[file], 1_000)
}

fn conversation() -> Vec<ChatMessage> {
    vec![
        ChatMessage::System("rules and prompt ".repeat(40)),
        ChatMessage::User("why does the test fail?".to_owned().into()),
    ]
}

#[test]
fn the_rows_add_up_to_the_number_before_and_after_the_servers_count() {
    let mut estimator = Estimator::new(&rules(), &[], tools());
    let before = estimator.before(&conversation(), window());
    assert!(before.estimated);
    assert_eq!(before.items.iter().map(|item| item.tokens).sum::<u64>(), before.used);
    let after = estimator.after(
        Usage {
            prompt: 333,
            completion: 20,
            total: 353,
            cached: None,
        },
        window(),
    );
    assert!(!after.estimated);
    assert_eq!(after.used, 353);
    assert_eq!(after.items.iter().map(|item| item.tokens).sum::<u64>(), 353);
}

#[test]
fn a_refusal_makes_the_measure_larger_until_the_server_counts_and_leaves_room_for_a_prompt() {
    let mut estimator = Estimator::new(&rules(), &[], tools());
    let mut messages = conversation();
    let small = Window::of(1_000, 0);
    let used = estimator.before(&messages, small).used;
    for _ in 0..5 {
        estimator.refused(small);
        let larger = estimator.before(&messages, small).used;
        assert!(larger > used && larger <= small.room(), "{used} {larger}");
        assert!(estimator.fixed() <= small.room() / 2 + 1);
    }
    messages.push(ChatMessage::User("word ".repeat(20_000).into()));
    let now = estimator.before(&messages, window()).used;
    let told = Usage {
        prompt: now / 2,
        completion: 1,
        total: now / 2 + 1,
        cached: None,
    };
    assert_eq!(
        estimator.cut(told),
        None,
        "less than a refusal let expect is no cut prompt"
    );
    estimator.after(told, window());
    assert_eq!(estimator.before(&messages, window()).used, now / 2);
}

#[test]
fn what_a_tool_read_of_files_has_a_row_of_its_own() {
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let result = |name: &str| ChatMessage::Tool {
        call: CallId("c".to_owned()),
        name: name.to_owned(),
        text: "what came out of it ".repeat(20).into(),
    };
    let tokens = |estimator: &mut Estimator, messages: &[ChatMessage]| {
        let ledger = estimator.before(messages, window());
        let files = ledger.items.iter().find(|item| item.kind == LedgerKind::Files);
        files.map_or(0, |item| item.tokens)
    };
    assert_eq!(tokens(&mut estimator, &[result("read")]), 0);
    assert!(tokens(&mut estimator, &[result("read"), result("look")]) > 0);
}

#[test]
fn what_the_tokenizer_counted_is_the_measure_of_the_first_request() {
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let messages = conversation();
    let guessed = estimator.before(&messages, window()).used;
    assert!(!estimator.is_measured());
    estimator.tokenized(&messages, guessed * 3 / 2);
    assert!(estimator.is_measured());
    assert_eq!(estimator.before(&messages, window()).used, guessed * 3 / 2);
}

#[test]
fn a_count_of_half_of_what_was_sent_means_that_the_prompt_was_cut() {
    let counted = |prompt| Usage {
        prompt,
        completion: 0,
        total: 0,
        cached: None,
    };
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let mut messages = conversation();
    estimator.before(&messages, window());
    assert_eq!(estimator.cut(counted(10)), None, "too small to tell");
    messages.push(ChatMessage::User(
        "a question about one thing and another ".repeat(600).into(),
    ));
    let sent = estimator.before(&messages, window()).used;
    assert_eq!(estimator.cut(counted(sent / 2)), Some(sent));
    assert_eq!(estimator.cut(counted(sent * 2 / 3)), None, "another tokenizer");
    assert_eq!(estimator.cut(counted(0)), None, "not counted");
    let bound = sent * 9 / 10 / 512 * 512;
    assert_eq!(estimator.cut(counted(bound)), Some(sent), "exactly a window");
    assert_eq!(estimator.cut(counted(bound + 1)), None);
    estimator.after(counted(sent * 2 / 3), window());
    messages.push(ChatMessage::User(
        "and a further question about that ".repeat(600).into(),
    ));
    let sent = estimator.before(&messages, window()).used;
    assert_eq!(
        estimator.cut(counted(sent * 2 / 3)),
        Some(sent),
        "now it is known how this one counts"
    );
}

#[test]
fn after_one_count_the_next_estimate_is_within_five_percent() {
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let mut messages = conversation();
    let raw = estimator.before(&messages, window()).used;
    // The tokenizer counts 1.4 times the estimated tokens. Later estimates use this ratio.
    estimator.after(
        Usage {
            prompt: raw * 14 / 10,
            completion: 0,
            total: 0,
            cached: None,
        },
        window(),
    );
    messages.push(ChatMessage::User(
        "a further question about the same thing ".repeat(20).into(),
    ));
    let estimate = estimator.before(&messages, window()).used;
    let mut fresh = Estimator::new(&ToldRules::default(), &[], tools());
    let truth = fresh.before(&messages, window()).used * 14 / 10;
    assert!(estimate.abs_diff(truth) * 20 <= truth, "{estimate} against {truth}");
}

#[test]
fn what_would_be_sent_is_weighed_as_its_request_is_counted() {
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let mut messages = conversation();
    let raw = estimator.before(&messages, window()).used;
    // The tokenizer counts 1.4 times the estimated tokens. Later estimates use this ratio.
    let counted = Usage {
        prompt: raw * 14 / 10,
        completion: 0,
        total: 0,
        cached: None,
    };
    estimator.after(counted, window());
    messages.push(ChatMessage::User("a further question ".repeat(20).into()));
    let weighed = estimator.weigh(&messages);
    assert!(weighed.abs_diff(estimator.before(&messages, window()).used) <= 1);
}

#[test]
fn a_message_that_grew_before_it_was_sent_is_counted_with_what_it_grew_by() {
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let mut messages = conversation();
    estimator.before(&messages, window());
    let Some(ChatMessage::User(text)) = messages.last_mut() else {
        panic!("no user message")
    };
    *text = format!("{}{}", &**text, " and more".repeat(50)).into();
    let grown = estimator.before(&messages, window()).used;
    let mut fresh = Estimator::new(&ToldRules::default(), &[], tools());
    assert_eq!(grown, fresh.before(&messages, window()).used);
}

#[test]
fn what_was_counted_stays_exact_when_text_of_another_kind_follows() {
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let mut messages = vec![ChatMessage::System("plain words of a prompt ".repeat(1_000))];
    let raw = estimator.before(&messages, window()).used;
    let prompt = raw * 6 / 5;
    estimator.after(
        Usage {
            prompt,
            completion: 0,
            total: prompt,
            cached: None,
        },
        window(),
    );
    let again = estimator.before(&messages, window()).used;
    assert_eq!(again, prompt);
    messages.push(ChatMessage::User("more of it".to_owned().into()));
    let grown = estimator.before(&messages, window());
    assert!(grown.used > prompt && grown.used < prompt + 20, "{}", grown.used);
    assert_eq!(grown.items.iter().map(|item| item.tokens).sum::<u64>(), grown.used);
}

#[test]
fn an_image_is_estimated_and_a_server_that_counts_it_for_little_has_not_cut_the_prompt() {
    let image = Image {
        kind: ImageKind::Png,
        blob: BlobId::of(b"a picture"),
        bytes: 9,
    };
    let mut estimator = Estimator::new(&ToldRules::default(), &[], tools());
    let mut messages = conversation();
    let before = estimator.before(&messages, window()).used;
    messages.push(ChatMessage::Pictured {
        text: String::new().into(),
        images: vec![image; 5],
    });
    let sent = estimator.before(&messages, window()).used;
    assert_eq!(sent, before + 5 * 800 + PER_MESSAGE);
    let counted = Usage {
        prompt: before + 5 * 80,
        completion: 0,
        total: 0,
        cached: None,
    };
    assert_eq!(estimator.cut(counted), None);
}
