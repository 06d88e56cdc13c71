//! Characters that terminals draw in one or two columns (East Asian Width "ambiguous"): `…`, `→`, `“`, box drawing,
//! Greek, Cyrillic.

use std::sync::atomic::{AtomicBool, Ordering};

static WIDE: AtomicBool = AtomicBool::new(false);

/// Makes ambiguous characters two columns wide. Must be called once, before any layout.
pub fn draw_wide() {
    WIDE.store(true, Ordering::Relaxed);
}

pub fn are_wide() -> bool {
    WIDE.load(Ordering::Relaxed)
}
