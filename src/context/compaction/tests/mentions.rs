//! Tests that mentions are truncated like outputs, and that the person's own text never is.

use super::*;
use benchdog_base::id::BlobId;
use benchdog_domain::image::{Image, ImageKind};
use benchdog_domain::mention::{Mention, MentionKind, Part as Lines};

fn mention(kind: MentionKind, path: &str, bytes: usize) -> Mention {
    let lines = Lines {
        first: 3,
        last: 9,
        total: 400,
    };
    Mention {
        kind,
        path: path.to_owned(),
        lines: (kind == MentionKind::File).then_some(lines),
        hash: None,
        text: text(bytes),
        truncated: false,
        image: None,
    }
}

fn image(path: &str) -> Mention {
    Mention {
        image: Some(Image {
            kind: ImageKind::Png,
            blob: BlobId("shot".to_owned()),
            bytes: 1_000,
        }),
        ..mention(MentionKind::Image, path, 0)
    }
}

impl Desk {
    fn names(&mut self, prompt: &str, mentions: Vec<Mention>) -> EntryId {
        self.turn += 1;
        let prompt = self.push(Body::User {
            text: prompt.to_owned(),
            mentions,
            notes: Vec::new(),
        });
        self.answer("Done.", Vec::new());
        self.end();
        prompt
    }
}

fn file(path: &str, bytes: usize) -> Vec<Mention> {
    vec![mention(MentionKind::File, path, bytes)]
}

#[test]
fn texts_of_mentions_are_shortened_and_the_prompts_are_not() {
    let mut desk = Desk::with(16_000);
    let prompts: Vec<EntryId> = (0..10)
        .map(|turn| {
            desk.names(
                &format!("Prompt {turn}. {}", "Word for word. ".repeat(60)),
                file(&format!("src/{turn}.rs"), 3_000),
            )
        })
        .collect();
    desk.push(Body::Pinned {
        entry: prompts[1],
        pinned: true,
    });
    let Some(Step::Take(pruned)) = step(&mut desk) else {
        panic!("texts are enough")
    };
    let cut: Vec<EntryId> = pruned.cuts.iter().map(|cut| cut.entry).collect();
    assert!(
        cut.contains(&prompts[0]) && !cut.contains(&prompts[1]) && !cut.contains(&prompts[9]),
        "{cut:?}"
    );
    desk.take(pruned.clone());
    assert!(desk.used().abs_diff(pruned.after) <= 1);
    let all = read(&desk.messages());
    assert_eq!(all.matches("Word for word. ").count(), 600);
    assert!(
        all.contains("to make room. To read it again: `read` src/0.rs, lines 3 to 9."),
        "{all}"
    );
    assert!(!all.contains("To read it again: `read` src/1.rs") && !all.contains("To read it again: `read` src/9.rs"));
}

#[test]
fn after_a_summary_a_prompt_says_what_it_named_and_what_a_skill_said_stays() {
    let mut desk = Desk::with(16_000);
    let mut folder = mention(MentionKind::Folder, "docs/", 2_000);
    folder.text.push_str("chapter-seven.md");
    desk.names("The task.", vec![folder]);
    let mut skill = mention(MentionKind::Skill, "port", 500);
    skill.text = "Always round half to even.".to_owned();
    desk.names("Use it.", vec![skill]);
    for turn in 0..8 {
        desk.reads(&format!("turn {turn} {}", "and so on ".repeat(80)), 3_000);
    }
    let plan = desk.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
    let compaction = desk.summarised(plan, "So far.");
    desk.take(compaction);
    let all = read(&desk.messages());
    assert!(
        all.contains("What `docs/` held went along. To read it again: `list` docs/."),
        "{all}"
    );
    assert!(
        !all.contains("chapter-seven.md") && all.contains("Always round half to even."),
        "{all}"
    );
}

#[test]
fn mentions_and_skills_have_rows_of_their_own_and_all_rows_add_up() {
    let mut desk = Desk::with(64_000);
    desk.estimator = Estimator::new(&ToldRules::default(), &[], desk.tools.clone().into());
    desk.names(
        "Look.",
        vec![
            mention(MentionKind::File, "src/a.rs", 3_000),
            mention(MentionKind::Skill, "port", 2_000),
            image("shot.png"),
        ],
    );
    desk.reads("go", 4_000);
    desk.calls("skill", &[text(1_000)]);
    desk.answer("漢字 and words.", Vec::new());
    desk.end();
    let check = |desk: &mut Desk, kinds: &[LedgerKind]| {
        let messages = desk.messages();
        desk.estimator.follow(&desk.assembly);
        let ledger = desk.estimator.before(&messages, desk.window);
        assert_eq!(ledger.items.iter().map(|row| row.tokens).sum::<u64>(), ledger.used);
        let items = desk.bench(POLICY).items();
        for row in &ledger.items {
            let listed: u64 = items
                .iter()
                .filter(|item| item.kind == row.kind)
                .map(|item| item.tokens)
                .sum();
            assert!(
                listed.abs_diff(row.tokens) <= 8 + row.tokens / 50,
                "{row:?}: {listed} in {items:#?}"
            );
        }
        for kind in kinds {
            assert!(
                ledger.items.iter().any(|row| row.kind == *kind && row.tokens > 200),
                "{kind:?}: {ledger:?}"
            );
        }
    };
    check(
        &mut desk,
        &[LedgerKind::Mentions, LedgerKind::Images, LedgerKind::Skills],
    );
    let prompt = desk.history.entries()[0].id;
    desk.take(Compaction {
        cuts: vec![Cut {
            entry: prompt,
            keep: 600,
        }],
        ..Compaction::default()
    });
    check(&mut desk, &[LedgerKind::Skills]);
}

#[test]
fn rows_add_up_where_the_server_counts_far_less_than_was_guessed() {
    let mut desk = Desk::with(64_000);
    desk.reads("go", 4_000);
    desk.used();
    let usage = benchdog_domain::budget::Usage {
        prompt: 40,
        completion: 2,
        total: 42,
        cached: None,
    };
    let ledger = desk.estimator.after(usage, desk.window);
    assert_eq!(
        (ledger.used, ledger.items.iter().map(|row| row.tokens).sum::<u64>()),
        (42, 42)
    );
}

#[test]
fn what_is_pinned_after_it_was_shortened_or_taken_out_comes_back_whole_and_stays() {
    let mut desk = Desk::with(16_000);
    let reads: Vec<EntryId> = (0..10).map(|turn| desk.reads(&format!("turn {turn}"), 4_000)).collect();
    let whole = desk.messages();
    desk.take(Compaction {
        cuts: vec![Cut {
            entry: reads[0],
            keep: 300,
        }],
        dropped: vec![reads[1]],
        ..Compaction::default()
    });
    assert_ne!(desk.messages(), whole);
    for entry in [reads[0], reads[1]] {
        assert!(desk.history.carried().is_lessened(entry));
        let before = desk.history.carried().point();
        desk.push(Body::Pinned { entry, pinned: true });
        assert!(!desk.history.carried().is_lessened(entry));
        assert!(desk.history.carried().point() > before, "the messages begin anew");
    }
    assert_eq!(desk.messages(), whole);
    let before = desk.history.carried().point();
    desk.push(Body::Pinned {
        entry: reads[5],
        pinned: true,
    });
    assert_eq!(desk.history.carried().point(), before, "what is whole costs nothing");
    let plan = desk.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
    let compaction = desk.summarised(plan, "So far.");
    assert!(
        compaction
            .replaced
            .as_ref()
            .is_some_and(|replaced| replaced.kept.contains(&reads[1]))
    );
    let compaction = desk.take(compaction);
    assert!(read(&desk.messages()).contains(&text(4_000)));
    desk.push(Body::CompactionUndone { compaction });
    assert_eq!(desk.messages(), whole);
}

#[test]
fn what_is_pinned_while_a_summary_is_made_is_not_summarised() {
    let mut desk = Desk::with(16_000);
    let reads: Vec<EntryId> = (0..8).map(|turn| desk.reads(&format!("turn {turn}"), 4_000)).collect();
    let plan = desk.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
    desk.push(Body::Pinned {
        entry: reads[0],
        pinned: true,
    });
    let compaction = desk.summarised(plan, "So far.");
    let kept = compaction.replaced.map(|replaced| replaced.kept).unwrap_or_default();
    assert!(kept.contains(&reads[0]) && kept.is_sorted(), "{kept:?}");
}

#[test]
fn what_was_taken_out_is_in_no_summary_even_where_it_is_a_loaded_skill() {
    let mut desk = Desk::with(16_000);
    desk.user("The task.");
    let [kept, dropped] =
        ["Round half to even.", "Never round."].map(|said| desk.calls("skill", &[said.to_owned()])[0]);
    desk.end();
    desk.take(Compaction {
        dropped: vec![dropped],
        ..Compaction::default()
    });
    for turn in 0..8 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    let plan = desk.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
    let compaction = desk.summarised(plan, "So far.");
    let ids = compaction
        .replaced
        .as_ref()
        .map(|replaced| replaced.kept.clone())
        .unwrap_or_default();
    assert!(ids.contains(&kept) && !ids.contains(&dropped), "{ids:?}");
}

#[test]
fn what_a_skill_says_is_left_alone_where_every_other_output_is_shortened() {
    let mut desk = Desk::with(16_000);
    desk.user("go");
    let skill = desk.calls("skill", &[text(4_000)])[0];
    let reads = desk.calls("read", &[text(4_000), text(4_000)]);
    desk.answer("Done.", Vec::new());
    desk.end();
    for turn in 0..9 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    for taken in [step(&mut desk), desk.bench(POLICY).step(Why::WouldNotFit, true)] {
        let Some(Step::Take(pruned)) = taken else {
            panic!("outputs are enough")
        };
        let cut: Vec<EntryId> = pruned.cuts.iter().map(|cut| cut.entry).collect();
        assert!(cut.contains(&reads[0]) && !cut.contains(&skill), "{cut:?}");
        desk.take(pruned);
        for turn in 0..6 {
            desk.reads(&format!("more {turn}"), 4_000);
        }
    }
    assert!(read(&desk.messages()).contains(&text(4_000)));
}
