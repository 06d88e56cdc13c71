use super::*;

#[test]
fn a_key_is_known_in_base64_wherever_it_begins_and_whatever_stands_around_it() {
    let key = "house-key/of the+endpoint?0815";
    let forms = of(key);
    for before in 0..7 {
        for after in 0..4 {
            let text = format!("{}{key}{}", "<".repeat(before), "~".repeat(after));
            let whole = text.len() / 3 * 3;
            for last in LAST {
                let (begin, rest) = text.as_bytes().split_at(whole);
                let filled = base64(&[rest, &[0; 3]].concat(), 0, last);
                let filled = filled.get(..(rest.len() * 8).div_ceil(6)).unwrap();
                let encoded = base64(begin, 0, last) + filled;
                assert!(
                    forms.iter().any(|form| encoded.contains(form)),
                    "{before} {after}: {encoded}"
                );
            }
        }
    }
}

#[test]
fn base64_is_what_everybody_writes() {
    assert_eq!(base64(b"any carnal pleas", 0, LAST[0]), "YW55IGNhcm5hbCBwbGVhc");
    assert_eq!(base64(&[0xfb, 0xff, 0xbf], 0, LAST[0]), "+/+/");
    assert_eq!(base64(&[0xfb, 0xff, 0xbf], 0, LAST[1]), "-_-_");
}

#[test]
fn a_key_is_known_in_every_form() {
    let forms = of("ab/\"cd\\ef-ghi");
    for form in [
        "ab/\"cd\\ef-ghi",
        "ab/\\\"cd\\\\ef-ghi",
        "ab\\/\\\"cd\\\\ef-ghi",
        "61622f2263645c65662d676869",
        "61622F2263645C65662D676869",
        "%61%62%2F%22%63%64%5C%65%66%2D%67%68%69",
        "ab%2F%22cd%5Cef-ghi",
        "ab%2f%22cd%5cef-ghi",
    ] {
        assert!(forms.iter().any(|known| known == form), "{form}: {forms:?}");
    }
}
