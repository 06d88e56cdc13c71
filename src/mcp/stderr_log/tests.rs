use super::*;

fn listens(file: &Path) -> StderrReader {
    StderrReader {
        newest: Arc::new(Mutex::new(Ends::new(0, MOST_STDERR))),
        redacted: benchdog_security::redact::Redactor::new(["planted-secret-4711".to_owned()]).stream(),
        partial: Vec::new(),
        file: file.to_path_buf(),
        log: None,
        room: MOST_STDERR_FILE,
    }
}

fn says(listens: StderrReader, pieces: &[&[u8]]) {
    let (from, mut to) = std::io::pipe().unwrap();
    let reads = std::thread::spawn(move || listens.read_all(from));
    for piece in pieces {
        to.write_all(piece).unwrap();
        to.flush().unwrap();
    }
    drop(to);
    reads.join().unwrap();
}

#[test]
fn a_log_holds_no_secret_however_it_came_and_nothing_that_steers_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mcp/files.log");
    says(
        listens(&file),
        &[b"key: planted-sec", b"ret-4711\n\x1b[31mred \xc3", b"\xa4\n"],
    );
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(!written.contains("planted-secret-4711"), "{written}");
    assert!(
        written.contains("[benchdog:redacted:") && written.ends_with("red \u{e4}\n"),
        "{written:?}"
    );
}

#[test]
fn two_of_one_name_keep_what_the_other_said_and_the_log_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("files.log");
    says(listens(&file), &[b"first\n"]);
    says(listens(&file), &[b"second\n"]);
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("first\n") && written.contains("second\n"), "{written}");
    let much = b"0123456789abcde\n".repeat(100_000);
    for _ in 0..4 {
        says(listens(&file), &[&much]);
    }
    let most = MOST_STDERR_FILE + MOST_STDERR_FILE / 2;
    for name in ["files.log", "files.log.old"] {
        let length = std::fs::metadata(folder.path().join(name)).unwrap().len();
        assert!(length <= most, "{name}: {length}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
