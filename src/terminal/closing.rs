//! The end of the workbench: the terminal is given back, and what the person has sent and not finished goes to the engine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::event_loop::Driver;
use crate::app::{self, Msg, State};
use crate::base::clock::Time;

/// At the end the app's clock is put forward by this much, so that what would be saved a little later is saved at once.
const LATER_MS: i64 = 60_000;

/// How long the engine may take, at the end, to accept what the person has already sent.
const LAST_COMMANDS: Duration = Duration::from_secs(1);

impl Driver {
    /// Gives the terminal back, then hands the engine what the person has sent and not finished: however this ends, the
    /// draft is kept.
    pub(super) async fn close(mut self) -> State {
        let edited = self.answers.end_editor().await;
        match edited {
            Some(_) => self.guard.leave_after_program(),
            None => self.guard.leave(),
        }
        let at = Time(Time::now().0 + LATER_MS);
        let behind = self.typed_behind();
        let edited = edited.map(|answered| answered.msg).into_iter();
        let behind = behind.map(|text| Msg::Paste { text, at });
        let last = edited.chain(behind).chain([Msg::Tick { at }]);
        let saved = catch_unwind(AssertUnwindSafe(|| {
            last.flat_map(|msg| app::update(&mut self.state, msg))
                .collect::<Vec<_>>()
        }));
        let seat = self.state.seat;
        let last = saved.unwrap_or_default().into_iter();
        let last = last.filter_map(|op| op.order(seat));
        self.outbox.extend(last);
        // An engine that waits for us to read its events stops waiting once our end is closed.
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
