use serde_json::json;

use super::*;

fn prompts(told: serde_json::Value) -> Vec<OfferedPrompt> {
    let mut offered = Vec::new();
    let page = serde_json::from_value(told).unwrap();
    add(&ServerName("files".to_owned()), &mut offered, page);
    offered
}

#[test]
fn what_nobody_can_write_and_what_steers_is_no_prompt() {
    let offered = prompts(json!([
        {"name": "re view", "description": "looks\u{1b}[2J at\nit"},
        {"name": "re_view"},
        {"name": "a\u{1b}[31m"},
        {"name": "x".repeat(65)},
        {"name": "wants", "arguments": [{"name": "a b", "required": true}]},
        {"name": "backwards", "arguments": [{"name": "a\u{202e}b"}]},
        {"name": "many", "arguments": (0..40).map(|at| json!({"name": format!("a{at}")})).collect::<Vec<_>>()},
        {"name": "ok", "arguments": [{"name": "code", "required": true}, {"name": "style"}]},
    ]));
    let names: Vec<&str> = offered.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["re view", "ok"]);
    assert_eq!(offered[0].description, "looks at it");
    let needs: Vec<Need> = offered[1].arguments.iter().map(|one| one.need).collect();
    assert_eq!(needs, [Need::Required, Need::Optional]);
}

#[test]
fn values_that_steer_or_have_no_end_are_not_offered() {
    let mut told = vec![
        "python".to_owned(),
        "py\u{1b}[2J".to_owned(),
        "python".to_owned(),
        "x".repeat(300),
    ];
    told.push("a \"quote\"".to_owned());
    told.extend(["@.env", "see @notes.txt", "x,@\u{6587}.md", "@files:note://a"].map(str::to_owned));
    told.extend((0..100).map(|at| format!("p{at}")));
    let of = |told: serde_json::Value| match values(serde_json::from_value(told).unwrap()) {
        Values::Known { values, left_out } => (values, left_out),
        Values::NotYet => panic!("it runs"),
    };
    let (shown, left_out) = of(json!({"values": told}));
    let first = (shown.len(), shown[0].as_str(), shown[1].as_str());
    assert_eq!((first, left_out), ((20, "python", "p0"), LeftUntold::Of(109)));
    let (_, left_out) = of(json!({"values": told, "total": 523, "hasMore": true}));
    assert_eq!(left_out, LeftUntold::Of(523));
    assert_eq!(of(json!({"values": ["a"], "hasMore": true})).1, LeftUntold::Some);
    assert_eq!(of(json!({"values": ["a"], "total": 1})).1, LeftUntold::None);
    assert!(shown.iter().all(|value| !value.contains('@')), "{shown:?}");
    let address = vec!["rex@kennel.example".to_owned()];
    assert_eq!(listed(address.clone()), address, "it names nothing");
}

#[test]
fn five_hundred_of_ten_megabytes_are_a_list_that_can_be_looked_at() {
    let many: Vec<_> = (0..500)
        .map(|at| json!({"name": format!("p{at}"), "description": "words ".repeat(2_000)}))
        .collect();
    let offered = prompts(json!(many));
    assert_eq!(offered.len(), MOST_PROMPTS);
    assert!(offered.iter().all(|one| one.description.len() <= MOST_PROMPT_WORDS + 4));
    let mut offered = Vec::new();
    for (number, more) in [(0, PageResult::Continue), (1, PageResult::Exceeded)] {
        let page = (0..MOST_PROMPTS).map(|at| Prompt::new(format!("p{number}-{at}"), None::<String>, None));
        let told = add(&ServerName("files".to_owned()), &mut offered, page.collect());
        assert_eq!((told, offered.len()), (more, MOST_PROMPTS));
    }
}
