use super::*;

#[test]
fn whether_it_is_an_image_costs_its_beginning_and_holds_for_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut gif = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;".to_vec();
    gif.resize(4_000, 7);
    let (image, text) = (of("a.gif", &gif), of("b.png", b"plain words, whatever its name says"));
    assert!(is_one(&image) && !is_one(&text) && !is_one(Path::new("a.png")));
    assert_eq!(&**read(&image).unwrap().unwrap().bytes(), gif);
    assert!(read(&text).is_none());
    let begun = begun(&image).unwrap();
    assert!(begun.bytes.len() < 32, "no more than tells the kind");
}
