use super::*;
use benchdog_base::environment::Environment;
use benchdog_config::Flags;
use benchdog_tools::Registry;

fn places(root: &Path, home: &Path) -> Places {
    Places {
        root: root.to_path_buf(),
        user: PathBuf::new(),
        file: None,
        stored_keys: PathBuf::new(),
        server_tokens: PathBuf::new(),
        environment: Environment::of([("HOME".to_owned(), home.display().to_string())]),
        flags: Flags::default(),
        tools: Registry::builtin(),
        trusts: false,
    }
}

#[test]
fn a_folder_of_several_that_is_a_repository_itself_is_looked_through_whole() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let root = home.join("Documents");
    std::fs::create_dir_all(root.join("inside")).unwrap();
    std::fs::write(root.join("inside/AGENTS.md"), "Be brief.").unwrap();
    let (there, at_home) = (places(&root, &home), places(&home, &home));
    let looked = |places: &Places, rules: &str| (places.levels(), places.brought().bytes(rules).is_some());
    let named = |places: &Places| match places.no_project() {
        Some(Notice::WideFolder { repository, .. }) => Some(repository),
        _ => None,
    };
    let top = Levels::First(NAMED_LEVELS);
    assert_eq!(looked(&there, "inside/AGENTS.md"), (top, false));
    assert_eq!(named(&there), Some(false));
    for folder in [&root, &home] {
        std::fs::create_dir(folder.join(".git")).unwrap();
    }
    assert_eq!(looked(&there, "inside/AGENTS.md"), (Levels::All, true));
    assert_eq!(named(&there), Some(true), "it is named all the same");
    let never_counts = looked(&at_home, "Documents/inside/AGENTS.md");
    assert_eq!(never_counts, (Levels::All, false));
}

#[test]
fn below_the_folders_of_the_system_some_are_its_own_and_some_are_projects() {
    let is_project = |folder: &Path| ["/etc", "/usr/share/tool"].iter().any(|one| folder == Path::new(one));
    for (folder, is_own) in [
        ("/etc", true),
        ("/etc/ssh", true),
        ("/usr/lib/python3", true),
        ("/usr/local/lib/node_modules", true),
        ("/var/lib/dpkg/info", true),
        ("/var/log", true),
        ("/usr/local", true),
        ("/System/Library/Fonts", true),
        ("/private/etc/ssh", true),
        ("/usr/share/tools", true),
        ("/usr/share/tool", false),
        ("/usr/share/tool/src/deep", false),
        ("/usr/local/src/tool", false),
        ("/usr/src/tool", false),
        ("/var/www/shop", false),
        ("/etcetera", false),
        ("/home/me/etc", false),
        ("/Users/me/Library/tool", false),
    ] {
        assert_eq!(is_of_system(Path::new(folder), is_project), is_own, "{folder}");
    }
}

#[test]
fn what_is_a_repository_or_has_rules_of_its_own_is_a_project() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!is_project(folder.path()));
    for name in [".git", OWN] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        assert!(is_project(folder.path()), "{name}");
        std::fs::remove_dir(folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("AGENTS.md"), "").unwrap();
    assert!(is_project(folder.path()));
}
