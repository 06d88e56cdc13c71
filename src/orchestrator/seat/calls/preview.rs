//! Previews of the calls that follow a pending request. The calls are prepared and checked, the result is sent, and the
//! preparation is discarded. Each request starts new previews.

use std::sync::Arc;

use crate::engine::Engine;
use crate::machine::about;
use crate::seat::Seat;
use crate::seat::calls::approver::Approver;
use crate::seat::calls::understood;
use crate::seat::calls::watched_files::against;
use benchdog_base::id::CallId;
use benchdog_domain::call::{Call, Origin, Wanted};
use benchdog_domain::entry::Body;
use benchdog_domain::permission::{Action, DecidedBy};
use benchdog_domain::review::Review;
use benchdog_protocol::{Ahead, AheadRow, ApprovalRequest, Live, OnDisk};
use benchdog_tools::{Prepared, Refusal, Stop};

/// Maximum number of previewed calls. Further calls are only listed by name.
const MOST_AHEAD: usize = 64;

pub(crate) struct LookedAhead {
    of: CallId,
    looked: Vec<(AheadRow, Option<Result<Prepared, Refusal>>)>,
}

impl Seat {
    pub(in crate::seat) fn look_ahead(&self, engine: &Engine, of: CallId, calls: Vec<Call>) {
        // The parent shows the requests of a subagent, so previews are not possible.
        if engine.setup.approver != Approver::Person || self.above.is_some() {
            return;
        }
        let (stopper, stop) = Stop::pair();
        let cx = self.tool_context(engine, stop, Origin::Model);
        let (line, tools) = (engine.line(self.id), self.tools.clone());
        let calls: Vec<_> = calls
            .into_iter()
            .map(|call| {
                let before = self.calls.previewed(&call.id);
                (call, before)
            })
            .collect();
        tokio::spawn(async move {
            let looked = tokio::task::spawn_blocking(move || {
                let looked = calls.into_iter().enumerate().map(|(place, (call, before))| {
                    let row = row(&call);
                    let look = || understood(&tools, call, &against(cx.clone(), &before)).1;
                    (row, (place < MOST_AHEAD).then(look))
                });
                looked.collect()
            });
            let Ok(looked) = looked.await else { return };
            line.looked_ahead(LookedAhead { of, looked }).await;
            drop(stopper);
        });
    }

    pub(crate) async fn on_looked_ahead(&mut self, engine: &Engine, ahead: LookedAhead) {
        let LookedAhead { of, looked } = ahead;
        if self.calls.request(&of).is_none() {
            return;
        }
        let (mut rows, mut asks, mut is_unsure) = (Vec::new(), Vec::new(), false);
        for (mut row, looked) in looked {
            // The call may have started in the meantime.
            if !self.machine.is_unbegun(&row.call) {
                continue;
            }
            match looked {
                Some(Ok(prepared)) => {
                    let verdict = self.verdict(engine, &prepared).await;
                    if !prepared.review.is_against_newer() {
                        let files = prepared.review.files_now();
                        if !files.is_empty() {
                            self.calls.slot(&row.call).previewed = files;
                        }
                    }
                    row.tool = prepared.tool.to_string();
                    row.title.clone_from(&prepared.title);
                    let question = matches!(*prepared.review, Review::Question(_));
                    if verdict.action == Action::Ask || (question && verdict.action == Action::Allow) {
                        asks.push(Arc::new(ApprovalRequest {
                            call: prepared.call.clone(),
                            edition: 0,
                            on_disk: OnDisk::default(),
                            origin: Origin::Model,
                            tool: row.tool.clone(),
                            title: row.title.clone(),
                            review: (*prepared.review).clone(),
                            verdict,
                            child: None,
                        }));
                    }
                }
                // The call is invalid now, but may become valid when earlier calls have run.
                Some(Err(_)) | None => is_unsure = true,
            }
            rows.push(row);
        }
        let decided = self.decided_before(&of);
        let ahead = Ahead {
            of,
            decided,
            rows,
            asks,
            is_unsure,
        };
        self.tell_live(engine, Live::Ahead(ahead.into())).await;
    }

    fn decided_before(&self, of: &CallId) -> usize {
        let mut decided = Vec::new();
        for entry in self.log.history().entries().iter().rev() {
            match &entry.body {
                Body::Approval {
                    call,
                    by: DecidedBy::User,
                    ..
                } => decided.push(call),
                Body::Assistant { calls, .. } if calls.iter().any(|call| call.id == *of) => {
                    let of_reply = |id: &&CallId| calls.iter().any(|call| call.id == **id);
                    return decided.into_iter().filter(of_reply).count();
                }
                _ => {}
            }
        }
        0
    }
}

fn row(call: &Call) -> AheadRow {
    let (tool, title) = match &call.wanted {
        Wanted::Tool { name, arguments } => (name.clone(), about(arguments)),
        Wanted::Command(line) => (String::new(), line.clone()),
        Wanted::Patch { .. } | Wanted::Undo { .. } | Wanted::Review { .. } | Wanted::Question(_) => {
            (String::new(), String::new())
        }
    };
    let call = call.id.clone();
    AheadRow { call, tool, title }
}
