use super::*;

fn read(pieces: &[&str]) -> Vec<Sse> {
    let mut events = Events::default();
    for piece in pieces {
        events.push(piece.as_bytes()).unwrap();
    }
    std::iter::from_fn(|| events.next()).collect()
}

#[test]
fn an_event_is_whole_at_its_blank_line_however_it_was_cut() {
    let whole = ": hello\nid: 7\nretry: 20\ndata: {\"a\":\ndata:1}\r\n\r\ndata: x\n\n";
    let expected = vec![
        Sse::default().id("7").retry(20).data("{\"a\":\n1}"),
        Sse::default().data("x"),
    ];
    assert_eq!(read(&[whole]), expected);
    for at in 1..whole.len() {
        let (first, rest) = whole.split_at(at);
        assert_eq!(read(&[first, rest]), expected, "{at}");
    }
    assert!(read(&["data: cut"]).is_empty(), "what has no end counts as nothing");
}

#[test]
fn an_event_without_end_is_left_whether_in_one_line_or_in_many() {
    let much = "x".repeat(1 << 20);
    for piece in [much.clone(), format!("data: {much}\n")] {
        let mut events = Events::default();
        let taken = (0..100).take_while(|_| events.push(piece.as_bytes()).is_ok()).count();
        assert!((14..=16).contains(&taken), "{taken}");
    }
}
