use super::*;
use benchdog_domain::hook::HookEvent;

struct Folder {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Folder {
    fn with(files: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("work");
        std::fs::create_dir_all(root.join("tools")).unwrap();
        for file in files {
            std::fs::write(root.join(file), "x").unwrap();
        }
        Self { _folder: folder, root }
    }

    fn pinned(&self, command: &[&str]) -> Vec<Pinned> {
        let mut hooks = [Hook {
            event: HookEvent::BeforeTool,
            name: "guard".to_owned(),
            tools: Vec::new(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            timeout_ms: 7,
            strict: false,
            layer: Layer::Project,
            origin: String::new(),
            file: String::new(),
            pinned: Vec::new(),
        }];
        let mut brought = Brought::look(&self.root, None);
        pin(&mut hooks, &self.root, None, &mut brought);
        let [hook] = hooks;
        hook.pinned
    }

    fn from(&self) -> From<'_> {
        From {
            root: &self.root,
            folder: &self.root,
            home: None,
        }
    }

    fn names(&self, command: &[&str]) -> Vec<String> {
        let of_bytes = |pinned: Pinned| matches!(pinned.was, Pin::Bytes(_)).then_some(pinned.file);
        self.pinned(command).into_iter().filter_map(of_bytes).collect()
    }
}

#[test]
fn what_a_command_runs_without_naming_it_as_a_file_is_bound() {
    let folder = Folder::with(&["Makefile", "guard.py", "tools/a.sh", "tools/b.sh", "package.json"]);
    let files = |command: &[&str]| {
        let pinned = folder.pinned(command).into_iter();
        let there = pinned.filter(|pinned| matches!(pinned.was, Pin::Bytes(_)));
        there.map(|pinned| pinned.file).collect::<Vec<_>>()
    };
    assert_eq!(files(&["make", "guard"]), ["Makefile"]);
    assert_eq!(files(&["python3", "-m", "guard"]), ["guard.py"]);
    assert_eq!(files(&["npm", "run", "guard"]), ["package.json"]);
    assert_eq!(files(&["node", "tools"]), ["tools/a.sh", "tools/b.sh"]);
    assert_eq!(files(&["sh", "-c", "exec sh <tools/a.sh"]), ["tools/a.sh"]);
    assert_eq!(
        files(&["sh", "-c", "cat tools/*.sh | sh"]),
        ["tools/a.sh", "tools/b.sh"]
    );
    assert_eq!(
        files(&["env", "-C", "tools", "sh", "a.sh"]),
        ["tools/a.sh", "tools/b.sh"]
    );
    assert_eq!(files(&["mcp-files", "."]), Vec::<String>::new());
    assert_eq!(files(&["mcp-files", "tools"]), Vec::<String>::new());
}

#[test]
fn a_file_is_found_however_its_word_is_written() {
    let folder = Folder::with(&["tools/x.js"]);
    let whole = folder.root.join("tools/x.js");
    let whole = whole.to_str().unwrap();
    for word in [
        "tools/x.js",
        "./tools/x.js",
        "tools/../tools/x.js",
        whole,
        "--config=tools/x.js",
        &format!("--config={whole}"),
        "-ctools/x.js",
    ] {
        assert_eq!(folder.names(&["node", word]), ["tools/x.js"], "{word}");
    }
    assert_eq!(folder.names(&[whole]), ["tools/x.js"]);
}

#[test]
fn a_file_that_a_variable_names_is_found_however_it_is_written_there() {
    let folder = Folder::with(&["tools/x.js", "plain"]);
    for (value, found) in [
        ("tools/x.js", "tools/x.js"),
        ("--require ./tools/x.js --quiet", "tools/x.js"),
        ("--require=tools/x.js", "tools/x.js"),
        ("/usr/bin:tools/x.js", "tools/x.js"),
        ("plain", "plain"),
        ("tools/later.js", "tools/later.js"),
    ] {
        let files = of_value(value, &folder.from());
        assert!(files.iter().any(|file| file == found), "{value}: {files:?}");
    }
    for value in ["production", "http://x.example:80/y", "a b", "/usr/bin:/bin", "tools"] {
        let files = of_value(value, &folder.from());
        assert!(files.is_empty(), "{value}: {files:?}");
    }
}

/// Returns the existing paths in the folder that a server depends on.
fn bound(folder: &Folder, words: &[&str], variable: &str, cwd: Option<&str>) -> Vec<String> {
    let mut words = words.iter().map(|word| (*word).to_owned());
    let mut servers = [ServerSettings {
        name: benchdog_domain::server::ServerName("docs".to_owned()),
        enabled: true,
        place: ServerPlace::Program {
            program: words.next().unwrap(),
            arguments: words.collect(),
            environment: vec![("NODE_OPTIONS".to_owned(), variable.to_owned())],
            cwd: cwd.map(str::to_owned),
        },
        timeout_ms: 7,
        start_timeout_ms: 7,
        disabled_tools: Vec::new(),
        layer: Layer::Project,
        pinned: Vec::new(),
    }];
    pin_servers(&mut servers, &folder.root, &mut Brought::look(&folder.root, None));
    let [server] = servers;
    let bound = server
        .pinned
        .into_iter()
        .filter(|pinned| matches!(pinned.was, Pin::Bytes(_)));
    bound.map(|pinned| pinned.file).collect()
}

#[test]
fn a_server_is_bound_to_the_files_of_its_variables() {
    let folder = Folder::with(&["tools/x.js"]);
    let bound = bound(&folder, &["node", "-e"], "--require ./tools/x.js", None);
    assert_eq!(bound, ["tools/x.js"]);
}

#[test]
fn a_server_is_bound_to_what_its_words_name_where_it_is_started() {
    let folder = Folder::with(&["tools/x.js", "tools/y.js", "x.js"]);
    let bound = bound(&folder, &["./y.js", "x.js"], "-r ./y.js", Some("tools"));
    assert_eq!(bound, ["tools/y.js", "tools/x.js"]);
}

#[test]
fn a_file_that_is_not_there_is_bound_to_that_and_a_program_of_path_is_no_file_of_the_folder() {
    let folder = Folder::with(&["node"]);
    let pinned = folder.pinned(&["node", "tools/later.js", "--quiet"]);
    let absent = Pinned {
        file: "tools/later.js".to_owned(),
        was: Pin::Absent,
    };
    assert_eq!(pinned, [absent]);
}

#[test]
fn what_cannot_be_compared_says_why() {
    let folder = Folder::with(&[]);
    std::os::unix::fs::symlink("/bin/sh", folder.root.join("tools/out")).unwrap();
    std::fs::write(folder.root.join("tools/large"), vec![b'x'; 1_000_001]).unwrap();
    for file in ["tools/out", "tools/large"] {
        let pinned = folder.pinned(&[&format!("./{file}")]);
        let [
            Pinned {
                file: named,
                was: Pin::Unknown(why),
            },
        ] = pinned.as_slice()
        else {
            panic!("{pinned:?}")
        };
        assert!(named == file && !why.is_empty(), "{pinned:?}");
    }
}
