//! The row of the call that runs a subagent. The row shows the progress, and opens the conversation of the subagent.

use std::borrow::Cow;
use std::sync::Arc;

use super::block::{Source, ToolBlock, ToolState};
use super::{Asks, Conversation};
use benchdog_base::clock::{Time, so_far};
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_base::text::{clean, truncate, width as columns};
use benchdog_domain::child::{ChildEnd, ChildEntry, ChildState};
use benchdog_domain::entry::Entry;
use benchdog_domain::history::LetGo;
use benchdog_domain::summary::Summary;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::ChildLive;
use benchdog_transcript::Mark;

const DOING_FROM: usize = 8;

#[derive(Default)]
pub(super) struct Child {
    session: Option<SessionId>,
    live: Option<Arc<ChildLive>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChosenChild {
    pub call: CallId,
    pub session: Option<SessionId>,
    pub works: bool,
    pub title: String,
    /// The seat under which the subagent sends events and requests. `None` if the session was resumed after the call.
    pub seat: Option<SeatId>,
    waits: bool,
}

impl ChosenChild {
    pub(crate) fn asks(&self) -> Option<SeatId> {
        self.seat.filter(|_| self.waits)
    }
}

impl Conversation {
    pub(crate) fn child(&mut self, live: &Arc<ChildLive>) {
        self.change_child(&live.call, |child| {
            if live.session.is_some() {
                child.session.clone_from(&live.session);
            }
            child.live = Some(Arc::clone(live));
        });
    }

    pub(super) fn child_of(&mut self, entry: &ChildEntry) {
        self.change_child(&entry.call, |child| child.session = Some(entry.session.clone()));
    }

    fn change_child(&mut self, call: &CallId, change: impl FnOnce(&mut Child)) {
        if let Some(index) = self.calls.get(call).copied() {
            self.change_tool(index, |tool| change(tool.child.get_or_insert_default()));
        }
    }

    pub(crate) fn chosen_child(&self) -> Option<ChosenChild> {
        let index = self.selected?;
        let (call, _) = self.calls.iter().find(|(_, at)| **at == index)?;
        let Source::Tool(tool) = &self.blocks.get(index)?.source else {
            return None;
        };
        let child = tool.child.as_ref()?;
        Some(ChosenChild {
            call: call.clone(),
            session: child.session.clone(),
            works: matches!(tool.state, ToolState::Running | ToolState::Waiting) && ended(tool, 0).is_none(),
            title: tool.title.clone(),
            seat: child.live.as_ref().map(|live| live.seat),
            waits: child.live.as_ref().is_some_and(|live| live.state == ChildState::Waits),
        })
    }

    pub(crate) fn another(&self) -> Self {
        Self {
            tools: Arc::clone(&self.tools),
            open_key: self.open_key.clone(),
            asks: Asks::Agent,
            zone: self.zone.clone(),
            width: self.width,
            height: self.height,
            stale: true,
            ..Self::default()
        }
    }

    pub(crate) fn goes_on(&mut self, entries: &[Arc<Entry>], gone: LetGo) {
        *self = Self { gone, ..self.another() };
        for entry in entries.iter().filter(|entry| entry.id > gone.upto) {
            self.entry(entry);
        }
        self.tell_of_gone();
    }
}

/// Returns the result of a subagent whose call waits for earlier calls. `room` is the available width.
pub(super) fn ended(tool: &ToolBlock, room: usize) -> Option<(Mark, Cow<'static, str>)> {
    let live = tool.child.as_ref()?.live.as_ref()?;
    let ChildState::Ended(how) = live.state else {
        return None;
    };
    let (mark, summary) = match how {
        ChildEnd::Done => (
            Mark::Ok,
            Summary::Steps {
                steps: live.step.into(),
            },
        ),
        ChildEnd::Stopped => (Mark::Stopped, Summary::Interrupted),
        other => {
            let code = other.word().to_owned();
            (Mark::Failed, Summary::Failed { code })
        }
    };
    let mut said = lang::summary(&summary).into_owned();
    let left = room.saturating_sub(columns(&said) + 3);
    if left >= DOING_FROM && !live.doing.is_empty() {
        said = format!("{said} · {}", truncate(&clean(&live.doing), left));
    }
    Some((mark, said.into()))
}

pub(super) fn mark(tool: &ToolBlock) -> Mark {
    let live = tool.child.as_ref().and_then(|child| child.live.as_ref());
    match live.map(|live| live.state) {
        Some(ChildState::Waits) => Mark::Waiting,
        _ => Mark::Running,
    }
}

/// Returns the progress such as `grep total( · step 3 · 8k · 0:41`. `room` is the available width.
pub(super) fn summary(tool: &ToolBlock, now: Time, room: usize) -> Option<String> {
    let live = tool.child.as_ref()?.live.as_ref()?;
    let state = match live.state {
        ChildState::Queued => return Some(word(Word::ChildQueued).to_owned()),
        ChildState::Waits => Some(word(Word::CallWaits).to_owned()),
        ChildState::Works | ChildState::Ended(_) => None,
    };
    let seconds = Some(so_far(now.since(live.since)));
    let tokens = (live.tokens > 0).then(|| format!("{}k", live.tokens.div_ceil(1_000)));
    let step = (live.step > 0 && state.is_none()).then(|| lang::step(live.step));
    let mut parts: Vec<String> = [state.clone(), step, tokens, seconds].into_iter().flatten().collect();
    let used = columns(&parts.join(" · ")) + 3;
    let left = room.saturating_sub(used);
    if state.is_none() && left >= DOING_FROM && !live.doing.is_empty() {
        parts.insert(0, truncate(&clean(&live.doing), left).into_owned());
    }
    Some(parts.join(" · "))
}
