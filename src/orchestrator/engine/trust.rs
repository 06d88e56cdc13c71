//! Whether the folder's own files count, and reading the configuration anew when they do.

use super::seats::Seats;
use super::{Engine, ProjectLayer, Reload};
use crate::base::id::SeatId;
use crate::context::rules::ProjectRules;
use crate::domain::notice::{ConfigNotice, CountsFrom, Notice, Until};
use crate::protocol::{Answer, Look};
use crate::security::trust;
use crate::storage::TrustAnswer;

impl Engine {
    /// Decides whether the folder's own files count. Asks, without waiting for the answer, where nobody has said.
    /// Returns what is wrong with a project that was to count.
    pub(super) async fn settle_trust(&mut self, seat: SeatId) -> Option<ConfigNotice> {
        let survey = (self.setup.loader)();
        let subject = survey.subject.clone();
        self.survey = Some(survey);
        self.project = match (subject, self.setup.project) {
            (None, _) => ProjectRules::Ignored,
            (Some(_), ProjectLayer::Trust) => ProjectRules::Counted,
            (Some(subject), ProjectLayer::Ignore) => self.trusted_or_said(seat, &subject).await,
            (Some(subject), ProjectLayer::Ask) => self.trusted_or_asked(seat, subject).await,
        };
        self.count()
    }

    /// Files that would be skills and cannot be read as such, in one notice.
    async fn tell_broken_skills(&self, seat: SeatId) {
        let skills = self.skills.broken.clone();
        if !skills.is_empty() {
            self.notice(seat, Notice::BrokenSkills { skills }).await;
        }
    }

    /// Files that never count.
    pub(super) async fn tell_refused(&self, seat: SeatId) {
        self.tell_broken_skills(seat).await;
        for unread in self.survey.iter().flat_map(|survey| &survey.refused) {
            self.notice(seat, Notice::Refused(unread.clone())).await;
        }
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
        self.tell_untrusted(seat, subject, Until::Trusted).await;
        ProjectRules::Ignored
    }

    async fn tell_untrusted(&self, seat: SeatId, subject: &trust::TrustSubject, until: Until) {
        let files = subject.files.clone();
        self.notice(seat, Notice::Untrusted { files, until }).await;
    }

    async fn trusted_or_asked(&self, seat: SeatId, subject: trust::TrustSubject) -> ProjectRules {
        if let Some(answer) = self.answered_before(&subject).await {
            return answer;
        }
        self.tell_untrusted(seat, &subject, Until::Answered).await;
        let files = subject.files;
        self.answer(seat, Answer::TrustAsked { files }).await;
        ProjectRules::Ignored
    }

    /// Takes over what was read of the folder, for every seat from here on. A project whose configuration is wrong does not
    /// count; the errors are returned, to be told.
    fn count(&mut self) -> Option<ConfigNotice> {
        let survey = self.survey.as_ref()?;
        let wrong = survey.of(self.project).err().map(|text| ConfigNotice::Wrong {
            sentences: text.to_owned(),
        });
        if wrong.is_some() {
            self.project = ProjectRules::Ignored;
        }
        let Ok(reload) = survey.of(self.project).cloned() else {
            return wrong;
        };
        match self.project {
            ProjectRules::Counted => self.take(reload),
            // What the engine was started with counts, which may be more than the files say.
            ProjectRules::Ignored => self.instruct(reload),
        }
        wrong
    }

    /// What the model is told in sessions that begin from here on.
    fn instruct(&mut self, reload: Reload) {
        self.texts = reload.texts;
        self.nearer = reload.nearer;
        self.skills = reload.skills;
    }

    /// What every seat begins with from here on. Those that have begun keep what they have.
    pub(super) fn take(&mut self, reload: Reload) {
        self.instruct(reload.clone());
        self.setup.settings = reload.settings;
        self.setup.policy = reload.policy;
        self.setup.agents = reload.agents;
        self.setup.tools = reload.tools;
        self.setup.rules = reload.rules;
        if let Some(model) = reload.model.filter(|_| self.setup.replay.is_none()) {
            self.model = Some(model);
        }
    }

    /// How the workbench is to look and listen, where the project says something of it.
    pub(super) async fn tell_look(&self, seat: SeatId) {
        let Some(Ok(own)) = self.survey.as_ref().map(|survey| survey.of(ProjectRules::Ignored)) else {
            return;
        };
        if self.setup.settings.ui != own.settings.ui {
            self.answer(seat, Answer::Look(self.look())).await;
        }
    }

    fn look(&self) -> Look {
        let ui = &self.setup.settings.ui;
        Look {
            theme: ui.theme.clone(),
            keys: ui.keys.clone(),
            mouse: ui.mouse,
            vim: ui.vim,
        }
    }

    /// The folder sessions begin in, as it is stored.
    pub(in crate::orchestrator) fn folder(&self) -> String {
        self.setup.workspace.root().display().to_string()
    }
}

impl Engine {
    pub(super) async fn list_settings(&self, seat: SeatId) {
        let settings = (self.setup.settings_lister)(self.project);
        self.answer(seat, Answer::Settings(settings)).await;
    }
}

impl Seats {
    pub(super) async fn on_trust(&mut self, engine: &mut Engine, seat: SeatId, trusted: bool) {
        if engine.survey.as_ref().is_some_and(|survey| survey.with.is_err()) {
            // What was wrong may be mended by now.
            engine.survey = Some((engine.setup.loader)());
        }
        let subject = engine.survey.as_ref().and_then(|survey| survey.subject.as_ref());
        let Some(hash) = subject.map(|subject| subject.hash.clone()) else {
            return engine.notice(seat, Notice::NothingToTrust).await;
        };
        let answer = TrustAnswer { trusted, hash };
        if let Err(error) = engine.setup.storage.set_trust(&engine.folder(), answer).await {
            engine.storage_failed(seat, &error).await;
        }
        if !trusted {
            return self.distrust(engine, seat).await;
        }
        engine.project = ProjectRules::Counted;
        if let Some(wrong) = engine.count() {
            engine.notice(seat, Notice::Config(wrong)).await;
            return;
        }
        engine.tell_look(seat).await;
        // A session that has begun goes on with what its first request said.
        let mut begun = false;
        for open in self.all() {
            begun |= open.has_begun();
            if !open.has_begun() {
                open.begin_anew(engine).await;
            }
        }
        let from = if begun {
            CountsFrom::NextSession
        } else {
            CountsFrom::Now
        };
        engine.notice(seat, Notice::Trusted { from }).await;
        engine.tell_broken_skills(seat).await;
    }

    /// Reads everything once more. Where it is wrong, all stays as it was, and what is wrong is said.
    pub(super) async fn on_reload(&mut self, engine: &mut Engine, seat: SeatId) {
        let survey = (engine.setup.loader)();
        // A folder that was trusted may bring other files by now.
        let mut project = engine.project;
        let counted = project == ProjectRules::Counted && engine.setup.project != ProjectLayer::Trust;
        if let Some(subject) = survey.subject.clone().filter(|_| counted) {
            project = engine.trusted_or_asked(seat, subject).await;
        }
        let reload = match survey.of(project) {
            Ok(reload) => reload.clone(),
            Err(wrong) => {
                let sentences = wrong.to_owned();
                let notice = Notice::Config(ConfigNotice::Wrong { sentences });
                return engine.notice(seat, notice).await;
            }
        };
        engine.survey = Some(survey);
        engine.project = project;
        let ui = engine.setup.settings.ui.clone();
        engine.take(reload);
        if engine.setup.settings.ui != ui {
            engine.answer(seat, Answer::Look(engine.look())).await;
        }
        let mut from = CountsFrom::Now;
        for open in self.all() {
            if open.has_begun() {
                from = CountsFrom::NextSession;
                open.take_settings(engine);
                open.take_policy(engine).await;
            } else {
                open.begin_anew(engine).await;
            }
        }
        engine.notice(seat, Notice::Reloaded { from }).await;
        engine.tell_refused(seat).await;
    }

    /// Writes a setting to the person's own file, and takes it as a reading of everything does.
    pub(super) async fn configure(&mut self, engine: &mut Engine, seat: SeatId, path: &[String], written: &str) {
        match (engine.setup.settings_writer)(path, written, engine.project) {
            Ok(()) => {
                self.on_reload(engine, seat).await;
                engine.list_settings(seat).await;
            }
            Err(why) => engine.answer(seat, Answer::SettingRefused { why }).await,
        }
    }

    /// Takes the folder's rules back. A session that has begun keeps what its requests began with; what it may do is
    /// judged without them at once.
    async fn distrust(&mut self, engine: &mut Engine, seat: SeatId) {
        if engine.project == ProjectRules::Counted {
            engine.project = ProjectRules::Ignored;
            let ui = engine.setup.settings.ui.clone();
            let own = engine
                .survey
                .as_ref()
                .map(|survey| survey.of(ProjectRules::Ignored).cloned());
            if let Some(Ok(own)) = own {
                engine.take(own);
            }
            if engine.setup.settings.ui != ui {
                engine.answer(seat, Answer::Look(engine.look())).await;
            }
            for open in self.all() {
                if open.has_begun() {
                    open.take_policy(engine).await;
                } else {
                    open.begin_anew(engine).await;
                }
            }
        }
        engine.notice(seat, Notice::Distrusted).await;
    }
}
