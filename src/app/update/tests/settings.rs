//! The list of settings and its line: what Enter and Esc do there, and what is sent to be written.

use super::*;
use crate::app::dialogs::Dialog;
use crate::app::dialogs::picker::{Picker, PickerKind};
use crate::config::offered;
use crate::domain::permission::Layer;
use crate::domain::setting::Setting;
use crate::lang::{Language, described};

fn setting(name: &str, value: &str, choices: &[&str]) -> Setting {
    Setting {
        path: name.split('.').map(str::to_owned).collect(),
        value: value.to_owned(),
        written: value.trim_matches('"').to_owned(),
        layer: Layer::Default,
        place: String::new(),
        key: "",
        about: "What it is for.",
        wants: "something".to_owned(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        at_start: false,
    }
}

fn settings() -> Vec<Setting> {
    vec![
        setting("ui.mouse", "true", &["true", "false"]),
        setting("ui.language", "\"auto\"", &["auto", "en", "zh"]),
        setting("compaction.threshold", "0.8", &[]),
        Setting {
            layer: Layer::Environment,
            place: "BENCHDOG__UI__VIM".to_owned(),
            ..setting("ui.vim", "true", &["true", "false"])
        },
    ]
}

fn picker(bench: &mut Bench) -> &mut Picker {
    match bench.state.dialog.as_mut() {
        Some(Dialog::Picker(picker)) => picker,
        _ => panic!("no list is open"),
    }
}

/// What was sent to be written last.
fn change(bench: &Bench) -> Option<(String, String)> {
    let mut commands = bench.commands().into_iter().rev();
    commands.find_map(|command| match command {
        Command::Configure { path, written } => Some((path.join("."), written.clone())),
        _ => None,
    })
}

fn open() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.types("/config\n");
    assert!(bench.commands().contains(&&Command::ListSettings));
    bench.event(Answer::Settings(Ok(settings())));
    bench
}

#[test]
fn enter_goes_to_the_next_of_a_closed_set_and_the_bar_stays() {
    let mut bench = open();
    bench.keys("enter");
    assert_eq!(change(&bench), Some(("ui.mouse".to_owned(), "false".to_owned())));
    bench.keys("down enter");
    assert_eq!(change(&bench), Some(("ui.language".to_owned(), "en".to_owned())));
    let mut now = settings();
    now[1] = setting("ui.language", "\"zh\"", &["auto", "en", "zh"]);
    bench.event(Answer::Settings(Ok(now)));
    bench.keys("enter");
    assert_eq!(
        change(&bench),
        Some(("ui.language".to_owned(), "auto".to_owned())),
        "the last is followed by the first, under the same bar"
    );
}

#[test]
fn a_number_is_written_on_a_line_which_stays_until_it_is_kept() {
    let mut bench = open();
    bench.keys("down down enter");
    assert_eq!(picker(&mut bench).kind, PickerKind::Setting);
    assert_eq!(picker(&mut bench).filter, "0.8");
    assert_eq!(change(&bench), None);
    bench.keys("ctrl-u");
    bench.types("9");
    bench.keys("enter");
    assert_eq!(
        change(&bench),
        Some(("compaction.threshold".to_owned(), "9".to_owned()))
    );
    bench.event(Answer::SettingRefused {
        why: "too much".to_owned(),
    });
    assert_eq!(picker(&mut bench).said(), "too much");
    assert_eq!(picker(&mut bench).filter, "9");
    bench.keys("ctrl-u");
    bench.types("0.6");
    bench.keys("enter");
    assert_eq!(
        change(&bench),
        Some(("compaction.threshold".to_owned(), "0.6".to_owned()))
    );
    bench.event(Answer::Settings(Ok(settings())));
    assert_eq!(picker(&mut bench).kind, PickerKind::Settings);
    assert_eq!(picker(&mut bench).cursor.at, 2, "where it was");
    bench.keys("enter esc");
    bench.event(Answer::Settings(Ok(settings())));
    assert_eq!(picker(&mut bench).kind, PickerKind::Settings, "Esc goes back");
    bench.keys("esc");
    assert!(bench.state.dialog.is_none());
}

#[test]
fn what_a_stronger_place_says_is_not_written_and_the_reason_is_told() {
    let mut bench = open();
    assert_eq!(picker(&mut bench).said(), "What it is for.");
    bench.keys("down down down enter");
    assert_eq!(change(&bench), None);
    assert!(picker(&mut bench).said().contains("BENCHDOG__UI__VIM"));
    bench.keys("up");
    assert_eq!(picker(&mut bench).said(), "What it is for.");
}

#[test]
fn a_broken_file_is_told_of_in_the_list() {
    let mut bench = Bench::new(120, 40);
    bench.types("/config\n");
    bench.event(Answer::Settings(Err("config.jsonc:1:8: expected a value".to_owned())));
    assert!(picker(&mut bench).items.is_empty());
    assert!(picker(&mut bench).said().contains("config.jsonc:1:8"));
    bench.keys("enter");
    assert_eq!(change(&bench), None);
}

#[test]
fn every_setting_of_the_list_is_described_in_every_language() {
    let offered = offered::rows();
    for language in Language::OTHERS {
        let described: Vec<&str> = described(language).iter().map(|(key, _)| *key).collect();
        assert_eq!(described, offered, "{language:?}");
    }
}
