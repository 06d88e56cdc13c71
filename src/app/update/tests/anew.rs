//! Tests a proposal that is rebuilt during its review, because its file has changed on disk.

use super::approval::decided;
use super::*;
use crate::dialogs::approval::Step;
use crate::dialogs::editor::{Beside, Editor};
use crate::dialogs::why::beside_title;
use crate::msg::{EditTicket, OpResult};
use benchdog_domain::permission::{Kept, PartKept};
use benchdog_domain::review::{FileNote, Forgave, Forgiven};
use benchdog_lang::{Word, word};
use benchdog_protocol::OnDisk;

/// Returns the same edit for a file that was changed by `saved`.
pub(super) fn anew(saved: impl Fn(&str) -> String) -> ApprovalRequest {
    let mut request = edit("one");
    (request.edition, request.on_disk) = (1, OnDisk::Newer);
    let Review::Files(changes) = &mut request.review else {
        panic!("files")
    };
    let changed = |side: &Option<Arc<[u8]>>| {
        let text = String::from_utf8(side.as_ref().unwrap().to_vec()).unwrap();
        Some(Arc::from(saved(&text).into_bytes()))
    };
    changes[0].before = changed(&changes[0].before);
    changes[0].after = changed(&changes[0].after);
    changes[0].note = Some(FileNote::Forgave(vec![Forgave {
        what: Forgiven::ChangedOnDisk,
        part: None,
    }]));
    request
}

fn line_above(text: &str) -> String {
    format!("new\n{text}")
}

pub(super) fn editions(bench: &Bench) -> Vec<u32> {
    let edition = |command: &&Command| match command {
        Command::Decide { edition, .. } => *edition,
        _ => 0,
    };
    bench.decisions().iter().map(edition).collect()
}

pub(super) fn text_of(bench: &Bench) -> String {
    let front = bench.state.screen.approvals.front().unwrap();
    front.diff().unwrap().files[0].proposal().unwrap()
}

#[test]
fn what_was_dropped_stays_dropped_where_the_hunks_are_the_same_and_a_letter_counts_after_a_new_moment_of_quiet() {
    let mut bench = inside();
    bench.keys("space");
    bench.asks(anew(line_above));
    assert!(bench.state.screen.approvals.has_focus());
    let said = bench
        .state
        .screen
        .toast
        .as_ref()
        .map(|toast| toast.text.clone())
        .unwrap();
    assert!(said.contains("changed on disk"), "{said}");
    bench.keys("y");
    bench.wait(100);
    assert!(decided(&bench).is_empty(), "it was on screen for a moment only");
    bench.wait(1_000);
    bench.keys("y");
    let files = vec![Some(PartKept::Hunks(vec![false, true]))];
    let kept = Kept::Parts { files };
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept })]);
    assert_eq!(editions(&bench), [1]);
}

#[test]
fn what_was_decided_and_comes_back_has_its_marks_and_says_no_comment_twice() {
    let mut bench = inside();
    bench.keys("space c");
    bench.types("keep it");
    bench.keys("enter");
    bench.wait(600);
    bench.keys("y");
    assert_eq!(editions(&bench), [0]);
    bench.asks(anew(line_above));
    let front = bench.state.screen.approvals.front().unwrap();
    assert_eq!(front.diff().unwrap().files[0].kept, [false, true]);
    bench.keys("alt-a");
    bench.wait(1_200);
    bench.keys("y");
    assert_eq!(editions(&bench), [0, 1]);
    let said = |command: &&&Command| matches!(command, Command::Prompt { text, .. } if text.contains("keep it"));
    assert_eq!(bench.commands().iter().filter(said).count(), 1);
}

#[test]
fn a_comment_and_words_that_are_being_written_stay_at_their_line() {
    let mut bench = inside();
    bench.keys("c");
    bench.types("one word");
    bench.keys("enter");
    bench.wait(600);
    bench.keys("]");
    bench.wait(600);
    bench.keys("c");
    bench.types("half");
    bench.asks(anew(line_above));
    bench.types(" a word");
    bench.keys("enter");
    bench.wait(600);
    let message = bench
        .state
        .screen
        .approvals
        .front()
        .unwrap()
        .diff()
        .unwrap()
        .message()
        .unwrap();
    assert!(
        message.contains("src/money.rs:4") && message.contains("one word"),
        "{message}"
    );
    assert!(
        message.contains("line thirty") || message.contains("line 30"),
        "{message}"
    );
    assert!(message.contains("half a word"), "{message}");
}

#[test]
fn a_reason_that_is_being_written_goes_on() {
    let mut bench = inside();
    bench.keys("r");
    bench.types("not ");
    bench.asks(anew(line_above));
    bench.types("so");
    bench.keys("enter");
    let reason = Some("not so".to_owned());
    assert_eq!(decided(&bench), [("one", &Decision::Deny { reason })]);
}

#[test]
fn the_persons_text_is_carried_into_what_is_there_now_and_never_over_it() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("mine ");
    bench.keys("ctrl-s");
    assert!(text_of(&bench).contains("mine line three\n"), "{}", text_of(&bench));
    bench.asks(anew(|text| text.replace("line 20\n", "line 20\ntheirs\n")));
    let text = text_of(&bench);
    assert!(
        text.contains("mine line three\n") && text.contains("theirs\n"),
        "{text}"
    );
    // While the editor is open, another program changes the line that was edited before and the next line.
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("e");
    bench.types("half ");
    let mut clash = anew(|text| text.replace("line 4\n", "line four\n"));
    clash.edition = 2;
    bench.asks(clash);
    let editor = opened(&bench);
    assert_eq!(editor.beside, Some(Beside::Replaced));
    let written = editor.text();
    assert!(written.contains("half mine line three\nline four\n"), "{written}");
    let text = text_of(&bench);
    assert!(!text.contains("mine") && text.contains("line four\n"), "{text}");
    let prompts = bench.earlier_prompts();
    assert!(
        prompts[0].contains("mine line three"),
        "nothing that was saved is lost: {prompts:?}"
    );
}

fn opened(bench: &Bench) -> &Editor {
    match &bench.state.screen.approvals.front().unwrap().step {
        Step::Edit(editor) => editor,
        _ => panic!("the editor is not open"),
    }
}

#[test]
fn an_editor_stays_open_where_the_lines_beside_or_the_same_ones_are_saved_elsewhere() {
    for (theirs, beside, now) in [
        (
            ("line 4\n", "line four\n"),
            Beside::Kept,
            "halfway line three\nline four\n",
        ),
        (
            ("line three\n", "tres\n"),
            Beside::Replaced,
            "halfway line three\nline 4\n",
        ),
    ] {
        let mut bench = inside();
        bench.keys("e");
        bench.types("half");
        let saved = |text: &str| text.replace(theirs.0, theirs.1) + "more of theirs\n";
        bench.asks(anew(saved));
        bench.types("way ");
        assert_eq!(bench.prompt(), "");
        assert_eq!(opened(&bench).beside, Some(beside));
        bench.keys("ctrl-s");
        let text = text_of(&bench);
        assert!(text.contains(now) && text.ends_with("more of theirs\n"), "{text}");
        assert!(bench.earlier_prompts().is_empty());
    }
}

#[test]
fn words_that_were_not_saved_in_an_open_editor_became_the_proposal() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("half");
    bench.asks(anew(line_above));
    assert!(!text_of(&bench).contains("half"), "{}", text_of(&bench));
    let front = bench.state.screen.approvals.front().unwrap();
    assert!(matches!(front.step, Step::Edit(_)), "it stays open");
    bench.wait(600);
    bench.types("way ");
    assert!(!text_of(&bench).contains("half"));
    bench.keys("ctrl-s");
    let text = text_of(&bench);
    assert!(
        text.starts_with("new\n") && text.contains("halfway line three\n"),
        "{text}"
    );
    assert!(bench.earlier_prompts().is_empty());
}

#[test]
fn an_editor_in_which_nothing_was_written_stays_open_too() {
    let mut bench = inside();
    bench.keys("e");
    bench.asks(anew(line_above));
    bench.wait(600);
    bench.types("my ");
    bench.keys("ctrl-s");
    assert!(text_of(&bench).contains("my line three\n"), "{}", text_of(&bench));
}

#[test]
fn a_text_from_an_editor_was_laid_under_the_name_of_another_file_where_its_own_had_dropped_out() {
    for second in [false, true] {
        let mut bench = Bench::new(120, 40);
        let two = |mut request: ApprovalRequest| {
            let Review::Files(changes) = &mut request.review else {
                panic!("files")
            };
            let mut other = changes[0].clone();
            other.path = "src/other.rs".to_owned();
            changes.push(other);
            request
        };
        bench.asks(two(edit("one")));
        let file = usize::from(second);
        bench.state.screen.approvals.front_mut().unwrap().goes_outside(file);
        let mut next = two(anew(line_above));
        if let Review::Files(changes) = &mut next.review {
            changes.remove(file);
        }
        bench.asks(next);
        let ticket = EditTicket::Proposal {
            call: CallId("one".to_owned()),
            file,
        };
        let text = Ok(Some("from outside\n".to_owned()));
        bench.send(Msg::Done(OpResult::Edited {
            seat: bench.state.screen.seat,
            ticket,
            text,
        }));
        assert_eq!(bench.earlier_prompts(), ["from outside"]);
    }
}

#[test]
fn one_that_does_not_fit_any_more_says_so_beside_its_title_and_stays_as_it_was() {
    let mut bench = inside();
    bench.keys("space");
    let mut told = edit("one");
    told.on_disk = OnDisk::FitsNot;
    bench.asks(told);
    let front = bench.state.screen.approvals.front().unwrap();
    assert!(beside_title(&front.request).contains("out of date"));
    assert_eq!(front.diff().unwrap().files[0].kept, [false, true]);
    bench.wait(600);
    bench.keys("y");
    assert_eq!(editions(&bench), [0], "the person is told, and may go on");
}

fn rows_of(bench: &Bench) -> &[String] {
    &bench.state.screen.approvals.front().unwrap().diff().unwrap().files[0].notes
}

fn standing(mut request: ApprovalRequest, on_disk: OnDisk) -> ApprovalRequest {
    request.on_disk = on_disk;
    request
}

#[test]
fn above_the_lines_of_a_change_made_anew_stands_whether_it_fits() {
    let mut bench = inside();
    bench.asks(anew(line_above));
    let against = [word(Word::ChangedOnDisk).to_owned()];
    assert_eq!(rows_of(&bench), against);
    let at = bench
        .state
        .screen
        .approvals
        .front()
        .unwrap()
        .diff()
        .unwrap()
        .lines_at_cursor();
    for (on_disk, said) in [
        (OnDisk::FitsNot, word(Word::FitsNotNow)),
        (OnDisk::KeepsChanging, word(Word::KeepsChanging)),
        (OnDisk::FitsNot, word(Word::FitsNotNow)),
    ] {
        bench.asks(standing(anew(line_above), on_disk));
        assert_eq!(rows_of(&bench), [said.to_owned()]);
    }
    bench.asks(standing(anew(line_above), OnDisk::Newer));
    assert_eq!(rows_of(&bench), against);
    assert_eq!(bench.state.screen.toast.as_ref().unwrap().text, word(Word::FitsAgain));
    let diff = bench.state.screen.approvals.front().unwrap().diff().unwrap();
    assert_eq!(diff.lines_at_cursor(), at);
}

#[test]
fn one_that_was_never_made_anew_says_above_its_lines_while_it_does_not_fit_that_it_does_not() {
    let mut bench = inside();
    let at = |bench: &Bench| {
        let diff = bench.state.screen.approvals.front().unwrap().diff().unwrap();
        diff.lines_at_cursor()
    };
    let before = at(&bench);
    assert!(before.is_some() && rows_of(&bench).is_empty());
    bench.asks(standing(edit("one"), OnDisk::FitsNot));
    assert_eq!(rows_of(&bench), [word(Word::FitsNotNow).to_owned()]);
    assert_eq!(at(&bench), before);
    bench.asks(edit("one"));
    assert!(rows_of(&bench).is_empty());
    assert_eq!(at(&bench), before);
    assert_eq!(bench.state.screen.toast.as_ref().unwrap().text, word(Word::FitsAgain));
}

#[test]
fn what_is_shown_anew_rings_no_second_time() {
    let mut bench = inside();
    let rings = |bench: &Bench| bench.ops.iter().filter(|op| matches!(op, Op::Ring(_))).count();
    let before = rings(&bench);
    bench.asks(anew(line_above));
    assert_eq!(rings(&bench), before);
}

#[test]
fn what_was_being_looked_for_went_on_as_keys_of_the_request_or_as_text_of_the_file() {
    let query = |bench: &Bench| {
        let front = bench.state.screen.approvals.front().unwrap();
        match &front.step {
            Step::Edit(editor) => editor.find.as_ref().map(|find| find.line.clone()),
            _ => front.diff().unwrap().find.clone(),
        }
    };
    for find in ["/", "e ctrl-f"] {
        let mut bench = inside();
        bench.keys(find);
        bench.types("li");
        bench.asks(anew(line_above));
        bench.types("ne");
        let line = query(&bench).unwrap();
        assert_eq!(line.query, "line", "{find}");
        assert!(line.hits.is_some_and(|(_, hits)| hits >= 40), "{find}: {:?}", line.hits);
        assert!(text_of(&bench).starts_with("new\nline 1\n"), "{find}");
        let front = bench.state.screen.approvals.front().unwrap();
        assert!(
            !matches!(&front.step, Step::Edit(editor) if editor.is_changed()),
            "{find}"
        );
    }
}
