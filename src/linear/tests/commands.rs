//! Tests the person's commands: output, and use while a question is open.

use super::super::From;
use super::scene::Scene;
use super::scene::{change, once, request, scene};
use benchdog_base::id::CallId;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::call::{Origin, SHELL};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::review::{Asked, Question, Review};
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_domain::tool::{CallStatus, OutputChunk};
use benchdog_domain::watch::NotWatched;
use benchdog_protocol::{Answer, Command, Everyday, Live, TurnState};

fn call() -> CallId {
    CallId("own".to_owned())
}

fn starts(scene: &mut Scene, tool: &str) {
    scene.tell(Live::ToolStarted {
        call: call(),
        tool: tool.to_owned(),
        title: "make".to_owned(),
    });
}

fn prints(scene: &mut Scene, text: &str, unfinished: &str) {
    scene.tell(Live::ToolOutput(OutputChunk {
        call: call(),
        text: text.to_owned(),
        unfinished: unfinished.to_owned(),
    }));
}

fn ended(output: &str) -> Body {
    Body::CallEnded {
        call: call(),
        tool: SHELL.to_owned(),
        title: "make".to_owned(),
        status: CallStatus::Ok,
        summary: Summary::Lines { lines: 1 },
        output: output.to_owned(),
        truncated: false,
        notes: Vec::new(),
        places: Vec::new(),
        images: Vec::new(),
        took_ms: 0,
    }
}

fn commands(scene: &Scene) -> Vec<&str> {
    let sent = scene.sent.iter().filter_map(|command| match command {
        Command::Shell { command, typed: false } => Some(command.as_str()),
        _ => None,
    });
    sent.collect()
}

#[test]
fn a_command_that_is_written_as_an_answer_runs_and_the_question_stands() {
    let mut scene = scene(From::Terminal);
    scene.tell(Live::State(TurnState::AwaitingPermission));
    scene.asks("c1", change("one\n", "two\n"));
    scene.settles();
    scene.line("!git log");
    assert_eq!(commands(&scene), ["git log"]);
    assert!(!scene.printed.contains("not recognised"), "{}", scene.printed);
    starts(&mut scene, SHELL);
    let end = ended("first\nsecond\n");
    scene.fact(end.clone());
    assert!(
        scene
            .printed
            .ends_with("✓ ! make: 1 line\n  ┊ first\n  ┊ second\nyour answer: "),
        "{}",
        scene.printed
    );
    // The entry for the model is not printed again.
    let printed = scene.printed.clone();
    scene.fact(end.as_shell().unwrap());
    assert_eq!(scene.printed, printed);
    scene.line("!");
    assert!(scene.printed.contains("not recognised"), "{}", scene.printed);
    scene.line("yes");
    assert_eq!(scene.decided(), [("c1", &once())]);
}

#[test]
fn what_is_asked_about_it_comes_first_and_then_the_question_anew() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", change("one\n", "two\n"));
    scene.settles();
    scene.line("!touch x");
    let Live::ApprovalRequested(mut own) = request("own", change("", "own\n")) else {
        panic!()
    };
    std::sync::Arc::make_mut(&mut own).origin = Origin::Person;
    scene.tell(Live::ApprovalRequested(own));
    scene.settles();
    assert!(scene.printed.contains("+own"), "{}", scene.printed);
    scene.printed.clear();
    scene.line("yes");
    assert!(scene.printed.contains("+two"), "{}", scene.printed);
    scene.line("yes");
    assert_eq!(scene.decided(), [("own", &once()), ("c1", &once())]);
}

#[test]
fn an_answer_in_own_words_may_begin_like_a_command() {
    let mut scene = scene(From::Terminal);
    scene.asks(
        "c1",
        Review::Question(Question::one(Asked::of("Which?", &["red", "blue"]))),
    );
    scene.settles();
    scene.line("!important");
    assert_eq!((commands(&scene).len(), scene.decided().len()), (0, 1));
}

#[test]
fn what_it_prints_comes_line_by_line_and_not_again() {
    let mut scene = scene(From::Terminal);
    starts(&mut scene, SHELL);
    scene.printed.clear();
    prints(&mut scene, "one\n", "tw");
    assert_eq!(scene.printed, "  ┊ one\n", "what has not ended waits");
    prints(&mut scene, "two\n", "");
    scene.fact(ended("one\ntwo\n").as_shell().unwrap());
    assert_eq!(scene.printed, "  ┊ one\n  ┊ two\n✓ ! make: 1 line\n");
}

#[test]
fn of_what_is_long_the_end_comes_with_the_result() {
    let mut scene = scene(From::Terminal);
    starts(&mut scene, SHELL);
    let all: String = (1..=500).map(|line| format!("line {line}\n")).collect();
    for line in all.split_inclusive('\n') {
        prints(&mut scene, line, "");
    }
    assert!(scene.printed.contains("┊ line 200\n") && !scene.printed.contains("line 201"));
    assert_eq!(
        scene.printed.matches("output continues").count(),
        1,
        "{}",
        scene.printed
    );
    scene.fact(ended(&all).as_shell().unwrap());
    let end = "1 line\n  ┊ … 292 more lines\n  ┊ line 493\n";
    assert!(scene.printed.contains(end), "{}", scene.printed);
    assert!(scene.printed.ends_with("┊ line 500\n"), "{}", scene.printed);
}

#[test]
fn of_what_poured_and_came_with_gaps_it_is_said_how_much_is_left_out() {
    let mut scene = scene(From::Terminal);
    starts(&mut scene, "bash");
    let all: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    prints(&mut scene, "line 299\nline 300\n", "");
    scene.fact(stopped(&all));
    let end = "interrupted\n  ┊ … 290 more lines\n  ┊ line 293\n";
    assert!(scene.printed.contains(end), "{}", scene.printed);
}

#[test]
fn what_a_server_tells_of_its_progress_leaves_its_result_as_it_is() {
    let mut scene = scene(From::Terminal);
    starts(&mut scene, "files_search");
    scene.printed.clear();
    prints(&mut scene, "half done\n", "");
    assert_eq!(scene.printed, "  ┊ half done\n");
    scene.fact(stopped("what went wrong\n"));
    assert!(scene.printed.contains("┊ what went wrong\n"), "{}", scene.printed);
}

#[test]
fn a_question_that_stands_is_marked_again_behind_what_a_command_prints() {
    let mut scene = scene(From::Terminal);
    starts(&mut scene, "bash");
    scene.asks("c1", change("one\n", "two\n"));
    scene.settles();
    prints(&mut scene, "made\n", "");
    assert!(scene.printed.ends_with("  ┊ made\nyour answer: "), "{}", scene.printed);
}

fn stopped(output: &str) -> Body {
    Body::ToolResult {
        call: call(),
        tool: "bash".to_owned(),
        title: "make".to_owned(),
        status: CallStatus::Cancelled,
        summary: Summary::Interrupted,
        output: format!(
            "{output}[interrupted after 3.3s: what it did until then stays]\nThe user interrupted this call."
        ),
        truncated: false,
        notes: Vec::new(),
        places: Vec::new(),
        images: Vec::new(),
        took_ms: 0,
    }
}

#[test]
fn what_a_command_of_the_model_prints_comes_while_it_runs_and_not_again_where_it_was_stopped() {
    let mut scene = scene(From::Terminal);
    starts(&mut scene, "bash");
    scene.printed.clear();
    prints(&mut scene, "one\n", "");
    assert_eq!(scene.printed, "  ┊ one\n");
    scene.fact(stopped("one\n"));
    assert_eq!(scene.printed, "  ┊ one\n■ bash make: interrupted\n");
    scene.ends(TurnOutcome::Interrupted);
}

#[test]
fn of_a_command_that_was_stopped_the_last_lines_are_shown() {
    let all: String = (1..=30).map(|tick| format!("tick {tick}\n")).collect();
    let mut live = scene(From::Terminal);
    starts(&mut live, "bash");
    for line in all.split_inclusive('\n') {
        prints(&mut live, line, "");
    }
    assert!(live.printed.contains("tick 20\n") && !live.printed.contains("tick 21"));
    live.fact(stopped(&all));
    assert!(!live.printed.contains("tick 22\n"), "{}", live.printed);
    assert!(
        live.printed.contains("interrupted\n  ┊ … 2 more lines\n  ┊ tick 23\n")
            && live.printed.ends_with("┊ tick 30\n"),
        "{}",
        live.printed
    );
    // In a reopened session no output was printed, so the number of earlier lines is shown.
    let mut late = scene(From::Terminal);
    late.printed.clear();
    late.fact(stopped(&all));
    assert!(
        late.printed
            .starts_with("■ bash make: interrupted\n  ┊ … 22 lines\n  ┊ tick 23\n"),
        "{}",
        late.printed
    );
}

#[test]
fn a_list_of_which_nothing_is_left_to_do_is_not_printed() {
    let mut scene = scene(From::Terminal);
    let item = |status| TodoItem {
        id: 1,
        text: "the task".to_owned(),
        status,
    };
    let list = |status| Body::Todo {
        items: TodoList(vec![item(status)]),
    };
    scene.fact(list(TodoStatus::InProgress));
    assert!(scene.printed.contains("the task"), "{}", scene.printed);
    scene.printed.clear();
    scene.fact(list(TodoStatus::Cancelled));
    assert_eq!(scene.printed, "");
}

#[test]
fn a_list_that_says_nothing_but_the_task_is_not_printed() {
    let mut scene = scene(From::Terminal);
    scene.fact(Body::User {
        text: "look closely\nat all of it".to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    scene.printed.clear();
    let mut list = TodoList::of_task("look closely\nat all of it");
    scene.fact(Body::Todo { items: list.clone() });
    list.0[0].status = TodoStatus::Completed;
    scene.fact(Body::Todo { items: list.clone() });
    assert_eq!(scene.printed, "");
    list.0.push(TodoItem {
        id: 2,
        text: "and tell".to_owned(),
        status: TodoStatus::Pending,
    });
    scene.fact(Body::Todo { items: list });
    assert!(scene.printed.contains("and tell"), "{}", scene.printed);
}

#[test]
fn what_is_to_be_taken_back_is_named_as_elsewhere() {
    let mut scene = scene(From::Terminal);
    for line in ["/undo", "/undo src/a.rs", "/undo @src/a.rs", "/undo @\"a b\""] {
        scene.line(line);
    }
    let named = [None, Some("src/a.rs"), Some("src/a.rs"), Some("a b")];
    let named = named.map(|path| Command::Undo {
        path: path.map(str::to_owned),
    });
    assert_eq!(scene.sent, named);
}

#[test]
fn where_there_are_no_skills_it_is_said_and_where_the_first_one_goes() {
    let mut scene = scene(From::Terminal);
    scene.tell(Answer::Skills(Vec::new()));
    assert!(
        scene.printed.contains("no custom commands or skills yet") && scene.printed.contains("commands/NAME.md"),
        "{}",
        scene.printed
    );
}

#[test]
fn a_switched_check_is_said_when_it_is_confirmed() {
    let mut scene = scene(From::Terminal);
    scene.printed.clear();
    scene.line("/autotest off");
    assert!(!scene.printed.contains("no longer"), "{}", scene.printed);
    scene.tell(Answer::CheckSwitched(Switched::Off));
    assert!(scene.printed.contains("no longer"), "{}", scene.printed);
}

#[test]
fn watching_is_answered_in_a_line() {
    let mut scene = scene(From::Terminal);
    scene.line("/watch on");
    let watch = Command::Everyday(Everyday::Watch { to: Some(Switched::On) });
    assert!(scene.sent.contains(&watch));
    scene.tell(Answer::Watching(Err(NotWatched::RemoteDisk)));
    assert!(scene.printed.contains("does not report changes"), "{}", scene.printed);
}
