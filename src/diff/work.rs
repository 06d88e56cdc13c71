//! Counts comparisons in tests, so that tests can check effort limits on any machine.

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

#[cfg(test)]
pub(super) fn of<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = DONE.get();
    let result = run();
    (result, DONE.get() - before)
}
