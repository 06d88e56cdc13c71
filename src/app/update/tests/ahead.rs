//! Tests previews: they cannot be decided, and edits in them stay until their request is pending.

use ratatui::layout::Rect;

use super::approval::decided;
use super::*;
use crate::msg::OpResult;
use crate::view::request_keys::placed;
use benchdog_domain::permission::Kept;

fn about(call: &str, path: &str) -> ApprovalRequest {
    let mut request = edit(call);
    request.title = path.to_owned();
    if let Review::Files(changes) = &mut request.review {
        changes.iter_mut().for_each(|change| change.path = path.to_owned());
    }
    request
}

fn inside() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(about("a", "a.rs"));
    bench.ahead(0, "a", vec![about("b", "b.rs"), about("c", "c.rs")]);
    bench.keys("alt-a");
    bench.wait(600);
    bench
}

fn on_screen(bench: &Bench) -> String {
    let front = bench.state.screen.approvals.front();
    front.map(|front| front.request.call.0.clone()).unwrap_or_default()
}

fn said(bench: &Bench) -> String {
    bench
        .state
        .screen
        .toast
        .as_ref()
        .map(|toast| toast.text.clone())
        .unwrap_or_default()
}

#[test]
fn a_grave_request_that_was_previewed_waits_from_when_it_is_asked() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("a"));
    bench.ahead(0, "a", vec![dangerous("rm")]);
    bench.keys("alt-a >");
    bench.wait(5_000);
    bench.keys("< y");
    bench.asks(dangerous("rm"));
    bench.keys("alt-a y");
    assert_eq!(decided(&bench).len(), 1);
    bench.wait(500);
    bench.keys("y");
    assert_eq!(decided(&bench).len(), 2);
}

#[test]
fn the_rows_of_all_that_wait_name_their_files() {
    let bench = inside();
    let rows = bench.screen().join("\n");
    for file in ["b.rs", "c.rs"] {
        assert!(rows.contains(file), "{rows}");
        assert!(
            bench
                .state
                .screen
                .changes
                .rows
                .iter()
                .any(|row| row.path == file && row.state.waits())
        );
    }
}

#[test]
fn what_is_the_same_when_it_is_looked_at_again_is_not_compared_again() {
    let mut bench = inside();
    // The counts are set to numbers that no comparison returns.
    for row in &mut bench.state.screen.changes.rows {
        row.added = 77;
    }
    let mut changed = about("c", "c.rs");
    if let Review::Files(changes) = &mut changed.review {
        changes[0].after = Some(b"another\n".as_slice().into());
    }
    bench.ahead(0, "a", vec![about("b", "b.rs"), changed]);
    let rows = bench.state.screen.changes.rows.iter();
    let rows: Vec<(&str, u32)> = rows.map(|row| (row.path.as_str(), row.added)).collect();
    assert_eq!(rows, [("a.rs", 77), ("b.rs", 77), ("c.rs", 1)]);
}

#[test]
fn the_row_of_the_one_that_is_looked_at_says_so_where_others_wait() {
    let shown = |bench: &Bench| -> Vec<String> {
        let rows = bench.screen().into_iter();
        rows.filter(|row| row.contains("shown now")).collect()
    };
    let mut bench = inside();
    for file in ["a.rs", "b.rs", "c.rs"] {
        let rows = shown(&bench);
        assert!(matches!(&rows[..], [row] if row.contains(file)), "{file}: {rows:?}");
        bench.keys(">");
    }
    let mut alone = Bench::new(120, 40);
    alone.asks(about("a", "a.rs"));
    assert_eq!(shown(&alone), Vec::<String>::new());
}

#[test]
fn no_key_decides_what_is_only_looked_at_however_long_it_is_on_screen() {
    for key in ["y", "n", "a", "r", "alt-y", "alt-n"] {
        let mut bench = inside();
        bench.kitty();
        bench.keys(">");
        assert_eq!(on_screen(&bench), "b");
        bench.wait(2_000);
        bench.keys(key);
        bench.wait(2_000);
        assert!(bench.decisions().is_empty(), "{key}");
        assert_eq!(on_screen(&bench), "b", "{key}");
        if key.len() == 1 {
            assert!(said(&bench).contains("Preview only"), "{key}: {}", said(&bench));
        }
    }
}

#[test]
fn a_letter_that_decides_is_not_offered_there_and_says_at_once_why_it_does_nothing() {
    let mut bench = inside();
    bench.keys("> y");
    assert!(said(&bench).contains("Preview only"), "{}", said(&bench));
    let front = bench.state.screen.approvals.front().unwrap();
    let keys = placed(&bench.state, front, Rect::new(0, 0, 120, 1))
        .into_iter()
        .map(|hint| hint.key);
    let keys: Vec<String> = keys.collect();
    assert_eq!(keys[..2], ["<", ">"]);
    assert!(
        !keys.iter().any(|key| ["y", "n", "r", "a"].contains(&&**key)),
        "{keys:?}"
    );
}

#[test]
fn what_was_dropped_ahead_is_dropped_when_its_turn_comes_and_only_where_it_is_the_same() {
    for same in [true, false] {
        let mut bench = inside();
        bench.keys(">");
        bench.wait(600);
        bench.keys("space <");
        bench.wait(600);
        bench.keys("y");
        let mut next = about("b", "b.rs");
        if !same && let Review::Files(changes) = &mut next.review {
            changes[0].before = Some(b"line 3\n".as_slice().into());
        }
        bench.asks(next);
        assert_eq!(on_screen(&bench), "b");
        let kept = bench.state.screen.approvals.front().and_then(|front| front.kept());
        assert_eq!(kept == Some(Kept::All), !same, "{kept:?}");
        assert!(!bench.state.screen.approvals.looks_ahead());
        bench.wait(600);
        bench.keys("y");
        bench.wait(600);
        assert_eq!(bench.decisions().len(), 2, "it is asked about now");
    }
}

#[test]
fn who_looks_ahead_when_the_request_goes_sees_nothing_that_could_be_taken_for_it() {
    let mut bench = inside();
    bench.keys("> >");
    assert_eq!(on_screen(&bench), "c");
    bench.event(Live::ApprovalGone {
        call: CallId("a".to_owned()),
    });
    assert!(bench.state.screen.approvals.front().is_none() && !bench.state.screen.approvals.has_focus());
}

#[test]
fn of_those_that_are_all_asked_about_the_one_on_screen_is_decided() {
    let mut bench = Bench::new(120, 40);
    bench.asks(about("a", "a.rs"));
    bench.asks(about("b", "b.rs"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys(">");
    bench.wait(600);
    bench.keys("y");
    assert_eq!(decided(&bench).first().map(|(call, _)| *call), Some("b"));
    assert_eq!(on_screen(&bench), "a");
}

#[test]
fn at_the_ends_it_is_said_that_there_is_no_other() {
    let mut bench = inside();
    bench.keys("<");
    assert!(said(&bench).contains("first"), "{}", said(&bench));
    bench.keys("> > >");
    assert!(said(&bench).contains("no later request"), "{}", said(&bench));
    assert_eq!(on_screen(&bench), "c");
}

#[test]
fn one_that_is_asked_about_while_it_is_looked_at_stays_on_screen_and_counts_after_a_moment_of_quiet() {
    let mut bench = inside();
    bench.keys(">");
    bench.wait(2_000);
    bench.asks(about("b", "b.rs"));
    assert_eq!(on_screen(&bench), "b");
    bench.keys("y");
    assert!(bench.decisions().is_empty(), "{:?}", bench.decisions());
    assert_eq!(on_screen(&bench), "b");
    bench.wait(600);
    bench.keys("y");
    assert_eq!(bench.decisions().len(), 1);
    assert!(matches!(bench.decisions()[0], Command::Decide { call, .. } if call.0 == "b"));
}

#[test]
fn a_text_that_came_from_an_editor_for_what_is_only_looked_at_was_lost() {
    for goes in [false, true] {
        let mut bench = inside();
        bench.keys(">");
        bench.wait(600);
        bench.keys("E");
        let opened = bench.ops.iter().find_map(|op| match op {
            Op::OpenEditor { ticket, .. } => Some(ticket.clone()),
            _ => None,
        });
        let ticket = opened.unwrap();
        if goes {
            bench.ahead(0, "a", vec![about("c", "c.rs")]);
        }
        let text = Ok(Some("from outside\n".to_owned()));
        bench.send(Msg::Done(OpResult::Edited {
            seat: bench.state.screen.seat,
            ticket,
            text,
        }));
        let front = bench.state.screen.approvals.front().unwrap();
        let text = front.diff().unwrap().files[0].proposal().unwrap();
        assert_eq!(text == "from outside\n", !goes);
        assert_eq!(bench.earlier_prompts() == ["from outside"], goes);
    }
}
