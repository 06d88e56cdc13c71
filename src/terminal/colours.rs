//! The thread that colours code, started when code is first on screen.

use std::future::pending;
use std::sync::mpsc as blocking;

use tokio::sync::mpsc;

use crate::ui::{Done, Request, Worker};

#[derive(Default)]
pub(super) struct Colours {
    thread: Option<Thread>,
}

/// Each part of the screen is asked about once until it is answered, so that neither side holds more than a screen has parts.
struct Thread {
    requests: blocking::Sender<Request>,
    answers: mpsc::UnboundedReceiver<Done>,
}

impl Colours {
    pub(super) fn ask(&mut self, request: Request) {
        let thread = self.thread.get_or_insert_with(start);
        // Without the worker code stays plain; nothing else depends on it.
        let _ = thread.requests.send(request);
    }

    /// The next answer; never, while none is to come.
    pub(super) async fn next(&mut self) -> Done {
        if let Some(thread) = &mut self.thread
            && let Some(done) = thread.answers.recv().await
        {
            return done;
        }
        pending().await
    }
}

/// The thread ends when its requests do, that is with the workbench.
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
    // Without a thread code stays plain.
    let _ = std::thread::Builder::new().name("colours".to_owned()).spawn(work);
    Thread { requests, answers }
}
