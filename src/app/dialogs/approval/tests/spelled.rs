//! What a request would do is spelled as it was when marks of people were kept by it: another spelling wants another number in front.

use super::*;
use crate::app::dialogs::approval::print::spelled;
use crate::domain::elicited::{Field, FieldKind, Form, Format, Offer};
use crate::domain::review::{Asked, CommandPart, CommandReview, Counted, FileNote, Pause, Question, Removal, Runs};
use crate::domain::server::{Need, ServerName};

#[track_caller]
fn assert_spelled(review: Review, as_ever: &str) {
    let request = request("one", review);
    assert_eq!(spelled(&request).to_string(), format!(r#"[2,"bash",{as_ever}]"#));
}

#[test]
fn the_files_it_would_change() {
    let side = |text: &str| Some(Arc::<[u8]>::from(text.as_bytes()));
    let renamed = FileChange {
        path: "a.rs".to_owned(),
        operation: FileOperation::Rename {
            from: "b.rs".to_owned(),
        },
        before: None,
        after: side("a\n"),
        mode_after: Some(0o755),
        note: None,
    };
    let deleted = FileChange {
        path: "c.rs".to_owned(),
        operation: FileOperation::Delete,
        before: side("a\n"),
        after: None,
        mode_after: None,
        note: Some(FileNote::ModeNotKept),
    };
    let sum = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7";
    assert_spelled(
        Review::Files(vec![renamed, deleted]),
        &format!(r#"["files",[["a.rs",["rename","b.rs"],null,"{sum}",493],["c.rs",["delete"],"{sum}",null,null]]]"#),
    );
}

#[test]
fn the_command_it_would_run() {
    let command = CommandReview {
        command: "rm x".to_owned(),
        class: CommandClass::Dangerous,
        parts: vec![CommandPart {
            command: "rm x".to_owned(),
            written: "rm 'x'".to_owned(),
            class: CommandClass::Plain,
            because: "why".to_owned(),
        }],
        writes: vec!["out".to_owned()],
        removes: vec![Removal {
            path: "x".to_owned(),
            files: 1,
            bytes: 2,
            counted: Counted::AtMost,
        }],
        workdir: ".".to_owned(),
        reason: None,
        risky: true,
        runs: Runs::Behind { limit_ms: Some(7) },
    };
    let parts = r#"[["rm x","rm 'x'","plain","why"]]"#;
    let removes = r#"[["x",1,2,"at_most"]]"#;
    assert_spelled(
        Review::Command(command),
        &format!(r#"["command","rm x","dangerous",{parts},["out"],{removes},".",null,true,["behind",7]]"#),
    );
}

#[test]
fn the_questions_it_asks() {
    let asked = Question::one(Asked::of("Which?", &["red"]));
    let plan = Question::Plan { text: "p".to_owned() };
    let again = Pause::Loop {
        tool: "t".to_owned(),
        title: "a".to_owned(),
        times: 5,
    };
    for (question, as_ever) in [
        (asked, r#"["questions",[["","Which?",[["red",""]],false,true]],null]"#),
        (plan, r#"["plan","p"]"#),
        (Question::GoOn(Pause::Steps { steps: 3 }), r#"["steps",3]"#),
        (Question::GoOn(again), r#"["loop","t","a",5]"#),
        (Question::GoOn(Pause::Denials { times: 4 }), r#"["denials",4]"#),
    ] {
        assert_spelled(Review::Question(question), as_ever);
    }
    let fields = vec![("a".to_owned(), "b".to_owned())];
    assert_spelled(Review::Fields(fields), r#"["fields",[["a","b"]]]"#);
}

#[test]
fn the_form_of_a_server() {
    let field = |name: &str, need, kind| Field {
        name: name.to_owned(),
        title: "T".to_owned(),
        about: String::new(),
        need,
        kind,
    };
    let text = FieldKind::Text {
        least: 0,
        most: 9,
        format: Some(Format::DateTime),
        pattern: None,
        default: Some("now".to_owned()),
    };
    let one = FieldKind::One {
        of: vec![Offer {
            value: "1".to_owned(),
            shown: "one".to_owned(),
        }],
        default: Some(0),
    };
    let form = Form {
        server: ServerName("s".to_owned()),
        message: "m".to_owned(),
        fields: vec![
            field("when", Need::Required, text),
            field("which", Need::Optional, one),
            field("so", Need::Optional, FieldKind::Flag { default: None }),
        ],
    };
    let text = r#"["when","T","","required",["text",0,9,"date-time",null,"now"]]"#;
    let one = r#"["which","T","","optional",["one",[["1","one"]],0]]"#;
    let flag = r#"["so","T","","optional",["flag",null]]"#;
    assert_spelled(
        Review::Question(Question::Server(form)),
        &format!(r#"["form","s","m",[{text},{one},{flag}]]"#),
    );
}
