//! What must come to its end before the program does, although nobody waits for its result: a conversation that takes its leave, a token
//! that is being renewed.

use std::sync::LazyLock;
use std::time::Duration;

use tokio::sync::watch;

static GOING: LazyLock<watch::Sender<usize>> = LazyLock::new(|| watch::Sender::new(0));

/// Something that goes on, until it is dropped.
pub(super) struct Going(());

impl Going {
    pub(super) fn begin() -> Self {
        GOING.send_modify(|count| *count += 1);
        Self(())
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        GOING.send_modify(|count| *count -= 1);
    }
}

/// Waits until nothing goes on any more, `limit` at the most. For the way out of the program.
pub(crate) async fn wait_for_farewells(limit: Duration) {
    let mut going = GOING.subscribe();
    let _ = tokio::time::timeout(limit, going.wait_for(|count| *count == 0)).await;
}
