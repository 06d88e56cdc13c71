//! The thread that highlights code, started when code first appears.

use std::future::pending;
use std::sync::mpsc as blocking;

use tokio::sync::mpsc;

use benchdog_ui::{Done, Request, Worker};

#[derive(Default)]
pub(super) struct Colours {
    thread: Option<Thread>,
}

/// The channels of the highlighting thread. Each part of the screen has at most one pending request.
struct Thread {
    requests: blocking::Sender<Request>,
    answers: mpsc::UnboundedReceiver<Done>,
}

impl Colours {
    pub(super) fn ask(&mut self, request: Request) {
        let thread = self.thread.get_or_insert_with(start);
        // If the thread could not be started, code stays plain.
        let _ = thread.requests.send(request);
    }

    /// Returns the next highlighted code. Never returns if no request is pending.
    pub(super) async fn next(&mut self) -> Done {
        if let Some(thread) = &mut self.thread
            && let Some(done) = thread.answers.recv().await
        {
            return done;
        }
        pending().await
    }
}

/// Starts the thread. The thread ends when the request channel is closed.
fn start() -> Thread {
    let (requests, incoming) = blocking::channel();
    let (outgoing, answers) = mpsc::unbounded_channel();
    let work = move || {
        let mut worker = Worker::default();
        for request in incoming {
            if outgoing.send(worker.serve(request)).is_err() {
                return;
            }
        }
    };
    let _ = std::thread::Builder::new().name("colours".to_owned()).spawn(work);
    Thread { requests, answers }
}
