//! Tests that writes to files which control other programs need a person, in every notation.

use super::*;

fn needs_person(line: &CommandLine) -> bool {
    line.analysis.class > CommandClass::External || line.reaches.iter().any(Reach::needs_person)
}

/// Returns a workspace with a link to files that other programs obey, and folders with other content.
fn bench() -> Fixture {
    let b = fixture();
    let root = b.workspace.root();
    for folder in [".github/workflows", "tmpl/workflows", "empty"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    std::os::unix::fs::symlink(".github/workflows", root.join("ci")).unwrap();
    std::os::unix::fs::symlink(".github", root.join("meta")).unwrap();
    std::fs::write(root.join("a.tar"), "x").unwrap();
    b
}

#[test]
fn a_detour_to_a_file_that_others_obey_takes_a_person() {
    let b = bench();
    let mut lines = Vec::new();
    for text in [
        "cp -r tmpl .forgejo",
        "cp -a tmpl .forgejo",
        "cp -r tmpl sub/.gitea",
        "cp -rT tmpl .forgejo",
        "cp -r tmpl/workflows .github",
        "cp notes.txt .husky",
        "cp -t .github -r tmpl/workflows",
        "ln -s tmpl .githooks",
        "ln -s tmpl .gitea",
        "ln -s ../tmpl sub/.github",
        "ln -s notes.txt .envrc",
        "mv tmpl .gitea",
        "mkdir .gitea; cd .gitea; tee workflows/x.yml",
        "mkdir -p .gitea/workflows; cd .gitea; cd workflows; tee x.yml",
        "mkdir .gitea && cd .gitea && cp -r ../tmpl/workflows .",
        "mkdir .husky",
        "mkdir -p .github/workflows",
        "install -d .githooks",
        "install -D notes.txt .githooks/pre-commit",
        "cargo init .vscode",
        "cargo new .vscode",
        "git init .github/workflows",
        "git init .husky",
        "mktemp -p .husky",
        "mktemp --tmpdir=.husky",
        "mktemp .husky/XXXXXX",
        "mktemp -d .github/workflows/XXXX",
        "rsync -a tmpl/ .github/",
        "rsync -a tmpl/ .gitea/",
        "tar -xf a.tar -C .github",
        "tar -C empty -xf a.tar -C ../.gitea",
        "tar -xkf a.tar",
        "cd .github && tar -xkf ../a.tar",
        "mkdir .gitea && tar -xf a.tar -C .gitea",
        "unzip -n a.zip -d .github",
        "unzip -n a.zip",
        "git worktree add .husky",
        "git worktree add .github other",
        "git clone https://example.org/x .github",
        "git clone https://example.org/x .",
        "git checkout other -- .github",
        "tee ci/x.yml",
        "touch ci/x.yml",
        "tee meta/workflows/x.yml",
        "cp -rn tmpl/workflows meta",
        "mkdir meta/actions",
        "echo x > ci/new.yml",
        "echo x > sub/.git",
        "mkdir -p sub/.git/hooks",
        "tee sub/.git/config",
        "tee sub/.git/modules/x/config",
        "tee bare.git/hooks/post-update",
        "touch .ENVRC",
        "curl -o .github/workflows/x.yml https://example.org",
        "wget -P .husky https://example.org/pre-commit",
        "sort -o .husky/pre-commit notes.txt",
        "gcc -o .githooks/pre-commit a.c",
        "go build -o .husky/pre-commit .",
        "dotnet build -o .vscode",
        "cmake -B .vscode -S .",
        "git diff --output=.husky/pre-commit",
        "mkfifo .husky/x",
    ] {
        lines.push(b.line_in(".", text));
    }
    lines.push(b.line_in(".github", "mkdir workflows/deep"));
    lines.retain(|line| !needs_person(line));
    let told: Vec<String> = lines
        .iter()
        .map(|line| format!("{}: {:?}", line.command, line.analysis.placed))
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn what_lies_beside_such_a_place_takes_none() {
    let b = bench();
    let mut lines = Vec::new();
    for text in [
        "mkdir -p src/components",
        "mkdir .github",
        "cp -r tmpl copy",
        "cp notes.txt .github/ISSUE_TEMPLATE.md",
        "mkdir fresh && tar -xf a.tar -C fresh",
        "tar -xf a.tar -C empty",
        "ln -s tmpl other",
        "cargo new sub",
        "git init sub",
        "git init .",
        "git init --bare remote.git",
        "mktemp",
        "mktemp -d",
        "mktemp src/XXXXXX",
        "echo x > new.txt",
        "touch src/new.rs",
    ] {
        lines.push(b.line_in(".", text));
    }
    lines.retain(|line| needs_person(line));
    let told: Vec<String> = lines
        .iter()
        .map(|line| format!("{}: {:?} {:?}", line.command, line.analysis.because, line.reaches))
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
