//! Tests of live output.

use super::*;

fn live(room: usize) -> (Live, mpsc::Receiver<OutputChunk>) {
    let (output, chunks) = mpsc::channel(room);
    (Live::new(CallId("c".to_owned()), output), chunks)
}

#[test]
fn a_full_channel_keeps_the_text_for_the_next_time() {
    let (mut live, mut chunks) = live(1);
    live.push("one\n");
    live.flush();
    live.push("two\n");
    live.flush();
    live.push("three\n");
    assert_eq!(chunks.try_recv().unwrap().text, "one");
    live.flush();
    assert_eq!(chunks.try_recv().unwrap().text, "two\nthree");
    assert!(!live.is_waiting());
}

#[test]
fn only_the_newest_lines_of_a_flood_are_shown() {
    let (mut live, mut chunks) = live(1);
    for number in 0..10_000 {
        live.push(&format!("línea {number}\n"));
    }
    live.flush();
    let text = chunks.try_recv().unwrap().text;
    assert!(
        text.len() <= MOST && text.starts_with("línea ") && text.ends_with("9999"),
        "{text}"
    );
}

#[test]
fn the_second_piece_waits() {
    let (mut live, _chunks) = live(8);
    live.push("a\n");
    assert!(live.due() <= Instant::now());
    live.flush();
    live.push("b\n");
    assert!(live.due() > Instant::now());
}
