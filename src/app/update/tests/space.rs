//! Tests side panes without content, the fixed frame of requests, and the start screen.

use super::*;
use crate::layout::Pane;
use benchdog_base::id::SessionId;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::{Ledger, LedgerItem, LedgerKind};
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};

const SIDE: [Pane; 3] = [Pane::Changes, Pane::Todo, Pane::Context];

fn shown(bench: &Bench) -> Vec<Pane> {
    let shown = SIDE.into_iter().filter(|pane| bench.state.layout.of(*pane).is_some());
    shown.collect()
}

fn todo(bench: &mut Bench, texts: &[&str]) {
    let items = (1..).zip(texts).map(|(id, text)| TodoItem {
        id,
        text: (*text).to_owned(),
        status: TodoStatus::Pending,
    });
    let items = TodoList(items.collect());
    bench.entry(Body::Todo { items });
}

fn says(bench: &mut Bench, turn: u32, text: &str) {
    let body = Body::User {
        text: text.to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    };
    bench.entry_of(turn, body);
}

fn has_model(bench: &mut Bench) {
    bench.state.screen.session.model = Some(ModelRef {
        provider: "local".to_owned(),
        id: "m".to_owned(),
    });
}

fn counts(bench: &mut Bench) {
    let item = |kind, tokens| LedgerItem { kind, tokens };
    bench.event(Live::Context(Ledger {
        cached: None,
        used: 5_000,
        limit: 10_000,
        limit_is_guess: false,
        reserve: 2_000,
        estimated: true,
        items: vec![item(LedgerKind::System, 5_000), item(LedgerKind::Files, 0)],
    }));
}

#[test]
fn a_side_pane_has_a_place_only_while_it_has_content_or_the_focus() {
    let mut bench = Bench::new(120, 40);
    has_model(&mut bench);
    counts(&mut bench);
    assert_eq!(shown(&bench), []);
    let wide = bench.state.layout.prompt.unwrap().width;
    todo(&mut bench, &["one", "two"]);
    assert_eq!(shown(&bench), [Pane::Todo, Pane::Context]);
    assert!(bench.state.layout.prompt.unwrap().width < wide);
    let beside = bench.state.layout.prompt;
    bench.asks(edit("one"));
    assert_eq!(
        bench.state.layout.prompt, beside,
        "what is asked about shows in the request"
    );
    let mut bench = Bench::new(120, 40);
    bench.keys("alt-4");
    assert_eq!(
        (shown(&bench), bench.state.screen.focus),
        (vec![Pane::Changes], Pane::Changes)
    );
    bench.keys("esc");
    assert_eq!(shown(&bench), []);
}

#[test]
fn a_prompt_is_no_item_of_the_list_neither_in_its_turn_nor_in_the_next() {
    let mut bench = Bench::new(120, 40);
    says(&mut bench, 1, "fix it");
    todo(&mut bench, &["fix it"]);
    assert_eq!(shown(&bench), []);
    says(&mut bench, 2, "and now the docs");
    todo(&mut bench, &["fix it"]);
    assert_eq!((shown(&bench), bench.state.screen.todo.progress()), (Vec::new(), None));
    todo(&mut bench, &["fix it", "and test it"]);
    assert_eq!(shown(&bench), [Pane::Todo]);
}

#[test]
fn the_ledger_is_one_gauge_until_it_is_opened_and_says_nothing_before_there_is_a_model() {
    let mut bench = Bench::new(120, 40);
    counts(&mut bench);
    assert_eq!(bench.state.screen.filled(), None);
    has_model(&mut bench);
    todo(&mut bench, &["one", "two"]);
    assert_eq!(bench.state.screen.filled().as_deref(), Some("~62 %"));
    assert_eq!(bench.state.screen.context.row_count(), 2);
    bench.keys("alt-6");
    assert_eq!(bench.state.screen.context.row_count(), 3, "nothing of a kind is no row");
}

#[test]
fn a_request_for_an_edit_and_one_for_a_command_span_the_same_columns() {
    let frame = |request: ApprovalRequest| {
        let mut bench = Bench::new(120, 40);
        todo(&mut bench, &["one", "two"]);
        bench.asks(request);
        let rect = bench.state.layout.approval.unwrap();
        (rect.x, rect.width, rect.bottom())
    };
    assert_eq!(frame(edit("one")), frame(dangerous("two")));
    assert_eq!(frame(edit("one")), frame(question("three")));
}

#[test]
fn tab_puts_an_example_into_the_prompt_of_a_new_session_and_leaves_other_text_alone() {
    let mut bench = Bench::new(120, 40);
    bench.state.screen.session.id = Some(SessionId("0198".to_owned()));
    bench.keys("tab");
    let first = bench.prompt();
    assert!(!first.is_empty());
    bench.keys("tab");
    assert!(!bench.prompt().is_empty() && bench.prompt() != first);
    bench.keys("tab tab");
    assert_eq!(bench.prompt(), first);
    bench.types(" And more.");
    bench.keys("tab");
    assert_eq!(bench.prompt(), format!("{first} And more."));
    assert_ne!(bench.state.screen.focus, Pane::Prompt, "as in any other session");
    bench.keys("alt-3 ctrl-u");
    says(&mut bench, 1, "fix it");
    bench.keys("tab");
    assert_eq!(bench.prompt(), "");
}
