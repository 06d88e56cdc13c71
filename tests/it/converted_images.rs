//! Tests that `read` shows BMP, TIFF and ICO images as PNG. A sandboxed process decodes them, and a hostile image gives
//! one error.

use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::json;

use crate::images::{PIXEL, put, seeing};
use crate::support::home::Home;
use crate::support::process::{Running, look_until};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn bmp(width: i32, height: i32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    let size = u32::try_from(54 + pixels.len()).expect("a small file");
    for field in [size, 0, 54, 40] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    bytes.extend_from_slice(&width.to_le_bytes());
    bytes.extend_from_slice(&height.to_le_bytes());
    bytes.extend_from_slice(&[1, 0, 24, 0]);
    bytes.extend_from_slice(&[0; 24]);
    bytes.extend_from_slice(pixels);
    bytes
}

fn two_pixels() -> Vec<u8> {
    bmp(2, 1, &[255, 0, 0, 0, 0, 255, 0, 0])
}

/// Returns an uncompressed TIFF image of one grey pixel. Its header has these dimensions.
fn tiff(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    let fields: [(u16, u32); 8] = [
        (256, width),
        (257, height),
        (258, 8),
        (259, 1),
        (262, 1),
        (273, 8 + 2 + 8 * 12 + 4),
        (278, height),
        (279, 1),
    ];
    bytes.extend_from_slice(&8_u16.to_le_bytes());
    for (tag, value) in fields {
        bytes.extend_from_slice(&tag.to_le_bytes());
        bytes.extend_from_slice(&4_u16.to_le_bytes());
        bytes.extend_from_slice(&1_u32.to_le_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes.extend_from_slice(&[0, 0, 0, 0, 0x80]);
    bytes
}

fn ico(png: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0];
    bytes.extend_from_slice(&u32::try_from(png.len()).expect("a small file").to_le_bytes());
    bytes.extend_from_slice(&22_u32.to_le_bytes());
    bytes.extend_from_slice(png);
    bytes
}

/// Returns the result of `read`, and the PNG image for the model.
fn read(home: &Home, server: &Server, name: &str) -> (String, Option<Vec<u8>>) {
    server.take_requests();
    server.script([call("read", json!({"path": name})), text("Seen.")]);
    home.run(&["run", "look"]).assert_code(0);
    let request = server.request(2);
    let url = request.raw.split_once("data:image/png;base64,").map(|(_, rest)| rest);
    let url = url.and_then(|rest| rest.split('"').next());
    let png = url.map(|url| base64::engine::general_purpose::STANDARD.decode(url).expect("base64"));
    (request.last("tool").to_owned(), png)
}

#[test]
fn a_model_that_reads_images_gets_a_png_of_each_kind() {
    let server = Server::start();
    let home = seeing(&server);
    for (name, bytes, sides, told) in [
        (
            "a.bmp",
            two_pixels(),
            [2, 1],
            "`a.bmp` is a BMP image of 62 bytes, 2 x 1 pixels.",
        ),
        (
            "a.tiff",
            tiff(1, 1),
            [1, 1],
            "`a.tiff` is a TIFF image of 111 bytes, 1 x 1 pixels.",
        ),
        (
            "a.ico",
            ico(PIXEL),
            [1, 1],
            "`a.ico` is an icon (ICO) of 92 bytes, 1 x 1 pixels.",
        ),
    ] {
        put(&home, name, &bytes);
        let (result, png) = read(&home, &server, name);
        assert_eq!(result, format!("{told} The image follows the results, as PNG.\n"));
        let png = png.expect("an image");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
        assert_eq!([png[19], png[23]], sides, "{name}");
    }
    let blind = Home::with(&server);
    put(&blind, "a.bmp", &two_pixels());
    let (result, png) = read(&blind, &server, "a.bmp");
    let told = "image: `a.bmp` is a BMP image of 62 bytes, not text; it is not shown, because images are not sent to this model.";
    assert_eq!((result.as_str(), png), (told, None));
}

#[test]
fn a_hostile_image_gives_one_error_within_its_limits() {
    let server = Server::start();
    let home = seeing(&server);
    let began = Instant::now();
    let mut cut = two_pixels();
    cut.truncate(57);
    let mut endless = tiff(1, 1);
    // Set the next directory to the first one, which gives an endless loop.
    let at = endless.len() - 5;
    endless[at] = 8;
    for (name, bytes) in [
        ("wide.bmp", bmp(i32::MAX, 1, &[0; 8])),
        ("tall.bmp", bmp(1, i32::MIN, &[0; 8])),
        ("cut.bmp", cut),
        ("bomb.tiff", tiff(7_999, 7_999)),
        ("wide.tiff", tiff(u32::MAX, u32::MAX)),
        ("cut.tiff", tiff(1, 1)[..40].to_vec()),
        ("cut.ico", ico(&PIXEL[..30])),
        ("empty.ico", ico(&[])),
    ] {
        put(&home, name, &bytes);
        let (result, png) = read(&home, &server, name);
        assert!(result.starts_with(&format!("image: `{name}` is a")), "{result}");
        assert!(result.ends_with(". It is not shown."), "{result}");
        assert_eq!((result.lines().count(), png), (1, None), "{result}");
    }
    put(&home, "endless.tiff", &endless);
    let (result, _) = read(&home, &server, "endless.tiff");
    assert_eq!(result.lines().count(), 1, "{result}");
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn the_decoder_is_sealed_before_it_reads_a_byte() {
    let home = Home::bare();
    let mut command = home.command(&["read-image", r#"{"len":999,"format":"bmp"}"#]);
    command.env("MIMALLOC_ARENA_RESERVE", "0");
    let (reader, input) = Running::fed(command);
    let about = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", reader.pid())).unwrap_or_default();
    let is_sealed = look_until(Duration::from_secs(20), || about("status").contains("Seccomp:\t2"));
    assert!(is_sealed, "{}", about("status"));
    assert!(
        about("limits").contains("data size             335544320"),
        "{}",
        about("limits")
    );
    drop(input);
    let ended = reader.wait();
    assert!(ended.stdout.starts_with("{\"failed\":"), "{ended}");
}
