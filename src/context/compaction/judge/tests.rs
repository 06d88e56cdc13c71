use super::{judged, most_bytes};
use benchdog_base::id::CallId;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::message::{Arguments, Reply, ToolCall};

fn said(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..Reply::default()
    }
}

#[test]
fn only_a_short_text_of_its_own_is_a_summary() {
    let long = "line after line of what was said, 説明と一緒に. ".repeat(60);
    let kept = judged(&said(" The task is to mend rounding. "), &long, 100);
    assert_eq!(kept.as_deref(), Ok("The task is to mend rounding."));
    assert_eq!(judged(&said(" \n… "), &long, 100), Err(NoSummary::Empty));
    assert_eq!(judged(&said(&"word ".repeat(1_000)), "", 100), Err(NoSummary::TooLong));
    assert_eq!(judged(&said(&long), &long, 10_000), Err(NoSummary::Repeated));
    let called = Reply {
        calls: vec![ToolCall {
            id: CallId("a".to_owned()),
            name: "read".to_owned(),
            arguments: Arguments::Raw(String::new()),
        }],
        ..said("The task is to mend rounding.")
    };
    assert_eq!(judged(&called, &long, 100), Err(NoSummary::Called));
    assert!(
        most_bytes(100) > 2 * 100 * 4,
        "what may still be a summary is read to its end"
    );
}
