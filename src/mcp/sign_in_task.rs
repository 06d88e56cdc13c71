//! Sign-in and sign-out during a session. For each server, only one sign-in or sign-out runs at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::oauth;
use super::server::Server;
use benchdog_domain::sign_in::SignIn;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInAction {
    In,
    Out,
}

#[derive(Default)]
pub(super) struct SignInTask(Mutex<State>);

#[derive(Default)]
struct State {
    status: Option<SignIn>,
    task: Option<AbortHandle>,
}

impl SignInTask {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn status(&self) -> Option<SignIn> {
        self.lock().status.clone()
    }

    fn set_status(&self, status: SignIn) {
        self.lock().status = Some(status);
    }

    pub(super) fn cancel(&self) {
        let mut state = self.lock();
        if let Some(task) = state.task.take() {
            task.abort();
        }
        state.status = None;
    }
}

impl Server {
    /// Signs in or out. Cancels an earlier sign-in or sign-out that is still running.
    pub(super) fn change_sign_in(self: &Arc<Self>, action: SignInAction, tell: mpsc::Sender<()>) {
        self.sign_in.cancel();
        self.sign_in.set_status(SignIn::Begun);
        let server = Arc::clone(self);
        let task = tokio::spawn(async move {
            let status = match action {
                SignInAction::In => server.sign_in(&tell).await,
                SignInAction::Out => server.sign_out().await,
            };
            server.sign_in.set_status(status);
            let _ = tell.send(()).await;
        });
        self.sign_in.lock().task = Some(task.abort_handle());
    }

    async fn sign_in(self: &Arc<Self>, tell: &mpsc::Sender<()>) -> SignIn {
        let show = |link: &str| {
            self.sign_in.set_status(SignIn::Link(link.to_owned()));
            let _ = tell.try_send(());
        };
        // The sender is dropped, because a URL cannot be pasted during a session.
        let (_, pasted) = mpsc::channel(1);
        match oauth::sign_in(&self.definition, &self.missing_scopes(), show, pasted).await {
            Ok(()) => {
                self.clear_missing_scopes();
                self.restart();
                SignIn::Done
            }
            Err(trouble) => SignIn::Failed(trouble),
        }
    }

    async fn sign_out(self: &Arc<Self>) -> SignIn {
        match oauth::sign_out(&self.definition).await {
            Ok(true) => {
                self.restart();
                SignIn::Out
            }
            Ok(false) => SignIn::NotIn,
            Err(trouble) => SignIn::Failed(trouble),
        }
    }
}
