//! Logs panics, without changing how they are handled otherwise.

use benchdog_base::panics;

/// Installs a panic hook that logs the panic and then calls the previous hook. A hook that is installed later must call
/// this hook, or log panics itself.
pub(super) fn log_them() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        panics::log(info);
        before(info);
    }));
}
