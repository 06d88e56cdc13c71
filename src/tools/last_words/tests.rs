use std::io::Write;

use super::*;

#[test]
fn what_lies_in_a_pipe_is_read_whole_or_so_much_of_it_and_nothing_is_waited_for() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    rustix::io::ioctl_fionbio(&reader, true).unwrap();
    assert!(lying_in(&reader, 1 << 20).is_empty(), "the writer is still there");
    // This output needs two reads, and still fits into a pipe of the default capacity.
    rustix::pipe::fcntl_setpipe_size(&reader, 1 << 20).ok();
    let written: Vec<u8> = (0..).take(60 << 10).map(|n: u32| n.to_le_bytes()[0]).collect();
    writer.write_all(&written).unwrap();
    assert_eq!(lying_in(&reader, 1 << 20), written);
    writer.write_all(&written).unwrap();
    assert!(!lying_in(&reader, 1).is_empty());
    drop(writer);
    assert!(lying_in(&reader, 1 << 20).is_empty());
}
