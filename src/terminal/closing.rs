//! Exit of the workbench: restores the terminal and sends unfinished work to the engine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::event_loop::Driver;
use benchdog_app::{self as app, Msg, State};
use benchdog_base::clock::Time;

/// The time in ms by which the app's clock is advanced at exit, so that delayed saves happen immediately.
const LATER_MS: i64 = 60_000;

const LAST_COMMANDS: Duration = Duration::from_secs(1);

impl Driver {
    /// Restores the terminal, then sends the last commands to the engine, including the unsent prompt.
    pub(super) async fn close(mut self) -> State {
        let edited = self.answers.end_editor().await;
        match edited {
            Some(_) => self.guard.leave_after_program(),
            None => self.guard.leave(),
        }
        self.hosting.pass_output();
        let at = Time(Time::now().0 + LATER_MS);
        let behind = self.typed_behind();
        let edited = edited.map(|answered| answered.msg).into_iter();
        let behind = behind.map(|text| Msg::Paste { text, at });
        let last = edited.chain(behind).chain([Msg::Tick { at }]);
        let saved = catch_unwind(AssertUnwindSafe(|| {
            last.flat_map(|msg| app::update(&mut self.state, msg))
                .collect::<Vec<_>>()
        }));
        let seat = self.state.screen.seat;
        let last = saved.unwrap_or_default().into_iter();
        let last = last.filter_map(|op| op.order(seat));
        self.outbox.extend(last);
        // Close the channel, because the engine may wait until its events are read.
        drop(self.told);
        let all = async {
            for order in self.outbox {
                let _ = self.orders.send(order).await;
            }
        };
        let _ = tokio::time::timeout(LAST_COMMANDS, all).await;
        self.state
    }
}
