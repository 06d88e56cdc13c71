use std::io::{self, BufReader, Read};

use super::{Bad, LONGEST, Message, next};

fn all(text: &[u8]) -> Vec<Option<Result<Message, Bad>>> {
    let mut input = BufReader::new(text);
    std::iter::from_fn(|| next(&mut input).expect("readable")).collect()
}

#[test]
fn each_line_is_one_message_and_a_bad_one_does_not_end_the_input() {
    let read = all(
        b"{\"type\":\"cancel\"}\n\n{\"type\":\"cancel\",\"now\":true}\n\xff\n[]\n{\"type\":\"prompt\",\"text\":\"hi\"}",
    );
    assert_eq!(read.len(), 6);
    assert_eq!(read[0], Some(Ok(Message::Cancel {})));
    assert_eq!(read[1], None);
    for bad in &read[2..5] {
        assert!(matches!(bad, Some(Err(Bad::Invalid(_)))), "{bad:?}");
    }
    let prompt = Message::Prompt {
        text: "hi".to_owned(),
        context: String::new(),
    };
    assert_eq!(read[5], Some(Ok(prompt)));
}

#[test]
fn a_line_over_the_limit_is_skipped_to_its_end() {
    let long = io::repeat(b'x').take(LONGEST * 2);
    let mut input = BufReader::new(long.chain(&b"\n{\"type\":\"cancel\"}\n"[..]));
    assert_eq!(next(&mut input).expect("readable"), Some(Some(Err(Bad::TooLong))));
    assert_eq!(next(&mut input).expect("readable"), Some(Some(Ok(Message::Cancel {}))));
    assert_eq!(next(&mut input).expect("readable"), None);
}
