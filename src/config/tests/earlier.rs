//! Tests of older and newer configuration formats.

use super::super::earlier::EARLIER;
use super::super::schema;
use super::*;
use benchdog_domain::notice::ConfigNotice;

#[test]
fn a_file_of_a_later_version_is_one_error_whatever_else_stands_in_it() {
    let problems = Fixture::user("{\"version\": 2, \"zzz\": 1,\n\"model\": 5}").problems();
    assert_eq!(
        problems,
        [
            "user.jsonc:1:13: this file is of version 2 of the configuration, and this Benchdog reads version 1; \
             use a later Benchdog, or write `\"version\": 1` and fix what is then told"
        ]
    );
    assert!(Fixture::user(r#"{"version": 1}"#).load().is_ok());
    let odd = Fixture::user(r#"{"version": "1"}"#).problems();
    assert!(odd[0].contains("`version` must be a whole number"), "{odd:?}");
}

#[test]
fn a_key_by_an_earlier_name_is_read_and_told_with_what_it_is_called_now() {
    let loaded = Fixture::user("{\n\"vim_keybindings\": true,\n\"ui\": {\"mouse\": false}}")
        .load()
        .unwrap();
    assert!(loaded.settings.ui.vim && !loaded.settings.ui.mouse);
    let [ConfigNotice::Renamed { place, was, now }] = loaded.settings.remarks.as_slice() else {
        panic!("{:?}", loaded.settings.remarks)
    };
    assert!(place.ends_with("user.jsonc:2"), "{place}");
    assert_eq!((was.as_str(), now.as_str()), ("vim_keybindings", "ui.vim"));
    // The parent object of the new key does not exist yet.
    let loaded = Fixture::user(r#"{"ask_confirmation_on_exit": false}"#).load().unwrap();
    assert!(!loaded.settings.ui.confirm_exit);
    let wrong = Fixture::user(r#"{"vim_keybindings": "yes"}"#).problems();
    assert!(wrong[0].contains("`ui.vim` must be true or false"), "{wrong:?}");
    let both = Fixture::user(r#"{"default_model": "a", "model": "b"}"#).problems();
    assert_eq!(
        both,
        ["user.jsonc:1:2: `default_model` is called `model` now, which is set here, too; remove `default_model`"]
    );
}

#[test]
fn every_earlier_name_leads_to_a_key_there_is() {
    for (was, path) in EARLIER {
        assert!(schema::find(path).is_some(), "{was}");
        assert!(schema::find(&[was]).is_none(), "{was} is a key itself");
    }
}
