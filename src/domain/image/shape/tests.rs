use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::*;

/// Valid images of three by two pixels, as common programs write them.
const WHOLE: &[(ImageKind, &str)] = &[
    (
        ImageKind::Png,
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP8zwAFTDAGAwATKQED8NgHhAAAAABJRU5ErkJggg==",
    ),
    (
        ImageKind::Jpeg,
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////\
         wAALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z",
    ),
    (
        ImageKind::Jpeg,
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////\
         wgALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/aAAgBAQAAAAE//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABBQJ//8QAFBABAAAAAAAAAAAA\
         AAAAAAAAAP/aAAgBAQAGPwJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPyF//9oACAEBAAAAEH//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/\
         EH//2Q==",
    ),
    (
        ImageKind::Gif,
        "R0lGODdhAwACAIEAAP8AAAAAAAAAAAAAACwAAAAAAwACAAAIBgABCBwYEAA7",
    ),
    (
        ImageKind::Webp,
        "UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoDAAIAAUAmJaACdLoB+AADsAD+8ut//NgVzXPv9//S4P0uD9Lg/9KQAAA=",
    ),
    (ImageKind::Webp, "UklGRhwAAABXRUJQVlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA"),
    (
        ImageKind::Webp,
        "UklGRlYAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAZGRkZGRkAFZQOCAoAAAAkAEAnQEqAwACAAdAliWgAnS6AAOYAP7lCvgnqXKP/jePAryXY6AAAA==",
    ),
];

fn whole() -> impl Iterator<Item = (ImageKind, Vec<u8>)> {
    let read = |written: &str| BASE64_STANDARD.decode(written).unwrap();
    WHOLE.iter().map(move |(kind, written)| (*kind, read(written)))
}

#[test]
fn an_image_says_how_wide_and_high_it_is() {
    for (kind, bytes) in whole() {
        assert_eq!(ImageKind::of(&bytes), Some(kind));
        assert_eq!(sides(kind, &bytes), Some((3, 2)), "{kind:?}");
        let behind = [bytes.as_slice(), b"and more"].concat();
        assert_eq!(
            sides(kind, &behind),
            Some((3, 2)),
            "{kind:?}: what stands behind it is nobody's"
        );
    }
}

#[test]
fn one_that_was_cut_off_is_none_wherever_that_was() {
    for (kind, bytes) in whole() {
        // A GIF has only its end mark after the image.
        let end = bytes.len() - usize::from(kind == ImageKind::Gif);
        for len in 0..end {
            assert_eq!(sides(kind, &bytes[..len]), None, "{kind:?} of {len} bytes");
        }
    }
}

#[test]
fn any_damage_is_read_to_its_end() {
    for (kind, bytes) in whole() {
        for at in 0..bytes.len() {
            for value in [0, 1, 0x2c, 0x7f, 0x80, 0xd9, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                let _ = sides(kind, &damaged);
            }
        }
    }
    let (_, mut png) = whole().next().unwrap();
    png[18] ^= 1;
    assert_eq!(
        sides(ImageKind::Png, &png),
        None,
        "the checksum of the header holds no longer"
    );
}
