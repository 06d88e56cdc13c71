//! Detects import cycles between files.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

pub struct Imports(BTreeMap<String, Vec<String>>);

impl Imports {
    pub fn of(files: &[Source]) -> Self {
        let modules: Vec<String> = files.iter().map(|file| file.module().join("::")).collect();
        let imports = files.iter().zip(&modules).map(|(file, module)| {
            let imported = imported(file, &modules).into_iter().map(str::to_owned);
            (module.clone(), imported.collect())
        });
        Self(imports.collect())
    }

    /// Omits imports of a file from the file of its folder (`use super::X`). Both files are one module that was split.
    /// The folder's file has the type, and its children have the `impl` blocks. A reader opens them together.
    pub fn without_parents(mut self) -> Self {
        for (module, imported) in &mut self.0 {
            let parent = module.rsplit_once("::").map(|(parent, _)| parent);
            imported.retain(|other| Some(other.as_str()) != parent);
        }
        self
    }

    /// Returns the groups of modules that import each other, directly or indirectly.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> = self
            .0
            .keys()
            .map(|module| (module.as_str(), self.reached(module)))
            .collect();
        let reaches = |one: &str, other: &str| reached.get(one).is_some_and(|found| found.contains(other));
        let circle = |module: &&str| -> Vec<&str> {
            let all = reached.keys().copied();
            all.filter(|other| reaches(module, other) && reaches(other, module))
                .collect()
        };
        let circles: BTreeSet<Vec<&str>> = reached.keys().map(circle).filter(|circle| circle.len() > 1).collect();
        circles.into_iter().collect()
    }

    /// Returns the modules that a module imports, directly or indirectly.
    fn reached<'a>(&'a self, module: &str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut open = self.imported(module);
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(self.imported(next));
            }
        }
        found
    }

    fn imported(&self, module: &str) -> Vec<&str> {
        self.0.get(module).into_iter().flatten().map(String::as_str).collect()
    }
}

/// Returns the modules that a file imports. Each is the nearest file of an imported name.
fn imported<'a>(file: &Source, modules: &'a [String]) -> Vec<&'a str> {
    let own = file.module();
    let mut found: Vec<&str> = paths(file)
        .iter()
        .filter_map(|path| {
            let holds = |module: &&String| path == *module || path.starts_with(&format!("{module}::"));
            modules.iter().filter(holds).max_by_key(|module| module.len())
        })
        .map(String::as_str)
        .filter(|module| *module != own.join("::"))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns absolute forms of all paths that begin with `crate`, `super` or one of the file's modules.
fn paths(file: &Source) -> Vec<String> {
    let own: Vec<String> = file.module().into_iter().map(str::to_owned).collect();
    let room: Vec<String> = own.iter().take(1).cloned().collect();
    let mut starts: Vec<(String, Vec<String>)> = vec![("crate::".to_owned(), room)];
    for ups in 1..=own.len() {
        let above = own.iter().take(own.len() - ups).cloned().collect();
        starts.push(("super::".repeat(ups), above));
    }
    for line in file.code.lines() {
        let declared = line.trim().strip_suffix(';').and_then(|line| line.rsplit_once("mod "));
        starts.extend(declared.map(|(_, name)| (format!("{name}::"), [&own[..], &[name.to_owned()]].concat())));
    }
    let mut found = Vec::new();
    for (start, base) in starts {
        for (at, _) in file.code.match_indices(&start) {
            let (before, rest) = file.code.split_at(at);
            let rest = rest.strip_prefix(start.as_str()).unwrap_or_default();
            // Skip a part of a longer path, or of a visibility such as `pub(in crate::update)`.
            let inside = before.ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c));
            if !inside && !before.ends_with("(in ") && !rest.starts_with("super::") {
                leaves(rest, &base, &mut found);
            }
        }
    }
    found
}

/// Returns the paths after a prefix: one path, or those of a brace group.
fn leaves(text: &str, base: &[String], found: &mut Vec<String>) {
    if let Some(group) = text.strip_prefix('{') {
        let mut depth = 0_i32;
        let mut item = String::new();
        for character in group.chars() {
            match character {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                _ => {}
            }
            if character == ',' && depth == 0 {
                leaves(item.trim(), base, found);
                item.clear();
            } else {
                item.push(character);
            }
        }
        return leaves(item.trim(), base, found);
    }
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return;
    }
    let path = match name {
        "self" => base.to_vec(),
        _ => [base, &[name.to_owned()]].concat(),
    };
    match rest.strip_prefix("::") {
        Some(rest) => leaves(rest, &path, found),
        None => found.push(path.join("::")),
    }
}

fn imports(texts: &[(&str, &str)]) -> Imports {
    let sources: Vec<Source> = texts.iter().map(|(path, text)| Source::new(path, text)).collect();
    Imports::of(&sources)
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    let found = imports(&[
        ("app/a.rs", "mod b;\nfn f() { b::g(); }"),
        ("app/a/b.rs", "use crate::{x, a::{c, d::e}};"),
        ("app/a/c.rs", "pub(in crate::a) fn f() {}"),
        ("app/a/d.rs", "use super::{f, c};"),
    ]);
    assert_eq!(found.circles(), [["app::a", "app::a::b", "app::a::d"]]);
    let found = imports(&[
        ("app/a.rs", "mod b; mod c;\nuse b::g;"),
        ("app/a/b.rs", "use super::c::f; // super::g"),
        ("app/a/c.rs", "pub(in crate::a) fn f() { crate::focus::g(); }"),
    ]);
    assert!(found.circles().is_empty());
}

#[test]
fn a_folder_of_one_module_is_no_circle_and_one_with_outside_files_is() {
    let folder = [
        ("app/a.rs", "mod b;\nuse b::B;"),
        ("app/a/b.rs", "use super::A;"),
        ("app/a/c.rs", "use super::A; use crate::e::E;"),
        ("app/e.rs", "use crate::a::c::C;"),
    ];
    assert_eq!(imports(&folder).without_parents().circles(), [["app::a::c", "app::e"]]);
}
