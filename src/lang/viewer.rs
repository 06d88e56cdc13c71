//! What is shown of a file that is no text.

use super::say;
use crate::base::text::grouped;
use crate::domain::view::NoText;

pub(crate) fn no_text(file: &NoText) -> String {
    match file {
        NoText::Image { kind, sides, bytes } => {
            let bytes = grouped(*bytes);
            match sides {
                Some((width, height)) => say(
                    "viewer-image",
                    &[
                        ("kind", kind.name()),
                        ("width", &width.to_string()),
                        ("height", &height.to_string()),
                        ("bytes", &bytes),
                    ],
                ),
                None => say("viewer-broken-image", &[("kind", kind.name()), ("bytes", &bytes)]),
            }
        }
        NoText::Bytes { bytes } => say("viewer-no-text", &[("bytes", &grouped(*bytes))]),
    }
}
