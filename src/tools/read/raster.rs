//! Shows a BMP, TIFF or ICO image as PNG, because models do not accept these formats. A sealed process decodes it.

mod child;

use super::ReadPlan;
use super::sealed::{self, MOST_SECONDS};
use crate::flawed::flawed;
use crate::program::How;
use crate::{ToolContext, cancelled};
use benchdog_base::disk::bytes_text;
use benchdog_base::text::{clean, grouped};
use benchdog_domain::image::Picture;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::Outcome;
use child::{Answer, Format, Order};
pub use child::{READ_IMAGE, read_image};

/// Maximum bytes of an image file, larger than for images that are sent, because these formats are often uncompressed.
const MOST_FILE: usize = 50 << 20;

/// Maximum bytes of the child's answer, which contains the PNG image as base64.
const MOST_ANSWER: usize = 16 << 20;

pub(super) struct Raster {
    format: Format,
    bytes: Vec<u8>,
}

impl Raster {
    /// Returns the image, or the bytes as the error if they are no BMP, TIFF or ICO image.
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self, Vec<u8>> {
        match Format::of(&bytes) {
            Some(format) => Ok(Self { format, bytes }),
            None => Err(bytes),
        }
    }
}

pub(super) async fn read(raster: Raster, plan: &ReadPlan, cx: &ToolContext) -> Outcome {
    let shown = plan.path.shown();
    let Raster { format, bytes } = raster;
    let what = format!("`{shown}` is {} of {}", format.name(), bytes_text(bytes.len()));
    if !cx.sees {
        return Outcome::error(
            "image",
            format!("{what}, not text; it is not shown, because images are not sent to this model."),
        );
    }
    if bytes.len() > MOST_FILE {
        let most = bytes_text(MOST_FILE);
        return Outcome::error(
            "image",
            format!("{what}; images of this kind over {most} are not shown."),
        );
    }
    let within = sealed::within(MOST_ANSWER);
    let order = Order {
        len: bytes.len(),
        format,
    };
    let said = match sealed::start(READ_IMAGE, &order, &bytes, within, cx).await {
        Err(error) => return Outcome::error("internal", format!("`{shown}` was not read: {error}.")),
        Ok(said) if matches!(said.how, How::Stopped) => return cancelled("It only looked; nothing was changed."),
        Ok(said) => said,
    };
    let answer = said
        .output
        .lines()
        .next()
        .and_then(|line| serde_json::from_str(line).ok());
    let answer =
        answer.unwrap_or_else(|| Answer::Failed(sealed::reason(&said, within.until, "the image is too large")));
    match answer {
        Answer::Png { png, width, height } => {
            let sides = format!(
                "{what}, {} x {} pixels",
                grouped(u64::from(width)),
                grouped(u64::from(height))
            );
            image(&sides, &png)
        }
        Answer::Failed(why) => Outcome::error(
            "image",
            format!("{what} that cannot be read: {}. It is not shown.", clean(&why)),
        ),
        Answer::Unsealed(why) => Outcome::error(
            "not_confined",
            format!(
                "{what}, which was not read, because this system cannot confine the reader of images: {}. \
                 Use `bash` with a program that writes a PNG file.",
                clean(&why)
            ),
        ),
    }
}

fn image(what: &str, png: &str) -> Outcome {
    let picture = child::decoded(png).and_then(|bytes| Picture::of(&bytes.into()));
    match picture {
        Some(Ok(picture)) => Outcome {
            images: vec![picture.clone()],
            image: Some(picture),
            ..Outcome::ok(
                Summary::Lines { lines: 1 },
                format!("{what}. The image follows the results, as PNG.\n"),
            )
        },
        Some(Err(flaw)) => Outcome::error("image", format!("{what}. As PNG it is {}.", flawed(flaw))),
        None => Outcome::error(
            "image",
            format!("{what}, which cannot be read within {MOST_SECONDS} s."),
        ),
    }
}

#[cfg(test)]
mod tests;
