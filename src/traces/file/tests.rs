use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use super::LogFile;

fn held(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap().map(|item| item.unwrap());
    files
        .map(|item| {
            let name = item.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(item.path()).unwrap())
        })
        .collect()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_full_file_is_put_aside_and_only_so_many_are_kept() {
    let home = TempDir::new().unwrap();
    let mut file = LogFile::new(home.path(), 10, 3);
    for number in 0..9 {
        file.write(format!("line{number}\n").as_bytes()).unwrap();
    }
    let expected = [
        ("benchdog.1.log", "line7\n"),
        ("benchdog.2.log", "line6\n"),
        ("benchdog.log", "line8\n"),
    ];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(held(home.path()), BTreeMap::from(expected));
}

#[test]
fn many_lines_at_once_are_parted_between_files_at_line_ends() {
    let home = TempDir::new().unwrap();
    let mut file = LogFile::new(home.path(), 12, 9);
    file.write(b"one\ntwo\nthree\nfour\nthis one is longer than a file\nend\n")
        .unwrap();
    let held = held(home.path());
    let texts: Vec<&str> = held.values().map(String::as_str).collect();
    assert_eq!(
        texts,
        [
            "this one is longer than a file\n",
            "three\nfour\n",
            "one\ntwo\n",
            "end\n"
        ]
    );
}

#[test]
fn a_smaller_number_of_files_counts_for_those_that_are_there() {
    let home = TempDir::new().unwrap();
    let mut many = LogFile::new(home.path(), 10, 6);
    for _ in 0..6 {
        many.write(b"a line...\n").unwrap();
    }
    assert_eq!(held(home.path()).len(), 6);
    let mut one = LogFile::new(home.path(), 10, 1);
    one.write(b"the last.\n").unwrap();
    one.write(b"no, this.\n").unwrap();
    let expected = BTreeMap::from([("benchdog.log".to_owned(), "no, this.\n".to_owned())]);
    assert_eq!(held(home.path()), expected);
}

#[test]
fn two_writers_share_the_files_and_lose_no_line() {
    let home = TempDir::new().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let folder = home.path();
            scope.spawn(move || {
                let mut file = LogFile::new(folder, 300, 1_000);
                for number in 0..200 {
                    file.write(format!("{writer} {number:03}\n").as_bytes()).unwrap();
                }
            });
        }
    });
    let held = held(home.path());
    assert!(held.len() > 10, "it was put aside under them");
    let mut lines: Vec<&str> = held.values().flat_map(|text| text.lines()).collect();
    lines.sort_unstable();
    let expected: Vec<String> = (0..4)
        .flat_map(|writer| (0..200).map(move |number| format!("{writer} {number:03}")))
        .collect();
    assert_eq!(lines, expected);
}

#[test]
fn nobody_else_may_read_them_whatever_was_there_before() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("logs");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).unwrap();
    let path = folder.join("benchdog.log");
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    LogFile::new(&folder, 10, 2).write(b"a\n").unwrap();
    assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
}

#[test]
fn a_link_or_a_pipe_in_its_place_is_refused_at_once() {
    let home = TempDir::new().unwrap();
    let elsewhere = home.path().join("elsewhere");
    let (linked, piped) = (home.path().join("linked"), home.path().join("piped"));
    for folder in [&linked, &piped] {
        std::fs::create_dir(folder).unwrap();
    }
    std::os::unix::fs::symlink(&elsewhere, linked.join("benchdog.log")).unwrap();
    assert!(LogFile::new(&linked, 10, 2).write(b"a\n").is_err());
    assert!(!elsewhere.exists());
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let pipe = piped.join("benchdog.log");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert!(LogFile::new(&piped, 10, 2).write(b"a\n").is_err());
}

#[test]
fn after_an_error_it_begins_anew_and_no_line_is_joined_to_a_torn_one() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("logs");
    std::fs::write(&folder, "in the way").unwrap();
    let mut file = LogFile::new(&folder, 100, 2);
    assert!(file.write(b"lost\n").is_err());
    std::fs::remove_file(&folder).unwrap();
    file.write(b"half").unwrap();
    file.torn = true;
    file.write(b"whole\n").unwrap();
    assert_eq!(held(&folder)["benchdog.log"], "half\nwhole\n");
}
