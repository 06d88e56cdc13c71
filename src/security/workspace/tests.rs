//! Tests of paths that stay inside the roots, and of paths that try to leave them.

use std::os::unix::fs::{PermissionsExt, symlink};

use proptest::prelude::*;

use super::*;

struct Fixture {
    _keep: tempfile::TempDir,
    base: PathBuf,
    workspace: Workspace,
}

/// `base/work` is the workspace, `base/added` an added root, `base/outputs` read-only, and `base/outside` no root.
fn fixture() -> Fixture {
    let keep = tempfile::tempdir().unwrap();
    let base = keep.path().canonicalize().unwrap();
    for folder in ["work/src", "work/.git/hooks", "added", "outputs", "outside"] {
        std::fs::create_dir_all(base.join(folder)).unwrap();
    }
    std::fs::write(base.join("work/notes.txt"), "notes").unwrap();
    std::fs::write(base.join("work/src/main.rs"), "fn main() {}").unwrap();
    std::fs::write(base.join("outside/secret.txt"), "secret").unwrap();
    std::fs::write(base.join("added/extra.txt"), "extra").unwrap();
    std::fs::write(base.join("outputs/long.txt"), "long").unwrap();
    let workspace = Workspace::open(&base.join("work"), &[base.join("added")], &[base.join("outputs")]).unwrap();
    Fixture {
        _keep: keep,
        base,
        workspace,
    }
}

impl Fixture {
    fn code(&self, path: &str) -> &'static str {
        self.workspace
            .resolve(path)
            .map_or_else(|error| error.code, |_| "resolved")
    }

    fn path(&self, path: &str) -> WorkPath {
        self.workspace.resolve(path).unwrap()
    }

    fn text(&self, path: &str) -> String {
        String::from_utf8(self.path(path).read(1 << 20).unwrap()).unwrap()
    }

    fn at(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }
}

#[test]
fn paths_inside_are_found_however_they_are_written() {
    let b = fixture();
    for text in [
        "src/main.rs",
        "./src/main.rs",
        "src/../src//main.rs",
        "nothing/../src/main.rs",
    ] {
        assert_eq!(b.path(text).shown(), "src/main.rs", "{text}");
    }
    let absolute = b.at("work/src/main.rs");
    assert_eq!(b.path(absolute.to_str().unwrap()).shown(), "src/main.rs");
    assert_eq!(b.path(".").shown(), ".");
    assert_eq!(b.path("src/..").shown(), ".");
    assert_eq!(
        b.path(b.at("added/extra.txt").to_str().unwrap()).shown(),
        b.at("added/extra.txt").to_str().unwrap()
    );
    assert_eq!(b.text("src/main.rs"), "fn main() {}");
}

#[test]
fn dots_and_absolute_paths_do_not_lead_out() {
    let b = fixture();
    let sibling = b.at("work-other").to_str().unwrap().to_owned();
    for text in [
        "..",
        "../outside/secret.txt",
        "src/../../outside/secret.txt",
        "/etc/passwd",
        "/",
        &sibling,
    ] {
        assert_eq!(b.code(text), "outside_workspace", "{text}");
    }
    let sneaky = format!("{}/../outside/secret.txt", b.at("work").display());
    assert_eq!(b.code(&sneaky), "outside_workspace");
}

#[test]
fn what_is_no_path_is_told_clearly() {
    let b = fixture();
    assert_eq!(b.code(""), "bad_path");
    assert_eq!(b.code("a\0b"), "bad_path");
    assert_eq!(b.code(&"x".repeat(300)), "too_long");
    assert_eq!(b.code(&"x/".repeat(3000)), "too_long");
    assert_eq!(b.code("notes.txt/inner"), "not_a_folder");
    assert_eq!(b.code("~/x"), "resolved", "a tilde is an ordinary name");
    assert_eq!(b.path("~/x").absolute(), b.at("work/~/x"));
}

#[test]
fn links_are_followed_inside_and_refused_when_they_lead_out() {
    let b = fixture();
    symlink("notes.txt", b.at("work/near")).unwrap();
    symlink(b.at("work/notes.txt"), b.at("work/absolute")).unwrap();
    symlink(b.at("added/extra.txt"), b.at("work/over")).unwrap();
    symlink("../added", b.at("work/overfolder")).unwrap();
    symlink("../outside/secret.txt", b.at("work/out")).unwrap();
    symlink("/etc", b.at("work/etc")).unwrap();
    symlink("../outside", b.at("work/src/../folder")).unwrap();
    symlink("out", b.at("work/twice")).unwrap();
    symlink("../outside/new.txt", b.at("work/dangling")).unwrap();
    assert_eq!(b.text("near"), "notes");
    assert_eq!(b.text("absolute"), "notes");
    assert_eq!(b.text("over"), "extra");
    assert_eq!(b.text("overfolder/extra.txt"), "extra");
    for text in [
        "out",
        "etc/passwd",
        "etc",
        "folder/secret.txt",
        "twice",
        "dangling",
        "folder/new/file",
    ] {
        assert_eq!(b.code(text), "symlink_escape", "{text}");
    }
}

#[test]
fn link_loops_end() {
    let b = fixture();
    symlink("b", b.at("work/a")).unwrap();
    symlink("a", b.at("work/b")).unwrap();
    symlink("self/self", b.at("work/self")).unwrap();
    for text in ["a", "b/x", "self", "self/x"] {
        assert_eq!(b.code(text), "symlink_loop", "{text}");
    }
}

#[test]
fn a_link_swapped_in_after_resolving_is_refused_at_every_use() {
    let b = fixture();
    std::fs::create_dir(b.at("work/dir")).unwrap();
    std::fs::write(b.at("work/dir/file"), "mine").unwrap();
    let file = b.path("dir/file");
    let fresh = b.path("dir/fresh");
    let plain = b.path("notes.txt");
    assert!(file.read(100).is_ok());

    std::fs::remove_file(b.at("work/notes.txt")).unwrap();
    symlink("../outside/secret.txt", b.at("work/notes.txt")).unwrap();
    std::fs::rename(b.at("work/dir"), b.at("work/dir.old")).unwrap();
    symlink("../outside", b.at("work/dir")).unwrap();
    std::fs::write(b.at("outside/file"), "theirs").unwrap();
    for path in [&file, &fresh, &plain] {
        let code = path.read(100).unwrap_err().code;
        assert!(code.starts_with("symlink_"), "read of {path:?} gave {code}");
        assert!(path.write(b"x", None).unwrap_err().code.starts_with("symlink_"));
        assert!(path.create_new(b"x", None).unwrap_err().code.starts_with("symlink_"));
        assert!(path.stat().unwrap_err().code.starts_with("symlink_"));
        assert!(path.set_mode(0o600).unwrap_err().code.starts_with("symlink_"));
    }
    assert!(file.remove().unwrap_err().code.starts_with("symlink_"));
    assert_eq!(std::fs::read_to_string(b.at("outside/secret.txt")).unwrap(), "secret");
    assert!(!b.at("outside/fresh").exists());

    // A write fails even if the link stays inside the workspace, because the opened file is not the judged file.
    std::fs::remove_file(b.at("work/dir")).unwrap();
    symlink(".git", b.at("work/dir")).unwrap();
    assert_eq!(fresh.write(b"x", None).unwrap_err().code, "symlink_changed");
}

#[test]
fn the_walk_beneath_the_handle_refuses_links_by_itself() {
    // The second check is for a link that appears between the check and the open.
    let b = fixture();
    symlink("../outside", b.at("work/dir")).unwrap();
    let place = resolve::RootPath {
        root: 0,
        path: PathBuf::from("dir/secret.txt"),
    };
    let error = open::parent_of(&b.workspace, &place, open::Parents::Expect, "dir/secret.txt").unwrap_err();
    assert_eq!(error.code, "symlink_changed");
    let (dir, _) = open::parent_of(
        &b.workspace,
        &resolve::RootPath {
            root: 0,
            path: PathBuf::from("dir"),
        },
        open::Parents::Expect,
        "dir",
    )
    .unwrap()
    .unwrap();
    let flags = rustix::fs::OFlags::RDONLY;
    assert!(open::open_file(&dir, std::ffi::OsStr::new("dir"), flags, rustix::fs::Mode::empty()).is_err());
}

#[test]
fn writing_through_a_link_writes_its_target_and_keeps_the_link() {
    let b = fixture();
    symlink("notes.txt", b.at("work/link")).unwrap();
    b.path("link").write(b"changed", None).unwrap();
    assert_eq!(std::fs::read_to_string(b.at("work/notes.txt")).unwrap(), "changed");
    assert!(std::fs::symlink_metadata(b.at("work/link")).unwrap().is_symlink());
    b.path("link").remove().unwrap();
    assert!(b.at("work/notes.txt").exists(), "removing a link removes the link");
    assert!(std::fs::symlink_metadata(b.at("work/link")).is_err());
}

#[test]
fn a_link_that_leads_nowhere_or_out_can_be_removed_but_not_from_outside() {
    let b = fixture();
    symlink("gone", b.at("work/dead")).unwrap();
    b.path("dead").remove().unwrap();
    assert!(std::fs::symlink_metadata(b.at("work/dead")).is_err());
}

#[test]
fn writing_is_whole_keeps_the_mode_and_creates_folders() {
    let b = fixture();
    std::fs::set_permissions(b.at("work/notes.txt"), PermissionsExt::from_mode(0o640)).unwrap();
    b.path("notes.txt").write(b"two", None).unwrap();
    assert_eq!(b.text("notes.txt"), "two");
    assert_eq!(b.path("notes.txt").stat().unwrap().unwrap().mode, 0o640);

    b.path("deep/er/new.sh").write(b"#!/bin/sh\n", Some(0o755)).unwrap();
    assert_eq!(b.path("deep/er/new.sh").stat().unwrap().unwrap().mode, 0o755);
    b.path("plain.txt").write(b"x", None).unwrap();
    let mode = b.path("plain.txt").stat().unwrap().unwrap().mode;
    assert_eq!(mode & !0o644, 0, "a new file gets no more than 0644, got {mode:o}");
    b.path("plain.txt").set_mode(0o600).unwrap();
    assert_eq!(b.path("plain.txt").stat().unwrap().unwrap().mode, 0o600);

    let left: Vec<_> = std::fs::read_dir(b.at("work"))
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert!(
        left.iter()
            .all(|name| !name.to_string_lossy().contains("benchdog-write")),
        "{left:?}"
    );
}

#[test]
fn a_file_keeps_its_owner_its_attributes_and_its_other_names() {
    use std::os::unix::fs::MetadataExt;
    let b = fixture();
    let (notes, other) = (b.at("work/notes.txt"), b.at("work/other.txt"));
    let value = b"1";
    let can = std::fs::File::open(&notes).is_ok_and(|file| {
        rustix::fs::fsetxattr(&file, "user.benchdog", value, rustix::fs::XattrFlags::empty()).is_ok()
    });
    // Only root can change the owner of a file.
    let owned = std::os::unix::fs::chown(&notes, Some(1234), Some(1235)).is_ok();
    b.path("notes.txt").write(b"new", None).unwrap();
    let meta = std::fs::metadata(&notes).unwrap();
    if owned {
        assert_eq!((meta.uid(), meta.gid()), (1234, 1235));
    }
    if can {
        let mut held = [0; 8];
        let file = std::fs::File::open(&notes).unwrap();
        assert_eq!(rustix::fs::fgetxattr(&file, "user.benchdog", &mut held[..]), Ok(1));
    }
    std::fs::hard_link(&notes, &other).unwrap();
    b.path("notes.txt").write(b"for both", None).unwrap();
    assert_eq!(std::fs::read(&other).unwrap(), b"for both");
    assert_eq!(std::fs::metadata(&notes).unwrap().ino(), meta.ino());
    b.path("notes.txt").write(b"short", Some(0o600)).unwrap();
    assert_eq!(std::fs::read(&other).unwrap(), b"short");
    let left: Vec<_> = std::fs::read_dir(b.base.join("work"))
        .unwrap()
        .map(|one| one.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 4, "no backup stays: {left:?}");
}

#[test]
fn names_are_found_in_other_spellings_and_never_doubled() {
    use std::os::unix::ffi::OsStringExt;
    let b = fixture();
    let (composed, decomposed) = ("\u{dc}bersicht.md", "U\u{308}bersicht.md");
    std::fs::create_dir(b.at("work/Caf\u{e9}")).unwrap();
    std::fs::write(b.at("work/Caf\u{e9}").join(decomposed), "umlaut").unwrap();
    let asked = format!("Cafe\u{301}/{composed}");
    assert_eq!(b.text(&asked), "umlaut");
    b.path(&asked).write(b"changed", None).unwrap();
    assert_eq!(std::fs::read_dir(b.at("work/Caf\u{e9}")).unwrap().count(), 1);
    b.path(&asked).remove().unwrap();
    assert_eq!(std::fs::read_dir(b.at("work/Caf\u{e9}")).unwrap().count(), 0);

    let odd = std::ffi::OsString::from_vec(b"caf\xe9.txt".to_vec());
    std::fs::write(b.base.join("work").join(&odd), "latin").unwrap();
    assert_eq!(b.text("caf\\xe9.txt"), "latin");
    assert_eq!(b.path("caf\\xe9.txt").shown(), "caf\\xe9.txt");

    std::fs::write(b.at("work/ edge "), "blank").unwrap();
    assert_eq!(
        (b.text(" edge "), b.text(" notes.txt\n")),
        ("blank".to_owned(), "notes".to_owned())
    );
    assert_eq!(b.path(" new ").shown(), " new ");
}

#[test]
fn a_write_that_fails_leaves_nothing() {
    let b = fixture();
    assert_eq!(b.path("src").write(b"x", None).unwrap_err().code, "not_a_file");
    assert_eq!(b.path(".").write(b"x", None).unwrap_err().code, "not_a_file");
    assert_eq!(b.code("notes.txt/below/file"), "not_a_folder");
    let path = b.path("later/file");
    std::fs::write(b.at("work/later"), "a file now").unwrap();
    assert_eq!(path.write(b"x", None).unwrap_err().code, "not_a_folder");
    assert_eq!(std::fs::read_dir(b.at("work/src")).unwrap().count(), 1);
}

#[test]
fn creating_fails_when_the_name_is_taken_in_the_meantime() {
    let b = fixture();
    let path = b.path("new.txt");
    path.create_new(b"one", None).unwrap();
    assert_eq!(path.create_new(b"two", None).unwrap_err().code, "exists");
    assert_eq!(b.text("new.txt"), "one");
}

#[test]
fn pipes_and_devices_are_never_opened() {
    let b = fixture();
    let pipe = b.at("work/pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let path = b.path("pipe");
    assert_eq!(path.stat().unwrap().unwrap().kind, FileKind::Other);
    assert_eq!(path.read(100).unwrap_err().code, "not_a_file");
    assert_eq!(path.write(b"x", None).unwrap_err().code, "not_a_file");
    assert_eq!(b.path("src").read(100).unwrap_err().code, "not_a_file");
    let _socket = std::os::unix::net::UnixListener::bind(b.at("work/sock")).unwrap();
    assert_eq!(b.path("sock").read(100).unwrap_err().code, "not_a_file");
}

#[test]
fn reading_tells_missing_from_too_large() {
    let b = fixture();
    assert_eq!(b.path("nothing.txt").read(10).unwrap_err().code, "not_found");
    assert_eq!(b.path("no/such/folder.txt").read(10).unwrap_err().code, "not_found");
    assert_eq!(b.path("no/such/folder.txt").stat().unwrap(), None);
    assert_eq!(b.path("notes.txt").read(4).unwrap_err().code, "too_large");
    assert_eq!(b.path("notes.txt").read(5).unwrap(), b"notes");
    assert_eq!(b.path("src").stat().unwrap().unwrap().kind, FileKind::Folder);
    assert_eq!(b.path(".").stat().unwrap().unwrap().kind, FileKind::Folder);
}

#[test]
fn git_and_our_own_files_cannot_be_written() {
    let mut b = fixture();
    std::fs::create_dir_all(b.at("work/own")).unwrap();
    b.workspace.protect(b.at("work/own"));
    symlink(".git", b.at("work/g")).unwrap();
    symlink("own", b.at("work/o")).unwrap();
    for text in [
        ".git/config",
        ".git/hooks/pre-commit",
        ".git",
        "sub/.git/config",
        "g/config",
        ".GIT/config",
        ".benchdog/x",
    ] {
        assert_eq!(b.path(text).write(b"x", None).unwrap_err().code, "protected", "{text}");
        assert_eq!(
            b.path(text).create_new(b"x", None).unwrap_err().code,
            "protected",
            "{text}"
        );
    }
    for text in ["own/config.jsonc", "o/config.jsonc", "own"] {
        assert_eq!(b.path(text).write(b"x", None).unwrap_err().code, "protected", "{text}");
    }
    std::fs::write(b.at("work/.git/config"), "x").unwrap();
    assert_eq!(b.path(".git/config").remove().unwrap_err().code, "protected");
    assert_eq!(b.path("g/config").remove().unwrap_err().code, "protected");
    assert_eq!(b.path(".git/config").set_mode(0o777).unwrap_err().code, "protected");
    assert_eq!(b.text(".git/config"), "x", "reading is fine");
    b.path(".github/workflow.yml").write(b"x", None).unwrap();
    b.path(".gitignore").write(b"x", None).unwrap();
}

#[test]
fn outputs_can_be_read_and_not_written() {
    let b = fixture();
    let path = b.at("outputs/long.txt");
    assert_eq!(b.text(path.to_str().unwrap()), "long");
    assert_eq!(
        b.path(path.to_str().unwrap()).write(b"x", None).unwrap_err().code,
        "read_only"
    );
    assert_eq!(b.path(path.to_str().unwrap()).remove().unwrap_err().code, "read_only");
}

#[test]
fn a_link_to_a_secret_is_a_secret() {
    let b = fixture();
    std::fs::write(b.at("work/.env"), "KEY=1").unwrap();
    symlink(".env", b.at("work/settings")).unwrap();
    assert!(b.path(".env").is_secret());
    assert!(b.path("settings").is_secret());
    assert!(!b.path("notes.txt").is_secret());
}

#[test]
fn another_name_of_a_secret_is_a_secret_too() {
    let mut b = fixture();
    std::fs::write(b.at("work/.env"), "KEY=1").unwrap();
    std::fs::hard_link(b.at("work/.env"), b.at("work/src/settings.txt")).unwrap();
    std::fs::create_dir_all(b.at("home/.ssh")).unwrap();
    std::fs::write(b.at("home/.ssh/id_ed25519"), "KEY").unwrap();
    std::fs::hard_link(b.at("home/.ssh/id_ed25519"), b.at("work/readme.txt")).unwrap();
    std::fs::hard_link(b.at("work/notes.txt"), b.at("work/more.txt")).unwrap();
    assert!(b.path("src/settings.txt").is_secret());
    assert!(!b.path("readme.txt").is_secret(), "nobody said where home is");
    let home = b.at("home");
    b.workspace.know_home(&home);
    assert!(b.path("readme.txt").is_secret());
    assert!(!b.path("more.txt").is_secret());
}

#[test]
fn a_workspace_reached_through_a_link_is_the_folder_behind_it() {
    let b = fixture();
    symlink("work", b.at("alias")).unwrap();
    let workspace = Workspace::open(&b.at("alias"), &[], &[]).unwrap();
    assert_eq!(workspace.root(), b.at("work"));
    for start in ["alias", "work"] {
        let text = b.at(start).join("notes.txt");
        assert_eq!(workspace.resolve(text.to_str().unwrap()).unwrap().shown(), "notes.txt");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Resolves arbitrary paths. Each result, and each opened file, must be under a root.
    #[test]
    fn nothing_resolves_to_a_place_outside(
        parts in prop::collection::vec(
            prop::sample::select(vec!["..", ".", "", "src", "in", "out", "up", "loop", "notes.txt", "new", "abs", "/"]),
            1..8,
        ),
    ) {
        let b = fixture();
        symlink("src", b.at("work/in")).unwrap();
        symlink("../outside", b.at("work/out")).unwrap();
        symlink("..", b.at("work/src/up")).unwrap();
        symlink("../..", b.at("work/src/out")).unwrap();
        symlink("loop", b.at("work/loop")).unwrap();
        symlink(b.at("added"), b.at("work/abs")).unwrap();
        let text = parts.join("/");
        if let Ok(path) = b.workspace.resolve(&text) {
            let real = path.absolute();
            let inside = ["work", "added", "outputs"].iter().any(|root| real.starts_with(b.at(root)));
            prop_assert!(inside, "{text} became {real:?}");
            if let Ok(canonical) = std::fs::canonicalize(&real) {
                prop_assert_eq!(canonical, real, "no link is left in what is opened");
            }
            if let Ok(bytes) = path.read(100) {
                prop_assert_ne!(bytes, b"secret");
            }
        }
    }
}
