//! Labels of transcript items, and messages next to them.

use std::borrow::Cow;

use super::{Word, failure, message, word};
use benchdog_base::text::grouped;
use benchdog_domain::agent::{ACCEPT_EDITS, AUTO, AgentOffer, BUILD, CHAT, PLAN};
use benchdog_domain::compaction::{Compaction, Replaced};
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::failure::Cut;
use benchdog_domain::mention::{Mention, MentionKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    You,
    Task,
    /// Text of the model without tool calls.
    Answer,
    /// Text of the model before its tool calls.
    Plan,
    /// An answer that is still streaming. Becomes an `Answer` or a `Plan`.
    Writing,
    Thought,
    Thinking,
    Check(u32),
}

pub fn label(label: Label) -> Cow<'static, str> {
    Cow::Borrowed(word(match label {
        Label::You => Word::LabelYou,
        Label::Task => Word::LabelTask,
        Label::Answer => Word::LabelAnswer,
        Label::Plan => Word::LabelPlan,
        Label::Writing => Word::LabelWriting,
        Label::Thought => Word::LabelThought,
        Label::Thinking => Word::LabelThinking,
        Label::Check(0 | 1) => Word::LabelCheck,
        Label::Check(round) => return message::label_check_again(&round.to_string()).into(),
    }))
}

pub fn cut_short(cut: &Cut) -> String {
    match cut {
        // These messages are complete sentences.
        Cut::Unproven | Cut::Ended => failure::cut(cut),
        _ => message::shown_cut(&failure::cut(cut)),
    }
}

/// Returns the description from the agent's profile, or the built-in one.
pub fn about_agent(offer: &AgentOffer) -> &str {
    match offer.agent.0.as_str() {
        _ if !offer.description.is_empty() => &offer.description,
        BUILD => word(Word::AgentBuild),
        PLAN => word(Word::AgentPlan),
        ACCEPT_EDITS => word(Word::AgentAcceptEdits),
        AUTO => word(Word::AgentAuto),
        CHAT => word(Word::AgentChat),
        _ => "",
    }
}

pub fn compacted(compaction: &Compaction) -> String {
    let (before, after) = (short(compaction.before), short(compaction.after));
    match &compaction.replaced {
        Some(Replaced { summary: Some(_), .. }) => message::shown_summarised(after.as_str(), before.as_str()),
        Some(Replaced { summary: None, .. }) => message::shown_left_out(after.as_str(), before.as_str()),
        None if compaction.cuts.is_empty() => message::shown_dropped(after.as_str(), before.as_str()),
        None => message::shown_shortened(after.as_str(), before.as_str(), compaction.cuts.len()),
    }
}

/// Describes an undone compaction.
pub fn undone(compaction: &Compaction) -> &'static str {
    word(match &compaction.replaced {
        Some(Replaced { summary: Some(_), .. }) => Word::UndoneSummarised,
        Some(Replaced { summary: None, .. }) => Word::UndoneLeftOut,
        None if compaction.cuts.is_empty() => Word::UndoneDropped,
        None => Word::UndoneShortened,
    })
}

/// Formats `820` or `9.6k`.
fn short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        _ => format!("{}.{}k", tokens / 1_000, tokens % 1_000 / 100),
    }
}

/// Formats a mention as a chip: `@src/a.rs  lines 10 to 20 of 300`.
pub fn mention(mention: &Mention) -> String {
    let path = mention.path.trim_end_matches('/');
    match (mention.kind, mention.lines) {
        (MentionKind::Folder, _) => message::shown_mention_folder(path),
        (MentionKind::Skill, _) => message::shown_mention_skill(path),
        (MentionKind::Image, _) => {
            let image = mention.image.as_ref();
            let kind = image.map_or("", |image| image.kind.name());
            let size = grouped(image.map_or(0, |image| image.bytes.div_ceil(1024)));
            message::shown_mention_image(kind, path, &size)
        }
        (MentionKind::Resource, _) => message::shown_mention_resource(&mention.path),
        (MentionKind::File, None) => message::shown_mention_empty(path),
        (MentionKind::File, Some(part)) if part.is_whole() => {
            let total = usize::try_from(part.total).unwrap_or(usize::MAX);
            message::shown_mention(&message::count_lines(total), path)
        }
        (MentionKind::File, Some(part)) => {
            let [first, last, total] = [part.first, part.last, part.total].map(grouped);
            message::shown_mention_part(&first, &last, path, &total)
        }
    }
}

pub fn ended(outcome: TurnOutcome) -> &'static str {
    word(match outcome {
        TurnOutcome::Done => Word::EndedDone,
        TurnOutcome::Error => Word::EndedError,
        TurnOutcome::Interrupted => Word::EndedInterrupted,
        TurnOutcome::Limit => Word::EndedLimit,
        TurnOutcome::Denied => Word::EndedDenied,
        TurnOutcome::Loop => Word::EndedLoop,
        TurnOutcome::Filtered => Word::EndedFiltered,
        TurnOutcome::ValidationFailed => Word::EndedFailing,
    })
}
