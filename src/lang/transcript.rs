//! The words that stand before, above and beside the pieces of a transcript.

use std::borrow::Cow;

use super::{Word, count, failure, lines, say, word};
use crate::base::text::grouped;
use crate::domain::agent::{ACCEPT_EDITS, AgentOffer, BUILD, PLAN};
use crate::domain::compaction::{Compaction, Replaced};
use crate::domain::entry::TurnOutcome;
use crate::domain::failure::Cut;
use crate::domain::mention::{Mention, MentionKind};

/// What a piece of a transcript is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    /// What the person said.
    You,
    /// What an agent was given to do by another.
    Task,
    /// What the model said without calling anything.
    Answer,
    /// What it said before its calls.
    Plan,
    /// An answer that is still arriving: which of the two it will be is not known yet.
    Writing,
    Thought,
    Thinking,
    /// The project's check, in this round.
    Check(u32),
}

pub(crate) fn label(label: Label) -> Cow<'static, str> {
    Cow::Borrowed(word(match label {
        Label::You => Word::LabelYou,
        Label::Task => Word::LabelTask,
        Label::Answer => Word::LabelAnswer,
        Label::Plan => Word::LabelPlan,
        Label::Writing => Word::LabelWriting,
        Label::Thought => Word::LabelThought,
        Label::Thinking => Word::LabelThinking,
        Label::Check(0 | 1) => Word::LabelCheck,
        Label::Check(round) => return say("label-check-again", &[("round", &round.to_string())]).into(),
    }))
}

/// That an answer is not whole, and why.
pub(crate) fn cut_short(cut: &Cut) -> String {
    match cut {
        // Whole sentences.
        Cut::Unproven | Cut::Ended => failure::cut(cut),
        _ => say("shown-cut", &[("why", &failure::cut(cut))]),
    }
}

pub(crate) fn model(model: &str) -> String {
    say("shown-model", &[("model", model)])
}

pub(crate) fn agent(agent: &str) -> String {
    say("shown-agent", &[("agent", agent)])
}

/// What an agent does: in the words of whoever wrote it, else in ours.
pub(crate) fn about_agent(offer: &AgentOffer) -> &str {
    match offer.agent.0.as_str() {
        _ if !offer.description.is_empty() => &offer.description,
        BUILD => word(Word::AgentBuild),
        PLAN => word(Word::AgentPlan),
        ACCEPT_EDITS => word(Word::AgentAcceptEdits),
        _ => "",
    }
}

/// What was done to make room in the window.
pub(crate) fn compacted(compaction: &Compaction) -> String {
    let (before, after) = (short(compaction.before), short(compaction.after));
    let values = [("before", before.as_str()), ("after", after.as_str())];
    match &compaction.replaced {
        Some(Replaced { summary: Some(_), .. }) => say("shown-summarised", &values),
        Some(Replaced { summary: None, .. }) => say("shown-left-out", &values),
        None if compaction.cuts.is_empty() => say("shown-dropped", &values),
        None => count("shown-shortened", compaction.cuts.len(), &values),
    }
}

/// What was done by taking it back.
pub(crate) fn undone(compaction: &Compaction) -> &'static str {
    word(match &compaction.replaced {
        Some(Replaced { summary: Some(_), .. }) => Word::UndoneSummarised,
        Some(Replaced { summary: None, .. }) => Word::UndoneLeftOut,
        None if compaction.cuts.is_empty() => Word::UndoneDropped,
        None => Word::UndoneShortened,
    })
}

/// `820`, `9.6k`.
fn short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        _ => format!("{}.{}k", tokens / 1_000, tokens % 1_000 / 100),
    }
}

/// What went along with a prompt, as a chip: `@src/a.rs  lines 10 to 20 of 300`.
pub(crate) fn mention(mention: &Mention) -> String {
    let path = mention.path.trim_end_matches('/');
    match (mention.kind, mention.lines) {
        (MentionKind::Folder, _) => say("shown-mention-folder", &[("path", path)]),
        (MentionKind::Skill, _) => say("shown-mention-skill", &[("name", path)]),
        (MentionKind::Image, _) => {
            let image = mention.image.as_ref();
            let kind = image.map_or("", |image| image.kind.name());
            let size = grouped(image.map_or(0, |image| image.bytes.div_ceil(1024)));
            say(
                "shown-mention-image",
                &[("path", path), ("kind", kind), ("size", &size)],
            )
        }
        (MentionKind::Resource, _) => say("shown-mention-resource", &[("path", &mention.path)]),
        (MentionKind::File, None) => say("shown-mention-empty", &[("path", path)]),
        (MentionKind::File, Some(part)) if part.is_whole() => {
            let total = usize::try_from(part.total).unwrap_or(usize::MAX);
            say("shown-mention", &[("path", path), ("lines", &lines(total))])
        }
        (MentionKind::File, Some(part)) => {
            let [first, last, total] = [part.first, part.last, part.total].map(grouped);
            let values = [("path", path), ("first", &first), ("last", &last), ("total", &total)];
            say("shown-mention-part", &values)
        }
    }
}

/// Why the last attempt came to nothing, while the next one is waited for.
pub(crate) fn asked_again(reason: &str) -> String {
    say("retry-row", &[("reason", reason)])
}

/// How a turn ended.
pub(crate) fn ended(outcome: TurnOutcome) -> &'static str {
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
