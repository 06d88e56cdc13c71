//! Runs the hooks of an event one after the other. Each hook sees the call as earlier hooks have changed it. Hooks can
//! deny a call, but not allow it.

mod protocol;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::engine::Line;
use super::input::HookAnswer;
use benchdog_base::clock::Time;
use benchdog_domain::awaited::{Awaited, Who};
use benchdog_domain::hook::{Hook, HookEvent, HookFailed, HookOffer, HookRun, HookSaid};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Layer, ToolRules};
use benchdog_domain::pin::Differs;
use benchdog_domain::tool_list::is_meant;
use benchdog_protocol::{Event, Live};
use benchdog_security::pins;
use benchdog_security::redact::Redactor;
use benchdog_security::workspace::Workspace;
use benchdog_tools::Stop;
use benchdog_tools::confinement::{Confined, Confines};
use benchdog_tools::program::{self, Around, Program};
use protocol::Answered;

/// Maximum number of bytes in the output of a hook.
pub(crate) const MOST_OUTPUT: usize = 1 << 20;

const BETWEEN_LINES: &str = " · ";

pub(super) struct Asked {
    pub(super) event: HookEvent,
    pub(super) tool: Option<ToolRules>,
    /// Fields of the event, as JSON.
    pub(super) about: Map<String, Value>,
    pub(super) arguments: Option<Map<String, Value>>,
}

/// The last run of each hook, by the hook's index in the configuration.
pub(super) type Runs = Arc<Mutex<BTreeMap<usize, HookRun>>>;

#[derive(Clone)]
pub(super) struct Asker {
    pub(super) hooks: Arc<[Hook]>,
    pub(super) runs: Runs,
    pub(super) around: Around,
    /// The sandbox for hooks of a folder, and the folder's workspace.
    pub(super) sandbox: (Confines, Arc<Workspace>),
    pub(super) root: PathBuf,
    pub(super) home: Option<PathBuf>,
    pub(super) redactor: Redactor,
    /// Stops the folder's hooks when trust in the folder is revoked.
    pub(super) withdrawn: Stop,
    pub(super) session: Map<String, Value>,
    /// The channel for telling the person which hook the turn waits for. `None` for hooks that no turn waits for.
    pub(super) line: Option<Line>,
}

impl Asker {
    pub(super) fn has(&self, event: HookEvent, tool: Option<&ToolRules>) -> bool {
        has(&self.hooks, event, tool)
    }

    /// Runs all hooks for the event and combines their answers. Stops at the first denial.
    pub(super) async fn ask(&self, mut asked: Asked, stop: &Stop) -> HookAnswer {
        let mut answer = HookAnswer::default();
        for (place, hook) in self.hooks.iter().enumerate() {
            if !is_about(hook, asked.event, asked.tool.as_ref()) || stop.is_said() {
                continue;
            }
            let Some(said) = self.run(place, hook, &asked, stop).await else {
                continue;
            };
            answer.told.extend(said.said.into_iter().map(|said| notice(hook, said)));
            if let Some(note) = said.note {
                answer.notes.push(noted(&hook.name, &note));
            }
            if let Some(arguments) = said.arguments {
                answer.notes.push(rewritten(&hook.name, &arguments, &self.redactor));
                asked.arguments = Some(arguments.clone());
                answer.arguments = Some((hook.name.clone(), arguments));
            }
            if let Some(reason) = said.denies {
                answer.denied = Some((hook.name.clone(), reason));
                break;
            }
        }
        answer
    }

    /// Runs the `status_line` hooks. Returns their output joined to one line, and notices of failures.
    pub(super) async fn status_line(&self, facts: Map<String, Value>, stop: &Stop) -> (String, Vec<Notice>) {
        let asked = Asked {
            event: HookEvent::StatusLine,
            tool: None,
            about: facts,
            arguments: None,
        };
        let (mut lines, mut failures) = (Vec::new(), Vec::new());
        for (place, hook) in self.hooks.iter().enumerate() {
            if hook.event != asked.event || stop.is_said() {
                continue;
            }
            let Some(heard) = self.run(place, hook, &asked, stop).await else {
                continue;
            };
            lines.extend(heard.line.filter(|line| !line.is_empty()));
            failures.extend(heard.said.into_iter().map(|said| notice(hook, said)));
        }
        (lines.join(BETWEEN_LINES), failures)
    }

    /// Runs one hook and records the run. Returns `None` if the trust in the hook's folder was revoked in the meantime.
    async fn run(&self, place: usize, hook: &Hook, asked: &Asked, stop: &Stop) -> Option<Heard> {
        let began = Time::now();
        self.tell_of_wait(hook, Live::WaitBegan).await;
        // If trust is revoked, ignore the answer of a hook from the folder.
        let said = tokio::select! {
            biased;
            () = self.withdrawn.stopped(), if hook.layer == Layer::Project => None,
            said = self.said(hook, asked, stop) => Some(said),
        };
        self.tell_of_wait(hook, Live::WaitEnded).await;
        let said = said?;
        let run = HookRun {
            at: began,
            took_ms: Time::now().since(began),
            said: said.said.clone(),
        };
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.insert(place, run);
        Some(said)
    }

    async fn tell_of_wait(&self, hook: &Hook, told: fn(Awaited) -> Live) {
        if let Some(line) = &self.line {
            let awaited = Awaited {
                who: Who::Hook(hook.name.clone()),
                most_ms: hook.timeout_ms,
            };
            line.tell(Event::Live(told(awaited))).await;
        }
    }

    async fn said(&self, hook: &Hook, asked: &Asked, stop: &Stop) -> Heard {
        let answered = match self.program(hook, asked).await {
            Ok(program) => protocol::read(hook, &program::run(program, &self.around, stop).await),
            Err(why) => Err(why),
        };
        match answered {
            Ok(answered) => Heard::of(answered, &self.redactor),
            Err(why) => Heard::failed(hook, why, &self.redactor),
        }
    }

    /// Returns the program of a hook. Fails if the hook belongs to the folder and the files of the hook differ from
    /// those that the person trusted.
    async fn program(&self, hook: &Hook, asked: &Asked) -> Result<Program, HookFailed> {
        let (pinned, root) = (hook.pinned.clone(), self.root.clone());
        let same = tokio::task::spawn_blocking(move || pins::same(&root, &pinned).map_err(not_trusted)).await;
        same.unwrap_or_else(|error| {
            let error = error.to_string();
            Err(HookFailed::NotStarted { error })
        })?;
        let [word, arguments @ ..] = hook.command.as_slice() else {
            let error = "it names no program".to_owned();
            return Err(HookFailed::NotStarted { error });
        };
        // A relative path in a hook of the person's configuration must not refer to the project folder.
        let base = match hook.layer {
            Layer::Project => self.root.as_path(),
            _ => Path::new(&hook.file).parent().unwrap_or(Path::new("/")),
        };
        let program = program::resolved(word, base, self.home.as_deref());
        let confined = match hook.layer {
            Layer::Project => self.confined().await?,
            _ => None,
        };
        Ok(Program {
            program: program.map_err(|error| HookFailed::NotStarted { error })?,
            arguments: arguments.to_vec(),
            folder: self.root.clone(),
            input: self.input(hook, asked),
            limit: Duration::from_millis(hook.timeout_ms),
            most: MOST_OUTPUT,
            confined,
        })
    }

    /// Returns the sandbox. A hook runs without approval, so it must always run in the sandbox.
    async fn confined(&self) -> Result<Option<Confined>, HookFailed> {
        let (confines, workspace) = self.sandbox.clone();
        let confined = tokio::task::spawn_blocking(move || confines.confined(&workspace));
        let confined = confined.await.unwrap_or_else(|error| Err(error.to_string()));
        confined.map_err(|error| HookFailed::NotStarted { error })
    }

    pub(super) fn left_out(&self, asked: &Asked, most: usize) -> Vec<Notice> {
        let hooks = self.hooks.iter();
        let about = hooks.filter(|hook| is_about(hook, asked.event, asked.tool.as_ref()));
        let left_out = HookSaid::Failed {
            why: HookFailed::TooMany { most: most as u64 },
            denies: false,
        };
        about.map(|hook| notice(hook, left_out.clone())).collect()
    }

    fn input(&self, hook: &Hook, asked: &Asked) -> String {
        let mut input = Map::new();
        input.insert("version".to_owned(), json!(1));
        input.insert("hook_event_name".to_owned(), json!(asked.event.name()));
        input.insert("hook".to_owned(), json!(hook.name));
        input.extend(self.session.clone());
        input.extend(asked.about.clone());
        if let Some(arguments) = &asked.arguments {
            input.insert("tool_input".to_owned(), json!(arguments));
        }
        Value::Object(input).to_string() + "\n"
    }

    pub(super) fn offers(hooks: &[Hook], runs: &Runs) -> Vec<HookOffer> {
        let runs = runs.lock().unwrap_or_else(PoisonError::into_inner);
        let offer = |(place, hook): (usize, &Hook)| HookOffer {
            event: hook.event,
            name: hook.name.clone(),
            tools: hook.tools.clone(),
            command: hook.command.clone(),
            origin: hook.origin.clone(),
            last: runs.get(&place).cloned(),
        };
        hooks.iter().enumerate().map(offer).collect()
    }
}

struct Heard {
    said: Vec<HookSaid>,
    note: Option<String>,
    arguments: Option<Map<String, Value>>,
    denies: Option<String>,
    line: Option<String>,
}

impl Heard {
    fn of(answered: Answered, redactor: &Redactor) -> Self {
        let clean = |text: String| redactor.text(&text).into_owned();
        let Answered {
            denied,
            arguments,
            note,
            message,
            line,
        } = answered;
        let line = line.map(clean);
        let (denies, note) = (denied.map(clean), note.map(clean));
        let mut said = Vec::new();
        said.extend(message.map(clean).map(|text| HookSaid::Told { text }));
        said.extend(note.clone().map(|text| HookSaid::Noted { text }));
        said.extend(arguments.as_ref().map(|arguments| HookSaid::Rewrote {
            arguments: protocol::short(&redactor.text(&json!(arguments).to_string())),
        }));
        said.extend(denies.clone().map(|reason| HookSaid::Denied { reason }));
        Self {
            said,
            note,
            arguments,
            denies,
            line,
        }
    }

    fn failed(hook: &Hook, why: HookFailed, redactor: &Redactor) -> Self {
        // Deny the call if the hook's file has changed. Otherwise a hook that guards calls could be disabled.
        let is_changed = matches!(why, HookFailed::Changed { .. } | HookFailed::Unpinned { .. });
        let denies = hook.event.may_deny() && why != HookFailed::Stopped && (hook.strict || is_changed);
        let why = cleaned(why, redactor);
        Self {
            said: vec![HookSaid::Failed { why, denies }],
            note: None,
            arguments: None,
            denies: denies.then(|| "the hook could not be asked, and counts as a denial then".to_owned()),
            line: None,
        }
    }
}

fn notice(hook: &Hook, said: HookSaid) -> Notice {
    Notice::Hook {
        hook: hook.name.clone(),
        event: hook.event,
        said,
    }
}

pub(super) fn has(hooks: &[Hook], event: HookEvent, tool: Option<&ToolRules>) -> bool {
    hooks.iter().any(|hook| is_about(hook, event, tool))
}

fn is_about(hook: &Hook, event: HookEvent, tool: Option<&ToolRules>) -> bool {
    let means = |tool: &ToolRules| hook.tools.iter().any(|pattern| is_meant(pattern, tool));
    hook.event == event && (hook.tools.is_empty() || tool.is_some_and(means))
}

fn not_trusted(differs: Differs) -> HookFailed {
    match differs {
        Differs::Changed { file } => HookFailed::Changed { file },
        Differs::Unknown { file, error } => HookFailed::Unpinned { file, error },
    }
}

fn cleaned(why: HookFailed, redactor: &Redactor) -> HookFailed {
    let clean = |text: String| redactor.text(&text).into_owned();
    match why {
        HookFailed::NotStarted { error } => HookFailed::NotStarted { error: clean(error) },
        HookFailed::Exited { how, said } => HookFailed::Exited { how, said: clean(said) },
        HookFailed::Unreadable { error } => HookFailed::Unreadable { error: clean(error) },
        HookFailed::NotTaken { error } => HookFailed::NotTaken { error: clean(error) },
        why @ (HookFailed::Changed { .. }
        | HookFailed::Unpinned { .. }
        | HookFailed::TooMany { .. }
        | HookFailed::TimedOut { .. }
        | HookFailed::Endless { .. }
        | HookFailed::Stopped) => why,
    }
}

fn noted(hook: &str, note: &str) -> String {
    format!("The hook `{hook}` of the user says:\n{note}")
}

fn rewritten(hook: &str, arguments: &Map<String, Value>, redactor: &Redactor) -> String {
    let arguments = protocol::short(&redactor.text(&json!(arguments).to_string()));
    format!("The hook `{hook}` of the user changed the arguments of this call. They are now: {arguments}")
}
