//! Tests of calls as real models write them, and of text without a call.

use serde_json::{Value, json};

use super::{calls, read};
use crate::textcalls::{CallError, Repair};

/// Each text is one call of `bash` with the command `ls`.
const LS: &[&str] = &[
    // Mistral.
    r#"[TOOL_CALLS] [{"name": "bash", "arguments": {"command": "ls"}}]"#,
    r#"[TOOL_CALLS]bash[CALL_ID]a1B2c3D4e[ARGS]{"command": "ls"}"#,
    "[TOOL_CALLS]bash {\"command\": \"ls\"}</s>",
    // Llama and Functionary.
    r#"<|python_tag|>{"type": "function", "name": "bash", "parameters": {"command": "ls"}}<|eot_id|>"#,
    r#"<function=bash>{"command": "ls"}</function><|eom_id|>"#,
    r#"{"type": "function", "function": {"name": "bash", "arguments": "{\"command\": \"ls\"}"}}"#,
    // DeepSeek, with the outer marks or without.
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{\"command\": \"ls\"}\n```\n<｜tool▁call▁end｜>\n<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    "<｜tool▁call▁begin｜>bash<｜tool▁sep｜>{\"command\": \"ls\"}<｜tool▁call▁end｜>",
    "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"bash\">\n<｜DSML｜parameter name=\"command\" string=\"true\">ls</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    // GLM.
    "<tool_call>bash<arg_key>command</arg_key><arg_value>ls</arg_value></tool_call>",
    "<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>",
    // Kimi.
    "<|tool_calls_section_begin|><|tool_call_begin|>bash:0<|tool_call_argument_begin|> {\"command\": \"ls\"} <|tool_call_end|><|tool_calls_section_end|>",
    "<|tool_call_begin|>functions.bash:12<|tool_call_argument_begin|>{\"command\": \"ls\"}<|tool_call_end|>",
    // Tags.
    "<function_calls>\n<invoke name=\"bash\">\n<parameter name=\"command\">ls</parameter>\n</invoke>\n</function_calls>",
    "<invoke name='bash'><parameter name='command'>ls</parameter></invoke>",
    "<tool_call><invoke name=\"bash\"><parameter name=\"command\">ls</parameter></invoke></tool_call>",
    "<dots_function_call><invoke name=bash><parameter name=command>ls</parameter></invoke></dots_function_call>",
    "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"bash\"><steptml:parameter name=\"command\">ls</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
    "<bash>\n<command>ls</command>\n</bash>",
    "<Bash><command>ls</command></Bash>",
    // JSON between other marks.
    "<tool_calls>[{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}]</tool_calls>",
    "<tool_calls>\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n</tool_calls>",
    "<tools>\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n</tools>",
    "<|tool_call|>[{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}]<|/tool_call|>",
    "<function_call> {\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}",
    "<|action_start|><|plugin|>\n{\"name\": \"bash\", \"parameters\": {\"command\": \"ls\"}}<|action_end|>\n",
    "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"bash\", \"parameters\": {\"command\": \"ls\"}}\n]<|END_ACTION|>",
    // Harmony.
    "<|channel|>commentary to=functions.bash<|channel|>commentary json<|message|>{\"command\": \"ls\"}",
    "<|start|>assistant<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{\"command\":\"ls\"}<|call|>",
    "<|start|>assistant to=functions.bash<|channel|>commentary json<|message|>{\"command\":\"ls\"}<|call|>",
    // Python.
    "[bash(command=\"ls\")]",
    "[bash(command='ls')]<|eot|>",
    "<function_calls>\nbash(command=\"ls\")\n</function_calls>",
    "<|tool_call_start|>[bash(command=\"ls\")]<|tool_call_end|><|im_end|>",
    "```tool_code\nprint(default_api.bash(command='ls'))\n```",
    // Fences.
    "```json\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n```",
    "```\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n```\n",
    "```json\n[{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}]\n```",
    // Other notations.
    "<start_function_call>call:bash{command:<escape>ls<escape>}<end_function_call>",
    "<|tool_call>call:bash{command:<|\"|>ls<|\"|>}<tool_call|>",
    "[{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}]",
    "<|tools_prefix|>[{\"bash\": {\"command\": \"ls\"}}]<|tools_suffix|>",
    // The next call begins before the previous one is closed.
    "<tool_call>{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}<tool_call>{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}",
    // Duplicate calls.
    "<tool_call>{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}</tool_call>\n<tool_call>{\"arguments\":{\"command\":\"ls\"},\"name\":\"bash\"}</tool_call>",
];

#[test]
fn what_models_write_is_read() {
    for text in LS {
        for pieces in [1, 3, usize::MAX] {
            let (found, shown) = read(text, pieces);
            let expected = [json!({"name": "bash", "arguments": {"command": "ls"}})];
            assert_eq!(
                (calls(&found).as_slice(), shown.as_str()),
                (expected.as_slice(), ""),
                "{text}\n{found:?}"
            );
        }
    }
}

#[test]
fn what_only_looks_like_code_or_a_quotation_hides_no_call() {
    let call = "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>";
    for before in [
        "Results come in <tool_response> tags.\n",
        "```ls``` shows files.\n",
        "``` a `` b ```\n",
        "<tool_response>\n```\n</tool_response>\n",
        "- one\n- ```\n  two\n  ```\n",
        "```\ncode\n```  \n",
        "1. `one`\n",
    ] {
        for pieces in [1, 3, usize::MAX] {
            let (found, _) = read(&format!("{before}{call}"), pieces);
            assert_eq!(found.calls.len(), 1, "{before} in {pieces}: {found:?}");
        }
    }
}

/// No text is a call, and all of each text is shown.
const NONE: &[&str] = &[
    "bash(command=\"ls\")",
    "You could run `<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>` here.",
    "> <tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>",
    "It printed \"<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>\" to me.",
    "~~~\n<invoke name=\"bash\"><parameter name=\"command\">ls</parameter></invoke>\n~~~",
    "````md\n```\n<function=bash>\n<parameter=command>ls</parameter>\n</function>\n```\n````",
    "<tool_response>\n<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>\n</tool_response>",
    "Here it is:\n```json\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n```",
    "```json\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n```\nThat is the form.",
    "```json\n{\"name\": \"bash\", \"arguments\": {}}\n```",
    "```tool_call\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n```\nis what I would write.",
    "{\"name\": \"bash\", \"arguments\": {\"command\": 5}}",
    "{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\", \"colour\": 1}}",
    "{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}} is the answer",
    "{\"name\": \"list_dir\"}",
    "[1, 2, 3]",
    "[see the book](https://example.org)",
    "[bash(command=\"ls\")] is how Llama writes it.",
    "<bash><command>ls</command></bash>\nruns it",
    "<bash>ls</bash>",
    "Say <bash><command>ls</command></bash>",
    "<bash></bash>",
    "if a < b and c <d> [x] then",
    "functools is a module of Python.",
    "<list_dir>\n</list_dir>",
    "- ```\n  <tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>\n  ```",
    "1. ```json\n   <tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>\n   ```",
    "* ~~~\n  <tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>\n  ~~~",
    "- > <tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>",
    "```markdown\n``` xml\n<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>\n```\n```",
    "The parser looks for <tool_call> and </tool_call> tags.",
    "{",
    "[",
    "<",
    "``",
    "  indented\n\n",
];

#[test]
fn what_is_no_call_stays_text() {
    for text in NONE {
        for pieces in [1, 3, usize::MAX] {
            let (found, shown) = read(text, pieces);
            assert_eq!(
                (calls(&found).as_slice(), shown.as_str()),
                (&[] as &[Value], *text),
                "{found:?}"
            );
        }
    }
}

fn malformed(text: &str) -> Vec<CallError> {
    let (found, shown) = read(text, 4);
    assert!(found.calls.is_empty() && !shown.is_empty(), "{found:?} {shown:?}");
    found.malformed.into_iter().map(|malformed| malformed.why).collect()
}

#[test]
fn a_call_that_was_meant_says_why_it_cannot_be_used() {
    use CallError::{Cut, NoCall, Unclosed, Unfit, Unknown, Unreadable};
    let cases = [
        (
            "<tool_call>{\"name\": \"launch\", \"arguments\": {}}</tool_call>",
            Unknown("launch".into()),
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"l",
            Cut(None),
        ),
        ("<function=bash>\n<parameter=command>\nls\n", Cut(None)),
        ("<tool_call>{\"name\": \"bash\", \"arguments\": [1]}</tool_call>", Unfit),
        (
            "<tool_call>{\"name\": \"bash\", \"command\": \"ls\"}</tool_call>",
            Unfit,
        ),
        ("<tool_call>{\"nome\": \"bash\", \"arguments\": 1}</tool_call>", NoCall),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {command}}</tool_call>",
            Unreadable,
        ),
        ("<tool_call>{\"name\": ???}</tool_call>", Unreadable),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": $(ls)}}</tool_call>",
            Unreadable,
        ),
        ("<tool_call>{\"name\": \"bash\", \"arguments\": {}} so to say", Unclosed),
        (
            "<function=write_file>\n<parameter=path>\na\n<parameter=content>\nb\n</parameter>\n</function>",
            Unreadable,
        ),
    ];
    for (text, why) in cases {
        assert_eq!(malformed(text), [why], "{text}");
    }
    let described = "<tool_call>{\"name\": <function-name>, \"arguments\": <args-json-object>}</tool_call>";
    assert_eq!(malformed(described), []);
}

#[test]
fn every_repair_is_named() {
    let cases = [
        (
            "<tool_call>{'name': 'bash', 'arguments': {'command': 'ls'}}</tool_call>",
            Repair::PythonQuotes,
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\", \"background\": True}}</tool_call>",
            Repair::PythonLiterals,
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\",}}</tool_call>",
            Repair::TrailingComma,
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}</tool_call>",
            Repair::MissingBrace,
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}}</tool_call>",
            Repair::ExtraBrace,
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"l\ns\"}}</tool_call>",
            Repair::RawNewline,
        ),
        (
            "<tool_call>\n```json\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n```\n</tool_call>",
            Repair::Fence,
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"args\": {\"command\": \"ls\"}}</tool_call>",
            Repair::ArgumentsKey,
        ),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": \"{\\\"command\\\": \\\"ls\\\"}\"}</tool_call>",
            Repair::ArgumentsText,
        ),
        ("<tool_call>{\"name\": \"list_dir\"}</tool_call>", Repair::NoArguments),
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n",
            Repair::MissingClose,
        ),
        (
            "{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n</tool_call>",
            Repair::MissingOpen,
        ),
        (
            "<tool_call><function=bash>\n<parameter=command>\nls\n</parameter>\n</tool_call>",
            Repair::MissingClose,
        ),
        (
            "{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}<|im_end|>",
            Repair::LeakedEnd,
        ),
        (
            "<tool_call>{\"name\": \"Bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>",
            Repair::Alias,
        ),
    ];
    for (text, repair) in cases {
        let (found, shown) = read(text, 2);
        assert_eq!(found.calls.len(), 1, "{text} {found:?}");
        assert_eq!(
            (found.calls[0].repairs.as_slice(), shown.as_str()),
            ([repair].as_slice(), ""),
            "{text}"
        );
    }
}

#[test]
fn values_in_tags_have_the_types_of_the_schema() {
    let text = "<function=configure>\n<parameter=options>\n{\"a\": 1}\n</parameter>\n<parameter=tags>\n['x']\n</parameter>\n<parameter=note>\n[1]\n</parameter>\n</function><function=bash>\n<parameter=command>\n\nls\n\n</parameter>\n<parameter=timeout>abc</parameter>\n<parameter=background>False</parameter>\n</function>";
    let (found, _) = read(text, usize::MAX);
    let expected = [
        json!({"name": "configure", "arguments": {"options": {"a": 1}, "tags": ["x"], "note": "[1]"}}),
        json!({"name": "bash", "arguments": {"command": "\nls\n", "timeout": "abc", "background": false}}),
    ];
    assert_eq!(calls(&found), expected);
}

#[test]
fn text_around_calls_stays_as_it_is() {
    let call = "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>";
    let cases = [
        (format!("One.\n\n{call}\n\nTwo.\n"), "One.\n\nTwo.\n"),
        (format!("{call}\n\nTwo."), "Two."),
        (format!("  One. {call}"), "  One."),
        (format!("<tool_call>\n{call}\n</tool_call>"), ""),
        (format!("A <tool_call> is a mark.\n{call}"), "A <tool_call> is a mark."),
    ];
    for (text, expected) in cases {
        for pieces in [1, 5, usize::MAX] {
            let (found, shown) = read(&text, pieces);
            assert_eq!((found.calls.len(), shown.as_str()), (1, expected), "{text} {found:?}");
        }
    }
}
