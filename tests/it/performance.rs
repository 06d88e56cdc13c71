//! Tests that the pages of figures can be written from recorded results, without new measurements.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Writes the page from the recorded results and these reasons. Returns the page and the script's output.
fn page(reasons: &str) -> (String, Output) {
    let folder = tempfile::tempdir().expect("a folder");
    let (page, known) = (folder.path().join("page.md"), folder.path().join("reasons.tsv"));
    std::fs::write(&known, reasons).expect("writes");
    let output = Command::new("python3")
        .arg(package("benches/agents/performance.py"))
        .arg("--only-write")
        .arg("--results")
        .arg(package("tests/data/performance/results.jsonl"))
        .arg("--reasons")
        .arg(&known)
        .arg("--output")
        .arg(&page)
        .output()
        .expect("python3 starts");
    (std::fs::read_to_string(page).unwrap_or_default(), output)
}

#[test]
fn a_row_over_twice_the_floor_has_its_reason_on_the_page() {
    let (page, output) = page("idle_pss_mb\tthe program is larger.\n");
    assert!(output.status.success(), "{output:?}");
    for line in [
        "| idle PSS, MB | 31.0 [30.0-32.0] | 4.0 | 7.8 |",
        "| key echo p50, ms | 0.40 [0.30-0.50] | 0.20 | 2.0 |",
        "- **idle PSS, MB** (7.8): the program is larger.",
        "- failed: floor, tools: mark ENDMARKQ not seen; screen:",
        "| program | benchdog 0.1.0, commit 0, profile `dist`, 25.0 MB |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line} is not in\n{page}");
    }
    assert!(page.contains("takes 1.50 ms at the median and 4.25 ms"), "{page}");
}

#[test]
fn a_row_over_twice_the_floor_without_a_reason_fails() {
    let (page, output) = page("");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("idle PSS, MB is over 2 times the floor"), "{errors}");
    assert!(page.contains("not explained yet"), "{page}");
}

#[test]
fn a_reason_for_an_unknown_row_names_its_line() {
    let (_, output) = page("idle_pss_mb\tlarger.\nno_such_row\tx\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("reasons.tsv:2: expected the key of a row"), "{errors}");
}

/// Writes the page of growth with these notes. Returns the page and what the script did.
fn growth(notes: &str) -> (String, Output) {
    let folder = tempfile::tempdir().expect("a folder");
    let (page, known) = (folder.path().join("page.md"), folder.path().join("notes.tsv"));
    std::fs::write(&known, notes).expect("writes");
    let output = Command::new("python3")
        .arg(package("benches/agents/growth.py"))
        .arg("--only-write")
        .arg("--results")
        .arg(package("tests/data/performance/growth.jsonl"))
        .arg("--notes")
        .arg(&known)
        .arg("--output")
        .arg(&page)
        .output()
        .expect("python3 starts");
    (std::fs::read_to_string(page).unwrap_or_default(), output)
}

#[test]
fn work_that_triples_when_it_doubles_needs_a_note_on_the_page() {
    let (page, output) = growth("");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("`log.import_s` misses its goal"), "{errors}");
    assert!(page.contains("not explained yet"), "{page}");
    let (page, output) = growth("log.import_s\tit reads the log twice.\n");
    assert!(output.status.success(), "{output:?}");
    for line in [
        "|  | 250 MB | 500 MB | ratio | goal |",
        "| import, s | 4.0 | 12.0 | 3.00 | ratio 2 |",
        "- **import, s**: it reads the log twice.",
        "| start to the end of the conversation on screen, ms | 50.0 | 52.0 | 1.04 | ratio 1 |",
        // The newest of two results of a case.
        "| `benchdog agents` p50, ms | 10.0 | 19.5 | 1.95 | ratio 2, at most 30 |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line} is not in\n{page}");
    }
    let (_, output) = growth("log.nothing\tx\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("notes.tsv:1: expected the case and the key"),
        "{errors}"
    );
}
