use serde_json::json;

use super::*;

fn offered(resources: &serde_json::Value, templates: &serde_json::Value) -> Vec<OfferedResource> {
    let (mut whole, mut behind) = (Vec::new(), Vec::new());
    let page: Vec<Resource> = serde_json::from_value(resources.clone()).unwrap();
    add(&mut whole, page);
    let page: Vec<ResourceTemplate> = serde_json::from_value(templates.clone()).unwrap();
    add(&mut behind, page);
    joined(whole, behind)
}

#[test]
fn what_nobody_can_read_and_what_steers_is_not_offered() {
    let resources = json!([
        {"uri": "note://a", "name": "a\u{1b}[2J\nnote"},
        {"uri": "note://a", "name": "once more"},
        {"uri": "note://b\u{1b}[31m", "name": "red"},
        {"uri": "note://\u{202e}c", "name": "backwards"},
        {"uri": format!("note://{}", "x".repeat(3_000)), "name": "long"},
        {"uri": " ", "name": "nothing"},
        {"uri": "note://a @notes.txt", "name": "another's"},
    ]);
    let templates = json!([
        {"uriTemplate": "note://{name}/x", "name": "any"},
        {"uriTemplate": "note://a @notes.txt {name}", "name": "another's"},
    ]);
    let offered = offered(&resources, &templates);
    let uris: Vec<&str> = offered.iter().map(|one| one.uri.as_str()).collect();
    assert_eq!(uris, ["note://a", "note://{name}/x"]);
    assert_eq!(offered[0].title, "a note");
    assert_eq!(offered[1].beginning(), "note://");
}

#[test]
fn two_thousand_of_long_names_are_a_list_that_can_be_looked_at() {
    let many: Vec<_> = (0..2_000)
        .map(|at| json!({"uri": format!("n://{at}"), "name": "words ".repeat(1_000)}))
        .collect();
    let offered = offered(&json!(many), &json!([]));
    assert_eq!(offered.len(), MOST_RESOURCES);
    assert!(offered.iter().all(|one| one.title.len() <= MOST_RESOURCE_WORDS + 4));
    let mut taken = Vec::new();
    for (number, more) in [
        (0, PageResult::Continue),
        (1, PageResult::Exceeded),
        (2, PageResult::Exceeded),
    ] {
        let page = (0..MOST_RESOURCES).map(|at| Resource::new(format!("n://{number}-{at}"), "words ".repeat(1_000)));
        assert_eq!(add(&mut taken, page.collect()), more);
        assert!(
            taken.len() <= MOST_RESOURCES + 1 && taken.iter().all(|one| one.title.len() <= MOST_RESOURCE_WORDS + 4)
        );
    }
}
