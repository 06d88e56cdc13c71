//! Every theme is readable, complete and names only what exists.

use ratatui::style::{Color, Modifier, Style};

use super::load::{SHIPPED, load};
use super::style::{Choice, Depth, Ground, Theme, indexed_rgb};
use super::{Scope, ThemeError};
use crate::base::environment::Environment;

/// Lines, not text: they may be fainter.
const LINES: &[Scope] = &[Scope::Border, Scope::GaugeEmpty];

/// Text that is painted over a ground of another scope.
const GROUNDS: &[(Scope, &[Scope])] = &[
    (
        Scope::Selected,
        &[
            Scope::Text,
            Scope::TextDim,
            Scope::TextAccent,
            Scope::StateOk,
            Scope::StateError,
            Scope::MarkGit,
            Scope::MarkFolder,
            Scope::SelectedMatch,
        ],
    ),
    (
        Scope::OwnWords,
        &[Scope::Text, Scope::TextDim, Scope::TextAccent, Scope::RoleYou],
    ),
    (Scope::TextCode, &SYNTAX),
    (Scope::DiffAdded, &SYNTAX),
    (Scope::DiffRemoved, &SYNTAX),
    (
        Scope::DiffAdded,
        &[Scope::DiffNumber, Scope::DiffAddedSign, Scope::DiffDropped],
    ),
    (
        Scope::DiffRemoved,
        &[Scope::DiffNumber, Scope::DiffRemovedSign, Scope::DiffDropped],
    ),
];

const SYNTAX: [Scope; 8] = [
    Scope::Text,
    Scope::SyntaxKeyword,
    Scope::SyntaxString,
    Scope::SyntaxNumber,
    Scope::SyntaxType,
    Scope::SyntaxFunction,
    Scope::SyntaxComment,
    Scope::SyntaxPunctuation,
];

fn luminance(colour: Color) -> f64 {
    let rgb = match colour {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(index) => indexed_rgb(index),
        other => panic!("{other:?} has no known luminance"),
    };
    let [r, g, b] = rgb.map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.03928 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn assert_readable(theme: &Theme, name: &str, depth: Depth, over: Scope, scope: Scope) {
    let base = theme.style(Scope::Text).patch(theme.style(over));
    let style: Style = base.patch(theme.style(scope));
    let (fg, bg) = (style.fg.unwrap(), style.bg.unwrap());
    let found = contrast(fg, bg);
    assert!(
        found >= 4.5,
        "{name} in {depth:?}: `{}` over `{}` has contrast {found:.2}",
        scope.name(),
        over.name()
    );
}

#[test]
fn every_text_on_every_ground_has_a_contrast_of_at_least_four_and_a_half() {
    for name in ["dark", "light"] {
        for depth in [Depth::Full, Depth::Indexed] {
            let theme = Theme::choose(&Choice::of(name), depth, None).unwrap();
            for scope in Scope::ALL.iter().filter(|scope| !LINES.contains(scope)) {
                assert_readable(&theme, name, depth, Scope::Text, *scope);
            }
            for (ground, texts) in GROUNDS {
                for text in *texts {
                    assert_readable(&theme, name, depth, *ground, *text);
                }
            }
        }
    }
}

#[test]
fn every_shipped_theme_loads_whole() {
    for (name, _) in SHIPPED {
        let loaded = load(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(loaded.styles.len(), Scope::ALL.len());
    }
}

#[test]
fn the_place_of_a_scope_in_the_table_is_its_number() {
    for (place, scope) in Scope::ALL.iter().enumerate() {
        assert_eq!(*scope as usize, place, "{}", scope.name());
    }
}

#[test]
fn without_colour_no_style_has_one_and_meaning_is_kept_by_weight() {
    for choice in [Choice::Auto, Choice::of("light")] {
        let theme = Theme::choose(&choice, Depth::Plain, None).unwrap();
        for scope in Scope::ALL {
            let style = theme.style(*scope);
            assert!(
                matches!(style.fg, None | Some(Color::Reset)) && matches!(style.bg, None | Some(Color::Reset)),
                "`{}` has a colour",
                scope.name()
            );
        }
        let weight = |scope| theme.style(scope).add_modifier;
        assert!(weight(Scope::StateWaiting).contains(Modifier::BOLD));
        assert!(weight(Scope::DiffAddedWord).contains(Modifier::UNDERLINED));
        assert_ne!(weight(Scope::BorderTitleFocused), weight(Scope::BorderTitle));
        assert_ne!(weight(Scope::DialogKey), weight(Scope::DialogKeyAsleep));
    }
}

#[test]
fn sixteen_colours_use_only_what_such_a_terminal_has() {
    let theme = Theme::choose(&Choice::Auto, Depth::Sixteen, None).unwrap();
    for scope in Scope::ALL {
        for colour in [theme.style(*scope).fg, theme.style(*scope).bg].into_iter().flatten() {
            assert!(
                !matches!(colour, Color::Rgb(..) | Color::Indexed(_)),
                "`{}`",
                scope.name()
            );
        }
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
    let chosen = |ground| Theme::choose(&Choice::Auto, Depth::Full, ground).unwrap().ground();
    assert_eq!(chosen(None), Ground::Dark);
    assert_eq!(chosen(Some(Ground::Light)), Ground::Light);
}

#[test]
fn an_unknown_theme_is_named_with_those_that_exist() {
    let error = Theme::choose(&Choice::of("drak"), Depth::Full, None).unwrap_err();
    assert_eq!(
        error,
        ThemeError::Unknown {
            name: "drak".to_owned(),
            known: "dark, light, sixteen, plain".to_owned()
        }
    );
}
