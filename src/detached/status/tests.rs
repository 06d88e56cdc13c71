use super::*;

fn status(pid: u32) -> WorkbenchStatus {
    WorkbenchStatus {
        pid,
        host: Some("a1".to_owned()),
        folder: "/p".to_owned(),
        sessions: Vec::new(),
    }
}

#[test]
fn running_workbenches_are_listed_and_the_files_of_killed_ones_removed() {
    let folder = tempfile::tempdir().unwrap();
    let own = std::process::id();
    let mut publisher = Publisher::new(folder.path(), own);
    publisher.publish(&status(own)).unwrap();
    // No process id is this large.
    let dead = folder.path().join("4194999.json");
    fs::write(&dead, serde_json::to_vec(&status(4_194_999)).unwrap()).unwrap();
    fs::write(folder.path().join("a1.sock"), "").unwrap();
    fs::write(folder.path().join("1.json"), "{").unwrap();

    assert_eq!(list(folder.path()).unwrap(), [status(own)]);
    assert!(!dead.exists() && !folder.path().join("a1.sock").exists());

    drop(publisher);
    assert_eq!(list(folder.path()).unwrap(), []);
    assert_eq!(list(&folder.path().join("none")).unwrap(), []);
}

#[test]
fn an_unchanged_status_is_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut publisher = Publisher::new(folder.path(), 7);
    publisher.publish(&status(7)).unwrap();
    fs::remove_file(folder.path().join("7.json")).unwrap();
    publisher.publish(&status(7)).unwrap();
    assert!(!folder.path().join("7.json").exists());
    let changed = WorkbenchStatus {
        host: None,
        ..status(7)
    };
    publisher.publish(&changed).unwrap();
    assert!(folder.path().join("7.json").exists());
}
