//! Messages about files that are not text.

use super::say;
use benchdog_base::text::grouped;
use benchdog_domain::view::NoText;

pub fn no_text(file: &NoText) -> String {
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
