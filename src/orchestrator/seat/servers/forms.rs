//! Questions that MCP servers ask the person during calls.
//!
//! A question and its answer are logged before the server gets the answer. If the person does not answer, nothing is
//! sent, and the question is closed when its call ends. Answers are validated when they are entered, so an invalid
//! answer is never sent.

use std::convert::Infallible;

use tokio::sync::{mpsc, oneshot};

use crate::engine::{Engine, Report};
use crate::input::Happened;
use crate::seat::Seat;
use benchdog_base::id::{self, CallId, SeatId};
use benchdog_domain::call::Origin;
use benchdog_domain::elicited::{Form, Reply};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Action, Because, Decision, Layer, Verdict};
use benchdog_domain::review::{Question, Review};
use benchdog_domain::server::{FormEnd, ServerName, ServerNotice, WhyNoForm};
use benchdog_mcp::FormEvent;
use benchdog_protocol::{ApprovalRequest, Event, Live, OnDisk};

const MOST_FORMS: usize = 10;

/// The person who is asked to fill in forms of servers.
#[derive(Clone)]
pub(in crate::seat) struct Person {
    pub(in crate::seat) seat: SeatId,
    pub(in crate::seat) reports: mpsc::Sender<Report>,
}

/// Reports the end of a call when this value is dropped.
struct Over {
    person: Person,
    call: CallId,
}

impl Person {
    /// Reports the questions that a server asks during a call. Runs until the future is dropped.
    pub(in crate::seat) async fn asked(
        self,
        (server, call): (ServerName, CallId),
        mut asked: mpsc::Receiver<FormEvent>,
    ) -> Infallible {
        // Report the end of every call, because the call that caused a question is not always known.
        let _over = Over {
            person: self.clone(),
            call: call.clone(),
        };
        while let Some(asking) = asked.recv().await {
            let (seat, call, asking) = (self.seat, call.clone(), Some((server.clone(), asking)));
            let _ = self.reports.send(Report::ServerAsks { seat, call, asking }).await;
        }
        std::future::pending().await
    }
}

impl Drop for Over {
    fn drop(&mut self) {
        let (reports, seat, call) = (self.person.reports.clone(), self.person.seat, self.call.clone());
        tokio::spawn(async move {
            let asking = None;
            let _ = reports.send(Report::ServerAsks { seat, call, asking }).await;
        });
    }
}

#[derive(Default)]
pub(in crate::seat) struct Elicited {
    open: Vec<Open>,
    /// The calls that caused forms. A call is listed once per form, to limit the forms per call.
    asked: Vec<CallId>,
}

struct Open {
    /// The id under which front ends show the form.
    id: CallId,
    /// The number of the form in the MCP client.
    number: u64,
    /// The calls that were running when the server sent the form. One of them has caused the form.
    during: Vec<CallId>,
    form: Form,
    reply: oneshot::Sender<Reply>,
}

impl Seat {
    pub(crate) async fn on_server_asks(
        &mut self,
        engine: &Engine,
        during: CallId,
        asking: Option<(ServerName, FormEvent)>,
    ) {
        let open = match asking {
            None => return self.ask_no_more(engine, &during).await,
            Some((server, FormEvent::Withdrawn { number })) => {
                let is_it = |open: &mut Open| open.number == number && open.form.server == server;
                let gone = self.elicited.open.extract_if(.., is_it).collect();
                return self.tell_gone(engine, gone).await;
            }
            Some((server, FormEvent::Unclear)) => {
                let came_to = FormEnd::Unclear;
                let notice = ServerNotice::Form { server, came_to };
                return engine.notice(self.id, Notice::Server(notice)).await;
            }
            Some((server, FormEvent::Refused(why))) => return self.tell_refused(engine, server, why).await,
            Some((
                _,
                FormEvent::Form {
                    number,
                    of,
                    form,
                    reply,
                },
            )) => Open {
                // The prefix differs from all call ids of models.
                id: CallId(format!("form-{}", id::fresh())),
                number,
                during: of,
                form,
                reply,
            },
        };
        if self.served.is_off(&open.form.server) {
            let _ = open.reply.send(Reply::Declined);
            return self.tell_refused(engine, open.form.server, WhyNoForm::Off).await;
        }
        let before = self.elicited.asked.iter().filter(|call| **call == during).count();
        if before >= MOST_FORMS || self.machine.turn_under_way().is_none() {
            let _ = open.reply.send(Reply::Declined);
            if before == MOST_FORMS {
                // Count the refused form as well, so that the refusal is reported only once.
                self.elicited.asked.push(during);
                self.tell_refused(engine, open.form.server, WhyNoForm::TooMany).await;
            }
            return;
        }
        self.elicited.asked.push(during);
        self.show_form(engine, open).await;
    }

    async fn tell_refused(&self, engine: &Engine, server: ServerName, why: WhyNoForm) {
        let notice = ServerNotice::FormRefused { server, why };
        engine.notice(self.id, Notice::Server(notice)).await;
    }

    async fn show_form(&mut self, engine: &Engine, open: Open) {
        let form = &open.form;
        let request = ApprovalRequest {
            call: open.id.clone(),
            edition: 0,
            on_disk: OnDisk::default(),
            origin: Origin::Limit,
            tool: form.server.0.clone(),
            title: form.message.lines().next().unwrap_or_default().to_owned(),
            review: Review::Question(Question::Server(form.clone())),
            verdict: Verdict {
                action: Action::Ask,
                because: Because::NoRule,
                layer: Layer::Default,
                class: None,
                scopes: Vec::new(),
                only_once: None,
                network: false,
                needs_person: true,
                confinable: false,
            },
            child: None,
        };
        self.elicited.open.push(open);
        self.tell_live(engine, Live::ApprovalRequested(request.into())).await;
    }

    pub(crate) fn is_of_server(&self, call: &CallId) -> bool {
        self.elicited.open.iter().any(|form| form.id == *call)
    }

    pub(crate) async fn answer_server(&mut self, engine: &mut Engine, call: &CallId, decision: Decision) {
        let Some(at) = self.elicited.open.iter().position(|form| form.id == *call) else {
            return;
        };
        let Open { id, form, reply, .. } = self.elicited.open.swap_remove(at);
        let told = match &decision {
            Decision::Answer { answers, further } => {
                let all: Vec<Vec<String>> = std::iter::once(answers).chain(further).cloned().collect();
                form.filled(&all)
            }
            Decision::Deny { .. } | Decision::Once { .. } | Decision::Confined | Decision::Always { .. } => {
                Reply::Declined
            }
        };
        let logged = Happened::ServerAnswered {
            call: id,
            server: form.server,
            decision,
            came_to: match told {
                Reply::Given(_) => FormEnd::Told,
                Reply::Declined | Reply::Cancelled => FormEnd::Declined,
            },
        };
        let turn = self.machine.turn_under_way();
        self.feed(engine, logged).await;
        // If the answer could not be logged, the turn has ended. The server then gets no answer.
        if turn.is_some() && self.machine.turn_under_way() == turn {
            let _ = reply.send(told);
        }
    }

    pub(in crate::seat) async fn decline_forms(&mut self, engine: &mut Engine, server: &ServerName) {
        let of_it = self.elicited.open.iter().filter(|open| open.form.server == *server);
        let calls: Vec<CallId> = of_it.map(|open| open.id.clone()).collect();
        for call in calls {
            self.answer_server(engine, &call, Decision::Deny { reason: None }).await;
            self.tell_live(engine, Live::ApprovalGone { call }).await;
        }
    }

    /// Closes the questions of a call that has ended. A question stays open while another call may have caused it.
    async fn ask_no_more(&mut self, engine: &Engine, over: &CallId) {
        self.elicited.asked.retain(|call| call != over);
        let is_over = |open: &mut Open| {
            open.during.retain(|call| call != over);
            open.during.is_empty()
        };
        let gone = self.elicited.open.extract_if(.., is_over).collect();
        self.tell_gone(engine, gone).await;
    }

    /// Closes all open forms, because the person ended the turn.
    pub(in crate::seat) async fn end_forms(&mut self, engine: &Engine) {
        for open in std::mem::take(&mut self.elicited.open) {
            self.tell_live(engine, Live::ApprovalGone { call: open.id }).await;
        }
    }

    /// Reports questions that were closed before the person reacted.
    async fn tell_gone(&mut self, engine: &Engine, gone: Vec<Open>) {
        for open in gone {
            let (server, came_to) = (open.form.server, FormEnd::Withdrawn);
            let notice = ServerNotice::Form { server, came_to };
            engine.notice(self.id, Notice::Server(notice)).await;
            self.tell_live(engine, Live::ApprovalGone { call: open.id }).await;
        }
    }

    pub(in crate::seat) async fn tell_live(&mut self, engine: &Engine, live: Live) {
        let event = Event::Live(live);
        self.note(&event);
        self.tell_hooks(engine, &event);
        engine.tell(self.id, event).await;
    }
}
