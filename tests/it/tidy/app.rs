//! Rules for the structure of the app: the direction of its imports, and the size of its state.

use super::assert_none;
use super::cycles::Imports;
use super::source::{Source, sources};

/// Maximum number of app files that import each other. A reader of one must read all of them together.
const LARGEST_CIRCLE: usize = 3;

fn app_files(path: &str) -> Vec<Source> {
    let files = sources("src").into_iter();
    files
        .filter(|source| source.path.starts_with(path) && !source.is_test())
        .collect()
}

#[test]
fn the_files_that_update_the_app_import_each_other_in_one_direction() {
    let update = app_files("app/update");
    assert!(update.len() > 15, "the update is somewhere else");
    let found = Imports::of(&update);
    assert_none(
        &found
            .circles()
            .iter()
            .map(|circle| circle.join(", "))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn the_files_of_the_app_import_each_other_in_one_direction() {
    let app = app_files("app/");
    assert!(app.len() > 100, "the app is somewhere else");
    let imports = Imports::of(&app).without_parents();
    let mut circles = imports.circles();
    circles.retain(|circle| circle.len() > LARGEST_CIRCLE);
    let named = |circle: Vec<&str>| format!("{} files import each other: {}", circle.len(), circle.join(", "));
    assert_none(&circles.into_iter().map(named).collect::<Vec<_>>());
}

/// Maximum number of fields of the app's `State`. Facts about one session belong to its `SessionScreen`.
const MOST_FIELDS: usize = 30;

#[test]
fn the_state_of_the_app_has_few_fields() {
    let state = app_files("app/state.rs");
    let code = state.first().map_or("", |source| source.code.as_str());
    let fields = code
        .split_once("pub struct State {")
        .and_then(|(_, rest)| rest.split_once("\n}"));
    let fields = fields.map_or(0, |(fields, _)| {
        fields.lines().filter(|line| line.contains(": ")).count()
    });
    assert!(
        (1..=MOST_FIELDS).contains(&fields),
        "`State` has {fields} fields, not 1 to {MOST_FIELDS}"
    );
}
