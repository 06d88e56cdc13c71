//! Tests mentions in prompts. They are read under the rules for calls, sent once, and never sent after a stop.

use super::*;
use crate::engine::FolderId;
use benchdog_domain::permission::Scope;
use benchdog_protocol::{Delivery, Told};

fn wishes(permission: Value, files: &'static [(&'static str, &'static str)]) -> Wishes {
    let mut config = Wishes::default().config;
    config["permission"] = permission;
    Wishes {
        config,
        files,
        ..Wishes::default()
    }
}

fn unread(told: &Told) -> bool {
    matches!(answer(told), Some(Answer::Unread { .. }))
}

fn came_back(told: &Told) -> Option<&str> {
    match answer(told) {
        Some(Answer::Unqueued { text }) => Some(text),
        _ => None,
    }
}

#[tokio::test]
async fn what_the_workspace_remembers_of_reading_counts_for_mentions() {
    let mut rig = Rig::new(wishes(json!({"read": "ask"}), &[("a.txt", "alpha\n")])).await;
    rig.prompt(SEAT, "see @a.txt").await;
    rig.until("the refusal", unread).await;
    rig.heard.clear();
    let always = Scope {
        key: "read".to_owned(),
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    };
    let folder = rig.engine.at(FolderId::HOME).name();
    rig.engine.setup.storage.grant(&folder, always).await.unwrap();
    rig.prompt(SEAT, "see @a.txt").await;
    let begun = |told: &Told| unread(told) || matches!(body(told), Some(Body::User { .. }));
    let at = rig.until("the prompt", begun).await;
    assert!(!unread(&rig.heard[at]), "{:?}", rig.heard[at]);
}

#[tokio::test]
async fn a_file_of_a_prompt_that_was_not_sent_was_not_seen() {
    let files = &[("a.txt", "alpha\n"), ("b.txt", "beta\n")];
    let mut rig = Rig::new(wishes(json!({"edit": "allow"}), files)).await;
    rig.prompt(SEAT, "mend @a.txt and @gone.txt").await;
    rig.until("the refusal", unread).await;
    rig.heard.clear();
    let edit = |id: &str, path: &str, old: &str| {
        let edits = json!([{"old": old, "new": "x"}]);
        calls(id, "edit", &json!({"path": path, "edits": edits}))
    };
    let whole = |id: &str, path: &str| calls(id, "write", &json!({"path": path, "content": "x\n"}));
    rig.script(
        "go",
        [
            says("Fine."),
            whole("e", "a.txt"),
            edit("f", "b.txt", "beta"),
            says("Done."),
        ],
    );
    rig.turn(SEAT, "go").await;
    rig.prompt(SEAT, "mend @b.txt").await;
    rig.ends(SEAT).await;
    let read = |name: &str| std::fs::read_to_string(rig.file(name)).unwrap();
    assert_eq!(read("a.txt"), "alpha\n", "the model never saw it");
    assert_eq!(read("b.txt"), "x\n");
}

#[tokio::test]
async fn what_is_steered_comes_back_where_the_turn_is_stopped_while_its_files_are_read() {
    let mut rig = Rig::new(wishes(json!({}), &[("a.txt", "alpha\n")])).await;
    rig.prompt(SEAT, "never answered").await;
    let steered = Command::Prompt {
        text: "and @a.txt".to_owned(),
        pasted: Vec::new(),
        delivery: Delivery::Steer,
    };
    rig.order(SEAT, steered).await;
    rig.order(SEAT, Command::Interrupt).await;
    rig.until("the text", |told| came_back(told) == Some("and @a.txt"))
        .await;
    let begun = rig.heard.iter().filter_map(body);
    let prompts = begun.filter(|body| matches!(body, Body::User { .. })).count();
    assert_eq!(prompts, 1, "nothing is begun after a stop");
}

#[tokio::test]
async fn what_was_pasted_and_folded_names_nothing() {
    let mut rig = Rig::new(wishes(json!({}), &[("a.txt", "alpha\n")])).await;
    let text = "see 012 @gone.txt\n and @a.txt";
    let pasted = Command::Prompt {
        text: text.to_owned(),
        pasted: vec![4..8, 8..18],
        delivery: Delivery::Queue,
    };
    rig.order(SEAT, pasted).await;
    let begun = |told: &Told| unread(told) || matches!(body(told), Some(Body::User { .. }));
    let at = rig.until("the prompt", begun).await;
    let Some(Body::User {
        text: sent, mentions, ..
    }) = body(&rig.heard[at])
    else {
        panic!("{:?}", rig.heard[at])
    };
    assert_eq!(sent, text);
    assert_eq!(mentions.len(), 1, "{mentions:?}");
}

#[tokio::test]
async fn what_git_said_goes_with_the_next_prompt_where_the_first_was_stopped_before_it_was_sent() {
    let mut rig = Rig::new(wishes(json!({}), &[("a.txt", "alpha\n")])).await;
    let git = std::process::Command::new("git")
        .args(["init", "-q", "-b", "main"])
        .current_dir(rig.file(""))
        .status();
    assert!(git.unwrap().success());
    let seat = rig.beside().await;
    rig.prompt(seat, "first").await;
    rig.order(seat, Command::Interrupt).await;
    let stopped = |told: &Told| matches!(answer(told), Some(Answer::NotBegun { .. }));
    rig.until("the end of the first", stopped).await;
    rig.heard.clear();
    rig.script("second", [says("fine")]);
    rig.prompt(seat, "second").await;
    let at = rig
        .until("the prompt", |told| matches!(body(told), Some(Body::User { .. })))
        .await;
    let Some(Body::User { notes, .. }) = body(&rig.heard[at]) else {
        panic!("no prompt")
    };
    assert!(
        notes.iter().any(|note| note.text.contains("Git at the start")),
        "{notes:?}"
    );
}
