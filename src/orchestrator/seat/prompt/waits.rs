//! Waiting for MCP servers before a prompt is sent. The person sees the wait at once and can stop it.

use std::time::Duration;

use crate::engine::Line;
use benchdog_domain::awaited::{Awaited, Who};
use benchdog_domain::server::ServerName;
use benchdog_protocol::{Event, Live};
use benchdog_tools::Stop;

pub(in crate::seat) struct Waits {
    line: Line,
    stop: Stop,
}

impl Waits {
    pub(in crate::seat) fn new(line: Line, stop: Stop) -> Self {
        Self { line, stop }
    }

    /// Waits for the result `comes`. Shows the person the wait and the time limit `most`. Returns `None` if the person
    /// stopped the wait and thus already got the prompt back.
    pub(in crate::seat) async fn on<T>(
        &self,
        server: &ServerName,
        most: Duration,
        comes: impl Future<Output = T>,
    ) -> Option<T> {
        let awaited = Awaited {
            who: Who::Server(server.clone()),
            most_ms: u64::try_from(most.as_millis()).unwrap_or(u64::MAX),
        };
        self.line.tell(Event::Live(Live::WaitBegan(awaited.clone()))).await;
        let came = tokio::select! {
            biased;
            () = self.stop.stopped() => None,
            came = comes => Some(came),
        };
        self.line.tell(Event::Live(Live::WaitEnded(awaited))).await;
        came
    }
}
