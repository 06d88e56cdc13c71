use super::*;

#[test]
fn every_value_knows_its_line_in_the_file() {
    let text = "\n---\nmode: subagent\nsteps: 3\ntemperature: 0.5\nmodel: null\npermission:\n  bash:\n    \"ls *\": allow\ntools: [read, -bash]\n---\nBody.\n";
    let Parts { front, body } = parts(text).unwrap();
    let (front, first) = front.unwrap();
    assert_eq!((body, first), ("Body.\n", 3));
    let tree = tree("a.md", front, first, &[]).unwrap();
    let place = |name: &str| tree.property(name).unwrap().place.short();
    assert_eq!(
        ["mode", "steps", "permission", "tools"].map(place),
        ["a.md:3", "a.md:4", "a.md:7", "a.md:10"]
    );
    let bash = tree.property("permission").unwrap().value.property("bash").unwrap();
    assert_eq!(bash.value.property("ls *").unwrap().place.short(), "a.md:9");
    assert_eq!(
        tree.to_value(),
        serde_json::json!({"mode": "subagent", "steps": 3, "temperature": 0.5, "model": null,
            "permission": {"bash": {"ls *": "allow"}}, "tools": ["read", "-bash"]})
    );
}

#[test]
fn sentences_need_no_quotes_and_what_is_no_yaml_is_told_with_its_line() {
    let front = "description: Use it: always\n  and more\nsteps: 3\n";
    let tree = tree("a.md", front, 2, &["description"]).unwrap();
    assert_eq!(
        tree.to_value(),
        serde_json::json!({"description": "Use it: always and more", "steps": 3})
    );
    assert_eq!(tree.property("steps").unwrap().place.line, 4);
    let wrong = super::tree("a.md", "steps: 3\ntools: [a\n", 2, &["description"]).unwrap_err();
    assert!(wrong.line >= 3, "{wrong:?}");
    assert_eq!(parts("---\nname: a\n").unwrap_err().line, 1);
}
