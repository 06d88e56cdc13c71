//! Tests the rewind to an earlier prompt.

use super::*;
use crate::dialogs::Dialog;
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::notice::Notice;
use benchdog_domain::rewind::{Rewind, RewindPoint};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_domain::undo::UndoNotice;

fn point(prompt: u64, text: &str, files: usize) -> RewindPoint {
    RewindPoint {
        prompt: EntryId(prompt),
        text: text.to_owned(),
        time: Time(0),
        files,
        added: 3,
        removed: 1,
        head: None,
    }
}

/// Returns a workbench with several prompts, of which only the first has changed files.
fn listed() -> Bench {
    let mut bench = Bench::new(100, 30);
    bench.state.screen.session.title = "first".to_owned();
    bench.types("/rewind\n");
    bench.event(Answer::RewindPoints(vec![
        point(9, "third", 0),
        point(5, "second\nline", 0),
        point(1, "first", 2),
    ]));
    bench.ops.clear();
    bench
}

fn rewinds(bench: &Bench) -> Vec<(u64, Rewind)> {
    let commands = bench.commands().into_iter();
    let rewinds = commands.filter_map(|command| match command {
        Command::Rewind { prompt, what } => Some((prompt.0, *what)),
        _ => None,
    });
    rewinds.collect()
}

fn choices(bench: &Bench) -> usize {
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => picker.items.len(),
        _ => 0,
    }
}

fn shell(bench: &mut Bench, status: CallStatus) {
    bench.entry(Body::Shell {
        call: Some(CallId("u".to_owned())),
        command: "/undo a.rs".to_owned(),
        output: String::new(),
        summary: Summary::Interrupted,
        status,
        findings: Vec::new(),
    });
    bench.entry(Body::TurnEnded {
        outcome: TurnOutcome::Done,
        steps: 0,
        usage: Usage::default(),
    });
}

#[test]
fn a_prompt_after_which_no_file_changed_takes_one_key() {
    let mut bench = listed();
    bench.keys("enter");
    assert_eq!(rewinds(&bench), [(9, Rewind::Conversation)]);
    assert_eq!(choices(&bench), 0);
}

#[test]
fn the_conversation_goes_back_when_the_files_are_restored_and_not_before() {
    for (status, follows) in [(CallStatus::Ok, true), (CallStatus::Denied, false)] {
        let mut bench = listed();
        bench.keys("down down enter");
        assert_eq!((rewinds(&bench).len(), choices(&bench)), (0, 3));
        bench.keys("enter");
        assert_eq!(rewinds(&bench), [(1, Rewind::Both)]);
        bench.ops.clear();
        shell(&mut bench, status);
        let expected: &[_] = if follows { &[(1, Rewind::Conversation)] } else { &[] };
        assert_eq!(rewinds(&bench), expected, "{status:?}");
        let screen = bench.screen().join("\n");
        assert_eq!(
            screen.contains("so the conversation was not rewound"),
            !follows,
            "{screen}"
        );
        bench.ops.clear();
        shell(&mut bench, CallStatus::Ok);
        assert!(rewinds(&bench).is_empty(), "a later undo changes no conversation");
    }
}

#[test]
fn a_pending_undo_is_answered_first_and_takes_no_conversation_with_it() {
    let mut bench = listed();
    let mut request = edit("one");
    request.origin = benchdog_domain::call::Origin::Undo;
    bench.asks(request);
    bench.keys("down down enter enter");
    assert!(rewinds(&bench).is_empty());
    shell(&mut bench, CallStatus::Ok);
    assert!(rewinds(&bench).is_empty());
}

#[test]
fn files_that_are_as_they_were_do_not_keep_the_conversation_from_going_back() {
    for (notice, follows) in [
        (UndoNotice::Nothing { path: None }, true),
        (UndoNotice::No { files: Vec::new() }, false),
    ] {
        let mut bench = listed();
        bench.keys("down down enter enter");
        bench.ops.clear();
        bench.event(Live::Notice(Notice::Undo(notice)));
        assert_eq!(rewinds(&bench).len(), usize::from(follows));
    }
}

#[test]
fn esc_twice_on_an_empty_prompt_lists_the_prompts_and_a_key_in_between_does_not() {
    let asks = |keys: &str| {
        let mut bench = Bench::new(100, 30);
        bench.state.screen.session.title = "first".to_owned();
        for key in keys.split(' ') {
            bench.keys(key);
            bench.wait(2_000);
        }
        bench.commands().contains(&&Command::ListRewindPoints)
    };
    assert!(asks("esc esc"));
    assert!(!asks("esc"));
    assert!(!asks("esc a backspace esc") && !asks("esc left esc"));
    let mut bench = Bench::new(100, 30);
    bench.keys("esc");
    assert!(
        bench.state.screen.toast.is_none(),
        "a new session has nothing to go back to"
    );
}
