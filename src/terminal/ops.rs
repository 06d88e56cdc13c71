//! Runs the operations that `update` returns. Slow operations run in the background, and each returns a message.

use std::future::{Future, pending};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::oneshot;

use super::editor::Editor;
use super::event_loop::{Driver, Leave};
use benchdog_app::msg::{EditTicket, OpResult};
use benchdog_app::{Msg, Op};
use benchdog_base::id::SeatId;
use benchdog_protocol::Order;

/// Reads the last lines of the program's log. `None` if the log is empty.
pub(crate) type ReadLog = Arc<dyn Fn() -> Result<Option<String>, String> + Send + Sync>;

type Answer = Pin<Box<dyn Future<Output = Answered> + Send>>;

pub(super) struct Answered {
    pub(super) msg: Msg,
    pub(super) bytes: String,
}

impl From<OpResult> for Answered {
    fn from(result: OpResult) -> Self {
        Self {
            msg: Msg::Done(result),
            bytes: String::new(),
        }
    }
}

#[derive(Default)]
pub(super) struct Answers {
    pub(super) running: FuturesUnordered<Answer>,
    editor: Option<(Answer, oneshot::Sender<()>)>,
    /// Whether the editor has exited, so that the terminal must be taken again.
    left: bool,
    suspend: bool,
}

impl Answers {
    /// Returns the next finished operation. Never returns if no operation is running.
    pub(super) async fn next(&mut self) -> Answered {
        if let Some((editor, _)) = &mut self.editor {
            let answered = editor.await;
            self.editor = None;
            self.left = true;
            return answered;
        }
        match self.running.next().await {
            Some(answered) => answered,
            None => pending().await,
        }
    }

    pub(super) fn editing(&self) -> bool {
        self.editor.is_some()
    }

    pub(super) fn editor_left(&mut self) -> bool {
        std::mem::take(&mut self.left)
    }

    pub(super) async fn end_editor(&mut self) -> Option<Answered> {
        let (editor, end) = self.editor.take()?;
        let _ = end.send(());
        Some(editor.await)
    }

    pub(super) fn suspend_asked(&mut self) -> bool {
        std::mem::take(&mut self.suspend)
    }
}

impl Driver {
    pub(super) fn perform(&mut self, op: Op) {
        match op {
            Op::Send(command) => {
                let seat = self.state.screen.seat;
                self.outbox.push_back(Order { seat, command });
            }
            Op::SendTo(seat, command) => self.outbox.push_back(Order { seat, command }),
            Op::Copy { text, what } => self.copy(text, what),
            Op::TakeImage { seat } => self.take_image(seat),
            Op::OpenEditor {
                seat,
                ticket,
                name,
                text,
                line,
            } => self.open_editor((seat, ticket), (name, line), text),
            Op::EditFile { path } => self.edit_file(path),
            Op::Ring(words) => {
                let bytes = self.bell.ring(&words, self.state.window_focused, Instant::now());
                self.aside.ring(bytes);
                self.say_aside();
            }
            Op::Title(title) => {
                self.aside.title(title);
                self.say_aside();
            }
            Op::Mouse { capture } => {
                let bytes = self.guard.capture_mouse(capture);
                self.say(bytes);
            }
            Op::Theme(name) => self.choose_theme(&name),
            Op::SetLanguage(language) => (self.set_language)(language),
            Op::ListThemes => self.list_themes(),
            Op::ReadLog => self.read_log(),
            Op::Suspend => self.answers.suspend = true,
            Op::Detach => self.detach(),
            Op::Quit => self.leaving = Some(Leave::Asked),
            Op::WakeAt(at) => {
                self.wakes.insert(at);
            }
        }
    }

    fn read_log(&mut self) {
        let log = Arc::clone(&self.log);
        self.answers.running.push(Box::pin(async move {
            let read = tokio::task::spawn_blocking(move || log()).await;
            OpResult::Log(read.unwrap_or(Ok(None))).into()
        }));
    }

    /// Copies with a clipboard program, which confirms success, or else with the terminal, which does not.
    fn copy(&mut self, text: Arc<str>, what: String) {
        let clipboard = self.clipboard.clone();
        self.answers.running.push(Box::pin(async move {
            let (bytes, to) = match clipboard.by_tool(&text).await {
                Some(place) => (String::new(), Ok(place)),
                None => match clipboard.by_terminal(&text) {
                    Ok((sequence, place)) => (sequence, Ok(place)),
                    Err(reason) => (String::new(), Err(reason)),
                },
            };
            Answered {
                msg: Msg::Done(OpResult::Copied { what, to }),
                bytes,
            }
        }));
    }

    fn take_image(&mut self, seat: SeatId) {
        let images = self.clipboard.images.clone();
        self.answers.running.push(Box::pin(async move {
            let taken = images.take().await;
            OpResult::Image { seat, taken }.into()
        }));
    }

    fn open_editor(
        &mut self,
        (seat, ticket): (SeatId, EditTicket),
        (name, line): (String, Option<usize>),
        text: String,
    ) {
        let editor = match self.editor() {
            Ok(editor) => editor,
            Err(why) => {
                let text = Err(why);
                return self.tell(OpResult::Edited { seat, ticket, text });
            }
        };
        self.with_terminal(|ended| async move {
            let text = editor.edit((&name, line), &text, ended).await;
            OpResult::Edited { seat, ticket, text }
        });
    }

    fn edit_file(&mut self, path: String) {
        let editor = match self.editor() {
            Ok(editor) => editor,
            Err(why) => return self.tell(OpResult::FileLeft(Err(why))),
        };
        self.with_terminal(|ended| async move { OpResult::FileLeft(editor.open(Path::new(&path), ended).await) });
    }

    fn editor(&self) -> Result<Editor, String> {
        if self.answers.editing() {
            return Err(ONE_IS_OPEN.to_owned());
        }
        self.editor.clone().ok_or_else(|| NO_EDITOR.to_owned())
    }

    fn tell(&mut self, result: OpResult) {
        self.answers.running.push(Box::pin(async { result.into() }));
    }

    fn with_terminal<F>(&mut self, work: impl FnOnce(oneshot::Receiver<()>) -> F)
    where
        F: Future<Output = OpResult> + Send + 'static,
    {
        self.give_terminal();
        let (end, ended) = oneshot::channel();
        let work = work(ended);
        self.answers.editor = Some((Box::pin(async { work.await.into() }), end));
    }
}

const NO_EDITOR: &str = "no editor is set; set `$EDITOR` and start again";

const ONE_IS_OPEN: &str = "an editor is open already: leave it first";
