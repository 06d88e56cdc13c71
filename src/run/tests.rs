//! What two rooms that must not know each other both name is the same.

use crate::base::environment::Environment;
use crate::config::schema::{KEYS, Kind};
use crate::config::{Flags, Sources, load};
use crate::theme::{Choice, Depth, Theme};

#[test]
fn the_themes_the_configuration_accepts_are_the_ones_there_are() {
    let row = KEYS.iter().find(|key| key.path == "ui.theme").unwrap();
    let Kind::Choice(named) = row.kind else {
        panic!("a theme is chosen by name");
    };
    for name in named {
        assert!(Theme::choose(&Choice::of(name), Depth::Full, None).is_ok(), "{name}");
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/themes");
    let files = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(files + 1, named.len(), "and `auto`");
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
