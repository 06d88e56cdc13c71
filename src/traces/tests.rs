use std::sync::Arc;

use tracing::Level;

use super::queue::Queue;
use super::{LONGEST, one_line, panics, subscriber, targets};
use benchdog_config::LogFilter;

#[test]
fn whatever_a_value_holds_one_line_stays_one_line() {
    assert_eq!(one_line(b"a\nb\r\x1b[2J\xc2\x85c\n"), "a b  [2J c\n");
    assert_eq!(one_line("漢".repeat(9_000).as_bytes()).chars().count(), LONGEST + 1);
}

#[test]
fn only_our_own_rooms_are_heard_and_each_at_its_level() {
    let taken = targets(&LogFilter::parse("info,provider=debug,storage=off").unwrap());
    let heard = |target: &str, level: Level| taken.would_enable(target, &level);
    assert!(heard("benchdog_orchestrator::seat", Level::INFO));
    assert!(!heard("benchdog_orchestrator::seat", Level::DEBUG));
    assert!(heard("benchdog_provider::openai", Level::DEBUG));
    assert!(!heard("benchdog_storage", Level::ERROR));
    for stranger in ["h2::proto", "hyper_util::client", "reqwest", "rustls", "benchdog_other"] {
        assert!(!heard(stranger, Level::ERROR), "{stranger}");
    }
}

fn logged(filter: &str, work: impl FnOnce()) -> String {
    let queue = Arc::new(Queue::default());
    let filter = LogFilter::parse(filter).unwrap();
    tracing::subscriber::with_default(subscriber(&filter, Arc::clone(&queue)), work);
    // Push a final line, so that `take` returns even if nothing was logged.
    queue.push("end\n");
    String::from_utf8(queue.take().unwrap()).unwrap()
}

#[test]
fn a_line_begins_with_time_and_process_and_ends_with_what_is_known() {
    let log = logged("debug", || {
        let span = tracing::debug_span!("commit", entries = 2);
        tracing::debug!(parent: &span, took_ms = 7, code = None::<&str>, "done\nand more");
    });
    let (time, rest) = log.split_once(' ').unwrap();
    assert!(
        time.len() == "2026-11-22T02:43:56.861Z".len() && time.ends_with('Z'),
        "{log}"
    );
    let process = std::process::id();
    let expected = format!("{process} DEBUG commit{{entries=2}}: benchdog_traces::tests: done and more took_ms=7\n");
    assert!(rest.starts_with(&expected) && rest.ends_with(" end\n"), "{rest}");
}

#[test]
fn a_panic_is_logged_with_its_place_and_without_its_values() {
    let log = logged("error", || {
        panics::log_them();
        let broke = std::panic::catch_unwind(|| panic!("it broke at `geheimwort`"));
        assert!(broke.is_err());
    });
    assert!(log.contains(" ERROR benchdog_traces: panicked thread="), "{log}");
    assert!(
        log.contains("at=\"src/traces/tests.rs:") && log.contains("why=\"it broke at …\""),
        "{log}"
    );
    assert!(!log.contains("geheimwort"), "{log}");
}
