use super::looked_at;

#[test]
fn what_was_kept_unlooked_at_and_is_no_image_goes_into_no_request() {
    let gif = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    assert_eq!(looked_at(gif.to_vec()).as_deref(), Some(gif.as_slice()));
    for bytes in [&gif[..20], b"\x89PNG\r\n\x1a\n", b"words", b""] {
        assert_eq!(looked_at(bytes.to_vec()), None, "{bytes:?}");
    }
}
