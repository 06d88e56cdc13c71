//! Sends a server's form to the session whose call caused it. If the session is ambiguous, declines the form and
//! notifies all sessions with running calls.

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
pub(super) use raw_forms::{METHOD, RawForms};

pub enum FormEvent {
    Form {
        number: u64,
        /// Calls that may have caused the form. When all of them have ended, the form is withdrawn.
        of: Vec<CallId>,
        form: Form,
        /// Receives the answer. The channel closes without an answer if the user does not answer.
        reply: oneshot::Sender<Reply>,
    },
    Withdrawn {
        number: u64,
    },
    /// The form was declined, because calls of several sessions were running.
    Unclear,
    Refused(WhyNoForm),
}

#[derive(Clone)]
pub struct FormRecipient {
    pub seat: SeatId,
    pub call: CallId,
    pub events: mpsc::Sender<FormEvent>,
}

#[derive(Default)]
pub(super) struct FormRouter(Mutex<RouterState>);

#[derive(Default)]
struct RouterState {
    count: u64,
    calls: Vec<RunningCall>,
    open: usize,
    forms: u64,
}

struct RunningCall {
    number: u64,
    request: Option<RequestId>,
    recipient: Option<FormRecipient>,
}

pub(super) struct CallGuard<'a>(&'a FormRouter, u64);

struct OpenForm<'a> {
    router: &'a FormRouter,
    number: u64,
    /// Possible recipients of the form. Some of their calls may have ended.
    recipients: Vec<FormRecipient>,
    is_answered: bool,
}

impl FormRouter {
    fn state(&self) -> std::sync::MutexGuard<'_, RouterState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, recipient: Option<FormRecipient>) -> CallGuard<'_> {
        let mut state = self.state();
        state.count += 1;
        let number = state.count;
        state.calls.push(RunningCall {
            number,
            request: None,
            recipient,
        });
        CallGuard(self, number)
    }

    pub(super) fn is_asking(&self) -> bool {
        self.state().open > 0
    }

    /// Notifies the session whose form was declined. If the session is unknown, notifies all sessions with running
    /// calls.
    pub(super) fn refuse(&self, why: &WhyNoForm, of: Option<&RequestId>) {
        let state = self.state();
        match state.recipients(of) {
            Ok(recipients) => drop(send_first(&recipients, FormEvent::Refused(why.clone()))),
            Err(Unclear) => state.notify_all(|| FormEvent::Refused(why.clone())),
        }
    }

    pub(super) async fn ask(&self, form: Form, of: Option<&RequestId>) -> Option<Reply> {
        let (reply, answer) = oneshot::channel();
        let mut open = {
            let mut state = self.state();
            let Ok(recipients) = state.recipients(of) else {
                state.notify_all(|| FormEvent::Unclear);
                return None;
            };
            let number = state.forms + 1;
            let of = recipients.iter().map(|recipient| recipient.call.clone()).collect();
            let event = FormEvent::Form {
                number,
                of,
                form,
                reply,
            };
            send_first(&recipients, event)?;
            (state.forms, state.open) = (number, state.open + 1);
            OpenForm {
                router: self,
                number,
                recipients,
                is_answered: false,
            }
        };
        let answer = answer.await.unwrap_or(Reply::Cancelled);
        open.is_answered = true;
        Some(answer)
    }
}

fn send_first(recipients: &[FormRecipient], mut event: FormEvent) -> Option<()> {
    for recipient in recipients {
        match recipient.events.try_send(event) {
            Ok(()) => return Some(()),
            Err(TrySendError::Full(back) | TrySendError::Closed(back)) => event = back,
        }
    }
    None
}

struct Unclear;

impl RouterState {
    fn recipients(&self, of: Option<&RequestId>) -> Result<Vec<FormRecipient>, Unclear> {
        let named = of.and_then(|of| self.calls.iter().find(|call| call.request.as_ref() == Some(of)));
        if let Some(named) = named {
            return Ok(named.recipient.clone().into_iter().collect());
        }
        let seat = |call: &RunningCall| call.recipient.as_ref().map(|recipient| recipient.seat);
        let newest = self.calls.last().and_then(seat);
        let is_sure = self.calls.iter().all(|call| seat(call) == newest);
        let recipients = self.calls.iter().rev().filter_map(|call| call.recipient.clone());
        is_sure.then(|| recipients.collect()).ok_or(Unclear)
    }

    fn notify_all(&self, what: impl Fn() -> FormEvent) {
        let mut notified: Vec<SeatId> = Vec::new();
        for recipient in self.calls.iter().filter_map(|call| call.recipient.as_ref()) {
            if !notified.contains(&recipient.seat) {
                notified.push(recipient.seat);
                let _ = recipient.events.try_send(what());
            }
        }
    }
}

impl CallGuard<'_> {
    pub(super) fn set_request(&self, request: &RequestId) {
        let mut state = self.0.state();
        let call = state.calls.iter_mut().find(|call| call.number == self.1);
        if let Some(call) = call {
            call.request = Some(request.clone());
        }
    }
}

impl Drop for CallGuard<'_> {
    fn drop(&mut self) {
        self.0.state().calls.retain(|call| call.number != self.1);
    }
}

impl Drop for OpenForm<'_> {
    fn drop(&mut self) {
        self.router.state().open -= 1;
        if !self.is_answered {
            let _ = send_first(&self.recipients, FormEvent::Withdrawn { number: self.number });
        }
    }
}

#[cfg(test)]
mod tests;
