//! Costs of checkpoints. Run `cargo bench -p benchdog-checkpoints --bench checkpoints -- [FOLDER] [FILES …]`.
//!
//! Builds trees of small text files, with twenty files per folder. Captures the trees, and prints the shortest and the
//! longest time.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use benchdog_checkpoints::{Captured, Changed, Checkpoints, Limits, Step, Wanted};

const PER_FOLDER: usize = 20;
const ROUNDS: usize = 20;
const TURNS: usize = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    let place = arguments
        .iter()
        .find(|one| one.starts_with('/'))
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|one| one.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![1_000, 100_000];
    }
    for files in sizes {
        let top = tempfile::tempdir_in(&place)?;
        measure(top.path(), files)?;
    }
    Ok(())
}

fn measure(top: &Path, files: usize) -> Result<(), Box<dyn std::error::Error>> {
    let (data, root) = (top.join("data"), top.join("work"));
    println!("{files} files in {}", top.display());
    let mut rng = fastrand::Rng::with_seed(1);
    let len = if files > 200_000 { 200 } else { 3_000 };
    let mut bytes = 0;
    for number in 0..files {
        bytes += write(&path(&root, number), &text(&mut rng, len))?;
    }
    let cold = Checkpoints::open(&data, &root, Limits::default())?;
    let (time, first) = timed(|| cold.capture())?;
    println!("  first capture            {:>9.1} ms   {}", ms(time), facts(&first));
    println!(
        "  bytes of the files       {:>9.1} MB, stored {:.1} MB",
        mb(bytes),
        mb(first.stored_bytes)
    );
    drop(cold);
    let (opened, all) = timed(|| Checkpoints::open(&data, &root, Limits::default()))?;
    let (time, again) = timed(|| all.capture())?;
    println!(
        "  next process             {:>9.1} ms   open {:.1} ms, {}",
        ms(time),
        ms(opened),
        facts(&again)
    );
    let times = rounds(|| all.capture().map(drop))?;
    println!("  unchanged, full walk     {}", range(&times));
    let (time, watching) = timed(|| all.watch())?;
    println!("  start of the watcher     {:>9.1} ms   {watching:?}", ms(time));
    let times = rounds(|| all.capture().map(drop))?;
    println!("  unchanged, watched       {}", range(&times));
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        write(&path(&root, rng.usize(..files)), &text(&mut rng, 3_000))?;
        times.push(timed(|| all.capture())?.0);
    }
    println!("  one file changed         {}", range(&times));
    if files >= 1_000 {
        let mut times = Vec::new();
        for _ in 0..3 {
            for number in 0..1_000 {
                write(&path(&root, number * (files / 1_000)), &text(&mut rng, 10_000))?;
            }
            let (time, captured) = timed(|| all.capture())?;
            assert_eq!(captured.read, 1_000, "{}", facts(&captured));
            times.push(time);
        }
        println!("  1,000 files of 10 KB     {}", range(&times));
    }
    if files >= 1_000 {
        let before = all.capture()?.tree;
        for number in 0..1_000 {
            write(&path(&root, number * (files / 1_000)), &text(&mut rng, 10_000))?;
        }
        let now = all.capture()?.tree;
        let start = Instant::now();
        let rows = all.compare(&now, &before).changed;
        let compared = start.elapsed();
        let steps: Vec<Step> = rows.into_iter().map(step).collect();
        let (time, restored) = timed(|| all.restore(&steps))?;
        println!(
            "  restore of {} files    {:>9.1} ms   comparison {:.1} ms",
            restored.written,
            ms(time),
            ms(compared)
        );
    }
    println!("  memory                   {:>9.1} MB", mb(resident()));
    if files <= 200_000 {
        turns(&all, &root, files)?;
    }
    Ok(())
}

fn step(row: Changed) -> Step {
    Step {
        path: row.path,
        expected: row.before,
        wanted: row.after.map_or(Wanted::Absent, Wanted::State),
    }
}

fn turns(all: &Checkpoints, root: &Path, files: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = fastrand::Rng::with_seed(2);
    let before = all.figures().bytes;
    let mut changed = 0;
    let mut keep = Vec::new();
    for turn in 0..TURNS {
        for _ in 0..3 {
            changed += write(&path(root, rng.usize(..files)), &text(&mut rng, 3_000))?;
        }
        keep.push((benchdog_base::clock::Time(i64::try_from(turn)?), all.capture()?.tree));
    }
    let grown = all.figures().bytes - before;
    println!(
        "  {TURNS} turns              {:>9.2} x of the {:.1} MB that changed, in {} packs",
        ratio(grown, changed),
        mb(changed),
        all.figures().packs
    );
    let (time, _) = timed(|| all.gc(&keep))?;
    let grown = all.figures().bytes.saturating_sub(before);
    println!(
        "  after gc                 {:>9.2} x, {:.1} ms, {} packs",
        ratio(grown, changed),
        ms(time),
        all.figures().packs
    );
    Ok(())
}

fn path(root: &Path, number: usize) -> PathBuf {
    let folder = number / PER_FOLDER;
    root.join(format!(
        "part{:03}/module{:03}/file{:02}.rs",
        folder / 100,
        folder % 100,
        number % PER_FOLDER
    ))
}

/// Returns text that compresses like source code, to about a third.
fn text(rng: &mut fastrand::Rng, len: usize) -> String {
    const WORDS: [&str; 16] = [
        "let", "fn", "self", "match", "value", "Some(", ")", "{", "}\n", "=>", "return", "if", "else", "&mut", "items",
        "::",
    ];
    let mut text = String::with_capacity(len + 16);
    while text.len() < len {
        text.push_str(WORDS[rng.usize(..WORDS.len())]);
        text.push(' ');
        if rng.u8(..3) == 0 {
            text.push_str(&format!("{:x}", rng.u32(..)));
        }
    }
    text
}

fn write(path: &Path, text: &str) -> io::Result<u64> {
    if fs::write(path, text).is_err() {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(text.len() as u64)
}

fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(Duration, T), E> {
    let start = Instant::now();
    let result = work()?;
    Ok((start.elapsed(), result))
}

fn rounds<E>(mut work: impl FnMut() -> Result<(), E>) -> Result<Vec<Duration>, E> {
    (0..ROUNDS).map(|_| timed(&mut work).map(|(time, ())| time)).collect()
}

fn range(times: &[Duration]) -> String {
    let (least, most) = (times.iter().min(), times.iter().max());
    format!(
        "{:>9.2} ms to {:.2} ms",
        ms(least.copied().unwrap_or_default()),
        ms(most.copied().unwrap_or_default())
    )
}

fn facts(captured: &Captured) -> String {
    format!(
        "{:?}, {} files, {} read",
        captured.walked, captured.files, captured.read
    )
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[expect(clippy::cast_precision_loss, reason = "for a table")]
fn mb(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[expect(clippy::cast_precision_loss, reason = "for a table")]
fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other as f64
}

/// Returns the resident memory of this process in bytes.
fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
