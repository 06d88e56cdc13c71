//! Routes a server's form to the person whose call it belongs to. An ambiguous form is declined, and each person is notified.

mod form;
mod written;

use std::sync::{Mutex, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::elicited::{Form, Reply};
use benchdog_domain::server::WhyNoForm;
pub(super) use form::form;
pub(super) use written::{METHOD, Written};

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
mod tests {
    use super::*;
    use benchdog_domain::server::ServerName;

    fn asker(seat: u32) -> (Option<Asker>, mpsc::Receiver<Asking>) {
        let (asks, asked) = mpsc::channel(4);
        let (seat, call) = (SeatId(seat), CallId(format!("call-{seat}")));
        (Some(Asker { seat, call, asks }), asked)
    }

    fn form() -> Form {
        Form {
            server: ServerName("dogs".to_owned()),
            message: "Which dog?".to_owned(),
            fields: Vec::new(),
        }
    }

    fn is_asked(asked: &mut mpsc::Receiver<Asking>) -> bool {
        let form = matches!(asked.try_recv(), Ok(Asking::Form { .. }));
        // The caller in these tests does not wait.
        form && matches!(asked.try_recv(), Ok(Asking::Withdrawn { .. }))
    }

    /// Limits the wait, because nobody answers in these tests.
    async fn soon(asked: impl Future<Output = Option<Reply>>) -> Option<Reply> {
        let wait = std::time::Duration::from_secs(5);
        tokio::time::timeout(wait, asked).await.expect("it reached somebody")
    }

    /// Asks and drops the answer. Only the recipient matters.
    async fn asks(askers: &Askers, of: Option<i64>) {
        let of = of.map(RequestId::Number);
        let wait = std::time::Duration::from_millis(5);
        let _ = tokio::time::timeout(wait, askers.ask(form(), of.as_ref())).await;
    }

    #[tokio::test]
    async fn a_form_goes_to_the_session_whose_call_it_is_and_to_no_other() {
        let askers = Askers::default();
        let ((one, mut first), (two, mut second)) = (asker(1), asker(2));
        let (call, later) = (askers.add(one), askers.add(two));
        call.is_named(&RequestId::Number(7));
        later.is_named(&RequestId::Number(8));
        asks(&askers, Some(7)).await;
        assert!(is_asked(&mut first) && second.try_recv().is_err());
        drop(later);
        asks(&askers, None).await;
        assert!(is_asked(&mut first), "no other call runs");
        let child = askers.add(None);
        asks(&askers, None).await;
        assert!(
            matches!(first.try_recv(), Ok(Asking::Unclear)),
            "it may be of the call of nobody"
        );
        drop((call, child));
        assert_eq!(soon(askers.ask(form(), None)).await, None);
    }

    #[tokio::test]
    async fn where_nobody_can_tell_whose_it_is_each_session_hears_that_it_reached_nobody() {
        let askers = Askers::default();
        let ((one, mut first), (same, mut beside), (two, mut second)) = (asker(1), asker(1), asker(2));
        let _calls = (askers.add(one), askers.add(same));
        asks(&askers, None).await;
        assert!(
            is_asked(&mut beside) && first.try_recv().is_err(),
            "both calls are of one session"
        );
        let _other = askers.add(two);
        assert_eq!(soon(askers.ask(form(), None)).await, None);
        assert!(matches!(first.try_recv(), Ok(Asking::Unclear)));
        assert!(beside.try_recv().is_err(), "it is said once");
        assert!(matches!(second.try_recv(), Ok(Asking::Unclear)));
    }

    #[tokio::test]
    async fn a_form_that_may_be_of_several_calls_is_of_all_of_them_and_withdrawn_by_whichever_is_left() {
        let askers = Askers::default();
        let ((one, mut first), (two, mut second)) = (asker(1), asker(1));
        let (_older, newest) = (askers.add(one), askers.add(two));
        let mut asks = Box::pin(askers.ask(form(), None));
        let wait = std::time::Duration::from_millis(5);
        assert!(tokio::time::timeout(wait, &mut asks).await.is_err());
        let Ok(Asking::Form { number, of, reply, .. }) = second.try_recv() else {
            panic!("the newest is asked")
        };
        assert_eq!(of.len(), 2);
        drop((newest, second));
        drop(asks);
        let told = first.try_recv();
        assert!(matches!(told, Ok(Asking::Withdrawn { number: gone }) if gone == number));
        assert!(reply.is_closed());
    }

    #[tokio::test]
    async fn who_is_not_asked_hears_why() {
        let askers = Askers::default();
        let ((one, mut first), (two, mut second)) = (asker(1), asker(2));
        let (call, _later) = (askers.add(one), askers.add(two));
        call.is_named(&RequestId::Number(7));
        askers.tell(&WhyNoForm::Odd, Some(&RequestId::Number(7)));
        assert!(matches!(first.try_recv(), Ok(Asking::Refused(WhyNoForm::Odd))));
        assert!(second.try_recv().is_err(), "it is not theirs");
        askers.tell(&WhyNoForm::Address, None);
        for asked in [&mut first, &mut second] {
            assert!(matches!(asked.try_recv(), Ok(Asking::Refused(WhyNoForm::Address))));
        }
    }
}
