//! Handles the engine's answers and questions.

use std::sync::Arc;

use super::facts::show_in_panes;
use crate::commands;
use crate::dialogs::Dialog;
use crate::dialogs::compaction::CompactionPreview;
use crate::dialogs::picker::{PickerItem, PickerKind, PickerValue};
use crate::dialogs::pull::PullCard;
use crate::dialogs::service::ServiceCard;
use crate::dialogs::trust::TrustCard;
use crate::layout::Pane;
use crate::op::Op;
use crate::panes::todo::Bar;
use crate::screen::TurnView;
use crate::state::{AfterOpen, Sight, State};
use crate::update::dialogs::{open_picker, written};
use crate::update::prompt::draft;
use crate::update::title::title;
use crate::update::{
    archive, commit, jobs, loops, marking, open_at, panes, seats, session, settings, setup, switchboard, voice, wizard,
    worktrees,
};
use benchdog_base::clock::Time;
use benchdog_base::text::clean;
use benchdog_domain::agent::{AgentOffer, ModelOffer, ModelRef};
use benchdog_domain::comparison::{Compared, Comparison, NoComparison};
use benchdog_domain::entry::Entry;
use benchdog_domain::failure::Failure;
use benchdog_domain::permission::{ANSWERED, Layer, Rule};
use benchdog_domain::review::{FileChange, FileNote};
use benchdog_domain::rewind::RewindPoint;
use benchdog_domain::server::Values;
use benchdog_domain::server_error::ServerError;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::skill::{OfferKind, SkillOffer, SkillState};
use benchdog_domain::view::Viewed;
use benchdog_domain::voice::VoiceState;
use benchdog_keys::Keymap;
use benchdog_lang::{self as lang, Taken, Word, word};
use benchdog_protocol::{Answer, Behind, Command, Delivery, FolderItem, Look, Opened, PlanFile, Preview, PullState};
use benchdog_transcript::one_line;

#[expect(clippy::too_many_lines, reason = "a flat table, an arm each")]
pub(super) fn answer(state: &mut State, answer: Answer, ops: &mut Vec<Op>) {
    match answer {
        Answer::Opened(session) => opened(state, &session, ops),
        Answer::Draft { text, written } => draft_came_back(state, &text, written),
        Answer::Previous { title, updated } => {
            state.screen.session.previous = Some((title, updated));
            state.dirty = true;
        }
        Answer::Replaced(seat) => seats::replaced(state, seat),
        Answer::Beside(seat) => seats::beside(state, seat, ops),
        Answer::Closed => switchboard::stays_open(state, |state| seats::closed(state, ops)),
        Answer::Earlier(log) => {
            marking::end(state);
            earlier(state, &log);
        }
        Answer::Look(look) => looks(state, look, ops),
        Answer::Unqueued { text } => state.screen.prompt.take_back(&text),
        Answer::GivenBack(texts) => state.screen.prompt.take_all_back(&texts),
        Answer::TooLarge { prompt, over } => {
            loops::failed(state);
            state.screen.prompt.take_back(&prompt);
            state.failed(&Failure::ContextFull(over));
        }
        // Another answer restores the text of the prompt.
        Answer::NotBegun { .. } => loops::failed(state),
        Answer::CompactionReady(preview) => summary_ready(state, preview),
        Answer::SummaryWeighed(preview) => weighed(state, preview),
        Answer::Context(items) => state.screen.context.list(items),
        Answer::Unread { prompt, mentions } => {
            loops::failed(state);
            state.screen.prompt.take_back(&prompt);
            state.failed(&Failure::MentionUnread { mentions });
        }
        Answer::Status(status) => session::show(state, &status),
        Answer::Health(checks) => session::show_health(state, &checks),
        Answer::RewindPoints(points) => fill_rewind_points(state, points),
        Answer::Sessions { sessions, in_use } => switchboard::on_disk(state, sessions, in_use),
        Answer::Worktrees(listed) => worktrees::listed(state, listed),
        Answer::Models {
            offers,
            current,
            failed,
        } => fill_models(state, offers, current, &failed),
        Answer::Agents(agents) => fill_agents(state, agents),
        Answer::Skills(skills) => fill_skills(state, skills, ops),
        Answer::Invocable(skills) => draft::learn_skills(state, &skills, ops),
        Answer::Hooks(hooks) => session::show_hooks(state, &hooks),
        Answer::Servers(servers) => session::show_servers(state, &servers, ops),
        Answer::Settings(listed) => settings::listed(state, listed),
        Answer::SettingRefused { why } => settings::refused(state, &why),
        Answer::CheckSwitched(to) => state.say(commands::check_switched(to), false),
        Answer::Watching(answer) => {
            let (text, is_error) = commands::watching(&answer);
            state.say(text, is_error);
        }
        Answer::Voice(report) => voice::report(state, report, ops),
        Answer::Permissions(rules) => fill_permissions(state, &rules),
        Answer::History(prompts) => state.screen.prompt.learn(prompts),
        // A layout that the user has chosen in the meantime takes precedence.
        Answer::DiffLayout { room, layout } => {
            state.diff_layouts.at_mut(room).get_or_insert(layout);
        }
        Answer::JobOutput { job, text } => jobs::wrote(state, job, text),
        Answer::Folder { path, items } => listed(state, &path, items, ops),
        Answer::Found {
            query,
            paths,
            resources,
            scanning,
        } => {
            state.screen.prompt.found(&query, &paths, &resources, scanning);
        }
        Answer::Tree(left) => state.screen.files.narrow(left),
        Answer::Values(behind, values) => found_values(state, &behind, values),
        Answer::File { path, text } => viewed(state, &path, text),
        // This answer is handled by the conversation view of the subagent.
        Answer::Child { .. } => {}
        Answer::Counted { number, files } => state.screen.changes.counted(number, &files),
        Answer::Compared(changes) => {
            let title = word(Word::DiffOfSession).to_owned();
            panes::differs(state, changes, title, word(Word::NoDifference));
        }
        Answer::Initial { prompt } => initial(state, prompt, ops),
        Answer::Plan(file) => plan_file(state, file),
        Answer::Archive(archived) => archive::answer(state, archived, ops),
        Answer::Commit(read) => commit::read(state, read),
        Answer::StagedNow(now) => commit::looked(state, now, ops),
        Answer::Unstaged(read) => commit::looked_beside(state, read, ops),
        Answer::NotReviewed(why) => {
            let said = why.as_ref().map(lang::no_comparison);
            state.screen.conversation.follow();
            (state.screen.conversation).remark(said.as_deref().unwrap_or(word(Word::NothingDiffers)));
        }
        Answer::Differs(comparison) => differs(state, comparison, ops),
        Answer::TrustAsked {
            files,
            unbound,
            repository,
        } => {
            state.screen.trust = Some(TrustCard {
                files,
                unbound,
                repository,
            });
        }
        Answer::ServiceOffered { place, command } => state.screen.service = Some(ServiceCard { place, command }),
        Answer::PullOffered { model, names } => state.screen.pull = Some(PullCard::offer(model, names)),
        Answer::Pull { model, state: pull } => pulled(state, model, pull),
        Answer::FirstStart { found } => {
            setup::found(state, found);
            wizard::found(state);
        }
        Answer::ConfiguredServer { base_url } => setup::configured(state, &base_url),
        Answer::ServerTested { base_url, models } => setup::tested(state, &base_url, models),
    }
}

/// Updates the card of a download. When the download has ended, replaces the card by a message in the conversation.
fn pulled(state: &mut State, model: ModelRef, pull: PullState) {
    let names = state.screen.pull.take().map(|card| card.names).unwrap_or_default();
    let card = PullCard {
        model,
        names,
        state: Some(pull),
    };
    match card.state {
        Some(PullState::Done | PullState::Unsupported | PullState::Offline) => {
            state.screen.conversation.remark(&card.rows("").join(" "));
        }
        _ => state.screen.pull = Some(card),
    }
}

fn listed(state: &mut State, path: &str, items: Vec<FolderItem>, ops: &mut Vec<Op>) {
    let has_changes = state.screen.changes.listed(path, &items);
    let bare = state.screen.files.list(path, items).into_iter();
    ops.extend(bare.map(|path| Op::Send(Command::ListFolder { path })));
    if has_changes {
        state.screen.changes.may_differ();
    }
}

/// Restores the saved draft, unless the user has already typed something.
fn draft_came_back(state: &mut State, text: &str, written: Option<Time>) {
    if !state.screen.prompt.buffer.is_empty() {
        return;
    }
    state.screen.prompt.bring(text);
    if let Some(written) = written {
        state.tell(lang::draft_is_back(written, state.now, &state.zone));
    }
}

/// Shows values for an argument of an MCP prompt. If the server is not running, shows a message.
fn found_values(state: &mut State, behind: &Behind, values: Values) {
    match values {
        Values::NotYet => {
            let here = behind
                .called
                .split_once(':')
                .filter(|_| state.screen.prompt.is_behind(behind));
            if let Some((server, _)) = here {
                state.say(lang::message::values_not_yet(server), false);
            }
        }
        Values::Known { values, left_out } => state.screen.prompt.found_values(behind, &values, left_out),
    }
}

fn plan_file(state: &mut State, file: PlanFile) {
    let said = match file {
        PlanFile::Exported(Ok(path)) => return state.say(lang::plan_exported(&path), false),
        PlanFile::Exported(Err(why)) => return state.say(lang::plan_not_exported(&why), true),
        PlanFile::Opened(Ok(path)) => return state.say(lang::plan_opened(&path), false),
        PlanFile::Opened(Err(why)) => lang::no_plan_file(&why),
        PlanFile::Listed(names) => lang::plans(&names),
    };
    state.screen.conversation.follow();
    state.screen.conversation.remark(&said);
}

fn summary_ready(state: &mut State, preview: Preview) {
    state.screen.context.awaited = false;
    let free = state.screen.dialog.is_none() && state.screen.prompt.buffer.is_empty() && !state.screen.turn.busy();
    if free && state.sight == Sight::Shown {
        state.screen.dialog = Some(Dialog::Compaction(CompactionPreview::new(preview)));
    } else {
        state.screen.context.ready = Some(preview);
        state.say(word(Word::SummaryReady), false);
    }
}

/// Shows a summary again, because the accepted summary does not fit into the context window.
fn weighed(state: &mut State, preview: Preview) {
    match &mut state.screen.dialog {
        Some(Dialog::Compaction(shown)) => shown.preview = preview,
        _ => summary_ready(state, preview),
    }
}

/// Applies the display settings of a trusted project. The key bindings were validated when the settings were read.
fn looks(state: &mut State, look: Look, ops: &mut Vec<Op>) {
    state.keymap = Keymap::with(&look.keys).0;
    if state.mouse != look.mouse {
        state.mouse = look.mouse;
        ops.push(Op::Mouse { capture: look.mouse });
    }
    state.themes.configure(look.theme);
    state.screen.prompt.edit_as_vi(look.vim);
    state.confirm_exit = look.confirm_exit;
    state.alt_decides = look.alt_decides;
}

fn opened(state: &mut State, opened: &Opened, ops: &mut Vec<Op>) {
    let meta = opened.meta.clone();
    let copy = is_copy_of_open(state, &meta).then(|| lang::message::copy_opened(&clean(&meta.title)));
    state.screen.session.id = Some(meta.id);
    state.screen.session.title = meta.title;
    state.screen.session.workspace = meta.workspace;
    state.screen.session.worktree.clone_from(&opened.worktree);
    state.screen.session.model = opened.model.clone();
    state.screen.session.agent = meta.agent;
    state.screen.session.plan = opened.plan.as_ref().map(|plan| plan.text.clone());
    // A recording belongs to the previous session, so the recording ends.
    state.screen.voice = VoiceState::Off;
    state.screen.jobs.clear();
    loops::session_ended(state);
    state.screen.turn = TurnView::idle(state.now);
    state.screen.approvals.clear();
    state.screen.changes.clear();
    state.screen.files.forget_marks();
    state.screen.todo = Default::default();
    state.screen.context.close();
    state.screen.context.awaited = false;
    state.screen.context.ready = None;
    // The engine reports the queued prompts of this session after this answer.
    state.screen.prompt.queued = Vec::new();
    draft::learn_skills(state, &opened.skills, ops);
    state.screen.conversation.tools = Arc::clone(&opened.tools);
    state.screen.conversation.open(&opened.entries, opened.gone);
    for entry in &opened.entries {
        show_in_panes(state, entry);
    }
    for said in state.greeting.take().into_iter().chain(copy) {
        state.screen.conversation.remark(&said);
    }
    state.screen.changes.resumed();
    panes::to_pane(state, Pane::Prompt);
    state.screen.todo.set(opened.todo.clone(), Bar::Follows);
    open_at::go_to(state);
    if state.after_open.take_if(|after| *after == AfterOpen::List).is_some() {
        switchboard::open(state, ops);
    }
    title(state, ops);
}

/// Whether the session is new in this window, and `/fork` or `/rewind` has copied it from another open session.
fn is_copy_of_open(state: &State, meta: &SessionMeta) -> bool {
    let is_here = state.screen.session.id.as_ref() == Some(&meta.id);
    let Some(from) = meta.forked_from.as_ref().filter(|_| !is_here) else {
        return false;
    };
    let others = state.parked.values().map(|parked| &parked.session);
    let mut open = others.chain([&state.screen.session]);
    open.any(|session| session.id.as_ref() == Some(&from.session))
}

fn earlier(state: &mut State, log: &[Arc<Entry>]) {
    state.screen.conversation.read_again(log);
    open_at::go_to(state);
    if let Some(Dialog::Viewer(viewer)) = state.screen.dialog.as_mut()
        && viewer.text.is_none()
        && let Some(entry) = viewer.entry
    {
        let text = state.screen.conversation.text_of(entry);
        viewer.fill(text.map(Into::into).ok_or_else(|| word(Word::NothingToShow).to_owned()));
    }
}

fn fill_agents(state: &mut State, agents: Vec<AgentOffer>) {
    let item = |offer: AgentOffer| PickerItem {
        text: clean(&offer.agent.0).into_owned(),
        detail: clean(lang::about_agent(&offer)).into_owned(),
        current: offer.current,
        value: PickerValue::Agent(offer.agent),
    };
    if let Some(picker) = open_picker(state, PickerKind::Agents) {
        picker.fill(agents.into_iter().map(item).collect(), String::new());
    }
}

fn fill_models(state: &mut State, offers: Vec<ModelOffer>, current: Option<ModelRef>, failed: &[ServerError]) {
    let item = |offer: ModelOffer| PickerItem {
        text: clean(&offer.model.short()).into_owned(),
        detail: offer.context.map(lang::window).unwrap_or_default(),
        current: Some(&offer.model) == current.as_ref(),
        value: PickerValue::Model(offer.model.to_string()),
    };
    let failed: Vec<_> = failed.iter().map(lang::server_error).collect();
    let note = clean(&failed.join(" ")).into_owned();
    let servers = state
        .screen
        .first_start
        .as_ref()
        .map(|card| setup::items(&card.found))
        .unwrap_or_default();
    if let Some(picker) = open_picker(state, PickerKind::Models) {
        let items = offers.into_iter().map(item).chain(servers).collect();
        picker.fill(items, note);
    }
}

fn fill_rewind_points(state: &mut State, points: Vec<RewindPoint>) {
    let now = state.now;
    let Some(picker) = open_picker(state, PickerKind::RewindPoints) else {
        return;
    };
    if points.is_empty() {
        state.screen.dialog = None;
        return state.say(word(Word::NoRewindPoints), false);
    }
    // Rewinding to a prompt also undoes the file changes of all later prompts.
    let mut files_change = false;
    let item = |point: RewindPoint| {
        files_change |= point.files > 0;
        PickerItem {
            text: one_line(&clean(&point.text)),
            detail: lang::rewind_point(&point, now),
            current: false,
            value: PickerValue::RewindPoint {
                prompt: point.prompt,
                files_change,
                head: point.head.map(Box::new),
            },
        }
    };
    picker.fill(
        points.into_iter().map(item).collect(),
        word(Word::RewindKeys).to_owned(),
    );
}

fn fill_skills(state: &mut State, skills: Vec<SkillOffer>, ops: &mut Vec<Op>) {
    draft::learn_skills(state, &skills, ops);
    let item = |skill: SkillOffer| PickerItem {
        text: clean(&called(&skill)).into_owned(),
        detail: clean(&lang::skill(&skill, taken(&skill.name))).into_owned(),
        current: skill.state == SkillState::Loaded,
        value: PickerValue::Skill(skill.name),
    };
    if let Some(picker) = open_picker(state, PickerKind::Skills) {
        let note = if skills.is_empty() { word(Word::FirstSkill) } else { "" };
        picker.fill(skills.into_iter().map(item).collect(), note.to_owned());
    }
}

fn called(skill: &SkillOffer) -> String {
    let (name, description) = (&skill.name, &skill.description);
    match skill.kind {
        // A skill that cannot be called with `/` is shown without the slash.
        OfferKind::Skill if !commands::invokes(skill) => format!("{name}  {description}"),
        OfferKind::Skill => format!("/{name}  {description}"),
        OfferKind::Command | OfferKind::Prompt if skill.hint.is_empty() => format!("/{name}  {description}"),
        OfferKind::Command | OfferKind::Prompt => format!("/{name} {}  {description}", skill.hint),
    }
}

fn taken(name: &str) -> Taken {
    if commands::is_command(name) {
        Taken::ByCommand
    } else {
        Taken::Free
    }
}

fn fill_permissions(state: &mut State, rules: &[(Layer, Rule)]) {
    let item = |(layer, rule): &(Layer, Rule)| PickerItem {
        text: written(rule),
        detail: match layer {
            Layer::Session if rule.origin != ANSWERED => {
                format!("{} · {}", lang::layer(*layer), clean(&rule.origin))
            }
            Layer::Default | Layer::Remembered | Layer::Session => lang::layer(*layer).to_owned(),
            _ => clean(&rule.origin).into_owned(),
        },
        current: is_answer(*layer),
        value: PickerValue::Rule {
            layer: *layer,
            rule: rule.clone(),
        },
    };
    let revocable = rules.iter().any(|(layer, _)| is_answer(*layer));
    let note = if revocable { word(Word::TakesBack) } else { "" };
    if let Some(picker) = open_picker(state, PickerKind::Permissions) {
        let at = picker.cursor;
        picker.fill(rules.iter().map(item).collect(), note.to_owned());
        if picker.filter.is_empty() {
            picker.cursor = at;
        }
    }
}

fn viewed(state: &mut State, path: &str, read: Result<Viewed, String>) {
    if let Some(Dialog::Viewer(viewer)) = state.screen.dialog.as_mut()
        && viewer.path == path
    {
        viewer.fill(read.map(|viewed| match viewed {
            Viewed::Text(text) => text,
            Viewed::NoText(file) => lang::no_text(&file).into(),
        }));
    }
}

fn is_answer(layer: Layer) -> bool {
    matches!(layer, Layer::Remembered | Layer::Session)
}

/// Sends the generated prompt of `/init` as pasted text, so that an `@` in file names is not a mention.
fn initial(state: &mut State, prompt: String, ops: &mut Vec<Op>) {
    state.screen.conversation.follow();
    // The model answers in the language of this first sentence.
    let prompt = format!("{}\n\n{prompt}", lang::word(lang::Word::InitLook));
    let pasted = std::iter::once(0..prompt.len()).collect();
    ops.push(Op::Send(Command::Prompt {
        text: prompt,
        pasted,
        delivery: Delivery::Queue,
    }));
}

/// Shows the result of `/diff`. If there are too many files, a message shows the number of omitted files.
fn differs(state: &mut State, comparison: Result<Comparison, NoComparison>, ops: &mut Vec<Op>) {
    let said = |why: &NoComparison| lang::no_comparison(why);
    let (changes, more, title) = match comparison {
        Ok(Comparison { of, files, more }) => {
            let changes = files.into_iter().map(noted).collect();
            (changes, more, lang::diff_of(&of))
        }
        Err(why) => {
            // Put the command back into the prompt, so that the user can correct it.
            draft::bring_back(state, |sent| sent.starts_with("/diff"), ops);
            state.say(said(&why), true);
            return panes::no_difference(state);
        }
    };
    panes::differs(state, changes, title, word(Word::NothingDiffers));
    if more > 0 {
        state.say(lang::message::comparison_more(more), true);
    }
}

fn noted(compared: Compared) -> FileChange {
    let note = compared.unread.as_ref().map(lang::unread).map(FileNote::Words);
    FileChange {
        note,
        ..compared.change
    }
}
