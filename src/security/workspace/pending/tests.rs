//! Tests that a start removes leftover temporary files and nothing else.

use std::os::unix::fs::symlink;

use super::*;

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["work/src", "other", "notes"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    fn notes(&self) -> PathBuf {
        self.at("notes")
    }

    fn kill_in(&self, folder: &str) -> PathBuf {
        let body = self.at(folder).join(name());
        self.say(&body);
        fs::write(&body, "half").unwrap();
        body
    }

    fn say(&self, body: &Path) -> PathBuf {
        let note = self.notes().join(fresh());
        fs::write(&note, body.as_os_str().as_bytes()).unwrap();
        note
    }

    fn start(&self) -> Workspace {
        let mut workspace = Workspace::open(&self.at("work"), &[], &[self.at("other")]).unwrap();
        workspace.note_writes(&self.notes());
        workspace
    }

    fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.at(folder)).unwrap().count()
    }
}

#[test]
fn what_a_killed_write_left_is_removed_by_the_next_start_there() {
    let desk = Desk::new();
    let (here, inside) = (desk.kill_in("work"), desk.kill_in("work/src"));
    desk.start();
    assert!(!here.exists() && !inside.exists());
    assert_eq!(desk.count("notes"), 0);
}

#[test]
fn a_write_in_another_workspace_waits_for_a_start_there_unless_that_is_gone() {
    let desk = Desk::new();
    fs::create_dir_all(desk.at("gone")).unwrap();
    let (elsewhere, _) = (desk.kill_in("other"), desk.kill_in("gone"));
    fs::remove_dir_all(desk.at("gone")).unwrap();
    desk.start();
    assert!(elsewhere.exists());
    assert_eq!(desk.count("notes"), 1);
}

#[test]
fn what_somebody_is_writing_is_left_to_them() {
    let desk = Desk::new();
    let body = desk.at("work").join(name());
    let note = Note::of(&desk.notes(), &body).unwrap();
    fs::write(&body, "half").unwrap();
    desk.start();
    assert!(body.exists() && note.path.exists());
    drop(note);
    assert_eq!(desk.count("notes"), 0);
}

#[test]
fn a_write_leaves_neither_a_body_nor_a_note() {
    let desk = Desk::new();
    let workspace = desk.start();
    workspace.resolve("new.txt").unwrap().create_new(b"new", None).unwrap();
    workspace.resolve("new.txt").unwrap().write(b"newer", None).unwrap();
    let again = workspace.resolve("new.txt").unwrap().create_new(b"again", None);
    let of_folder = workspace.resolve("src").unwrap().write(b"a folder", None);
    assert!(again.is_err() && of_folder.is_err());
    assert_eq!((desk.count("work"), desk.count("notes")), (2, 0));
    assert_eq!(fs::read(desk.at("work/new.txt")).unwrap(), b"newer");
}

#[test]
fn nothing_else_is_removed_whatever_a_note_says() {
    let desk = Desk::new();
    let precious = desk.at("work/precious.txt");
    fs::write(&precious, "mine").unwrap();
    let looks_alike = desk.at("work/.benchdog-write-notes");
    fs::write(&looks_alike, "mine").unwrap();
    let outside = desk.at("other").join(name());
    fs::write(&outside, "not here").unwrap();
    symlink(desk.at("other"), desk.at("work/link")).unwrap();
    let folder = desk.at("work").join(name());
    fs::create_dir(&folder).unwrap();
    let link = desk.at("work").join(name());
    symlink(&precious, &link).unwrap();
    let outside_name = outside.file_name().unwrap();
    for body in [
        precious.clone(),
        looks_alike.clone(),
        desk.at("work/link").join(outside_name),
        desk.at("work/../other").join(outside_name),
        folder.clone(),
        link.clone(),
        PathBuf::from(outside_name),
        PathBuf::new(),
    ] {
        desk.say(&body);
    }
    desk.start();
    assert!(
        [&precious, &looks_alike, &outside, &folder]
            .iter()
            .all(|path| path.exists())
    );
    assert!(fs::symlink_metadata(&link).is_ok());
}

#[test]
fn notes_that_are_no_files_are_not_opened() {
    let desk = Desk::new();
    let body = desk.at("work").join(name());
    fs::write(&body, "half").unwrap();
    let elsewhere = desk.at("other/note");
    fs::write(&elsewhere, body.as_os_str().as_bytes()).unwrap();
    symlink(&elsewhere, desk.notes().join("link")).unwrap();
    fs::create_dir(desk.notes().join("folder")).unwrap();
    let pipe = rustix::fs::mknodat(
        rustix::fs::CWD,
        desk.notes().join("pipe"),
        FileType::Fifo,
        0o600.into(),
        0,
    );
    pipe.unwrap();
    desk.start();
    assert!(body.exists());
}

#[test]
fn without_room_for_a_note_the_write_is_done_all_the_same() {
    let desk = Desk::new();
    fs::remove_dir(desk.notes()).unwrap();
    fs::write(desk.notes(), "in the way").unwrap();
    let workspace = desk.start();
    workspace.resolve("new.txt").unwrap().write(b"new", None).unwrap();
    assert_eq!(desk.count("work"), 2);
}
