//! Properties of every call, every text, and every division into chunks.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::{Just, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Map, Value, json};

use super::{Mode, ParsedCalls, Recogniser, calls, read, tools};
use benchdog_domain::message::{Aliases, ToolDeclaration};

fn offered() -> Arc<[ToolDeclaration]> {
    let parameters = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "more": {"type": "string"},
            "count": {"type": "integer"},
            "flag": {"type": "boolean"},
            "list": {"type": "array"},
            "map": {"type": "object"},
        },
        "required": ["text"],
    });
    Arc::new([ToolDeclaration {
        name: "note".to_owned(),
        description: String::new(),
        parameters,
        aliases: Aliases::default(),
    }])
}

fn words() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z ]{0,8}",
        2 => "[\"'\\\\{}\\[\\](),:;<>/=|`~\n\t]{0,4}",
        2 => prop::sample::select(vec![
            "</parameter>", "<parameter=a>", "</function>", "</invoke>", "<tool_call>", "</tool_call>", "</arg_value>",
            "<arg_key>", "```", "\n```\n", "{\"name\": \"note\"}", "日本語", "é😀", "&lt;", "[TOOL_CALLS]", "<escape>", "<|\"|>", "\r\n",
            "<|im_end|>", "<note>", "</note>", "</text>", "True", "12",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn arguments() -> impl Strategy<Value = Map<String, Value>> {
    let optional = |strategy: prop::strategy::BoxedStrategy<Value>| prop::option::of(strategy);
    (
        words(),
        optional(words().prop_map(Value::String).boxed()),
        optional(any::<i32>().prop_map(|number| json!(number)).boxed()),
        optional(any::<bool>().prop_map(|flag| json!(flag)).boxed()),
        optional(
            prop::collection::vec(words(), 0..3)
                .prop_map(|list| json!(list))
                .boxed(),
        ),
        optional(
            words()
                .prop_map(|word| json!({"a": word, "b": [1, null, {"c": 0.5}]}))
                .boxed(),
        ),
    )
        .prop_map(|(text, more, count, flag, list, map)| {
            let mut all = Map::new();
            all.insert("text".to_owned(), Value::String(text));
            let rest = [
                ("more", more),
                ("count", count),
                ("flag", flag),
                ("list", list),
                ("map", map),
            ];
            for (key, value) in rest {
                if let Some(value) = value {
                    all.insert(key.to_owned(), value);
                }
            }
            all
        })
}

fn written(arguments: &Map<String, Value>) -> Vec<String> {
    let json = json!(arguments).to_string();
    let call = format!("{{\"name\": \"note\", \"arguments\": {json}}}");
    let mut all = vec![
        format!("<tool_call>\n{call}\n</tool_call>"),
        format!("<tools>{call}</tools>"),
        format!("<tool_calls>[{call}]</tool_calls>"),
        format!("[TOOL_CALLS][{call}]"),
        format!("[TOOL_CALLS]note{json}"),
        format!("[TOOL_CALLS]note[ARGS]{json}"),
        format!("<|python_tag|>{call}"),
        format!("<function=note>{json}</function>"),
        format!("<｜tool▁call▁begin｜>note<｜tool▁sep｜>{json}<｜tool▁call▁end｜>"),
        format!("<｜tool▁call▁begin｜>function<｜tool▁sep｜>note\n```json\n{json}\n```<｜tool▁call▁end｜>"),
        format!("<|tool_call_begin|>functions.note:0<|tool_call_argument_begin|>{json}<|tool_call_end|>"),
        format!("<|channel|>commentary to=functions.note <|constrain|>json<|message|>{json}<|call|>"),
        format!("<|tool_call|>[{call}]"),
        format!("<|tools_prefix|>[{{\"note\": {json}}}]<|tools_suffix|>"),
        format!("<|START_ACTION|>[{{\"tool_name\": \"note\", \"parameters\": {json}}}]<|END_ACTION|>"),
        format!("<|action_start|><|plugin|>{call}<|action_end|>"),
        format!("<longcat_tool_call>{call}</longcat_tool_call>"),
        format!("```tool_call\n{call}\n```"),
        format!("```json\n{call}\n```"),
        call.clone(),
        format!("[{call}]"),
        python(arguments),
        format!("<|tool_call_start|>{}<|tool_call_end|>", python(arguments)),
        format!("```tool_code\n{}\n```", python(arguments)),
    ];
    all.extend(tagged(arguments));
    all
}

fn python(arguments: &Map<String, Value>) -> String {
    let written = arguments.iter().map(|(key, value)| {
        let value = match value {
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            other => other.to_string(),
        };
        format!("{key}={value}")
    });
    format!("[note({})]", written.collect::<Vec<_>>().join(", "))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns calls in the formats with one tag for each argument. Omits a format if a value contains text like the end of
/// a call.
fn tagged(arguments: &Map<String, Value>) -> Vec<String> {
    let values: String = arguments.values().map(plain).collect();
    let holds = |marks: &[&str]| marks.iter().any(|mark| values.contains(mark));
    let joined = |row: &dyn Fn(&str, &str) -> String| -> String {
        arguments.iter().map(|(key, value)| row(key, &plain(value))).collect()
    };
    let mut all = Vec::new();
    if !holds(&["</parameter>"]) {
        let rows = joined(&|key, value| format!("<parameter={key}>\n{value}\n</parameter>\n"));
        all.push(format!("<tool_call>\n<function=note>\n{rows}</function>\n</tool_call>"));
        let rows = joined(&|key, value| format!("<parameter name=\"{key}\">\n{value}\n</parameter>\n"));
        all.push(format!(
            "<function_calls>\n<invoke name=\"note\">\n{rows}</invoke>\n</function_calls>"
        ));
    }
    let rows = joined(&|key, value| {
        format!(
            "<｜DSML｜parameter name=\"{key}\" string=\"{}\">{value}</｜DSML｜parameter>\n",
            arguments[key].is_string()
        )
    });
    all.push(format!("<｜DSML｜invoke name=\"note\">\n{rows}</｜DSML｜invoke>"));
    if !holds(&["</arg_value>"]) {
        let rows = joined(&|key, value| format!("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n"));
        all.push(format!("<tool_call>note\n{rows}</tool_call>"));
    }
    if !holds(&["</text>", "</note>", "</more>"]) {
        let rows = joined(&|key, value| format!("<{key}>\n{value}\n</{key}>\n"));
        all.push(format!("<note>\n{rows}</note>"));
    }
    all
}

/// Reads a text in chunks. `sizes` are the sizes of the chunks, used repeatedly.
fn in_pieces(tools: &Arc<[ToolDeclaration]>, text: &str, sizes: &[usize]) -> (ParsedCalls, String) {
    let mut recogniser = Recogniser::new(Arc::clone(tools), Mode::Open);
    let mut shown = String::new();
    let mut left = text;
    for size in sizes.iter().cycle() {
        if left.is_empty() {
            break;
        }
        let (piece, rest) = left.split_at(left.ceil_char_boundary((*size).min(left.len())));
        recogniser.push(piece, &mut shown);
        left = rest;
    }
    let found = recogniser.finish(true, &mut shown);
    (found, shown)
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_call_of_any_family_comes_back(arguments in arguments(), sizes in prop::collection::vec(1..20usize, 1..5)) {
        let tools = offered();
        for text in written(&arguments) {
            let (found, shown) = in_pieces(&tools, &text, &sizes);
            let expected = vec![json!({"name": "note", "arguments": arguments})];
            prop_assert_eq!((calls(&found), shown.as_str()), (expected, ""), "{}\n{:?}", text, found);
        }
    }

    #[test]
    fn any_text_is_read_the_same_in_any_pieces(
        parts in prop::collection::vec(prop_oneof![words(), marks()], 0..12),
        sizes in prop::collection::vec(1..20usize, 1..5),
    ) {
        let text = parts.concat();
        let tools = offered();
        prop_assert_eq!(in_pieces(&tools, &text, &sizes), in_pieces(&tools, &text, &[usize::MAX]), "{:?}", text);
    }

    #[test]
    fn prose_stays_as_it_is(text in "[ -~\n\u{e9}\u{65e5}]{0,200}") {
        let (found, shown) = read(&text, 3);
        prop_assert_eq!((calls(&found), shown), (Vec::new(), text));
    }
}

fn marks() -> impl Strategy<Value = String> {
    let families = super::super::families::FAMILIES;
    let opens = families
        .iter()
        .flat_map(|family| family.opens.iter().chain(family.closes));
    let examples = families
        .iter()
        .map(|family| family.example.replace("read", "note").replace("path", "text"));
    let all: Vec<String> = opens.map(|mark| (*mark).to_owned()).chain(examples).collect();
    (prop::sample::select(all), 0..400usize, Just(())).prop_map(|(text, cut, ())| {
        let cut = text.ceil_char_boundary(cut.min(text.len()));
        text.split_at(cut).0.to_owned()
    })
}

/// The texts are the sources and documents of this repository, because a model may quote them.
#[test]
fn sources_and_documents_are_no_calls() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut folders = vec![root.join("src"), root.join("docs"), root.join("tests/it")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let (found, _) = read(&text, usize::MAX);
                assert_eq!(calls(&found), Vec::<Value>::new(), "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 3 && !tools().is_empty());
}

#[test]
fn every_mark_goes_on_in_a_way_that_is_looked_for() {
    for family in super::super::families::FAMILIES {
        for open in family.opens.iter().filter(|open| open.starts_with(['<', '['])) {
            let second = open.as_bytes()[1];
            assert!(second.is_ascii_alphabetic() || matches!(second, b'|' | 0xef), "{open}");
        }
    }
}

/// Texts found by fuzzing. The result differed between one chunk and several.
#[test]
fn a_text_is_read_the_same_in_pieces_of_any_size() {
    let call = "<function=bash>\n<parameter=command>ls</parameter>\n</function>\n";
    let long_label = |length: usize| format!("```json{}\n{{\"name\": \"bash\"", " ".repeat(length));
    let texts = [
        format!("{call}>\n</function>\n"),
        format!("<tool_call>{}</tool_call>", long_label(32)),
        long_label(35) + ", \"arguments\": {\"command\": \"ls\"}}\n```",
        format!(
            "a {} {} <tool_call>{{\"name\": \"bash\"",
            "`".repeat(70),
            "`".repeat(64)
        ),
        "<bash></bash><tool_call>".to_owned(),
    ];
    for text in &texts {
        let whole = read(text, usize::MAX);
        for pieces in 1..=23 {
            assert_eq!(read(text, pieces), whole, "{text:?} in {pieces}");
        }
    }
}
