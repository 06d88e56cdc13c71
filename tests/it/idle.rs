//! Tests that an idle program neither draws nor computes.

use std::time::Duration;

use crate::support::home::Home;
use crate::support::process::ticks;
use crate::support::reply::text;
use crate::support::server::Server;

/// Long enough to detect a redraw or poll once a second.
const WINDOW: Duration = Duration::from_secs(2);
const STILL: Duration = Duration::from_millis(700);

#[test]
fn an_idle_bench_writes_no_byte_and_uses_no_processor() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Done.")]);
    let bench = home.bench(&[]);
    assert_eq!(bench.written_in(STILL, WINDOW), 0, "before the first turn");
    bench.ask("hello");
    bench.wait_for_text("Done.");
    assert_eq!(bench.written_in(STILL, Duration::ZERO), 0);
    let before = ticks(bench.pid());
    assert_eq!(bench.written_in(STILL, WINDOW), 0, "after a turn");
    // One tick is 10 ms. Work after the turn may still be in the window.
    assert!(
        ticks(bench.pid()) - before <= 1,
        "{} ticks in {WINDOW:?}",
        ticks(bench.pid()) - before
    );
    bench.leave();
}
