//! The parts of a sandbox plan. `tests/it/confinement.rs` tests that the kernel enforces the plan.

use super::*;

fn environment(pairs: &[(&str, &Path)]) -> Environment {
    let pairs = pairs.iter();
    Environment::of(pairs.map(|(name, value)| ((*name).to_owned(), value.display().to_string())))
}

impl Confines {
    pub(crate) fn none() -> Self {
        Self::of(Level::Off, Path::new("/nonexistent"))
    }

    fn of(level: Level, home: &Path) -> Self {
        let environment = environment(&[("BENCHDOG_HOME", home), ("HOME", home)]);
        let folders = Folders::resolve(&environment).unwrap();
        Self {
            wanted: Wanted {
                level,
                network: Network::Inherit,
                view: View::Whole,
                asked_by: AskedBy::Default,
            },
            writable: Arc::new([]),
            passed: Arc::new([]),
            sandbox: Arc::new(Sandbox::new(PathBuf::from("/nonexistent"), &folders, &environment)),
            also: Arc::default(),
        }
    }
}

#[test]
fn of_caches_only_those_that_exist_are_layered_and_none_twice() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    for folder in [".cache/go-build", ".cargo/registry", "moved/registry"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    let environment = environment(&[
        ("CARGO_HOME", &home.join("moved")),
        ("GOCACHE", &home.join(".cache/go-build")),
    ]);
    let found = caches(Some(&home), &environment);
    assert_eq!(
        found,
        [
            home.join(".cache"),
            home.join(".cargo/registry"),
            home.join("moved/registry")
        ]
    );
}

#[test]
fn a_plan_names_what_may_be_written_by_its_level() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let root = home.join("work");
    fs::create_dir_all(root.join("fixtures")).unwrap();
    fs::write(root.join(".env"), "").unwrap();
    fs::write(root.join("fixtures/test.pem"), "").unwrap();
    let workspace = Workspace::open(&root, &[], &[]).unwrap();
    let files = |level| {
        let mut confines = Confines::of(level, &home);
        confines.writable = Arc::new(["fixtures".to_owned(), "not there".to_owned()]);
        let planned = confines.plan(&workspace, BTreeSet::new()).unwrap();
        match planned.plan.extent {
            Extent::Files(files) => *files,
            Extent::NetworkOnly => panic!("files are held in at every level but off"),
        }
    };
    let workspace_level = files(Level::Workspace);
    assert_eq!(workspace_level.writable, [root.clone(), root.join("fixtures")]);
    assert!(workspace_level.hidden.contains(&root.join(".env")));
    assert!(!workspace_level.hidden.contains(&root.join("fixtures/test.pem")));
    let read_only = files(Level::ReadOnly);
    assert!(read_only.writable.is_empty() && read_only.caches.is_empty());
    assert!(read_only.visible.contains(&root));
    assert!(Confines::of(Level::Off, &home).confined(&workspace).unwrap().is_none());
}
