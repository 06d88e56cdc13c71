//! Pending approval requests. If files change, the request gets a new edition. A decision applies only to the edition
//! that the person saw.

use super::Machine;
use super::turn::{Call, Phase};
use crate::input::ProposedAnew;
use benchdog_base::id::CallId;
use benchdog_domain::call;
use benchdog_domain::permission::{Action, Verdict};
use benchdog_domain::review::Review;
use benchdog_protocol::{ApprovalRequest, Live, OnDisk};

impl Call {
    pub(super) fn request(&mut self, review: &Review, verdict: Verdict, on_disk: OnDisk) -> ApprovalRequest {
        let edition = self.editions;
        self.editions += 1;
        ApprovalRequest {
            call: self.call.id.clone(),
            edition,
            on_disk,
            origin: self.call.origin,
            tool: self.tool.clone(),
            title: self.title.clone(),
            review: review.clone(),
            verdict,
            child: None,
        }
    }
}

impl Machine {
    pub fn asked_about(&self, id: &CallId) -> Option<call::Call> {
        let turn = self.turn.as_ref()?;
        let mut calls = turn.calls.iter().chain(&turn.beside);
        let is_it = |call: &&Call| call.call.id == *id && matches!(call.phase, Phase::Asking { question: false, .. });
        calls.find(is_it).map(|call| call.call.clone())
    }

    /// Handles a proposal that was rebuilt for changed files. The request stays pending, unless a rule denies it.
    pub(super) fn on_proposed_anew(&mut self, proposed: ProposedAnew) {
        let ProposedAnew {
            call: id,
            review,
            verdict: judged,
            understood,
            on_disk,
        } = proposed;
        self.note_understood(&id, understood);
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(&id)) else {
            return;
        };
        let Phase::Asking {
            verdict,
            question: false,
        } = &mut call.phase
        else {
            return;
        };
        *verdict = judged.clone();
        if judged.action == Action::Deny {
            return self.on_judged(&id, judged);
        }
        call.files = review.files_now();
        let request = call.request(&review, judged, on_disk);
        self.live(Live::ApprovalRequested(request.into()));
        self.look_ahead(&id);
    }
}
