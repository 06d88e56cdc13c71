//! Tests of the parts of a folder that need trust, and of the changes that end it.

use super::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn subject(root: &Path) -> Option<TrustSubject> {
    Brought::look(root, None).subject()
}

fn link(target: &str, root: &Path, name: &str) {
    std::os::unix::fs::symlink(target, root.join(name)).unwrap();
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
    put(dir.path(), "node_modules/x/AGENTS.md", "of another project");
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
fn a_link_inside_the_folder_counts_with_what_it_shows() {
    let dir = folder();
    put(dir.path(), "docs/rules.md", "one");
    link("docs/rules.md", dir.path(), "AGENTS.md");
    let first = subject(dir.path()).unwrap();
    assert_eq!(first.files, ["AGENTS.md"]);
    put(dir.path(), "docs/rules.md", "two");
    assert_ne!(subject(dir.path()).unwrap().hash, first.hash);
}

#[test]
fn a_link_that_leaves_the_folder_is_refused_and_what_it_shows_is_not_read() {
    let other = folder();
    put(other.path(), "secret", "the secret");
    for target in [other.path().join("secret"), "/dev/zero".into(), "/etc/passwd".into()] {
        let dir = folder();
        link(target.to_str().unwrap(), dir.path(), "AGENTS.md");
        put(dir.path(), ".benchdog/config.jsonc", "{}");
        link(target.to_str().unwrap(), dir.path(), ".benchdog/rules.md");
        let mut brought = Brought::look(dir.path(), None);
        assert_eq!(brought.subject().unwrap().files, [".benchdog/config.jsonc"]);
        assert_eq!(brought.bytes("AGENTS.md"), None);
        assert!(
            brought.refused[0].file == "AGENTS.md" && brought.refused[0].why.contains("leads out"),
            "{:?}",
            brought.refused
        );
        assert_eq!(brought.refused.len(), 2);
        assert!(brought.add("../secret").is_err() && brought.add(target.to_str().unwrap()).is_err());
    }
}

#[test]
fn a_linked_own_folder_is_refused_whole_wherever_it_leads() {
    let other = folder();
    put(other.path(), "config.jsonc", "{}");
    let dir = folder();
    put(dir.path(), "inside/config.jsonc", "{}");
    for target in [other.path().to_str().unwrap(), "inside"] {
        let _ = std::fs::remove_file(dir.path().join(".benchdog"));
        link(target, dir.path(), ".benchdog");
        let brought = Brought::look(dir.path(), None);
        assert_eq!(brought.subject(), None);
        assert_eq!(brought.bytes(".benchdog/config.jsonc"), None);
        assert_eq!(brought.refused[0].file, ".benchdog");
    }
}

#[test]
fn what_was_hashed_is_what_is_handed_out_whatever_the_file_says_later() {
    let dir = folder();
    put(dir.path(), "AGENTS.md", "first");
    let brought = Brought::look(dir.path(), None);
    put(dir.path(), "AGENTS.md", "second");
    assert_eq!(brought.bytes("AGENTS.md"), Some(b"first".as_slice()));
    assert_ne!(brought.subject(), subject(dir.path()));
}

#[test]
fn a_file_the_configuration_names_is_part_of_the_hash() {
    let dir = folder();
    put(dir.path(), "docs/style.md", "one");
    let with = |name: &str| {
        let mut brought = Brought::look(dir.path(), None);
        let _ = brought.add(name);
        brought.subject()
    };
    assert_eq!(with("missing.md"), None);
    let first = with("docs/style.md").unwrap();
    assert_eq!(first.files, ["docs/style.md"]);
    put(dir.path(), "docs/style.md", "two");
    assert_ne!(with("docs/style.md").unwrap().hash, first.hash);
}

#[test]
fn a_long_file_never_counts_but_a_change_of_it_is_noticed() {
    let dir = folder();
    put(dir.path(), ".benchdog/big", &"x".repeat(1_000_001));
    let first = Brought::look(dir.path(), None);
    assert_eq!(first.bytes(".benchdog/big"), None);
    put(dir.path(), ".benchdog/big", &"y".repeat(1_000_002));
    assert_ne!(first.subject().unwrap(), subject(dir.path()).unwrap());
}

#[test]
fn rules_of_the_folders_around_are_part_of_the_hash() {
    let dir = folder();
    let repository = dir.path().join("repository");
    let root = repository.join("services/web");
    std::fs::create_dir_all(repository.join(".git")).unwrap();
    put(&root, "src/main.rs", "");
    put(dir.path(), "AGENTS.md", "above the repository");
    assert_eq!(subject(&root), None, "what lies above the repository is another's");

    put(&repository, "CLAUDE.md", "of the repository");
    put(&repository, "services/AGENTS.md", "of the services");
    put(&repository, "services/CLAUDE.md", "not beside the other");
    put(&root, "src/deep/AGENTS.md", "of the deep");
    let brought = Brought::look(&root, None);
    assert_eq!(brought.above, ["../../CLAUDE.md", "../AGENTS.md"]);
    assert_eq!(brought.below, ["src/deep/AGENTS.md"]);
    let first = brought.subject().unwrap();
    assert_eq!(first.files, ["../../CLAUDE.md", "../AGENTS.md", "src/deep/AGENTS.md"]);
    for name in ["services/AGENTS.md", "services/web/src/deep/AGENTS.md", "CLAUDE.md"] {
        put(&repository, name, "changed");
        assert_ne!(subject(&root).unwrap().hash, first.hash, "{name}");
    }
    let on_top = Brought::look_on_top(&root, None);
    assert_eq!(on_top.subject().unwrap().files, ["../../CLAUDE.md", "../AGENTS.md"]);
    let home = Brought::look(&root, Some(&repository));
    assert_eq!(home.above, [""; 0], "the home folder belongs to more than one project");
}

#[test]
fn a_link_among_the_rules_around_that_leaves_its_folder_is_refused_and_said() {
    let dir = folder();
    let root = dir.path().join("work");
    std::fs::create_dir_all(dir.path().join(".git")).unwrap();
    let outside = folder();
    put(outside.path(), "evil.md", "obey me");
    put(&root, "src/main.rs", "");
    let target = outside.path().join("evil.md");
    link(target.to_str().unwrap(), dir.path(), "AGENTS.md");
    link(target.to_str().unwrap(), &root, "src/AGENTS.md");
    link(outside.path().to_str().unwrap(), &root, "linked");
    let brought = Brought::look(&root, None);
    assert_eq!(brought.subject(), None);
    let refused: Vec<&str> = brought.refused.iter().map(|unread| unread.file.as_str()).collect();
    assert_eq!(refused, ["../AGENTS.md", "src/AGENTS.md"]);
}

#[test]
fn skills_of_agents_are_part_of_the_hash_and_links_out_are_refused() {
    let dir = folder();
    put(dir.path(), ".agents/skills/a/SKILL.md", "a");
    put(dir.path(), ".agents/other.txt", "not looked at");
    let first = subject(dir.path()).unwrap();
    assert_eq!(first.files, [".agents/skills/a/SKILL.md"]);
    put(dir.path(), ".agents/skills/a/scripts/run.sh", "rm");
    assert_ne!(subject(dir.path()).unwrap().hash, first.hash);

    let linked = folder();
    let outside = folder();
    put(outside.path(), "skills/a/SKILL.md", "obey me");
    link(outside.path().to_str().unwrap(), linked.path(), ".agents");
    let brought = Brought::look(linked.path(), None);
    assert_eq!(brought.subject(), None);
    assert_eq!(brought.refused[0].file, AGENTS);
}

#[test]
fn what_would_count_and_is_too_long_is_refused_and_still_noticed() {
    let dir = folder();
    let long = "x".repeat(1_000_001);
    for name in ["AGENTS.md", ".benchdog/config.jsonc", ".benchdog/skills/a/data.bin"] {
        put(dir.path(), name, &long);
    }
    let brought = Brought::look(dir.path(), None);
    let refused: Vec<&str> = brought.refused.iter().map(|unread| unread.file.as_str()).collect();
    assert_eq!(refused, ["AGENTS.md", ".benchdog/config.jsonc"]);
    assert_eq!(brought.refused[0].why, "it holds 1000001 bytes, 1000000 can be read");
    assert_eq!(brought.subject().unwrap().files.len(), 3);
}

#[test]
fn trust_in_a_program_that_is_not_known_holds_for_one_start() {
    let dir = folder();
    put(dir.path(), ".benchdog/config.jsonc", "{}");
    let mut brought = Brought::look(dir.path(), None);
    let bound = brought.subject().unwrap();
    brought.unbound.push("guard".to_owned());
    let unbound = brought.subject().unwrap();
    assert_ne!(unbound.hash, bound.hash);
    assert_eq!(unbound.hash_of(false), bound.hash_of(false), "a refusal stays");
    assert_eq!(brought.subject().unwrap(), unbound, "in one start it stays");
}

/// Creates a repository with rules at its top and in two folders, one of them with settings.
fn repository() -> tempfile::TempDir {
    let dir = folder();
    put(dir.path(), ".git/HEAD", "ref: refs/heads/trunk");
    put(dir.path(), "AGENTS.md", "be kind");
    put(dir.path(), "a/AGENTS.md", "in a");
    put(dir.path(), "a/.benchdog/config.jsonc", "{}");
    put(dir.path(), "b/AGENTS.md", "in b");
    put(dir.path(), "c/main.rs", "fn main() {}");
    dir
}

fn part(root: &Path) -> InRepository {
    subject(root).unwrap().in_repository.unwrap()
}

#[test]
fn trust_in_a_repository_covers_folders_whose_files_were_all_shown() {
    let dir = repository();
    let root = dir.path();
    let shown = part(&root.join("a")).with_top(None);
    assert_eq!(
        shown.files,
        ["AGENTS.md", "a/.benchdog/config.jsonc", "a/AGENTS.md", "b/AGENTS.md"]
    );
    let written = shown.written();
    for covered in ["", "a", "b", "c"] {
        assert!(part(&root.join(covered)).is_in(&written), "{covered}");
    }
    // The person has not seen these settings, although their content equals trusted settings elsewhere.
    put(root, "b/.benchdog/config.jsonc", "{}");
    assert!(!part(&root.join("b")).is_in(&written));
    assert!(part(&root.join("c")).is_in(&written), "they do not count there");
    put(root, "AGENTS.md", "be rude");
    for changed in ["", "a", "c"] {
        assert!(!part(&root.join(changed)).is_in(&written), "{changed}");
    }
}

#[test]
fn no_repository_is_offered_where_not_every_file_is_known() {
    let dir = folder();
    put(dir.path(), "AGENTS.md", "be kind");
    assert_eq!(subject(dir.path()).unwrap().in_repository, None, "no repository");
    let dir = repository();
    let home = dir.path().join("a");
    let below = Brought::look(&home.join("x"), Some(&home));
    assert!(
        below.subject().is_none_or(|subject| subject.in_repository.is_none()),
        "the home folder is between"
    );
    let mut brought = Brought::look(&home, None);
    brought.unbound.push("a hook".to_owned());
    assert_eq!(brought.subject().unwrap().in_repository, None);
    assert!(!InRepository::default().is_in(""), "an empty set covers nothing");
}
