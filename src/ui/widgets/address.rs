//! Shortens the address of a server to the space of a row.

use std::borrow::Cow;

use benchdog_base::text::truncate;

use crate::brush::columns;

/// Returns a detail that ends with an address, in at most `room` columns. Host and port identify the server. The path
/// is therefore omitted first, and then everything before the host.
pub(crate) fn fit(detail: &str, room: u16) -> Cow<'_, str> {
    let Some((before, rest)) = detail.split_once("://") else {
        return truncate(detail, usize::from(room));
    };
    let host = rest.split('/').next().unwrap_or_default();
    let without_path = detail.get(..before.len() + "://".len() + host.len()).unwrap_or(detail);
    let shortest = [detail, without_path].into_iter().find(|text| columns(text) <= room);
    shortest.map_or_else(|| truncate(host, usize::from(room)), Cow::Borrowed)
}

#[cfg(test)]
mod tests;
