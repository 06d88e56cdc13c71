use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use globset::Glob;

use super::{EnvironmentKind, find};

fn task(tasks: &Path, name: &str, config: &str) -> std::path::PathBuf {
    let folder = tasks.join(name);
    fs::create_dir_all(folder.join("environment")).expect("folders");
    fs::create_dir_all(folder.join("tests")).expect("folders");
    fs::write(folder.join("task.toml"), config).expect("a file");
    fs::write(folder.join("instruction.md"), "Do it.\n").expect("a file");
    fs::write(folder.join("tests/test.sh"), "exit 0\n").expect("a file");
    folder
}

#[test]
fn a_task_of_harbor_is_read_with_its_limits_and_programs() {
    let tasks = tempfile::tempdir().expect("a folder");
    let config = "schema_version = \"1.1\"\n[task]\nname = \"a/b\"\n[metadata]\nrequires = [\"node\"]\n[agent]\ntimeout_sec = 1.5\n\
        [verifier]\ntimeout_sec = 7.0\nenv = { A = \"1\" }\n[environment]\ncpus = 2\n";
    let folder = task(tasks.path(), "one", config);
    task(tasks.path(), "two", "[environment]\ndocker_image = \"x\"\n");
    let three = task(tasks.path(), "three", "");
    fs::write(three.join("environment/Dockerfile"), "FROM x\n").expect("a file");
    fs::create_dir(tasks.path().join("no-task")).expect("a folder");
    let found = find(tasks.path(), None).expect("a readable folder");
    let found: Vec<_> = found.into_iter().map(|task| task.expect("a sound task")).collect();
    let names: Vec<&str> = found.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(names, ["one", "three", "two"]);
    let places: Vec<&EnvironmentKind> = found.iter().map(|task| &task.environment).collect();
    assert_eq!(
        places,
        [
            &EnvironmentKind::Folder,
            &EnvironmentKind::Container,
            &EnvironmentKind::Container
        ]
    );
    let one = &found[0];
    assert_eq!((one.agent_limit.as_millis(), one.check_limit.as_secs()), (1500, 7));
    assert_eq!(found[1].agent_limit.as_secs(), 600);
    assert_eq!(
        (one.requires.as_slice(), one.variables.len()),
        (&["node".to_owned()][..], 1)
    );
    let single = find(&folder, None).expect("a readable folder");
    assert_eq!(single.len(), 1, "a task itself can be named");
    let glob = Glob::new("t*").expect("a glob").compile_matcher();
    assert_eq!(find(&folder, Some(&glob)).expect("a readable folder").len(), 0);
    assert_eq!(find(tasks.path(), Some(&glob)).expect("a readable folder").len(), 2);
}

#[test]
fn every_malformed_folder_is_an_error_of_its_own_that_says_why() {
    let tasks = tempfile::tempdir().expect("a folder");
    let at = |name: &str, config: &str| task(tasks.path(), name, config);
    at("sound", "");
    at("a b", "");
    at("bad-toml", "x = \n");
    at("bad-limit", "[agent]\ntimeout_sec = -1.0\n");
    at("endless", "[verifier]\ntimeout_sec = inf\n");
    at("bad-list", "[metadata]\nrequires = [1]\n");
    at("steps", "[[steps]]\nname = \"a\"\n");
    at("variable", "[verifier]\nenv = { KEY = \"${SECRET}\" }\n");
    fs::write(at("empty", "").join("instruction.md"), " \n").expect("a file");
    fs::write(at("bytes", "").join("instruction.md"), [0xff, 0xfe]).expect("a file");
    fs::write(at("long", "").join("instruction.md"), vec![b'x'; 2 << 20]).expect("a file");
    fs::remove_file(at("no-toml", "").join("task.toml")).expect("a file");
    fs::remove_file(at("no-check", "").join("tests/test.sh")).expect("a file");
    fs::remove_dir(at("no-environment", "").join("environment")).expect("a folder");
    let link = at("link", "").join("instruction.md");
    fs::remove_file(&link).expect("a file");
    symlink("/etc/passwd", &link).expect("a link");
    let elsewhere = tempfile::tempdir().expect("a folder");
    symlink(task(elsewhere.path(), "whole", ""), tasks.path().join("linked")).expect("a link");
    let tests = at("linked-tests", "").join("tests");
    fs::rename(&tests, elsewhere.path().join("tests")).expect("a move");
    symlink(elsewhere.path().join("tests"), &tests).expect("a link");
    let found = find(tasks.path(), None).expect("a readable folder");
    let mut errors: Vec<String> = found
        .iter()
        .filter_map(|task| Some(task.as_ref().err()?.to_string()))
        .collect();
    errors.sort();
    let wanted = [
        ("a b", "rename the folder"),
        ("bad-limit", "`agent.timeout_sec`"),
        ("bad-list", "`metadata.requires` is not a list"),
        ("bad-toml", "`task.toml`, line 1: "),
        ("bytes", "not UTF-8"),
        ("empty", "is empty"),
        ("endless", "`verifier.timeout_sec`"),
        ("link", "not a plain file"),
        ("linked-tests", "`tests` is not a plain folder"),
        ("linked", "`linked` is not a plain folder"),
        ("long", "more than 1048576 bytes"),
        ("no-check", "`test.sh` is missing"),
        ("no-environment", "`environment/` is missing"),
        ("no-toml", "`task.toml` is missing"),
        ("steps", "not supported"),
        ("variable", "`verifier.env`"),
    ];
    assert_eq!(errors.len(), wanted.len(), "{errors:#?}");
    for (error, (name, why)) in errors.iter().zip(wanted) {
        assert!(error.contains(&format!("/{name}`: ")) && error.contains(why), "{error}");
    }
    assert_eq!(found.len(), wanted.len() + 1, "the sound one goes on");
}
