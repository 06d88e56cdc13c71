mod context_window;
mod mentions;
mod watched_files;

use serde_json::{Value, json};

use super::Approver;
use crate::engine::tests::rig::{Rig, Wishes, answer, body, calls, once, says};
use benchdog_base::id::SeatId;
use benchdog_domain::entry::Body;
use benchdog_domain::permission::{Because, CheckBecause, Layer, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::tool::{CallStatus, EffectClass, OutputShown, ToolFacts};
use benchdog_protocol::{Answer, Command, Event, Live};
use benchdog_tools::Registry;
use benchdog_tools::row::{Declares, Draft, Row, Work};
use benchdog_tools::weather;

const SEAT: SeatId = SeatId(1);

fn checking() -> Value {
    let mut config = Wishes::default().config;
    config["validation"] = json!({"auto": true});
    config["permission"] = json!({"edit": "allow"});
    config
}

fn write(id: &str, path: &str, content: &str) -> benchdog_domain::message::Reply {
    calls(id, "write", &json!({"path": path, "content": content}))
}

fn checks(heard: &[benchdog_protocol::Told]) -> Vec<CallStatus> {
    let checks = heard.iter().filter_map(body);
    checks
        .filter_map(|body| match body {
            Body::Validation { passed, unfinished, .. } => Some(CallStatus::of_check(*passed, *unfinished)),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_prompt_larger_than_the_window_comes_back_and_the_next_one_is_sent() {
    let mut rig = Rig::new(Wishes::default()).await;
    let book = "many words ".repeat(20_000);
    rig.prompt(SEAT, &book).await;
    let back = rig.heard.iter().find_map(|told| match answer(told) {
        Some(Answer::TooLarge { prompt, over }) => Some((prompt.clone(), *over)),
        _ => None,
    });
    let (prompt, over) = back.unwrap();
    assert_eq!(prompt, book);
    assert_eq!(over.limit, 24_576, "what is left for the answer is not for the prompt");
    assert!(over.fixed > 1_000, "what every request has is told apart: {over:?}");
    assert!(rig.log(SEAT).is_empty(), "nothing of it is in the log");
    rig.script("short", [says("fine")]);
    rig.turn(SEAT, "short").await;
    assert_eq!(rig.provider.asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_check_that_the_session_wrote_itself_is_not_covered_by_approving_edits() {
    let mut rig = Rig::new(Wishes {
        config: checking(),
        approver: Approver::Edits,
        ..Wishes::default()
    })
    .await;
    rig.script("go", [write("w", "Makefile", "test:\n\ttouch ran\n"), says("written")]);
    let heard = rig.turn(SEAT, "go").await;
    assert_eq!(checks(&heard), [CallStatus::Denied]);
    assert!(!rig.file("ran").exists());
}

#[tokio::test]
async fn a_check_that_was_there_before_is_covered_by_approving_edits_until_its_definition_changes() {
    let mut rig = Rig::new(Wishes {
        config: checking(),
        approver: Approver::Edits,
        files: &[("Makefile", "test:\n\ttouch ran\n")],
        ..Wishes::default()
    })
    .await;
    rig.script("go", [write("w", "notes.txt", "x\n"), says("written")]);
    let heard = rig.turn(SEAT, "go").await;
    assert_eq!(checks(&heard), [CallStatus::Ok]);
    assert!(rig.file("ran").exists());
    std::fs::remove_file(rig.file("ran")).unwrap();
    rig.script(
        "go",
        [
            calls("r", "read", &json!({"path": "Makefile"})),
            write("w2", "Makefile", "test:\n\ttouch ran again\n"),
            says("rewritten"),
        ],
    );
    let heard = rig.turn(SEAT, "once more").await;
    assert_eq!(checks(&heard), [CallStatus::Denied]);
    assert!(!rig.file("ran").exists());
}

#[tokio::test]
async fn what_changed_a_check_since_the_session_was_made_counts_when_it_is_taken_up_again() {
    for (changes, ends) in [(false, CallStatus::Ok), (true, CallStatus::Denied)] {
        let mut rig = Rig::new(Wishes {
            config: checking(),
            approver: Approver::Edits,
            files: &[("Makefile", "test:\n\ttrue\n")],
            ..Wishes::default()
        })
        .await;
        rig.script("go", [says("begun")]);
        rig.turn(SEAT, "go").await;
        let session = rig.seats.get(SEAT).unwrap().session().clone();
        rig.order(SEAT, Command::NewSession).await;
        if changes {
            // Write the file directly, so that the log has no entry about the change, as after a command.
            std::fs::write(rig.file("Makefile"), "test:\n\ttrue true\n").unwrap();
        }
        let beside = rig.meant(SEAT);
        rig.order(beside, Command::Resume { session }).await;
        let again = rig.meant(SEAT);
        rig.script("go", [write("w", "notes.txt", "x\n"), says("written")]);
        assert_eq!(checks(&rig.turn(again, "more").await), [ends]);
    }
}

#[tokio::test]
async fn approving_all_covers_a_check_whose_definition_changed() {
    let mut rig = Rig::new(Wishes {
        config: checking(),
        approver: Approver::All,
        ..Wishes::default()
    })
    .await;
    rig.script("go", [write("w", "Makefile", "test:\n\ttouch ran\n"), says("written")]);
    assert_eq!(checks(&rig.turn(SEAT, "go").await), [CallStatus::Ok]);
    assert!(rig.file("ran").exists());
}

#[tokio::test]
async fn a_person_who_allowed_a_check_is_asked_again_when_its_definition_changed() {
    let mut rig = Rig::new(Wishes {
        config: checking(),
        files: &[("Makefile", "test:\n\ttrue\n")],
        ..Wishes::default()
    })
    .await;
    rig.script("go", [write("w", "a.txt", "x\n"), says("one")]);
    rig.prompt(SEAT, "go").await;
    let asked = rig.asked(SEAT).await;
    assert_eq!(asked.verdict.scopes, [], "once holds for the session");
    rig.decide(SEAT, &asked, once()).await;
    rig.ends(SEAT).await;
    // The same check again needs no approval.
    rig.script("go", [write("w2", "b.txt", "x\n"), says("two")]);
    assert_eq!(checks(&rig.turn(SEAT, "more").await), [CallStatus::Ok]);
    rig.script(
        "go",
        [
            calls("r", "read", &json!({"path": "Makefile"})),
            write("w3", "Makefile", "test:\n\ttrue true\n"),
            says("three"),
        ],
    );
    rig.prompt(SEAT, "change it").await;
    let asked = rig.asked(SEAT).await;
    assert_eq!(asked.verdict.layer, Layer::Guard);
    assert!(
        matches!(&asked.verdict.because, Because::Check(CheckBecause::Changed { file, .. }) if file == "Makefile"),
        "{:?}",
        asked.verdict
    );
    assert_eq!(asked.verdict.scopes, [], "only once and deny are offered");
    rig.decide(SEAT, &asked, once()).await;
    assert_eq!(checks(&rig.ends(SEAT).await), [CallStatus::Ok]);
    // The check was approved with its changed definition, so this definition is the known one now.
    rig.script("go", [write("w4", "c.txt", "x\n"), says("four")]);
    assert_eq!(checks(&rig.turn(SEAT, "last").await), [CallStatus::Ok]);
}

#[tokio::test]
async fn what_an_interrupted_command_said_is_kept_and_told_to_the_model() {
    let mut rig = Rig::new(Wishes::default()).await;
    let command = json!({"command": "echo half of it; sleep 60"});
    rig.script("go", [calls("b", "bash", &command), says("I see")]);
    rig.prompt(SEAT, "go").await;
    let asked = rig.asked(SEAT).await;
    rig.decide(SEAT, &asked, once()).await;
    rig.until(
        "the first line",
        |told| matches!(&told.event, Event::Live(Live::ToolOutput(chunk)) if chunk.text.contains("half")),
    )
    .await;
    rig.order(SEAT, Command::Interrupt).await;
    let heard = rig.ends(SEAT).await;
    let kept = heard.iter().find_map(|told| match body(told) {
        Some(Body::ToolResult { status, output, .. }) => Some((*status, output.clone())),
        _ => None,
    });
    let (status, output) = kept.unwrap();
    assert_eq!(status, CallStatus::Cancelled);
    assert!(
        output.contains("half of it") && output.contains("The user interrupted"),
        "{output}"
    );
    rig.turn(SEAT, "and now?").await;
    assert!(rig.sent().contains("half of it"));
}

#[tokio::test]
async fn the_log_of_a_seat_is_what_is_on_disk() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script(
        "go",
        [
            calls(
                "t",
                "todowrite",
                &json!({"items": [{"text": "one", "status": "pending"}]}),
            ),
            says("done"),
        ],
    );
    let heard = rig.turn(SEAT, "go").await;
    let told: Vec<u64> = heard
        .iter()
        .filter_map(|told| match &told.event {
            Event::Fact(entry) => Some(entry.id.0),
            _ => None,
        })
        .collect();
    let kept: Vec<u64> = rig.log(SEAT).iter().map(|entry| entry.id.0).collect();
    assert_eq!(told, kept, "each fact is told once, in the order of the log");
    let session = rig.seats.get(SEAT).unwrap().session().clone();
    let stored = rig.engine.setup.storage.read_session(&session).await.unwrap();
    assert_eq!(stored.1, rig.log(SEAT));
}

#[tokio::test]
async fn a_tool_added_with_one_row_is_declared_judged_shown_run_and_exported() {
    let (tools, taken) = Registry::builtin().with([weather::row("Rome")]);
    assert!(taken.is_empty());
    let mut rig = Rig::new(Wishes {
        tools,
        ..Wishes::default()
    })
    .await;
    let shown = rig.heard.iter().find_map(|told| match answer(told) {
        Some(Answer::Opened(opened)) => ToolFacts::find(&opened.tools, "Rome__Get-Weather").cloned(),
        _ => None,
    });
    assert_eq!(
        shown.unwrap().output,
        OutputShown::AtOnce,
        "a front end knows how to show it"
    );
    let forecast = calls("w", "Rome__Get-Weather", &json!({"day": "Monday"}));
    rig.script("go", [forecast, says("It rains.")]);
    let heard = rig.turn(SEAT, "go").await;
    let declared = rig.provider.asked.lock().unwrap()[0].tools.clone();
    assert_eq!(declared.last().unwrap().name, "Rome__Get-Weather");
    let result = heard.iter().find_map(|told| match body(told) {
        Some(Body::ToolResult {
            tool, title, output, ..
        }) => Some((tool.clone(), title.clone(), output.clone())),
        _ => None,
    });
    let (tool, title, output) = result.unwrap();
    assert_eq!((tool.as_str(), title.as_str()), ("Rome__Get-Weather", "Rome on Monday"));
    assert_eq!(output, "w: rain on Monday");
    // The tool's default would allow the call, but a rule of the person requires approval.
    let session = rig.seats.get(SEAT).unwrap().session().0.clone();
    let mut exported = Vec::new();
    let storage = rig.engine.setup.storage.clone();
    benchdog_sessions::show(&storage, &session, benchdog_sessions::Format::Markdown, &mut exported)
        .await
        .unwrap();
    let exported = String::from_utf8(exported).unwrap();
    assert!(
        exported.contains("### Rome__Get-Weather Rome on Monday: rain"),
        "{exported}"
    );
}

#[tokio::test]
async fn a_rule_of_the_person_covers_a_tool_that_was_added() {
    let mut config = Wishes::default().config;
    config["permission"] = json!({"Rome__Get-Weather": "deny"});
    let mut rig = Rig::new(Wishes {
        config,
        tools: Registry::builtin().with([weather::row("Rome")]).0,
        ..Wishes::default()
    })
    .await;
    let forecast = calls("w", "Rome__Get-Weather", &json!({"day": "Monday"}));
    rig.script("go", [forecast, says("I may not.")]);
    let heard = rig.turn(SEAT, "go").await;
    let denied = heard.iter().filter_map(body).any(
        |body| matches!(body, Body::ToolResult { status: CallStatus::Denied, output, .. } if output.contains("Rome__Get-Weather")),
    );
    assert!(denied, "{heard:?}");
}

fn broken(name: &'static str, breaks: Breaks) -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), benchdog_domain::permission::Action::Allow)],
            ..ToolFacts::of(name, EffectClass::Reads)
        },
        aliases: &[],
        description: "Breaks.".into(),
        declares: Declares::Whole,
        parameters: json!({"type": "object", "properties": {}}),
        arguments: &[],
        more: "",
        serves: None,
        prepare: Box::new(move |_, _| {
            assert!(breaks != Breaks::WhenPrepared, "broken on purpose");
            Ok(Draft {
                title: String::new(),
                subjects: vec![Subject::Tool],
                review: Review::Fields(Vec::new()),
                work: Work::of((), |(), _| Box::pin(async { panic!("broken on purpose") })),
            })
        }),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Breaks {
    WhenPrepared,
    WhenRun,
}

#[tokio::test]
async fn a_tool_that_breaks_is_a_result_and_the_turn_goes_on() {
    let rows = [broken("early", Breaks::WhenPrepared), broken("late", Breaks::WhenRun)];
    let mut rig = Rig::new(Wishes {
        tools: Registry::builtin().with(rows).0,
        ..Wishes::default()
    })
    .await;
    rig.script(
        "go",
        [
            calls("e", "early", &json!({})),
            calls("l", "late", &json!({})),
            says("I see."),
        ],
    );
    let heard = rig.turn(SEAT, "go").await;
    let results = heard.iter().filter_map(body).filter_map(|body| match body {
        Body::ToolResult { status, output, .. } => Some((*status, output.contains("broke"))),
        _ => None,
    });
    let results: Vec<_> = results.collect();
    assert_eq!(results, [(CallStatus::Error, true), (CallStatus::Error, true)]);
}

#[tokio::test]
async fn a_log_that_is_lost_just_before_a_command_runs_ends_the_turn_and_runs_nothing() {
    let mut rig = Rig::new(Wishes::default()).await;
    let command = json!({"command": "touch ran"});
    rig.script("go", [calls("b", "bash", &command), says("never")]);
    rig.prompt(SEAT, "go").await;
    let asked = rig.asked(SEAT).await;
    let data = rig.engine.setup.folders.data.clone();
    let away = data.with_file_name("away");
    // The file of the log is closed shortly after the last write. Writes to a missing folder fail only after that.
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    std::fs::rename(&data, &away).unwrap();
    rig.decide(SEAT, &asked, once()).await;
    let heard = rig.ends(SEAT).await;
    let results: Vec<_> = heard
        .iter()
        .filter_map(body)
        .filter_map(|body| match body {
            Body::ToolResult { status, .. } => Some(*status),
            _ => None,
        })
        .collect();
    assert_eq!(results, [CallStatus::Cancelled]);
    assert!(!rig.file("ran").exists());
    assert!(!rig.seats.get(SEAT).unwrap().is_busy());
    std::fs::remove_dir_all(&data).ok();
    std::fs::rename(&away, &data).unwrap();
    rig.script("go", [says("saved again")]);
    rig.turn(SEAT, "and now?").await;
    let session = rig.seats.get(SEAT).unwrap().session().clone();
    let stored = rig.engine.setup.storage.read_session(&session).await.unwrap();
    assert_eq!(stored.1, rig.log(SEAT), "what could not be written came first");
}

#[tokio::test]
async fn what_is_steered_into_a_turn_and_too_large_comes_back_and_leaves_no_trace() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.prompt(SEAT, "never answered").await;
    let before = rig.log(SEAT).len();
    let text = "many words ".repeat(20_000);
    let delivery = benchdog_protocol::Delivery::Steer;
    rig.order(
        SEAT,
        Command::Prompt {
            text,
            pasted: Vec::new(),
            delivery,
        },
    )
    .await;
    assert!(
        rig.heard
            .iter()
            .any(|told| matches!(answer(told), Some(Answer::TooLarge { .. })))
    );
    rig.order(SEAT, Command::Unqueue).await;
    assert!(
        !rig.heard
            .iter()
            .any(|told| matches!(answer(told), Some(Answer::Unqueued { .. })))
    );
    assert_eq!(rig.log(SEAT).len(), before);
}
