//! Assigns numbers to lines, so that equal lines have equal numbers.
//!
//! Each new line is first compared with the line expected at its position. The other lines are looked up in small hash
//! tables, because one large table would exceed the CPU cache.

/// The number of a line: the position of the first equal line, counted through both texts.
type Number = u32;

#[derive(Debug, Clone, Copy, Default)]
struct Open {
    hash: u32,
    place: u32,
}

const IN_A_TABLE: usize = 512;

/// The hash of one in 64 lines is remembered. After added or removed lines, it shows which old line comes next.
const MARKED: u32 = 64;

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

/// Returns for each line of `new` the index of the expected line in `old`, if both are equal. Otherwise returns an
/// index past the end, and adds the line to `open` for a lookup.
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

fn in_small_tables(open: Vec<Open>, mut is_same: impl FnMut(u32, u32) -> bool) {
    let tables = (open.len() / IN_A_TABLE).max(1).next_power_of_two();
    // The highest bits of the hash select the table, because the lowest bits select the slot within a table.
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
    // Holds the start of each table. The loop turns each start into the table's end.
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
                // A slot contains the line's position plus one, or zero if it is free.
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

pub(super) fn as_place(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Hashes eight bytes at a time. The standard hash would take a third of a diff's time.
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
