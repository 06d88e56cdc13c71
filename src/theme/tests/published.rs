//! Tests that published palettes are unchanged, and that derived colours are mixed from them as documented.

use std::collections::BTreeMap;

use ratatui::style::Color;

use super::super::load::load;
use super::super::shelf::Shelf;
use super::super::shipped::{Colours, SHIPPED};
use benchdog_base::problem::Location;

/// The published palettes, one per line: the theme's name, then its colours.
const PUBLISHED: &str = include_str!("../../../tests/data/themes/published.txt");

fn published() -> BTreeMap<&'static str, Vec<[u8; 3]>> {
    let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
    let palette = |line: &'static str| {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        let colour = |word: &str| {
            let [_, red, green, blue] = u32::from_str_radix(word, 16).unwrap().to_be_bytes();
            [red, green, blue]
        };
        Some((name, words.map(colour).collect()))
    };
    lines.filter_map(palette).collect()
}

fn is_mixed(colour: [u8; 3], palette: &[[u8; 3]]) -> bool {
    let between = |part: f32, from: [u8; 3], to: [u8; 3]| {
        let pairs = from.into_iter().zip(to).zip(colour);
        pairs.into_iter().all(|((from, to), got)| {
            let mixed = f32::from(from) + (f32::from(to) - f32::from(from)) * part;
            (mixed - f32::from(got)).abs() <= 0.51
        })
    };
    let parts = [0.06, 0.07, 0.08, 0.10, 0.12, 0.15, 0.25, 0.28, 0.30, 0.35];
    let all = |part| {
        palette
            .iter()
            .any(|from| palette.iter().any(|to| between(part, *from, *to)))
    };
    parts.into_iter().any(all)
}

#[test]
fn a_named_palette_keeps_its_colours() {
    let published = published();
    for theme in SHIPPED.iter().filter(|theme| theme.colours != Colours::Own) {
        let palette = published
            .get(theme.name)
            .unwrap_or_else(|| panic!("{} is not listed", theme.name));
        let loaded = load(&Shelf::default(), theme.name, &Location::default()).unwrap();
        let mut mixed = Vec::new();
        for style in loaded.styles {
            for colour in [style.fg, style.bg].into_iter().flatten() {
                let Color::Rgb(red, green, blue) = colour else {
                    panic!("{}: {colour:?}", theme.name);
                };
                let colour = [red, green, blue];
                if !palette.contains(&colour) && !mixed.contains(&colour) {
                    assert!(is_mixed(colour, palette), "{}: {colour:02x?}", theme.name);
                    mixed.push(colour);
                }
            }
        }
        assert!(
            mixed.len() <= 4,
            "{}: only the grounds of changed lines are mixed: {mixed:02x?}",
            theme.name
        );
    }
    assert_eq!(
        published.len(),
        SHIPPED.iter().filter(|theme| theme.colours != Colours::Own).count()
    );
}
