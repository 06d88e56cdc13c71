//! The panes, one file each, named like their pictures in `ui/panes`.

pub(crate) mod changes;
pub(crate) mod context;
pub(crate) mod conversation;
pub(crate) mod files;
pub(crate) mod prompt;
pub(crate) mod todo;

/// The first row to show so that the selected one is in view, moving as little as possible.
pub(crate) fn scrolled(top: usize, selected: usize, rows: usize, height: usize) -> usize {
    let height = height.max(1);
    let earliest = (selected + 1).saturating_sub(height);
    let latest = selected.min(rows.saturating_sub(height));
    top.clamp(earliest.min(latest), latest.max(earliest))
}
