//! Tests the list of settings and the input for one: Enter, Esc, and the value that is written.

use super::*;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerKind};
use crate::msg::OpResult;
use crate::themes::{ThemeAbout, ThemeOffer};
use benchdog_config::offered;
use benchdog_domain::permission::Layer;
use benchdog_domain::setting::Setting;
use benchdog_lang::{Language, described};

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
        is_list: false,
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
    match bench.state.screen.dialog.as_mut() {
        Some(Dialog::Picker(picker)) => picker,
        _ => panic!("no list is open"),
    }
}

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
    let mut now = settings();
    now[0] = setting("ui.mouse", "false", &["true", "false"]);
    bench.event(Answer::Settings(Ok(now)));
    bench.keys("enter");
    assert_eq!(
        change(&bench),
        Some(("ui.mouse".to_owned(), "true".to_owned())),
        "the last is followed by the first, under the same bar"
    );
}

fn rows(bench: &mut Bench) -> Vec<String> {
    picker(bench).items.iter().map(|item| item.text.clone()).collect()
}

#[test]
fn of_more_than_two_values_one_is_chosen_from_a_list() {
    let mut bench = open();
    bench.keys("down enter");
    assert_eq!(picker(&mut bench).kind, PickerKind::Values);
    assert_eq!(rows(&mut bench), ["auto", "en", "zh"]);
    assert_eq!(picker(&mut bench).said(), "What it is for.");
    assert_eq!(change(&bench), None, "nothing was chosen yet");
    bench.types("zh");
    bench.keys("enter");
    assert_eq!(change(&bench), Some(("ui.language".to_owned(), "zh".to_owned())));
    let mut now = settings();
    now[1] = Setting {
        layer: Layer::User,
        ..setting("ui.language", "\"zh\"", &["auto", "en", "zh"])
    };
    bench.event(Answer::Settings(Ok(now)));
    assert_eq!(
        (picker(&mut bench).kind, picker(&mut bench).cursor.at),
        (PickerKind::Settings, 1)
    );
    bench.keys("enter");
    assert_eq!(rows(&mut bench), ["auto", "en", "zh", "(not set)"]);
    assert_eq!(picker(&mut bench).cursor.at, 2, "the bar is on what counts");
    bench.keys("down enter");
    assert_eq!(change(&bench), Some(("ui.language".to_owned(), String::new())));
    bench.keys("esc");
    bench.event(Answer::Settings(Ok(settings())));
    assert_eq!(
        picker(&mut bench).kind,
        PickerKind::Settings,
        "Esc goes back to the list"
    );
}

#[test]
fn the_theme_is_chosen_while_it_is_looked_at() {
    let mut bench = Bench::new(120, 40);
    bench.types("/config\n");
    let theme = Setting {
        key: "ui.theme",
        layer: Layer::User,
        ..setting("ui.theme", "\"dark\"", &[])
    };
    bench.event(Answer::Settings(Ok(vec![theme])));
    bench.keys("enter");
    assert!(bench.ops.contains(&Op::ListThemes));
    let offer = |(name, about): (&str, ThemeAbout)| ThemeOffer {
        name: name.to_owned(),
        about,
    };
    let offers = [
        ("auto", ThemeAbout::FollowsTerminal),
        ("dark", ThemeAbout::Shipped("graphite")),
        (
            "bad",
            ThemeAbout::Broken("bad.jsonc:3:1: `x`\nbad.jsonc:4:1: `y`".to_owned()),
        ),
        ("nord", ThemeAbout::Shipped("cool")),
    ];
    bench.send(Msg::Done(OpResult::Themes {
        offers: offers.map(offer).to_vec(),
        few: None,
    }));
    assert_eq!(rows(&mut bench), ["auto", "dark", "bad", "nord", "(not set)"]);
    assert_eq!(picker(&mut bench).cursor.at, 1, "the bar is on what counts");
    bench.keys("down enter");
    assert_eq!(picker(&mut bench).said(), "bad.jsonc:3:1: `x`; bad.jsonc:4:1: `y`");
    bench.keys("down");
    assert_eq!(bench.ops.last(), Some(&Op::Theme("nord".to_owned())));
    bench.keys("enter");
    assert_eq!(change(&bench), Some(("ui.theme".to_owned(), "nord".to_owned())));
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
    assert!(bench.state.screen.dialog.is_none());
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
