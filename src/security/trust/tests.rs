//! What a folder brings that needs trust, and when its hash changes.

use super::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn put(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn an_ordinary_folder_has_nothing_to_trust() {
    let dir = folder();
    put(dir.path(), "src/main.rs", "fn main() {}");
    put(dir.path(), "docs/AGENTS.md", "not at the top");
    assert_eq!(subject(dir.path()), None);
}

#[test]
fn rules_and_configuration_are_listed_and_a_change_changes_the_hash() {
    let dir = folder();
    put(dir.path(), "AGENTS.md", "be kind");
    put(dir.path(), ".benchdog/config.jsonc", "{}");
    put(dir.path(), ".benchdog/skills/a/SKILL.md", "a");
    let first = subject(dir.path()).unwrap();
    assert_eq!(
        first.files,
        [".benchdog/config.jsonc", ".benchdog/skills/a/SKILL.md", "AGENTS.md"]
    );
    assert_eq!(subject(dir.path()).unwrap(), first, "the same files give the same hash");

    put(dir.path(), ".benchdog/skills/a/SKILL.md", "b");
    let second = subject(dir.path()).unwrap();
    assert_ne!(second.hash, first.hash);

    put(dir.path(), "src/main.rs", "unrelated");
    assert_eq!(subject(dir.path()).unwrap().hash, second.hash);

    put(dir.path(), ".benchdog/hooks/new", "");
    assert_ne!(
        subject(dir.path()).unwrap().hash,
        second.hash,
        "a new empty file counts"
    );
}

#[test]
fn bytes_cannot_move_from_one_file_into_the_next_unseen() {
    let dir = folder();
    put(dir.path(), ".benchdog/a", "one");
    put(dir.path(), ".benchdog/b", "two");
    let first = subject(dir.path()).unwrap().hash;
    put(dir.path(), ".benchdog/a", "onet");
    put(dir.path(), ".benchdog/b", "wo");
    assert_ne!(subject(dir.path()).unwrap().hash, first);
}

#[test]
fn a_link_counts_by_its_text_and_by_what_it_shows_inside_the_folder() {
    let dir = folder();
    put(dir.path(), "docs/rules.md", "one");
    std::os::unix::fs::symlink("docs/rules.md", dir.path().join("AGENTS.md")).unwrap();
    let first = subject(dir.path()).unwrap();
    assert_eq!(first.files, ["AGENTS.md"]);
    put(dir.path(), "docs/rules.md", "two");
    let second = subject(dir.path()).unwrap();
    assert_ne!(second.hash, first.hash);
    std::fs::remove_file(dir.path().join("AGENTS.md")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("AGENTS.md")).unwrap();
    assert_ne!(
        subject(dir.path()).unwrap().hash,
        second.hash,
        "and a device behind a link is not read"
    );
}

#[test]
fn a_linked_folder_is_named_but_not_entered() {
    let dir = folder();
    let other = folder();
    put(other.path(), "config.jsonc", "{}");
    std::os::unix::fs::symlink(other.path(), dir.path().join(".benchdog")).unwrap();
    assert_eq!(subject(dir.path()).unwrap().files, [".benchdog"]);
}
