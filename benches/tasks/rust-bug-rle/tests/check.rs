mod rle;

use rle::{decode, encode};

#[test]
fn long_runs_are_split() {
    assert_eq!(encode(&[7; 300]), [255, 7, 45, 7]);
    assert_eq!(encode(b"aab"), [2, b'a', 1, b'b']);
    for length in [0, 1, 254, 255, 256, 510, 511, 1000] {
        let bytes = vec![9; length];
        assert_eq!(decode(&encode(&bytes)), Some(bytes));
    }
}

#[test]
fn other_bytes_are_refused() {
    assert_eq!(decode(&[1]), None);
    assert_eq!(decode(&[2, 5, 1]), None);
    assert_eq!(decode(&[0, 5]), None);
    assert_eq!(decode(&[]), Some(Vec::new()));
}
