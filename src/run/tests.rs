//! Tests the equality of a constant that two independent modules define.

use benchdog_base::environment::Environment;
use benchdog_base::problem::Location;
use benchdog_config::schema::find;
use benchdog_config::{Flags, Sources, load};
use benchdog_theme::Shelf;

#[test]
fn the_default_of_the_configuration_is_a_theme() {
    let row = find(&["ui".to_owned(), "theme".to_owned()]).unwrap();
    let default: String = serde_json::from_str(row.default).unwrap();
    assert_eq!(Shelf::default().check(&default, &Location::default()), []);
}

#[test]
fn a_rule_can_be_written_for_every_tool_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let user = folder.path().join("config.jsonc");
    for tool in benchdog_tools::Registry::builtin().declarations().iter() {
        let text = serde_json::json!({"permission": {tool.name.as_str(): "ask"}}).to_string();
        std::fs::write(&user, text).unwrap();
        let loaded = load(&Sources {
            user: user.clone(),
            project: None,
            file: None,
            stored_keys: std::path::PathBuf::new(),
            environment: &Environment::default(),
            flags: Flags::default(),
            tools: &benchdog_tools::Registry::builtin().rules(),
        });
        assert!(loaded.is_ok(), "{}: {:?}", tool.name, loaded.err());
    }
}
