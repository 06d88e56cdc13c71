use super::*;

fn of(bytes: Vec<u8>) -> Option<Result<Picture, Flaw>> {
    Picture::of(&Arc::from(bytes))
}

#[test]
fn one_that_a_server_would_refuse_is_told_by_what_is_wrong_with_it() {
    let kind = ImageKind::Gif;
    let gif = |width: u16| {
        let [low, high] = width.to_le_bytes();
        let frame = [0, 0, 0, 0, b',', 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, b';'];
        [b"GIF89a".as_slice(), &[low, high, 1], &frame].concat()
    };
    assert_eq!(of(gif(8_000)).unwrap().unwrap().kind(), kind);
    let (width, height) = (8_001, 1);
    let large = Flaw::Sides { kind, width, height };
    assert_eq!(of(gif(8_001)), Some(Err(large)));
    assert_eq!(of(gif(0)), Some(Err(Flaw::Broken { kind })));
    assert_eq!(of(b"GIF89a and words".to_vec()), Some(Err(Flaw::Broken { kind })));
    let mut long = gif(1);
    long.resize(10 << 20, 0);
    assert!(of(long.clone()).unwrap().is_ok());
    long.push(0);
    let bytes = long.len() as u64;
    assert_eq!(of(long), Some(Err(Flaw::Bytes { kind, bytes })));
    assert_eq!(of(b"words".to_vec()), None);
}

#[test]
fn a_request_has_room_for_twenty_images_and_twenty_megabytes_of_them() {
    let mut room = Room::default();
    let taken = |room: &mut Room, bytes, times| (0..times).filter(|_| room.put(bytes)).count();
    assert_eq!(taken(&mut room, 9 << 20, 4), 2);
    assert_eq!(taken(&mut room, 2 << 20, 4), 1, "a smaller one goes in");
    assert_eq!(taken(&mut room, 1, 1), 0);
    assert_eq!(taken(&mut Room::default(), 1, 50), 20);
}

#[test]
fn an_image_is_told_by_its_first_bytes() {
    for (bytes, kind) in [
        (&b"\x89PNG\r\n\x1a\nrest"[..], Some(ImageKind::Png)),
        (b"\xff\xd8\xff\xe0", Some(ImageKind::Jpeg)),
        (b"GIF87a", Some(ImageKind::Gif)),
        (b"GIF89a...", Some(ImageKind::Gif)),
        (b"RIFF\x10\0\0\0WEBPVP8 ", Some(ImageKind::Webp)),
        (b"RIFF\x10\0\0\0WAVEfmt ", None),
        (b"\x89PNG", None),
        (b"GIF88a", None),
        (b"<svg/>", None),
        (b"", None),
    ] {
        assert_eq!(ImageKind::of(bytes), kind, "{bytes:?}");
    }
}
