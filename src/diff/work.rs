//! Counts comparisons in tests, to check limits independent of machine speed.

#[cfg(test)]
thread_local! {
    static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
pub(super) fn compared(count: usize) {
    DONE.set(DONE.get().saturating_add(count));
}

#[cfg(not(test))]
pub(super) fn compared(_count: usize) {}

/// Returns the result and the number of comparisons.
#[cfg(test)]
pub(super) fn of<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = DONE.get();
    let result = run();
    (result, DONE.get() - before)
}
