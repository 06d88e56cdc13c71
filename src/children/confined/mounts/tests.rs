use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::*;

#[test]
fn a_line_of_the_list_is_a_place_and_the_flags_that_must_stay() {
    let line = b"36 35 98:0 /mnt1 /mnt\\0402\xff rw,nosuid,relatime master:1 - ext3 /dev/root rw,errors=continue";
    let Mounted { id, point, flags } = read(line).unwrap();
    assert_eq!((id, point.as_path()), (36, Path::new(OsStr::from_bytes(b"/mnt 2\xff"))));
    assert_eq!(flags, MountFlags::NOSUID | MountFlags::RELATIME);
    assert_eq!(unescaped(b"/a\\134b\\zz"), Path::new("/a\\b\\zz"));
}
