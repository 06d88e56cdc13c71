//! Tests of summaries and removals requested by the person.

use super::*;
use benchdog_domain::compaction::Unfit;

fn short_turns(desk: &mut Desk, turns: usize) -> Vec<EntryId> {
    let turn = |number| {
        let prompt = desk.user(&format!("Question {number}"));
        desk.answer(&format!("Answer {number}"), Vec::new());
        desk.end();
        prompt
    };
    (1..=turns).map(turn).collect()
}

#[test]
fn in_a_large_window_a_person_has_all_but_the_last_two_turns_summarised_and_nobody_else_any() {
    let mut desk = Desk::with(128_000);
    let prompts = short_turns(&mut desk, 12);
    assert_eq!(desk.bench(POLICY).plan(Why::Threshold), None);
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    let replaced = plan.compaction.replaced.as_ref().unwrap();
    assert!(
        replaced.upto > prompts[9] && replaced.upto < prompts[10],
        "{replaced:?}"
    );
    let told = |text: &str| plan.parts.iter().any(|part| format!("{part:?}").contains(text));
    assert!(told("Answer 10") && !told("Question 11"));
}

#[test]
fn of_two_turns_the_first_is_summarised_and_of_one_none() {
    let mut desk = Desk::with(128_000);
    short_turns(&mut desk, 1);
    assert_eq!(desk.bench(POLICY).plan(Why::Asked), None);
    let second = short_turns(&mut desk, 1);
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    assert!(plan.compaction.replaced.unwrap().upto < second[0]);
}

#[test]
fn a_summary_that_stands_already_is_summarised_with_what_came_since_and_never_alone() {
    let mut desk = Desk::with(128_000);
    short_turns(&mut desk, 4);
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    let compaction = desk.bench(POLICY).with_summary(plan, "Two questions.".to_owned());
    desk.push(Body::Compaction(compaction));
    let again = desk.bench(POLICY).plan(Why::Asked).unwrap();
    assert_eq!(
        again.parts.len(),
        1 + 3,
        "the summary, and a prompt, its answer and its end"
    );
    let compaction = desk.bench(POLICY).with_summary(again, "Three questions.".to_owned());
    desk.push(Body::Compaction(compaction));
    assert_eq!(desk.bench(POLICY).plan(Why::Asked), None);
}

#[test]
fn a_persons_summary_is_neither_empty_nor_longer_than_the_plan_or_than_the_one_they_were_shown() {
    let mut desk = Desk::with(16_000);
    short_turns(&mut desk, 6);
    let plan = desk.bench(POLICY).plan(Why::Asked).unwrap();
    let bench = desk.bench(POLICY);
    let shown = |summary: String| bench.with_summary(plan.clone(), summary);
    let unfit = |made: &Compaction, words: &str| bench.unfit(&plan, made, words);
    let short = shown("Six questions.".to_owned());
    assert_eq!(unfit(&short, " \n"), Some(Unfit::Empty));
    assert_eq!(unfit(&short, "Cents."), None);
    let long = "word ".repeat(usize::try_from(plan.most).unwrap() * 3 / 2);
    let Some(Unfit::TooLong { tokens, most }) = unfit(&short, &long) else {
        panic!("it is taken")
    };
    assert!(most == plan.most && tokens > most, "{tokens} of {most}");
    assert_eq!(unfit(&shown(long.clone()), long.trim_end()), None);
}

#[test]
fn leaving_out_what_is_no_longer_than_the_line_in_its_place_saves_nothing() {
    let mut desk = Desk::with(32_000);
    let prompt = desk.user("Yes.");
    let long = desk.reads("Read it.", 9_000);
    let bench = desk.bench(POLICY);
    let (tokens, line) = bench.nothing_saved(prompt).expect("its line is longer");
    assert!(tokens < line);
    assert_eq!(bench.nothing_saved(long), None);
    desk.push(Body::Compaction(Compaction {
        dropped: vec![long],
        ..Compaction::default()
    }));
    let bench = desk.bench(POLICY);
    let (tokens, line) = bench.nothing_saved(long).expect("it is a line already");
    assert_eq!(tokens, line);
}

#[test]
fn what_a_call_without_a_word_was_about_is_in_its_row() {
    let mut desk = Desk::with(32_000);
    desk.tools[0].success = Success::FileRead;
    desk.user("Look.");
    desk.calls("read", &[text(90)]);
    let silent = Body::Assistant {
        text: String::new(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: vec![ToolCall {
            id: CallId("silent".to_owned()),
            name: "read".to_owned(),
            arguments: Arguments::Raw(String::new()),
        }],
        model: ModelRef::none(),
        usage: None,
        error: None,
    };
    desk.push(silent);
    let label = |desk: &mut Desk| desk.bench(POLICY).items().last().unwrap().label.clone();
    assert_eq!(label(&mut desk), "→ read");
    desk.push(Body::ToolResult {
        call: CallId("silent".to_owned()),
        tool: "read".to_owned(),
        title: "src/b.rs:1,010".to_owned(),
        status: CallStatus::Ok,
        summary: Summary::SomeLines {
            shown: 40,
            lines: 9_000,
        },
        output: "fn b() {}".to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    });
    let items = desk.bench(POLICY).items();
    let labelled = |wanted: &str| items.iter().any(|item| item.label == wanted);
    assert!(
        labelled("→ read src/b.rs:1010-1049") && labelled("src/b.rs:1010-1049") && labelled("src/a.rs"),
        "{items:?}"
    );
}
