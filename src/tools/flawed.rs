//! Describes an unusable image to the model.

use benchdog_base::disk::bytes_text;
use benchdog_base::text::grouped;
use benchdog_domain::image::{Flaw, MOST_BYTES, MOST_SIDE};

pub(super) fn flawed(flaw: Flaw) -> String {
    match flaw {
        Flaw::Broken { kind } => format!("a {} image that is damaged or incomplete; it is not shown", kind.name()),
        Flaw::Bytes { kind, bytes } => {
            let (size, most) = (bytes_text(bytes), bytes_text(MOST_BYTES));
            format!("a {} image of {size}; images over {most} are not shown", kind.name())
        }
        Flaw::Sides { kind, width, height } => {
            let (width, height) = (grouped(u64::from(width)), grouped(u64::from(height)));
            let most = grouped(u64::from(MOST_SIDE));
            format!(
                "a {} image of {width} x {height} pixels; images with a side of more than {most} are not shown",
                kind.name()
            )
        }
    }
}
