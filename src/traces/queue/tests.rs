use std::time::Duration;

use super::{LogFile, MOST_WAITING, Queue};

const STAMP: usize = "2026-11-22T02:43:56.861Z ".len();

#[test]
fn a_line_that_finds_no_room_is_counted_and_waits_for_nobody() {
    // No writer thread reads the queue.
    let queue = Queue::default();
    let line = "x".repeat(MOST_WAITING / 4 - STAMP);
    for _ in 0..6 {
        queue.push(&line);
    }
    let state = queue.state();
    assert_eq!((state.waiting.len(), state.lost), (MOST_WAITING, 2));
}

#[test]
fn lines_of_several_threads_stand_in_the_order_of_their_times() {
    let queue = Queue::default();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..2_000).for_each(|_| queue.push("line\n")));
        }
    });
    let lines = String::from_utf8(queue.take().unwrap()).unwrap();
    let times: Vec<&str> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(times.len() == 16_000 && times.is_sorted());
}

#[test]
fn what_was_lost_is_said_as_soon_as_there_is_room() {
    let queue = Queue::default();
    queue.push(&"x".repeat(MOST_WAITING - STAMP));
    queue.push("too much\n");
    let lines = String::from_utf8(queue.take().unwrap()).unwrap();
    assert!(lines.ends_with(" WARN benchdog_traces: lines lost lines=1\n"));
}

#[test]
fn what_was_lost_is_counted_until_a_disk_has_taken_the_word_of_it() {
    let queue = Queue::default();
    queue.push(&format!("{}\n", "x".repeat(MOST_WAITING - STAMP - 1)));
    queue.push("too much\n");
    let lines = queue.take().unwrap();
    queue.written(&lines, Err(std::io::Error::other("full")));
    assert_eq!(queue.state().lost, 2);
    queue.push("next\n");
    let lines = queue.take().unwrap();
    assert!(String::from_utf8(lines.clone()).unwrap().ends_with("lines=2\n"));
    queue.written(&lines, Ok(()));
    assert_eq!(queue.state().lost, 0);
}

#[test]
fn closing_waits_for_the_last_line_and_says_what_went_wrong() {
    let home = tempfile::tempdir().unwrap();
    let queue = Queue::start(LogFile::new(home.path(), 4_096, 2)).unwrap();
    queue.push("last\n");
    assert_eq!(queue.close(Duration::from_secs(10)), None);
    let log = std::fs::read_to_string(home.path().join("benchdog.log")).unwrap();
    assert_eq!(log.get(STAMP..), Some("last\n"));

    let no_folder = home.path().join("benchdog.log").join("logs");
    let queue = Queue::start(LogFile::new(&no_folder, 4_096, 2)).unwrap();
    queue.push("nowhere\n");
    assert!(queue.close(Duration::from_secs(10)).is_some());
}

#[test]
fn a_disk_that_does_not_answer_holds_up_closing_only_for_its_limit() {
    // Without a writer thread, nothing is written.
    let queue = Queue::default();
    queue.push("never\n");
    let began = std::time::Instant::now();
    assert!(queue.close(Duration::from_millis(50)).unwrap().contains("in time"));
    assert!(began.elapsed() < Duration::from_secs(10));
}
