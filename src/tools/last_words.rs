//! Reads the rest of a pipe after the process ended, because output and end may arrive at the same time on a busy machine.

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
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_lies_in_a_pipe_is_read_whole_or_so_much_of_it_and_nothing_is_waited_for() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        rustix::io::ioctl_fionbio(&reader, true).unwrap();
        assert!(lying_in(&reader, 1 << 20).is_empty(), "the writer is still there");
        // Two reads. Less than the capacity of an unenlarged pipe.
        rustix::pipe::fcntl_setpipe_size(&reader, 1 << 20).ok();
        let written: Vec<u8> = (0..).take(60 << 10).map(|n: u32| n.to_le_bytes()[0]).collect();
        writer.write_all(&written).unwrap();
        assert_eq!(lying_in(&reader, 1 << 20), written);
        writer.write_all(&written).unwrap();
        assert!(!lying_in(&reader, 1).is_empty());
        drop(writer);
        assert!(lying_in(&reader, 1 << 20).is_empty());
    }
}
