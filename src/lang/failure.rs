//! Messages about failed requests.

use super::{Word, Words, advice, message, server_error, word};
use benchdog_base::disk::bytes_text;
use benchdog_base::text::grouped;
use benchdog_domain::failure::{Cut, Failure};
use benchdog_domain::image::{Flaw, MOST_BYTES, MOST_BYTES_TOGETHER, MOST_SIDE, MOST_TOGETHER};
use benchdog_domain::mention::{Unreadable, WhyUnreadable};
use benchdog_domain::server::NoPrompt;
use benchdog_domain::server_error::ServerError;
use benchdog_domain::skill::OfferKind;

pub fn failure(failure: &Failure) -> Words {
    Words {
        text: text(failure),
        hint: hint(failure),
    }
}

fn text(failure: &Failure) -> String {
    match failure {
        Failure::EmptyReply { times, finish: None } => message::failure_empty_reply(&times.to_string()),
        Failure::EmptyReply {
            times,
            finish: Some(finish),
        } => message::failure_empty_reply_finish(finish, &times.to_string()),
        Failure::ContextFull(over) => {
            let (used, limit, fixed) = (&over.used.to_string(), &over.limit.to_string(), &over.fixed.to_string());
            if over.fixed >= over.limit {
                message::failure_context_full_fixed(fixed, limit)
            } else if over.fixed > 0 {
                message::failure_context_full_parts(fixed, limit, used.as_str())
            } else {
                message::failure_context_full(limit, used)
            }
        }
        Failure::MentionUnread { mentions } => {
            let each = |mention: &Unreadable| {
                let (path, why) = (&mention.path, &why_unread(&mention.why));
                if mention.is_one_too_many() {
                    return why.clone();
                }
                let said = match mention.invoked().map(|broken| broken.kind) {
                    Some(OfferKind::Skill) => message::failure_skill_unread_one,
                    Some(OfferKind::Command | OfferKind::Prompt) => message::failure_command_unread_one,
                    None if matches!(mention.why, WhyUnreadable::Hook { .. }) => message::failure_hook_one,
                    None if mention.is_of_server() => message::failure_prompt_one,
                    None => message::failure_mention_unread_one,
                };
                said(path, why)
            };
            let all: Vec<String> = mentions.iter().map(each).collect();
            message::failure_mention_unread(&all.join("; "))
        }
        Failure::NotHandedOver { tool, times } => message::failure_not_handed_over(&times.to_string(), tool),
        Failure::NoModel => word(Word::FailureNoModel).to_owned(),
        Failure::NoProvider { provider, model } => message::failure_no_provider(&model.to_string(), provider),
        Failure::SessionNotOpen => word(Word::FailureSessionNotOpen).to_owned(),
        Failure::RecordingEnded => word(Word::NoticeRecordingEnded).to_owned(),
        Failure::ContextOverflow { text, server, .. }
        | Failure::CallCut { text, server, .. }
        | Failure::Told { text, server, .. } => told_by_server(text, server.as_deref()),
    }
}

/// Returns the text of an error in the current language. Entries of earlier versions have only the English text.
pub(super) fn told_by_server(english: &str, server: Option<&ServerError>) -> String {
    server.map_or_else(|| english.to_owned(), server_error)
}

/// Returns the advice for an error. The advice depends on the actions that Benchdog has already taken.
fn hint(failure: &Failure) -> String {
    match failure {
        Failure::ContextOverflow { lessened: true, .. } => word(Word::FailureContextOverflowLessened).to_owned(),
        Failure::MentionUnread { mentions } if mentions.iter().any(is_of_silent_server) => {
            word(Word::PromptServerHint).to_owned()
        }
        _ => advice(failure.code()),
    }
}

/// Whether a mention failed because its MCP server did not answer. In that case, the text of the prompt is correct.
fn is_of_silent_server(mention: &Unreadable) -> bool {
    matches!(mention.why, WhyUnreadable::Prompt(NoPrompt::Trouble(_)))
}

fn why_unread(why: &WhyUnreadable) -> String {
    match why {
        WhyUnreadable::Missing => word(Word::UnreadMissing).to_owned(),
        WhyUnreadable::Outside => word(Word::UnreadOutside).to_owned(),
        WhyUnreadable::NotAllowed { because } => message::unread_not_allowed(&super::because(because)),
        WhyUnreadable::TooMany { most, named } => message::unread_too_many(&most.to_string(), &named.to_string()),
        WhyUnreadable::Unclear { range } => message::unread_unclear(range),
        WhyUnreadable::NotSeen { kind, model } => message::unread_not_seen(kind.name(), model),
        WhyUnreadable::TooManyImages { most } => message::unread_too_many_images(&most.to_string()),
        WhyUnreadable::NoSkill(broken) => {
            let why = broken.why.trim_end_matches('.');
            format!("{}:{}: {why}", broken.file, broken.line)
        }
        WhyUnreadable::Prompt(why) => match why {
            NoPrompt::Unknown => word(Word::UnreadNoPrompt).to_owned(),
            NoPrompt::Lacks { lacks } => {
                let names: Vec<String> = lacks.iter().map(|name| format!("`{name}=…`")).collect();
                message::unread_prompt_lacks(&names.join(" "))
            }
            NoPrompt::Trouble(trouble) => super::server_trouble(trouble),
        },
        WhyUnreadable::Resource(trouble) => super::server_trouble(trouble).trim_end_matches('.').to_owned(),
        WhyUnreadable::NoServer { known } => {
            let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            message::unread_no_server(&names.join(", "))
        }
        WhyUnreadable::NoReading { media, bytes } => message::unread_no_reading(media, &bytes_text(*bytes)),
        WhyUnreadable::Picture(flaw) => image_flaw(*flaw),
        WhyUnreadable::NoRoomForImages => {
            message::unread_no_room_for_images(&MOST_TOGETHER.to_string(), &bytes_text(MOST_BYTES_TOGETHER))
        }
        WhyUnreadable::Hook { reason } => reason.trim_end_matches('.').to_owned(),
        WhyUnreadable::NoText { words } | WhyUnreadable::Failed { words } => words.trim_end_matches('.').to_owned(),
    }
}

fn image_flaw(flaw: Flaw) -> String {
    match flaw {
        Flaw::Broken { kind } => message::unread_broken_image(kind.name()),
        Flaw::Bytes { bytes, .. } => message::unread_too_large(&bytes_text(MOST_BYTES), &bytes_text(bytes)),
        Flaw::Sides { width, height, .. } => message::unread_large_sides(
            &grouped(u64::from(height)),
            &grouped(u64::from(MOST_SIDE)),
            &grouped(u64::from(width)),
        ),
    }
}

/// Explains in a few words why an answer is incomplete.
pub(super) fn cut(cut: &Cut) -> String {
    match cut {
        Cut::Interrupted => word(Word::CutInterrupted).to_owned(),
        Cut::OutOfTime => word(Word::CutOutOfTime).to_owned(),
        Cut::NotSaved => word(Word::CutNotSaved).to_owned(),
        Cut::Ended => word(Word::CutEnded).to_owned(),
        Cut::Unproven => word(Word::CutUnproven).to_owned(),
        Cut::Failed(failure) => text(failure),
        Cut::Words(words) => words.clone(),
    }
}
