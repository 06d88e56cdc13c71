use super::*;
use crate::content::call_result;
use crate::limits::PageResult;
use crate::tool_list::ToolList;
use benchdog_domain::server::Part;

fn result(answer: &str) -> ServerResult {
    let line = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{answer}}}"#);
    match parse_leniently(line.as_bytes()) {
        Some(JsonRpcMessage::Response(answer)) => answer.result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_tool_that_is_none_costs_only_itself_and_says_why() {
    let deep = format!("{}{{}}{}", r#"{"a":"#.repeat(130), "}".repeat(130));
    let tools = [
        r#"{"name":"ok","inputSchema":{"type":"object"},"annotations":7,"title":3}"#.to_owned(),
        r#"{"name":5,"inputSchema":{}}"#.to_owned(),
        r#"{"name":"bare"}"#.to_owned(),
        "null".to_owned(),
        format!(r#"{{"name":"deep","inputSchema":{deep}}}"#),
        r#"{"name":"well","description":["odd"],"inputSchema":{}}"#.to_owned(),
    ];
    let ServerResult::ListToolsResult(list) = result(&format!(r#"{{"tools":[{}],"nextCursor":"2"}}"#, tools.join(",")))
    else {
        panic!("a list")
    };
    assert_eq!(list.next_cursor.as_deref(), Some("2"));
    let mut taken = ToolList::default();
    taken.add(list.tools);
    let names: Vec<&str> = taken.offered.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["ok", "well"]);
    let left: Vec<_> = taken.left_out.iter().map(|one| (one.tool.as_str(), one.why)).collect();
    assert_eq!(
        left,
        [
            ("#2", WhyLeftOut::Misnamed),
            ("bare", WhyLeftOut::Schema),
            ("#4", WhyLeftOut::NoTool),
            ("deep", WhyLeftOut::Schema),
        ]
    );
}

#[test]
fn a_block_of_a_kind_that_is_not_known_is_named_and_the_text_around_it_stays() {
    let answer = r#"{"content":[{"type":"text","text":"one"},{"type":"hologram","data":[1]},7,{"type":"text","text":"two"}],"isError":"no"}"#;
    let whole = call_result(result(answer)).unwrap();
    let unknown = |kind: &str| Part::Unknown { kind: kind.to_owned() };
    let text = |text: &str| Part::Text(text.to_owned());
    assert_eq!(
        whole.parts,
        [text("one"), unknown("hologram"), unknown(""), text("two")]
    );
    assert!(!whole.failed);
}

#[test]
fn of_a_list_of_what_is_nothing_no_more_is_made_than_can_be_taken_and_that_it_goes_on_is_known() {
    let many = vec!["0"; 100_000].join(",");
    let ServerResult::ListToolsResult(list) = result(&format!(r#"{{"tools":[{many}]}}"#)) else {
        panic!("a list")
    };
    assert_eq!(list.tools.len(), MOST_LISTED);
    let mut taken = ToolList::default();
    assert_eq!(taken.add(list.tools), PageResult::Exceeded);
    assert_eq!((taken.offered.len(), taken.left_out.len()), (0, MOST_TOOLS));
    let whole = call_result(result(&format!(r#"{{"content":[{many}]}}"#))).unwrap();
    assert_eq!(whole.parts.len(), MOST_PARTS + 1);
    let long = call_result(result(r#"{"content":[0,{"type":"text","text":"one"}]}"#)).unwrap();
    assert_eq!(long.parts.len(), 2, "nothing stands for what was not passed over");
}

#[test]
fn an_answer_without_parts_is_left_as_it_is() {
    assert!(parse_leniently(br#"{"jsonrpc":"2.0","id":7,"result":{"odd":1}}"#).is_none());
    assert!(parse_leniently(br#"{"jsonrpc":"2.0","id":7,"result":{"tools":5}}"#).is_none());
}

#[test]
fn prompts_that_are_none_cost_no_other() {
    let ServerResult::ListPromptsResult(list) = result(r#"{"prompts":[{"name":"a"},{"name":4},null]}"#) else {
        panic!("a list")
    };
    assert_eq!(list.prompts.len(), 1);
}
