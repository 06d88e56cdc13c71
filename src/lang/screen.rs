//! Messages on the screen: panes, the status line, cards, and notifications.

use std::collections::BTreeSet;

use super::{Word, count, say, word};
use benchdog_base::text::grouped;
use benchdog_domain::awaited::Who;
use benchdog_domain::compaction::Unfit;
use benchdog_domain::image::{MOST_BYTES, NoImage};
use benchdog_domain::skill::{OfferKind, SkillOffer, SkillSource, SkillState};

pub fn frees(before: &str, after: &str) -> String {
    say("compaction-frees", &[("before", before), ("after", after)])
}

/// Explains why an edited summary cannot be used.
pub fn unfit(unfit: Unfit) -> String {
    match unfit {
        Unfit::Empty => say("compaction-unfit-empty", &[]),
        Unfit::TooLong { tokens, most } => {
            let (tokens, most) = (&grouped(tokens), &grouped(most));
            say("compaction-unfit-long", &[("tokens", tokens), ("most", most)])
        }
    }
}

/// The keys below a summary that cannot be used.
pub fn mends_summary(change: &str, discard: &str) -> String {
    say("compaction-keys-unfit", &[("change", change), ("discard", discard)])
}

/// The keys below a summary.
pub fn takes_summary(take: &str, change: &str, discard: &str) -> String {
    say(
        "compaction-keys",
        &[("take", take), ("change", change), ("discard", discard)],
    )
}

pub fn reserve(tokens: &str) -> String {
    say("ledger-reserve", &[("tokens", tokens)])
}

/// Shown beside a dialog's title. Empty if no key closes it.
pub fn closes(key: &str) -> String {
    of_key("screen-closes", key)
}

/// Formats a message about a key. Empty without a key.
fn of_key(id: &str, key: &str) -> String {
    if key.is_empty() {
        return String::new();
    }
    say(id, &[("key", key)])
}

/// Formats `Up or Ctrl+Z`. Empty without a key.
pub fn either(ways: &[String]) -> String {
    let or = |one: String, other: &String| say("screen-or", &[("one", &one), ("other", other)]);
    match ways {
        [] => String::new(),
        [first, rest @ ..] => rest.iter().fold(first.clone(), or),
    }
}

pub fn here(folder: &str) -> String {
    let values = [("version", env!("CARGO_PKG_VERSION")), ("folder", folder)];
    say("conversation-here", &values)
}

pub fn try_one(key: &str) -> String {
    say("empty-conversation", &[("key", key)])
}

/// The position in the hits of a search, and its keys.
pub fn find_hits(at: usize, hits: usize, next: &str, previous: &str) -> String {
    let hits = say("find-hits", &[("at", &at.to_string()), ("hits", &hits.to_string())]);
    let keys = [of_key("find-next", next), of_key("find-previous", previous)];
    let shown = std::iter::once(hits).chain(keys.into_iter().filter(|key| !key.is_empty()));
    shown.collect::<Vec<_>>().join("  ")
}

/// At least this many hits, because the search was limited.
pub fn find_at_least(hits: usize) -> String {
    count("find-at-least", hits, &[])
}

/// A notification while the window has no focus.
pub fn ring_waits(what: &str) -> String {
    say("ring-waits", &[("what", what)])
}

/// The number of a subagent's request.
pub fn step(step: u32) -> String {
    say("child-step", &[("step", &step.to_string())])
}

pub fn child_stops(what: &str) -> String {
    say("child-stops", &[("what", what)])
}

/// A notification of an ended turn.
pub fn ring_ended(what: &str) -> String {
    say("ring-ended", &[("what", what)])
}

pub fn code_copied(at: usize, of: usize) -> String {
    say("copied-code", &[("at", &at.to_string()), ("of", &of.to_string())])
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
    let id = match kind {
        OfferKind::Skill => "skill-not-invoked",
        OfferKind::Command | OfferKind::Prompt => "command-not-invoked",
    };
    say(id, &[("name", name), ("why", why)])
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

pub fn some_of(some: usize, all: usize) -> String {
    say("count-of", &[("some", &some.to_string()), ("all", &all.to_string())])
}

pub fn lines(all: usize) -> String {
    count("count-lines", all, &[])
}

pub fn more_lines(more: usize) -> String {
    count("count-more-lines", more, &[])
}

/// `shown` is the formatted number.
pub fn new_lines(new: usize, shown: &str) -> String {
    count("count-new-lines", new, &[("shown", shown)])
}

pub fn unchanged(lines: usize) -> String {
    count("count-unchanged", lines, &[])
}

pub fn characters(all: usize) -> String {
    count("count-characters", all, &[])
}

pub fn earlier_turns(all: usize) -> String {
    count("shown-earlier", all, &[])
}

pub fn words(all: usize) -> String {
    count("count-words", all, &[])
}

pub fn opens(key: &str) -> String {
    say("fold-opens", &[("key", key)])
}

/// A first key, and the possible second ones: `Ctrl+X … 1 2 3`.
pub fn strokes(first: &str, following: &str) -> String {
    say("status-strokes", &[("first", first), ("following", following)])
}

/// The effect of the second key of a binding, in a word.
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
        Stroke::Panes => "stroke-panes",
        Stroke::New => "stroke-new",
        Stroke::Next => "stroke-next",
        Stroke::Close => "stroke-close",
        Stroke::All => "stroke-all",
    };
    say(id, &[])
}

pub fn setup_testing(address: &str) -> String {
    say("setup-testing", &[("address", address)])
}

pub fn setup_answers(address: &str, has_models: bool) -> String {
    let id = if has_models { "setup-answers" } else { "setup-no-models" };
    say(id, &[("address", address)])
}

pub fn setup_keys([up, down, take, close]: [&str; 4]) -> String {
    say(
        "setup-keys",
        &[("up", up), ("down", down), ("take", take), ("close", close)],
    )
}

/// The next attempt of a request, and the seconds until then.
pub fn attempt(number: u32, seconds: u64) -> String {
    let (number, seconds) = (number.to_string(), seconds.to_string());
    say("status-attempt", &[("number", &number), ("seconds", &seconds)])
}

/// The prompt tokens that the server has read.
pub fn reading(done: u64, of: u64) -> String {
    say(
        "status-reading-of",
        &[("done", &done.to_string()), ("of", &of.to_string())],
    )
}

pub fn waiting_for(who: &Who) -> String {
    match who {
        Who::Server(server) => say("status-waiting-for", &[("server", &server.0)]),
        Who::Hook(hook) => say("status-waiting-for-hook", &[("hook", hook)]),
    }
}

pub fn waited_at_most(so_far: &str, most: &str) -> String {
    say("status-at-most", &[("far", so_far), ("most", most)])
}

pub fn left(seconds: u64) -> String {
    say("status-left", &[("seconds", &seconds.to_string())])
}

/// Approximate tokens per second.
pub fn speed(rate: u64) -> String {
    say("status-speed", &[("rate", &rate.to_string())])
}

/// The cached tokens of the last prompt.
pub fn kept(tokens: &str) -> String {
    say("context-kept", &[("tokens", tokens)])
}

pub fn tokens(used: u64, limit: u64) -> String {
    let (used, limit) = (used.to_string(), limit.to_string());
    say("context-tokens", &[("used", &used), ("limit", &limit)])
}

pub fn window(tokens: u64) -> String {
    say("model-window", &[("thousands", &(tokens / 1_024).to_string())])
}

/// The first model of a server, and the number of others.
pub fn and_more(first: &str, count: usize) -> String {
    say("start-more", &[("first", first), ("count", &count.to_string())])
}

/// The maximum number of files listed.
const NAMED: usize = 4;

/// Summarises the files of a folder: names of files, number of skills. `AGENTS.md, 306 skills`.
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

pub fn service_offered(place: &str, command: &str) -> String {
    say("service-offered", &[("place", place), ("command", command)])
}

pub fn brings(files: &str) -> String {
    say("trust-brings", &[("files", files)])
}

// --- notifications ---

pub fn copied(what: &str, to: &str) -> String {
    say("toast-copied", &[("what", what), ("to", to)])
}

pub fn not_copied(what: &str, why: &str) -> String {
    say("toast-not-copied", &[("what", what), ("why", why)])
}

/// `image` is the key that pastes an image from the system clipboard.
pub fn nothing_to_paste(image: &str) -> String {
    say("toast-nothing-to-paste", &[("key", image)])
}

pub fn no_image(why: &NoImage) -> String {
    match why {
        NoImage::Far => say("no-image-far", &[]),
        NoImage::NoTool => say("no-image-tool", &[]),
        NoImage::NoneThere => say("no-image-there", &[]),
        NoImage::TooLarge => say("no-image-large", &[("most", &(MOST_BYTES >> 20).to_string())]),
        NoImage::Silent => say("no-image-silent", &[]),
        NoImage::NotKept(why) => say("no-image-kept", &[("why", why)]),
    }
}

pub fn editor_failed(why: &str) -> String {
    say("toast-editor", &[("why", why)])
}

pub fn once_more(key: &str) -> String {
    say("toast-once-more", &[("key", key)])
}

/// `meant` is the most similar name.
pub fn no_command(name: &str, meant: Option<&str>) -> String {
    match meant {
        Some(meant) => say("toast-no-command-near", &[("name", name), ("meant", meant)]),
        None => say("toast-no-command", &[("name", name)]),
    }
}

pub fn git_takes_no_shell(sign: &str) -> String {
    say("toast-git-shell", &[("sign", sign)])
}

pub fn git_line_unfinished(sign: &str) -> String {
    say("toast-git-unfinished", &[("sign", sign)])
}

pub fn git_option_refused(option: &str) -> String {
    say("toast-git-option", &[("option", option)])
}

/// The setting would have no effect, because the value at `place` overrides it.
pub fn setting_held(place: &str) -> String {
    say("setting-held", &[("place", place)])
}

pub fn setting_not_written(path: &str, error: &str) -> String {
    say("setting-not-written", &[("path", path), ("error", error)])
}

pub fn setting_unknown(name: &str) -> String {
    say("setting-unknown", &[("name", name)])
}

pub fn setting_at_start(from: &str) -> String {
    say("setting-at-start", &[("from", from)])
}

pub fn setting_wants(wants: &str) -> String {
    say("setting-wants", &[("wants", wants)])
}

/// `near` is the most similar name.
pub fn no_theme(name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => say("toast-no-theme-near", &[("name", name), ("near", near)]),
        None => say("toast-no-theme", &[("name", name)]),
    }
}

pub fn theme(name: &str) -> String {
    say("toast-theme", &[("name", name)])
}

/// A theme that is not saved in the configuration.
pub fn theme_for_now(name: &str) -> String {
    say("theme-for-now", &[("name", name)])
}

/// `takes` is the only valid argument. Empty if there is none.
pub fn too_much(name: &str, takes: &str) -> String {
    let key = if takes.is_empty() {
        "toast-takes-nothing"
    } else {
        "toast-takes-only"
    };
    say(key, &[("name", name), ("takes", takes)])
}

/// A two-key binding without an action.
pub fn not_bound(key: &str) -> String {
    say("toast-not-bound", &[("key", key)])
}

/// No hunk of the change is accepted. `deny` is the key for a rejection.
pub fn no_hunk_kept(deny: &str) -> String {
    say("toast-no-hunk", &[("key", deny)])
}

/// The selected rule cannot be revoked here.
pub fn rule_stands(origin: &str) -> String {
    say("toast-rule-stands", &[("origin", origin)])
}

/// An "always" answer was revoked.
pub fn rule_taken_back(rule: &str) -> String {
    say("toast-rule-revoked", &[("rule", rule)])
}

pub fn seat_closed(title: &str) -> String {
    let title = if title.is_empty() { word(Word::Untitled) } else { title };
    say("toast-seat-closed", &[("title", title)])
}
