//! One number for how full the window is: the server's own count after a reply, an estimate marked as such before it.

use std::sync::Arc;

use super::tokens::{Calibration, estimate};
use crate::domain::budget::{Ledger, LedgerItem, LedgerKind, Usage};
use crate::domain::message::{Arguments, ChatMessage, ToolDeclaration};
use crate::domain::tool::{Success, ToolFacts};

/// Tokens a message costs beside its text: role, separators.
const PER_MESSAGE: u64 = 4;

/// Prompts below this size fit every window: a low count of one only shows that the estimate was off.
const WORTH_A_CUT: u64 = 3_000;
/// In percent of the estimate: a count below this share means that the server read only a part of the prompt. Before the
/// first count (`GUESSED`) the estimate itself may be off by a third.
const LEAST_OF_GUESSED: u64 = 55;
const LEAST_OF_KNOWN: u64 = 70;

/// Uncalibrated estimates, by kind, grown with the messages.
#[derive(Debug, Default)]
pub(crate) struct Estimator {
    counted_messages: usize,
    /// The last message may still have grown when it was first counted.
    last_message: u64,
    last_kind: Option<LedgerKind>,
    system: u64,
    rules: u64,
    tools: u64,
    files: u64,
    history: u64,
    calibration: Calibration,
    known_tools: Arc<[ToolFacts]>,
    /// The server's count, as long as nothing was added since.
    counted: Option<Usage>,
    /// The last true count of a prompt, and the uncalibrated estimate of that prompt.
    known: Option<(u64, u64)>,
}

impl Estimator {
    pub(crate) fn new(rules: &str, tools: &[ToolDeclaration], known_tools: Arc<[ToolFacts]>) -> Self {
        let declared = tools.iter().map(|tool| {
            estimate(&tool.name) + estimate(&tool.description) + estimate(&tool.parameters.to_string()) + PER_MESSAGE
        });
        Self {
            rules: estimate(rules),
            tools: declared.sum(),
            known_tools,
            ..Self::default()
        }
    }

    /// The estimate for a request with exactly these messages.
    pub(crate) fn before(&mut self, messages: &[ChatMessage], limit: u64) -> Ledger {
        self.count(messages);
        self.counted = None;
        self.ledger(limit, None)
    }

    /// The tokens of a request with these messages and one more of the user, counted as `before` would count it.
    pub(crate) fn with(&mut self, messages: &[ChatMessage], text: &str) -> u64 {
        self.count(messages);
        let raw = self.raw() + estimate(text) + PER_MESSAGE;
        match self.known {
            Some((prompt, known)) => prompt + self.calibration.apply(raw.saturating_sub(known)),
            None => self.calibration.apply(raw),
        }
    }

    /// The tokens that were sent, where the server counted so many fewer that it must have cut the prompt.
    pub(crate) fn cut(&self, usage: Usage) -> Option<u64> {
        let sent = self.ledger(0, None).used;
        let share = if self.known.is_some() {
            LEAST_OF_KNOWN
        } else {
            LEAST_OF_GUESSED
        };
        (sent >= WORTH_A_CUT && usage.prompt > 0 && usage.prompt * 100 < sent * share).then_some(sent)
    }

    /// Takes the server's count: it is shown as exact, and corrects later estimates.
    pub(crate) fn after(&mut self, usage: Usage, limit: u64) -> Ledger {
        self.calibration = Calibration::from_count(self.raw(), usage.prompt);
        self.known = self
            .calibration
            .is_trusted(self.raw(), usage.prompt)
            .then(|| (usage.prompt, self.raw()));
        self.counted = Some(usage);
        self.ledger(limit, self.counted)
    }

    /// The same number against another window, or the estimate for what has been added since.
    pub(crate) fn now(&mut self, messages: &[ChatMessage], limit: u64) -> Ledger {
        match self.counted {
            Some(usage) => self.ledger(limit, Some(usage)),
            None => self.before(messages, limit),
        }
    }

    fn count(&mut self, messages: &[ChatMessage]) {
        if self.counted_messages > 0 {
            // Remarks of the user are folded into the newest result before it is sent.
            let last = messages.get(self.counted_messages - 1).map_or(0, cost);
            let grown = last.saturating_sub(self.last_message);
            self.add(self.last_kind.unwrap_or(LedgerKind::History), grown);
            self.last_message = last;
        }
        for message in messages.iter().skip(self.counted_messages) {
            let tokens = cost(message);
            let kind = self.kind(message);
            self.add(kind, tokens);
            self.last_kind = Some(kind);
            self.last_message = tokens;
        }
        self.counted_messages = messages.len();
    }

    fn kind(&self, message: &ChatMessage) -> LedgerKind {
        match message {
            ChatMessage::System(_) => LedgerKind::System,
            ChatMessage::Tool { name, .. } => match ToolFacts::success_of(&self.known_tools, name) {
                Success::FileRead => LedgerKind::Files,
                Success::Informed | Success::ListKept | Success::Acted => LedgerKind::History,
            },
            ChatMessage::User(_) | ChatMessage::Assistant { .. } => LedgerKind::History,
        }
    }

    fn add(&mut self, kind: LedgerKind, tokens: u64) {
        match kind {
            // The rules stand inside the system message and have a row of their own.
            LedgerKind::System => self.system += tokens.saturating_sub(self.rules),
            LedgerKind::Rules => self.rules += tokens,
            LedgerKind::Tools => self.tools += tokens,
            LedgerKind::Files => self.files += tokens,
            LedgerKind::History => self.history += tokens,
        }
    }

    fn raw(&self) -> u64 {
        self.system + self.rules + self.tools + self.files + self.history
    }

    fn ledger(&self, limit: u64, counted: Option<Usage>) -> Ledger {
        let rows = [
            (LedgerKind::System, self.system),
            (LedgerKind::Rules, self.rules),
            (LedgerKind::Tools, self.tools),
            (LedgerKind::Files, self.files),
        ];
        let mut items: Vec<LedgerItem> = rows
            .into_iter()
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
        let listed: u64 = items.iter().map(|item| item.tokens).sum();
        // History takes what rounding leaves, so that the rows add up to the one number.
        items.push(LedgerItem {
            kind: LedgerKind::History,
            tokens: used.saturating_sub(listed),
        });
        Ledger {
            used,
            limit,
            estimated: counted.is_none(),
            items,
        }
    }
}

fn cost(message: &ChatMessage) -> u64 {
    PER_MESSAGE
        + match message {
            ChatMessage::System(text) => estimate(text),
            ChatMessage::User(text) | ChatMessage::Tool { text, .. } => estimate(text),
            ChatMessage::Assistant { text, calls } => {
                let calls = calls.iter().map(|call| {
                    let arguments = match &call.arguments {
                        Arguments::Object(map) => serde_json::to_string(map).map_or(0, |text| estimate(&text)),
                        Arguments::Raw(text) => estimate(text),
                    };
                    estimate(&call.name) + arguments + PER_MESSAGE
                });
                estimate(text) + calls.sum::<u64>()
            }
        }
}

#[cfg(test)]
mod tests;
