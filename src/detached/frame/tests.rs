use super::*;
use crate::Request;

fn all() -> Vec<Frame> {
    let size = Size { columns: 80, rows: 24 };
    vec![
        Frame::Hello(Hello {
            protocol: 1,
            wants: Request::Terminal { size, view_only: false },
        }),
        Frame::Bytes(b"\x1b[A\0\xff".to_vec()),
        Frame::Resize(size),
        Frame::Goodbye(Goodbye::Ended { code: 130 }),
    ]
}

#[test]
fn frames_arrive_as_they_were_sent_in_pieces_of_any_length() {
    let sent: Vec<u8> = all().iter().flat_map(Frame::encode).collect();
    for step in [1, 3, 7, sent.len()] {
        let mut decoder = Decoder::default();
        let mut arrived = Vec::new();
        for piece in sent.chunks(step) {
            decoder.push(piece);
            while let Some(frame) = decoder.next().unwrap() {
                arrived.push(frame);
            }
        }
        assert_eq!(arrived, all(), "pieces of {step} bytes");
    }
}

#[test]
fn long_output_is_cut_into_frames() {
    let long = vec![b'x'; LONGEST + 1];
    let mut decoder = Decoder::default();
    decoder.push(&encode_bytes(&long));
    let mut lengths = Vec::new();
    while let Some(Frame::Bytes(bytes)) = decoder.next().unwrap() {
        lengths.push(bytes.len());
    }
    assert_eq!(lengths, [LONGEST, 1]);
    decoder.push(&encode_bytes(&[]));
    assert_eq!(decoder.next().unwrap(), Some(Frame::Bytes(Vec::new())));
}

#[test]
fn unreadable_frames_are_errors() {
    for bytes in [
        &b"x\0\0\0\0"[..],
        b"b\xff\xff\xff\xff",
        b"h\x02\0\0\0{}",
        b"GET / HTTP/1.1\r\n",
    ] {
        let mut decoder = Decoder::default();
        decoder.push(bytes);
        assert!(matches!(decoder.next(), Err(DetachedError::Garbled)), "{bytes:?}");
    }
}
