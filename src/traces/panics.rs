//! Logs panics, in addition to other reports.

use benchdog_base::panics;

/// Installs the hook. A later hook that does not call ours must log panics itself.
pub(super) fn log_them() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        panics::log(info);
        before(info);
    }));
}
