//! Finds the old text of an edit in the file. Tries an exact match, then another Unicode normal form, then the old text
//! without line numbers. Last, ignores white space, if only one place matches.

use super::Edit;
use super::graft::{Indentation, Style, Unwritable, graft};
use super::view::View;
use benchdog_base::composed::{
    ComposedText, compose_graphemes, decompose_graphemes, is_composed, is_decomposed, is_same_character,
};
use benchdog_base::text::{graphemes, places};
use benchdog_domain::review::Forgiven;

#[derive(Debug)]
pub(super) struct Done {
    pub(super) bytes: Vec<u8>,
    pub(super) forgiven: Option<Forgiven>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Miss {
    EmptyOld,
    Same,
    Absent,
    /// Zero-based line numbers of the matches.
    Several(Vec<usize>),
    Unwritable(String),
}

pub(super) fn replace(file: &[u8], edit: &Edit) -> Result<Done, Miss> {
    if edit.old.is_empty() {
        return Err(Miss::EmptyOld);
    }
    if edit.old == edit.new {
        return Err(Miss::Same);
    }
    // If the edit contains carriage returns, first try an exact match.
    if edit.old.contains('\r') || edit.new.contains('\r') {
        let places = places(file, edit.old.as_bytes());
        if !places.is_empty() {
            return at_places(&places, edit.all, |place| line_of(file, place))
                .map(|places| splice(file, places, edit.old.len(), edit.new.as_bytes()));
        }
    }
    let view = View::of(file);
    let plain = Edit {
        old: edit.old.replace("\r\n", "\n"),
        new: edit.new.replace("\r\n", "\n"),
        all: edit.all,
    };
    if let Some(done) = exact(file, &view, &plain, None)? {
        return Ok(done);
    }
    if let Some(done) = in_other_form(file, &view, &plain)? {
        return Ok(done);
    }
    for without in without_numbers(&plain) {
        if let Some(done) = exact(file, &view, &without, Some(Forgiven::LineNumbers))? {
            return Ok(done);
        }
        if let Some(done) = loose(file, &view, &without)? {
            return Ok(done);
        }
    }
    loose(file, &view, &plain)?.ok_or(Miss::Absent)
}

fn exact(file: &[u8], view: &View, edit: &Edit, forgiven: Option<Forgiven>) -> Result<Option<Done>, Miss> {
    let found = places(view.text.as_bytes(), edit.old.as_bytes());
    if found.is_empty() || edit.old.is_empty() {
        return Ok(None);
    }
    let chosen = at_places(&found, edit.all, |place| line_of(view.text.as_bytes(), place))?;
    let style = Style::of(file);
    let mut bytes = Vec::with_capacity(file.len() + edit.new.len());
    let mut at = 0;
    for place in chosen {
        let (start, end) = (
            view.original_offset(*place),
            view.original_offset(place + edit.old.len()),
        );
        bytes.extend_from_slice(file.get(at..start).unwrap_or_default());
        let region = file.get(start..end).unwrap_or_default();
        let grafted = graft(&mut bytes, &style, region, (&edit.old, &edit.new));
        grafted.map_err(|Unwritable(why)| Miss::Unwritable(why))?;
        at = end;
    }
    bytes.extend_from_slice(file.get(at..).unwrap_or_default());
    Ok(Some(Done { bytes, forgiven }))
}

/// Maximum bytes of a text to compare in composed form, because the comparison needs a copy and a list of changed
/// graphemes.
const MOST_COMPOSED: usize = 8 << 20;

/// Finds text that differs only in its Unicode normal form. For example, macOS writes decomposed file names, and some
/// editors write decomposed text.
fn in_other_form(file: &[u8], view: &View, edit: &Edit) -> Result<Option<Done>, Miss> {
    if view.text.len() > MOST_COMPOSED || (is_composed(&view.text) && is_composed(&edit.old)) {
        return Ok(None);
    }
    let (whole, old) = (ComposedText::of(&view.text), ComposedText::of(&edit.old));
    let found = places(whole.text().as_bytes(), old.text().as_bytes());
    let span = |place: &usize| {
        Some((
            whole.original_offset(*place)?,
            whole.original_offset(place + old.text().len())?,
        ))
    };
    let spans: Vec<(usize, usize)> = found.iter().filter_map(span).collect();
    if spans.is_empty() {
        return Ok(None);
    }
    if spans.len() > 1 && !edit.all {
        let line = |(start, _): &(usize, usize)| line_of(view.text.as_bytes(), *start);
        return Err(Miss::Several(spans.iter().map(line).collect()));
    }
    let style = Style::of(file);
    let mut bytes = Vec::with_capacity(file.len() + edit.new.len());
    let mut at = 0;
    for (from, to) in spans {
        let there = view.text.get(from..to).unwrap_or_default();
        let new = in_form_of(there, (&edit.old, &old), &edit.new);
        let (start, end) = (view.original_offset(from), view.original_offset(to));
        bytes.extend_from_slice(file.get(at..start).unwrap_or_default());
        let region = file.get(start..end).unwrap_or_default();
        let grafted = graft(&mut bytes, &style, region, (there, &new));
        grafted.map_err(|Unwritable(why)| Miss::Unwritable(why))?;
        at = end;
    }
    bytes.extend_from_slice(file.get(at..).unwrap_or_default());
    Ok(Some(Done {
        bytes,
        forgiven: Some(Forgiven::NormalForm),
    }))
}

/// Returns the new text in the Unicode normal form of the text that it replaces. The common beginning and end of old
/// and new text keep the bytes in the file.
fn in_form_of(there: &str, old: (&str, &ComposedText), new: &str) -> String {
    let (ours, (old, composed)) = (ComposedText::of(there), old);
    let (before, after): (Vec<_>, Vec<_>) = (graphemes(old).collect(), graphemes(new).collect());
    let places: Vec<usize> = graphemes(composed.text()).map(|(place, _)| place).collect();
    let is_same = |(one, other): &(&(usize, &str), &(usize, &str))| is_same_character(one.1, other.1);
    // The common parts can be mapped to the file only if each grapheme composes to exactly one grapheme.
    let most = if places.len() == before.len() { before.len() } else { 0 };
    let head = before.iter().zip(&after).take(most).take_while(is_same).count();
    let most = most.min(after.len()).saturating_sub(head);
    let tail = before.iter().rev().zip(after.iter().rev());
    let tail = tail.take(most).take_while(is_same).count();
    let place = |at: usize| after.get(at).map_or(new.len(), |(place, _)| *place);
    let middle = new.get(place(head)..place(after.len() - tail)).unwrap_or_default();
    let cut = |at: usize| {
        let place = places.get(at).copied().unwrap_or(composed.text().len());
        ours.original_offset(place).unwrap_or(there.len())
    };
    let (start, end) = (cut(head), cut(places.len() - tail));
    // Text without combining characters is in both forms, so it does not show the form of the file.
    let middle = match (is_composed(there), is_decomposed(there)) {
        (true, false) => compose_graphemes(middle),
        (false, true) => decompose_graphemes(middle),
        _ => middle.to_owned(),
    };
    let (head, tail) = (
        there.get(..start).unwrap_or_default(),
        there.get(end..).unwrap_or_default(),
    );
    [head, &middle, tail].concat()
}

/// Returns the only match, or all matches if `all` is set.
fn at_places(found: &[usize], all: bool, line: impl Fn(usize) -> usize) -> Result<&[usize], Miss> {
    if found.len() > 1 && !all {
        return Err(Miss::Several(found.iter().map(|place| line(*place)).collect()));
    }
    Ok(found)
}

fn splice(file: &[u8], places: &[usize], length: usize, new: &[u8]) -> Done {
    let mut bytes = Vec::with_capacity(file.len() + new.len());
    let mut at = 0;
    for place in places {
        bytes.extend_from_slice(file.get(at..*place).unwrap_or_default());
        bytes.extend_from_slice(new);
        at = place + length;
    }
    bytes.extend_from_slice(file.get(at..).unwrap_or_default());
    Done { bytes, forgiven: None }
}

pub(super) fn line_of(text: &[u8], place: usize) -> usize {
    text.iter().take(place).filter(|byte| **byte == b'\n').count()
}

/// Removes line numbers copied from a `read` result. Returns one edit for each number format that fits. Returns nothing
/// unless every line has a number and the numbers increase.
fn without_numbers(edit: &Edit) -> Vec<Edit> {
    let marks: [&[&str]; 3] = [&["\t", "→", "|"], &["→ ", "| ", ": "], &[":"]];
    let strip = |text: &str, marks: &[&str]| -> Option<String> {
        let mut last: Option<u64> = None;
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            if line.trim().is_empty() {
                out.push_str(line);
                continue;
            }
            let line = line.trim_start_matches(' ');
            let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let number: u64 = line.strip_suffix(rest)?.parse().ok()?;
            if last.is_some_and(|last| number <= last) {
                return None;
            }
            last = Some(number);
            match marks.iter().find_map(|mark| rest.strip_prefix(mark)) {
                Some(content) => out.push_str(content),
                // An empty line may lack the space after its number.
                None if marks.iter().any(|mark| rest.trim_end() == mark.trim_end()) => out.push('\n'),
                None => return None,
            }
        }
        last.map(|_| out)
    };
    marks
        .iter()
        .filter_map(|marks| {
            let old = strip(&edit.old, marks)?;
            let new = strip(&edit.new, marks).unwrap_or_else(|| edit.new.clone());
            Some(Edit {
                old,
                new,
                all: edit.all,
            })
        })
        .collect()
}

/// Finds whole lines that differ from the old text only in white space. The match must be unique, even if `all` is set.
fn loose(file: &[u8], view: &View, edit: &Edit) -> Result<Option<Done>, Miss> {
    let wanted: Vec<&str> = edit.old.lines().collect();
    let lead = wanted.iter().take_while(|line| line.trim().is_empty()).count();
    let trail = wanted.iter().rev().take_while(|line| line.trim().is_empty()).count();
    if lead == wanted.len() {
        return Ok(None);
    }
    let lines: Vec<&str> = view.text.split_inclusive('\n').collect();
    for (how, same) in [
        (Forgiven::SpaceAtEnds, trimmed_end as fn(&str, &str) -> bool),
        (Forgiven::Indentation, trimmed),
        (Forgiven::Space, collapsed),
    ] {
        // Try the old text first with its leading and trailing blank lines, then without them.
        for (skip, cut) in [(0, 0), (lead, trail)] {
            let pattern = wanted.get(skip..wanted.len() - cut).unwrap_or_default();
            let found: Vec<usize> = lines
                .windows(pattern.len())
                .enumerate()
                .filter(|(_, window)| window.iter().zip(pattern).all(|(line, wanted)| same(line, wanted)))
                .map(|(at, _)| at)
                .collect();
            match found.as_slice() {
                [] => {}
                [at] => {
                    let place = Place {
                        at: *at,
                        pattern,
                        blank: (skip, cut),
                    };
                    return carry(file, view, edit, &lines, &place).map(|bytes| {
                        Some(Done {
                            bytes,
                            forgiven: Some(how),
                        })
                    });
                }
                several => return Err(Miss::Several(several.to_vec())),
            }
            if lead == 0 && trail == 0 {
                break;
            }
        }
    }
    Ok(None)
}

struct Place<'a> {
    at: usize,
    pattern: &'a [&'a str],
    /// Numbers of leading and trailing blank lines that the pattern omits.
    blank: (usize, usize),
}

/// Returns the file with the match replaced. Unchanged lines keep their bytes, and changed lines get the file's
/// indentation.
fn carry(file: &[u8], view: &View, edit: &Edit, lines: &[&str], place: &Place<'_>) -> Result<Vec<u8>, Miss> {
    let count = place.pattern.len();
    let there = lines.get(place.at..place.at + count).unwrap_or_default();
    let start: usize = lines.iter().take(place.at).map(|line| line.len()).sum();
    let end = start + there.iter().map(|line| line.len()).sum::<usize>();
    let mut new: Vec<&str> = edit.new.lines().collect();
    let blanks = |lines: &mut dyn Iterator<Item = &&str>| lines.take_while(|line| line.trim().is_empty()).count();
    let drop = place.blank.0.min(blanks(&mut new.iter()));
    new.drain(..drop);
    let drop = place.blank.1.min(blanks(&mut new.iter().rev()));
    new.truncate(new.len() - drop);
    let indentation = Indentation::learn(place.pattern.iter().copied().zip(there.iter().copied()));
    // Copy unchanged lines from the file, so that only real changes are inserted.
    let (old_text, new_text) = (join(place.pattern.iter()), join(new.iter()));
    let mut dressed = Vec::new();
    let mut at = 0;
    for hunk in benchdog_diff::hunks(&old_text, &new_text) {
        dressed.extend(
            there
                .get(at..hunk.before.start)
                .unwrap_or_default()
                .iter()
                .map(|line| bare(line).to_owned()),
        );
        let changed = new.get(hunk.after.clone()).unwrap_or_default();
        dressed.extend(changed.iter().map(|line| indentation.dress(line)));
        at = hunk.before.end;
    }
    dressed.extend(
        there
            .get(at..)
            .unwrap_or_default()
            .iter()
            .map(|line| bare(line).to_owned()),
    );
    let mut text = join(dressed.iter());
    let old: String = there.concat();
    if !old.ends_with('\n') {
        text.truncate(text.trim_end_matches('\n').len());
    }
    let (from, to) = (view.original_offset(start), view.original_offset(end));
    let region = file.get(from..to).unwrap_or_default();
    let mut bytes = file.get(..from).unwrap_or_default().to_vec();
    let grafted = graft(&mut bytes, &Style::of(file), region, (&old, &text));
    grafted.map_err(|Unwritable(why)| Miss::Unwritable(why))?;
    bytes.extend_from_slice(file.get(to..).unwrap_or_default());
    Ok(bytes)
}

fn join<T: AsRef<str>>(lines: impl Iterator<Item = T>) -> String {
    lines.fold(String::new(), |mut text, line| {
        text.push_str(line.as_ref());
        text.push('\n');
        text
    })
}

fn bare(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

fn trimmed_end(line: &str, wanted: &str) -> bool {
    line.trim_end() == wanted.trim_end()
}

fn trimmed(line: &str, wanted: &str) -> bool {
    line.trim() == wanted.trim()
}

fn collapsed(line: &str, wanted: &str) -> bool {
    line.split_whitespace().eq(wanted.split_whitespace())
}
