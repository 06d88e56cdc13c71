use super::*;

#[test]
fn a_typed_key_ends_with_enter_and_ctrl_c_takes_none() {
    let of = |bytes: &[u8]| typed(bytes).unwrap();
    assert_eq!(of(b"wrong\x15kex\x7fy\rrest"), Some("key".to_owned()));
    assert_eq!(of(b"key"), Some("key".to_owned()));
    assert_eq!(of(b"key\x03\r"), None);
    assert!(typed(&b"\xff\r"[..]).is_err());
}
