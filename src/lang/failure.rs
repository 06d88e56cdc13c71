//! Messages about failed requests.

use super::{Words, advice, say};
use benchdog_base::disk::bytes_text;
use benchdog_base::text::grouped;
use benchdog_domain::failure::{Cut, Failure};
use benchdog_domain::image::{Flaw, MOST_BYTES, MOST_BYTES_TOGETHER, MOST_SIDE, MOST_TOGETHER};
use benchdog_domain::mention::{Unreadable, WhyUnreadable};
use benchdog_domain::server::NoPrompt;
use benchdog_domain::skill::OfferKind;

pub fn failure(failure: &Failure) -> Words {
    Words {
        text: text(failure),
        hint: hint(failure),
    }
}

fn text(failure: &Failure) -> String {
    match failure {
        Failure::EmptyReply { times, finish: None } => say("failure-empty-reply", &[("times", &times.to_string())]),
        Failure::EmptyReply {
            times,
            finish: Some(finish),
        } => say(
            "failure-empty-reply-finish",
            &[("times", &times.to_string()), ("finish", finish)],
        ),
        Failure::ContextFull(over) => {
            let (used, limit, fixed) = (&over.used.to_string(), &over.limit.to_string(), &over.fixed.to_string());
            if over.fixed >= over.limit {
                say("failure-context-full-fixed", &[("fixed", fixed), ("limit", limit)])
            } else if over.fixed > 0 {
                let values = [("used", used.as_str()), ("fixed", fixed), ("limit", limit)];
                say("failure-context-full-parts", &values)
            } else {
                say("failure-context-full", &[("used", used), ("limit", limit)])
            }
        }
        Failure::MentionUnread { mentions } => {
            let each = |mention: &Unreadable| {
                let (path, why) = (&mention.path, &why_unread(&mention.why));
                if mention.is_one_too_many() {
                    return why.clone();
                }
                let id = match mention.invoked().map(|broken| broken.kind) {
                    Some(OfferKind::Skill) => "failure-skill-unread-one",
                    Some(OfferKind::Command | OfferKind::Prompt) => "failure-command-unread-one",
                    None if matches!(mention.why, WhyUnreadable::Hook { .. }) => "failure-hook-one",
                    None if mention.is_of_server() => "failure-prompt-one",
                    None => "failure-mention-unread-one",
                };
                say(id, &[("path", path), ("why", why)])
            };
            let all: Vec<String> = mentions.iter().map(each).collect();
            say("failure-mention-unread", &[("mentions", &all.join("; "))])
        }
        Failure::NotHandedOver { tool, times } => say(
            "failure-not-handed-over",
            &[("tool", tool), ("times", &times.to_string())],
        ),
        Failure::NoModel => say("failure-no-model", &[]),
        Failure::NoProvider { provider, model } => say(
            "failure-no-provider",
            &[("provider", provider), ("model", &model.to_string())],
        ),
        Failure::SessionNotOpen => say("failure-session-not-open", &[]),
        Failure::RecordingEnded => say("notice-recording-ended", &[]),
        Failure::ContextOverflow { text, .. } | Failure::CallCut { text, .. } | Failure::Told { text, .. } => {
            text.clone()
        }
    }
}

/// Returns the advice, which depends on the actions already taken.
fn hint(failure: &Failure) -> String {
    match failure {
        Failure::ContextOverflow { lessened: true, .. } => say("failure-context-overflow-lessened", &[]),
        Failure::MentionUnread { mentions } if mentions.iter().any(is_of_silent_server) => {
            say("prompt-server-hint", &[])
        }
        _ => advice(failure.code()),
    }
}

/// Whether an MCP server failed, so the prompt's text is not at fault.
fn is_of_silent_server(mention: &Unreadable) -> bool {
    matches!(mention.why, WhyUnreadable::Prompt(NoPrompt::Trouble(_)))
}

/// Explains an invalid line range after a file name.
pub fn names_no_lines(range: &str) -> String {
    say("unread-unclear", &[("range", range)])
}

fn why_unread(why: &WhyUnreadable) -> String {
    match why {
        WhyUnreadable::Missing => say("unread-missing", &[]),
        WhyUnreadable::Outside => say("unread-outside", &[]),
        WhyUnreadable::NotAllowed { because } => say("unread-not-allowed", &[("because", &super::because(because))]),
        WhyUnreadable::TooMany { most, named } => say(
            "unread-too-many",
            &[("most", &most.to_string()), ("named", &named.to_string())],
        ),
        WhyUnreadable::Unclear { range } => names_no_lines(range),
        WhyUnreadable::NotSeen { kind, model } => say("unread-not-seen", &[("kind", kind.name()), ("model", model)]),
        WhyUnreadable::TooManyImages { most } => say("unread-too-many-images", &[("most", &most.to_string())]),
        WhyUnreadable::NoSkill(broken) => {
            let why = broken.why.trim_end_matches('.');
            format!("{}:{}: {why}", broken.file, broken.line)
        }
        WhyUnreadable::Prompt(why) => match why {
            NoPrompt::Unknown => say("unread-no-prompt", &[]),
            NoPrompt::Lacks { lacks } => {
                let names: Vec<String> = lacks.iter().map(|name| format!("`{name}=…`")).collect();
                say("unread-prompt-lacks", &[("names", &names.join(" "))])
            }
            NoPrompt::Trouble(trouble) => super::server_trouble(trouble),
        },
        WhyUnreadable::Resource(trouble) => super::server_trouble(trouble).trim_end_matches('.').to_owned(),
        WhyUnreadable::NoServer { known } => {
            let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            say("unread-no-server", &[("names", &names.join(", "))])
        }
        WhyUnreadable::NoReading { media, bytes } => {
            say("unread-no-reading", &[("media", media), ("size", &bytes_text(*bytes))])
        }
        WhyUnreadable::Picture(flaw) => flawed(*flaw),
        WhyUnreadable::NoRoomForImages => say(
            "unread-no-room-for-images",
            &[
                ("most", &MOST_TOGETHER.to_string()),
                ("size", &bytes_text(MOST_BYTES_TOGETHER)),
            ],
        ),
        WhyUnreadable::Hook { reason } => reason.trim_end_matches('.').to_owned(),
        WhyUnreadable::NoText { words } | WhyUnreadable::Failed { words } => words.trim_end_matches('.').to_owned(),
    }
}

fn flawed(flaw: Flaw) -> String {
    match flaw {
        Flaw::Broken { kind } => say("unread-broken-image", &[("kind", kind.name())]),
        Flaw::Bytes { bytes, .. } => say(
            "unread-too-large",
            &[("size", &bytes_text(bytes)), ("most", &bytes_text(MOST_BYTES))],
        ),
        Flaw::Sides { width, height, .. } => say(
            "unread-large-sides",
            &[
                ("width", &grouped(u64::from(width))),
                ("height", &grouped(u64::from(height))),
                ("most", &grouped(u64::from(MOST_SIDE))),
            ],
        ),
    }
}

/// Explains in a few words why an answer is incomplete.
pub(super) fn cut(cut: &Cut) -> String {
    match cut {
        Cut::Interrupted => say("cut-interrupted", &[]),
        Cut::OutOfTime => say("cut-out-of-time", &[]),
        Cut::NotSaved => say("cut-not-saved", &[]),
        Cut::Ended => say("cut-ended", &[]),
        Cut::Unproven => say("cut-unproven", &[]),
        Cut::Failed(failure) => text(failure),
        Cut::Words(words) => words.clone(),
    }
}
