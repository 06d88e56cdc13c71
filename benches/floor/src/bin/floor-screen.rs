//! A bare chat program: `floor-screen URL STORE`. It shows a prompt, echoes keys, sends the prompt on Enter and prints the answer.
//!
//! Every prompt, tool call and result is durable before the next step. There is nothing else: no settings, no colours, no
//! Markdown, no approval. Benchdog is compared with it, so each part is done in the cheapest way that is still correct.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use benchdog_floor::Failure;
use benchdog_floor::chat::{Call, Chat};
use benchdog_floor::store::Store;
use crossterm::event::{self, Event, KeyCode, KeyModifiers};
use ratatui::DefaultTerminal;
use ratatui::layout::Position;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The height of the prompt in rows.
const PROMPT_ROWS: u16 = 4;

enum Input {
    Terminal(Event),
    Text(String),
    Failed(String),
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, store] = arguments.as_slice() else {
        return Err("usage: floor-screen URL STORE".into());
    };
    let mut terminal = ratatui::init();
    let mut screen = Screen::default();
    let first = screen.draw(&mut terminal);
    let result = first.and_then(|()| run(&mut terminal, &mut screen, url, Path::new(store)));
    ratatui::restore();
    result
}

fn run(terminal: &mut DefaultTerminal, screen: &mut Screen, url: &str, store: &Path) -> Result<(), Failure> {
    let (sender, mut inputs) = unbounded_channel();
    let (prompts, prompt) = unbounded_channel();
    read_terminal(sender.clone());
    let conversation = Conversation {
        chat: Chat::new(url)?,
        store: Store::open(store)?,
        sender,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        tokio::spawn(conversation.converse(prompt));
        while let Some(input) = inputs.recv().await {
            let mut next = Some(input);
            // Handles all pending input before the next frame.
            while let Some(input) = next {
                match screen.update(input) {
                    Step::Go => {}
                    Step::Send(text) => prompts.send(text)?,
                    Step::Quit => return Ok(()),
                }
                next = inputs.try_recv().ok();
            }
            screen.draw(terminal)?;
        }
        Ok(())
    })
}

/// Reads the terminal on its own thread, because crossterm blocks.
fn read_terminal(sender: UnboundedSender<Input>) {
    std::thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(Input::Terminal(event)).is_err() {
                return;
            }
        }
    });
}

enum Step {
    Go,
    Send(String),
    Quit,
}

#[derive(Default)]
struct Screen {
    /// Rows of the conversation, wrapped at the width of the terminal.
    rows: Vec<String>,
    prompt: String,
    width: usize,
}

impl Screen {
    fn update(&mut self, input: Input) -> Step {
        match input {
            Input::Text(text) => self.append(&text),
            Input::Failed(why) => self.append(&format!("\n{why}\n")),
            Input::Terminal(Event::Key(key)) => match key.code {
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Step::Quit,
                KeyCode::Char(c) => self.prompt.push(c),
                KeyCode::Backspace => drop(self.prompt.pop()),
                KeyCode::Enter => {
                    let prompt = std::mem::take(&mut self.prompt);
                    self.append(&format!("\n> {prompt}\n"));
                    return Step::Send(prompt);
                }
                _ => {}
            },
            Input::Terminal(_) => {}
        }
        Step::Go
    }

    fn append(&mut self, text: &str) {
        for c in text.chars() {
            if self.rows.is_empty() || c == '\n' {
                self.rows.push(String::new());
            }
            if self.rows.last().is_some_and(|row| row.len() >= self.width) {
                self.rows.push(String::new());
            }
            if let Some(row) = self.rows.last_mut().filter(|_| c != '\n') {
                row.push(c);
            }
        }
    }

    fn draw(&mut self, terminal: &mut DefaultTerminal) -> Result<(), Failure> {
        terminal.draw(|frame| {
            let mut area = frame.area();
            self.width = usize::from(area.width).max(1);
            area.height = area.height.saturating_sub(PROMPT_ROWS + 1);
            let first = self.rows.len().saturating_sub(usize::from(area.height));
            let rows = self.rows.iter().skip(first).map(|row| Line::raw(row.as_str()));
            frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()), area);
            area.y = area.height;
            area.height = 1;
            frame.render_widget(Line::raw("floor: Enter sends, Ctrl+C quits"), area);
            for row in 0..PROMPT_ROWS {
                area.y += 1;
                let text = self.prompt.chars().skip(usize::from(row) * self.width).take(self.width);
                frame.render_widget(Line::raw(text.collect::<String>()), area);
            }
            let caret = self.prompt.chars().count();
            let row = (caret / self.width).min(usize::from(PROMPT_ROWS) - 1);
            frame.set_cursor_position(Position::new(
                (caret % self.width) as u16,
                area.y + 1 - PROMPT_ROWS + row as u16,
            ));
        })?;
        Ok(())
    }
}

struct Conversation {
    chat: Chat,
    store: Store,
    sender: UnboundedSender<Input>,
}

impl Conversation {
    async fn converse(mut self, mut prompts: UnboundedReceiver<String>) {
        while let Some(prompt) = prompts.recv().await {
            if let Err(error) = self.turn(&prompt).await {
                // Sending fails only if the screen has already ended.
                let _ = self.sender.send(Input::Failed(error.to_string()));
            }
        }
    }

    /// One turn: the prompt is durable before the request, a call before it runs, and its result before the next request.
    async fn turn(&mut self, prompt: &str) -> Result<(), Failure> {
        self.store.append(prompt.as_bytes())?;
        self.chat.say(prompt);
        loop {
            let sender = self.sender.clone();
            let calls = self
                .chat
                .ask(|text| drop(sender.send(Input::Text(text.to_owned()))))
                .await?;
            if calls.is_empty() {
                return Ok(());
            }
            for call in calls {
                self.store.append(call.arguments.to_string().as_bytes())?;
                let result = perform(&call)?;
                self.store.append(result.as_bytes())?;
                self.sender
                    .send(Input::Text(format!("{} {}\n", call.name, call.arguments)))?;
                self.chat.report(&call, &result);
            }
        }
    }
}

/// The maximum number of bytes of a search result, as in Benchdog.
const MOST_FOUND: u64 = 32 * 1024;

fn perform(call: &Call) -> Result<String, Failure> {
    let argument = |name: &str| call.arguments[name].as_str().unwrap_or_default().to_owned();
    match call.name.as_str() {
        "read" => Ok(std::fs::read_to_string(argument("path"))?),
        "grep" => search(&argument("pattern")),
        other => Err(format!("there is no tool `{other}`").into()),
    }
}

/// Runs ripgrep in the current folder.
fn search(pattern: &str) -> Result<String, Failure> {
    let mut child = Command::new("rg")
        .args(["--line-number", "--regexp", pattern, "."])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut found = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(MOST_FOUND).read_to_end(&mut found)?;
    }
    child.wait()?;
    Ok(String::from_utf8_lossy(&found).into_owned())
}
