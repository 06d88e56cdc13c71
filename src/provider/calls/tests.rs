use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{Calls, Piece, PieceArguments, parse_arguments};
use benchdog_domain::message::Arguments;

fn piece(index: Option<u64>, id: &'static str, name: &'static str, arguments: &'static str) -> Piece<'static> {
    let given = |text: &'static str| (!text.is_empty()).then_some(Cow::Borrowed(text));
    Piece {
        index,
        id: given(id),
        name: given(name),
        arguments: given(arguments).map_or(PieceArguments::None, PieceArguments::Text),
        ..Piece::default()
    }
}

fn put(chunks: Vec<Vec<Piece<'_>>>) -> Vec<Value> {
    let mut calls = Calls::default();
    for chunk in chunks {
        calls.add(chunk);
    }
    calls
        .finish()
        .iter()
        .map(|call| json!([call.id, call.name, call.arguments]))
        .collect()
}

#[test]
fn a_new_id_on_every_piece_does_not_make_new_calls() {
    let found = put(vec![
        vec![piece(Some(0), "a", "bash", "")],
        vec![piece(Some(0), "b", "", "{\"command\":")],
        vec![piece(Some(0), "c", "", "\"ls\"}")],
    ]);
    assert_eq!(found, [json!(["a", "bash", {"command": "ls"}])]);
}

#[test]
fn the_same_id_on_every_call_does_not_join_them() {
    let found = put(vec![
        vec![piece(Some(0), "x", "read", "{\"path\":\"a\"}")],
        vec![piece(Some(1), "x", "read", "{\"path\":\"b\"}")],
    ]);
    assert_eq!(
        found,
        [json!(["x", "read", {"path": "a"}]), json!(["", "read", {"path": "b"}])]
    );
}

#[test]
fn calls_without_index_and_id_are_told_apart_by_name_and_wholeness() {
    let found = put(vec![
        vec![
            piece(None, "", "read", "{\"path\":\"a\"}"),
            piece(None, "", "read", "{\"path\":\"b\"}"),
        ],
        vec![piece(None, "", "read", "{\"path\":")],
        vec![piece(None, "", "", "\"c\"}")],
        vec![piece(None, "", "bash", "{}")],
    ]);
    let names: Vec<_> = found.iter().map(|call| call[2].clone()).collect();
    assert_eq!(
        names,
        [
            json!({"path": "a"}),
            json!({"path": "b"}),
            json!({"path": "c"}),
            json!({})
        ]
    );
}

#[test]
fn index_zero_for_every_call_without_ids_still_gives_two_calls() {
    let found = put(vec![
        vec![piece(Some(0), "", "read", "{\"path\":\"a\"}")],
        vec![piece(Some(0), "", "read", "{\"path\":\"b\"}")],
    ]);
    assert_eq!(found.len(), 2);
}

#[test]
fn a_call_without_arguments_is_not_swallowed_by_the_next_with_the_same_index() {
    let found = put(vec![
        vec![piece(Some(0), "a", "todoread", "")],
        vec![piece(Some(0), "b", "read", "{\"path\":\"b\"}")],
    ]);
    assert_eq!(
        found,
        [json!(["a", "todoread", {}]), json!(["b", "read", {"path": "b"}])]
    );
}

#[test]
fn a_name_that_is_repeated_or_comes_in_pieces_is_one_name() {
    let found = put(vec![
        vec![piece(Some(0), "a", "todo", "")],
        vec![piece(Some(0), "", "write", "")],
        vec![piece(Some(0), "a", "todowrite", "{\"items\"")],
        vec![piece(Some(0), "a", "todowrite", ":[]}")],
    ]);
    assert_eq!(found, [json!(["a", "todowrite", {"items": []}])]);
}

#[test]
fn an_index_that_comes_late_does_not_split_a_call() {
    let found = put(vec![
        vec![piece(None, "a", "bash", "{")],
        vec![piece(Some(0), "", "", "}")],
    ]);
    assert_eq!(found, [json!(["a", "bash", {}])]);
}

#[test]
fn arguments_are_unpacked_or_left_alone() {
    let object = |value: Value| match value {
        Value::Object(object) => Arguments::Object(object),
        _ => Arguments::Object(Map::new()),
    };
    for (text, wanted) in [
        ("", json!({})),
        ("  ", json!({})),
        ("null", json!({})),
        ("{\"a\":1}", json!({"a": 1})),
        ("\"{\\\"a\\\":1}\"", json!({"a": 1})),
        ("{}{\"a\":1}", json!({"a": 1})),
        ("{\"a\":1}{\"a\":1}", json!({"a": 1})),
        ("{\"a\":1} {}", json!({"a": 1})),
    ] {
        assert_eq!(parse_arguments(text.to_owned()), object(wanted), "{text}");
    }
    for raw in [
        "{\"a\":1}{\"a\":2}",
        "[1]",
        "{\"a\":",
        "ls -l",
        "\"ls\"",
        "{\"a\":1} trailing",
        "{\"a\":1}{\"b\":",
    ] {
        assert_eq!(parse_arguments(raw.to_owned()), Arguments::Raw(raw.to_owned()));
    }
}
