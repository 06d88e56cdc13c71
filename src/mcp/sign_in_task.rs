//! Sign-in and sign-out during a session, one at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::oauth;
use super::server::Server;
use benchdog_domain::sign_in::SignIn;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    In,
    Out,
}

#[derive(Default)]
pub(super) struct Signing(Mutex<Stands>);

#[derive(Default)]
struct Stands {
    stands: Option<SignIn>,
    task: Option<AbortHandle>,
}

impl Signing {
    fn lock(&self) -> MutexGuard<'_, Stands> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn stands(&self) -> Option<SignIn> {
        self.lock().stands.clone()
    }

    fn stand(&self, stands: SignIn) {
        self.lock().stands = Some(stands);
    }

    pub(super) fn end(&self) {
        let mut stands = self.lock();
        if let Some(task) = stands.task.take() {
            task.abort();
        }
        stands.stands = None;
    }
}

impl Server {
    /// Cancels an earlier sign-in or sign-out.
    pub(super) fn sign(self: &Arc<Self>, wish: Wish, tell: mpsc::Sender<()>) {
        self.signing.end();
        self.signing.stand(SignIn::Begun);
        let server = Arc::clone(self);
        let task = tokio::spawn(async move {
            let stands = match wish {
                Wish::In => server.sign_in(&tell).await,
                Wish::Out => server.sign_out().await,
            };
            server.signing.stand(stands);
            let _ = tell.send(()).await;
        });
        self.signing.lock().task = Some(task.abort_handle());
    }

    async fn sign_in(self: &Arc<Self>, tell: &mpsc::Sender<()>) -> SignIn {
        let show = |link: &str| {
            self.signing.stand(SignIn::Link(link.to_owned()));
            let _ = tell.try_send(());
        };
        // A URL cannot be pasted here, so the sender is dropped.
        let (_, pasted) = mpsc::channel(1);
        match oauth::sign_in(&self.definition, &self.wider(), show, pasted).await {
            Ok(()) => {
                self.is_wider();
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
