use std::fs;
use std::sync::atomic::AtomicBool;

use super::{Scope, definition, map};

#[test]
fn definitions_of_many_languages_are_found() {
    for (line, name) in [
        ("pub(crate) async fn next_delay(at: u64) {", Some("next_delay")),
        ("extern \"C\" fn open(path: *const u8);", Some("open")),
        ("    def parse(self, text):", Some("parse")),
        ("class Reader(Base):", Some("Reader")),
        ("export default function main() {", Some("main")),
        ("export type Names = string[];", Some("Names")),
        ("func (s *Server) Listen(port int) error {", Some("Listen")),
        ("public abstract class Shape {", Some("Shape")),
        ("// fn commented()", None),
        ("let class = 4;", None),
        ("fn", None),
        ("impl Reader {", None),
    ] {
        assert_eq!(definition(line), name, "{line}");
    }
}

#[test]
fn a_map_names_what_most_files_use_within_its_tokens() {
    let folder = tempfile::TempDir::new().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let write = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
    write("core.rs", "pub struct Engine;\npub fn rarely() {}\nfn unused() {}\n");
    write("one.rs", "use core::Engine;\npub fn helper() { rarely() }\n");
    write("two.rs", "fn main() { Engine; helper() }\n");
    write("secret.rs", "pub fn hidden() {}\n");
    write("notes.md", "class Engine of things: hidden\n");
    let scope = Scope {
        root: &root,
        cache: &root,
        charset: None,
        is_secret: &|path| path.ends_with("secret.rs"),
        is_secret_link: &|_| false,
        is_denied: &|_| false,
        embeddings: None,
        stop: &AtomicBool::new(false),
    };
    let words = |text: &str| text.split_whitespace().count() as u64;
    assert_eq!(
        map(&scope, 100, &words).unwrap(),
        "core.rs: Engine, rarely\none.rs: helper\n"
    );
    assert_eq!(map(&scope, 4, &words).unwrap(), "core.rs: Engine, rarely\n");
    assert_eq!(map(&scope, 2, &words), None);
}
