//! Tests that shipped themes are complete, correctly attributed, and usable with few colours.

mod files;
mod published;

use ratatui::style::{Color, Modifier};

use super::load::load;
use super::shelf::Shelf;

use super::shipped::{Colours, SHIPPED};
use super::style::{Choice, Depth, Ground, Theme, indexed_rgb, nearest_index};
use super::{AUTO, Scope};
use benchdog_base::environment::Environment;
use benchdog_base::problem::Location;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../themes");

#[test]
fn every_shipped_theme_loads_whole_and_every_file_is_one() {
    for theme in SHIPPED {
        let loaded =
            load(&Shelf::default(), theme.name, &Location::default()).unwrap_or_else(|told| panic!("{told:?}"));
        assert_eq!(loaded.styles.len(), Scope::ALL.len());
        assert_ne!(theme.name, AUTO);
    }
    let files = std::fs::read_dir(FOLDER).unwrap().map(|file| file.unwrap().file_name());
    let files = files.filter(|file| file.to_string_lossy().ends_with(".jsonc")).count();
    assert_eq!(files, SHIPPED.len());
}

#[test]
fn every_published_palette_has_its_notice() {
    let notices = std::fs::read_to_string(format!("{FOLDER}/LICENSES")).unwrap();
    let sections: Vec<&str> = notices.split("\n---\n").collect();
    for theme in SHIPPED {
        let Colours::Published { by, licence } = theme.colours else {
            continue;
        };
        assert!(["MIT", "Apache-2.0"].contains(&licence), "{}: {licence}", theme.name);
        let name = format!("`{}`", theme.name);
        let own: Vec<_> = sections.iter().filter(|section| section.contains(&name)).collect();
        let [notice] = own.as_slice() else {
            panic!("{} has {} notices", theme.name, own.len());
        };
        let copyright = notice.lines().find(|line| line.starts_with("Copyright (c) 20"));
        assert!(
            copyright.is_some_and(|line| line.contains(by)),
            "{}: {copyright:?}",
            theme.name
        );
    }
}

#[test]
fn the_place_of_a_scope_in_the_table_is_its_number_and_each_says_what_it_is() {
    for (place, scope) in Scope::ALL.iter().enumerate() {
        assert_eq!(*scope as usize, place, "{}", scope.name());
        assert!(scope.about().ends_with('.'), "{}", scope.name());
    }
}

#[test]
fn without_colour_no_style_has_one_and_meaning_is_kept_by_weight() {
    for choice in [Choice::Auto, Choice::of("light")] {
        let theme = Theme::choose(&Shelf::default(), &choice, Depth::Plain, None).unwrap();
        for scope in Scope::ALL {
            let style = theme.style(*scope);
            assert!(
                matches!(style.fg, None | Some(Color::Reset)) && matches!(style.bg, None | Some(Color::Reset)),
                "`{}` has a colour",
                scope.name()
            );
        }
        assert_told_by_weight(&theme);
    }
}

fn assert_told_by_weight(theme: &Theme) {
    let weight = |scope| theme.style(scope).add_modifier;
    assert!(weight(Scope::StateWaiting).contains(Modifier::BOLD));
    assert!(weight(Scope::StateError).contains(Modifier::BOLD));
    assert!(weight(Scope::Selected).contains(Modifier::REVERSED));
    // Bold does not distinguish the title, because the border line next to it is bold too.
    assert!(weight(Scope::BorderTitleFocused).contains(Modifier::REVERSED));
    assert!(weight(Scope::DiffAddedWord).contains(Modifier::UNDERLINED));
    assert!(weight(Scope::DiffRemovedWord).contains(Modifier::UNDERLINED));
    for (one, other) in [
        (Scope::BorderTitleFocused, Scope::BorderTitle),
        (Scope::BorderFocused, Scope::Border),
        (Scope::DialogKey, Scope::DialogKeyAsleep),
        (Scope::DialogDanger, Scope::Dialog),
        (Scope::DiffDropped, Scope::Text),
        (Scope::StatusKey, Scope::Status),
    ] {
        assert_ne!(weight(one), weight(other), "{} and {}", one.name(), other.name());
    }
}

#[test]
fn sixteen_colours_use_only_what_such_a_terminal_has_whatever_was_chosen() {
    for choice in SHIPPED.iter().map(|theme| Choice::of(theme.name)).chain([Choice::Auto]) {
        let theme = Theme::choose(&Shelf::default(), &choice, Depth::Sixteen, None).unwrap();
        for scope in Scope::ALL {
            for colour in [theme.style(*scope).fg, theme.style(*scope).bg].into_iter().flatten() {
                assert!(
                    !matches!(colour, Color::Rgb(..) | Color::Indexed(_)),
                    "{choice:?}: `{}`",
                    scope.name()
                );
            }
        }
        assert_told_by_weight(&theme);
    }
}

#[test]
fn in_256_colours_words_that_were_added_stand_on_green_and_removed_ones_on_red() {
    for name in ["dark", "light", "contrast-dark", "contrast-light", "dracula"] {
        let theme = Theme::shipped(name, Depth::Indexed);
        let ground = |scope| match theme.style(scope).bg {
            Some(Color::Indexed(index)) => indexed_rgb(index),
            other => panic!("{name}: {other:?}"),
        };
        let [red, green, _] = ground(Scope::DiffAddedWord);
        assert!(green > red, "{name}");
        let [red, green, _] = ground(Scope::DiffRemovedWord);
        assert!(red > green, "{name}");
        // A colour without hue is mapped to a colour without hue.
        let [red, green, _] = ground(Scope::Selected);
        assert!(red.abs_diff(green) < 40, "{name}");
    }
}

#[test]
fn the_nearest_of_256_colours_is_the_one_that_looking_at_each_would_find() {
    let distance =
        |a: [u8; 3], b: [u8; 3]| -> u32 { a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum() };
    for n in 0..4096u32 {
        let channel = |shift: u32| u8::try_from((n >> shift) % 16 * 17).unwrap();
        let wanted = [channel(8), channel(4), channel(0)];
        let looked_at = (16..=255).min_by_key(|index| distance(wanted, indexed_rgb(*index)));
        assert_eq!(Some(nearest_index(wanted)), looked_at, "{wanted:?}");
    }
}

fn environment(pairs: &[(&str, &str)]) -> Environment {
    Environment::of(pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())))
}

#[test]
fn the_environment_says_how_many_colours_there_are() {
    for (pairs, depth) in [
        (
            vec![("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
            Depth::Full,
        ),
        (vec![("TERM", "xterm-kitty")], Depth::Full),
        (vec![("TERM", "tmux-256color")], Depth::Indexed),
        (vec![("TERM", "linux")], Depth::Sixteen),
        (vec![("TERM", "dumb"), ("COLORTERM", "truecolor")], Depth::Plain),
        (vec![("TERM", "xterm-kitty"), ("NO_COLOR", "1")], Depth::Plain),
        (vec![("TERM", "xterm-kitty"), ("AGENT_NO_COLOR", "1")], Depth::Plain),
        (vec![("TERM", "xterm-kitty"), ("NO_COLOR", "")], Depth::Full),
    ] {
        assert_eq!(Depth::of(&environment(&pairs)), depth, "{pairs:?}");
    }
}

#[test]
fn auto_is_dark_unless_the_terminal_says_light() {
    let ground = |value| Ground::of(&environment(&[("COLORFGBG", value)]));
    assert_eq!(ground("0;15"), Some(Ground::Light));
    assert_eq!(ground("15;default;0"), Some(Ground::Dark));
    assert_eq!(ground("default"), None);
    assert_eq!(Ground::of_colour(0.98, 0.97, 0.95), Ground::Light);
    assert_eq!(Ground::of_colour(0.12, 0.12, 0.12), Ground::Dark);
    let chosen = |ground| {
        let theme = Theme::choose(&Shelf::default(), &Choice::Auto, Depth::Full, ground);
        theme.unwrap().ground()
    };
    assert_eq!(chosen(None), Ground::Dark);
    assert_eq!(chosen(Some(Ground::Light)), Ground::Light);
}
