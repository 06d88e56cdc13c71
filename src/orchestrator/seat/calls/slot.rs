//! The unfinished calls of a session. All state of a call is in its slot.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::seat::calls::Running;
use crate::seat::calls::watched_files::WatchedFiles;
use benchdog_base::id::CallId;
use benchdog_domain::review::FileNow;
use benchdog_protocol::{ApprovalRequest, ChildLive, Live};
use benchdog_tools::Prepared;

#[derive(Default)]
pub(in crate::seat) struct CallSlot {
    pub(in crate::seat) prepared: Option<Prepared>,
    pub(in crate::seat) running: Option<Running>,
    started: Option<Started>,
    pub(in crate::seat) pending: Option<Pending>,
    child: Option<(u64, Arc<ChildLive>)>,
    /// The files that the preview of the call read. Empty if there was no preview.
    pub(in crate::seat) previewed: Vec<FileNow>,
}

struct Started {
    order: u64,
    tool: String,
    title: String,
}

pub(in crate::seat) struct Pending {
    order: u64,
    pub(in crate::seat) request: Arc<ApprovalRequest>,
    pub(in crate::seat) files: Option<WatchedFiles>,
}

impl CallSlot {
    fn is_empty(&self) -> bool {
        let Self {
            prepared,
            running,
            started,
            pending,
            child,
            previewed,
        } = self;
        let has_work = prepared.is_some() || running.is_some() || !previewed.is_empty();
        !has_work && started.is_none() && pending.is_none() && child.is_none()
    }

    fn end(&mut self) {
        self.started = None;
        self.child = None;
        self.previewed.clear();
    }
}

#[derive(Default)]
pub(in crate::seat) struct CallSlots {
    slots: BTreeMap<CallId, CallSlot>,
    /// Number of events so far, used to order the events in the snapshot.
    events: u64,
}

impl CallSlots {
    pub(in crate::seat) fn get(&self, call: &CallId) -> Option<&CallSlot> {
        self.slots.get(call)
    }

    pub(in crate::seat) fn get_mut(&mut self, call: &CallId) -> Option<&mut CallSlot> {
        self.slots.get_mut(call)
    }

    pub(in crate::seat) fn slot(&mut self, call: &CallId) -> &mut CallSlot {
        self.slots.entry(call.clone()).or_default()
    }

    /// Changes the slot of a call, and removes the slot if it is empty afterwards.
    fn change<T>(&mut self, call: &CallId, change: impl FnOnce(&mut CallSlot) -> T) -> Option<T> {
        let slot = self.slots.get_mut(call)?;
        let changed = change(slot);
        if slot.is_empty() {
            self.slots.remove(call);
        }
        Some(changed)
    }

    pub(in crate::seat) fn take<T>(
        &mut self,
        call: &CallId,
        part: impl FnOnce(&mut CallSlot) -> Option<T>,
    ) -> Option<T> {
        self.change(call, part)?
    }

    pub(in crate::seat) fn prepared(&self, call: &CallId) -> Option<&Prepared> {
        self.get(call)?.prepared.as_ref()
    }

    pub(in crate::seat) fn all_prepared(&self) -> Vec<CallId> {
        let prepared = self.slots.iter().filter(|(_, slot)| slot.prepared.is_some());
        prepared.map(|(call, _)| call.clone()).collect()
    }

    pub(in crate::seat) fn take_all_running(&mut self) -> Vec<Running> {
        self.slots.values_mut().filter_map(|slot| slot.running.take()).collect()
    }

    pub(in crate::seat) fn request(&self, call: &CallId) -> Option<&Arc<ApprovalRequest>> {
        Some(&self.get(call)?.pending.as_ref()?.request)
    }

    pub(in crate::seat) fn files(&self, call: &CallId) -> Option<&WatchedFiles> {
        self.get(call)?.pending.as_ref()?.files.as_ref()
    }

    pub(in crate::seat) fn files_mut(&mut self, call: &CallId) -> Option<&mut WatchedFiles> {
        self.get_mut(call)?.pending.as_mut()?.files.as_mut()
    }

    pub(in crate::seat) fn previewed(&self, call: &CallId) -> Vec<FileNow> {
        self.get(call).map_or_else(Vec::new, |slot| slot.previewed.clone())
    }

    // --- events ---

    pub(in crate::seat) fn start(&mut self, call: &CallId, tool: &str, title: &str) {
        let order = self.next();
        self.slot(call).started = Some(Started {
            order,
            tool: tool.to_owned(),
            title: title.to_owned(),
        });
    }

    /// Sets the approval request of a call. A new edition keeps the position and the watched files of the old edition.
    pub(in crate::seat) fn ask(&mut self, request: &Arc<ApprovalRequest>) {
        let order = self.next();
        let request = Arc::clone(request);
        match &mut self.slot(&request.call).pending {
            Some(pending) => pending.request = request,
            none => {
                *none = Some(Pending {
                    order,
                    request,
                    files: None,
                });
            }
        }
    }

    pub(in crate::seat) fn end_request(&mut self, call: &CallId) {
        self.take(call, |slot| slot.pending.take());
    }

    /// Sets the state of a subagent. Ignores a state that arrives after the call has ended.
    pub(in crate::seat) fn set_child(&mut self, child: &Arc<ChildLive>) {
        let order = self.next();
        self.change(&child.call, |slot| {
            slot.child = slot.started.is_some().then(|| (order, Arc::clone(child)));
        });
    }

    pub(in crate::seat) fn end_shell(&mut self, call: &CallId) {
        self.take(call, |slot| slot.started.take());
    }

    pub(in crate::seat) fn end(&mut self, call: &CallId) {
        self.change(call, CallSlot::end);
    }

    pub(in crate::seat) fn end_turn(&mut self) {
        self.slots.retain(|_, slot| {
            slot.end();
            slot.pending = None;
            !slot.is_empty()
        });
    }

    /// Returns the live state of calls: started calls, subagents, then requests, each in order of arrival.
    pub(in crate::seat) fn lives(&self) -> Vec<Live> {
        let (mut started, mut children, mut requests) = (Vec::new(), Vec::new(), Vec::new());
        for (call, slot) in &self.slots {
            if let Some(Started { order, tool, title }) = &slot.started {
                let (call, tool, title) = (call.clone(), tool.clone(), title.clone());
                started.push((*order, Live::ToolStarted { call, tool, title }));
            }
            if let Some((order, child)) = &slot.child {
                children.push((*order, Live::Child(Arc::clone(child))));
            }
            if let Some(Pending { order, request, .. }) = &slot.pending {
                requests.push((*order, Live::ApprovalRequested(Arc::clone(request))));
            }
        }
        for lives in [&mut started, &mut children, &mut requests] {
            lives.sort_by_key(|(order, _)| *order);
        }
        let all = started.into_iter().chain(children).chain(requests);
        all.map(|(_, live)| live).collect()
    }

    fn next(&mut self) -> u64 {
        self.events += 1;
        self.events
    }
}

#[cfg(test)]
mod tests;
