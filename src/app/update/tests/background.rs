//! Tests of background jobs and repeated prompts.

use super::*;
use crate::dialogs::Dialog;
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::job::{Job, JobId};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;

fn prompts(bench: &Bench) -> Vec<&str> {
    let sent = bench.commands().into_iter().filter_map(|command| match command {
        Command::Prompt { text, .. } => Some(text.as_str()),
        _ => None,
    });
    sent.collect()
}

fn slash(bench: &mut Bench, text: &str) {
    // A rejected line stays in the prompt.
    bench.keys("ctrl-u");
    bench.types(text);
    bench.keys("enter");
}

fn said(bench: &Bench) -> &str {
    bench
        .state
        .screen
        .toast
        .as_ref()
        .map_or("", |toast| toast.text.as_str())
}

fn turn_ends(bench: &mut Bench, outcome: TurnOutcome) {
    bench.event(Live::State(TurnState::Planning));
    bench.event(Live::State(TurnState::Done));
    bench.entry(Body::TurnEnded {
        outcome,
        steps: 1,
        usage: Usage::default(),
    });
}

// --- exit ---

#[test]
fn leaving_asks_where_a_command_in_the_background_or_a_turn_would_be_stopped() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::Jobs(vec![job(1, "a"), job(2, "b")]));
    bench.event(Live::State(TurnState::Generating));
    bench.keys("ctrl-d");
    assert!(!bench.ops.contains(&Op::Quit), "it asks");
    let Some(Dialog::Picker(asked)) = &bench.state.screen.dialog else {
        panic!("nothing asks")
    };
    assert_eq!(asked.note, "A turn is running. 2 jobs are running in the background.");
    bench.keys("enter");
    assert!(
        bench.state.screen.dialog.is_none() && !bench.ops.contains(&Op::Quit),
        "the bar stands on what stops nothing"
    );
    slash(&mut bench, "/quit");
    bench.keys("down enter");
    assert!(bench.ops.contains(&Op::Quit));
}

#[test]
fn leaving_asks_nothing_where_nothing_runs_a_request_waits_or_the_person_wants_no_question() {
    let leaves = |bench: &mut Bench| {
        bench.keys("ctrl-d");
        bench.ops.contains(&Op::Quit)
    };
    assert!(leaves(&mut Bench::new(80, 24)));
    let mut waits = Bench::new(80, 24);
    waits.event(Live::State(TurnState::AwaitingPermission));
    assert!(leaves(&mut waits));
    let mut unasked = Bench::new(80, 24);
    unasked.state.confirm_exit = false;
    unasked.event(Live::State(TurnState::Generating));
    assert!(leaves(&mut unasked));
}

// --- commands in the background ---

pub(super) fn job(number: u32, last: &str) -> Job {
    Job {
        id: JobId(number),
        call: CallId(format!("call {number}")),
        title: format!("serve {number}"),
        began: Time(0),
        ended: None,
        last: last.to_owned(),
    }
}

fn begun(bench: &mut Bench, number: u32) {
    bench.entry(Body::ToolResult {
        call: CallId(format!("call {number}")),
        tool: "bash".to_owned(),
        title: format!("serve {number}"),
        status: CallStatus::Ok,
        summary: Summary::Background { job: JobId(number) },
        output: "ready\n".to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 300,
        places: Vec::new(),
        images: Vec::new(),
    });
}

#[test]
fn the_row_of_the_call_says_that_one_runs_and_how_it_ended() {
    let mut bench = Bench::new(100, 24);
    begun(&mut bench, 1);
    let stands = |bench: &mut Bench, ended| {
        let job = Job {
            ended,
            ..job(1, "it broke")
        };
        bench.event(Live::Jobs(vec![job]));
        let rows = bench.state.screen.conversation.rows().iter().map(|row| row.line.text());
        rows.filter(|row| row.contains("serve 1") || row.contains("it broke"))
            .collect::<Vec<String>>()
    };
    let runs = stands(&mut bench, None);
    assert!(runs[0].starts_with('▸') && runs.len() == 2, "{runs:?}");
    let failed = stands(
        &mut bench,
        Some(Summary::Exit {
            code: 3,
            took_ms: 3_000,
        }),
    );
    assert!(
        failed[0].starts_with('✗') && failed[0].contains("bg_1 exit 3"),
        "{failed:?}"
    );
    assert_eq!(failed.len(), 2);
    let ended = stands(
        &mut bench,
        Some(Summary::Exit {
            code: 0,
            took_ms: 3_000,
        }),
    );
    assert!(ended[0].starts_with('✓') && ended.len() == 1, "{ended:?}");
}

#[test]
fn the_bottom_row_counts_them_and_the_row_of_the_call_says_what_one_wrote_last() {
    let mut bench = Bench::new(100, 24);
    begun(&mut bench, 1);
    bench.event(Live::Jobs(vec![job(1, "GET /index.html"), job(2, "")]));
    let left = crate::view::status::status(&bench.state).left;
    assert!(left.contains("2 jobs"), "{left}");
    let screen = bench.screen().join("\n");
    assert!(screen.contains("in the background as bg_1"), "{screen}");
    assert!(screen.contains("… GET /index.html"), "{screen}");
    let ended = Job {
        ended: Some(Summary::Exit { code: 0, took_ms: 9 }),
        ..job(1, "GET /index.html")
    };
    bench.event(Live::Jobs(vec![ended]));
    let screen = bench.screen().join("\n");
    assert!(!screen.contains("… GET"), "{screen}");
    let left = crate::view::status::status(&bench.state).left;
    assert!(!left.contains("job"), "{left}");
}

#[test]
fn the_list_reads_the_chosen_one_as_it_grows_and_ends_it_with_two_keys() {
    let mut bench = Bench::new(100, 24);
    bench.event(Live::Jobs(vec![job(1, "a"), job(2, "b")]));
    bench.ops.clear();
    slash(&mut bench, "/jobs");
    let asked = |bench: &Bench, number| {
        let wanted = Command::ShowJob { job: JobId(number) };
        bench.commands().iter().filter(|command| ***command == wanted).count()
    };
    assert_eq!((asked(&bench, 1), asked(&bench, 2)), (0, 1), "the newest that runs");
    bench.event(Live::Jobs(vec![job(1, "a"), job(2, "more")]));
    assert_eq!(asked(&bench, 2), 2, "it has written more");
    bench.keys("up");
    assert_eq!(asked(&bench, 1), 1);

    bench.keys("x");
    assert!(
        !bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::EndJob { .. }))
    );
    bench.keys("down x");
    assert!(
        !bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::EndJob { .. })),
        "another one"
    );
    bench.keys("x");
    assert!(bench.commands().contains(&&Command::EndJob { job: JobId(2) }));

    bench.event(Answer::JobOutput {
        job: JobId(2),
        text: "one\ntwo\n".to_owned(),
    });
    bench.keys("y");
    assert!(
        bench
            .ops
            .iter()
            .any(|op| matches!(op, Op::Copy { text, .. } if **text == *"one\ntwo\n"))
    );
    bench.keys("esc");
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn one_is_ended_by_its_name_too_and_anything_else_is_one_error() {
    let mut bench = Bench::new(80, 24);
    let over = Job {
        ended: Some(Summary::Exit { code: 0, took_ms: 9 }),
        ..job(2, "")
    };
    bench.event(Live::Jobs(vec![job(3, ""), over]));
    slash(&mut bench, "/jobs end bg_3");
    let ends = |bench: &Bench| {
        let ends = |command: &&&Command| matches!(command, Command::EndJob { .. });
        bench.commands().iter().filter(ends).count()
    };
    assert!(bench.commands().contains(&&Command::EndJob { job: JobId(3) }));
    for (wrong, why) in [
        ("/jobs stop it", "/jobs end ID"),
        ("/jobs end bg_9", "no job bg_9"),
        ("/jobs end bg_2", "bg_2 has already ended"),
    ] {
        slash(&mut bench, wrong);
        assert!(said(&bench).contains(why), "{}", said(&bench));
        assert_eq!(bench.prompt(), wrong, "it stands there to be mended");
        assert_eq!(ends(&bench), 1, "{wrong}");
    }
    slash(&mut bench, "/jobs");
    assert!(matches!(bench.state.screen.dialog, Some(Dialog::Jobs(_))));
}

// --- loops ---

#[test]
fn a_prompt_is_sent_again_and_again_while_nothing_else_is_under_way() {
    let mut bench = Bench::new(80, 24);
    slash(&mut bench, "/loop 30s look at the tests");
    assert!(said(&bench).contains("until this session ends"), "{}", said(&bench));
    let left = crate::view::status::status(&bench.state).left;
    assert!(left.contains("1 loop"), "{left}");
    assert!(prompts(&bench).is_empty(), "not at once");
    bench.wait(30_000);
    assert_eq!(prompts(&bench), ["look at the tests"]);
    bench.wait(30_000);
    assert_eq!(prompts(&bench).len(), 1, "its turn goes on");
    assert_eq!(bench.state.screen.loops.all()[0].skipped, 1);
    turn_ends(&mut bench, TurnOutcome::Done);
    bench.wait(30_000);
    assert_eq!(prompts(&bench).len(), 2);
    turn_ends(&mut bench, TurnOutcome::Done);
    bench.event(Live::State(TurnState::Planning));
    bench.wait(30_000);
    assert_eq!(prompts(&bench).len(), 2, "the person is at work");
    assert!(said(&bench).contains("Loop skipped this time"), "{}", said(&bench));
}

#[test]
fn it_asks_to_be_woken_and_never_answers_a_request() {
    let mut bench = Bench::new(80, 24);
    slash(&mut bench, "/loop 1m go on");
    let due = Time(bench.now.0 + 60_000);
    assert!(bench.state.screen.loops.next().is_some_and(|next| next <= due));
    bench.asks(edit("waits"));
    bench.wait(60_000);
    assert!(prompts(&bench).is_empty(), "a request waits");
    assert!(bench.decisions().is_empty());
}

#[test]
fn it_ends_with_a_turn_that_did_not_go_well_and_with_the_session() {
    for outcome in [TurnOutcome::Error, TurnOutcome::Interrupted, TurnOutcome::Denied] {
        let mut bench = Bench::new(80, 24);
        slash(&mut bench, "/loop 30s go on");
        bench.wait(30_000);
        turn_ends(&mut bench, outcome);
        assert!(bench.state.screen.loops.all().is_empty(), "{outcome:?}");
        assert!(bench.screen().join("\n").contains("loop 1 was stopped"), "{outcome:?}");
        bench.wait(60_000);
        assert_eq!(prompts(&bench).len(), 1);
    }
    // A failed turn of the user does not stop the loop.
    let mut bench = Bench::new(80, 24);
    slash(&mut bench, "/loop 30s go on");
    turn_ends(&mut bench, TurnOutcome::Error);
    assert_eq!(bench.state.screen.loops.all().len(), 1);
}

#[test]
fn loops_are_listed_stopped_and_refused_in_words() {
    let mut bench = Bench::new(80, 24);
    slash(&mut bench, "/loop");
    assert!(said(&bench).contains("No loops are set"), "{}", said(&bench));
    for wrong in ["/loop 10s go", "/loop 5m", "/loop soon go", "/loop stop x"] {
        slash(&mut bench, wrong);
        assert!(
            said(&bench).contains("/loop INTERVAL PROMPT"),
            "{wrong}: {}",
            said(&bench)
        );
    }
    for command in ["/loop 5m !rm x", "/loop 5m /new"] {
        slash(&mut bench, command);
        assert!(said(&bench).contains("not a command"), "{command}: {}", said(&bench));
    }
    slash(&mut bench, "/loop 5m one");
    slash(&mut bench, "/loop 1h two");
    slash(&mut bench, "/loop stop 7");
    assert!(said(&bench).contains("no loop 7"), "{}", said(&bench));
    assert_eq!(bench.prompt(), "/loop stop 7");
    slash(&mut bench, "/loop");
    assert!(matches!(bench.state.screen.dialog, Some(Dialog::Picker(_))));
    bench.keys("enter");
    assert_eq!(
        bench.state.screen.loops.all().len(),
        1,
        "the chosen one is stopped, and the list stays"
    );
    assert!(matches!(bench.state.screen.dialog, Some(Dialog::Picker(_))));
    bench.keys("esc");
    slash(&mut bench, "/loop stop all");
    assert!(bench.state.screen.loops.all().is_empty());
}
