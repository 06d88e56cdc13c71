//! Logs panics. Other handling of panics stays unchanged.

use benchdog_base::panics;

/// Installs a panic hook that logs the panic and then calls the previous hook. A hook installed later must call this
/// one, or log panics itself.
pub(super) fn log_them() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        panics::log(info);
        before(info);
    }));
}
