//! Whether the folder's own files count, and reading the configuration anew when they do.

use super::seats::Seats;
use super::{Engine, ProjectLayer};
use crate::base::id::SeatId;
use crate::context::rules::ProjectRules;
use crate::protocol::Answer;
use crate::security::trust;
use crate::storage::TrustAnswer;

impl Engine {
    /// Decides whether the folder's own files count. Asks, without waiting for the answer, where nobody has said.
    pub(super) async fn settle_trust(&mut self, seat: SeatId) {
        let Some(subject) = trust::subject(self.setup.workspace.root()) else {
            return;
        };
        self.trust_hash = Some(subject.hash.clone());
        self.project = match self.setup.project {
            ProjectLayer::Trust => ProjectRules::Counted,
            ProjectLayer::Ignore => self.trusted_or_said(seat, &subject).await,
            ProjectLayer::Ask => self.trusted_or_asked(seat, subject).await,
        };
        self.reload(seat).await;
    }

    /// The stored answer, if it is about exactly these files.
    async fn answered_before(&self, subject: &trust::TrustSubject) -> Option<ProjectRules> {
        match self.setup.storage.trust(&self.folder()).await {
            Ok(Some(TrustAnswer { trusted, hash })) if hash == subject.hash => Some(if trusted {
                ProjectRules::Counted
            } else {
                ProjectRules::Ignored
            }),
            Ok(_) | Err(_) => None,
        }
    }

    async fn trusted_or_said(&self, seat: SeatId, subject: &trust::TrustSubject) -> ProjectRules {
        if self.answered_before(subject).await == Some(ProjectRules::Counted) {
            return ProjectRules::Counted;
        }
        let text = format!(
            "Ignored, because this folder is not trusted: {}. `--trust` makes them count.",
            subject.files.join(", ")
        );
        self.notice(seat, "untrusted", text).await;
        ProjectRules::Ignored
    }

    async fn trusted_or_asked(&self, seat: SeatId, subject: trust::TrustSubject) -> ProjectRules {
        if let Some(answer) = self.answered_before(&subject).await {
            return answer;
        }
        let text = format!("Ignored until you answer: {}.", subject.files.join(", "));
        self.notice(seat, "untrusted", text).await;
        let files = subject.files;
        self.answer(seat, Answer::TrustAsked { files }).await;
        ProjectRules::Ignored
    }

    async fn reload(&mut self, seat: SeatId) {
        if self.project == ProjectRules::Ignored {
            return;
        }
        match (self.setup.loader)(self.project) {
            Ok(reload) => {
                self.setup.settings = reload.settings;
                self.setup.policy = reload.policy;
            }
            Err(text) => self.notice(seat, "config", text).await,
        }
    }

    /// The folder sessions begin in, as it is stored.
    pub(in crate::orchestrator) fn folder(&self) -> String {
        self.setup.workspace.root().display().to_string()
    }
}

impl Seats {
    pub(super) async fn on_trust(&mut self, engine: &mut Engine, seat: SeatId, trusted: bool) {
        let Some(hash) = engine.trust_hash.clone() else { return };
        let answer = TrustAnswer { trusted, hash };
        if let Err(error) = engine.setup.storage.set_trust(&engine.folder(), answer).await {
            engine.storage_failed(seat, &error).await;
        }
        if !trusted {
            return;
        }
        engine.project = ProjectRules::Counted;
        engine.reload(seat).await;
        // A session that has begun goes on with what its first request said.
        let mut begun = false;
        for open in self.all() {
            begun |= open.has_begun();
            if !open.has_begun() {
                open.begin_anew(engine);
            }
        }
        let from = if begun {
            "from the next session on"
        } else {
            "from now on"
        };
        engine
            .notice(seat, "trusted", format!("The folder's own rules count {from}."))
            .await;
    }
}
