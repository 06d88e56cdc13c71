//! Tests that the cost of hostile text is proportional to its length, at once and in chunks.

use std::cell::Cell;

use super::{Mode, Recogniser, tools};

thread_local! {
    /// Number of bytes scanned on this thread.
    pub(in crate::textcalls) static SPENT: Cell<usize> = const { Cell::new(0) };
}

const HALVES: &[&str] = &[
    "<tool_call",
    "<tool_call>",
    "<tool_call>{\"name\":",
    "<tool_call>{\"name\": \"",
    "<tool_call>bash",
    "<tool_call>bash<arg_key>",
    "<tool_call>bash<arg_key>a</arg_key><arg_value>",
    "<tool_call>```",
    "{\"name\":",
    "{\"name\": {",
    "[TOOL_CALLS]",
    "[TOOL_CALLS][",
    "[TOOL_CALLS]bash{",
    "[[[[",
    "{{{{",
    "[ ",
    "[bash(",
    "<function=",
    "<function=bash>",
    "<function=bash><parameter=a>",
    "<function=bash><parameter=a></parameter>",
    "<function=bash><parameter=a></parameter>   \n",
    "<invoke name=",
    "<invoke name=\"bash\"><parameter name=\"a\">",
    "<function_calls>bash(",
    "<｜tool▁call▁begin｜>bash<｜tool▁sep｜>",
    "<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{",
    "<|channel|>",
    "<|channel|>commentary to=bash",
    "<start_function_call>call:bash{",
    "<|tool_call>",
    "\n<bash><command>",
    "\n<bash><command></command>",
    "\n<bash>   ",
    "```tool_call\n{",
    "```tool_call\n",
    "```",
    "`",
    "` ",
    "\n```\n",
    "<tool_response>",
    "</tool_call>",
    "<|python_tag|>{};",
    "  \n",
    "<",
    "\\\"",
];

fn cost(text: &str, pieces: usize) -> usize {
    SPENT.set(0);
    let mut recogniser = Recogniser::new(tools(), Mode::Open);
    let mut shown = String::new();
    let mut left = text;
    while !left.is_empty() {
        let (piece, rest) = left.split_at(left.ceil_char_boundary(pieces.min(left.len())));
        recogniser.push(piece, &mut shown);
        left = rest;
    }
    let found = recogniser.finish(true, &mut shown);
    assert!(found.calls.is_empty());
    SPENT.get()
}

#[test]
fn half_calls_cost_no_more_than_their_length() {
    for half in HALVES {
        for prefix in ["", "x "] {
            let repeated = |bytes: usize| format!("{prefix}{}", half.repeat(bytes / half.len()));
            for (bytes, pieces) in [(1 << 17, usize::MAX), (1 << 14, 5)] {
                let (small, large) = (cost(&repeated(bytes), pieces), cost(&repeated(2 * bytes), pieces));
                assert!(
                    large < 3 * small + 10_000 && large < 64 * bytes,
                    "{half:?} behind {prefix:?} in {pieces}: {small}, {large}"
                );
            }
        }
    }
}

#[test]
fn a_call_that_is_too_long_or_too_deep_is_none() {
    let deep = format!(
        "<tool_call>{{\"name\": \"configure\", \"arguments\": {{\"tags\": {}{}}}}}</tool_call>",
        "[".repeat(200),
        "]".repeat(200)
    );
    let (found, _) = super::read(&deep, usize::MAX);
    assert!(found.calls.is_empty(), "{found:?}");
    let long = format!(
        "<function=write_file>\n<parameter=path>a</parameter><parameter=content>{}</parameter></function>",
        "x".repeat(9 << 20)
    );
    for pieces in [1 << 20, usize::MAX] {
        let (found, shown) = super::read(&long, pieces);
        assert_eq!(
            (found.calls.len(), found.malformed.len(), shown.len()),
            (0, 1, long.len())
        );
    }
}

#[test]
fn one_answer_makes_no_more_than_sixty_four_calls() {
    let call = |number: usize| format!("<function=bash><parameter=command>{number}</parameter></function>");
    let text: String = (0..70).map(call).collect();
    let (found, _) = super::read(&text, usize::MAX);
    assert_eq!((found.calls.len(), found.malformed.len()), (64, 6));
}
