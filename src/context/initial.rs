//! Collects facts about a project for `/init`. The model uses them to write the folder's rules file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use benchdog_base::text::last_part;

const RULES: &str = "AGENTS.md";

/// Build and test commands of a project, by the file that shows which build tool the project uses.
const BUILDS: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "Rust, Cargo: `cargo test`, `cargo clippy`, `cargo fmt --check`",
    ),
    ("go.mod", "Go: `go test ./...`, `go vet ./...`"),
    ("pyproject.toml", "Python"),
    ("setup.py", "Python"),
    ("requirements.txt", "Python"),
    ("tox.ini", "Python, tox: `tox`"),
    ("package.json", "JavaScript or TypeScript, npm"),
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "Yarn"),
    ("deno.json", "Deno: `deno test`, `deno lint`"),
    ("pom.xml", "Java, Maven: `mvn test`"),
    ("build.gradle", "Gradle: `./gradlew test`"),
    ("build.gradle.kts", "Gradle: `./gradlew test`"),
    ("Gemfile", "Ruby, Bundler"),
    ("composer.json", "PHP, Composer"),
    ("mix.exs", "Elixir, Mix: `mix test`"),
    ("CMakeLists.txt", "CMake"),
    ("meson.build", "Meson: `meson test`"),
    ("Package.swift", "Swift: `swift test`"),
    ("dune-project", "OCaml, Dune: `dune test`"),
    ("stack.yaml", "Haskell, Stack: `stack test`"),
    ("Makefile", "make"),
    ("justfile", "just"),
    ("Dockerfile", "a container"),
    ("check.sh", "a check: `sh check.sh`"),
    (".pre-commit-config.yaml", "checks before a commit"),
];

const SAYINGS: &[&str] = &[
    "README.md",
    "README",
    "CONTRIBUTING.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
];

pub const READ: &[&str] = &["package.json", "Makefile", "justfile"];

const NAMED: usize = 24;

#[derive(Debug, Default)]
pub struct Project {
    pub files: Vec<String>,
    pub more: bool,
    pub texts: BTreeMap<&'static str, String>,
}

impl Project {
    fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| file == path)
    }

    fn targets(&self) -> Vec<String> {
        let scripts = self
            .texts
            .get("package.json")
            .map(|text| scripts(text))
            .unwrap_or_default();
        let scripts = scripts.into_iter().map(|name| format!("npm run {name}"));
        let of = |file: &str, program: &str| -> Vec<String> {
            let names = self.texts.get(file).map(|text| targets(text)).unwrap_or_default();
            names.into_iter().map(|name| format!("{program} {name}")).collect()
        };
        scripts
            .chain(of("Makefile", "make"))
            .chain(of("justfile", "just"))
            .collect()
    }
}

pub fn prompt(project: &Project) -> String {
    let mut lines = vec![if project.has(RULES) {
        format!(
            "Improve `{RULES}` of this project: read it and the files below, keep what is true and what people wrote on purpose, mend what is outdated, add what is missing. Do not write it anew."
        )
    } else {
        format!("Write `{RULES}` for this project: what somebody who changes the code here must know and cannot guess.")
    }];
    lines.push(
        "Look at the files before you write, and state only what you saw: how it is built, tested and checked (the commands, also for one test), how the folders divide the work, conventions that the code follows, and what not to touch. At most 150 lines; nothing that every project has.".to_owned(),
    );
    lines.push("\nFound by looking at names:".to_owned());
    let builds = BUILDS.iter().filter(|(file, _)| project.has(file));
    lines.extend(builds.map(|(file, what)| format!("- `{file}`: {what}")));
    let workflows: Vec<&String> = (project.files.iter())
        .filter(|file| file.starts_with(".github/workflows/") || file.as_str() == ".gitlab-ci.yml")
        .collect();
    lines.extend(told(
        "checks elsewhere",
        workflows.into_iter().map(|file| format!("`{file}`")),
    ));
    lines.extend(told(
        "can be called",
        project.targets().into_iter().map(|target| format!("`{target}`")),
    ));
    lines.extend(told("languages, by files", ranked(project, ending)));
    lines.extend(told("folders, by files", ranked(project, folder)));
    let sayings = SAYINGS.iter().filter(|file| project.has(file));
    lines.extend(told(
        "written for people and tools",
        sayings.map(|file| format!("`{file}`")),
    ));
    if project.more {
        lines.push(format!("- only the first {} files were looked at", project.files.len()));
    }
    lines.join("\n")
}

fn told(what: &str, of: impl Iterator<Item = String>) -> Option<String> {
    let of: Vec<String> = of.take(NAMED).collect();
    (!of.is_empty()).then(|| format!("- {what}: {}", of.join(", ")))
}

fn ranked<'p>(project: &'p Project, of: impl Fn(&'p str) -> Option<&'p str>) -> impl Iterator<Item = String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &project.files {
        if let Some(name) = of(file) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
        .into_iter()
        .map(|(name, count)| format!("`{name}` {count}"))
        .collect::<Vec<_>>()
        .into_iter()
}

fn ending(path: &str) -> Option<&str> {
    let name = last_part(path);
    let at = name.rfind('.').filter(|at| *at > 0)?;
    name.get(at..)
}

fn folder(path: &str) -> Option<&str> {
    path.split_once('/').map(|(folder, _)| folder)
}

fn scripts(text: &str) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let scripts = value.get("scripts").and_then(serde_json::Value::as_object);
    scripts
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .filter(|name| is_name(name))
        .collect()
}

fn targets(text: &str) -> Vec<String> {
    let heads = text.lines().filter_map(|line| line.split_once(':'));
    let heads = heads.filter(|(_, rest)| !rest.starts_with('='));
    let mut names: Vec<String> = Vec::new();
    for (head, _) in heads {
        let name = head.split_whitespace().next().unwrap_or_default();
        let begins_a_line = !head.starts_with([' ', '\t', '#', '.']);
        if begins_a_line && is_name(name) && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn is_name(name: &str) -> bool {
    let sign = |c: char| c.is_alphanumeric() || "-_.:".contains(c);
    !name.is_empty() && name.len() <= 40 && name.chars().all(sign)
}

#[cfg(test)]
mod tests;
