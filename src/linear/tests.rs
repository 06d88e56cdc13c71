mod commands;
mod forms;
mod scene;

use std::time::Duration;

use scene::{Scene, change, deny, once, request, scene};

use super::From;
use benchdog_base::id::CallId;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Because, DecidedBy, Decision, Kept, Lasts, Scope};
use benchdog_domain::review::{Asked, FileChange, FileOperation, GO_ON, Pause, Question, Review};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_headless::NOBODY;
use benchdog_headless::exit::Exit;
use benchdog_protocol::{Command, Live, OnDisk, TurnState};

#[test]
fn nothing_is_read_between_a_request_and_the_moment_it_is_on_paper() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", change("one\n", "two\n"));
    assert!(scene.desk.asks() && !scene.desk.hears());
    assert!(!scene.printed.ends_with("your answer: "), "{}", scene.printed);
    // A complete line was typed before the question.
    scene.desk.question_is_read(true, scene.now);
    scene.act();
    assert!(
        scene.printed.ends_with("the question appeared.\nyour answer: "),
        "{}",
        scene.printed
    );
    assert_eq!(scene.decided(), []);
    scene.line("yes");
    assert_eq!(scene.decided(), [("c1", &once())]);
}

#[test]
fn requests_are_asked_one_after_the_other_and_each_takes_a_line_of_its_own() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", change("one\n", "two\n"));
    scene.asks("c2", change("three\n", "four\n"));
    scene.settles();
    assert!(!scene.printed.contains("-three"), "{}", scene.printed);
    scene.desk.line("yes");
    scene.act();
    assert!(scene.printed.contains("-three"), "{}", scene.printed);
    assert!(!scene.desk.hears(), "a second line at once is no answer to it");
    scene.settles();
    scene.line("no thanks");
    assert_eq!(scene.decided(), [("c1", &once()), ("c2", &deny("thanks"))]);
}

#[test]
fn a_request_that_somebody_else_settled_takes_no_line() {
    let mut scene = scene(From::Terminal);
    scene.tell(Live::State(TurnState::Planning));
    scene.asks("c1", change("one\n", "two\n"));
    scene.settles();
    scene.ends(TurnOutcome::Interrupted);
    scene.line("yes");
    assert_eq!(scene.decided(), []);
    let prompt = |command: &Command| matches!(command, Command::Prompt { text, .. } if text == "yes");
    assert!(scene.sent.iter().any(prompt), "{:?}", scene.sent);
}

#[test]
fn no_answer_is_a_no() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", change("one\n", "two\n"));
    assert_eq!(scene.desk.unanswered_at(), None);
    scene.settles();
    let until = scene.desk.unanswered_at();
    assert_eq!(until, Some(scene.now + Duration::from_mins(30)));
    scene.desk.unanswered();
    scene.act();
    assert_eq!(scene.decided(), [("c1", &deny(NOBODY))]);
    assert_eq!(scene.left, None);
}

#[test]
fn a_request_that_was_made_anew_again_and_again_was_never_denied_and_the_same_one_was_printed_twice() {
    let mut scene = scene(From::Terminal);
    let asks = |scene: &mut Scene, edition: u32, on_disk: OnDisk| {
        let Live::ApprovalRequested(first) = request("c1", change("one\n", &format!("two {edition}\n"))) else {
            panic!("a request")
        };
        let mut anew = (*first).clone();
        (anew.edition, anew.on_disk) = (edition, on_disk);
        scene.tell(Live::ApprovalRequested(anew.into()));
        scene.settles();
    };
    asks(&mut scene, 0, OnDisk::AsShown);
    let until = Some(scene.now + Duration::from_mins(30));
    assert_eq!(scene.desk.unanswered_at(), until);
    scene.now += Duration::from_mins(20);
    asks(&mut scene, 1, OnDisk::Newer);
    assert!(scene.printed.contains("+two 1"), "{}", scene.printed);
    let printed = scene.printed.clone();
    asks(&mut scene, 1, OnDisk::FitsNot);
    asks(&mut scene, 1, OnDisk::Newer);
    assert_eq!(scene.printed, printed);
    assert_eq!(scene.desk.unanswered_at(), until);
    scene.desk.unanswered();
    scene.act();
    assert_eq!(scene.decided(), [("c1", &deny(NOBODY))]);
    // The next question has the full timeout.
    scene.asks("c2", change("three\n", "four\n"));
    scene.settles();
    assert_eq!(scene.desk.unanswered_at(), Some(scene.now + Duration::from_mins(30)));
}

#[test]
fn the_end_of_input_is_a_no_first_and_leaves_then() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", change("one\n", "two\n"));
    scene.settles();
    scene.desk.end_of_input();
    scene.act();
    assert_eq!(
        (scene.decided().as_slice(), scene.left),
        (&[("c1", &deny(NOBODY))][..], None)
    );
    scene.desk.end_of_input();
    scene.act();
    assert_eq!(scene.left, Some(Exit::Done));
}

#[test]
fn where_nobody_can_answer_it_is_denied_at_once_and_the_exit_code_tells() {
    let mut scene = scene(From::Elsewhere);
    scene.line("change it");
    scene.tell(Live::State(TurnState::Planning));
    assert!(!scene.desk.hears(), "the next line is a later prompt");
    scene.asks("c1", change("one\n", "two\n"));
    assert!(scene.printed.contains("-one"), "{}", scene.printed);
    assert_eq!(scene.decided(), [("c1", &deny(NOBODY))]);
    scene.ends(TurnOutcome::Denied);
    assert_eq!(scene.left, Some(Exit::Denied));
}

#[test]
fn the_next_prompt_of_a_file_waits_for_the_last_word_of_the_turn() {
    let mut scene = scene(From::Elsewhere);
    scene.line("first");
    scene.tell(Live::State(TurnState::Planning));
    scene.tell(Live::State(TurnState::Done));
    assert!(!scene.desk.hears());
    scene.ends(TurnOutcome::Done);
    assert!(scene.desk.hears());
    scene.desk.end_of_input();
    scene.act();
    assert_eq!(scene.left, Some(Exit::Done));
}

#[test]
fn a_prompt_behind_a_model_that_was_named_is_waited_for_whatever_is_said_of_the_model() {
    let mut scene = scene(From::Elsewhere);
    scene.line("/model nope");
    scene.line("go on");
    let model = ModelRef {
        provider: "p".to_owned(),
        id: "nope".to_owned(),
    };
    let assumed = Notice::WindowAssumed {
        model: model.id.clone(),
        tokens: 32_768,
    };
    for notice in [
        Notice::ModelUnchecked {
            model,
            why: None,
            server: None,
        },
        assumed,
    ] {
        scene.tell(Live::Notice(notice));
        assert!(!scene.desk.hears(), "the prompt is still to begin");
    }
    scene.desk.end_of_input();
    scene.act();
    assert_eq!(scene.left, None);
    scene.tell(Live::State(TurnState::Planning));
    scene.ends(TurnOutcome::Done);
    assert_eq!(scene.left, Some(Exit::Done));
}

#[test]
fn an_always_is_one_of_those_that_are_printed_with_all_they_cover() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", change("one\n", "two\n"));
    scene.settles();
    for (number, pattern) in [(1, "a.txt"), (2, "a.txt"), (3, "*"), (4, "*")] {
        let row = scene
            .printed
            .lines()
            .find(|row| row.starts_with(&format!("always {number}: ")));
        assert!(
            row.is_some_and(|row| row.contains(&format!("edit: \"{pattern}\""))),
            "{}",
            scene.printed
        );
    }
    scene.line("always 5");
    scene.line("always 0");
    assert_eq!(scene.decided(), []);
    scene.line("always 4");
    let scope = Scope {
        key: "edit".to_owned(),
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    };
    let always = Decision::Always {
        scope,
        lasts: Lasts::Project,
        kept: Kept::All,
    };
    assert_eq!(scene.decided(), [("c1", &always)]);
}

#[test]
fn a_long_change_is_read_page_by_page() {
    let mut scene = scene(From::Terminal);
    let after: String = (0..1_000).map(|n| format!("line {n}\n")).collect();
    scene.asks("c1", change("", &after));
    scene.settles();
    assert!(scene.printed.contains("+line 100\n") && !scene.printed.contains("+line 300\n"));
    scene.line("more");
    assert!(scene.printed.contains("+line 300\n") && !scene.printed.contains("+line 500\n"));
    for _ in 0..5 {
        scene.line("もっと");
    }
    assert!(scene.printed.contains("+line 999\n"));
    scene.line("more");
    assert!(scene.printed.contains("Answer not recognised."), "there is no more");
    scene.line("예");
    assert_eq!(scene.decided(), [("c1", &once())]);
}

#[test]
fn what_hides_in_a_change_is_seen() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", change("one\n", "two\u{1b}[2K\u{202e}\r\n"));
    assert!(scene.printed.contains("+two␛[2K⟨202E⟩␍\n"), "{}", scene.printed);
}

#[test]
fn the_models_question_takes_numbers_or_own_words_and_a_stopped_turn_whole_words() {
    let asks = |multiple| {
        Review::Question(Question::one(Asked {
            multiple,
            ..Asked::of("Which?", &["red", "blue", "green"])
        }))
    };
    let answered = |review: Review, lines: &[&str]| {
        let mut scene = scene(From::Terminal);
        scene.asks("c1", review);
        scene.settles();
        lines.iter().for_each(|line| scene.line(line));
        match scene.decided().as_slice() {
            [(_, Decision::Answer { answers, .. })] => answers.clone(),
            other => panic!("{other:?}\n{}", scene.printed),
        }
    };
    assert_eq!(answered(asks(false), &["", "4", "1 2", "２"]), ["blue"]);
    assert_eq!(answered(asks(true), &["1、3"]), ["red", "green"]);
    assert_eq!(answered(asks(false), &["none of them"]), ["none of them"]);
    let pause = Review::Question(Question::GoOn(Pause::Steps { steps: 100 }));
    assert_eq!(answered(pause, &["1", "y", "是"]), [GO_ON]);
}

#[test]
fn several_questions_are_asked_one_after_the_other_and_sent_together() {
    let mut scene = scene(From::Terminal);
    let closed = Asked {
        header: "Size".to_owned(),
        own_words: false,
        ..Asked::of("How large?", &["small", "large"])
    };
    let mut colour = Asked::of("Which?", &["red", "blue"]);
    colour.options[1].description = "like the sky".to_owned();
    scene.asks(
        "c1",
        Review::Question(Question::Model {
            asked: vec![colour, closed],
            note: Some("It can be changed later.".to_owned()),
        }),
    );
    scene.settles();
    assert!(
        scene.printed.contains("2. blue\n   like the sky\n"),
        "{}",
        scene.printed
    );
    assert!(scene.printed.contains("It can be changed later.\n") && !scene.printed.contains("How large?"));
    scene.line("green");
    assert_eq!(scene.decided(), []);
    scene.settles();
    assert!(
        scene.printed.contains("2 of 2 Size\nHow large?\n1. small\n"),
        "{}",
        scene.printed
    );
    scene.line("huge");
    assert!(scene.printed.contains("Type one number."), "{}", scene.printed);
    scene.settles();
    scene.line("2");
    let sent = Decision::Answer {
        answers: vec!["green".to_owned()],
        further: vec![vec!["large".to_owned()]],
    };
    assert_eq!(scene.decided(), [("c1", &sent)]);
}

#[test]
fn lines_of_a_prompt_that_is_being_written_answer_no_request() {
    let mut scene = scene(From::Terminal);
    scene.tell(Live::State(TurnState::Planning));
    scene.line("\"\"\"");
    scene.asks("c1", change("one\n", "two\n"));
    scene.settles();
    scene.line("yes");
    assert_eq!(scene.decided(), []);
    assert!(!scene.printed.contains("-one"), "{}", scene.printed);
    scene.line("\"\"\"");
    assert!(scene.printed.contains("-one"), "{}", scene.printed);
    scene.line("yes");
    assert_eq!(scene.decided(), [("c1", &once())]);
}

#[test]
fn the_key_that_stops_leaves_only_when_it_comes_twice_in_a_moment() {
    let mut scene = scene(From::Terminal);
    scene.tell(Live::State(TurnState::Generating));
    scene.stop(0);
    assert_eq!((scene.sent.as_slice(), scene.left), (&[Command::Interrupt][..], None));
    scene.stop(1_500);
    assert_eq!(scene.left, None);
    scene.stop(2_999);
    assert_eq!(scene.left, Some(Exit::Done));
}

#[test]
fn an_answer_is_text_behind_text_and_its_sequences_for_terminals_are_not() {
    let mut scene = scene(From::Terminal);
    scene.printed.clear();
    for piece in ["one \u{1b}", "[31mtw", "o\n", "three", "\u{1b}]0;title\u{7}"] {
        scene.tell(Live::Text(piece.to_owned()));
    }
    scene.fact(Body::Assistant {
        text: "one two\nthree".to_owned(),
        reasoning: String::new(),
        calls: Vec::new(),
        error: None,
        seals: Vec::new(),
        model: ModelRef {
            provider: "kit".to_owned(),
            id: "tiny".to_owned(),
        },
        usage: None,
    });
    scene.ends(TurnOutcome::Done);
    assert!(scene.desk.marks());
    scene.act();
    assert_eq!(scene.printed, "one two\nthree\n> ");
}

#[test]
fn a_notice_waits_for_the_end_of_the_line_that_streams_in() {
    let mut scene = scene(From::Terminal);
    scene.tell(Live::State(TurnState::Generating));
    scene.printed.clear();
    for piece in ["one\ntwo and", " more"] {
        scene.tell(Live::Text(piece.to_owned()));
    }
    assert_eq!(scene.printed, "one\n", "a line is printed as a whole");
    assert!(scene.desk.keeps_back());
    scene.line("next");
    assert_eq!(
        scene.printed, "one\nqueued: next\n",
        "between two lines it is said at once"
    );
    // The rest of the line does not arrive in time.
    scene.desk.prints_kept_back();
    scene.act();
    scene.line("and this");
    for piece in [" of it", ".\nthree"] {
        scene.tell(Live::Text(piece.to_owned()));
    }
    assert_eq!(
        scene.printed,
        "one\nqueued: next\ntwo and more of it.\nqueued: and this\n"
    );
    scene.line("last");
    scene.ends(TurnOutcome::Interrupted);
    assert!(scene.printed.contains("queued: last\nthree\n"), "{}", scene.printed);
}

#[test]
fn a_change_of_several_parts_says_that_it_is_decided_as_a_whole() {
    let change = |before: &str, after: &str| FileChange {
        path: "a.txt".to_owned(),
        operation: FileOperation::Update,
        before: Some(before.as_bytes().into()),
        after: Some(after.as_bytes().into()),
        mode_after: None,
        note: None,
    };
    let said = |change: FileChange| {
        let mut scene = scene(From::Terminal);
        scene.asks("c1", Review::Files(vec![change]));
        scene.settles();
        scene.printed.contains("allow or deny the whole change")
    };
    assert!(said(change("a\nb\nc\n", "A\nb\nC\n")));
    assert!(!said(change("a\nb\nc\n", "A\nb\nc\n")), "it has one part");
}

#[test]
fn without_a_model_the_advice_names_nothing_that_needs_the_screen() {
    let mut scene = scene(From::Terminal);
    scene.tell(Live::Error(Failure::NoModel));
    assert!(
        scene.printed.contains("BENCHDOG_BASE_URL") && !scene.printed.contains("/setup"),
        "{}",
        scene.printed
    );
}

#[test]
fn help_says_of_a_command_what_it_does_where_there_are_only_lines() {
    let mut scene = scene(From::Terminal);
    scene.line("/help");
    for here in [
        "/help: Show this help",
        "/new: Replace this session",
        "/plan: Show the plan",
    ] {
        assert!(scene.printed.contains(here), "{here}: {}", scene.printed);
    }
    for elsewhere in ["Keys valid now", "beside it", "/plan ["] {
        assert!(!scene.printed.contains(elsewhere), "{elsewhere}: {}", scene.printed);
    }
}

#[test]
fn a_denial_that_nobody_was_asked_about_names_its_reason_below_the_call() {
    let mut scene = scene(From::Terminal);
    let call = || CallId("c1".to_owned());
    scene.fact(Body::Approval {
        call: call(),
        tool: "write".to_owned(),
        decision: Decision::Deny { reason: None },
        by: DecidedBy::Policy,
        because: Because::Hook {
            hook: "guard".to_owned(),
            reason: "not on a Friday".to_owned(),
        },
    });
    scene.fact(Body::ToolResult {
        call: call(),
        tool: "write".to_owned(),
        title: "a.txt".to_owned(),
        status: CallStatus::Denied,
        summary: Summary::Denied,
        output: "The hook `guard` of the user refused this call.".to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    });
    let said = "⊘ write a.txt: denied\n  ┊ the hook `guard` refused: not on a Friday\n";
    assert!(scene.printed.ends_with(said), "{}", scene.printed);
}
