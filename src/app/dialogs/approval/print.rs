//! What a request would do, as a name that outlives the program: marks are known again by it. Every part is spelled out here, whatever the
//! code calls it: what is renamed there keeps the marks of people.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::base::id::BlobId;
use crate::domain::elicited::{Field, FieldKind, Form, Format, Offer};
use crate::domain::review::{
    Asked, Choice, CommandPart, CommandReview, Counted, FileChange, FileOperation, Pause, Question, Removal, Review,
    Runs,
};
use crate::domain::server::Need;
use crate::protocol::ApprovalRequest;

/// Goes up when the spelling changes: marks that were kept before are not found again, and their texts are laid open.
const SPELLING: u32 = 2;

/// The same again has the same.
pub(super) fn print(request: &ApprovalRequest) -> BlobId {
    BlobId::of(spelled(request).to_string().as_bytes())
}

pub(super) fn spelled(request: &ApprovalRequest) -> Value {
    let review = match &request.review {
        Review::Files(changes) => json!(["files", all(changes, change)]),
        Review::Command(review) => command(review),
        Review::Question(asked) => question(asked),
        Review::Fields(fields) => json!(["fields", fields]),
    };
    json!([SPELLING, request.tool, review])
}

fn all<T>(of: &[T], spelled: impl Fn(&T) -> Value) -> Value {
    Value::Array(of.iter().map(spelled).collect())
}

fn change(change: &FileChange) -> Value {
    let FileChange {
        path,
        operation,
        before,
        after,
        mode_after,
        note: _,
    } = change;
    let operation = match operation {
        FileOperation::Create => json!(["create"]),
        FileOperation::Update => json!(["update"]),
        FileOperation::Delete => json!(["delete"]),
        FileOperation::Rename { from } => json!(["rename", from]),
        FileOperation::Copy { from } => json!(["copy", from]),
    };
    let side = |side: &Option<Arc<[u8]>>| side.as_ref().map(|side| BlobId::of(side).0);
    json!([path, operation, side(before), side(after), mode_after])
}

fn command(review: &CommandReview) -> Value {
    let CommandReview {
        command,
        class,
        parts,
        writes,
        removes,
        workdir,
        reason,
        risky,
        runs,
    } = review;
    let parts = all(parts, |part| {
        let CommandPart {
            command,
            written,
            class,
            because,
        } = part;
        json!([command, written, class, because])
    });
    let removes = all(removes, |removal| {
        let Removal {
            path,
            files,
            bytes,
            counted,
        } = removal;
        let counted = match counted {
            Counted::All => "all",
            Counted::Some => "some",
            Counted::AtMost => "at_most",
            Counted::Unknown => "unknown",
        };
        json!([path, files, bytes, counted])
    });
    let runs = match runs {
        Runs::UntilDone { limit_ms } => json!(["until_done", limit_ms]),
        Runs::Behind { limit_ms } => json!(["behind", limit_ms]),
    };
    json!([
        "command", command, class, parts, writes, removes, workdir, reason, risky, runs
    ])
}

fn question(question: &Question) -> Value {
    match question {
        Question::Model { asked: questions, note } => json!(["questions", all(questions, asked), note]),
        Question::Server(form) => {
            let Form {
                server,
                message,
                fields,
            } = form;
            json!(["form", server.0, message, all(fields, field)])
        }
        Question::Plan { text } => json!(["plan", text]),
        Question::GoOn(Pause::Steps { steps }) => json!(["steps", steps]),
        Question::GoOn(Pause::Loop { tool, title, times }) => json!(["loop", tool, title, times]),
        Question::GoOn(Pause::Denials { times }) => json!(["denials", times]),
    }
}

fn asked(asked: &Asked) -> Value {
    let Asked {
        header,
        text,
        options,
        multiple,
        own_words,
    } = asked;
    let options = all(options, |choice| {
        let Choice { label, description } = choice;
        json!([label, description])
    });
    json!([header, text, options, multiple, own_words])
}

fn field(field: &Field) -> Value {
    let Field {
        name,
        title,
        about,
        need,
        kind,
    } = field;
    let need = match need {
        Need::Required => "required",
        Need::Optional => "optional",
    };
    json!([name, title, about, need, field_kind(kind)])
}

fn field_kind(kind: &FieldKind) -> Value {
    let offers = |of: &[Offer]| {
        all(of, |offer| {
            let Offer { value, shown } = offer;
            json!([value, shown])
        })
    };
    match kind {
        FieldKind::Text {
            least,
            most,
            format,
            pattern,
            default,
        } => {
            let format = format.map(|format| match format {
                Format::Email => "email",
                Format::Uri => "uri",
                Format::Date => "date",
                Format::DateTime => "date-time",
            });
            json!(["text", least, most, format, pattern, default])
        }
        FieldKind::Number {
            whole,
            least,
            most,
            default,
        } => json!(["number", whole, least, most, default]),
        FieldKind::Flag { default } => json!(["flag", default]),
        FieldKind::One { of, default } => json!(["one", offers(of), default]),
        FieldKind::Several {
            of,
            least,
            most,
            default,
        } => json!(["several", offers(of), least, most, default]),
    }
}

/// Whether both would do the same, as `print` tells of each: bytes that they share are not looked at.
pub(super) fn does_the_same(one: &ApprovalRequest, other: &ApprovalRequest) -> bool {
    let is_same = |(one, other): (&FileChange, &FileChange)| {
        // What is noted about a change does nothing.
        *one == FileChange {
            note: one.note.clone(),
            ..other.clone()
        }
    };
    one.tool == other.tool
        && match (&one.review, &other.review) {
            (Review::Files(one), Review::Files(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(is_same)
            }
            (one, other) => one == other,
        }
}
