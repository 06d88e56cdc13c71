use super::*;

fn project(files: &[&str]) -> Project {
    Project {
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        ..Project::default()
    }
}

#[test]
fn what_was_found_is_told_and_nothing_that_was_not() {
    let mut it = project(&[
        "Cargo.toml",
        "src/a.rs",
        "src/b.rs",
        "tests/c.rs",
        "Makefile",
        ".github/workflows/ci.yml",
    ]);
    it.texts.insert(
        "Makefile",
        "lint: deps\n\tcargo clippy\nVAR := x\n.PHONY: lint\n# no: comment\ntest:\n".to_owned(),
    );
    let told = prompt(&it);
    for part in [
        "Write `AGENTS.md`",
        "`cargo test`",
        "`make lint`, `make test`",
        "`.rs` 3",
        "`src` 2",
        "`.github/workflows/ci.yml`",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    for part in ["npm", "VAR", "PHONY", "comment", "first"] {
        assert!(!told.contains(part), "{part}: {told}");
    }
}

#[test]
fn an_existing_file_is_improved_and_scripts_are_names_only() {
    let mut it = project(&["AGENTS.md", "package.json"]);
    it.more = true;
    let text = r#"{"scripts": {"test": "x --token=abc", "a b; rm": "y"}}"#;
    it.texts.insert("package.json", text.to_owned());
    let told = prompt(&it);
    assert!(
        told.contains("Improve `AGENTS.md`") && told.contains("`npm run test`"),
        "{told}"
    );
    assert!(!told.contains("token") && !told.contains("rm"), "{told}");
    assert!(told.contains("only the first 2 files"), "{told}");
}
