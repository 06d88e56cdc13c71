//! Asks the model to propose a commit message, in a request outside the conversation.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::engine::Engine;
use crate::seat::Seat;
use crate::seat::requests::side_model::SideModel;
use benchdog_context::committing::{OUTPUT, message, messages, with_co_author};
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::staged::{NotStaged, Proposal, Staged};
use benchdog_files::git;
use benchdog_protocol::{Answer, Event};
use benchdog_provider::ModelRequest;
use benchdog_security::redact::Redactor;
use benchdog_security::secrets::is_secret_path;

/// Timeout for the start of the answer, which is short because the person is waiting.
const FIRST: Duration = Duration::from_secs(60);
const WHOLE: Duration = Duration::from_secs(120);

impl Seat {
    pub(crate) fn propose_commit(&self, engine: &mut Engine) {
        let asked = self.message_request(engine);
        let (workspace, redactor) = (Arc::clone(&engine.at(self.folder()).workspace), self.redactor(engine));
        let line = engine.line(self.id);
        let co_author = self.settings.co_author.clone();
        tokio::spawn(async move {
            let read = tokio::task::spawn_blocking(move || git::staged(workspace.root(), is_secret));
            let staged = read.await.unwrap_or(Err(NotStaged::Slow));
            let answer = match staged {
                Ok(staged) => {
                    let mut proposal = proposed(asked, staged, &redactor).await;
                    proposal.message = with_co_author(proposal.message, co_author.as_deref());
                    Ok(proposal)
                }
                Err(why) => Err(why),
            };
            line.tell(Event::Answer(Answer::Commit(answer))).await;
        });
    }

    pub(crate) fn look_at_staged(&self, engine: &Engine) {
        let (workspace, line) = (Arc::clone(&engine.at(self.folder()).workspace), engine.line(self.id));
        tokio::task::spawn_blocking(move || {
            line.tell_blocking(Answer::StagedNow(git::staged_files(workspace.root(), is_secret)));
        });
    }

    pub(crate) fn look_at_unstaged(&self, engine: &Engine) {
        let (workspace, line) = (Arc::clone(&engine.at(self.folder()).workspace), engine.line(self.id));
        tokio::task::spawn_blocking(move || {
            line.tell_blocking(Answer::Unstaged(git::unstaged(workspace.root(), is_secret)));
        });
    }

    fn message_request(&self, engine: &mut Engine) -> Option<(SideModel, ModelRequest)> {
        let model = self.small_model();
        let side_model = self.side_model(engine, &model)?;
        let order = self.side_request(engine, &model, OUTPUT, None);
        Some((side_model, order))
    }
}

fn is_secret(path: &str) -> bool {
    is_secret_path(Path::new(path))
}

async fn proposed(asked: Option<(SideModel, ModelRequest)>, staged: Staged, redactor: &Redactor) -> Proposal {
    let answer = match asked {
        None => Err(NoSummary::Failed {
            error: String::new(),
            server: None,
        }),
        Some((side_model, order)) => {
            let order = ModelRequest {
                messages: messages(&staged, &redactor.text(&staged.diff)),
                ..order
            };
            let asking = side_model.ask(order, OUTPUT, FIRST);
            let answer = tokio::time::timeout(WHOLE, asking).await;
            answer.unwrap_or(Err(NoSummary::Unfinished {
                seconds: WHOLE.as_secs(),
            }))
        }
    };
    let (message, trouble) = match answer {
        Ok(reply) => match message(&reply) {
            message if message.is_empty() => (message, Some(NoSummary::Empty)),
            message => (message, None),
        },
        Err(why) => (String::new(), Some(why)),
    };
    Proposal {
        message,
        trouble,
        files: staged.files,
        cut: staged.cut,
        secret: staged.secret,
    }
}
