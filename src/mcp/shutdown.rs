//! Background work that must finish before the program exits, such as closing a connection.

use std::sync::LazyLock;
use std::time::Duration;

use tokio::sync::watch;

static RUNNING: LazyLock<watch::Sender<usize>> = LazyLock::new(|| watch::Sender::new(0));

/// Registers background work until this guard is dropped.
pub(super) struct ShutdownGuard(());

impl ShutdownGuard {
    pub(super) fn begin() -> Self {
        RUNNING.send_modify(|count| *count += 1);
        Self(())
    }
}

impl Drop for ShutdownGuard {
    fn drop(&mut self) {
        RUNNING.send_modify(|count| *count -= 1);
    }
}

/// Waits at the exit of the program until all registered work is done, at most `limit`.
pub async fn wait_for_shutdown(limit: Duration) {
    let mut running = RUNNING.subscribe();
    let _ = tokio::time::timeout(limit, running.wait_for(|count| *count == 0)).await;
}
