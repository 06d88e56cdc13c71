//! A panic goes into the log, beside wherever else it is told.

use crate::base::panics;

/// From here on. Whoever sets a hook later and keeps ours from being called logs it too.
pub(super) fn log_them() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        panics::log(info);
        before(info);
    }));
}
