//! Detects import cycles between files.

use std::collections::BTreeMap;

use super::source::Source;

/// Returns a cycle of imports as module names, if there is one.
pub fn cycle(files: &[Source]) -> Option<String> {
    let modules: Vec<String> = files.iter().map(|file| file.module().join("::")).collect();
    let imports: BTreeMap<&str, Vec<&str>> = files
        .iter()
        .zip(&modules)
        .map(|(file, module)| (module.as_str(), imported(file, &modules)))
        .collect();
    let mut done = Vec::new();
    modules
        .iter()
        .find_map(|module| walk(module, &imports, &mut Vec::new(), &mut done))
}

/// Searches depth first. `done` has the modules from which no cycle can be reached.
fn walk<'a>(
    module: &'a str,
    imports: &BTreeMap<&'a str, Vec<&'a str>>,
    trail: &mut Vec<&'a str>,
    done: &mut Vec<&'a str>,
) -> Option<String> {
    if let Some(at) = trail.iter().position(|before| *before == module) {
        let circle = trail.iter().skip(at).chain(std::iter::once(&module));
        return Some(circle.copied().collect::<Vec<_>>().join(" → "));
    }
    if done.contains(&module) {
        return None;
    }
    trail.push(module);
    let found = imports
        .get(module)
        .into_iter()
        .flatten()
        .find_map(|next| walk(next, imports, trail, done));
    trail.pop();
    done.push(module);
    found
}

/// Returns the modules that a file imports, as the nearest file of each imported name.
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

/// Returns every path that begins with `crate`, `super` or one of the file's modules, made absolute.
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
            // Part of a longer path, or a visibility: `pub(in crate::update)`.
            let inside = before.ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c));
            if !inside && !before.ends_with("(in ") && !rest.starts_with("super::") {
                leaves(rest, &base, &mut found);
            }
        }
    }
    found
}

/// Returns the paths after a prefix: one, or those of a brace group.
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

#[test]
fn a_circle_is_found_however_it_is_written() {
    let files = |texts: &[(&str, &str)]| {
        let sources: Vec<Source> = texts.iter().map(|(path, text)| Source::new(path, text)).collect();
        cycle(&sources)
    };
    let told = files(&[
        ("app/a.rs", "mod b;\nfn f() { b::g(); }"),
        ("app/a/b.rs", "use crate::{x, a::{c, d::e}};"),
        ("app/a/c.rs", "pub(in crate::a) fn f() {}"),
        ("app/a/d.rs", "use super::{f, c};"),
    ]);
    assert_eq!(told.as_deref(), Some("app::a → app::a::b → app::a::d → app::a"));
    let told = files(&[
        ("app/a.rs", "mod b; mod c;\nuse b::g;"),
        ("app/a/b.rs", "use super::c::f; // super::g"),
        ("app/a/c.rs", "pub(in crate::a) fn f() { crate::focus::g(); }"),
    ]);
    assert_eq!(told, None);
}
