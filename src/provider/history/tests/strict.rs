//! Checks 200 sessions with malformed answers against the rules of a strict server.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::ModelRequest;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const NAMES: &[&str] = &[
    "read",
    "read<|channel|>commentary",
    "assistant<|channel|>analysis",
    "functions.read",
    "read file",
    "",
    " ",
    "a.b",
    "写",
    "read\n",
    "<|call|>",
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    "../x",
    "read\"",
    "😀",
];
const ARGUMENTS: &[&str] = &[
    "{}",
    "{\"path\":\"a\"}",
    "{'path': 'a'}",
    "{\"path\":\"a\"}</tool_call>",
    "{\"path\":",
    "",
    "null",
    "[]",
    "rm -rf",
    "{\"a\":\"one\ntwo\"}",
    "{\"path\":\"a\"}<|im_end|>\n<|im_start|>user",
    "```json\n{\"path\": \"a\"}\n```",
    "{\"path\":\"<|im_end|>\"}",
];
const TEXTS: &[&str] = &[
    "",
    "I look.",
    "Done<|im_end|>",
    "`<|eot_id|>`",
    "<｜end▁of▁sentence｜>",
    "<|channel|>final<|message|>x",
    "a <| b |> c",
    "\u{feff}",
];
const FIELDS: &[ThoughtField] = &[
    ThoughtField::ReasoningContent,
    ThoughtField::Reasoning,
    ThoughtField::Thinking,
    ThoughtField::ReasoningDetails,
    ThoughtField::Content,
];

fn session(dice: &mut Dice) -> Vec<ChatMessage> {
    let mut messages = vec![ChatMessage::System("Be brief.".to_owned())];
    for turn in 0..=dice.roll(3) {
        messages.push(user("go on with <|im_end|>"));
        for step in 0..dice.roll(4) {
            let calls: Vec<ToolCall> = (0..dice.roll(4))
                .map(|at| call(&format!("{turn}-{step}-{at}"), dice.pick(NAMES), dice.pick(ARGUMENTS)))
                .collect();
            let thought = ["hm", "<|end|> hm", "</think>"][dice.roll(3)];
            let model = ["org/model", "other"][dice.roll(2)];
            let thought = (dice.roll(3) > 0).then(|| (model, thought, FIELDS[dice.roll(FIELDS.len())]));
            let results: Vec<ChatMessage> = calls.iter().map(|call| result(&call.id.0, &call.name)).collect();
            messages.push(answer(dice.pick(TEXTS), calls, thought));
            for one in results {
                // Some results are missing, and some are duplicates.
                let times = [1, 1, 1, 0, 2][dice.roll(5)];
                messages.extend(std::iter::repeat_n(one, times));
            }
        }
        messages.push(answer("Done.", Vec::new(), None));
    }
    messages
}

fn body(api: fn(&ModelRequest) -> Vec<u8>, reasoning: SendReasoning, messages: &[ChatMessage]) -> Value {
    let mut order = request(messages.to_vec());
    order.reasoning = reasoning;
    serde_json::from_slice(&api(&Repairs::default().repair(order))).unwrap()
}

fn is_name(name: &Value) -> bool {
    let name = name.as_str().unwrap_or_default();
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

fn has_token(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.match_indices('<')
        .any(|(at, _)| token::length(text.get(at..).unwrap_or_default()).is_some())
}

fn refusal(messages: &[Value], reasoning: SendReasoning) -> Option<String> {
    let mut open: BTreeSet<String> = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        let no = |what: &str| Some(format!("messages[{at}]: {what}: {message}"));
        let role = message["role"].as_str().unwrap_or_default();
        if (role == "system") != (at == 0) {
            return no("role");
        }
        if role == "tool" {
            if !is_name(&message["name"]) || !open.remove(message["tool_call_id"].as_str().unwrap_or_default()) {
                return no("result without a call");
            }
            continue;
        }
        if !open.is_empty() {
            return no("call without a result");
        }
        if role != "assistant" {
            continue;
        }
        let fields = ["content", "reasoning_content", "reasoning", "thinking"];
        if fields.iter().any(|field| has_token(&message[field])) {
            return no("control token");
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            if !is_name(&call["function"]["name"])
                || !serde_json::from_str::<Value>(arguments).is_ok_and(|it| it.is_object())
            {
                return no("call");
            }
            open.insert(call["id"].as_str().unwrap_or_default().to_owned());
        }
        let has_any = fields
            .iter()
            .skip(1)
            .chain(&["reasoning_details"])
            .any(|field| message.get(field).is_some());
        let needs = reasoning == SendReasoning::Required && message.get("tool_calls").is_some();
        if (needs && !has_any) || (reasoning == SendReasoning::Never && has_any) {
            return no("reasoning");
        }
    }
    (!open.is_empty()).then(|| format!("no result for {open:?}"))
}

#[test]
fn a_strict_server_accepts_200_of_200_odd_sessions() {
    let mut dice = Dice(7);
    for number in 0..200 {
        let session = session(&mut dice);
        for reasoning in [
            SendReasoning::Auto,
            SendReasoning::Never,
            SendReasoning::Turn,
            SendReasoning::Always,
            SendReasoning::Required,
        ] {
            let sent = body(openai::body, reasoning, &session);
            let messages = sent["messages"].as_array().unwrap();
            assert_eq!(refusal(messages, reasoning), None, "session {number}, {reasoning:?}");
            // The messages of each request begin with the messages of the previous request.
            for (at, _) in session
                .iter()
                .enumerate()
                .filter(|(_, one)| matches!(one, ChatMessage::User(_)))
            {
                let earlier = body(openai::body, reasoning, &session[..=at]);
                let earlier = earlier["messages"].as_array().unwrap();
                assert_eq!(
                    earlier[..],
                    messages[..earlier.len()],
                    "session {number}, {reasoning:?}"
                );
            }
        }
        for api in [crate::ollama::body, crate::anthropic::body] {
            let sent = body(api, SendReasoning::Auto, &session);
            for message in sent["messages"].as_array().unwrap() {
                let blocks = message["content"].as_array().into_iter().flatten();
                let uses = blocks
                    .filter(|block| block["type"] == "tool_use")
                    .map(|block| (&block["name"], &block["input"]));
                let calls = message["tool_calls"].as_array().into_iter().flatten();
                let calls = calls.map(|call| (&call["function"]["name"], &call["function"]["arguments"]));
                for (name, arguments) in uses.chain(calls) {
                    assert!(is_name(name) && arguments.is_object(), "session {number}: {message}");
                }
                assert!(
                    message["role"] != "assistant" || !has_token(&message["content"]),
                    "session {number}: {message}"
                );
            }
        }
    }
}
