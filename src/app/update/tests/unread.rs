//! Tests a command that is higher than its area. It must be read completely to be allowed, but not to be denied.

use super::approval::decided;
use super::*;
use crate::dialogs::approval::RequestView;
use crate::view::request_keys::{Look, placed};
use benchdog_domain::permission::Kept;
use benchdog_keys::action::{ApprovalAction, GlobalAction, ListAction};
use benchdog_lang::{Word, word};

/// Number of lines of the script. Each line is one row.
const LINES: usize = 20;

fn script(call: &str) -> ApprovalRequest {
    script_of(call, LINES)
}

fn script_of(call: &str, lines: usize) -> ApprovalRequest {
    let mut request = dangerous(call);
    if let Review::Command(command) = &mut request.review {
        command.command = (0..lines).map(|n| format!("echo line {n}\n")).collect();
        command.class = CommandClass::Plain;
    }
    request.verdict.class = Some(CommandClass::Plain);
    request
}

fn asked() -> Bench {
    let mut bench = Bench::new(40, 12);
    bench.asks(script("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench
}

fn in_view(bench: &Bench) -> std::ops::Range<usize> {
    let RequestView::Rows { top, .. } = bench.state.screen.approvals.front().unwrap().view else {
        panic!("no rows")
    };
    top..top + usize::from(bench.state.layout.approval_body.unwrap().height)
}

fn shown(bench: &Bench, action: benchdog_keys::Action) -> Option<(String, &'static str, Look)> {
    let row = bench.state.layout.approval_keys.unwrap();
    let keys = placed(&bench.state, bench.state.screen.approvals.front().unwrap(), row);
    let key = keys.into_iter().find(|key| key.action == action);
    key.map(|key| (key.key, key.text, key.look))
}

fn once(bench: &Bench) -> Look {
    let key = shown(bench, benchdog_keys::Action::Approval(ApprovalAction::Once));
    key.unwrap().2
}

fn said(bench: &Bench) -> Option<&str> {
    bench.state.screen.toast.as_ref().map(|toast| toast.text.as_str())
}

#[test]
fn a_command_that_does_not_fit_is_read_to_its_end_and_allowed_only_then() {
    let mut bench = asked();
    bench.keys("y");
    assert!(decided(&bench).is_empty());
    assert!(
        said(&bench).is_some_and(|said| said.contains("Down")),
        "{:?}",
        said(&bench)
    );
    bench.wait(600);
    let mut downs = 0;
    while once(&bench) == Look::Disabled {
        assert!(in_view(&bench).end < LINES, "{:?}", in_view(&bench));
        let reads = shown(
            &bench,
            benchdog_keys::Action::List(benchdog_keys::action::ListAction::Down),
        );
        assert_eq!(reads.map(|(_, text, _)| text), Some(word(Word::KeyReadOn)));
        bench.keys("y");
        bench.wait(600);
        assert!(decided(&bench).is_empty(), "{downs}: what is not lit does not count");
        bench.keys("down");
        bench.wait(600);
        downs += 1;
        assert!(downs < 2 * LINES);
    }
    assert!(
        downs > 1 && in_view(&bench).end >= LINES,
        "{downs}: {:?}",
        in_view(&bench)
    );
    bench.keys("g");
    bench.wait(600);
    bench.keys("y");
    assert_eq!(
        decided(&bench),
        [("one", &Decision::Once { kept: Kept::All })],
        "read is read"
    );
}

#[test]
fn from_now_on_allows_nothing_either_that_was_not_on_screen() {
    let mut bench = Bench::new(120, 12);
    let mut request = script("one");
    request.verdict.scopes = vec![Scope {
        key: "bash".to_owned(),
        pattern: "echo *".to_owned(),
        options: None,
        and: Vec::new(),
    }];
    bench.asks(request);
    bench.keys("alt-a");
    bench.wait(600);
    let always = benchdog_keys::Action::Approval(ApprovalAction::Always);
    let look = |bench: &Bench| shown(bench, always).map(|(_, _, look)| look);
    assert_eq!(look(&bench), Some(Look::Disabled));
    bench.keys("a");
    assert!(
        said(&bench).is_some_and(|said| said.contains("Down")),
        "{:?}",
        said(&bench)
    );
    bench.wait(600);
    bench.keys("y");
    assert!(decided(&bench).is_empty());
    for _ in 0..LINES {
        bench.keys("down");
    }
    bench.wait(600);
    assert_eq!(look(&bench), Some(Look::Plain));
    bench.keys("a");
    bench.wait(600);
    bench.keys("y");
    assert!(matches!(
        &decided(&bench)[..],
        [("one", Decision::Always { kept: Kept::All, .. })]
    ));
}

#[test]
fn that_it_is_not_read_takes_no_row_of_it_and_is_said_as_long_as_it_is_true() {
    for (width, height) in [(40, 12), (60, 14), (160, 16)] {
        let mut bench = Bench::new(width, height);
        bench.asks(script("one"));
        bench.keys("alt-a");
        bench.wait(600);
        let before = in_view(&bench);
        bench.keys("y");
        assert_eq!(in_view(&bench), before);
        let status = crate::view::status::status(&bench.state);
        assert!(status.middle.contains("Down scrolls"), "{}", status.middle);
        bench.keys("down");
        assert_eq!(said(&bench), None, "who reads on knows it");
        bench.wait(600);
        bench.keys("y");
        assert!(said(&bench).is_some());
        bench.send(Msg::Resize { width, height: 60 });
        assert_eq!(said(&bench), None);
        assert_eq!(once(&bench), Look::Plain);
    }
}

#[test]
fn what_is_not_read_is_refused_at_any_time() {
    let mut bench = asked();
    bench.keys("n");
    assert_eq!(decided(&bench), [("one", &Decision::Deny { reason: None })]);
}

#[test]
fn keys_that_come_between_two_pictures_leap_over_no_row_of_a_command() {
    let mut bench = asked();
    let height = in_view(&bench).end;
    for key in ["pagedown", "down", "pagedown", "down"] {
        bench.now.0 += 20;
        let key = key.parse().unwrap();
        let ops = update(&mut bench.state, Msg::Key { key, at: bench.now });
        bench.ops.extend(ops);
    }
    arrange(&mut bench.state);
    assert_eq!(in_view(&bench).start, height, "the first row that was in no picture");
}

#[test]
fn whoever_looked_at_the_end_of_a_command_first_is_led_back_to_what_they_left_out() {
    let mut bench = asked();
    let height = in_view(&bench).end;
    bench.keys("G");
    bench.wait(600);
    assert!(in_view(&bench).start > height && once(&bench) == Look::Disabled);
    let reads = shown(
        &bench,
        benchdog_keys::Action::List(benchdog_keys::action::ListAction::Up),
    );
    assert_eq!(
        reads.map(|(_, text, _)| text),
        Some(word(Word::KeyReadOn)),
        "it lies above"
    );
    bench.keys("y");
    assert!(decided(&bench).is_empty());
    assert_eq!(in_view(&bench).start, height);
    for _ in 0..LINES {
        bench.keys("down");
    }
    bench.wait(600);
    assert_eq!(once(&bench), Look::Plain);
}

#[test]
fn a_command_that_was_read_stays_read_in_a_window_of_another_size() {
    let mut bench = asked();
    for _ in 0..LINES {
        bench.keys("down");
    }
    bench.wait(600);
    assert_eq!(once(&bench), Look::Plain);
    bench.send(Msg::Resize { width: 60, height: 11 });
    assert_eq!(once(&bench), Look::Plain);
    bench.keys("y");
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept: Kept::All })]);
}

#[test]
fn a_command_that_was_half_read_is_read_anew_where_its_words_break_elsewhere() {
    let mut bench = asked();
    for _ in 0..4 {
        bench.keys("down");
    }
    bench.send(Msg::Resize { width: 60, height: 12 });
    for _ in 0..LINES {
        bench.keys("down");
    }
    bench.wait(600);
    assert_eq!(
        once(&bench),
        Look::Disabled,
        "its first rows were not shown as they are now"
    );
    bench.keys("g");
    bench.wait(600);
    assert_eq!(once(&bench), Look::Plain);
}

#[test]
fn the_chord_that_allows_at_once_leads_into_a_command_that_was_not_read() {
    let mut bench = Bench::new(40, 12);
    bench.kitty();
    bench.asks(script("one"));
    bench.wait(2_000);
    let at_once = benchdog_keys::Action::Global(GlobalAction::OnceNow);
    assert_eq!(shown(&bench, at_once), None);
    bench.keys("alt-y");
    assert!(decided(&bench).is_empty() && bench.state.screen.approvals.has_focus());
    assert!(
        said(&bench).is_some_and(|said| said.contains("Down")),
        "{:?}",
        said(&bench)
    );
    for _ in 0..LINES {
        bench.keys("down");
    }
    bench.wait(600);
    bench.keys("alt-y");
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept: Kept::All })]);
}

const READS: [(ListAction, &str); 3] = [
    (ListAction::Up, "up"),
    (ListAction::Down, "down"),
    (ListAction::End, "G"),
];

fn reads_on(bench: &Bench) -> Option<(ListAction, &'static str)> {
    let is_named = |action: ListAction| {
        let key = shown(bench, benchdog_keys::Action::List(action));
        key.is_some_and(|(_, text, _)| text == word(Word::KeyReadOn))
    };
    READS.into_iter().find(|(action, _)| is_named(*action))
}

#[test]
fn of_a_command_that_is_very_long_both_ends_are_read_and_of_a_shorter_one_each_row() {
    const WHOLE: usize = 500;
    for (lines, is_long) in [(WHOLE, false), (WHOLE + 1, true), (4 * WHOLE, true)] {
        let mut bench = Bench::new(40, 12);
        bench.asks(script_of("one", lines));
        bench.keys("alt-a");
        bench.wait(600);
        let height = in_view(&bench).len();
        let first = reads_on(&bench).map(|(action, _)| action);
        let expected = if is_long { ListAction::End } else { ListAction::Down };
        assert_eq!(first, Some(expected), "{lines}");
        bench.keys("y");
        assert!(decided(&bench).is_empty() && said(&bench).is_some(), "{lines}");
        let mut read = Vec::from([in_view(&bench)]);
        for _ in 0..3 * height {
            let Some((_, key)) = reads_on(&bench) else { break };
            bench.keys(key);
            bench.wait(600);
            read.push(in_view(&bench));
        }
        assert_eq!(once(&bench) == Look::Plain, is_long, "{lines}");
        bench.keys("y");
        assert_eq!(decided(&bench).len(), usize::from(is_long), "{lines}");
        let ends = [0..height, lines - height..lines];
        let is_read = |row: usize| read.iter().any(|rows| rows.contains(&row));
        assert_eq!(ends.into_iter().flatten().all(is_read), is_long, "{lines}");
    }
}

#[test]
fn in_a_higher_window_more_of_both_ends_is_read() {
    let mut bench = Bench::new(40, 12);
    bench.asks(script_of("one", 1_000));
    bench.keys("alt-a");
    bench.wait(600);
    let height = in_view(&bench).len();
    bench.send(Msg::Resize { width: 40, height: 30 });
    assert!(in_view(&bench).len() > height);
    bench.keys("G");
    bench.send(Msg::Resize { width: 40, height: 12 });
    bench.wait(600);
    assert_eq!(once(&bench), Look::Disabled, "rows of its end were never shown");
}

#[test]
fn the_fields_of_a_call_are_allowed_however_long_one_of_them_is() {
    for key in ["y", "alt-y"] {
        let mut bench = Bench::new(40, 12);
        bench.kitty();
        let value: String = (0..LINES).map(|n| format!("line {n}\n")).collect();
        bench.asks(request("one", Review::Fields(vec![("text".to_owned(), value)])));
        bench.keys("alt-a");
        bench.wait(600);
        assert!(in_view(&bench).end < LINES && once(&bench) == Look::Plain, "{key}");
        bench.keys(key);
        assert_eq!(decided(&bench), [("one", &Decision::Once { kept: Kept::All })], "{key}");
    }
}

#[test]
fn a_command_is_wrapped_once_for_a_width_and_anew_where_it_is_another_one() {
    let mut bench = asked();
    let rows = |bench: &Bench, width: u16| bench.state.screen.approvals.front().unwrap().rows(width);
    let width = crate::layout::padded(bench.state.layout.approval_body.unwrap()).width;
    let first = rows(&bench, width);
    assert_ne!(rows(&bench, width / 4).len(), first.len());
    bench.keys("down");
    assert!(Arc::ptr_eq(&first, &rows(&bench, width)));
    bench.asks(script_of("one", LINES + 1));
    assert_eq!(rows(&bench, width).len(), first.len() + 1);
}
