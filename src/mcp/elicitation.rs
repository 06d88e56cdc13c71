//! Routes a server's form to the person whose call it belongs to. An ambiguous form is declined, and each person is notified.

mod form;
mod raw_forms;

use std::sync::{Mutex, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::elicited::{Form, Reply};
use benchdog_domain::server::WhyNoForm;
pub(super) use form::form;
pub(super) use raw_forms::{METHOD, Written};

pub enum Asking {
    Form {
        number: u64,
        /// Calls that the form may belong to. It ends with the last of them.
        of: Vec<CallId>,
        form: Form,
        /// Dropped for no answer.
        reply: oneshot::Sender<Reply>,
    },
    Withdrawn {
        number: u64,
    },
    /// Several calls were running, so the form was declined.
    Unclear,
    Refused(WhyNoForm),
}

#[derive(Clone)]
pub struct Asker {
    pub seat: SeatId,
    pub call: CallId,
    pub asks: mpsc::Sender<Asking>,
}

#[derive(Default)]
pub(super) struct Askers(Mutex<Standing>);

#[derive(Default)]
struct Standing {
    count: u64,
    calls: Vec<Running>,
    open: usize,
    forms: u64,
}

struct Running {
    number: u64,
    request: Option<RequestId>,
    asker: Option<Asker>,
}

pub(super) struct Call<'a>(&'a Askers, u64);

struct Open<'a> {
    askers: &'a Askers,
    number: u64,
    /// Possible recipients. Some of their calls may have ended.
    of: Vec<Asker>,
    is_over: bool,
}

impl Askers {
    fn standing(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, asker: Option<Asker>) -> Call<'_> {
        let mut standing = self.standing();
        standing.count += 1;
        let number = standing.count;
        standing.calls.push(Running {
            number,
            request: None,
            asker,
        });
        Call(self, number)
    }

    pub(super) fn is_asking(&self) -> bool {
        self.standing().open > 0
    }

    /// Notifies the person whose form was declined, or all persons if the call is ambiguous.
    pub(super) fn tell(&self, why: &WhyNoForm, of: Option<&RequestId>) {
        let standing = self.standing();
        match standing.whose(of) {
            Ok(askers) => drop(told(&askers, Asking::Refused(why.clone()))),
            Err(Unclear) => standing.tell_all(|| Asking::Refused(why.clone())),
        }
    }

    pub(super) async fn ask(&self, form: Form, of: Option<&RequestId>) -> Option<Reply> {
        let (reply, answer) = oneshot::channel();
        let mut open = {
            let mut standing = self.standing();
            let Ok(askers) = standing.whose(of) else {
                standing.tell_all(|| Asking::Unclear);
                return None;
            };
            let number = standing.forms + 1;
            let of = askers.iter().map(|asker| asker.call.clone()).collect();
            let asking = Asking::Form {
                number,
                of,
                form,
                reply,
            };
            told(&askers, asking)?;
            (standing.forms, standing.open) = (number, standing.open + 1);
            Open {
                askers: self,
                number,
                of: askers,
                is_over: false,
            }
        };
        let answer = answer.await.unwrap_or(Reply::Cancelled);
        open.is_over = true;
        Some(answer)
    }
}

/// Sends to the first recipient that still listens.
fn told(askers: &[Asker], mut asking: Asking) -> Option<()> {
    for asker in askers {
        match asker.asks.try_send(asking) {
            Ok(()) => return Some(()),
            Err(TrySendError::Full(back) | TrySendError::Closed(back)) => asking = back,
        }
    }
    None
}

struct Unclear;

impl Standing {
    fn whose(&self, of: Option<&RequestId>) -> Result<Vec<Asker>, Unclear> {
        let named = of.and_then(|of| self.calls.iter().find(|call| call.request.as_ref() == Some(of)));
        if let Some(named) = named {
            return Ok(named.asker.clone().into_iter().collect());
        }
        let seat = |call: &Running| call.asker.as_ref().map(|asker| asker.seat);
        let newest = self.calls.last().and_then(seat);
        let is_sure = self.calls.iter().all(|call| seat(call) == newest);
        let askers = self.calls.iter().rev().filter_map(|call| call.asker.clone());
        is_sure.then(|| askers.collect()).ok_or(Unclear)
    }

    fn tell_all(&self, what: impl Fn() -> Asking) {
        let mut told: Vec<SeatId> = Vec::new();
        for asker in self.calls.iter().filter_map(|call| call.asker.as_ref()) {
            if !told.contains(&asker.seat) {
                told.push(asker.seat);
                let _ = asker.asks.try_send(what());
            }
        }
    }
}

impl Call<'_> {
    pub(super) fn is_named(&self, request: &RequestId) {
        let mut standing = self.0.standing();
        let call = standing.calls.iter_mut().find(|call| call.number == self.1);
        if let Some(call) = call {
            call.request = Some(request.clone());
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.standing().calls.retain(|call| call.number != self.1);
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.askers.standing().open -= 1;
        if !self.is_over {
            let _ = told(&self.of, Asking::Withdrawn { number: self.number });
        }
    }
}

#[cfg(test)]
mod tests;
