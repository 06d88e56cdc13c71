//! Background work that must finish before the program exits, like the close of a connection.

use std::sync::LazyLock;
use std::time::Duration;

use tokio::sync::watch;

static GOING: LazyLock<watch::Sender<usize>> = LazyLock::new(|| watch::Sender::new(0));

/// Registers work until drop.
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

/// Waits at exit for registered work, at most `limit`.
pub async fn wait_for_farewells(limit: Duration) {
    let mut going = GOING.subscribe();
    let _ = tokio::time::timeout(limit, going.wait_for(|count| *count == 0)).await;
}
