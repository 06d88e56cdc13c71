//! Child processes that parse possibly hostile files. They can only read their input and write their output, within
//! limits.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::ToolContext;
use crate::program::{self, How, Said, Within};
use benchdog_children::Launch;

/// Maximum seconds of one call, and of processor time of its child process.
pub(super) const MOST_SECONDS: u64 = 10;

/// Returns the limits of a call that begins now. `most` is the maximum bytes of its output.
pub(super) fn within(most: usize) -> Within {
    Within {
        until: Instant::now() + Duration::from_secs(MOST_SECONDS),
        most,
        grace: program::GRACE,
    }
}

/// Starts Benchdog's hidden command named `mark`, with `order` as its argument and the file on standard input.
pub(super) async fn start(
    mark: &str,
    order: &impl Serialize,
    bytes: &[u8],
    within: Within,
    cx: &ToolContext,
) -> io::Result<Said> {
    let input = program::input_file(bytes)?;
    let launch = Launch {
        launcher: cx.launcher.clone(),
        program: cx.launcher.clone(),
        arguments: vec![mark.to_owned(), serde_json::to_string(order)?],
        folder: "/".into(),
        // Keep the allocator from reserving address space, because the limit on mapped memory includes reserved space.
        variables: vec![("MIMALLOC_ARENA_RESERVE".to_owned(), "0".to_owned())],
        // No sandbox, because the process gives up its rights itself.
        confined: None,
        then: None,
    };
    program::follow(launch, input, within, &cx.stop).await
}

/// Returns the reason why the process ended before its last line. `too_long` is the reason for too much output.
pub(super) fn reason(said: &Said, until: Instant, too_long: &str) -> String {
    match &said.how {
        How::NotStarted(why) => format!("the reader did not start: {why}"),
        How::Endless => too_long.to_owned(),
        _ if Instant::now() >= until => format!("it takes more than {MOST_SECONDS} s"),
        // The standard library prints this message and aborts if an allocation fails.
        _ if said.errors.contains("memory allocation") => "it needs too much memory".to_owned(),
        _ => "it ends the reader".to_owned(),
    }
}

/// Reads the file from stdin, in the sealed process.
pub(super) fn input(len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(io::Error::other)?;
    io::stdin().lock().take(len as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes and flushes one line of JSON, in the sealed process.
pub(super) fn say(line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&text)?;
    out.flush()
}
