//! Messages about files that are not text.

use super::message;
use benchdog_base::text::grouped;
use benchdog_domain::view::NoText;

pub fn no_text(file: &NoText) -> String {
    match file {
        NoText::Image { kind, sides, bytes } => {
            let bytes = grouped(*bytes);
            match sides {
                Some((width, height)) => {
                    message::viewer_image(&bytes, &height.to_string(), kind.name(), &width.to_string())
                }
                None => message::viewer_broken_image(&bytes, kind.name()),
            }
        }
        NoText::Bytes { bytes } => message::viewer_no_text(&grouped(*bytes)),
    }
}
