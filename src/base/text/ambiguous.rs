//! Letters that terminals draw in one column or in two, by their font and setting: `…`, `→`, `“`, `①`, box drawing, Greek,
//! Cyrillic (East Asian Width "ambiguous").

use std::sync::atomic::{AtomicBool, Ordering};

static WIDE: AtomicBool = AtomicBool::new(false);

/// From here on they count as two columns. It is a fact of the terminal, said once, before anything is laid out.
pub(crate) fn draw_wide() {
    WIDE.store(true, Ordering::Relaxed);
}

pub(crate) fn are_wide() -> bool {
    WIDE.load(Ordering::Relaxed)
}
