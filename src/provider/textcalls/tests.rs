pub(super) mod linear;
mod modes;
mod newer;
mod property;
mod written;

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Mode, ParsedCalls, Recogniser};
use benchdog_domain::message::{Aliases, ToolDeclaration};

const CORPUS: &str = include_str!("../../../tests/data/toolcalls/toolcalls.jsonl");
const TOOLS: &str = include_str!("../../../tests/data/toolcalls/tools.json");

fn tools() -> Arc<[ToolDeclaration]> {
    let list: Vec<Value> = serde_json::from_str(TOOLS).unwrap();
    let declared = |tool: &Value| ToolDeclaration {
        name: tool["function"]["name"].as_str().unwrap().to_owned(),
        description: String::new(),
        parameters: tool["function"]["parameters"].clone(),
        aliases: Aliases::default(),
    };
    list.iter().map(declared).collect()
}

/// Reads a text in chunks of `pieces` characters, and checks that text shown earlier does not change.
fn read(text: &str, pieces: usize) -> (ParsedCalls, String) {
    read_with(&tools(), text, pieces)
}

fn read_with(tools: &Arc<[ToolDeclaration]>, text: &str, pieces: usize) -> (ParsedCalls, String) {
    let mut recogniser = Recogniser::new(Arc::clone(tools), Mode::Open);
    let mut shown = String::new();
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(pieces) {
        recogniser.push(&piece.iter().collect::<String>(), &mut shown);
    }
    let found = recogniser.finish(true, &mut shown);
    (found, shown)
}

fn calls(found: &ParsedCalls) -> Vec<Value> {
    found
        .calls
        .iter()
        .map(|call| json!({"name": call.name, "arguments": call.arguments}))
        .collect()
}

#[test]
fn the_corpus_is_read_whole_and_in_pieces() {
    let mut wrong = Vec::new();
    for line in CORPUS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (id, text) = (&case["id"], case["text"].as_str().unwrap());
        let (whole, shown) = read(text, usize::MAX);
        if json!(calls(&whole)) != case["expected"] {
            wrong.push(format!("{id}: {:?} {:?} for {text:?}", calls(&whole), whole.malformed));
        }
        if let Some(content) = case["content"].as_str()
            && content != shown
        {
            wrong.push(format!("{id}: shown {shown:?}"));
        }
        for pieces in [1, 3, 7] {
            let (parts, seen) = read(text, pieces);
            if parts != whole || seen != shown {
                wrong.push(format!("{id} in {pieces}: {parts:?} {seen:?}, not {whole:?} {shown:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn tool(name: &str, parameters: Value) -> ToolDeclaration {
    ToolDeclaration {
        name: name.to_owned(),
        description: String::new(),
        parameters,
        aliases: Aliases {
            names: &["read_file"],
            arguments: &[("path", &["file_path"])],
        },
    }
}

#[test]
fn the_example_of_every_family_is_a_call() {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let tools: Arc<[ToolDeclaration]> = Arc::new([tool("read", schema)]);
    for family in super::families::FAMILIES {
        for text in [family.example.to_owned(), format!("  \n{}\n", family.example)] {
            for pieces in [1, 2, 5, usize::MAX] {
                let (found, shown) = read_with(&tools, &text, pieces);
                let said = format!("{}: {found:?} {shown:?}", family.name);
                assert_eq!(
                    calls(&found),
                    [json!({"name": "read", "arguments": {"path": "a"}})],
                    "{said}"
                );
                assert_eq!((found.calls[0].family, shown.as_str()), (family.name, ""), "{said}");
            }
        }
    }
}
