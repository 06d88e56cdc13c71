//! Captures and comparisons.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Captured, Checkpoints, Content, Limits};

struct Place {
    #[expect(dead_code, reason = "removes the folder at the end")]
    top: tempfile::TempDir,
    data: PathBuf,
    root: PathBuf,
}

fn place() -> Place {
    let top = tempfile::tempdir().unwrap();
    let (data, root) = (top.path().join("data"), top.path().join("work"));
    fs::create_dir_all(&root).unwrap();
    Place { top, data, root }
}

impl Place {
    fn open(&self) -> Checkpoints {
        Checkpoints::open(&self.data, &self.root, Limits::default()).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn text(all: &Checkpoints, captured: &Captured, path: &str) -> Option<String> {
    let state = all.state(&captured.tree, Path::new(path)).unwrap()?;
    let Content::Stored(id) = state.content else {
        return None;
    };
    Some(String::from_utf8(all.content(&id).unwrap()).unwrap())
}

#[test]
fn a_capture_holds_every_file_and_a_second_one_stores_nothing() {
    let place = place();
    place.write("a.txt", "one");
    place.write("src/b.txt", &"two ".repeat(1000));
    let all = place.open();
    let first = all.capture().unwrap();
    assert_eq!(first.files, 2);
    assert_eq!(text(&all, &first, "src/b.txt"), Some("two ".repeat(1000)));
    let second = all.capture().unwrap();
    assert_eq!((second.tree, second.stored_bytes), (first.tree, 0));
    place.write("a.txt", "two");
    let third = all.capture().unwrap();
    let changed = all.compare(&first.tree, &third.tree).unwrap();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].path, Path::new("a.txt"));
    assert_eq!(text(&all, &first, "a.txt").as_deref(), Some("one"));
    assert_eq!(text(&place.open(), &third, "a.txt").as_deref(), Some("two"));
}
