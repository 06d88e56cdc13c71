//! Messages on the screen: panes, the status line, cards, and notifications.

use std::collections::BTreeSet;

use super::{Word, message, word};
use benchdog_base::text::grouped;
use benchdog_domain::awaited::Who;
use benchdog_domain::compaction::Unfit;
use benchdog_domain::image::{MOST_BYTES, NoImage};
use benchdog_domain::skill::{OfferKind, SkillOffer, SkillSource, SkillState};

/// Explains why an edited summary cannot be used.
pub fn unfit(unfit: Unfit) -> String {
    match unfit {
        Unfit::Empty => word(Word::CompactionUnfitEmpty).to_owned(),
        Unfit::TooLong { tokens, most } => {
            let (tokens, most) = (&grouped(tokens), &grouped(most));
            message::compaction_unfit_long(most, tokens)
        }
    }
}

/// Formats the hint next to a dialog's title about the key that closes the dialog. Empty if no key closes it.
pub fn closes(key: &str) -> String {
    key_text(message::screen_closes, key)
}

/// Formats a message that contains a key. Returns an empty text if `key` is empty.
fn key_text(said: fn(&str) -> String, key: &str) -> String {
    if key.is_empty() {
        return String::new();
    }
    said(key)
}

/// Joins alternative keys: `Up or Ctrl+Z`. Empty without a key.
pub fn either(ways: &[String]) -> String {
    let or = |one: String, other: &String| message::screen_or(&one, other);
    match ways {
        [] => String::new(),
        [first, rest @ ..] => rest.iter().fold(first.clone(), or),
    }
}

pub fn here(folder: &str) -> String {
    message::conversation_here(folder, env!("CARGO_PKG_VERSION"))
}

/// Formats the position among the matches of a search, and the keys for the next and previous match.
pub fn find_hits(at: usize, hits: usize, next: &str, previous: &str) -> String {
    let hits = message::find_hits(&at.to_string(), &hits.to_string());
    let keys = [
        key_text(message::find_next, next),
        key_text(message::find_previous, previous),
    ];
    let shown = std::iter::once(hits).chain(keys.into_iter().filter(|key| !key.is_empty()));
    shown.collect::<Vec<_>>().join("  ")
}

/// Formats the number of a subagent's request to the model.
pub fn step(step: u32) -> String {
    message::child_step(&step.to_string())
}

pub fn code_copied(at: usize, of: usize) -> String {
    message::copied_code(&at.to_string(), &of.to_string())
}

pub fn skill_source(source: SkillSource) -> &'static str {
    word(match source {
        SkillSource::Configured => Word::SkillConfigured,
        SkillSource::Project => Word::SkillOfProject,
        SkillSource::Person => Word::SkillOfPerson,
        SkillSource::Server => Word::SkillOfServer,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    ByCommand,
    Free,
}

pub fn broken_skill(kind: OfferKind, name: &str, why: &str) -> String {
    let said = match kind {
        OfferKind::Skill => message::skill_not_invoked,
        OfferKind::Command | OfferKind::Prompt => message::command_not_invoked,
    };
    said(name, why)
}

/// Describes a skill in a list: source, size, and state.
pub fn skill(skill: &SkillOffer, taken: Taken) -> String {
    let source = skill_source(skill.source);
    // The size of an MCP prompt is unknown until its server builds it.
    if skill.kind == OfferKind::Prompt {
        return source.to_owned();
    }
    let state = match &skill.state {
        SkillState::Offered if skill.kind == OfferKind::Command => word(Word::OwnCommand).to_owned(),
        SkillState::Offered if skill.invocable => word(Word::SkillOffered).to_owned(),
        SkillState::Offered => word(Word::SkillForModel).to_owned(),
        SkillState::Untold => word(Word::SkillUntold).to_owned(),
        SkillState::Loaded => word(Word::SkillLoaded).to_owned(),
        SkillState::Shadowed { by } => message::skill_shadowed(by),
        SkillState::Broken { why } => return message::skill_broken(source, why),
    };
    let state = match taken {
        Taken::ByCommand if !matches!(skill.state, SkillState::Shadowed { .. }) => {
            message::skill_command(&skill.name, &state)
        }
        Taken::ByCommand | Taken::Free => state,
    };
    message::skill_detail(source, &state, &skill.tokens.to_string())
}

pub fn some_of(some: usize, all: usize) -> String {
    message::count_of(&all.to_string(), &some.to_string())
}

/// Effect of the second key of a two-key binding. Each effect is described in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    Panes,
    New,
    Next,
    Close,
    All,
}

pub fn stroke(what: Stroke) -> String {
    let id = match what {
        Stroke::Panes => Word::StrokePanes,
        Stroke::New => Word::StrokeNew,
        Stroke::Next => Word::StrokeNext,
        Stroke::Close => Word::StrokeClose,
        Stroke::All => Word::StrokeAll,
    };
    word(id).to_owned()
}

pub fn setup_answers(address: &str, has_models: bool) -> String {
    let said = match has_models {
        true => message::setup_answers,
        false => message::setup_no_models,
    };
    said(address)
}

pub fn setup_keys([up, down, take, close]: [&str; 4]) -> String {
    message::setup_keys(close, down, take, up)
}

/// Announces the next attempt of a request, and the seconds until then.
pub fn attempt(number: u32, seconds: u64) -> String {
    let (number, seconds) = (number.to_string(), seconds.to_string());
    message::status_attempt(&number, &seconds)
}

/// Formats the number of prompt tokens that the server has processed.
pub fn reading(done: u64, of: u64) -> String {
    message::status_reading_of(&done.to_string(), &of.to_string())
}

pub fn waiting_for(who: &Who) -> String {
    match who {
        Who::Server(server) => message::status_waiting_for(&server.0),
        Who::Hook(hook) => message::status_waiting_for_hook(hook),
    }
}

pub fn left(seconds: u64) -> String {
    message::status_left(&seconds.to_string())
}

/// Formats the approximate number of tokens per second.
pub fn speed(rate: u64) -> String {
    message::status_speed(&rate.to_string())
}

pub fn tokens(used: u64, limit: u64) -> String {
    let (used, limit) = (used.to_string(), limit.to_string());
    message::context_tokens(&limit, &used)
}

pub fn window(tokens: u64) -> String {
    message::model_window(&(tokens / 1_024).to_string())
}

/// Formats the name of a server's first model, and the number of other models.
pub fn and_more(first: &str, count: usize) -> String {
    message::start_more(&count.to_string(), first)
}

/// Maximum number of files to name.
const NAMED: usize = 4;

/// Summarises a folder's files by their names, and its skills by their number: `AGENTS.md, 306 skills`.
pub fn brought(files: &[String]) -> String {
    if files.len() <= NAMED {
        return files.join(", ");
    }
    let skill = |file: &str| {
        let (_, inside) = file.split_once("skills/")?;
        let name = inside.split('/').next().unwrap_or(inside);
        Some(name.to_owned())
    };
    let skills: BTreeSet<String> = files.iter().filter_map(|file| skill(file)).collect();
    let others: Vec<&str> = files
        .iter()
        .map(String::as_str)
        .filter(|file| skill(file).is_none())
        .collect();
    let mut parts: Vec<String> = others.iter().take(NAMED).map(|file| (*file).to_owned()).collect();
    if others.len() > NAMED {
        parts.push(message::trust_more(others.len() - NAMED));
    }
    match skills.len() {
        0 => {}
        1 => parts.extend(files.iter().filter(|file| skill(file).is_some()).take(1).cloned()),
        count => parts.push(message::trust_skills(count)),
    }
    parts.join(", ")
}

// --- notifications ---

pub fn no_image(why: &NoImage) -> String {
    match why {
        NoImage::Far => word(Word::NoImageFar).to_owned(),
        NoImage::NoTool => word(Word::NoImageTool).to_owned(),
        NoImage::NoneThere => word(Word::NoImageThere).to_owned(),
        NoImage::TooLarge => message::no_image_large(&(MOST_BYTES >> 20).to_string()),
        NoImage::Silent => word(Word::NoImageSilent).to_owned(),
        NoImage::NotKept(why) => message::no_image_kept(why),
    }
}

/// Reports an unknown command. `meant` is the most similar name.
pub fn no_command(name: &str, meant: Option<&str>) -> String {
    match meant {
        Some(meant) => message::toast_no_command_near(meant, name),
        None => message::toast_no_command(name),
    }
}

/// Reports an unknown theme. `near` is the most similar name.
pub fn no_theme(name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => message::toast_no_theme_near(name, near),
        None => message::toast_no_theme(name),
    }
}

/// Reports too many arguments of a command. `takes` is the only valid argument, or empty if there is none.
pub fn too_much(name: &str, takes: &str) -> String {
    match takes.is_empty() {
        true => message::toast_takes_nothing(name),
        false => message::toast_takes_only(name, takes),
    }
}

pub fn seat_closed(title: &str) -> String {
    let title = if title.is_empty() { word(Word::Untitled) } else { title };
    message::toast_seat_closed(title)
}
