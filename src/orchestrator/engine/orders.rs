//! Runs the commands of front ends.

use std::sync::Arc;

use futures::FutureExt;

use super::models::AtOnce;
use super::onboarding::Chosen;
use super::seats::Seats;
use super::{Engine, OpenWhat};
use crate::input::Happened;
use crate::seat::drafts_beside;
use benchdog_base::id::{EntryId, SeatId, SessionId};
use benchdog_config::Settings;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::failure::Failure;
use benchdog_domain::rewind::Rewind;
use benchdog_domain::view::{DiffLayout, DiffRoom};
use benchdog_protocol::{Answer, Archive, Command, Event, Everyday, Live, Order};
use benchdog_storage::StorageError;

const HISTORY: usize = 1_000;

impl Seats {
    #[expect(clippy::too_many_lines, reason = "a flat table, an arm each")]
    pub(super) async fn take_order(&mut self, engine: &mut Engine, order: Order) {
        let id = self.meant(order.seat);
        let Some(seat) = self.get(id) else { return };
        seat.heard();
        match order.command {
            // --- the turn ---
            Command::Prompt { text, .. } if seat.is_shut() => seat.give_back(engine, text).await,
            Command::Shell { command, .. } if seat.is_shut() => seat.give_back(engine, format!("!{command}")).await,
            Command::EditTodo { .. }
            | Command::EditPlan { .. }
            | Command::AcceptPlan
            | Command::SetModel { .. }
            | Command::SetAgent { .. }
            | Command::NextAgent
            | Command::SetTemperature { .. }
            | Command::SetThinking { .. }
            | Command::Retry
            | Command::Undo { .. }
            | Command::Redo
            | Command::Rewind {
                what: Rewind::Files | Rewind::Both,
                ..
            }
            | Command::Compact { .. }
            | Command::WeighSummary { .. }
            | Command::AcceptCompaction { .. }
            | Command::UndoCompaction
            | Command::Pin { .. }
            | Command::DropItem { .. }
            | Command::Everyday(Everyday::Review { .. } | Everyday::OpenPlan { .. })
                if seat.is_shut() =>
            {
                seat.say_shut(engine).await;
            }
            Command::Prompt { text, pasted, delivery } => {
                seat.note_prompt_of_person();
                seat.note_pasted(&text, pasted);
                seat.prompt(engine, text, delivery).await;
            }
            Command::Shell { command, typed } => seat.feed(engine, Happened::Shell { command, typed }).await,
            Command::Decide { call, decision, .. } if seat.is_of_server(&call) => {
                seat.answer_server(engine, &call, decision).await;
            }
            Command::Decide {
                call,
                edition,
                decision,
            } => seat.decide(engine, call, edition, decision).await,
            Command::Expire { call } => seat.expire(engine, call).await,
            Command::Retry => seat.feed(engine, Happened::Retry).await,
            Command::Undo { path } => seat.undo(engine, path).await,
            Command::Redo => seat.redo(engine).await,
            Command::ListRewindPoints => seat.list_rewind_points(engine).await,
            Command::Rewind {
                prompt,
                what: what @ (Rewind::Files | Rewind::Both),
            } => seat.rewind_files(engine, prompt, what).await,
            Command::Rewind {
                prompt,
                what: Rewind::Conversation,
            } => self.rewind_conversation(engine, id, prompt).await,
            Command::Interrupt => seat.feed(engine, Happened::Interrupt).await,
            Command::StopChild { call } => seat.stop_child(&call),
            Command::OutOfTime => seat.feed(engine, Happened::OutOfTime).await,
            Command::Unqueue => seat.feed(engine, Happened::Unqueue).await,
            Command::Compact { instructions } => seat.compact(engine, &instructions).await,
            Command::WeighSummary { summary } => seat.weigh_summary(engine, summary).await,
            Command::AcceptCompaction { summary } => seat.accept_compaction(engine, summary).await,
            Command::DropCompaction => seat.drop_compaction(engine).await,
            Command::SkipSummary => seat.skip_summary(engine).await,
            Command::UndoCompaction => seat.undo_compaction(engine).await,
            Command::Pin { entry, pinned } => seat.pin(engine, entry, pinned).await,
            Command::DropItem { entry } => seat.drop_item(engine, entry).await,
            Command::ListContext => seat.list_context(engine).await,
            Command::AcceptPlan => seat.accept_plan(engine).await,
            Command::EditPlan { text } => seat.feed(engine, Happened::PlanEdited { text }).await,
            Command::EditTodo { edit } => seat.feed(engine, Happened::TodoEdited { edit }).await,

            // --- the session ---
            Command::NewSession => self.replace(engine, id, OpenWhat::New).await,
            Command::Resume { session } => self.replace(engine, id, OpenWhat::Exactly(session)).await,
            Command::OpenBeside { session } => self.open_beside(engine, id, session).await,
            Command::Fork => self.fork(engine, id).await,
            Command::OpenWorktree { name } => engine.make_worktree((id, seat.folder()), name),
            Command::Merge { name } => engine.compare_worktree((id, seat.folder()), name),
            Command::ListWorktrees => engine.list_worktrees((id, seat.folder())),
            Command::RemoveWorktree { shown } => self.remove_worktree(engine, id, shown).await,
            Command::CloseSeat { if_busy } => self.close_one(engine, id, if_busy).await,
            Command::ListSessions => engine.list_sessions(id),
            Command::LoadEarlier { upto } => engine.load_earlier(id, seat.session().clone(), upto),
            Command::ShowChild { session } => self.show_child(engine, id, session).await,
            Command::LeaveChild => engine.watched = None,
            Command::SetModel { id: model } => self.set_model(engine, id, &model).await,
            Command::SetTemperature { value } => seat.set_temperature(engine, value).await,
            Command::SetThinking { level } => seat.set_thinking(engine, level).await,
            Command::ShowStatus => seat.show_status(engine).await,
            Command::Examine => engine.examine(id, seat.settings(), seat.model()),
            Command::SetAgent { name } => seat.choose_agent(engine, &name).await,
            Command::NextAgent => seat.next_agent(engine).await,
            Command::ListAgents => seat.list_agents(engine).await,
            Command::ListModels => engine.list_models(id, &Arc::clone(seat.settings()), seat.model()),
            Command::ListPermissions => self.list_permissions(engine, id).await,
            Command::Revoke { layer, rule } => self.revoke(engine, id, layer, &rule).await,
            Command::ShowJob { job } => seat.show_job(engine, job).await,
            Command::EndJob { job } => seat.end_job(job),
            Command::ListSkills => seat.list_skills(engine).await,
            Command::ListHooks => seat.list_hooks(engine).await,
            Command::ListServers => seat.list_servers(engine).await,
            Command::OrderServer { server, order } => seat.order_server(engine, server, order).await,
            Command::SwitchTool { tool, to } => seat.switch_tool(engine, tool, to).await,
            Command::UseServer { base_url, model, key } => {
                let chosen = Chosen::of(&base_url, model, key);
                self.use_server(engine, id, chosen).await;
            }
            Command::TestServer { base_url, key } => engine.test_server(id, seat.settings(), &base_url, &key),
            Command::LookForServers => {
                engine.show_configured(id, seat.settings(), seat.model()).await;
                engine.discover(id, Vec::new(), AtOnce::Never);
            }
            Command::PullModel => self.pull_model(engine, id),
            Command::StartService => engine.start_service(id, seat.model().as_ref()),
            Command::Trust { trusted, scope } => self.on_trust(engine, id, trusted, scope).await,

            Command::Reload => self.on_reload(engine, id).await,
            Command::ListSettings => engine.list_settings(id, seat.folder()).await,
            Command::Configure { path, written } => self.configure(engine, id, &path, &written).await,

            // --- saved input ---
            Command::Typing => seat.load_ahead(engine),
            Command::SaveDraft { text } => {
                if let Some(before) = seat.own_draft() {
                    post(engine.setup.storage.save_draft(&before, ""));
                }
                post(engine.setup.storage.save_draft(seat.draft(), &text));
            }
            Command::SaveReviewTexts { text } => post(engine.setup.storage.save_draft(&seat.review_draft(), &text)),
            Command::RememberPrompt { text } => {
                if let Some(terminal) = &engine.setup.holder.tty {
                    post(engine.setup.storage.use_in_terminal(terminal, seat.session()));
                }
                post(engine.setup.storage.remember_prompt(&text));
            }
            Command::LoadHistory => engine.load_history(id).await,
            Command::KeepDiffLayout { room, layout } => {
                post(engine.setup.storage.keep_view(name_of(room), layout.name()));
            }
            Command::LoadDiffLayouts => engine.load_diff_layouts(id).await,

            // --- files ---
            Command::ListFolder { path } => engine.list_folder((id, seat.folder()), path),
            Command::FindFiles { query, limit } => {
                let resources = seat.resources(&query, limit);
                let of = (id, seat.folder());
                engine.find_files(of, (query, limit), resources, &mut seat.mention_lookup);
            }
            Command::FilterTree(query) => {
                let of = (id, seat.folder());
                engine.filter_tree(of, query, &mut seat.tree_lookup);
            }
            Command::FindValues(behind) => seat.find_values(engine, behind),
            Command::OpenFile { path } => engine.open_file((id, seat.folder()), path),
            Command::Count { number, files } => {
                let (of, session) = ((id, seat.folder()), seat.session().clone());
                engine.count_changes(of, session, number, files);
            }
            Command::Compare { files } => engine.compare((id, seat.folder()), seat.session().clone(), files),
            Command::Archive(Archive::Rename { .. }) if seat.is_shut() => seat.say_shut(engine).await,
            Command::Archive(wanted) => self.archive(engine, id, wanted).await,
            Command::Everyday(Everyday::Review { .. }) if seat.model().is_none() => {
                engine.live(id, Live::Error(Failure::NoModel)).await;
            }
            Command::Everyday(Everyday::Watch { to }) => self.switch_watch(engine, id, to).await,
            Command::Everyday(Everyday::Voice(order)) => seat.order_voice(engine, order).await,
            Command::Everyday(wanted) => engine.everyday(seat, wanted),
        }
    }
}

fn name_of(room: DiffRoom) -> &'static str {
    match room {
        DiffRoom::Wide => "diff.layout",
        DiffRoom::Narrow => "diff.layout.narrow",
    }
}

impl Engine {
    /// Sends the saved diff layouts. Runs in the engine's task, because another task with a storage handle would delay
    /// the last writes at exit.
    async fn load_diff_layouts(&self, seat: SeatId) {
        for room in [DiffRoom::Wide, DiffRoom::Narrow] {
            match self.setup.storage.view(name_of(room)).await {
                Ok(kept) if kept.is_empty() => {}
                Ok(kept) => match DiffLayout::of(&kept) {
                    Some(layout) => self.answer(seat, Answer::DiffLayout { room, layout }).await,
                    None => tracing::warn!(%kept, "a view of diffs that is not known is left out"),
                },
                Err(error) => tracing::warn!(code = error.code(), "how diffs were shown last is not known"),
            }
        }
    }

    /// Runs the health checks on a separate task, because servers may be slow.
    fn examine(&self, seat: SeatId, settings: &Arc<Settings>, model: Option<ModelRef>) {
        let examination = (self.setup.examiner)(Arc::clone(settings), model);
        let line = self.line(seat);
        tokio::spawn(async move {
            let checks = examination.await;
            line.tell(Event::Answer(Answer::Health(checks))).await;
        });
    }

    fn list_sessions(&self, seat: SeatId) {
        let storage = self.setup.storage.clone();
        let line = self.line(seat);
        tokio::spawn(async move {
            let event = match storage.list().await {
                Ok(sessions) => {
                    let in_use = storage.in_use().await.unwrap_or_default();
                    Event::Answer(Answer::Sessions { sessions, in_use })
                }
                Err(error) => Event::Live(Live::Error(error.failure())),
            };
            line.tell(event).await;
        });
    }

    fn load_earlier(&self, seat: SeatId, session: SessionId, upto: EntryId) {
        let storage = self.setup.storage.clone();
        let line = self.line(seat);
        tokio::spawn(async move {
            let read = storage.read_earlier(&session, upto).await;
            let entries = match read {
                Ok(entries) => entries,
                Err(error) => {
                    line.tell(Event::Live(Live::Error(error.failure()))).await;
                    Vec::new()
                }
            };
            line.tell(Event::Answer(Answer::Earlier(entries))).await;
        });
    }

    /// Adds the unsent prompts of killed sessions to the prompt history. Skips the draft named `shown`, because the
    /// prompt input already contains its text.
    pub(super) async fn remember_drafts(&self, folder: &str, shown: &str) {
        let storage = &self.setup.storage;
        for (name, text) in storage.drafts_of(&drafts_beside(folder)).await.unwrap_or_default() {
            if name != shown && storage.remember_prompt(&text).await.is_ok() {
                storage.forget_first_prompt(&name);
                post(storage.save_draft(&name, ""));
            }
        }
    }

    pub(super) async fn load_history(&self, seat: SeatId) {
        match self.setup.storage.history(HISTORY).await {
            Ok(prompts) => self.answer(seat, Answer::History(prompts)).await,
            Err(error) => self.storage_failed(seat, &error).await,
        }
    }
}

fn post(change: impl Future<Output = Result<(), StorageError>>) {
    // The first poll queues the change. The result is not needed, because it only confirms that the change was stored.
    let _ = change.now_or_never();
}
