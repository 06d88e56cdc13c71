//! Edits of notebooks from Jupyter's test suites (nbclient, nbconvert and nbformat, BSD-3-Clause). Nothing outside the
//! edited cell may change.

use std::path::Path;

use serde_json::Value;

use super::*;

fn notebooks() -> Vec<(String, String)> {
    let environment = benchdog_base::environment::Environment::of_process();
    let folder = environment.get("NOTEBOOKS").unwrap_or("../../tests/data/notebooks");
    let mut found = Vec::new();
    let mut folders = vec![Path::new(folder).to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "ipynb") {
                found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

fn edited(notebook: &Notebook<'_>, action: Action, at: usize, kind: Option<Kind>, source: &str) -> String {
    let edit = CellEdit::of(notebook, action, at, kind, source);
    String::from_utf8(edit.file(&edit.after).to_vec()).unwrap()
}

fn jsons(text: &str) -> Vec<String> {
    let notebook = Notebook::of(text).unwrap();
    notebook.cells.iter().map(|cell| cell.json.to_owned()).collect()
}

#[test]
fn every_byte_outside_the_edited_cell_stays() {
    let mut tried = 0;
    for (name, text) in notebooks() {
        let Ok(notebook) = Notebook::of(&text) else { continue };
        let before = jsons(&text);
        let (head, tail) = {
            let list = benchdog_base::text::range_in(&text, notebook.list).unwrap();
            (text.get(..=list.start).unwrap(), text.get(list.end - 1..).unwrap())
        };
        for at in 0..before.len() {
            tried += 1;
            let same = |after: &str, kept: &[String]| {
                assert!(after.starts_with(head) && after.ends_with(tail), "{name}: {at}");
                assert_eq!(jsons(after), kept, "{name}: {at}");
                assert!(serde_json::from_str::<Value>(after).is_ok());
            };
            let replaced = edited(&notebook, Action::Replace, at, None, "a = 'é'\nb\n");
            let mut kept = before.clone();
            kept[at] = jsons(&replaced)[at].clone();
            assert_ne!(kept[at], before[at]);
            same(&replaced, &kept);
            let again = Notebook::of(&replaced).unwrap();
            assert_eq!(again.cells[at].source, "a = 'é'\nb\n");
            assert!(again.cells[at].outputs.is_empty() && again.cells[at].count.is_none());
            // Only values changed, not the formatting.
            assert_eq!(replaced.len() - kept[at].len(), text.len() - before[at].len(), "{name}");

            let deleted = edited(&notebook, Action::Delete, at, None, "");
            let mut kept = before.clone();
            kept.remove(at);
            same(&deleted, &kept);

            let inserted = edited(&notebook, Action::Insert, at, Some(Kind::Markdown), "# New");
            let mut kept = before.clone();
            kept.insert(at, jsons(&inserted)[at].clone());
            same(&inserted, &kept);
            let there = Notebook::of(&inserted).unwrap();
            assert_eq!(there.cells[at].kind, Kind::Markdown);
            assert_eq!(there.cells[at].id.is_some(), there.has_ids(), "{name}");
            assert_eq!(
                edited(&there, Action::Delete, at, None, ""),
                text,
                "{name}: an insertion is undone by a deletion"
            );

            let turned = edited(
                &notebook,
                Action::Replace,
                at,
                Some(Kind::Raw),
                &notebook.cells[at].source,
            );
            let turned = Notebook::of(&turned).unwrap();
            assert_eq!(turned.cells[at].kind, Kind::Raw);
            assert_eq!(turned.cells[at].source, notebook.cells[at].source);
            assert_eq!(turned.cells[at].id, notebook.cells[at].id);
        }
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn new_parts_have_the_style_of_the_file() {
    for (before, at, after) in [
        // Jupyter.
        (
            "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"metadata\": {},\n   \"source\": [\n    \"a\"\n   ]\n  }\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 2\n}\n",
            1,
            "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"metadata\": {},\n   \"source\": [\n    \"a\"\n   ]\n  },\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n    \"é\\n\",\n    \"b\"\n   ]\n  }\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 2\n}\n",
        ),
        // One line, with escapes and sources that are not lists.
        (
            r#"{"cells":[{"cell_type":"raw","metadata":{},"source":"\u00e4"}],"nbformat":4,"nbformat_minor":2}"#,
            0,
            r#"{"cells":[{"cell_type":"code","execution_count":null,"metadata":{},"outputs":[],"source":"\u00e9\nb"},{"cell_type":"raw","metadata":{},"source":"\u00e4"}],"nbformat":4,"nbformat_minor":2}"#,
        ),
        // No cells, tabs, CRLF.
        (
            "{\r\n\t\"cells\": [],\r\n\t\"nbformat\": 4\r\n}",
            0,
            "{\r\n\t\"cells\": [\r\n\t\t{\r\n\t\t\t\"cell_type\": \"code\",\r\n\t\t\t\"execution_count\": null,\r\n\t\t\t\"metadata\": {},\r\n\t\t\t\"outputs\": [],\r\n\t\t\t\"source\": [\r\n\t\t\t\t\"é\\n\",\r\n\t\t\t\t\"b\"\r\n\t\t\t]\r\n\t\t}\r\n\t],\r\n\t\"nbformat\": 4\r\n}",
        ),
    ] {
        let notebook = Notebook::of(before).unwrap();
        assert_eq!(edited(&notebook, Action::Insert, at, None, "é\nb"), after);
    }
}

#[test]
fn a_person_may_change_or_keep_part_of_the_text() {
    let text = include_str!("../../../tests/data/notebooks/julia.ipynb");
    let notebook = Notebook::of(text).unwrap();
    let edit = CellEdit::of(&notebook, Action::Replace, 0, None, "new");
    assert_eq!(&*edit.file(&edit.before), text.as_bytes());
    let of = |cell: &str| {
        let bytes = edit.file(cell).to_vec();
        let text = String::from_utf8(bytes).unwrap();
        let notebook = Notebook::of(&text).unwrap();
        (notebook.cells[0].kind, notebook.cells[0].source.clone())
    };
    // With another type in the first line, without that line, and without a last line end.
    assert_eq!(
        of("# %% [markdown] cell 0\nmine\n"),
        (Kind::Markdown, "mine".to_owned())
    );
    assert_eq!(of("mine\nand yours"), (Kind::Code, "mine\nand yours".to_owned()));
}
