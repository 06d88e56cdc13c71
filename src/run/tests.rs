//! What two rooms that must not know each other both name is the same.

use crate::base::environment::Environment;
use crate::base::problem::Location;
use crate::config::schema::find;
use crate::config::{Flags, Sources, load};
use crate::theme::Shelf;

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
    for tool in crate::tools::Registry::builtin().declarations().iter() {
        let text = serde_json::json!({"permission": {tool.name.as_str(): "ask"}}).to_string();
        std::fs::write(&user, text).unwrap();
        let loaded = load(&Sources {
            user: user.clone(),
            project: None,
            file: None,
            stored_keys: std::path::PathBuf::new(),
            environment: &Environment::default(),
            flags: Flags::default(),
            tools: &crate::tools::Registry::builtin().rules(),
        });
        assert!(loaded.is_ok(), "{}: {:?}", tool.name, loaded.err());
    }
}
