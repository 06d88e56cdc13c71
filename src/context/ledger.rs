//! Tracks the fill level of the context window: the server's count after a reply, and an estimate at other times.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::assembly::{Along, Assembly};
use super::rules::ToldRules;
use super::tokens::{Calibration, estimate};
use benchdog_base::id::EntryId;
use benchdog_domain::budget::{CarriedAs, ContextItem, Ledger, LedgerItem, LedgerKind, Usage, Window};
use benchdog_domain::history::Part;
use benchdog_domain::image;
use benchdog_domain::message::{Arguments, ChatMessage, ToolDeclaration};
use benchdog_domain::tool::{Success, ToolFacts};

/// Tokens of each message for its role and separators.
const PER_MESSAGE: u64 = 4;

/// Minimum tokens of a prompt that is checked for truncation by the server. Smaller prompts fit every window, so a low
/// count only shows that the estimate is wrong.
const WORTH_A_CUT: u64 = 3_000;
/// Window sizes and their halves are multiples of this number. A server that counts exactly such a size has probably
/// truncated the prompt.
const WINDOW_STEP: u64 = 512;
/// If the count equals a window size or half of one, a count below this percentage of the estimate means truncation.
const MOST_AT_A_BOUND: u64 = 95;
/// If the server's count is below this percentage of the estimate, the server truncated the prompt. `LEAST_OF_GUESSED`
/// applies before the first count, because the estimate may be wrong by a third.
const LEAST_OF_GUESSED: u64 = 55;
const LEAST_OF_KNOWN: u64 = 70;

/// Form in which requests contain an entry. The number of tokens depends on the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Whole,
    Cut(u32),
    Lean(u32),
    Words,
    Dropped,
}

impl Form {
    /// Returns the form of a part. `None` for a summary, because its cost changes with the preserved entries.
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

/// Estimates the tokens of a request by category, and calibrates them with the server's counts.
#[derive(Debug, Default)]
pub struct Estimator {
    rule_files: Arc<[(String, u64)]>,
    tool_names: Arc<str>,
    /// Name of a custom system prompt. Empty for the built-in one.
    prompt_name: Arc<str>,
    counted_messages: usize,
    /// Tokens of the last message when it was counted. The message may have grown since.
    last_message: u64,
    last_kind: Option<LedgerKind>,
    images: u64,
    along: Vec<Along>,
    moved: usize,
    system: u64,
    rules: u64,
    /// Tokens of the index of skills. `skills` is the sum of the index and of loaded skills.
    index: u64,
    skills: u64,
    tools: u64,
    /// Tokens of the tool declarations. `tools` is this number, or zero if requests omit the declarations.
    declared_tools: u64,
    files: u64,
    mentions: u64,
    named_images: u64,
    results: u64,
    summary: u64,
    conversation: u64,
    point: EntryId,
    calibration: Calibration,
    known_tools: Arc<[ToolFacts]>,
    /// The server's count. `None` after messages were added.
    counted: Option<Usage>,
    /// Calibration from the time before a server rejected a request. A later count is compared with the estimate that
    /// this calibration gives.
    before_refusal: Option<Calibration>,
    counted_parts: Arc<Mutex<HashMap<(EntryId, Form), u64>>>,
    /// Last exact count of a prompt, and its estimate before calibration.
    known: Option<(u64, u64)>,
}

impl Estimator {
    pub fn new(rules: &ToldRules, tools: &[ToolDeclaration], known_tools: Arc<[ToolFacts]>) -> Self {
        let files = rules.files.iter().map(|(path, text)| (path.clone(), estimate(text)));
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let declared = tools.iter().map(|tool| {
            estimate(&tool.name) + estimate(&tool.description) + estimate(&tool.parameters.to_string()) + PER_MESSAGE
        });
        let tools = declared.sum();
        Self {
            rules: estimate(&rules.text),
            rule_files: files.collect(),
            tool_names: names.join(", ").into(),
            tools,
            declared_tools: tools,
            known_tools,
            ..Self::default()
        }
    }

    pub fn count_tools(&mut self, are_sent: bool) {
        self.tools = if are_sent { self.declared_tools } else { 0 };
    }

    pub fn with_skills(mut self, index: &str) -> Self {
        self.index = estimate(index);
        self.skills = self.index;
        self
    }

    pub fn with_prompt(mut self, name: &str) -> Self {
        self.prompt_name = name.into();
        self
    }

    pub fn before(&mut self, messages: &[ChatMessage], window: Window) -> Ledger {
        self.count(messages);
        self.counted = None;
        self.ledger(window, None)
    }

    /// Updates the estimate from the messages. If they were rebuilt, discards the counts but not the calibration.
    pub fn follow(&mut self, assembly: &Assembly) {
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
            declared_tools: self.declared_tools,
            calibration: self.calibration,
            before_refusal: self.before_refusal,
            counted_parts: Arc::clone(&self.counted_parts),
            known_tools: Arc::clone(&self.known_tools),
            ..Self::default()
        };
    }

    pub(crate) fn weigh(&self, messages: &[ChatMessage]) -> u64 {
        let raw: u64 = messages.iter().map(cost).sum();
        self.calibration.apply(self.tools + raw)
    }

    pub fn fixed(&self) -> u64 {
        self.calibration
            .apply(self.system + self.rules + self.index + self.tools)
    }

    /// Returns the tokens of a part. The result for each form of an entry is cached, because entries are immutable.
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

    pub fn calibrated(&self, tokens: u64) -> u64 {
        self.calibration.apply(tokens)
    }

    pub(crate) fn of_text(&self, text: &str) -> u64 {
        self.calibration.apply(estimate(text) + PER_MESSAGE)
    }

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

    pub(crate) fn bytes(&self, tokens: u64) -> u64 {
        // Assume the densest kind of text: Chinese, with three bytes per token. Truncating too much does little harm.
        tokens.saturating_mul(3) * 100 / self.calibration.apply(100).max(1)
    }

    /// Returns the estimated tokens of the request if the server truncated the request. Signs of truncation are a count
    /// that is far too low, and a low count that equals a window size.
    pub fn cut(&self, usage: Usage) -> Option<u64> {
        let sent = match self.before_refusal {
            Some(measure) => measure.apply(self.raw()),
            None => self.ledger(Window::default(), None).used,
        };
        // Ignore images, because their tokens differ between models by a factor of ten.
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

    pub fn tokenized(&mut self, messages: &[ChatMessage], counted: u64) {
        let raw = self.tools + messages.iter().map(cost).sum::<u64>();
        self.calibration = Calibration::from_count(raw, counted);
        if self.calibration.is_trusted(raw, counted) {
            self.known = Some((counted, raw));
        }
    }

    pub fn is_measured(&self) -> bool {
        self.known.is_some() || self.calibration != Calibration::default()
    }

    /// Calibrates the estimate as if a rejected request filled the window. The fixed part of requests may fill at most
    /// half of the window, so that the session can continue.
    pub fn refused(&mut self, window: Window) {
        let (raw, fixed) = (self.raw(), self.system + self.rules + self.index + self.tools);
        let most = (window.room() / 2).saturating_mul(raw) / fixed.max(1);
        let tokens = window.room().min(most).max(self.calibration.apply(raw));
        self.before_refusal.get_or_insert(self.calibration);
        self.calibration = Calibration::from_count(raw, tokens);
        (self.known, self.counted) = (None, None);
    }

    /// Applies the server's exact count, and calibrates later estimates with it.
    pub fn after(&mut self, usage: Usage, window: Window) -> Ledger {
        self.calibration = Calibration::from_count(self.raw(), usage.prompt);
        self.before_refusal = None;
        self.known = self
            .calibration
            .is_trusted(self.raw(), usage.prompt)
            .then(|| (usage.prompt, self.raw()));
        self.counted = Some(usage);
        self.ledger(window, self.counted)
    }

    pub fn now(&mut self, messages: &[ChatMessage], window: Window) -> Ledger {
        match self.counted {
            Some(usage) => self.ledger(window, Some(usage)),
            None => self.before(messages, window),
        }
    }

    fn count(&mut self, messages: &[ChatMessage]) {
        if self.counted_messages > 0 {
            // The newest result may have grown, because notes of the user are merged into the result before sending.
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
            // A summary directly follows the system prompt.
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
        // Rules and skills are part of the system message, but have their own rows.
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
            None => match self.known {
                Some((prompt, raw)) => prompt + self.calibration.apply(self.raw().saturating_sub(raw)),
                None => self.calibration.apply(self.raw()),
            },
        };
        let mut listed: u64 = items.iter().map(|item| item.tokens).sum();
        if listed > used {
            // The server's count is lower than the estimate, so scale all rows.
            for item in &mut items {
                item.tokens = item.tokens * used / listed.max(1);
            }
            listed = items.iter().map(|item| item.tokens).sum();
        }
        // Add the rounding difference to the conversation to make the sum of the rows equal the total.
        items.push(LedgerItem {
            kind: LedgerKind::Conversation,
            tokens: used.saturating_sub(listed),
        });
        Ledger {
            used,
            limit: window.tokens,
            limit_is_guess: window.is_guess,
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
                // By default, reasoning is sent back only with answers that contain calls.
                let thought = thoughts.open().filter(|_| !calls.is_empty());
                let thought = thought.map_or(0, |thought| estimate(thought.text));
                let calls = calls.iter().map(|call| {
                    let arguments = match &call.arguments {
                        Arguments::Object(map) => serde_json::to_string(map).map_or(0, |text| estimate(&text)),
                        // Invalid arguments are repaired before sending, or sent as `{}`.
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
