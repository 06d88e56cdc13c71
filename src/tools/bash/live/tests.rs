use super::*;

fn live(room: usize) -> (Live, mpsc::Receiver<OutputChunk>) {
    let (output, chunks) = mpsc::channel(room);
    (Live::new(CallId("c".to_owned()), output), chunks)
}

#[test]
fn a_full_channel_keeps_the_text_for_the_next_time() {
    let (mut live, mut chunks) = live(1);
    live.push("one\n");
    live.flush("");
    live.push("two\n");
    live.flush("");
    live.push("three\n");
    assert_eq!(chunks.try_recv().unwrap().text, "one\n");
    live.flush("");
    assert_eq!(chunks.try_recv().unwrap().text, "two\nthree\n");
    assert!(!live.is_waiting());
}

#[test]
fn only_the_newest_lines_of_a_flood_are_shown() {
    let (mut live, mut chunks) = live(1);
    for number in 0..10_000 {
        live.push(&format!("línea {number}\n"));
    }
    live.flush("");
    let text = chunks.try_recv().unwrap().text;
    assert!(
        text.len() <= MOST && text.starts_with("línea ") && text.ends_with("9999\n"),
        "{text}"
    );
}

#[test]
fn the_second_piece_waits() {
    let (mut live, _chunks) = live(8);
    live.push("a\n");
    assert!(live.due() <= Instant::now());
    live.flush("");
    live.push("b\n");
    assert!(live.due() > Instant::now());
}

#[test]
fn pieces_put_together_are_the_output_and_no_two_lines_run_together() {
    let (mut live, mut chunks) = live(64);
    let mut shown = String::new();
    for text in ["a\n", "b\n\n", "c", "d\ne", "f\n", "\n", "last"] {
        live.push(text);
        live.flush("");
        while let Ok(chunk) = chunks.try_recv() {
            assert!(chunk.text.ends_with('\n'), "{:?}", chunk.text);
            shown.push_str(&chunk.text);
        }
    }
    assert_eq!(shown, "a\nb\n\ncd\nef\n\n");
    live.finish();
    assert_eq!(chunks.try_recv().unwrap().text, "last");
    live.finish();
    assert!(chunks.try_recv().is_err(), "nothing is said twice");
}

#[test]
fn a_line_that_is_not_finished_is_shown_as_it_stands_once_and_taken_back() {
    let (mut live, mut chunks) = live(8);
    let mut next = || {
        let chunk = chunks.try_recv().ok()?;
        Some((chunk.text, chunk.unfinished))
    };
    let told = |text: &str, unfinished: &str| Some((text.to_owned(), unfinished.to_owned()));
    live.push("");
    assert!(live.is_waiting(), "it may be another");
    live.flush("Continue? ");
    assert_eq!(next(), told("", "Continue? "));
    live.push("");
    live.flush("Continue? ");
    assert_eq!((next(), live.is_waiting()), (None, false), "nothing is new");
    live.push("Continue? yes\n");
    live.flush("10%");
    assert_eq!(next(), told("Continue? yes\n", "10%"));
    live.push("");
    live.flush("");
    assert_eq!(next(), told("", ""));
}

#[test]
fn of_a_long_unfinished_line_the_end_is_shown_and_a_full_channel_is_asked_again() {
    let (mut live, mut chunks) = live(1);
    live.push("");
    live.flush(&"漢".repeat(1_000));
    live.push("");
    live.flush("next");
    assert!(live.is_waiting(), "there was no room");
    let first = chunks.try_recv().unwrap().unfinished;
    assert!(
        first.len() <= MOST_UNFINISHED && first.len() > MOST_UNFINISHED - 3,
        "{}",
        first.len()
    );
    live.flush("next");
    assert_eq!(chunks.try_recv().unwrap().unfinished, "next");
    live.push("next");
    live.finish();
    let last = chunks.try_recv().unwrap();
    assert_eq!((last.text.as_str(), last.unfinished.as_str()), ("next", ""));
}

#[test]
fn a_line_without_end_takes_no_room_and_what_follows_it_is_whole() {
    let (mut live, mut chunks) = live(8);
    for _ in 0..100 {
        live.push(&"漢".repeat(1_000));
        assert!(live.waiting.len() <= MOST + 4);
    }
    live.push(" end\nnext\n");
    live.flush("");
    assert_eq!(chunks.try_recv().unwrap().text, "next\n");
}
