use serde_json::json;

use super::*;

fn cleaned(tools: Vec<Tool>) -> (Vec<Offered>, Vec<LeftOut>) {
    let mut taken = ToolList::default();
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
    let mut taken = ToolList::default();
    let page = |number: usize| {
        (0..900)
            .map(|at| tool(&format!("t{number}-{at}"), &json!({})))
            .collect()
    };
    assert_eq!(taken.add(page(0)), PageResult::Continue);
    assert_eq!(taken.add(page(1)), PageResult::Full);
    for number in 2..5 {
        assert_eq!(taken.add(page(number)), PageResult::Exceeded);
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
    assert_eq!(ToolList::default().add(page(half, half)), PageResult::Continue);
    assert_eq!(ToolList::default().add(page(half, half + 1)), PageResult::Full);
    assert_eq!(
        ToolList::default().add(page(MOST_TOOLS, MOST_TOOLS)),
        PageResult::Exceeded
    );
}

#[test]
fn a_long_description_is_cut_and_says_so() {
    assert_eq!(
        sanitize_description(&"ä".repeat(3_000)).chars().count(),
        MOST_DESCRIPTION + 1
    );
}
