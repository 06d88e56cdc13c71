use std::os::fd::OwnedFd;

use super::*;

/// Sends these bytes as the output of a server that reads nothing. Returns the parsed messages and the faults.
async fn of(lines: Vec<u8>) -> (Vec<RxJsonRpcMessage<RoleClient>>, Arc<Faults>) {
    let (from, mut server) = std::io::pipe().unwrap();
    let (_reads, to) = std::io::pipe().unwrap();
    let reads = pipe::Receiver::from_owned_fd(OwnedFd::from(from)).unwrap();
    let writes = pipe::Sender::from_owned_fd(OwnedFd::from(to)).unwrap();
    let (mut wire, faults) = StdioTransport::new(reads, writes);
    let says = std::thread::spawn(move || {
        // The connection may end before everything is written.
        let _ = io::Write::write_all(&mut server, &lines);
    });
    let mut buffer = Vec::new();
    while let Some(message) = wire.receive().await {
        buffer.push(message);
    }
    drop(wire);
    says.join().unwrap();
    (buffer, faults)
}

fn long(begins: &str) -> Vec<u8> {
    let mut line = format!("{begins}\"").into_bytes();
    line.resize(MOST_MESSAGE + 10, b'x');
    line.extend_from_slice(b"\"}}\n{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}}\n");
    line
}

fn ids(buffer: &[RxJsonRpcMessage<RoleClient>]) -> Vec<(RequestId, bool)> {
    let id = |message: &RxJsonRpcMessage<RoleClient>| match message {
        JsonRpcMessage::Response(one) => Some((one.id.clone(), true)),
        JsonRpcMessage::Error(one) => Some((one.id.clone()?, one.error.message != TOO_LONG)),
        _ => None,
    };
    buffer.iter().filter_map(id).collect()
}

#[tokio::test]
async fn a_message_that_is_too_long_fails_what_it_answers_and_nothing_else() {
    let (buffer, faults) = of(long(r#"{"jsonrpc":"2.0","id":7,"result":{"x":"#)).await;
    assert_eq!(
        ids(&buffer),
        [(RequestId::Number(7), false), (RequestId::Number(8), true)]
    );
    assert_eq!(*faults.too_long().borrow(), 0, "no other call hears of it");
}

#[tokio::test]
async fn one_of_which_nobody_knows_what_it_answers_fails_all_that_wait() {
    let (buffer, faults) = of(long(r#"{"result":{"x":"#)).await;
    assert_eq!(ids(&buffer), [(RequestId::Number(8), true)]);
    assert_eq!(*faults.too_long().borrow(), 1);
    let (_, faults) = of(long(r#"{"method":"notifications/message","params":{"x":"#)).await;
    assert_eq!(*faults.too_long().borrow(), 0, "nobody waits for what it tells");
}

#[tokio::test]
async fn one_that_asks_without_end_is_not_read_any_more_and_one_that_asks_now_and_then_is() {
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let (buffer, faults) = of(ping.repeat(20)).await;
    assert!(buffer.len() == 20 && !faults.is_flooded(), "{}", buffer.len());
    let (buffer, faults) = of(ping.repeat(2_000)).await;
    assert!(
        buffer.len() <= MOST_REQUESTS as usize && faults.is_flooded(),
        "{}",
        buffer.len()
    );
}

#[tokio::test]
async fn one_odd_sign_does_not_make_a_message_unreadable() {
    let text = |id: i64, block: &str| {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",{block}}}]}}}}\n")
    };
    let mut lines = format!("\u{feff}{}", text(1, r#""text":"a""#)).into_bytes();
    lines.extend_from_slice(text(2, r#""text":"before \ud83d after""#).as_bytes());
    lines.extend_from_slice(text(3, r#""text":"a","_meta":{"n":NaN}"#).as_bytes());
    lines.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"x\":\"\xff\"}}\n");
    let (buffer, faults) = of(lines).await;
    let wanted = (1..=4).map(|id| (RequestId::Number(id), true)).collect::<Vec<_>>();
    assert_eq!((ids(&buffer), faults.garbage()), (wanted, None));
    assert!(
        format!("{:?}", buffer[1]).contains("before \u{fffd} after"),
        "{:?}",
        buffer[1]
    );
}

#[tokio::test]
async fn no_more_is_held_of_a_line_than_a_message_may_have() {
    let mut line = Vec::new();
    while line.len() + 60_000 <= MOST_MESSAGE {
        reserve(&mut line, 60_000);
        line.resize(line.len() + 60_000, b'x');
    }
    assert!(line.capacity() <= MOST_MESSAGE, "{}", line.capacity());
}
