//! Tests which rules apply to the calls of a session and of its subagents, and how rules are listed and revoked.

use std::sync::Arc;

use serde_json::json;

use super::super::{FolderId, Reload, Survey};
use super::children::{allowing, given, results, row};
use super::rig::{Rig, Wishes, answer, body, calls, once, says, surveyed};
use benchdog_base::id::SeatId;
use benchdog_context::rules::ProjectRules;
use benchdog_domain::child::ChildState;
use benchdog_domain::entry::Body;
use benchdog_domain::permission::{Action, Decision, Kept, Lasts, Layer, Rule};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{Answer, Command, Event, Live, Told, TrustScope};
use benchdog_security::policy::{LayerRules, Policy};
use benchdog_tools::Registry;

const SEAT: SeatId = SeatId(1);

/// Returns a survey for the next reload. Its configuration denies changes of files.
fn survey(rig: &mut Rig) -> impl Fn() -> Survey + Send + Sync + 'static {
    let layer = LayerRules {
        network: Vec::new(),
        layer: Layer::User,
        origin: "mended".to_owned(),
        rules: vec![("edit".to_owned(), vec![("*".to_owned(), Action::Deny)])],
    };
    let reload = Reload {
        policy: Policy::new(&Registry::builtin().rules(), vec![layer]),
        ..rig.reload()
    };
    move || surveyed(&reload)
}

/// Runs a turn until a write waits for approval. `whose` selects a write of a subagent or of the session itself.
async fn waits(whose: &str) -> Rig {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    let write = calls("w", "write", &json!({"path": "made.txt", "content": "x\n"}));
    match whose {
        "child" => {
            rig.script("go", [given("t", "general", "make it"), says("done")]);
            rig.script("make it", [write, says("not made")]);
        }
        _ => rig.script("go", [write, says("done")]),
    }
    rig.prompt(SEAT, "go").await;
    rig.asked(SEAT).await;
    rig
}

/// Checks that the write is denied without a decision by the person.
async fn is_denied(mut rig: Rig, whose: &str) {
    let ended = rig.ends(SEAT);
    let ended = tokio::time::timeout(std::time::Duration::from_secs(5), ended).await;
    let heard = ended.unwrap_or_else(|_| panic!("the request of the {whose} still waits"));
    assert!(!rig.file("made.txt").exists());
    let (_, status, output) = &results(&heard)[0];
    match whose {
        "child" => assert!(output.starts_with("not made"), "{output}"),
        _ => assert_eq!(*status, CallStatus::Denied, "{output}"),
    }
}

#[tokio::test]
async fn what_waits_for_an_answer_is_denied_by_a_configuration_that_is_read_meanwhile() {
    for whose in ["session", "child"] {
        let mut rig = waits(whose).await;
        let survey = survey(&mut rig);
        rig.engine.folders.get_mut(FolderId::HOME).loader = Box::new(survey);
        rig.order(SEAT, Command::Reload).await;
        is_denied(rig, whose).await;
    }
}

#[tokio::test]
async fn what_waits_for_an_answer_is_judged_without_a_project_that_is_not_trusted_any_more() {
    for whose in ["session", "child"] {
        let mut rig = waits(whose).await;
        let survey = survey(&mut rig);
        let folder = rig.engine.folders.get_mut(FolderId::HOME);
        folder.survey = Some(survey());
        folder.project = ProjectRules::Counted;
        rig.order(
            SEAT,
            Command::Trust {
                trusted: false,
                scope: TrustScope::Folder,
            },
        )
        .await;
        is_denied(rig, whose).await;
    }
}

async fn listed(rig: &mut Rig) -> Vec<Rule> {
    rig.heard.clear();
    rig.order(SEAT, Command::ListPermissions).await;
    let rules = rig.heard.iter().find_map(|told| match answer(told) {
        Some(Answer::Permissions(rules)) => Some(rules.clone()),
        _ => None,
    });
    let session = |(layer, rule): (Layer, Rule)| (layer == Layer::Session).then_some(rule);
    rules.unwrap().into_iter().filter_map(session).collect()
}

#[tokio::test]
async fn an_always_answer_to_a_child_is_listed_with_its_parents_and_can_be_taken_back_there() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    let write = |id: &str, path: &str| calls(id, "write", &json!({"path": path, "content": "x\n"}));
    rig.script("go", [given("t", "general", "make it"), says("done")]);
    let make = calls("m", "bash", &json!({"command": "mkdir -p made"}));
    rig.script(
        "make it",
        [write("w", "a.txt"), make, write("v", "b.txt"), says("made")],
    );
    rig.prompt(SEAT, "go").await;
    let first = rig.asked(SEAT).await;
    let always = Decision::Always {
        scope: first.verdict.scopes.last().cloned().unwrap(),
        lasts: Lasts::Session,
        kept: Kept::All,
    };
    rig.decide(SEAT, &first, always).await;
    let make = rig.asked(SEAT).await;
    assert_eq!(make.tool, "bash");
    let rules = listed(&mut rig).await;
    let [rule] = &rules[..] else { panic!("{rules:?}") };
    assert_eq!((rule.key.as_str(), rule.origin.as_str()), ("edit", "general"));
    let (layer, rule) = (Layer::Session, rule.clone());
    rig.order(SEAT, Command::Revoke { layer, rule }).await;
    assert!(listed(&mut rig).await.is_empty());
    rig.decide(SEAT, &make, once()).await;
    assert_eq!(rig.asked(SEAT).await.tool, "write", "what it covered asks again");
}

#[tokio::test]
async fn a_child_is_held_in_by_the_configuration_of_its_parent() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    rig.script("go", [given("t", "general", "make it")]);
    // The folder's configuration has changed, but the parent session keeps the old one.
    let folder = rig.engine.folders.get_mut(FolderId::HOME);
    folder.settings = Arc::new((*folder.settings).clone());
    rig.prompt(SEAT, "go").await;
    let works = |told: &Told| row(told).is_some_and(|row| row.state == ChildState::Works);
    rig.until("the child", works).await;
    let [child] = rig.seats.children_of(SEAT)[..] else {
        panic!("one child")
    };
    let of_child = Arc::clone(rig.seats.get(child).unwrap().settings());
    let of_parent = rig.seats.get(SEAT).unwrap().settings();
    assert!(Arc::ptr_eq(&of_child, of_parent));
}

#[tokio::test]
async fn the_scratch_folder_is_listed_as_what_it_is_and_children_write_there_too() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    rig.heard.clear();
    rig.order(SEAT, Command::ListPermissions).await;
    let rules = rig.heard.iter().find_map(|told| match answer(told) {
        Some(Answer::Permissions(rules)) => Some(rules.clone()),
        _ => None,
    });
    let session = rig.seats.get(SEAT).unwrap().session().clone();
    let folder = rig.engine.setup.folders.data.join("scratch").join(&session.0);
    let pattern = format!("{}/**", folder.display());
    let rules = rules.unwrap();
    let rule = rules.iter().find(|(_, rule)| rule.pattern == pattern);
    assert!(
        rule.is_some_and(|(_, rule)| rule.action == Action::Allow && rule.key == "edit"),
        "{rules:?}"
    );
    let note = folder.join("note.txt");
    rig.script("go", [given("t", "general", "note it"), says("done")]);
    let write = calls("w", "write", &json!({"path": note, "content": "x\n"}));
    rig.script("note it", [write, says("noted")]);
    let heard = rig.turn(SEAT, "go").await;
    assert!(note.exists(), "{heard:#?}");
    let asks = |told: &Told| matches!(&told.event, Event::Live(Live::ApprovalRequested(_)));
    assert!(!heard.iter().any(asks), "nobody is asked");
    let changes = |told: &Told| matches!(body(told), Some(Body::Change { .. }));
    assert!(!heard.iter().any(changes), "it is no change of the project");
    let sent: Vec<String> = {
        let asked = rig.provider.asked.lock().unwrap();
        asked.iter().map(|request| format!("{:?}", request.messages)).collect()
    };
    let told = folder.display().to_string();
    assert!(sent.iter().all(|sent| sent.contains(&told)), "both know it: {sent:#?}");
    // The subagent shares its parent's scratch folder.
    let all = std::fs::read_dir(folder.parent().unwrap()).unwrap();
    assert_eq!(all.count(), 1);
}

#[tokio::test]
async fn the_persons_own_subagents_are_told_once_and_again_when_they_change() {
    let mut config = Wishes::default().config;
    config["agent"] = json!({"prover": {"mode": "subagent", "description": "Proves what it says."}});
    let mut rig = Rig::new(Wishes {
        config,
        ..Wishes::default()
    })
    .await;
    rig.script("go", [says("one"), says("two"), says("three")]);
    rig.turn(SEAT, "go").await;
    rig.turn(SEAT, "on").await;
    let told = "- `prover`: Proves what it says.";
    assert_eq!(rig.sent().matches(told).count(), 1, "{}", rig.sent());
    let survey = survey(&mut rig);
    let none = move || {
        let mut survey = survey();
        for reload in [&mut survey.with, &mut survey.without].into_iter().flatten() {
            reload.agents = benchdog_agent::Agents::built_in().into();
        }
        survey
    };
    rig.engine.folders.get_mut(FolderId::HOME).loader = Box::new(none);
    rig.order(SEAT, Command::Reload).await;
    rig.turn(SEAT, "and on").await;
    assert_eq!(rig.sent().matches(told).count(), 1, "what was sent stays");
    assert_eq!(
        rig.sent().matches("can give work to nobody else").count(),
        1,
        "{}",
        rig.sent()
    );
}
