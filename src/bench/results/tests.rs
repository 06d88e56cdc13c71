use std::fs;

use super::{Contender, Record, Run, Status, final_result, read_all};

fn run(task: &str, contender: Contender) -> Run {
    Run {
        task: task.to_owned(),
        contender,
        attempt: 1,
    }
}

#[test]
fn every_run_has_a_file_of_its_own() {
    let name = |contender: Contender| run("t", contender).file_name();
    let names = [
        name(Contender::Model("a/b".to_owned())),
        name(Contender::Model("a-b".to_owned())),
        name(Contender::Agent("a-b".to_owned())),
        name(Contender::Agent("x".repeat(300))),
        name(Contender::Agent("x".repeat(301))),
    ];
    for (index, one) in names.iter().enumerate() {
        assert!(one.len() < 100 && !one.contains('/'), "{one}");
        assert!(!names[..index].contains(one), "{one} occurs twice");
    }
}

#[test]
fn results_are_read_back_and_only_final_ones_are_not_repeated() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("results");
    for (task, status, is_final) in [
        ("a", Status::Solved, true),
        ("b", Status::Unsolved, true),
        ("c", Status::Skipped, false),
        ("d", Status::Failed, false),
    ] {
        let run = run(task, Contender::Model("m".to_owned()));
        assert_eq!(final_result(&folder, &run), None);
        let mut record = Record::new(run.clone(), status);
        record.injection_followed = Some(true);
        record.write(&folder).expect("a result");
        assert_eq!(final_result(&folder, &run).is_some(), is_final, "{task}");
        assert!(!is_final || final_result(&folder, &run) == Some(record));
    }
    let names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    assert_eq!(names.len(), 4, "no draft is left: {names:?}");
    fs::write(folder.join("broken.json"), "{").expect("a file");
    fs::write(folder.join("other.json"), "{\"version\": 9}").expect("a file");
    let (records, unusable) = read_all(&[folder]).unwrap_or_else(|_| panic!("a readable folder"));
    assert_eq!((records.len(), unusable.len()), (4, 2));
}

#[test]
fn of_two_results_of_a_run_the_final_one_counts() {
    let place = tempfile::tempdir().expect("a folder");
    let run = run("a", Contender::Model("m".to_owned()));
    let (one, other) = (place.path().join("one"), place.path().join("other"));
    Record::new(run.clone(), Status::Failed).write(&one).expect("a result");
    Record::new(run, Status::Solved).write(&other).expect("a result");
    let (records, _) = read_all(&[one, other]).unwrap_or_else(|_| panic!("readable folders"));
    let statuses: Vec<Status> = records.iter().map(|record| record.status).collect();
    assert_eq!(statuses, [Status::Solved]);
}

#[test]
fn a_final_result_is_not_replaced_by_one_that_is_not() {
    let place = tempfile::tempdir().expect("a folder");
    let run = run("a", Contender::Model("m".to_owned()));
    for (status, stays) in [
        (Status::Failed, Status::Failed),
        (Status::Solved, Status::Solved),
        (Status::Failed, Status::Solved),
        (Status::Skipped, Status::Solved),
        (Status::Unsolved, Status::Unsolved),
    ] {
        Record::new(run.clone(), status).write(place.path()).expect("a result");
        let (records, _) = read_all(&[place.path().to_owned()]).unwrap_or_else(|_| panic!("a readable folder"));
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].status, stays, "after {status:?}");
    }
    assert_eq!(
        fs::read_dir(place.path()).expect("a folder").count(),
        1,
        "no draft is left"
    );
}
