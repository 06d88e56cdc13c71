//! Appends entries of 1 KiB to a new redb file, each with a durable commit: `floor-commit FILE COUNT`.
//! Prints the milliseconds of each commit, one per line.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use benchdog_floor::Failure;
use benchdog_floor::store::Store;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, count] = arguments.as_slice() else {
        return Err("usage: floor-commit FILE COUNT".into());
    };
    let mut store = Store::open(Path::new(file))?;
    let mut times = String::new();
    for _ in 0..count.parse()? {
        let began = Instant::now();
        store.append(&[b'x'; 1024])?;
        writeln!(times, "{:.4}", began.elapsed().as_secs_f64() * 1_000.0)?;
    }
    std::io::stdout().write_all(times.as_bytes())?;
    Ok(())
}
