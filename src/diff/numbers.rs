//! Lines as numbers, so that the search compares numbers and not bytes: equal lines get equal numbers.
//!
//! Looking lines up is most of a big diff, and most of a look-up is the wait for memory: one table of all lines is larger
//! than the caches. So a line is first compared with the one expected in its place, which is equal for most, and the others
//! are sorted into small tables by their hashes.

/// What stands for a line: the place at which such a line is first met, counted through both texts.
type Number = u32;

/// A line to be looked up.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    hash: u32,
    place: u32,
}

/// So many lines have a small table of their own, more or less.
const IN_A_TABLE: usize = 512;

/// One hash of so many is kept in mind, to find the way back where lines came or went.
const MARKED: u32 = 64;

/// The numbers of both sides.
pub(super) fn numbers(old: &[&[u8]], new: &[&[u8]]) -> (Vec<Number>, Vec<Number>) {
    let mut open: Vec<Open> = Vec::with_capacity(old.len() + new.len() / 4);
    open.extend(old.iter().enumerate().map(|(at, line)| Open {
        hash: hash(line),
        place: as_place(at),
    }));
    let known = expected(old, new, &mut open);
    let mut numbers: Vec<Number> = (0..as_place(old.len() + new.len())).collect();
    let line = |place: u32| {
        let place = place as usize;
        old.get(place).or_else(|| new.get(place - old.len()))
    };
    in_small_tables(open, |first, again| {
        let is_same = line(first) == line(again);
        if is_same && let Some(number) = numbers.get_mut(again as usize) {
            *number = first;
        }
        is_same
    });
    let mut new_numbers = numbers.split_off(old.len());
    for (number, known) in new_numbers.iter_mut().zip(known) {
        if let Some(of_old) = numbers.get(known as usize) {
            *number = *of_old;
        }
    }
    (numbers, new_numbers)
}

/// For each line of `new` the place in `old` where an equal one was found without looking it up, or else one behind its
/// end; what has to be looked up is added to `open`. `open` has the lines of `old`.
fn expected(old: &[&[u8]], new: &[&[u8]], open: &mut Vec<Open>) -> Vec<u32> {
    let size = (old.len() / MARKED as usize + 1).next_power_of_two();
    let mut marks: Vec<Option<Open>> = vec![None; 2 * size];
    let slot = |hash: u32| (hash / MARKED) as usize & (2 * size - 1);
    for line in open.iter().filter(|line| line.hash % MARKED == 0) {
        if let Some(mark) = marks.get_mut(slot(line.hash)) {
            *mark = Some(*line);
        }
    }
    let mut next = 0;
    let nowhere = as_place(old.len());
    let each = new.iter().enumerate().map(|(at, line)| {
        let mut found = nowhere;
        if old.get(next) == Some(line) {
            found = as_place(next);
        } else {
            let hash = hash(line);
            open.push(Open {
                hash,
                place: as_place(old.len() + at),
            });
            let mark = marks.get(slot(hash)).copied().flatten();
            if let Some(mark) = mark.filter(|mark| mark.hash == hash) {
                next = mark.place as usize;
            }
        }
        next += 1;
        found
    });
    each.collect()
}

/// Asks of lines that may be equal, the first of them and a later one, whether they are.
fn in_small_tables(open: Vec<Open>, mut is_same: impl FnMut(u32, u32) -> bool) {
    let tables = (open.len() / IN_A_TABLE).max(1).next_power_of_two();
    // By the highest bits; the lowest are for the place in a table.
    let table_of = |line: &Open| ((u64::from(line.hash) * tables as u64) >> 32) as usize;
    let mut ends = vec![0_usize; tables];
    for line in &open {
        if let Some(end) = ends.get_mut(table_of(line)) {
            *end += 1;
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    // Now each is where its table starts, and after this where it ends.
    let mut sorted = vec![Open::default(); open.len()];
    for line in &open {
        if let Some(end) = ends.get_mut(table_of(line)) {
            if let Some(slot) = sorted.get_mut(*end) {
                *slot = *line;
            }
            *end += 1;
        }
    }
    drop(open);
    let mut slots: Vec<u32> = Vec::new();
    let mut start = 0;
    for end in ends {
        let lines = sorted.get(start..end).unwrap_or_default();
        start = end;
        let size = (2 * lines.len()).next_power_of_two();
        slots.clear();
        slots.resize(size, 0);
        for (at, line) in lines.iter().enumerate() {
            let mut slot = line.hash as usize & (size - 1);
            while let Some(taken) = slots.get_mut(slot) {
                // The number of a line plus one; zero where none is.
                let Some(first) = (*taken as usize).checked_sub(1).and_then(|first| lines.get(first)) else {
                    *taken = as_place(at + 1);
                    break;
                };
                if first.hash == line.hash && is_same(first.place, line.place) {
                    break;
                }
                slot = (slot + 1) & (size - 1);
            }
        }
    }
}

/// No text has so many lines that a place does not fit.
pub(super) fn as_place(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// A multiply-and-rotate hash over eight bytes at a time: the standard one costs a third of the time of a whole diff.
fn hash(line: &[u8]) -> u32 {
    let add = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = line.as_chunks::<8>();
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let hash = words
        .iter()
        .fold(line.len() as u64, |hash, word| add(hash, u64::from_le_bytes(*word)));
    let hash = add(hash, u64::from_le_bytes(last));
    // The multiplication leaves the low bits weak.
    ((hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
}

#[cfg(test)]
mod tests;
