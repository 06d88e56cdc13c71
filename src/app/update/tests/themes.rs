//! Tests the list of themes: the screen shows the theme at the cursor, and a preview is not saved.

use super::*;
use crate::msg::{MouseKind, OpResult};
use crate::themes::{FewColours, ThemeAbout, ThemeOffer};
use benchdog_protocol::Look;

fn offers() -> Vec<ThemeOffer> {
    let offer = |(name, about): (&str, ThemeAbout)| ThemeOffer {
        name: name.to_owned(),
        about,
    };
    let all = [
        ("auto", ThemeAbout::FollowsTerminal),
        ("dark", ThemeAbout::Shipped("graphite")),
        ("nord", ThemeAbout::Shipped("cool")),
        ("bad", ThemeAbout::Broken("bad.jsonc:3:1: `x` is not a key".to_owned())),
        ("mine", ThemeAbout::Own),
    ];
    all.map(offer).to_vec()
}

fn listed(bench: &mut Bench) {
    assert!(bench.ops.contains(&Op::ListThemes));
    bench.send(Msg::Done(OpResult::Themes {
        offers: offers(),
        few: None,
    }));
}

fn choosing() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.types("/theme\n");
    listed(&mut bench);
    bench
}

fn seen(bench: &Bench) -> Vec<&str> {
    let themes = bench.ops.iter().filter_map(|op| match op {
        Op::Theme(name) => Some(name.as_str()),
        _ => None,
    });
    themes.collect()
}

fn said(bench: &Bench) -> String {
    bench
        .state
        .screen
        .toast
        .as_ref()
        .map(|toast| toast.text.clone())
        .unwrap_or_default()
}

fn conversation(bench: &Bench) -> String {
    let spans = bench
        .state
        .screen
        .conversation
        .rows()
        .iter()
        .flat_map(|row| &row.line.spans);
    spans.map(|span| span.text.as_str()).collect()
}

#[test]
fn the_picture_has_the_colours_of_the_row_under_the_bar_and_esc_gives_the_old_ones_back() {
    let mut bench = choosing();
    assert_eq!(seen(&bench), [""; 0], "the bar is on the theme that counts");
    bench.keys("down down");
    assert_eq!(seen(&bench), ["dark", "nord"]);
    bench.keys("esc");
    assert_eq!(seen(&bench), ["dark", "nord", "auto"]);
    assert!(bench.state.screen.dialog.is_none() && said(&bench).is_empty());
}

#[test]
fn what_is_typed_into_the_list_changes_the_colours_too() {
    let mut bench = choosing();
    bench.types("nor");
    assert_eq!(seen(&bench).last(), Some(&"nord"));
    bench.types("zzz");
    assert_eq!(seen(&bench).last(), Some(&"auto"), "nothing is under the bar");
}

#[test]
fn enter_keeps_it_and_says_how_it_is_kept_for_good() {
    let mut bench = choosing();
    bench.keys("down down enter");
    assert_eq!(seen(&bench), ["dark", "nord"]);
    assert!(bench.state.screen.dialog.is_none());
    let told = conversation(&bench);
    assert!(told.contains("\"ui\": { \"theme\": \"nord\" }"), "{told}");
    // The list starts at the active theme. Esc restores that theme.
    bench.types("/theme\n");
    listed(&mut bench);
    bench.keys("up esc");
    assert_eq!(seen(&bench), ["dark", "nord", "dark", "nord"]);
}

#[test]
fn the_theme_of_the_configuration_is_taken_without_a_word_about_keeping_it() {
    let mut bench = choosing();
    bench.keys("down up enter");
    assert_eq!(seen(&bench), ["dark", "auto"]);
    assert_eq!(said(&bench), "theme auto");
    assert_eq!(conversation(&bench), "");
}

#[test]
fn however_the_list_is_left_the_old_colours_are_back() {
    for way in ["f1", "ctrl-p", "ctrl-c", "ctrl-f"] {
        let mut bench = choosing();
        bench.keys("down down");
        bench.keys(way);
        // In the list, `Ctrl+P` moves up by one row.
        let last = if way == "ctrl-p" { "dark" } else { "auto" };
        assert_eq!(seen(&bench).last(), Some(&last), "{way}");
    }
    let mut bench = choosing();
    bench.keys("down");
    let (kind, at) = (MouseKind::Press, bench.now);
    bench.send(Msg::Mouse { kind, x: 0, y: 0, at });
    assert_eq!(seen(&bench), ["dark", "auto"]);
}

#[test]
fn a_name_that_is_written_is_taken_where_there_is_one_and_else_the_nearest_is_said() {
    let mut bench = Bench::new(120, 40);
    bench.types("/theme mine\n");
    assert!(bench.state.screen.dialog.is_none());
    listed(&mut bench);
    assert_eq!(seen(&bench), ["mine"]);
    assert!(
        conversation(&bench).contains("Theme `mine` stays until you quit"),
        "{}",
        conversation(&bench)
    );
    for (wrong, told) in [
        ("nrod", "Unknown theme `nrod`. Did you mean `nord`?"),
        ("qqqqqq", "Unknown theme `qqqqqq`. `/theme` lists all."),
    ] {
        bench.types(&format!("/theme {wrong}\n"));
        listed(&mut bench);
        assert_eq!(said(&bench), told);
        assert_eq!(seen(&bench), ["mine"]);
    }
}

#[test]
fn a_theme_that_is_wrong_changes_no_colour_and_says_where_it_is_wrong() {
    let mut bench = choosing();
    bench.keys("down down down");
    assert_eq!(seen(&bench), ["dark", "nord", "auto"]);
    let below = |bench: &Bench| match &bench.state.screen.dialog {
        Some(crate::dialogs::Dialog::Picker(picker)) => picker.said().to_owned(),
        _ => String::new(),
    };
    assert_eq!(below(&bench), "", "nothing promises that Enter uses the theme");
    bench.keys("up");
    assert!(below(&bench).contains("Enter uses the theme"), "{}", below(&bench));
    bench.keys("down enter");
    assert!(bench.state.screen.dialog.is_none());
    assert!(
        conversation(&bench).contains("bad.jsonc:3:1"),
        "{}",
        conversation(&bench)
    );
    let mut bench = Bench::new(120, 40);
    bench.types("/theme bad\n");
    listed(&mut bench);
    assert!(conversation(&bench).contains("bad.jsonc:3:1") && seen(&bench).is_empty());
}

#[test]
fn what_a_project_says_does_not_win_over_what_the_person_picked() {
    let look = |theme: &str| {
        Answer::Look(Look {
            theme: theme.to_owned(),
            keys: Vec::new(),
            mouse: true,
            vim: false,
            confirm_exit: true,
            alt_decides: true,
        })
    };
    let mut bench = Bench::new(120, 40);
    bench.event(look("dark"));
    assert_eq!(seen(&bench), ["dark"]);
    bench.types("/theme nord\n");
    listed(&mut bench);
    bench.event(look("light"));
    assert_eq!(seen(&bench), ["dark", "nord"]);
}

#[test]
fn where_there_are_few_colours_the_list_says_so() {
    for (few, told) in [
        (FewColours::Sixteen, "Only 16 colours"),
        (FewColours::None, "No colours here"),
    ] {
        let mut bench = Bench::new(120, 40);
        bench.types("/theme\n");
        let few = Some(few);
        bench.send(Msg::Done(OpResult::Themes { offers: offers(), few }));
        let Some(crate::dialogs::Dialog::Picker(picker)) = &bench.state.screen.dialog else {
            panic!("no list")
        };
        assert!(picker.note.contains(told), "{}", picker.note);
    }
}

#[test]
fn in_a_narrow_window_what_the_theme_under_the_bar_is_stands_whole_below_the_list() {
    let mut bench = Bench::new(80, 24);
    bench.types("/theme\n");
    listed(&mut bench);
    bench.keys("down");
    let Some(crate::dialogs::Dialog::Picker(picker)) = &bench.state.screen.dialog else {
        panic!("no list")
    };
    assert!(picker.is_bare(36) && !picker.is_bare(60));
    assert!(
        picker.said_rows(36, 20)[0].starts_with("graphite · "),
        "{:?}",
        picker.said_rows(36, 20)
    );
    assert!(!picker.said_rows(60, 20)[0].contains("graphite"));
}
