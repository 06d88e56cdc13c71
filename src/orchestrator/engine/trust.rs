//! Trust in the folder's own files, and reloading of the configuration.

use std::path::PathBuf;

use super::seats::Seats;
use super::{Engine, FolderId, ProjectLayer, Reload};
use benchdog_base::id::SeatId;
use benchdog_config::settings::UiSettings;
use benchdog_context::rules::ProjectRules;
use benchdog_domain::notice::{ConfigNotice, CountsFrom, Notice, Until};
use benchdog_protocol::{Answer, Look, RepositoryAsked, TrustScope};
use benchdog_security::trust;
use benchdog_storage::TrustAnswer;

impl Engine {
    /// Determines whether the folder's files are trusted. Asks the person if there is no decision yet. If the project's
    /// configuration is invalid, returns its errors.
    pub(super) async fn settle_trust(&mut self, seat: SeatId, of: FolderId) -> Option<ConfigNotice> {
        let survey = (self.at(of).loader)();
        let subject = survey.subject.clone();
        self.folders.get_mut(of).survey = Some(survey);
        let project = match (subject, self.setup.project) {
            (None, _) => ProjectRules::Ignored,
            (Some(_), ProjectLayer::Trust) => ProjectRules::Counted,
            (Some(subject), ProjectLayer::Ignore) => self.trusted_or_said(seat, of, &subject).await,
            (Some(subject), ProjectLayer::Ask) => self.trusted_or_asked(seat, of, subject).await,
        };
        self.folders.get_mut(of).project = project;
        self.count(of)
    }

    async fn tell_broken_skills(&self, seat: SeatId, of: FolderId) {
        let skills = self.at(of).skills.broken.clone();
        if !skills.is_empty() {
            self.notice(seat, Notice::BrokenSkills { skills }).await;
        }
        let commands = self.at(of).skills.commands.broken.clone();
        if !commands.is_empty() {
            self.notice(seat, Notice::BrokenCommands { commands }).await;
        }
    }

    pub(super) async fn tell_refused(&self, seat: SeatId, of: FolderId) {
        self.tell_broken_skills(seat, of).await;
        for remark in &self.at(of).settings.remarks {
            self.notice(seat, Notice::Config(remark.clone())).await;
        }
        for unread in self.at(of).survey.iter().flat_map(|survey| &survey.refused) {
            self.notice(seat, Notice::Refused(unread.clone())).await;
        }
    }

    /// Returns the stored decision about the folder's files, unless the files have changed since the decision. A
    /// worktree is also trusted if equal files are trusted in the original folder.
    async fn answered_before(&self, of: FolderId, subject: &trust::TrustSubject) -> Option<ProjectRules> {
        let answer = self.setup.storage.trust(&self.at(of).name()).await.ok().flatten();
        let same = answer.filter(|answer| answer.hash == subject.hash_of(answer.trusted));
        if let Some(TrustAnswer { trusted, .. }) = same {
            return Some(if trusted {
                ProjectRules::Counted
            } else {
                ProjectRules::Ignored
            });
        }
        if let Some(answer) = self.answered_for_repository(of, subject).await {
            return Some(answer);
        }
        let elsewhere = self.worktree(of).is_some() && self.counts_at_home(subject).await;
        elsewhere.then_some(ProjectRules::Counted)
    }

    /// Returns the stored trust in the repository, if it includes every file of this folder. If the person has refused
    /// trust in the folder itself, the refusal takes precedence, even if the files have changed since.
    async fn answered_for_repository(&self, of: FolderId, subject: &trust::TrustSubject) -> Option<ProjectRules> {
        let part = subject.in_repository.as_ref()?;
        let own = self.setup.storage.trust(&self.at(of).name()).await.ok()?;
        if own.is_some_and(|own| !own.trusted) {
            return None;
        }
        let answer = self.setup.storage.trust(&part.key()).await.ok().flatten()?;
        (answer.trusted && part.is_in(&answer.hash)).then_some(ProjectRules::Counted)
    }

    /// Whether equal files are trusted in the folder where Benchdog was started. Only worktrees need this check.
    async fn counts_at_home(&self, subject: &trust::TrustSubject) -> bool {
        let home = self.at(FolderId::HOME);
        let known = home.survey.as_ref().and_then(|survey| survey.subject.as_ref());
        if home.project == ProjectRules::Counted && known.is_some_and(|known| known.hash == subject.hash) {
            return true;
        }
        let name = self.setup.started_from.clone().unwrap_or_else(|| home.name());
        let answer = self.setup.storage.trust(&name).await.ok().flatten();
        answer.is_some_and(|answer| answer.trusted && answer.hash == subject.hash)
    }

    async fn trusted_or_said(&self, seat: SeatId, of: FolderId, subject: &trust::TrustSubject) -> ProjectRules {
        if self.answered_before(of, subject).await == Some(ProjectRules::Counted) {
            return ProjectRules::Counted;
        }
        self.tell_untrusted(seat, subject, Until::Trusted).await;
        ProjectRules::Ignored
    }

    async fn tell_untrusted(&self, seat: SeatId, subject: &trust::TrustSubject, until: Until) {
        let files = subject.files.clone();
        self.notice(seat, Notice::Untrusted { files, until }).await;
        if !subject.unbound.is_empty() {
            let names = subject.unbound.clone();
            self.notice(seat, Notice::Unbound { names }).await;
        }
    }

    async fn trusted_or_asked(&mut self, seat: SeatId, of: FolderId, subject: trust::TrustSubject) -> ProjectRules {
        if let Some(answer) = self.answered_before(of, &subject).await {
            return answer;
        }
        self.tell_untrusted(seat, &subject, Until::Answered).await;
        let trust::TrustSubject {
            files,
            unbound,
            in_repository,
            ..
        } = subject;
        let home = self.setup.environment.get("HOME").map(PathBuf::from);
        let home = home.and_then(|home| std::fs::canonicalize(home).ok());
        let root = self.at(of).root().to_owned();
        let repository = in_repository.filter(|part| part.top != root);
        let repository = repository.map(|part| part.with_top(home.as_deref()));
        let asked = repository.as_ref().map(|part| RepositoryAsked {
            top: part.top.display().to_string(),
            files: part.files.clone(),
        });
        // Store the files that the person sees, because the answer must apply to these files only.
        self.folders.get_mut(of).repository = repository;
        self.answer(
            seat,
            Answer::TrustAsked {
                files,
                unbound,
                repository: asked,
            },
        )
        .await;
        ProjectRules::Ignored
    }

    /// Stores the decision about the repository's files that the person has seen. Refusing trust in a folder also
    /// revokes the trust in its repository.
    async fn trust_repository(&self, seat: SeatId, of: FolderId, trusted: bool, scope: TrustScope) {
        let shown = self.at(of).repository.as_ref();
        let survey = self.at(of).survey.as_ref().and_then(|survey| survey.subject.as_ref());
        let own = survey.and_then(|subject| subject.in_repository.as_ref());
        let written = match (trusted, scope, shown) {
            (true, TrustScope::Repository, Some(shown)) => Some((shown.key(), shown.written())),
            (true, ..) => None,
            (false, ..) => shown.or(own).map(|part| (part.key(), String::new())),
        };
        let Some((key, hash)) = written else { return };
        let before = self.setup.storage.trust(&key).await.ok().flatten();
        if !trusted && before.is_none_or(|before| !before.trusted) {
            return;
        }
        if let Err(error) = self.setup.storage.set_trust(&key, TrustAnswer { trusted, hash }).await {
            self.storage_failed(seat, &error).await;
        }
    }

    /// Applies the folder's configuration to new seats, with the project's files if they are trusted. Ignores an
    /// invalid project configuration and returns its errors.
    pub(super) fn count(&mut self, of: FolderId) -> Option<ConfigNotice> {
        let folder = self.folders.get_mut(of);
        let survey = folder.survey.as_ref()?;
        let wrong = survey.of(folder.project).err().map(|text| ConfigNotice::Wrong {
            sentences: text.to_owned(),
        });
        if wrong.is_some() {
            folder.project = ProjectRules::Ignored;
        }
        let Ok(reload) = survey.of(folder.project).cloned() else {
            return wrong;
        };
        match folder.project {
            ProjectRules::Counted => self.take(of, reload),
            // The folder keeps the configuration from startup, which includes command-line flags.
            ProjectRules::Ignored => folder.instruct(reload),
        }
        wrong
    }

    pub(super) fn take(&mut self, of: FolderId, reload: Reload) {
        let model = reload.model.clone().filter(|_| self.setup.replay.is_none());
        if of == FolderId::HOME && model.is_some() {
            self.model = model;
        }
        self.folders.get_mut(of).take(reload);
    }

    /// Sends the display settings of the folder where Benchdog was started, if that folder's own files change them.
    pub(super) async fn tell_look(&self, seat: SeatId) {
        let home = self.at(FolderId::HOME);
        let Some(Ok(own)) = home.survey.as_ref().map(|survey| survey.of(ProjectRules::Ignored)) else {
            return;
        };
        if home.settings.ui != own.settings.ui {
            self.answer(seat, Answer::Look(self.look())).await;
        }
    }

    fn look(&self) -> Look {
        let ui = &self.at(FolderId::HOME).settings.ui;
        Look {
            theme: ui.theme.clone(),
            keys: ui.keys.clone(),
            mouse: ui.mouse,
            vim: ui.vim,
            confirm_exit: ui.confirm_exit,
            alt_decides: ui.alt_decides,
        }
    }

    async fn read_again(&mut self, seat: SeatId, of: FolderId) -> Result<(), ConfigNotice> {
        let survey = (self.at(of).loader)();
        // If the files of a trusted folder have changed, the person must be asked again.
        let mut project = self.at(of).project;
        let counted = project == ProjectRules::Counted && self.setup.project != ProjectLayer::Trust;
        if let Some(subject) = survey.subject.clone().filter(|_| counted) {
            project = self.trusted_or_asked(seat, of, subject).await;
        }
        let reload = survey.of(project).cloned().map_err(|wrong| ConfigNotice::Wrong {
            sentences: wrong.to_owned(),
        })?;
        let folder = self.folders.get_mut(of);
        folder.survey = Some(survey);
        folder.project = project;
        self.take(of, reload);
        Ok(())
    }

    async fn tell_other_look(&self, seat: SeatId, before: &UiSettings) {
        if self.at(FolderId::HOME).settings.ui != *before {
            self.answer(seat, Answer::Look(self.look())).await;
        }
    }

    pub(super) async fn list_settings(&self, seat: SeatId, of: FolderId) {
        let folder = self.at(of);
        let settings = (folder.settings_lister)(folder.project);
        self.answer(seat, Answer::Settings(settings)).await;
    }
}

/// The path of the only setting that running sessions apply at once.
const CHECK_AFTER_CHANGES: [&str; 2] = ["validation", "auto"];

impl Seats {
    pub(super) async fn on_trust(&mut self, engine: &mut Engine, seat: SeatId, trusted: bool, scope: TrustScope) {
        let Some(of) = self.get(seat).map(|open| open.folder()) else {
            return;
        };
        if engine.at(of).survey.as_ref().is_some_and(|survey| survey.with.is_err()) {
            // Read the configuration again, because the person may have fixed an earlier error.
            let survey = (engine.at(of).loader)();
            engine.folders.get_mut(of).survey = Some(survey);
        }
        let survey = engine.at(of).survey.as_ref();
        let subject = survey.and_then(|survey| survey.subject.as_ref());
        let Some(hash) = subject.map(|subject| subject.hash_of(trusted).to_owned()) else {
            return engine.notice(seat, Notice::NothingToTrust).await;
        };
        let repository = engine.at(of).repository.clone();
        if scope == TrustScope::Repository && repository.is_none() {
            return engine.notice(seat, Notice::NoRepositoryToTrust).await;
        }
        engine.trust_repository(seat, of, trusted, scope).await;
        let answer = TrustAnswer { trusted, hash };
        if let Err(error) = engine.setup.storage.set_trust(&engine.at(of).name(), answer).await {
            engine.storage_failed(seat, &error).await;
        }
        if !trusted {
            return self.distrust(engine, seat, of).await;
        }
        engine.folders.get_mut(of).project = ProjectRules::Counted;
        if let Some(wrong) = engine.count(of) {
            engine.notice(seat, Notice::Config(wrong)).await;
            return;
        }
        engine.tell_look(seat).await;
        // A session that has sent its first request keeps its rules. Other sessions apply the new ones.
        let mut begun = false;
        for open in self.all().filter(|open| open.folder() == of) {
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
        engine.tell_broken_skills(seat, of).await;
    }

    pub(super) async fn on_reload(&mut self, engine: &mut Engine, seat: SeatId) {
        let Some(here) = self.get(seat).map(|open| open.folder()) else {
            return;
        };
        let ui = engine.at(FolderId::HOME).settings.ui.clone();
        let mut read = Vec::new();
        for of in engine.folders.ids() {
            match engine.read_again(seat, of).await {
                Ok(()) => read.push(of),
                Err(wrong) => engine.notice(seat, Notice::Config(wrong)).await,
            }
        }
        if !read.contains(&here) {
            return;
        }
        engine.tell_other_look(seat, &ui).await;
        let mut from = CountsFrom::Now;
        for open in self.all().filter(|open| read.contains(&open.folder())) {
            if open.has_begun() {
                from = CountsFrom::NextSession;
                Box::pin(open.take_settings(engine)).await;
                open.take_policy(engine).await;
            } else {
                open.begin_anew(engine).await;
            }
        }
        self.obey_anew_in(engine, |of| read.contains(&of)).await;
        engine.notice(seat, Notice::Reloaded { from }).await;
        engine.tell_refused(seat, here).await;
    }

    pub(super) async fn configure(&mut self, engine: &mut Engine, seat: SeatId, path: &[String], written: &str) {
        let Some(of) = self.get(seat).map(|open| open.folder()) else {
            return;
        };
        let folder = engine.at(of);
        match (folder.settings_writer)(path, written, folder.project) {
            Ok(()) => {
                self.on_reload(engine, seat).await;
                let check = &engine.at(of).settings.validation;
                // If the configuration could not be read again, the previous value is still in effect.
                if path == CHECK_AFTER_CHANGES && written == check.auto.to_string() {
                    engine.answer(seat, Answer::CheckSwitched(check.switched())).await;
                }
                engine.list_settings(seat, of).await;
            }
            Err(why) => engine.answer(seat, Answer::SettingRefused { why }).await,
        }
    }

    async fn distrust(&mut self, engine: &mut Engine, seat: SeatId, of: FolderId) {
        if engine.at(of).project == ProjectRules::Counted {
            engine.folders.get_mut(of).project = ProjectRules::Ignored;
            let ui = engine.at(FolderId::HOME).settings.ui.clone();
            let survey = engine.at(of).survey.as_ref();
            let own = survey.map(|survey| survey.of(ProjectRules::Ignored).cloned());
            if let Some(Ok(own)) = own {
                engine.take(of, own);
            }
            engine.tell_other_look(seat, &ui).await;
            for open in self.all().filter(|open| open.folder() == of) {
                if open.has_begun() {
                    let hooks = engine.at(of).settings.hooks.clone();
                    Box::pin(open.take_hooks(engine, &hooks)).await;
                    open.bar_servers();
                    open.take_policy(engine).await;
                } else {
                    open.begin_anew(engine).await;
                }
            }
            self.obey_anew_in(engine, |folder| folder == of).await;
        }
        engine.notice(seat, Notice::Distrusted).await;
    }
}
