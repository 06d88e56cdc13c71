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
        self.pinned_of(command).0
    }

    fn is_bound(&self, command: &[&str]) -> bool {
        self.pinned_of(command).1
    }

    fn pinned_of(&self, command: &[&str]) -> (Vec<Pinned>, bool) {
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
        (hook.pinned, brought.unbound.is_empty())
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
    assert_eq!(files(&["env", "-C", "tools", "sh", "a.sh"]), ["tools/a.sh"]);
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

#[test]
fn a_command_is_bound_only_where_each_word_is_understood() {
    let files = [
        "s.sh",
        "mod.py",
        "y.js",
        "Makefile",
        "package.json",
        "list",
        "tools/a.sh",
        "tools/__main__.py",
    ];
    let folder = Folder::with(&files);
    for (line, file) in [
        ("./s.sh", "s.sh"),
        ("sh -eu s.sh --all", "s.sh"),
        ("timeout 9 nice -n 5 ./s.sh", "s.sh"),
        ("python3 mod.py", "mod.py"),
        ("python3 -mmod", "mod.py"),
        ("python3 -Bm mod", "mod.py"),
        ("python3 -m tools.a", "tools/__main__.py"),
        ("python3 tools", "tools/__main__.py"),
        ("node y", "y.js"),
        ("node --require ./y.js tools", "y.js"),
        ("make -sCtools", ""),
        ("make --directory=. -j2 x", "Makefile"),
        ("make -f Makefile x", "Makefile"),
        ("npm run -s y", "package.json"),
        ("npx -y @scope/server .", "package.json"),
        ("env --chdir=tools LEVEL=debug sh a.sh", "tools/a.sh"),
        ("env -Ctools ./a.sh", "tools/a.sh"),
        ("cat list", "list"),
        ("uvx mcp-server-git", ""),
    ] {
        let command: Vec<&str> = line.split(' ').collect();
        assert!(folder.is_bound(&command) || file.is_empty(), "{line}");
        let names = folder.names(&command);
        assert!(
            file.is_empty() || names.iter().any(|name| name == file),
            "{line}: {names:?}"
        );
    }
    for line in [
        "python3 .",
        "python3 -c import_mod",
        "python3 -X pycache_prefix=tools mod.py",
        "node .",
        "node -r mod y.js",
        "node -e require('./y')",
        "npx --package=./tools x",
        "npm --workspace=tools run x",
        "make SHELL=./s.sh x",
        "make --eval=x",
        "env PATH=tools:/bin a.sh",
        "env PYTHONPATH=tools python3 -m mod",
        "env NODE_OPTIONS=--require=./y node y.js",
        "env PYTHONPATH=later python3 mod.py",
        "env -S ./s.sh",
        "sh -c ./s.sh",
        "sh -c \"$PWD\"/s.sh",
        "bash -c .\ts.sh",
        "perl -Ilib -MFoo -e 1",
        "run-parts tools",
        "find tools -exec sh {} ;",
        "xargs -a list sh",
        "git -c alias.x=!./s.sh x",
        "mcp-files .",
    ] {
        let command: Vec<&str> = line.split(' ').collect();
        assert!(!folder.is_bound(&command), "{line}");
    }
    for number in 0..301 {
        std::fs::write(folder.root.join(format!("tools/{number}.py")), "x").unwrap();
    }
    assert!(!folder.is_bound(&["python3", "-m", "tools"]), "a long folder");
}

#[test]
fn a_folder_that_is_run_is_another_one_with_a_new_file() {
    let folder = Folder::with(&["tools/__main__.py"]);
    let pinned = folder.pinned(&["python3", "-m", "tools"]);
    assert_eq!(benchdog_security::pins::same(&folder.root, &pinned), Ok(()));
    std::fs::create_dir(folder.root.join("tools/__pycache__")).unwrap();
    std::fs::write(folder.root.join("tools/__pycache__/x.pyc"), "x").unwrap();
    assert_eq!(benchdog_security::pins::same(&folder.root, &pinned), Ok(()));
    std::fs::write(folder.root.join("tools/json.py"), "x").unwrap();
    assert!(benchdog_security::pins::same(&folder.root, &pinned).is_err());
}

#[test]
fn a_server_is_bound_to_the_folder_of_its_program_and_one_at_the_top_is_not_bound() {
    let folder = Folder::with(&["x.js", "tools/x.js", "tools/lib.js"]);
    let named = ["node", "tools/x.js"];
    assert_eq!(bound(&folder, &named, "", None), ["tools/x.js", "tools/lib.js"]);
    for (command, cwd, variable, is_bound) in [
        (&named[..], None, "", true),
        (&["node", "x.js"], Some("tools"), "", true),
        (&["npx", "-y", "server"], None, "", true),
        (&["node", "x.js"], None, "", false),
        (&["python3", "-m", "installed"], None, "", false),
        (&named, None, "--require=./tools/lib.js", false),
        (&["docs-server"], None, "", false),
    ] {
        let (_, unbound) = bound_of(&folder, command, variable, cwd);
        assert_eq!(unbound.is_empty(), is_bound, "{command:?} {variable}");
    }
}

fn bound(folder: &Folder, words: &[&str], variable: &str, cwd: Option<&str>) -> Vec<String> {
    bound_of(folder, words, variable, cwd).0
}

fn bound_of(folder: &Folder, words: &[&str], variable: &str, cwd: Option<&str>) -> (Vec<String>, Vec<String>) {
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
    let mut brought = Brought::look(&folder.root, None);
    pin_servers(&mut servers, &folder.root, &mut brought);
    let [server] = servers;
    let bound = server
        .pinned
        .into_iter()
        .filter(|pinned| matches!(pinned.was, Pin::Bytes(_)));
    (bound.map(|pinned| pinned.file).collect(), brought.unbound)
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
    assert_eq!(pinned.first(), Some(&absent));
    assert!(pinned.iter().all(|pinned| pinned.file != "node"), "{pinned:?}");
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

#[test]
fn a_language_server_is_bound_to_all_that_its_program_loads() {
    let folder = Folder::with(&["tools/x.js", "tools/loaded.js"]);
    let mut servers = [LanguageSettings {
        name: "own".to_owned(),
        enabled: true,
        program: "node".to_owned(),
        arguments: vec!["tools/x.js".to_owned()],
        environment: Vec::new(),
        files: vec!["*.js".to_owned()],
        settings: serde_json::Value::Null,
        warnings: false,
        writable: Vec::new(),
        layer: Layer::Project,
        pinned: Vec::new(),
    }];
    let mut brought = Brought::look(&folder.root, None);
    pin_languages(&mut servers, &folder.root, None, &mut brought);
    let [server] = servers;
    let names: Vec<String> = server.pinned.into_iter().map(|pinned| pinned.file).collect();
    assert!(names.contains(&"tools/loaded.js".to_owned()), "{names:?}");
    assert!(brought.unbound.is_empty());
}
