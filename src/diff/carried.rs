//! What was done to a text, done to what that text has become meanwhile.

use super::hunks::hunks;
use super::lines::split;

/// What `later` becomes by the changes that made `mine` of `base`. `None`: both changed the same lines, or lines side by side.
pub(crate) fn carried(base: &[u8], mine: &[u8], later: &[u8]) -> Option<Vec<u8>> {
    let (own, others) = (hunks(base, mine), hunks(base, later));
    if own
        .iter()
        .any(|own| others.iter().any(|other| own.touches(&other.before)))
    {
        return None;
    }
    let (mine, mut lines) = (split(mine), split(later));
    for own in own.iter().rev() {
        let above = others.iter().take_while(|other| other.before.end <= own.before.start);
        let shift: isize = above
            .map(|other| other.after.len().cast_signed() - other.before.len().cast_signed())
            .sum();
        let start = own.before.start.checked_add_signed(shift)?;
        let there = lines.get(start..)?.len();
        let end = start + own.before.len().min(there);
        lines.splice(start..end, mine.get(own.after.clone())?.iter().copied());
    }
    Some(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::carried;

    #[test]
    fn an_edit_goes_along_to_where_its_lines_lie_now() {
        let (base, mine) = (b"a\nb\nc\nd\n", b"a\nb\nc\nD\nnew\n");
        assert_eq!(
            carried(base, mine, b"top\na\nc\nd\n").as_deref(),
            Some(&b"top\na\nc\nD\nnew\n"[..])
        );
        assert_eq!(carried(base, mine, base).as_deref(), Some(&mine[..]));
        assert_eq!(carried(base, base, b"x\n").as_deref(), Some(&b"x\n"[..]));
    }

    #[test]
    fn where_both_changed_the_same_lines_or_neighbours_nothing_is_guessed() {
        let (base, mine) = (b"a\nb\nc\nd\n", b"a\nB\nc\nd\n");
        for later in [
            &b"a\nx\nc\nd\n"[..],
            b"a\nb\nx\nd\n",
            b"a\nnew\nb\nc\nd\n",
            b"a\nc\nd\n",
        ] {
            assert_eq!(carried(base, mine, later), None, "{later:?}");
        }
    }
}
