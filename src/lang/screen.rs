//! Words with values on the screen: panes, the bottom row, cards, and what is said for a moment.

use std::collections::BTreeSet;

use super::{Word, count, say, word};
use crate::base::text::grouped;
use crate::domain::awaited::Who;
use crate::domain::compaction::Unfit;
use crate::domain::image::{MOST_BYTES, NoImage};
use crate::domain::skill::{OfferKind, SkillOffer, SkillSource, SkillState};

/// What a summary would free.
pub(crate) fn frees(before: &str, after: &str) -> String {
    say("compaction-frees", &[("before", before), ("after", after)])
}

/// Why a summary in the person's words cannot be taken.
pub(crate) fn unfit(unfit: Unfit) -> String {
    match unfit {
        Unfit::Empty => say("compaction-unfit-empty", &[]),
        Unfit::TooLong { tokens, most } => {
            let (tokens, most) = (&grouped(tokens), &grouped(most));
            say("compaction-unfit-long", &[("tokens", tokens), ("most", most)])
        }
    }
}

/// What can be done with a summary that cannot be taken.
pub(crate) fn mends_summary(change: &str, discard: &str) -> String {
    say("compaction-keys-unfit", &[("change", change), ("discard", discard)])
}

/// What can be done with a summary that is shown.
pub(crate) fn takes_summary(take: &str, change: &str, discard: &str) -> String {
    say(
        "compaction-keys",
        &[("take", take), ("change", change), ("discard", discard)],
    )
}

/// What is left free for the answer.
pub(crate) fn reserve(tokens: &str) -> String {
    say("ledger-reserve", &[("tokens", tokens)])
}

/// Beside a dialog's title; nothing where no key closes it.
pub(crate) fn closes(key: &str) -> String {
    of_key("screen-closes", key)
}

/// A message about a key; nothing where there is none.
fn of_key(id: &str, key: &str) -> String {
    if key.is_empty() {
        return String::new();
    }
    say(id, &[("key", key)])
}

/// `Up or Ctrl+Z`; nothing where there is none.
pub(crate) fn either(ways: &[String]) -> String {
    let or = |one: String, other: &String| say("screen-or", &[("one", &one), ("other", other)]);
    match ways {
        [] => String::new(),
        [first, rest @ ..] => rest.iter().fold(first.clone(), or),
    }
}

/// Which program this is, and the folder it works in.
pub(crate) fn here(folder: &str) -> String {
    let values = [("version", env!("CARGO_PKG_VERSION")), ("folder", folder)];
    say("conversation-here", &values)
}

/// The line above the example prompts.
pub(crate) fn try_one(key: &str) -> String {
    say("empty-conversation", &[("key", key)])
}

/// Where the find line is, and the keys it has.
pub(crate) fn find_hits(at: usize, hits: usize, next: &str, previous: &str) -> String {
    let hits = say("find-hits", &[("at", &at.to_string()), ("hits", &hits.to_string())]);
    let keys = [of_key("find-next", next), of_key("find-previous", previous)];
    let shown = std::iter::once(hits).chain(keys.into_iter().filter(|key| !key.is_empty()));
    shown.collect::<Vec<_>>().join("  ")
}

/// At least so many lines hold it: not all was looked through.
pub(crate) fn find_at_least(hits: usize) -> String {
    count("find-at-least", hits, &[])
}

/// Called out where nobody looks.
pub(crate) fn ring_waits(what: &str) -> String {
    say("ring-waits", &[("what", what)])
}

/// The request a child is at.
pub(crate) fn step(step: u32) -> String {
    say("child-step", &[("step", &step.to_string())])
}

pub(crate) fn child_stops(what: &str) -> String {
    say("child-stops", &[("what", what)])
}

/// The same when a turn has ended.
pub(crate) fn ring_ended(what: &str) -> String {
    say("ring-ended", &[("what", what)])
}

/// Which block of code was copied.
pub(crate) fn code_copied(at: usize, of: usize) -> String {
    say("copied-code", &[("at", &at.to_string()), ("of", &of.to_string())])
}

/// Where a skill comes from.
pub(crate) fn skill_source(source: SkillSource) -> &'static str {
    word(match source {
        SkillSource::Configured => Word::SkillConfigured,
        SkillSource::Project => Word::SkillOfProject,
        SkillSource::Person => Word::SkillOfPerson,
        SkillSource::Server => Word::SkillOfServer,
    })
}

/// Whether `/name` is something else than the skill of that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    ByCommand,
    Free,
}

pub(crate) fn broken_skill(kind: OfferKind, name: &str, why: &str) -> String {
    let id = match kind {
        OfferKind::Skill => "skill-not-invoked",
        OfferKind::Command | OfferKind::Prompt => "command-not-invoked",
    };
    say(id, &[("name", name), ("why", why)])
}

/// Beside a skill in its list: where it comes from, what it costs, how it stands.
pub(crate) fn skill(skill: &SkillOffer, taken: Taken) -> String {
    let source = skill_source(skill.source);
    // What it will be is known when its server has made it.
    if skill.kind == OfferKind::Prompt {
        return source.to_owned();
    }
    let state = match &skill.state {
        SkillState::Offered if skill.kind == OfferKind::Command => word(Word::OwnCommand).to_owned(),
        SkillState::Offered if skill.invocable => word(Word::SkillOffered).to_owned(),
        SkillState::Offered => word(Word::SkillForModel).to_owned(),
        SkillState::Untold => word(Word::SkillUntold).to_owned(),
        SkillState::Loaded => word(Word::SkillLoaded).to_owned(),
        SkillState::Shadowed { by } => say("skill-shadowed", &[("by", by)]),
        SkillState::Broken { why } => return say("skill-broken", &[("source", source), ("why", why)]),
    };
    let state = match taken {
        Taken::ByCommand if !matches!(skill.state, SkillState::Shadowed { .. }) => {
            say("skill-command", &[("name", &skill.name), ("state", &state)])
        }
        Taken::ByCommand | Taken::Free => state,
    };
    let values = [
        ("source", source),
        ("tokens", &*skill.tokens.to_string()),
        ("state", &*state),
    ];
    say("skill-detail", &values)
}

pub(crate) fn some_of(some: usize, all: usize) -> String {
    say("count-of", &[("some", &some.to_string()), ("all", &all.to_string())])
}

pub(crate) fn lines(all: usize) -> String {
    count("count-lines", all, &[])
}

pub(crate) fn more_lines(more: usize) -> String {
    count("count-more-lines", more, &[])
}

/// `shown`: the number as it fits.
pub(crate) fn new_lines(new: usize, shown: &str) -> String {
    count("count-new-lines", new, &[("shown", shown)])
}

pub(crate) fn unchanged(lines: usize) -> String {
    count("count-unchanged", lines, &[])
}

pub(crate) fn characters(all: usize) -> String {
    count("count-characters", all, &[])
}

/// What stands above a compaction.
pub(crate) fn earlier_turns(all: usize) -> String {
    count("shown-earlier", all, &[])
}

pub(crate) fn words(all: usize) -> String {
    count("count-words", all, &[])
}

/// Beside what is folded.
pub(crate) fn opens(key: &str) -> String {
    say("fold-opens", &[("key", key)])
}

/// A first stroke, and the second ones that may follow it: `Ctrl+X … 1 2 3`.
pub(crate) fn strokes(first: &str, following: &str) -> String {
    say("status-strokes", &[("first", first), ("following", following)])
}

/// What the second of two strokes does, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    Panes,
    New,
    Next,
    Close,
    All,
}

pub(crate) fn stroke(what: Stroke) -> String {
    let id = match what {
        Stroke::Panes => "stroke-panes",
        Stroke::New => "stroke-new",
        Stroke::Next => "stroke-next",
        Stroke::Close => "stroke-close",
        Stroke::All => "stroke-all",
    };
    say(id, &[])
}

/// A server that is being asked for its models.
pub(crate) fn setup_testing(address: &str) -> String {
    say("setup-testing", &[("address", address)])
}

/// A server that lists models, or none.
pub(crate) fn setup_answers(address: &str, has_models: bool) -> String {
    let id = if has_models { "setup-answers" } else { "setup-no-models" };
    say(id, &[("address", address)])
}

/// The keys of the form for a server.
pub(crate) fn setup_keys([up, down, take, close]: [&str; 4]) -> String {
    say(
        "setup-keys",
        &[("up", up), ("down", down), ("take", take), ("close", close)],
    )
}

/// The next attempt of a request, and how long until then.
pub(crate) fn attempt(number: u32, seconds: u64) -> String {
    let (number, seconds) = (number.to_string(), seconds.to_string());
    say("status-attempt", &[("number", &number), ("seconds", &seconds)])
}

/// How far the server has read a prompt, in tokens.
pub(crate) fn reading(done: u64, of: u64) -> String {
    say(
        "status-reading-of",
        &[("done", &done.to_string()), ("of", &of.to_string())],
    )
}

/// A server or a hook is waited for.
pub(crate) fn waiting_for(who: &Who) -> String {
    match who {
        Who::Server(server) => say("status-waiting-for", &[("server", &server.0)]),
        Who::Hook(hook) => say("status-waiting-for-hook", &[("hook", hook)]),
    }
}

pub(crate) fn waited_at_most(so_far: &str, most: &str) -> String {
    say("status-at-most", &[("far", so_far), ("most", most)])
}

pub(crate) fn left(seconds: u64) -> String {
    say("status-left", &[("seconds", &seconds.to_string())])
}

/// Tokens a second, about.
pub(crate) fn speed(rate: u64) -> String {
    say("status-speed", &[("rate", &rate.to_string())])
}

/// What of the last prompt the server had kept.
pub(crate) fn kept(tokens: &str) -> String {
    say("context-kept", &[("tokens", tokens)])
}

pub(crate) fn tokens(used: u64, limit: u64) -> String {
    let (used, limit) = (used.to_string(), limit.to_string());
    say("context-tokens", &[("used", &used), ("limit", &limit)])
}

/// How much a model's window holds.
pub(crate) fn window(tokens: u64) -> String {
    say("model-window", &[("thousands", &(tokens / 1_024).to_string())])
}

/// Models of a server: the first, and how many there are besides.
pub(crate) fn and_more(first: &str, count: usize) -> String {
    say("start-more", &[("first", first), ("count", &count.to_string())])
}

/// Files named at most.
const NAMED: usize = 4;

/// What a folder brings along, in a few words: files by name, skills by number. `AGENTS.md, 306 skills`.
pub(crate) fn brought(files: &[String]) -> String {
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
        parts.push(and_more_files(others.len() - NAMED));
    }
    match skills.len() {
        0 => {}
        1 => parts.extend(files.iter().filter(|file| skill(file).is_some()).take(1).cloned()),
        count => parts.push(self::count("trust-skills", count, &[])),
    }
    parts.join(", ")
}

fn and_more_files(more: usize) -> String {
    count("trust-more", more, &[])
}

pub(crate) fn service_offered(place: &str, command: &str) -> String {
    say("service-offered", &[("place", place), ("command", command)])
}

pub(crate) fn brings(files: &str) -> String {
    say("trust-brings", &[("files", files)])
}

// --- said for a moment ---

pub(crate) fn copied(what: &str, to: &str) -> String {
    say("toast-copied", &[("what", what), ("to", to)])
}

pub(crate) fn not_copied(what: &str, why: &str) -> String {
    say("toast-not-copied", &[("what", what), ("why", why)])
}

/// `image`: what takes an image from the clipboard of the system.
pub(crate) fn nothing_to_paste(image: &str) -> String {
    say("toast-nothing-to-paste", &[("key", image)])
}

pub(crate) fn no_image(why: &NoImage) -> String {
    match why {
        NoImage::Far => say("no-image-far", &[]),
        NoImage::NoTool => say("no-image-tool", &[]),
        NoImage::NoneThere => say("no-image-there", &[]),
        NoImage::TooLarge => say("no-image-large", &[("most", &(MOST_BYTES >> 20).to_string())]),
        NoImage::Silent => say("no-image-silent", &[]),
        NoImage::NotKept(why) => say("no-image-kept", &[("why", why)]),
    }
}

pub(crate) fn editor_failed(why: &str) -> String {
    say("toast-editor", &[("why", why)])
}

pub(crate) fn once_more(key: &str) -> String {
    say("toast-once-more", &[("key", key)])
}

/// `meant`: the name that was probably meant.
pub(crate) fn no_command(name: &str, meant: Option<&str>) -> String {
    match meant {
        Some(meant) => say("toast-no-command-near", &[("name", name), ("meant", meant)]),
        None => say("toast-no-command", &[("name", name)]),
    }
}

pub(crate) fn git_takes_no_shell(sign: &str) -> String {
    say("toast-git-shell", &[("sign", sign)])
}

pub(crate) fn git_line_unfinished(sign: &str) -> String {
    say("toast-git-unfinished", &[("sign", sign)])
}

pub(crate) fn git_option_refused(option: &str) -> String {
    say("toast-git-option", &[("option", option)])
}

/// Why a setting of the person's own file would not count: what wins over it stands at `place`.
pub(crate) fn setting_held(place: &str) -> String {
    say("setting-held", &[("place", place)])
}

pub(crate) fn setting_not_written(path: &str, error: &str) -> String {
    say("setting-not-written", &[("path", path), ("error", error)])
}

pub(crate) fn setting_unknown(name: &str) -> String {
    say("setting-unknown", &[("name", name)])
}

pub(crate) fn setting_at_start(from: &str) -> String {
    say("setting-at-start", &[("from", from)])
}

pub(crate) fn setting_wants(wants: &str) -> String {
    say("setting-wants", &[("wants", wants)])
}

/// `near`: the name that was probably meant.
pub(crate) fn no_theme(name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => say("toast-no-theme-near", &[("name", name), ("near", near)]),
        None => say("toast-no-theme", &[("name", name)]),
    }
}

pub(crate) fn theme(name: &str) -> String {
    say("toast-theme", &[("name", name)])
}

/// A theme that the configuration does not name was taken.
pub(crate) fn theme_for_now(name: &str) -> String {
    say("theme-for-now", &[("name", name)])
}

/// `takes`: the one word that may stand behind the command; empty: none.
pub(crate) fn too_much(name: &str, takes: &str) -> String {
    let key = if takes.is_empty() {
        "toast-takes-nothing"
    } else {
        "toast-takes-only"
    };
    say(key, &[("name", name), ("takes", takes)])
}

/// Two strokes that mean nothing here.
pub(crate) fn not_bound(key: &str) -> String {
    say("toast-not-bound", &[("key", key)])
}

/// Nothing would be left of a change that is allowed; `deny` is the key for that.
pub(crate) fn no_hunk_kept(deny: &str) -> String {
    say("toast-no-hunk", &[("key", deny)])
}

/// A rule that was chosen and cannot be taken back here.
pub(crate) fn rule_stands(origin: &str) -> String {
    say("toast-rule-stands", &[("origin", origin)])
}

/// What was answered with "always" holds no more.
pub(crate) fn rule_taken_back(rule: &str) -> String {
    say("toast-rule-revoked", &[("rule", rule)])
}

/// That a session of this window was closed.
pub(crate) fn seat_closed(title: &str) -> String {
    let title = if title.is_empty() { word(Word::Untitled) } else { title };
    say("toast-seat-closed", &[("title", title)])
}
