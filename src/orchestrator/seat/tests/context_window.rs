//! Tests compaction: summaries that arrive, are edited or fail, and entries that are pinned or dropped.

use super::*;
use crate::engine::tests::rig::{COMPACTED, SUMMARY};
use benchdog_base::id::EntryId;
use benchdog_domain::compaction::{NoSummary, Unfit};
use benchdog_domain::notice::Notice;
use benchdog_protocol::{Preview, Told, TurnState};

const WORDS: &str = "Objective: the ledger is kept in cents.";

/// Returns a configuration with a context window that a few long answers fill.
fn small() -> Wishes {
    let mut config = Wishes::default().config;
    config["provider"]["p"]["models"]["m"] = json!({"context": 12_000, "output": 2_000});
    Wishes {
        config,
        ..Wishes::default()
    }
}

/// Returns a text of about a thousand tokens.
fn long() -> String {
    (0..170)
        .map(|number| format!("Thought number {number} of many. "))
        .collect()
}

async fn turns(rig: &mut Rig, turns: usize) {
    rig.script("go", (0..turns).map(|_| says(&long())));
    rig.script(COMPACTED, (0..40).map(|_| says(&long())));
    for turn in 0..turns {
        let prompt = if turn == 0 {
            "go".to_owned()
        } else {
            format!("and {turn}")
        };
        rig.turn(SEAT, &prompt).await;
    }
}

fn weighed(told: &Told) -> Option<&Preview> {
    match answer(told) {
        Some(Answer::SummaryWeighed(preview)) => Some(preview),
        _ => None,
    }
}

fn noticed<'t>(heard: &'t [Told], wanted: impl Fn(&Notice) -> bool + 't) -> usize {
    let notices = heard.iter().filter_map(|told| match &told.event {
        Event::Live(Live::Notice(notice)) => Some(notice),
        Event::Fact(entry) => match &entry.body {
            Body::Notice(notice) => Some(notice),
            _ => None,
        },
        _ => None,
    });
    notices.filter(|notice| wanted(notice)).count()
}

async fn shown(rig: &mut Rig) -> Preview {
    // A long conversation is summarised in several pieces.
    rig.script(SUMMARY, (0..6).map(|_| says(WORDS)));
    let instructions = String::new();
    rig.order(SEAT, Command::Compact { instructions }).await;
    let ready = |told: &Told| matches!(answer(told), Some(Answer::CompactionReady(_)));
    let at = rig.until("the summary", ready).await;
    match answer(&rig.heard.remove(at)) {
        Some(Answer::CompactionReady(preview)) => preview.clone(),
        _ => unreachable!("it was just looked at"),
    }
}

async fn weigh(rig: &mut Rig, words: &str) -> Preview {
    let summary = words.to_owned();
    rig.order(SEAT, Command::WeighSummary { summary }).await;
    let at = rig.until("its weight", |told| weighed(told).is_some()).await;
    weighed(&rig.heard.remove(at)).unwrap().clone()
}

fn compacted(rig: &mut Rig) -> Option<String> {
    let log = rig.log(SEAT);
    log.iter().find_map(|entry| match &entry.body {
        Body::Compaction(compaction) => compaction.replaced.as_ref()?.summary.clone(),
        _ => None,
    })
}

#[tokio::test]
async fn a_summary_in_a_persons_words_is_counted_anew_and_taken_in_these_words() {
    let mut rig = Rig::new(Wishes::default()).await;
    turns(&mut rig, 4).await;
    let made = shown(&mut rig).await;
    let longer = format!("{WORDS} {}", "And a word more. ".repeat(60));
    let preview = weigh(&mut rig, &longer).await;
    assert_eq!((preview.before, preview.unfit), (made.before, None));
    assert!(
        preview.after > made.after + 200,
        "{} after {}",
        preview.after,
        made.after
    );
    assert_eq!(compacted(&mut rig), None, "nothing has changed yet");
    let summary = longer.clone();
    rig.order(SEAT, Command::AcceptCompaction { summary }).await;
    assert_eq!(compacted(&mut rig), Some(longer));
}

#[tokio::test]
async fn an_empty_summary_and_one_that_is_too_long_are_refused_and_stay_to_be_mended() {
    let mut rig = Rig::new(Wishes::default()).await;
    turns(&mut rig, 4).await;
    shown(&mut rig).await;
    let book = "word ".repeat(9_000);
    for (words, says_empty) in [(" \n", true), (book.as_str(), false)] {
        let preview = weigh(&mut rig, words).await;
        let refused = |preview: &Preview| match preview.unfit {
            Some(Unfit::Empty) => says_empty,
            Some(Unfit::TooLong { tokens, most }) => !says_empty && tokens > most,
            None => false,
        };
        assert!(refused(&preview), "{:?}", preview.unfit);
        assert_eq!(preview.summary, words);
        let summary = words.to_owned();
        rig.order(SEAT, Command::AcceptCompaction { summary }).await;
        let at = rig.until("the refusal", |told| weighed(told).is_some()).await;
        assert!(refused(weighed(&rig.heard.remove(at)).unwrap()));
        assert_eq!(compacted(&mut rig), None);
    }
    let summary = WORDS.to_owned();
    rig.order(SEAT, Command::AcceptCompaction { summary }).await;
    assert_eq!(compacted(&mut rig).as_deref(), Some(WORDS));
}

/// Sends prompts until a request waits for a summary, which never arrives.
async fn waits(rig: &mut Rig) {
    rig.script("go", (0..40).map(|_| says(&long())));
    rig.script(COMPACTED, (0..40).map(|_| says(&long())));
    for turn in 0..40 {
        let prompt = if turn == 0 {
            "go".to_owned()
        } else {
            format!("and {turn}")
        };
        rig.prompt(SEAT, &prompt).await;
        let summarises = |told: &Told| matches!(told.event, Event::Live(Live::State(TurnState::Compacting)));
        let ends = |told: &Told| matches!(body(told), Some(Body::TurnEnded { .. }));
        let at = rig
            .until("a summary, or the end", |told| summarises(told) || ends(told))
            .await;
        if summarises(&rig.heard[at]) {
            return;
        }
        rig.heard.clear();
    }
    panic!("nothing is summarised: {:#?}", rig.heard);
}

#[tokio::test]
async fn who_skips_a_summary_gets_the_answer_without_it() {
    let mut rig = Rig::new(small()).await;
    waits(&mut rig).await;
    rig.order(SEAT, Command::SkipSummary).await;
    let heard = rig.ends(SEAT).await;
    assert_eq!(
        noticed(&heard, |notice| *notice == Notice::NotSummarised(NoSummary::Skipped)),
        1
    );
    let answered = heard.iter().filter_map(body);
    assert_eq!(
        answered.filter(|body| matches!(body, Body::Assistant { .. })).count(),
        1
    );
    // Nothing is pending any more.
    let before = rig.heard.len();
    rig.order(SEAT, Command::SkipSummary).await;
    assert_eq!(rig.heard.len(), before);
}

async fn fills(rig: &mut Rig) -> Vec<Told> {
    rig.script("go", (0..40).map(|_| says(&long())));
    rig.script(COMPACTED, (0..40).map(|_| says(&long())));
    let mut heard = Vec::new();
    for turn in 0..12 {
        let prompt = if turn == 0 {
            "go".to_owned()
        } else {
            format!("and {turn}")
        };
        heard.extend(rig.turn(SEAT, &prompt).await);
    }
    heard
}

fn asked_for_summaries(rig: &Rig) -> usize {
    let asked = rig.provider.asked.lock().unwrap();
    asked.iter().filter(|request| request.tools.is_empty()).count()
}

#[tokio::test]
async fn a_model_that_did_not_summarise_is_not_asked_again_before_a_person_asks_it() {
    let mut rig = Rig::new(small()).await;
    rig.script(SUMMARY, [says(" ")]);
    let heard = fills(&mut rig).await;
    assert_eq!(noticed(&heard, |notice| matches!(notice, Notice::NotSummarised(_))), 1);
    assert_eq!(asked_for_summaries(&rig), 1);
    shown(&mut rig).await;
    assert!(asked_for_summaries(&rig) > 1);
    rig.order(SEAT, Command::DropCompaction).await;
    let before = asked_for_summaries(&rig);
    rig.script(SUMMARY, (0..40).map(|_| says(WORDS)));
    fills(&mut rig).await;
    assert!(asked_for_summaries(&rig) > before, "it has summarised since");
}

#[tokio::test]
async fn where_a_model_did_not_summarise_the_next_one_that_is_chosen_is_asked() {
    let mut wishes = small();
    wishes.config["provider"]["p"]["models"]["n"] = json!({"context": 12_000, "output": 2_000});
    let mut rig = Rig::new(wishes).await;
    rig.script(SUMMARY, [says(" ")]);
    fills(&mut rig).await;
    assert_eq!(asked_for_summaries(&rig), 1);
    rig.order(SEAT, Command::SetModel { id: "p/n".to_owned() }).await;
    rig.script(SUMMARY, (0..40).map(|_| says(WORDS)));
    fills(&mut rig).await;
    assert!(asked_for_summaries(&rig) > 1);
}

async fn those_that_read(rig: &mut Rig, paths: &[&str]) -> Vec<EntryId> {
    let reads = (0..).zip(paths).map(|(number, path)| {
        let id = format!("r{number}");
        calls(&id, "read", &json!({"path": path}))
    });
    rig.script("go", reads.chain([says("Read.")]));
    rig.turn(SEAT, "go").await;
    let log = rig.log(SEAT);
    let results = log.iter().filter(|entry| matches!(entry.body, Body::ToolResult { .. }));
    results.map(|entry| entry.id).collect()
}

#[tokio::test]
async fn what_is_left_out_is_not_pinned_any_more_and_what_saves_nothing_is_not_left_out() {
    const LINES: &str = "A line of a file that is long enough to be worth leaving out.\nAnother such line of it.\nAnd a third one, that \
        makes it longer than what is said in its place, which names the tool and the path.\nAnd a fourth, to be sure of it.\n";
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", LINES)],
        ..Wishes::default()
    })
    .await;
    let entry = those_that_read(&mut rig, &["a.txt"]).await[0];
    rig.script("go", [says("Yes.")]);
    rig.turn(SEAT, "on").await;
    rig.order(SEAT, Command::Pin { entry, pinned: true }).await;
    rig.order(SEAT, Command::DropItem { entry }).await;
    let items = rig.heard.iter().rev().find_map(|told| match answer(told) {
        Some(Answer::Context(items)) => Some(items.clone()),
        _ => None,
    });
    let items = items.unwrap();
    let dropped = items.iter().find(|item| item.entry == Some(entry)).unwrap();
    assert!(
        !dropped.pinned && dropped.carried == benchdog_domain::budget::CarriedAs::Line,
        "{dropped:?}"
    );
    let saved = rig.log(SEAT).len();
    // Take the newest prompt, because the first one is longer than its placeholder would be.
    let is_prompt = |entry: &&std::sync::Arc<benchdog_domain::entry::Entry>| matches!(entry.body, Body::User { .. });
    let prompt = rig.log(SEAT).iter().rev().find(is_prompt).unwrap().id;
    rig.order(SEAT, Command::DropItem { entry: prompt }).await;
    rig.order(SEAT, Command::DropItem { entry }).await;
    assert_eq!(rig.log(SEAT).len(), saved);
    assert_eq!(
        noticed(&rig.heard, |notice| matches!(notice, Notice::NothingSaved { .. })),
        2
    );
}

#[tokio::test]
async fn a_pin_that_does_not_fit_says_how_large_it_is_and_what_room_pins_have() {
    let mut rig = Rig::new(Wishes {
        config: small().config,
        ..Wishes::default()
    })
    .await;
    for name in ["a.txt", "b.txt"] {
        std::fs::write(rig.file(name), "A line of a long file.\n".repeat(700)).unwrap();
    }
    for entry in those_that_read(&mut rig, &["a.txt", "b.txt"]).await {
        rig.order(SEAT, Command::Pin { entry, pinned: true }).await;
    }
    let numbers = rig.heard.iter().find_map(|told| match &told.event {
        Event::Live(Live::Notice(Notice::PinsFull { item, taken, most })) => Some((*item, *taken, *most)),
        _ => None,
    });
    let (item, taken, most) = numbers.expect("a refusal");
    assert!(
        taken > 500 && item > 500 && taken < most && taken + item > most,
        "{item} {taken} {most}"
    );
    assert_eq!(most, 2_500);
}
