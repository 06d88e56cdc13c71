//! Asks approval requests of `run --approve ask` on the terminal. Formats the requests as linear mode does.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::input::{Input, Read};
use super::question::{Question, Reply};
use super::writing::{self, Paper, Unwritable};
use benchdog_base::text::reveal;
use benchdog_domain::permission::Decision;
use benchdog_headless::{Ask, Decided, Dialog};
use benchdog_lang::{Word, word};
use benchdog_protocol::ApprovalRequest;

/// The number of requests that may wait for the person.
const MOST: usize = 256;

/// Opens the controlling terminal of this process, even if its standard streams are redirected.
pub fn terminal() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/tty")
}

/// Spawns the task that asks the requests. Must be called inside a Tokio runtime.
pub fn dialog(terminal: File) -> io::Result<Dialog> {
    let (asks, asked) = mpsc::channel(MOST);
    let (decides, decided) = mpsc::channel(1);
    let asker = Asker {
        paper: writing::start(terminal.try_clone()?),
        input: Input::of(terminal.into())?,
        waiting: VecDeque::new(),
        front: None,
        decides,
    };
    // If the dialog ends, requests stay unanswered and are denied.
    tokio::spawn(async move { asker.until_the_end(asked).await.ok() });
    Ok(Dialog { asks, decided })
}

struct Asker {
    input: Input,
    paper: Paper,
    waiting: VecDeque<Arc<ApprovalRequest>>,
    front: Option<Question>,
    decides: mpsc::Sender<Decided>,
}

struct Ended;

impl From<io::Error> for Ended {
    fn from(_: io::Error) -> Self {
        Self
    }
}

impl From<Unwritable> for Ended {
    fn from(_: Unwritable) -> Self {
        Self
    }
}

impl Asker {
    async fn until_the_end(mut self, mut asked: mpsc::Receiver<Ask>) -> Result<(), Ended> {
        loop {
            if self.front.is_none()
                && let Some(request) = self.waiting.pop_front()
            {
                self.show(Question::new(request)).await?;
            }
            tokio::select! {
                ask = asked.recv() => match ask {
                    Some(Ask::Request(request)) => self.enqueue(request).await?,
                    Some(Ask::Gone(call)) => {
                        self.waiting.retain(|request| request.call != call);
                        if self.front.as_ref().is_some_and(|question| *question.call() == call) {
                            self.front = None;
                            self.print(&[String::new()]).await?;
                        }
                    }
                    None => return Ok(()),
                },
                read = self.input.next(), if self.front.is_some() => {
                    let read = read?;
                    if let Some(question) = self.front.take() {
                        self.answer(question, read).await?;
                    }
                }
            }
        }
    }

    /// Queues a request. A rebuilt request replaces its predecessor.
    async fn enqueue(&mut self, request: Arc<ApprovalRequest>) -> Result<(), Ended> {
        self.waiting.retain(|waiting| waiting.call != request.call);
        match &self.front {
            Some(question) if question.asks(&request) => {}
            Some(question) if *question.call() == request.call => {
                self.print(&[String::new()]).await?;
                self.show(Question::new(request)).await?;
            }
            _ => self.waiting.push_back(request),
        }
        Ok(())
    }

    /// Prints the next page of the question. Discards earlier input, which must not answer the question.
    async fn show(&mut self, mut question: Question) -> Result<(), Ended> {
        let page = question.page();
        self.ask(question, &page).await
    }

    async fn ask(&mut self, question: Question, lines: &[String]) -> Result<(), Ended> {
        self.print(lines).await?;
        if self.input.forget_all().await? {
            self.print(&[word(Word::LinearEarly).to_owned()]).await?;
        }
        self.paper.print(format!("{} ", word(Word::LinearAnswer)));
        self.paper.ends().await?;
        self.front = Some(question);
        Ok(())
    }

    async fn print(&mut self, lines: &[String]) -> Result<(), Ended> {
        for line in lines {
            self.paper.print(format!("{line}\n"));
        }
        Ok(self.paper.ends().await?)
    }

    async fn answer(&mut self, mut question: Question, read: Read) -> Result<(), Ended> {
        let reply = match read {
            Read::Line(line) => question.reply(&line),
            // Ctrl+D and overlong lines deny the request.
            Read::End | Read::TooLong => Reply::Decided(Decision::Deny { reason: None }),
        };
        match reply {
            Reply::Decided(decision) => {
                let decided = Decided {
                    call: question.call().clone(),
                    edition: question.edition(),
                    decision,
                };
                self.decides.send(decided).await.map_err(|_| Ended)
            }
            Reply::ReadsOn => self.show(question).await,
            Reply::Wrong(why) => {
                let how = word(question.how()).to_owned();
                self.ask(question, &[reveal(&why).into_owned(), how]).await
            }
            Reply::Undecided => {
                let how = word(question.how()).to_owned();
                self.ask(question, &[word(Word::LinearUndecided).to_owned(), how]).await
            }
        }
    }
}
