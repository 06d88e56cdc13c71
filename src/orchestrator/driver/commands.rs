//! What front ends ask for, one arm a command.

use futures::FutureExt;

use super::{Driver, OpenWhat};
use crate::domain::permission::DecidedBy;
use crate::orchestrator::input::Happened;
use crate::protocol::{Command, Event};
use crate::storage::StorageError;

impl Driver {
    pub(super) async fn on_command(&mut self, command: Command) {
        self.told_lost = None;
        match command {
            Command::Prompt { text, .. } if self.shut => self.give_back(text).await,
            Command::Shell { command } if self.shut => self.give_back(format!("!{command}")).await,
            Command::EditTodo { .. } | Command::SetModel { .. } if self.shut => self.say_shut().await,
            Command::Prompt { text, delivery } => self.feed(Happened::Prompt { text, delivery }).await,
            Command::Shell { command } => self.feed(Happened::Shell { command }).await,
            Command::Decide { call, decision } => {
                self.feed(Happened::Decided {
                    call,
                    decision,
                    by: DecidedBy::User,
                })
                .await;
            }
            Command::Interrupt => self.feed(Happened::Interrupt).await,
            Command::Unqueue => self.feed(Happened::Unqueue).await,
            Command::NewSession => self.change_session(OpenWhat::New).await,
            Command::Resume { session } => self.change_session(OpenWhat::Exactly(session)).await,
            Command::ListSessions => self.list_sessions(),
            Command::SetModel { id } => self.set_model(&id).await,
            Command::ListModels => self.list_models(),
            Command::UseServer { base_url, model } => self.use_server(base_url, model).await,
            Command::EditTodo { edit } => self.feed(Happened::TodoEdited { edit }).await,
            Command::Trust { trusted } => self.on_trust(trusted).await,
            Command::OutOfTime => self.feed(Happened::OutOfTime).await,
            Command::SaveDraft { text } => self.save_draft(&text),
            Command::RememberPrompt { text } => self.remember_prompt(&text),
            Command::LoadHistory => self.load_history().await,
            Command::ListFolder { path } => self.list_folder(path),
            Command::FindFiles { query, limit } => self.find_files(query, limit),
            Command::OpenFile { path } => self.open_file(path),
        }
    }

    async fn change_session(&mut self, what: OpenWhat) {
        if self.machine.is_busy() {
            self.notice("busy", "A turn is running. Stop it first, then change the session.")
                .await;
            return;
        }
        self.describe().await;
        let left = self.session.id.clone();
        let result = match what {
            OpenWhat::Exactly(id) if id == left => return,
            OpenWhat::Exactly(id) => self.resume(id).await,
            OpenWhat::New | OpenWhat::Newest | OpenWhat::Session(_) => {
                self.begin_new().await;
                Ok(())
            }
        };
        match result {
            // The old lease is given back only once the new session is open.
            Ok(()) => self.setup.storage.release(&left).await,
            Err(error) => self.storage_failed(&error).await,
        }
    }

    fn list_sessions(&self) {
        let storage = self.setup.storage.clone();
        let (events, advise) = (self.events.clone(), self.setup.advise);
        tokio::spawn(async move {
            let event = match storage.list().await {
                Ok(sessions) => Event::Sessions(sessions),
                Err(error) => Event::Error {
                    code: error.code().to_owned(),
                    text: error.to_string(),
                    hint: advise(error.code()).to_owned(),
                },
            };
            let _ = events.send(event).await;
        });
    }

    fn save_draft(&self, text: &str) {
        let saving = self.setup.storage.save_draft(&self.session.workspace, text);
        post(saving);
    }

    fn remember_prompt(&self, text: &str) {
        post(self.setup.storage.remember_prompt(text));
    }
}

/// Hands a change to the storage thread, in order, without waiting for it to be written.
fn post(change: impl Future<Output = Result<(), StorageError>>) {
    // The first poll puts it into the thread's queue; what comes back only tells when it is on disk.
    let _ = change.now_or_never();
}
