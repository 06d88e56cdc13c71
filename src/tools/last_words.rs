//! Reads the rest of a pipe after the process has ended. On a busy machine, Benchdog may notice the end of the process
//! before it has read the last output.

use std::os::fd::AsFd;

use rustix::io::Errno;

const READ: usize = 64 << 10;

pub(super) fn lying_in(pipe: impl AsFd, most: usize) -> Vec<u8> {
    let mut found = Vec::new();
    let mut buffer = vec![0; READ];
    while found.len() < most {
        match rustix::io::read(&pipe, &mut *buffer) {
            Ok(0) => break,
            Ok(count) => found.extend_from_slice(buffer.get(..count).unwrap_or_default()),
            Err(Errno::INTR) => {}
            Err(_) => break,
        }
    }
    found
}

#[cfg(test)]
mod tests;
