//! Finds out from its first bytes which request an oversized message answers. Stops at the first nested value.

use rmcp::model::RequestId;
use serde::de::DeserializeOwned;
use serde_json::Value;

const LOOKED_AT: usize = 1024;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    Answers(RequestId),
    Asks,
    Unknown,
}

impl Beginning {
    pub(super) fn of(line: &[u8]) -> Self {
        let line = line.get(..line.len().min(LOOKED_AT)).unwrap_or_default();
        let Some(mut rest) = line.trim_ascii_start().strip_prefix(b"{") else {
            return Self::Unknown;
        };
        let mut id = None;
        while let Some((name, behind)) = next::<String>(rest) {
            match name.as_str() {
                "method" => return Self::Asks,
                "result" | "error" => break,
                _ => {}
            }
            let Some(value) = behind
                .trim_ascii_start()
                .strip_prefix(b":")
                .map(<[u8]>::trim_ascii_start)
            else {
                break;
            };
            let Some((value, behind)) = next::<Value>(value) else {
                break;
            };
            if name == "id" {
                id = serde_json::from_value(value).ok();
            }
            // A value at the end of the window may be incomplete.
            let Some(behind) = behind.trim_ascii_start().strip_prefix(b",") else {
                break;
            };
            rest = behind;
        }
        id.map_or(Self::Unknown, Self::Answers)
    }
}

fn next<T: DeserializeOwned>(text: &[u8]) -> Option<(T, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<T>();
    let value = values.next()?.ok()?;
    let behind = text.get(values.byte_offset()..)?;
    (!behind.is_empty()).then_some((value, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Beginning {
        Beginning::of(text.as_bytes())
    }

    #[test]
    fn an_answer_is_known_by_the_id_before_it_and_by_no_other() {
        let number = Beginning::Answers(RequestId::Number(7));
        assert_eq!(of(r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"te"#), number);
        assert_eq!(of(r#" { "id" : 7 , "error" : {"id":8"#), number);
        assert_eq!(
            of(r#"{"id":"a","jsonrpc":"2.0","result":{"#),
            Beginning::Answers(RequestId::String("a".into()))
        );
        for unknown in [
            r#"{"result":{"id":7}},"id":8"#,
            r#"{"jsonrpc":"2.0","result":"\"id\":7"#,
            r#"{"id":7"#,
            r#"[{"id":7,"result":{}}]"#,
            "",
        ] {
            assert_eq!(of(unknown), Beginning::Unknown, "{unknown}");
        }
    }

    #[test]
    fn what_a_server_asks_or_tells_answers_nothing() {
        assert_eq!(of(r#"{"jsonrpc":"2.0","id":7,"method":"roots/list""#), Beginning::Asks);
        assert_eq!(of(r#"{"method":"notifications/message","params":{"#), Beginning::Asks);
    }

    #[test]
    fn an_id_that_may_go_on_is_none() {
        let cut = format!(r#"{{"x":"{}","id":1"#, "x".repeat(LOOKED_AT - 14));
        assert_eq!(cut.len(), LOOKED_AT);
        assert_eq!(of(&format!("{cut}23,\"result\":{{}}")), Beginning::Unknown);
    }
}
