//! One number for how full the window is: the server's own count after a reply, an estimate marked as such before it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::assembly::{Along, Assembly};
use super::rules::ToldRules;
use super::tokens::{Calibration, estimate};
use crate::base::id::EntryId;
use crate::domain::budget::{CarriedAs, ContextItem, Ledger, LedgerItem, LedgerKind, Usage, Window};
use crate::domain::history::Part;
use crate::domain::image;
use crate::domain::message::{Arguments, ChatMessage, ToolDeclaration};
use crate::domain::tool::{Success, ToolFacts};

/// Tokens a message costs beside its text: role, separators.
const PER_MESSAGE: u64 = 4;

/// Prompts below this size fit every window: a low count of one only shows that the estimate was off.
const WORTH_A_CUT: u64 = 3_000;
/// Windows and halves of them are multiples of this: a lower count of exactly so many is no chance.
const WINDOW_STEP: u64 = 512;
/// What a count at such a bound may be of the estimate, in percent.
const MOST_AT_A_BOUND: u64 = 95;
/// In percent of the estimate: a count below this share means that the server read only a part of the prompt. Before the
/// first count (`GUESSED`) the estimate itself may be off by a third.
const LEAST_OF_GUESSED: u64 = 55;
const LEAST_OF_KNOWN: u64 = 70;

/// How an entry is carried, as far as it tells its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Whole,
    Cut(u32),
    Lean(u32),
    Words,
    Dropped,
}

impl Form {
    /// `None`: what stands in the place of earlier turns holds other entries, which may be cut later.
    fn of(part: &Part) -> Option<Self> {
        match part {
            Part::Whole(_) => Some(Self::Whole),
            Part::Cut(_, keep) => Some(Self::Cut(*keep)),
            Part::Lean(_, keep) => Some(Self::Lean(*keep)),
            Part::Words(_) => Some(Self::Words),
            Part::Dropped(_) => Some(Self::Dropped),
            Part::Replaced(_) => None,
        }
    }
}

/// Uncalibrated estimates, by kind, grown with the messages.
#[derive(Debug, Default)]
pub(crate) struct Estimator {
    /// The files of the rules and what each costs.
    rule_files: Arc<[(String, u64)]>,
    tool_names: Arc<str>,
    /// What the system prompt is called; empty for ours.
    prompt_name: Arc<str>,
    counted_messages: usize,
    /// The last message may still have grown when it was first counted.
    last_message: u64,
    last_kind: Option<LedgerKind>,
    /// Of the other rows, what images were taken for.
    images: u64,
    /// What of the messages is counted by itself, as far as it was counted.
    along: Vec<Along>,
    moved: usize,
    system: u64,
    rules: u64,
    /// What the index of skills costs; `skills` is this and what was loaded.
    index: u64,
    skills: u64,
    tools: u64,
    files: u64,
    mentions: u64,
    /// The images among what went along with prompts, and their names.
    named_images: u64,
    results: u64,
    summary: u64,
    conversation: u64,
    /// Where the messages were begun that were counted.
    point: EntryId,
    calibration: Calibration,
    known_tools: Arc<[ToolFacts]>,
    /// The server's count, as long as nothing was added since.
    counted: Option<Usage>,
    /// The measure before a server refused a request that seemed to fit; a later count is judged by it.
    before_refusal: Option<Calibration>,
    /// Uncalibrated, by entry and form.
    counted_parts: Arc<Mutex<HashMap<(EntryId, Form), u64>>>,
    /// The last true count of a prompt, and the uncalibrated estimate of that prompt.
    known: Option<(u64, u64)>,
}

impl Estimator {
    pub(crate) fn new(rules: &ToldRules, tools: &[ToolDeclaration], known_tools: Arc<[ToolFacts]>) -> Self {
        let files = rules.files.iter().map(|(path, text)| (path.clone(), estimate(text)));
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let declared = tools.iter().map(|tool| {
            estimate(&tool.name) + estimate(&tool.description) + estimate(&tool.parameters.to_string()) + PER_MESSAGE
        });
        Self {
            rules: estimate(&rules.text),
            rule_files: files.collect(),
            tool_names: names.join(", ").into(),
            tools: declared.sum(),
            known_tools,
            ..Self::default()
        }
    }

    /// The index of skills, as it stands in the system prompt.
    pub(crate) fn with_skills(mut self, index: &str) -> Self {
        self.index = estimate(index);
        self.skills = self.index;
        self
    }

    /// The system prompt is one of the person's or the project's, by this name.
    pub(crate) fn with_prompt(mut self, name: &str) -> Self {
        self.prompt_name = name.into();
        self
    }

    /// The estimate for a request with exactly these messages.
    pub(crate) fn before(&mut self, messages: &[ChatMessage], window: Window) -> Ledger {
        self.count(messages);
        self.counted = None;
        self.ledger(window, None)
    }

    /// Learns what of the messages is counted by itself. Where they were begun anew, what was counted of them is gone, and what
    /// the counts taught stays.
    pub(crate) fn follow(&mut self, assembly: &Assembly) {
        if self.point != assembly.point() {
            self.begin_anew(assembly.point());
        }
        let news = assembly.along().get(self.along.len()..);
        self.along.extend(news.unwrap_or_default());
    }

    fn begin_anew(&mut self, point: EntryId) {
        *self = Self {
            point,
            rules: self.rules,
            index: self.index,
            skills: self.index,
            rule_files: Arc::clone(&self.rule_files),
            tool_names: Arc::clone(&self.tool_names),
            prompt_name: Arc::clone(&self.prompt_name),
            tools: self.tools,
            calibration: self.calibration,
            before_refusal: self.before_refusal,
            counted_parts: Arc::clone(&self.counted_parts),
            known_tools: Arc::clone(&self.known_tools),
            ..Self::default()
        };
    }

    /// The tokens of a request with these messages, whatever was counted before.
    pub(crate) fn weigh(&self, messages: &[ChatMessage]) -> u64 {
        let raw: u64 = messages.iter().map(cost).sum();
        self.calibration.apply(self.tools + raw)
    }

    /// What every request has, as far as it was counted: system prompt, rules, tools.
    pub(crate) fn fixed(&self) -> u64 {
        self.calibration
            .apply(self.system + self.rules + self.index + self.tools)
    }

    /// What a part adds to a request. Entries never change, so each form of one is counted once.
    pub(crate) fn of_part(&self, part: &Part) -> u64 {
        let count = || Assembly::alone(part).iter().map(cost).sum();
        let raw = match Form::of(part) {
            Some(form) => {
                let mut counted = self.counted_parts.lock().unwrap_or_else(PoisonError::into_inner);
                *counted.entry((part.entry().id, form)).or_insert_with(count)
            }
            None => count(),
        };
        self.calibration.apply(raw)
    }

    /// So many tokens of the bare estimate, corrected by the server's counts.
    pub(crate) fn calibrated(&self, tokens: u64) -> u64 {
        self.calibration.apply(tokens)
    }

    /// What a text costs within a request.
    pub(crate) fn of_text(&self, text: &str) -> u64 {
        self.calibration.apply(estimate(text) + PER_MESSAGE)
    }

    /// What every request begins with: the system prompt, each file of the rules, the tools.
    pub(crate) fn standing(&self) -> Vec<ContextItem> {
        let item = |kind, label: &str, tokens| ContextItem {
            kind,
            label: label.to_owned(),
            tokens: self.calibration.apply(tokens),
            entry: None,
            carried: CarriedAs::Whole,
            pinned: false,
        };
        let files = self.rule_files.iter();
        let rules = files.map(|(path, tokens)| item(LedgerKind::Rules, path, *tokens));
        let mut standing = vec![item(LedgerKind::System, &self.prompt_name, self.system)];
        standing.extend(rules);
        standing.extend((self.index > 0).then(|| item(LedgerKind::Skills, "", self.index)));
        standing.push(item(LedgerKind::Tools, &self.tool_names, self.tools));
        standing
    }

    /// About how many bytes so many tokens are, for what has to be cut to fit.
    pub(crate) fn bytes(&self, tokens: u64) -> u64 {
        // The densest text a model is given, Chinese, has three bytes in a token; a cut that is too deep loses little.
        tokens.saturating_mul(3) * 100 / self.calibration.apply(100).max(1)
    }

    /// The tokens that were sent, where the server counted so many fewer that it must have cut the prompt: far fewer, or fewer and
    /// exactly as many as a window holds.
    pub(crate) fn cut(&self, usage: Usage) -> Option<u64> {
        let sent = match self.before_refusal {
            Some(measure) => measure.apply(self.raw()),
            None => self.ledger(Window::default(), None).used,
        };
        // What an image costs differs by a factor of ten between models.
        let sent = sent.saturating_sub(self.calibration.apply(self.images));
        let share = if self.known.is_some() {
            LEAST_OF_KNOWN
        } else {
            LEAST_OF_GUESSED
        };
        let below = |share: u64| usage.prompt > 0 && usage.prompt * 100 < sent * share;
        let far = sent >= WORTH_A_CUT && below(share);
        let at_a_bound = usage.prompt.is_multiple_of(WINDOW_STEP) && below(MOST_AT_A_BOUND);
        (far || at_a_bound).then_some(sent)
    }

    /// The server's tokenizer counted a request of these messages.
    pub(crate) fn tokenized(&mut self, messages: &[ChatMessage], counted: u64) {
        let raw = self.tools + messages.iter().map(cost).sum::<u64>();
        self.calibration = Calibration::from_count(raw, counted);
        if self.calibration.is_trusted(raw, counted) {
            self.known = Some((counted, raw));
        }
    }

    /// Whether a server has counted any request of this session.
    pub(crate) fn is_measured(&self) -> bool {
        self.known.is_some() || self.calibration != Calibration::default()
    }

    /// A server refused these messages: they are taken to fill the room, until it counts. What every request has is never taken to
    /// fill more than half of it, so that the session goes on.
    pub(crate) fn refused(&mut self, window: Window) {
        let (raw, fixed) = (self.raw(), self.system + self.rules + self.index + self.tools);
        let most = (window.room() / 2).saturating_mul(raw) / fixed.max(1);
        let tokens = window.room().min(most).max(self.calibration.apply(raw));
        self.before_refusal.get_or_insert(self.calibration);
        self.calibration = Calibration::from_count(raw, tokens);
        (self.known, self.counted) = (None, None);
    }

    /// Takes the server's count: it is shown as exact, and corrects later estimates.
    pub(crate) fn after(&mut self, usage: Usage, window: Window) -> Ledger {
        self.calibration = Calibration::from_count(self.raw(), usage.prompt);
        self.before_refusal = None;
        self.known = self
            .calibration
            .is_trusted(self.raw(), usage.prompt)
            .then(|| (usage.prompt, self.raw()));
        self.counted = Some(usage);
        self.ledger(window, self.counted)
    }

    /// The same number against another window, or the estimate for what has been added since.
    pub(crate) fn now(&mut self, messages: &[ChatMessage], window: Window) -> Ledger {
        match self.counted {
            Some(usage) => self.ledger(window, Some(usage)),
            None => self.before(messages, window),
        }
    }

    fn count(&mut self, messages: &[ChatMessage]) {
        if self.counted_messages > 0 {
            // Remarks of the user are folded into the newest result before it is sent.
            let last = messages.get(self.counted_messages - 1).map_or(0, cost);
            let grown = last.saturating_sub(self.last_message);
            self.add(self.last_kind.unwrap_or(LedgerKind::Conversation), grown);
            self.last_message = last;
        }
        for (place, message) in messages.iter().enumerate().skip(self.counted_messages) {
            let tokens = cost(message);
            let kind = self.kind(place, message);
            self.add(kind, tokens);
            if let ChatMessage::Pictured { images, .. } = message {
                self.images += image::TOKENS * images.len() as u64;
            }
            self.last_kind = Some(kind);
            self.last_message = tokens;
        }
        self.counted_messages = messages.len();
        self.count_along(messages);
    }

    /// What went along with prompts is taken out of the messages it stands in.
    fn count_along(&mut self, messages: &[ChatMessage]) {
        while let Some(along) = self.along.get(self.moved).copied() {
            let Some(message) = messages.get(along.place) else {
                return;
            };
            let kind = self.kind(along.place, message);
            let within = self.row(kind);
            *within = within.saturating_sub(along.tokens);
            self.add(along.kind, along.tokens);
            self.moved += 1;
        }
    }

    fn kind(&self, place: usize, message: &ChatMessage) -> LedgerKind {
        match message {
            // What was summarised stands behind the system prompt.
            ChatMessage::User(text) if place == 1 && Assembly::is_beginning(text) => LedgerKind::Summary,
            ChatMessage::System(_) => LedgerKind::System,
            ChatMessage::Tool { name, .. } => match ToolFacts::success_of(&self.known_tools, name) {
                Success::FileRead => LedgerKind::Files,
                Success::Instructed => LedgerKind::Skills,
                Success::Informed | Success::ListKept | Success::Answered | Success::Acted => LedgerKind::Results,
            },
            ChatMessage::User(_) | ChatMessage::Pictured { .. } | ChatMessage::Assistant { .. } => {
                LedgerKind::Conversation
            }
        }
    }

    fn add(&mut self, kind: LedgerKind, tokens: u64) {
        // Rules and the index of skills stand inside the system message and have rows of their own.
        let tokens = match kind {
            LedgerKind::System => tokens.saturating_sub(self.rules + self.index),
            _ => tokens,
        };
        *self.row(kind) += tokens;
    }

    fn row(&mut self, kind: LedgerKind) -> &mut u64 {
        match kind {
            LedgerKind::System => &mut self.system,
            LedgerKind::Rules => &mut self.rules,
            LedgerKind::Skills => &mut self.skills,
            LedgerKind::Tools => &mut self.tools,
            LedgerKind::Files => &mut self.files,
            LedgerKind::Mentions => &mut self.mentions,
            LedgerKind::Images => &mut self.named_images,
            LedgerKind::Results => &mut self.results,
            LedgerKind::Summary => &mut self.summary,
            LedgerKind::Conversation => &mut self.conversation,
        }
    }

    fn raw(&self) -> u64 {
        let standing = self.system + self.rules + self.skills + self.tools;
        let named = self.mentions + self.named_images;
        standing + self.files + named + self.results + self.summary + self.conversation
    }

    fn ledger(&self, window: Window, counted: Option<Usage>) -> Ledger {
        let rows = [
            (LedgerKind::System, self.system),
            (LedgerKind::Rules, self.rules),
            (LedgerKind::Skills, self.skills),
            (LedgerKind::Tools, self.tools),
            (LedgerKind::Files, self.files),
            (LedgerKind::Mentions, self.mentions),
            (LedgerKind::Images, self.named_images),
            (LedgerKind::Results, self.results),
            (LedgerKind::Summary, self.summary),
        ];
        let always = |kind: LedgerKind| {
            use LedgerKind::{Images, Mentions, Results, Skills, Summary};
            !matches!(kind, Skills | Mentions | Images | Results | Summary)
        };
        let mut items: Vec<LedgerItem> = rows
            .into_iter()
            .filter(|(kind, tokens)| *tokens > 0 || always(*kind))
            .map(|(kind, tokens)| LedgerItem {
                kind,
                tokens: self.calibration.apply(tokens),
            })
            .collect();
        let used = match counted {
            Some(usage) => usage.prompt + usage.completion,
            // What was counted stays as it was counted; only what came since is guessed.
            None => match self.known {
                Some((prompt, raw)) => prompt + self.calibration.apply(self.raw().saturating_sub(raw)),
                None => self.calibration.apply(self.raw()),
            },
        };
        let mut listed: u64 = items.iter().map(|item| item.tokens).sum();
        if listed > used {
            // The server counted less than was guessed: every row takes its share of that.
            for item in &mut items {
                item.tokens = item.tokens * used / listed.max(1);
            }
            listed = items.iter().map(|item| item.tokens).sum();
        }
        // The conversation takes what rounding leaves, so that the rows add up to the one number.
        items.push(LedgerItem {
            kind: LedgerKind::Conversation,
            tokens: used.saturating_sub(listed),
        });
        Ledger {
            used,
            limit: window.tokens,
            reserve: window.reserve,
            estimated: counted.is_none(),
            cached: counted.and_then(|usage| usage.cached),
            items,
        }
    }
}

fn cost(message: &ChatMessage) -> u64 {
    PER_MESSAGE
        + match message {
            ChatMessage::System(text) => estimate(text),
            ChatMessage::User(text) | ChatMessage::Tool { text, .. } => estimate(text),
            ChatMessage::Pictured { text, images } => estimate(text) + image::TOKENS * images.len() as u64,
            ChatMessage::Assistant { text, calls, thoughts } => {
                // Reasoning goes back with answers that have calls, unless somebody turned that off.
                let thought = thoughts.open().filter(|_| !calls.is_empty());
                let thought = thought.map_or(0, |thought| estimate(thought.text));
                let calls = calls.iter().map(|call| {
                    let arguments = match &call.arguments {
                        Arguments::Object(map) => serde_json::to_string(map).map_or(0, |text| estimate(&text)),
                        // It goes out repaired, or as `{}`.
                        Arguments::Raw(text) => estimate(text),
                    };
                    estimate(&call.name) + arguments + PER_MESSAGE
                });
                estimate(text) + thought + calls.sum::<u64>()
            }
        }
}

#[cfg(test)]
mod tests;
