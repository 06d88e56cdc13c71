use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

fn status(pid: u32) -> WorkbenchStatus {
    WorkbenchStatus {
        pid,
        started: None,
        host: Some("a1".to_owned()),
        idle_minutes: 10,
        ended_idle: false,
        folder: "/p".to_owned(),
        sessions: Vec::new(),
    }
}

fn own() -> u32 {
    std::process::id()
}

fn private_folder() -> tempfile::TempDir {
    let mode = fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().permissions(mode).tempdir().unwrap()
}

fn put(file: &Path, status: &WorkbenchStatus) {
    fs::write(file, serde_json::to_vec(status).unwrap()).unwrap();
}

#[test]
fn running_workbenches_are_listed_and_the_files_of_killed_ones_removed() {
    let folder = private_folder();
    let mut publisher = Publisher::new(folder.path(), own());
    publisher.publish(status(own())).unwrap();
    // No process id is this large.
    let dead = folder.path().join("4194999.json");
    put(&dead, &status(4_194_999));
    fs::write(folder.path().join("a1.sock"), "").unwrap();
    fs::write(folder.path().join("1.json"), "{").unwrap();

    assert_eq!(list(folder.path()).unwrap(), [status(own())]);
    assert!(!dead.exists() && !folder.path().join("a1.sock").exists());

    drop(publisher);
    assert_eq!(list(folder.path()).unwrap(), []);
    assert_eq!(list(&folder.path().join("none")).unwrap(), []);
}

#[test]
fn workbenches_that_ended_idle_are_remembered_and_not_listed() {
    let folder = private_folder();
    let ended = |pid: u32| WorkbenchStatus {
        ended_idle: true,
        sessions: vec![SessionStatus {
            id: Some(format!("s{pid}")),
            title: String::new(),
            folder: "/p".to_owned(),
            state: SessionState::Idle,
            last: String::new(),
            context: String::new(),
            since: pid.into(),
        }],
        ..status(pid)
    };
    let mut publisher = Publisher::new(folder.path(), own());
    publisher.publish(ended(own())).unwrap();
    drop(publisher);
    assert_eq!(list(folder.path()).unwrap(), [], "also while its process still runs");
    assert_eq!(ended_idle(folder.path()).unwrap(), [ended(own())]);
    for pid in 1..30 {
        put(&folder.path().join(format!("{pid}.json")), &ended(4_194_900 + pid));
    }
    let pids: Vec<u32> = ended_idle(folder.path())
        .unwrap()
        .iter()
        .map(|status| status.pid)
        .collect();
    assert_eq!(pids, (4_194_910..4_194_930).rev().collect::<Vec<u32>>());
    assert_eq!(folder::files(folder.path()).unwrap().len(), MOST_ENDED);
}

#[test]
fn an_unchanged_status_is_not_written_again() {
    let folder = private_folder();
    let mut publisher = Publisher::new(folder.path(), 7);
    publisher.publish(status(7)).unwrap();
    fs::remove_file(folder.path().join("7.json")).unwrap();
    publisher.publish(status(7)).unwrap();
    assert!(!folder.path().join("7.json").exists());
    let changed = WorkbenchStatus {
        host: None,
        ..status(7)
    };
    publisher.publish(changed).unwrap();
    assert!(folder.path().join("7.json").exists());
}

#[test]
fn a_folder_that_others_may_enter_is_not_read() {
    let folder = private_folder();
    put(&folder.path().join("1.json"), &status(own()));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(list(folder.path()), Err(DetachedError::Unsafe { .. })));
}

#[test]
fn a_host_name_that_leads_out_of_the_folder_deletes_nothing() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("live");
    folder::ready(&folder).unwrap();
    let victim = outside.path().join("victim.sock");
    fs::write(&victim, "").unwrap();
    let planted = WorkbenchStatus {
        host: Some("../victim".to_owned()),
        ..status(4_194_999)
    };
    put(&folder.join("1.json"), &planted);
    assert_eq!(list(&folder).unwrap(), []);
    assert!(victim.exists());
}

#[test]
fn links_and_named_pipes_are_not_read() {
    let folder = private_folder();
    let target = folder.path().join("target");
    put(&target, &status(own()));
    symlink(&target, folder.path().join("1.json")).unwrap();
    // Reading this pipe would block, because nobody writes to it.
    let pipe = folder.path().join("2.json");
    let mode = Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert_eq!(list(folder.path()).unwrap(), []);
}

#[test]
fn another_process_with_the_same_id_is_not_the_workbench() {
    let folder = private_folder();
    let file = folder.path().join("1.json");
    let started = stat(own()).unwrap().started;
    let with = |started| WorkbenchStatus {
        started: Some(started),
        ..status(own())
    };
    put(&file, &with(started));
    assert_eq!(list(folder.path()).unwrap(), [with(started)]);
    put(&file, &with(started + 1));
    assert_eq!(list(folder.path()).unwrap(), []);
    assert!(!file.exists());
}

#[test]
fn an_answer_in_one_long_line_does_not_hide_the_workbench() {
    let folder = private_folder();
    let mut publisher = Publisher::new(folder.path(), own());
    let session = SessionStatus {
        id: None,
        title: "x".repeat(1 << 20),
        folder: "/p".to_owned(),
        state: SessionState::Working,
        last: "ä".repeat(1 << 20),
        context: String::new(),
        since: 1,
    };
    let sessions = vec![session];
    publisher
        .publish(WorkbenchStatus {
            sessions,
            ..status(own())
        })
        .unwrap();
    let listed = list(folder.path()).unwrap();
    let session = &listed[0].sessions[0];
    assert_eq!(session.title.len(), LONGEST_TEXT + '…'.len_utf8());
    assert!(session.last.starts_with('ä') && session.last.ends_with('…'));
}
