//! Does what `update` asked for. Whatever takes time runs beside the loop and comes back as a message.

use std::future::{Future, pending};
use std::pin::Pin;

use futures::StreamExt;
use futures::stream::FuturesUnordered;

use super::event_loop::{Driver, Leave};
use crate::app::msg::{EditTicket, OpResult};
use crate::app::{Msg, Op};

type Answer = Pin<Box<dyn Future<Output = Msg> + Send>>;

/// Ops under way.
#[derive(Default)]
pub(super) struct Answers {
    running: FuturesUnordered<Answer>,
    /// Only one: it has the terminal.
    editor: Option<Answer>,
    /// The editor's answer was just handed out; the terminal is to be taken back.
    left: bool,
    suspend: bool,
}

impl Answers {
    /// The next answer; never, while there is nothing to wait for.
    pub(super) async fn next(&mut self) -> Msg {
        if let Some(editor) = &mut self.editor {
            let msg = editor.await;
            self.editor = None;
            self.left = true;
            return msg;
        }
        match self.running.next().await {
            Some(msg) => msg,
            None => pending().await,
        }
    }

    /// Whether an editor has the terminal: nothing is read or drawn then.
    pub(super) fn editing(&self) -> bool {
        self.editor.is_some()
    }

    pub(super) fn editor_left(&mut self) -> bool {
        std::mem::take(&mut self.left)
    }

    pub(super) fn suspend_asked(&mut self) -> bool {
        std::mem::take(&mut self.suspend)
    }
}

impl Driver {
    pub(super) fn perform(&mut self, op: Op) {
        match op {
            Op::Send(command) => self.outbox.push_back(command),
            Op::Copy { text, what } => self.copy(text, what),
            Op::OpenEditor { ticket, name, text } => self.open_editor(ticket, name, text),
            Op::Bell => self.say("\x07"),
            Op::Title(title) => {
                // As with the bell: a terminal that is gone is found out by the next frame.
                let _ = self.guard.title(&title);
            }
            Op::Mouse { capture } => {
                let _ = self.guard.capture_mouse(capture);
            }
            Op::Suspend => self.answers.suspend = true,
            Op::Quit => self.leaving = Some(Leave::Asked),
            Op::WakeAt(at) => {
                self.wakes.insert(at);
            }
        }
    }

    /// A tool of the system first, because it says whether it took the text; else the terminal, which does not.
    fn copy(&mut self, text: String, what: String) {
        let clipboard = self.clipboard.clone();
        let terminal = clipboard.by_terminal(&text);
        self.answers.running.push(Box::pin(async move {
            let to = match clipboard.by_tool(text).await {
                Ok(place) => Ok(place),
                Err(_) => terminal.and_then(|(sequence, place)| {
                    use std::io::Write as _;
                    super::guard::Out
                        .write_all(sequence.as_bytes())
                        .map_err(|error| error.to_string())?;
                    Ok(place)
                }),
            };
            Msg::Done(OpResult::Copied { what, to })
        }));
    }

    fn open_editor(&mut self, ticket: EditTicket, name: String, text: String) {
        let Some(editor) = self.editor.clone() else {
            let text = Err("no editor is set; set `$EDITOR` and start again".to_owned());
            self.answers
                .running
                .push(Box::pin(async { Msg::Done(OpResult::Edited { ticket, text }) }));
            return;
        };
        if self.answers.editing() {
            return;
        }
        self.guard.leave();
        self.answers.editor = Some(Box::pin(async move {
            let text = editor.edit(&name, &text).await;
            Msg::Done(OpResult::Edited { ticket, text })
        }));
    }
}
