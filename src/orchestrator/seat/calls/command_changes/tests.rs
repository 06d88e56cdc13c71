use super::*;
use std::fs;

use benchdog_tools::write_set::FileImage;

struct Place {
    folder: tempfile::TempDir,
    changes: CommandChanges,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (data, root) = (folder.path().join("data"), folder.path().join("root"));
        fs::create_dir(&data).unwrap();
        fs::create_dir(&root).unwrap();
        let changes = CommandChanges::of(&data, &root, Limits::default().max_file);
        Self { folder, changes }
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.folder.path().join("root").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    async fn begin(&self) -> Watched {
        self.changes.begin().await.0.unwrap()
    }
}

/// Ends the command. Returns its changes, each as `path before>after`.
async fn owned(watched: Watched) -> Vec<String> {
    let (changes, notice) = watched.end(Redactor::new([])).await;
    assert_eq!(notice, None);
    let text = |side: &Option<Arc<[u8]>>| match side {
        Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        None => "-".to_owned(),
    };
    let written = |change: &AppliedChange| format!("{} {}>{}", change.path, text(&change.before), text(&change.after));
    changes.iter().map(written).collect()
}

#[tokio::test]
async fn what_changed_between_two_commands_belongs_to_neither() {
    let place = Place::new();
    place.write("a", "1");
    let first = place.begin().await;
    place.write("a", "2");
    assert_eq!(owned(first).await, ["a 1>2"]);
    place.write("a", "mine");
    place.write("b", "mine");
    let second = place.begin().await;
    place.write("b", "theirs");
    assert_eq!(owned(second).await, ["b mine>theirs"]);
}

#[tokio::test]
async fn of_two_commands_at_once_each_change_has_one_owner() {
    let place = Place::new();
    let first = place.begin().await;
    place.write("a", "1");
    let second = place.begin().await;
    place.write("b", "1");
    let both = [owned(second).await, owned(first).await];
    assert_eq!(both, [vec!["b ->1".to_owned()], vec!["a ->1".to_owned()]]);
}

#[tokio::test]
async fn what_a_tool_changed_and_logged_meanwhile_is_not_the_commands() {
    let place = Place::new();
    let command = place.begin().await;
    place.write("c", "of the command");
    place.changes.before_tool().await;
    place.write("a", "of the tool");
    place.changes.after_tool().await;
    place.write("b", "of the command");
    assert_eq!(owned(command).await, ["b ->of the command", "c ->of the command"]);
}

#[tokio::test]
async fn a_command_that_was_dropped_owns_nothing_of_the_next() {
    let place = Place::new();
    drop(place.begin().await);
    place.write("a", "1");
    let next = place.begin().await;
    assert_eq!(owned(next).await, Vec::<String>::new());
}

#[tokio::test]
async fn more_files_than_can_be_undone_are_named() {
    let place = Place::new();
    let command = place.begin().await;
    for number in 0..MOST_FILES + 2 {
        place.write(&format!("{number:05}"), "x");
    }
    let (changes, notice) = command.end(Redactor::new([])).await;
    assert_eq!(changes.len(), MOST_FILES);
    let Some(UndoNotice::NotCovered { files }) = notice else {
        panic!("{notice:?}")
    };
    assert_eq!(files.len(), 2);
}

#[tokio::test]
async fn a_store_that_cannot_be_written_is_told_once_and_the_command_runs() {
    let place = Place::new();
    fs::write(place.folder.path().join("data/checkpoints"), "a file").unwrap();
    let (watched, notice) = place.changes.begin().await;
    assert!(watched.is_none());
    assert!(
        matches!(notice, Some(UndoNotice::CheckpointFailed { .. })),
        "{notice:?}"
    );
    assert_eq!(place.changes.begin().await.1, None);
}

#[test]
fn a_set_is_written_completely_or_not_at_all() {
    let place = Place::new();
    place.write("a", "1");
    place.write("b", "1");
    let root = place.folder.path().join("root").canonicalize().unwrap();
    let mode = |name: &str| {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(root.join(name)).unwrap().permissions().mode() & 0o777
    };
    let image = |text: &str, mode| FileImage {
        bytes: text.as_bytes().into(),
        mode,
    };
    let file = |name: &str, before: &str, after: Option<&str>| SetFile {
        path: root.join(name),
        before: Some(image(before, mode(name))),
        after: after.map(|text| image(text, 0o640)),
    };
    let refused = place
        .changes
        .write(vec![file("a", "1", Some("2")), file("b", "other", None)]);
    let refused = refused.unwrap_err();
    assert!(
        refused.code == "conflict" && refused.text.contains("`b`"),
        "{refused:?}"
    );
    let text = |name: &str| fs::read_to_string(root.join(name)).ok();
    assert_eq!((text("a").as_deref(), text("b").as_deref()), (Some("1"), Some("1")));
    place
        .changes
        .write(vec![file("a", "1", Some("2")), file("b", "1", None)])
        .unwrap();
    assert_eq!((text("a").as_deref(), text("b"), mode("a")), (Some("2"), None, 0o640));
}

#[tokio::test]
async fn a_file_with_a_key_is_named_and_its_content_is_not_logged() {
    let place = Place::new();
    let command = place.begin().await;
    place.write("notes", "key = house-key-0815\n");
    place.write("plain", "text\n");
    let (changes, notice) = command.end(Redactor::new(["house-key-0815".to_owned()])).await;
    assert_eq!(
        changes.iter().map(|change| &*change.path).collect::<Vec<_>>(),
        ["plain"]
    );
    let files = vec![("notes".to_owned(), NotUndone::HoldsKey)];
    assert_eq!(notice, Some(UndoNotice::NotCovered { files }));
}

#[tokio::test]
async fn ignored_files_that_a_command_changed_or_removed_are_named() {
    let place = Place::new();
    place.write(".gitignore", ".env\nbuild/\n");
    place.write(".env", "SECRET=1\n");
    place.write("build/a", "1");
    place.write("build/b/c", "1");
    let command = place.begin().await;
    place.write(".env", "SECRET=22\n");
    let root = place.folder.path().join("root");
    fs::remove_dir_all(root.join("build")).unwrap();
    let (_, notice) = command.end(Redactor::new([])).await;
    let Some(UndoNotice::NotCovered { mut files }) = notice else {
        panic!("{notice:?}")
    };
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let files: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, [".env", "build"]);
    let again = place.begin().await;
    place.write(".env", "SECRET=333\n");
    place.write("build/a", "1");
    let (_, notice) = again.end(Redactor::new([])).await;
    assert_eq!(notice, None, "each is listed once");
    let removes = place.begin().await;
    fs::remove_dir_all(root.join("build")).unwrap();
    let (_, notice) = removes.end(Redactor::new([])).await;
    assert_eq!(notice, None, "a command has created it");
}

#[test]
fn a_set_that_the_disk_refuses_is_no_conflict() {
    let refused = |kind: ErrorKind| {
        not_written(RestoreError::Io {
            action: "restore",
            path: "a".into(),
            source: kind.into(),
        })
        .code
    };
    assert_eq!(refused(ErrorKind::PermissionDenied), "no_access");
    assert_eq!(refused(ErrorKind::ReadOnlyFilesystem), "no_access");
    assert_eq!(refused(ErrorKind::StorageFull), "no_room");
}
