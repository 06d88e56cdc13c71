//! Tests changes of a proposal: lines, comments, and edits.

mod texts;

use ratatui::layout::Rect;

use super::approval::decided;
use super::*;
use crate::dialogs::approval::Step;
use crate::diff_view::DiffView;
use crate::update::request;
use crate::view::request_keys::placed;
use benchdog_domain::permission::{Decision, Kept, PartKept};
use benchdog_lang::{Word, word};
use benchdog_protocol::{Command, Delivery};

fn prompts(bench: &Bench) -> Vec<&Command> {
    let sent = bench.ops.iter().filter_map(|op| match op {
        Op::Send(command) => Some(command),
        _ => None,
    });
    sent.filter(|command| matches!(command, Command::Prompt { .. }))
        .collect()
}

#[test]
fn why_nothing_can_be_remembered_goes_with_the_next_key() {
    let mut bench = Bench::new(120, 40);
    let mut request = edit("one");
    request.verdict.scopes.clear();
    bench.asks(request);
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a");
    assert!(bench.state.screen.toast.is_some());
    bench.keys("down");
    assert!(bench.state.screen.toast.is_none());
}

#[test]
fn where_nothing_is_kept_neither_of_the_keys_that_allow_is_offered() {
    let mut bench = inside();
    let offered = |bench: &Bench| {
        let waiting = bench.state.screen.approvals.front().unwrap();
        let keys = placed(&bench.state, waiting, Rect::new(0, 0, 200, 1));
        let keys = keys
            .iter()
            .filter(|placed| ["y", "a", "n"].contains(&placed.key.as_str()));
        keys.map(|placed| (placed.key.clone(), placed.text)).collect::<Vec<_>>()
    };
    let keys = |bench: &Bench| offered(bench).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
    assert_eq!(keys(&bench), ["y", "n", "a"]);
    let view = request::diff(&mut bench.state).unwrap();
    view.toggle_file();
    assert_eq!(offered(&bench), [("n".to_owned(), word(Word::DenyNothingKept))]);
    bench.keys("a");
    assert!(
        matches!(bench.state.screen.approvals.front().unwrap().step, Step::Deciding),
        "nor is it opened"
    );
    assert!(bench.state.screen.toast.as_ref().is_some_and(|toast| toast.error));
    request::diff(&mut bench.state).unwrap().toggle_file();
    assert_eq!(keys(&bench), ["y", "n", "a"]);
}

#[test]
fn comments_go_to_the_model_together_with_their_lines() {
    let mut bench = inside();
    bench.keys("c");
    bench.types("why three?\n");
    bench.keys("enter ] c");
    bench.types("and @this one");
    bench.keys("enter");
    bench.wait(600);
    bench.keys("y");
    let prompts = prompts(&bench);
    let [Command::Prompt { text, pasted, delivery }] = &prompts[..] else {
        panic!("{prompts:?}")
    };
    assert_eq!(*delivery, Delivery::Steer);
    assert_eq!((pasted.len(), pasted[0].clone()), (1, 0..text.len()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Comments on the proposal:");
    assert!(lines[2].starts_with("src/money.rs:3, as proposed"), "{text}");
    assert!(lines[3].contains("line three") && lines[4] == "why three?", "{text}");
    assert!(text.ends_with("and @this one"), "{text}");
    assert_eq!(bench.decisions().len(), 1);
}

#[test]
fn a_comment_and_a_reason_may_have_lines() {
    for key in ["c", "r"] {
        let mut bench = inside();
        bench.keys(key);
        bench.types("one");
        bench.keys("ctrl-j");
        bench.types("two");
        let text = bench.state.screen.approvals.front_mut().unwrap().text();
        assert_eq!(
            text.map(|buffer| buffer.expanded()).as_deref(),
            Some("one\ntwo"),
            "{key}"
        );
    }
}

#[test]
fn a_refusal_carries_the_comments_as_its_reason() {
    let mut bench = inside();
    bench.keys("c");
    bench.types("no");
    bench.keys("enter");
    bench.wait(600);
    bench.keys("r");
    bench.types("not like this");
    bench.keys("enter");
    let decisions = decided(&bench);
    let [(_, Decision::Deny { reason: Some(reason) })] = &decisions[..] else {
        panic!("{decisions:?}")
    };
    assert!(
        reason.starts_with("not like this\n\nComments on the proposal:"),
        "{reason}"
    );
    assert!(prompts(&bench).is_empty());
}

#[test]
fn a_comment_is_changed_and_taken_back() {
    let mut bench = inside();
    bench.keys("c");
    bench.types("first");
    bench.keys("enter c");
    bench.types(" second");
    bench.keys("esc c ctrl-u enter");
    bench.wait(600);
    bench.keys("y");
    assert!(prompts(&bench).is_empty());
}

#[test]
fn what_is_edited_in_its_place_is_what_is_accepted() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("mine: ");
    bench.keys("ctrl-s");
    bench.wait(600);
    bench.keys("y");
    let decisions = decided(&bench);
    let [
        (
            _,
            Decision::Once {
                kept: Kept::Parts { files },
            },
        ),
    ] = &decisions[..]
    else {
        panic!("{decisions:?}")
    };
    let [Some(PartKept::Text(text))] = &files[..] else {
        panic!("{files:?}")
    };
    assert!(text.contains("\nmine: line three"), "{text}");
}

#[test]
fn what_was_said_of_dropping_an_edit_is_gone_when_it_is_kept() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("x");
    bench.keys("esc");
    assert!(bench.state.screen.toast.is_some());
    bench.keys("ctrl-s");
    assert!(bench.state.screen.toast.is_none());
}

#[test]
fn a_changed_text_is_dropped_only_by_a_second_escape() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("x");
    bench.keys("esc");
    let editing = |bench: &Bench| matches!(bench.state.screen.approvals.front().unwrap().step, Step::Edit(_));
    assert!(editing(&bench));
    bench.types("y");
    bench.keys("esc");
    assert!(editing(&bench), "typing begins anew");
    bench.keys("esc");
    bench.wait(600);
    bench.keys("y");
    assert!(matches!(
        &decided(&bench)[..],
        [(_, Decision::Once { kept: Kept::All })]
    ));
}

#[test]
fn letters_decide_nothing_while_something_is_written() {
    for (key, letters) in [("c", "yanr 1"), ("e", "yanr 1")] {
        let mut bench = inside();
        bench.keys(key);
        bench.wait(600);
        for letter in letters.chars() {
            bench.wait(600);
            bench.types(&letter.to_string());
        }
        bench.wait(600);
        assert!(bench.decisions().is_empty() && bench.prompt().is_empty(), "{key}");
    }
}

#[test]
fn letters_of_what_is_looked_for_decide_nothing_and_go_nowhere_else() {
    let mut bench = inside();
    bench.wait(600);
    bench.keys("/");
    for letter in "yanr line 3".chars() {
        bench.wait(600);
        bench.types(&letter.to_string());
    }
    bench.keys("enter up down");
    assert!(decided(&bench).is_empty() && bench.state.screen.prompt.buffer.text().is_empty());
    let find = |bench: &Bench| {
        bench
            .state
            .screen
            .approvals
            .front()
            .unwrap()
            .diff()
            .unwrap()
            .find
            .clone()
    };
    assert_eq!(find(&bench).unwrap().query, "yanr line 3");
    bench.keys("esc");
    assert!(find(&bench).is_none() && bench.state.screen.approvals.has_focus());
    bench.keys("ctrl-f");
    assert!(
        find(&bench).is_some(),
        "the find of the conversation is that of the diff here"
    );
    bench.keys("alt-3");
    assert!(find(&bench).is_none() && !bench.state.screen.approvals.has_focus());
}

#[test]
fn esc_leaves_the_search_and_not_the_editor_and_typing_replaces_what_was_found() {
    let mut bench = inside();
    bench.keys("e ctrl-f");
    bench.types("thirty");
    bench.keys("esc");
    bench.types("XXX");
    bench.keys("ctrl-s");
    bench.wait(600);
    bench.keys("y");
    assert!(edited(&bench).contains("line XXX\nmore"), "{}", edited(&bench));
}

#[test]
fn what_is_not_kept_is_not_applied() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("mine");
    bench.keys("ctrl-f");
    bench.types("line");
    // The first Esc leaves the search, the second shows a warning, and the third leaves the editor.
    bench.keys("esc esc esc");
    bench.wait(600);
    bench.keys("y");
    let decisions = decided(&bench);
    assert!(
        matches!(&decisions[..], [(_, Decision::Once { kept: Kept::All })]),
        "{decisions:?}"
    );
}

#[test]
fn the_mouse_puts_the_caret_into_the_proposal_and_selects_there() {
    use crate::msg::MouseKind;
    let mut bench = inside();
    bench.keys("e");
    let body = bench.state.layout.approval_body.unwrap();
    let area = bench.state.screen.approvals.front().unwrap().text_area(body).unwrap();
    let at = bench.now;
    for (kind, x) in [(MouseKind::Press, 5), (MouseKind::Drag, 10), (MouseKind::Release, 10)] {
        let (x, y) = (area.x + x, area.y + 2);
        bench.send(Msg::Mouse { kind, x, y, at });
    }
    bench.types("row");
    bench.keys("ctrl-s");
    bench.wait(600);
    bench.keys("y");
    assert!(edited(&bench).contains("\nline row\n"), "{}", edited(&bench));
}

fn edited(bench: &Bench) -> String {
    let decisions = decided(bench);
    let Some((
        _,
        Decision::Once {
            kept: Kept::Parts { files },
        },
    )) = decisions.first()
    else {
        panic!("{decisions:?}")
    };
    let Some(Some(PartKept::Text(text))) = files.first() else {
        panic!("{files:?}")
    };
    text.clone()
}

#[test]
fn a_comment_that_was_emptied_is_given_up_and_the_one_that_stands_is_shown_again() {
    let mut bench = inside();
    bench.keys("c");
    bench.types("stands");
    bench.keys("enter c");
    bench.types(" and more");
    bench.keys("ctrl-c ctrl-c c");
    let text = bench.state.screen.approvals.front_mut().unwrap().text();
    assert_eq!(text.map(|buffer| buffer.expanded()).as_deref(), Some("stands"));
}

#[test]
fn what_is_said_of_a_key_goes_with_the_next_one() {
    for (asks, keys) in [(dangerous as fn(&str) -> ApprovalRequest, "a"), (edit, "g x")] {
        let mut bench = Bench::new(120, 40);
        bench.asks(asks("one"));
        bench.keys("alt-a");
        bench.wait(600);
        for key in keys.split(' ') {
            bench.keys(key);
            bench.wait(600);
        }
        assert!(bench.state.screen.toast.is_some(), "{keys}");
        bench.keys("?");
        assert!(bench.state.screen.toast.is_none(), "{keys}");
    }
}

fn shown(bench: &Bench) -> &DiffView {
    bench.state.screen.approvals.front().unwrap().diff().unwrap()
}

fn scroll_away(bench: &mut Bench) {
    for _ in 0..20 {
        if shown(bench).hunk_is_seen() {
            request::diff(&mut bench.state).unwrap().scroll(1);
        }
    }
    assert!(!shown(bench).hunk_is_seen(), "between the two");
}

#[test]
fn deselecting_a_hunk_that_was_scrolled_away_shows_it() {
    let mut bench = Bench::new(40, 12);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    scroll_away(&mut bench);
    bench.keys("space");
    assert!(shown(&bench).hunk_is_seen() && shown(&bench).files[0].kept == [false, true]);
    bench.keys("y");
    let files = vec![Some(PartKept::Hunks(vec![false, true]))];
    let kept = Kept::Parts { files };
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept })]);
}
