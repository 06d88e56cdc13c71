use super::*;

#[test]
fn a_recording_is_sent_as_a_form_with_the_model() {
    let Form { content_type, body } = form("whisper-1", b"RIFF\x00\xffdata", "x");
    assert_eq!(content_type, "multipart/form-data; boundary=x");
    let mut expected = b"--x\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nwhisper-1\r\n\
        --x\r\nContent-Disposition: form-data; name=\"response_format\"\r\n\r\njson\r\n\
        --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"speech.wav\"\r\n\
        Content-Type: audio/wav\r\n\r\n"
        .to_vec();
    expected.extend_from_slice(b"RIFF\x00\xffdata\r\n--x--\r\n");
    assert_eq!(body, expected);
}

#[test]
fn only_an_answer_with_a_text_is_one() {
    assert_eq!(
        text_of(br#"{"text": " Hello. ", "usage": {}}"#).as_deref(),
        Some(" Hello. ")
    );
    for other in [&b"Hello."[..], br#"{"text": 1}"#, br#"{"error": "no"}"#, b""] {
        assert_eq!(text_of(other), None);
    }
}
