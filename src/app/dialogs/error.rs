//! What went wrong, why, and what helps; stays until seen.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorDialog {
    pub(crate) code: String,
    pub(crate) text: String,
    pub(crate) hint: String,
}
