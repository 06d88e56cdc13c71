//! Sanitises the tools of a server: no control characters, limited sizes. Skips and reports tools that cannot be sanitised.

use rmcp::model::Tool;
use serde_json::Value;

use super::limits::{DEEPEST_SCHEMA, MOST_DESCRIPTION, MOST_SCHEMA, MOST_TOOLS, More, Read};
use super::mended::why_unread;
use super::schema::repaired;
use benchdog_base::text::clean;
use benchdog_domain::server::{LeftOut, Offered, WhyLeftOut};

const MOST_NAME: usize = 256;

const REPAIRED: &str = "\n[Parts of the schema of its arguments were no JSON Schema and were left out.]";

#[derive(Default)]
pub(super) struct Taken {
    pub(super) offered: Vec<Offered>,
    pub(super) left_out: Vec<LeftOut>,
}

impl Taken {
    pub(super) fn add(&mut self, page: Vec<Tool>) -> More {
        for tool in page {
            if self.left_out.len() >= MOST_TOOLS {
                return More::Enough;
            }
            let place = self.offered.len() + self.left_out.len() + 1;
            let shown: String = clean(&tool.name).chars().take(MOST_NAME).collect();
            let shown = if shown.trim().is_empty() {
                format!("#{place}")
            } else {
                shown
            };
            if let Err(why) = self.take(tool) {
                self.left_out.push(LeftOut { tool: shown, why });
            }
        }
        if self.offered.len() + self.left_out.len() > MOST_TOOLS {
            More::Full
        } else {
            More::Wanted
        }
    }

    fn take(&mut self, tool: Tool) -> Result<(), WhyLeftOut> {
        if self.offered.len() >= MOST_TOOLS {
            return Err(WhyLeftOut::TooMany);
        }
        if let Some(why) = why_unread(&tool) {
            return Err(why);
        }
        let tool = one(tool)?;
        if self.offered.iter().any(|other| other.name == tool.name) {
            return Err(WhyLeftOut::NameTaken);
        }
        self.offered.push(tool);
        Ok(())
    }
}

/// Reports once that a list was not read completely, unless a limit was reported already.
pub(super) fn note_unlisted(left_out: &mut Vec<LeftOut>, read: Read) {
    let is_said = |one: &LeftOut| matches!(one.why, WhyLeftOut::Unlisted | WhyLeftOut::TooMany);
    if read == Read::InPart && !left_out.iter().any(is_said) {
        left_out.push(LeftOut {
            tool: String::new(),
            why: WhyLeftOut::Unlisted,
        });
    }
}

fn one(tool: Tool) -> Result<Offered, WhyLeftOut> {
    let name = tool.name.into_owned();
    let is_name = !name.trim().is_empty() && name.len() <= MOST_NAME && !name.chars().any(char::is_control);
    if !is_name {
        return Err(WhyLeftOut::Misnamed);
    }
    let schema = Value::Object(std::sync::Arc::unwrap_or_clone(tool.input_schema));
    let is_object = matches!(schema.get("type"), None | Some(Value::String(_)))
        && schema.get("type").and_then(Value::as_str).unwrap_or("object") == "object";
    if !is_object || depth(&schema) > DEEPEST_SCHEMA || schema.to_string().len() > MOST_SCHEMA {
        return Err(WhyLeftOut::Schema);
    }
    let (schema, changed) = repaired(harmless(schema));
    let mut description = description(&tool.description.unwrap_or_default());
    if changed {
        description.push_str(REPAIRED);
    }
    Ok(Offered {
        name,
        description: description.trim_start().to_owned(),
        schema: with_type(schema),
    })
}

fn description(text: &str) -> String {
    let text = clean(text);
    let text = text.trim();
    match text.char_indices().nth(MOST_DESCRIPTION) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Removes control characters from all texts, without resolving references.
pub(super) fn harmless(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text).into_owned()),
        Value::Array(items) => Value::Array(items.into_iter().map(harmless).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (clean(&name).into_owned(), harmless(value)))
                .collect(),
        ),
        other => other,
    }
}

/// Adds the type, which some APIs require.
fn with_type(mut schema: Value) -> Value {
    if let Value::Object(fields) = &mut schema {
        fields.entry("type").or_insert_with(|| "object".into());
    }
    schema
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cleaned(tools: Vec<Tool>) -> (Vec<Offered>, Vec<LeftOut>) {
        let mut taken = Taken::default();
        taken.add(tools);
        (taken.offered, taken.left_out)
    }

    fn tool(name: &str, schema: &Value) -> Tool {
        serde_json::from_value(json!({"name": name, "description": "does it", "inputSchema": schema})).unwrap()
    }

    #[test]
    fn what_steers_a_terminal_is_taken_out_of_every_text() {
        let schema = json!({"type": "object", "properties": {"p\u{1b}[31m": {"description": "a\u{1b}]0;title\u{7}b"}}});
        let mut told = tool("read", &schema);
        told.description = Some("one\u{1b}[2J two\u{202e}".into());
        let (offered, left_out) = cleaned(vec![told]);
        assert_eq!(offered[0].description, "one two");
        assert_eq!(
            offered[0].schema,
            json!({"type": "object", "properties": {"p": {"description": "ab"}}})
        );
        assert!(left_out.is_empty());
    }

    #[test]
    fn a_schema_without_end_leaves_its_tool_out_and_no_other() {
        let deep = (0..60).fold(
            json!({"type": "object"}),
            |inner, _| json!({"type": "object", "properties": {"x": inner}}),
        );
        let huge = json!({"type": "object", "description": "x".repeat(20_000)});
        let circle = json!({"type": "object", "properties": {"x": {"$ref": "#"}}});
        let list = json!({"type": "array"});
        let tools = vec![
            tool("deep", &deep),
            tool("huge", &huge),
            tool("circle", &circle),
            tool("list", &list),
            tool("circle", &circle),
            tool("a\u{1b}b", &circle),
        ];
        let (offered, left_out) = cleaned(tools);
        assert_eq!(offered.len(), 1);
        assert_eq!(offered[0].schema["properties"]["x"]["$ref"], "#", "nobody follows it");
        let whys: Vec<_> = left_out.iter().map(|one| one.why).collect();
        assert_eq!(
            whys,
            [
                WhyLeftOut::Schema,
                WhyLeftOut::Schema,
                WhyLeftOut::Schema,
                WhyLeftOut::NameTaken,
                WhyLeftOut::Misnamed
            ]
        );
    }

    #[test]
    fn of_a_list_without_end_no_more_is_kept_than_can_be_taken_and_said() {
        let mut taken = Taken::default();
        let page = |number: usize| {
            (0..900)
                .map(|at| tool(&format!("t{number}-{at}"), &json!({})))
                .collect()
        };
        assert_eq!(taken.add(page(0)), More::Wanted);
        assert_eq!(taken.add(page(1)), More::Full);
        for number in 2..5 {
            assert_eq!(taken.add(page(number)), More::Enough);
        }
        assert_eq!((taken.offered.len(), taken.left_out.len()), (MOST_TOOLS, MOST_TOOLS));
    }

    #[test]
    fn a_page_that_was_taken_to_its_end_does_not_go_on_however_much_of_it_is_left_out() {
        let page = |misnamed: usize, well: usize| -> Vec<Tool> {
            let misnamed = (0..misnamed).map(|_| tool("", &json!({})));
            let well = (0..well).map(|at| tool(&format!("t{at}"), &json!({})));
            misnamed.chain(well).collect()
        };
        let half = MOST_TOOLS / 2;
        assert_eq!(Taken::default().add(page(half, half)), More::Wanted);
        assert_eq!(Taken::default().add(page(half, half + 1)), More::Full);
        assert_eq!(Taken::default().add(page(MOST_TOOLS, MOST_TOOLS)), More::Enough);
    }

    #[test]
    fn a_long_description_is_cut_and_says_so() {
        assert_eq!(description(&"ä".repeat(3_000)).chars().count(), MOST_DESCRIPTION + 1);
    }
}
