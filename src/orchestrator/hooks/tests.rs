use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use serde_json::{Value, json};

use super::protocol::{Answered, read};
use super::{Heard, not_trusted, rewritten};
use benchdog_base::id::BlobId;
use benchdog_domain::hook::{Hook, HookEvent, HookFailed, HookSaid};
use benchdog_domain::permission::Layer;
use benchdog_domain::pin::{Pin, Pinned};
use benchdog_security::pins::same;
use benchdog_security::redact::Redactor;
use benchdog_tools::program::{How, Said};

fn hook(event: HookEvent) -> Hook {
    Hook {
        event,
        name: "guard".to_owned(),
        tools: Vec::new(),
        command: vec!["./guard".to_owned()],
        timeout_ms: 7,
        strict: false,
        layer: Layer::User,
        origin: String::new(),
        file: String::new(),
        pinned: Vec::new(),
    }
}

fn said(code: i32, output: &str, errors: &str) -> Said {
    Said {
        how: How::Ended(ExitStatus::from_raw(code << 8)),
        output: output.to_owned(),
        errors: errors.to_owned(),
    }
}

fn answer(event: HookEvent, said: &Said) -> Result<Answered, HookFailed> {
    read(&hook(event), said)
}

fn denied(event: HookEvent, said: &Said) -> Option<String> {
    answer(event, said).unwrap().denied
}

fn json_answer(event: HookEvent, value: &Value) -> Result<Answered, HookFailed> {
    answer(event, &said(0, &value.to_string(), ""))
}

#[test]
fn exit_codes_and_texts_are_one_form_and_json_is_the_other() {
    let before = HookEvent::BeforeTool;
    assert_eq!(
        answer(before, &said(0, "checked 3 files\n", "")),
        Ok(Answered::default())
    );
    assert_eq!(denied(before, &said(2, "not here\n", "x")).as_deref(), Some("not here"));
    assert_eq!(
        denied(before, &said(2, "", "by stderr\n")).as_deref(),
        Some("by stderr")
    );
    assert_eq!(denied(before, &said(2, "", "")).as_deref(), Some("no reason is given"));
    let flat = json!({"decision": "deny", "reason": "no", "system_message": "look"});
    let told = json_answer(before, &flat).unwrap();
    assert_eq!(
        (told.denied.as_deref(), told.message.as_deref()),
        (Some("no"), Some("look"))
    );
    let nested = json!({"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}});
    assert_eq!(json_answer(before, &nested).unwrap().denied.as_deref(), Some("no"));
    let rewrites = json!({"hook_specific_output": {"tool_input": {"command": "ls"}, "additional_context": "note"}});
    let told = json_answer(before, &rewrites).unwrap();
    assert_eq!(told.arguments.unwrap()["command"], "ls");
    assert_eq!(told.note.as_deref(), Some("note"));
}

#[test]
fn an_allow_is_no_opinion() {
    for allow in [
        json!({"decision": "allow", "reason": "fine"}),
        json!({"decision": "approve"}),
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}),
    ] {
        assert_eq!(
            json_answer(HookEvent::BeforeTool, &allow),
            Ok(Answered::default()),
            "{allow}"
        );
    }
}

#[test]
fn what_would_have_no_effect_is_an_error_and_every_other_end_a_failure() {
    let unreadable = |event, value: Value| matches!(json_answer(event, &value), Err(HookFailed::Unreadable { .. }));
    assert!(unreadable(HookEvent::BeforeTool, json!({"decison": "deny"})));
    assert!(unreadable(HookEvent::BeforeTool, json!({"decision": "ask"})));
    assert!(unreadable(HookEvent::Approval, json!({"decision": "deny"})));
    assert!(unreadable(
        HookEvent::AfterTool,
        json!({"hook_specific_output": {"tool_input": {}}})
    ));
    assert!(unreadable(
        HookEvent::SessionEnd,
        json!({"hook_specific_output": {"additional_context": "x"}})
    ));
    let broken = answer(HookEvent::BeforeTool, &said(0, "{\"decision\": ", ""));
    assert!(matches!(broken, Err(HookFailed::Unreadable { .. })), "{broken:?}");
    let exited = HookFailed::Exited {
        how: "exit 1".to_owned(),
        said: "boom".to_owned(),
    };
    assert_eq!(
        answer(HookEvent::BeforeTool, &said(1, "", "boom\nat line 3\n")),
        Err(exited)
    );
    let killed = Said {
        how: How::Ended(ExitStatus::from_raw(9)),
        ..said(0, "", "")
    };
    let how = answer(HookEvent::BeforeTool, &killed);
    assert!(
        matches!(&how, Err(HookFailed::Exited { how, .. }) if how == "signal 9"),
        "{how:?}"
    );
    let slow = Said {
        how: How::TimedOut,
        ..said(0, "", "")
    };
    assert_eq!(
        answer(HookEvent::TurnEnd, &slow),
        Err(HookFailed::TimedOut { after_ms: 7 })
    );
}

#[test]
fn a_file_that_appears_is_another_and_one_that_cannot_be_compared_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let pinned = |was| {
        [Pinned {
            file: "check".to_owned(),
            was,
        }]
    };
    let now = |was| same(folder.path(), &pinned(was)).map_err(not_trusted);
    let changed = Err(HookFailed::Changed {
        file: "check".to_owned(),
    });
    assert_eq!(now(Pin::Absent), Ok(()));
    assert_eq!(now(Pin::Bytes(BlobId::of(b"x"))), changed);
    std::fs::write(folder.path().join("check"), "x").unwrap();
    assert_eq!(now(Pin::Absent), changed);
    assert_eq!(now(Pin::Bytes(BlobId::of(b"x"))), Ok(()));
    let why = "it leads out".to_owned();
    let failed = now(Pin::Unknown(why.clone())).unwrap_err();
    let heard = Heard::failed(&hook(HookEvent::BeforeTool), failed, &Redactor::default());
    assert!(
        heard.denies.is_some(),
        "a guard is not passed by what cannot be compared"
    );
    assert!(
        matches!(&heard.said[..], [HookSaid::Failed { why: HookFailed::Unpinned { error, .. }, .. }] if *error == why)
    );
}

#[test]
fn no_secret_goes_to_the_model_with_what_was_rewritten_or_into_the_log_with_a_failure() {
    let key = "sk-planted-0123456789abcdef";
    let redactor = Redactor::new([key.to_owned()]);
    let arguments = json!({"command": format!("curl -H {key}")});
    let note = rewritten("guard", arguments.as_object().unwrap(), &redactor);
    assert!(!note.contains(key), "{note}");
    let failed = HookFailed::Exited {
        how: "exit 1".to_owned(),
        said: format!("no {key}"),
    };
    let heard = Heard::failed(&hook(HookEvent::AfterTool), failed, &redactor);
    assert!(!format!("{:?}", heard.said).contains(key), "{:?}", heard.said);
}
