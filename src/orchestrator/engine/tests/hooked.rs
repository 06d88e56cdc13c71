//! Tests hooks of a running session: the data that hooks receive, how they end, and the notes that they add to a
//! prompt.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::{FolderId, Reload, Survey};
use super::children::{given, results};
use super::rig::{Rig, Wishes, answer, body, calls, says, surveyed};
use benchdog_base::id::{CallId, SeatId};
use benchdog_config::settings::Settings;
use benchdog_context::commands::{Commands, Found};
use benchdog_context::rules::ProjectRules;
use benchdog_context::skills::Skills;
use benchdog_domain::entry::Body;
use benchdog_domain::message::{Arguments, Reply, ToolCall};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{Answer, Command, Told, TrustScope};

const SEAT: SeatId = SeatId(1);

fn refusing(event: &str, words: &str) -> Value {
    let script = format!("if grep -q '{words}'; then echo no; exit 2; fi");
    json!({ event: [{"name": "guard", "command": ["/bin/sh", "-c", script]}] })
}

async fn rig_with(hooks: Value) -> Rig {
    let mut wishes = Wishes::default();
    wishes.config["hooks"] = hooks;
    wishes.config["permission"] = json!({"bash": "allow", "task": "allow"});
    Rig::new(wishes).await
}

fn bash(arguments: Arguments) -> Reply {
    let call = ToolCall {
        id: CallId("b".to_owned()),
        name: "bash".to_owned(),
        arguments,
    };
    Reply {
        calls: vec![call],
        ..Reply::default()
    }
}

#[tokio::test]
async fn a_guard_sees_the_call_that_would_run_however_it_was_written() {
    let object = |value: Value| Arguments::Object(value.as_object().cloned().unwrap());
    for written in [
        object(json!({"cmd": "git push"})),
        object(json!({"arguments": {"command": "git push"}})),
        object(json!({"command": ["git push"]})),
        Arguments::Raw("{\"cmd\": \"git push\",".to_owned()),
    ] {
        let mut rig = rig_with(refusing("before_tool", "\"tool_input\":{\"command\":\"git push\"")).await;
        rig.script("go", [bash(written.clone()), says("no")]);
        let heard = rig.turn(SEAT, "go").await;
        let (_, status, output) = &results(&heard)[0];
        assert_eq!(*status, CallStatus::Denied, "{written:?}: {output}");
        assert!(output.contains("The hook `guard`"), "{written:?}: {output}");
    }
}

fn without_hooks(rig: &mut Rig) -> impl Fn() -> Survey + Send + Sync + 'static {
    let as_it_is = rig.reload();
    let settings = Settings {
        hooks: Vec::new(),
        ..Settings::clone(&as_it_is.settings)
    };
    let reload = Reload {
        settings: Arc::new(settings),
        ..as_it_is
    };
    move || surveyed(&reload)
}

#[tokio::test]
async fn hooks_that_are_gone_are_asked_no_more_in_a_session_that_has_begun() {
    for order in [
        Command::Trust {
            trusted: false,
            scope: TrustScope::Folder,
        },
        Command::Reload,
    ] {
        let mut rig = rig_with(refusing("before_tool", "true")).await;
        let run = |id| calls(id, "bash", &json!({"command": "true"}));
        rig.script("go", [run("a"), says("no"), run("b"), says("yes")]);
        let heard = rig.turn(SEAT, "go").await;
        assert_eq!(results(&heard)[0].1, CallStatus::Denied);
        let survey = without_hooks(&mut rig);
        let folder = rig.engine.folders.get_mut(FolderId::HOME);
        folder.survey = Some(survey());
        folder.project = ProjectRules::Counted;
        folder.loader = Box::new(survey);
        rig.order(SEAT, order).await;
        rig.order(SEAT, Command::ListHooks).await;
        let listed = |told: &Told| matches!(answer(told), Some(Answer::Hooks(hooks)) if hooks.is_empty());
        assert!(rig.heard.iter().any(listed), "{:#?}", rig.heard);
        let heard = rig.turn(SEAT, "again").await;
        assert_eq!(results(&heard)[0].1, CallStatus::Ok);
    }
}

async fn with_command(rig: &mut Rig, name: &str, text: &str) -> SeatId {
    let folder = rig.file("commands");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.md")), text).unwrap();
    let commands = Commands::of(
        Found::in_folder(&folder, benchdog_domain::skill::SkillSource::Person),
        |_| false,
    );
    rig.engine.folders.get_mut(FolderId::HOME).skills = Arc::new(Skills::default().with(commands));
    rig.beside().await
}

#[tokio::test]
async fn what_a_model_writes_for_a_child_calls_no_command_of_the_person() {
    let mut rig = rig_with(json!({})).await;
    let seat = with_command(&mut rig, "mend", "Mend $1 at once.").await;
    rig.script("go", [given("t", "explore", "/mend 12"), says("done")]);
    rig.script("/mend 12", [says("read as it stands")]);
    let heard = rig.turn(seat, "go").await;
    let (_, _, output) = &results(&heard)[0];
    assert!(output.contains("read as it stands"), "{output}");
}

#[tokio::test]
async fn a_prompt_is_refused_by_what_it_stands_for_before_any_of_its_lines_is_run() {
    let mut rig = rig_with(refusing("user_prompt", "Mend 12 at once")).await;
    let seat = with_command(&mut rig, "mend", "!`touch made.txt`\nMend $1 at once.").await;
    rig.prompt(seat, "/mend 12").await;
    let back = |told: &Told| matches!(answer(told), Some(Answer::Unread { prompt, .. }) if prompt == "/mend 12");
    rig.until("the prompt", back).await;
    assert!(!rig.file("made.txt").exists());
    assert!(
        !rig.heard
            .iter()
            .any(|told| matches!(body(told), Some(Body::Shell { .. })))
    );
}

#[tokio::test]
async fn hooks_are_asked_once_about_a_prompt_with_lines_and_their_note_goes_along() {
    let script =
        "echo asked >> asked.txt; echo '{\"hook_specific_output\": {\"additional_context\": \"mind the gap\"}}'";
    let hooks = json!({"user_prompt": [{"name": "guard", "command": ["/bin/sh", "-c", script]}]});
    let mut rig = rig_with(hooks).await;
    let seat = with_command(&mut rig, "mend", "!`echo plum`\nMend $1 at once.").await;
    rig.prompt(seat, "/mend 12").await;
    let sent = |told: &Told| matches!(body(told), Some(Body::User { .. }));
    let at = rig.until("the prompt", sent).await;
    let Some(Body::User { text, notes, .. }) = body(&rig.heard[at]) else {
        panic!("{:?}", rig.heard[at])
    };
    assert!(text.contains("Mend 12 at once."), "{text}");
    assert!(notes.iter().any(|note| note.text.contains("mind the gap")), "{notes:?}");
    assert_eq!(std::fs::read_to_string(rig.file("asked.txt")).unwrap(), "asked\n");
}
