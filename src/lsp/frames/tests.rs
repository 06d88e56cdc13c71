use super::*;

async fn all(bytes: &[u8]) -> (Vec<Frame>, Option<String>) {
    let mut frames = Frames::new(bytes);
    let mut found = Vec::new();
    loop {
        match frames.next().await {
            Ok(Some(frame)) => found.push(frame),
            Ok(None) => return (found, None),
            Err(BadHeader(line)) => return (found, Some(line)),
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
}

#[test]
fn messages_are_read_one_after_the_other_past_lines_that_are_none() {
    let bytes = b"Welcome\n\r\nContent-Type: x\r\ncontent-length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull";
    let (found, end) = runtime().block_on(all(bytes));
    assert_eq!(
        found,
        [Frame::Message(b"{}".to_vec()), Frame::Message(b"null".to_vec())]
    );
    assert_eq!(end, None);
}

#[test]
fn a_message_that_is_too_long_is_skipped_and_the_next_one_read() {
    let length = MOST_MESSAGE + 1;
    let mut bytes = format!("Content-Length: {length}\r\n\r\n").into_bytes();
    bytes.resize(bytes.len() + usize::try_from(length).unwrap(), b'x');
    bytes.extend_from_slice(&frame(b"{}"));
    let (found, end) = runtime().block_on(all(&bytes));
    assert_eq!(found, [Frame::TooLong(length), Frame::Message(b"{}".to_vec())]);
    assert_eq!(end, None);
}

#[test]
fn what_is_no_header_ends_the_connection() {
    let endless = vec![b'x'; MOST_HEADER + 10];
    for (bytes, told) in [
        (endless.as_slice(), "xxx"),
        (b"Content-Length: many\r\n\r\n", "Content-Length: many"),
        (b"Content-Length: 99999999999\r\n\r\n", "Content-Length: 99999999999"),
    ] {
        let (found, end) = runtime().block_on(all(bytes));
        assert_eq!(found, []);
        assert!(
            end.is_some_and(|line| line.starts_with(told) && line.len() < 100),
            "{told}"
        );
    }
}

#[test]
fn a_half_message_at_the_end_is_none() {
    let (found, _) = runtime().block_on(all(b"Content-Length: 10\r\n\r\n{}"));
    assert_eq!(found, []);
}
