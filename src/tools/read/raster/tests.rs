//! Decoding without a child process, which `tests/it/converted_images.rs` tests.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbaImage};

use super::child::{converted, decoded};
use super::{Answer, Format, Raster};

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn red(width: u32, height: u32) -> DynamicImage {
    RgbaImage::from_pixel(width, height, image::Rgba([200, 10, 20, 255])).into()
}

fn png_of(answer: Answer) -> (DynamicImage, (u32, u32)) {
    let Answer::Png { png, width, height } = answer else {
        panic!("{answer:?}")
    };
    let bytes = decoded(&png).unwrap();
    let image = image::load_from_memory_with_format(&bytes, ImageFormat::Png).unwrap();
    (image, (width, height))
}

#[test]
fn each_kind_becomes_a_png_with_its_pixels() {
    for (format, of_encoder) in [
        (Format::Bmp, ImageFormat::Bmp),
        (Format::Ico, ImageFormat::Ico),
        (Format::Tiff, ImageFormat::Tiff),
    ] {
        let bytes = encoded(&red(16, 9), of_encoder);
        assert_eq!(Format::of(&bytes), Some(format));
        let (image, sides) = png_of(converted(bytes, format));
        assert_eq!((image, sides), (red(16, 9), (16, 9)), "{format:?}");
    }
}

#[test]
fn colours_of_more_bits_are_reduced_and_large_images_scaled_down() {
    let deep: DynamicImage = image::ImageBuffer::from_pixel(3, 2, image::Rgb([u16::MAX, 0, 0x8080])).into();
    let (image, _) = png_of(converted(encoded(&deep, ImageFormat::Tiff), Format::Tiff));
    assert_eq!(image.into_rgba8().get_pixel(0, 0).0, [255, 0, 128, 255]);
    let (image, sides) = png_of(converted(encoded(&red(4_000, 30), ImageFormat::Bmp), Format::Bmp));
    assert_eq!((image.width(), image.height(), sides), (2_000, 15, (4_000, 30)));
}

#[test]
fn an_icon_with_a_png_without_alpha_was_rejected() {
    let png = encoded(&DynamicImage::ImageRgb8(red(16, 9).into_rgb8()), ImageFormat::Png);
    let mut icon = vec![0, 0, 1, 0, 1, 0, 16, 9, 0, 0, 1, 0, 24, 0];
    icon.extend(u32::try_from(png.len()).unwrap().to_le_bytes());
    icon.extend(22_u32.to_le_bytes());
    icon.extend(png);
    assert_eq!(png_of(converted(icon, Format::Ico)), (red(16, 9), (16, 9)));
}

#[test]
fn damaged_images_are_refused_without_a_panic() {
    for (format, of_encoder) in [
        (Format::Bmp, ImageFormat::Bmp),
        (Format::Ico, ImageFormat::Ico),
        (Format::Tiff, ImageFormat::Tiff),
    ] {
        let whole = encoded(&red(5, 4), of_encoder);
        for end in [0, 1, 9, 20, whole.len() / 2] {
            let answer = converted(whole[..end].to_vec(), format);
            assert!(matches!(&answer, Answer::Failed(_)), "{format:?}, {end}: {answer:?}");
        }
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 0xff;
            // The changed byte may be part of a colour, so the result may still be an image. Only check that nothing
            // panics.
            let _ = converted(flipped, format);
        }
    }
}

#[test]
fn other_files_are_left_to_others() {
    for bytes in [&b"BM is a word"[..], b"II", b"\0\0\x01\0", b"", b"\x89PNG\r\n\x1a\n"] {
        assert_eq!(Raster::of(bytes.to_vec()).err().as_deref(), Some(bytes));
    }
}
