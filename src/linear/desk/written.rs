//! Handles input of the person: prompts, commands, answers, and the keys for stop and exit.

use std::time::Duration;

use tokio::time::Instant;

use super::{Act, Desk, From, Front, MARK, Work};
use crate::{input, slash};
use benchdog_app::commands::{self, Sent};
use benchdog_base::text::clean;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, Delivery};

/// Maximum time between two presses of Ctrl+C that exit the program.
const TWICE: Duration = Duration::from_millis(1_500);

const FENCE: &str = "\"\"\"";

impl Desk {
    pub(crate) fn send(&mut self, command: Command) {
        self.acts.push(Act::Send(command));
    }

    pub(crate) fn first(&mut self, prompt: &str) {
        self.say(&format!("{MARK}{}", clean(prompt)));
        self.telling.saw(prompt);
        self.begins_work();
        self.send(Command::Prompt {
            text: prompt.to_owned(),
            pasted: Vec::new(),
            delivery: Delivery::Queue,
        });
    }

    pub(crate) fn line(&mut self, line: &str) {
        if self.from == From::Terminal {
            // The terminal has echoed the input and its line break.
            (self.line_is_open, self.marked) = (false, false);
        }
        match self.front.take() {
            Some(Front::Asks(question, _)) => return self.reply(question, line),
            front => self.front = front,
        }
        if let Some(written) = self.written.take() {
            return self.write_on(written, line);
        }
        if self.from == From::Elsewhere {
            self.say(&format!("{MARK}{}", clean(line)));
        }
        match line.trim_start().strip_prefix(FENCE) {
            Some(rest) => {
                if self.from == From::Terminal && !rest.contains(FENCE) {
                    self.say(word(Word::LinearWriting));
                }
                self.write_on(String::new(), rest);
            }
            None => self.entered(line.trim()),
        }
    }

    fn write_on(&mut self, mut written: String, line: &str) {
        let end = line.trim_end().strip_suffix(FENCE);
        written.push_str(end.unwrap_or(line));
        if written.len() as u64 > input::LONGEST {
            return self.too_long();
        }
        match end {
            Some(_) => {
                let text = written.trim().to_owned();
                self.prompt(&text, Delivery::Queue);
                self.ask_next();
            }
            None => self.written = Some(written + "\n"),
        }
    }

    fn entered(&mut self, text: &str) {
        let skills = std::mem::take(&mut self.known.skills);
        let sent = commands::parse(text, |name| skills.iter().any(|skill| skill == name));
        self.known.skills = skills;
        match sent {
            Sent::Prompt(text) => self.prompt(text, Delivery::Queue),
            Sent::Shell("") => {}
            Sent::Shell(command) => self.own_command(command),
            Sent::Slash(command, arguments) => slash::perform(self, command, arguments),
            Sent::TooMuch(row) => self.say(&lang::too_much(row.name, row.only_word())),
            Sent::UnknownSlash(name) => self.say(&lang::no_command(name, None)),
        }
    }

    /// Runs a `!command`. Linear mode cannot distinguish a pasted command from a typed command.
    pub(super) fn own_command(&mut self, command: &str) {
        self.begins_work();
        self.send(Command::Shell {
            command: command.to_owned(),
            typed: false,
        });
    }

    pub(crate) fn prompt(&mut self, text: &str, delivery: Delivery) {
        if text.is_empty() {
            return;
        }
        if self.is_idle() {
            self.telling.saw(text);
            self.begins_work();
        } else {
            self.say(&lang::message::linear_waits_its_turn(text));
        }
        // Text from a file or pipe counts as pasted.
        let pasted = match self.from {
            From::Terminal => Vec::new(),
            From::Elsewhere => std::iter::once(0..text.len()).collect(),
        };
        self.send(Command::Prompt {
            text: text.to_owned(),
            pasted,
            delivery,
        });
        self.send(Command::RememberPrompt { text: text.to_owned() });
    }

    pub(crate) fn begins_work(&mut self) {
        if self.work == Work::None {
            self.work = Work::Ordered;
        }
    }

    pub(crate) fn leave(&mut self) {
        self.acts.push(Act::Leave(self.exit()));
    }

    pub(crate) fn too_long(&mut self) {
        self.say(&lang::text_full(1));
        if self.from == From::Elsewhere {
            self.end_of_input();
        }
    }

    pub(crate) fn end_of_input(&mut self) {
        self.stream_ends();
        self.say("");
        if matches!(self.front, Some(Front::Asks(..))) {
            return self.unanswered();
        }
        self.ended = true;
        if self.from == From::Terminal || self.is_idle() {
            self.leave();
        }
    }

    pub(crate) fn stop(&mut self, now: Instant) {
        if self.stopped.is_some_and(|before| now.duration_since(before) < TWICE) {
            self.stream_ends();
            self.say("");
            return self.leave();
        }
        self.stopped = Some(now);
        self.stream_ends();
        // The terminal has discarded the line that was typed, and printed `^C`.
        self.line_is_open = true;
        if self.written.take().is_some() {
            self.say(word(Word::LinearDropped));
        }
        self.say(&lang::message::toast_once_more("Ctrl+C"));
        if !self.is_idle() {
            self.send(Command::Interrupt);
        }
        self.ask_next();
    }
}
