//! How much is compared, counted for tests alone: that a search gives up is seen by what it does, on a slow machine and on a fast one.

#[cfg(test)]
thread_local! {
    static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// So much more was compared.
#[cfg(test)]
pub(super) fn compared(count: usize) {
    DONE.set(DONE.get().saturating_add(count));
}

#[cfg(not(test))]
pub(super) fn compared(_count: usize) {}

/// What comes of it, and how much was compared for it.
#[cfg(test)]
pub(super) fn of<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = DONE.get();
    let result = run();
    (result, DONE.get() - before)
}
