//! Tests of the paths and effects found in a command line, before any rule applies.

use super::*;

mod steering;

struct Fixture {
    _keep: tempfile::TempDir,
    workspace: Workspace,
}

fn fixture() -> Fixture {
    let keep = tempfile::tempdir().unwrap();
    let root = keep.path().join("work");
    std::fs::create_dir_all(root.join("src/deep")).unwrap();
    std::fs::write(root.join("notes.txt"), "x").unwrap();
    std::fs::write(root.join(".env"), "x").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.join("out")).unwrap();
    let workspace = Workspace::open(&root, &[], &[]).unwrap();
    Fixture { _keep: keep, workspace }
}

impl Fixture {
    fn line_in(&self, workdir: &str, text: &str) -> Arc<CommandLine> {
        command(&self.workspace, &self.workspace.resolve(workdir).unwrap(), text)
    }

    fn reaches(&self, text: &str) -> Vec<Reach> {
        self.line_in(".", text).reaches.clone()
    }

    fn names_process(&self, text: &str) -> bool {
        let line = self.line_in(".", text);
        assert!(
            matches!(line.analysis.class, CommandClass::Plain | CommandClass::External),
            "{text} must be judged by what it reaches"
        );
        line.reaches.iter().any(|reach| matches!(reach, Reach::Process { .. }))
    }
}

#[test]
fn a_line_that_names_files_of_another_process_is_found_out() {
    let b = fixture();
    std::os::unix::fs::symlink("/proc/1", b.workspace.root().join("init")).unwrap();
    for text in [
        "cat /proc/$PPID/environ",
        "cat /proc/1/mem",
        "cat /proc/1/maps",
        "cat /proc/*/environ",
        "cat /proc/[0-9]*/maps",
        "cat /proc/self/../1/maps",
        "cat /proc/sys/../1/maps",
        "cat /proc/thread-self/environ",
        "cat /proc/self/environ",
        "cat /proc/self/root/proc/1/maps",
        "cat //proc/./1//maps",
        "cat /tmp/../proc/1/maps",
        "cat ../../../../../../proc/1/maps",
        "cd /proc; cat 1/maps",
        "cd /; cat proc/1/maps",
        "cd /; cd proc; cat 1/maps",
        "cd ../../../../../..; cat proc/1/maps",
        "P=/proc; cat $P/1/maps",
        "P=/proc/1/maps; cat $P",
        "D=/pr; cat ${D}oc/1/maps",
        "cat /pr*/1/maps",
        "cat /p?oc/1/maps",
        "cat /[p]roc/1/maps",
        "cat /*/1/maps",
        "cat /p''roc/1/maps",
        "cat $'/\\x70roc/1/maps'",
        "cat /{proc,x}/1/maps",
        "cat \"/proc/$(pgrep x)/maps\"",
        "cat $(echo /proc/1/maps)",
        "for p in /proc/[0-9]*; do cat $p/maps; done",
        "while read -r p; do cat \"$p\"; done <<< /proc/1/maps",
        "while read -r p; do cat \"$p\"; done < /proc/1/maps",
        "grep -f/proc/1/maps x",
        "curl -d @/proc/1/maps http://127.0.0.1/",
        "dd if=/proc/1/mem",
        "find /proc -name environ",
        "grep -r x /proc",
        "ls /*",
        "tail -f /proc/1/fd/1",
        "cat /proc/kcore",
        "cat init/maps",
        "cat init/maps | head",
        "cat /dev/fd/../../1/maps",
    ] {
        let _ = b.names_process(text);
        // If the literal path is not recognised, the line leads out of the workspace, which no rule allows.
        let is_found = !b.reaches(text).is_empty() || !b.line_in(".", text).analysis.reads_only;
        assert!(is_found, "{text}");
        let is_spelled = text.contains("/proc/1/") && !text.contains(['*', '{']);
        assert!(!is_spelled || b.names_process(text), "{text}: {:?}", b.reaches(text));
    }
}

#[test]
fn what_the_system_tells_of_itself_is_a_path_like_others() {
    let b = fixture();
    std::fs::create_dir_all(b.workspace.root().join("proc/1")).unwrap();
    for text in [
        "cat /proc/cpuinfo",
        "cat /proc/meminfo /proc/loadavg",
        "cat /proc/version | head -1",
        "cat /proc/uptime /proc/stat /proc/mounts /proc/filesystems",
        "cat /proc/sys/kernel/pid_max",
        "cat /proc/net/tcp",
        "cat proc/1/maps",
        "cat src/proc/mod.rs",
        "ls src/*",
        "cat $d/notes.txt",
        "cd src; cat */mod.rs",
        "cd \"$D\"; cat src/maps",
        "grep -rn proc src",
        "echo a/b | sed 's/*//'",
        "cat \"$HOME/x\"",
        "cat < notes.txt",
    ] {
        assert!(!b.names_process(text), "{text}: {:?}", b.reaches(text));
    }
    assert_eq!(b.reaches("cat /proc/cpuinfo"), [], "it tells nothing of a person");
    let outside = b.reaches("cat /proc/mounts");
    assert!(matches!(outside.as_slice(), [Reach::Unfollowed { .. }]), "{outside:?}");
}

#[test]
fn every_path_is_looked_at_in_the_order_of_the_line() {
    let b = fixture();
    let reaches = b.reaches("cat /dev/urandom out .env");
    let shown: Vec<String> = reaches.iter().map(|reach| format!("{reach:?}")).collect();
    assert_eq!(shown.len(), 3, "{shown:?}");
    assert!(
        shown[0].contains("/dev/urandom") && shown[1].contains("\"out\""),
        "{shown:?}"
    );
    assert_eq!(reaches[2], Reach::Secret { path: ".env".into() });
    assert_eq!(b.reaches("cat notes.txt"), []);
}

#[test]
fn paths_are_followed_from_the_folder_it_runs_in() {
    let b = fixture();
    let line = b.line_in("src", "cat ../notes.txt");
    assert_eq!((line.runs_in, line.workdir.as_str()), (RunsIn::Elsewhere, "src"));
    assert_eq!(line.reaches, []);
    let secret = b.line_in("src", "cat ../.env");
    assert!(secret.reaches.iter().any(Reach::needs_person), "{secret:?}");
    // After a link, `..` is the parent of the link's target.
    std::os::unix::fs::symlink("src/deep", b.workspace.root().join("short")).unwrap();
    std::fs::write(b.workspace.root().join("src/.netrc"), "x").unwrap();
    let through = b.line_in("short", "cat ../.netrc");
    assert!(through.reaches.iter().any(Reach::needs_person), "{through:?}");
    assert_eq!(b.line_in("short", "cat ../x.txt").reaches, []);
}

#[test]
fn a_search_follows_a_link_it_is_given_and_ends_where_it_would_take_too_long() {
    let b = fixture();
    let root = b.workspace.root();
    std::fs::write(root.join("src/deep/.env"), "x").unwrap();
    std::os::unix::fs::symlink("src/deep", root.join("short")).unwrap();
    let found = b.line_in(".", "grep -r KEY short");
    assert_eq!(
        found.below,
        [Reach::SecretBelow {
            path: "src/deep/.env".into()
        }]
    );
    assert_eq!(b.reaches("grep KEY short"), []);

    let look = Look {
        workspace: &b.workspace,
        folder: root.to_path_buf(),
        began: Cell::new(Instant::now().checked_sub(MOST_TIME * 2)),
    };
    for number in 0..200 {
        std::fs::write(root.join(format!("src/{number}")), "").unwrap();
    }
    std::fs::remove_file(root.join("src/deep/.env")).unwrap();
    assert_eq!(look.secret_below(&["grep", "-r", "KEY", "src"]), [Reach::Unseen]);
    assert_eq!(b.reaches("grep -r KEY src"), []);
}

#[test]
fn every_secret_that_a_search_passes_is_named() {
    let b = fixture();
    for name in ["src/.env", "src/id_rsa", "deploy/prod.env"] {
        let path = b.workspace.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }
    for text in ["grep -r KEY .", "cat src/*"] {
        let line = b.line_in(".", text);
        let hidden: Vec<&str> = line.hidden().collect();
        let wanted = if text.starts_with("cat") { 1 } else { 3 };
        assert!(hidden.len() >= wanted, "{text}: {hidden:?}");
    }
}

#[test]
fn package_caches_of_the_home_folder_may_be_read_and_what_lies_beside_them_may_not() {
    let b = fixture();
    for text in [
        "ls ~/.cargo/registry/src",
        "grep -rn x ~/.cargo/registry/src/*/serde-1.0.0/src",
        "cat ~/go/pkg/mod/x/go.mod",
    ] {
        assert_eq!(b.reaches(text), [], "{text}");
    }
    for text in [
        "cat ~/.cargo/credentials.toml",
        "ls ~/.cargo/registry/../../x",
        "ls ~/.cargo/registryx",
        "cat /e*",
        "ls /*",
    ] {
        assert!(!b.reaches(text).is_empty(), "{text}");
    }
}
