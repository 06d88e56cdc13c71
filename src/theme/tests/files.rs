//! Tests of custom themes: one folder, and errors with position and suggestion.

use ratatui::style::{Color, Modifier};
use tempfile::TempDir;

use super::super::file::parse;
use super::super::shelf::{Offer, OfferKind, Shelf};
use super::super::style::{Choice, Depth, Ground, Theme};
use super::super::{SHIPPED, Scope};
use benchdog_base::problem::Location;

fn shelf(files: &[(&str, &str)]) -> (TempDir, Shelf) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(format!("{name}.jsonc")), text).unwrap();
    }
    let shelf = Shelf::of(folder.path().to_path_buf());
    (folder, shelf)
}

fn theme(shelf: &Shelf, name: &str) -> Theme {
    let chosen = Theme::choose(shelf, &Choice::of(name), Depth::Full, None);
    chosen.unwrap_or_else(|told| panic!("{told:?}"))
}

fn wrong(text: &str) -> Vec<String> {
    let (folder, shelf) = shelf(&[("mine", text)]);
    let place = Location::file("config.jsonc:2");
    let told = shelf
        .check("mine", &place)
        .into_iter()
        .map(|problem| problem.to_string());
    let folder = format!("{}/", folder.path().display());
    told.map(|line| line.replace(&folder, "")).collect()
}

#[test]
fn a_theme_of_ones_own_changes_what_it_names_and_keeps_the_rest() {
    let text = r##"{
        "inherits": "light",
        "palette": { "accent": "#112233", "mine": "accent" },
        "scopes": { "text.heading": { "fg": "mine", "bold": false, "underline": true } }
    }"##;
    let (_folder, shelf) = shelf(&[("mine", text), ("next", r#"{"inherits": "mine"}"#)]);
    for name in ["mine", "next"] {
        let own = theme(&shelf, name);
        let heading = own.style(Scope::TextHeading);
        assert_eq!(heading.fg, Some(Color::Rgb(0x11, 0x22, 0x33)));
        assert_eq!(heading.add_modifier, Modifier::UNDERLINED);
        assert_eq!(own.style(Scope::StatusKey).fg, heading.fg, "by the name of the palette");
        assert_eq!(own.style(Scope::StateOk), theme(&shelf, "light").style(Scope::StateOk));
        assert_eq!(own.ground(), Ground::Light);
    }
}

#[test]
fn the_example_of_the_book_is_a_theme_and_the_book_names_every_colour_of_the_palette() {
    let book = include_str!("../../../docs/themes.md");
    let example = book.split("```").find(|block| block.contains("// Harbour."));
    assert_eq!(wrong(example.unwrap().trim()), [""; 0]);
    let dark = include_str!("../../../themes/dark.jsonc");
    for name in parse("dark", dark).file.palette.keys() {
        assert!(book.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_what_was_meant() {
    for (text, told) in [
        (
            "{\n  \"inherits\": \"dark\",\n  \"palete\": {}\n}",
            "mine.jsonc:3:3: `palete` is not a key of a theme; did you mean `palette`?",
        ),
        (
            "{\"zzz\": 1}",
            "mine.jsonc:1:2: `zzz` is not a key of a theme; there are `inherits`, `ground`, `palette`, `scopes`",
        ),
        (
            "{\"inherits\": \"drak\"}",
            "mine.jsonc:1:14: there is no theme `drak`; did you mean `dark`?",
        ),
        (
            "{\"inherits\": 5}",
            "mine.jsonc:1:14: `inherits` must be the name of a theme, not a number",
        ),
        (
            "{\"ground\": \"drak\"}",
            "mine.jsonc:1:12: `ground` must be one of `dark`, `light`, `terminal`, not `drak`; did you mean `dark`?",
        ),
        (
            "{\"inherits\": \"dark\", \"scopes\": {\n \"text.acent\": \"accent\"}}",
            "mine.jsonc:2:2: there is no scope `text.acent`; did you mean `text.accent`?",
        ),
        (
            "{\"inherits\": \"dark\", \"scopes\": {\n\n  \"text.link\": {\"fg\": \"accnt\"}}}",
            "mine.jsonc:3:23: `accnt` is no colour: it is neither a name of the palette, nor `#rrggbb`, nor one of \
             `default`, `black`, `red`, `green`, `yellow`, `blue`, `magenta`, `cyan`, `white`; did you mean `accent`?",
        ),
        (
            "{\"palette\": {\"mine\": \"#12345\"}}",
            "mine.jsonc:1:22: `#12345` is no colour; six digits from 0 to f follow `#`, as in `#e5b567`",
        ),
        (
            "{\"palette\": {\"mine\": 7}}",
            "mine.jsonc:1:22: `mine` must be a colour such as `#e5b567`, `cyan` or a name of the palette, not a number",
        ),
        (
            "{\"scopes\": {\"text\": {\"bolt\": true}}}",
            "mine.jsonc:1:22: `bolt` is nothing that a scope can have; did you mean `bold`?",
        ),
        (
            "{\"scopes\": {\"text\": {\"bold\": \"yes\"}}}",
            "mine.jsonc:1:30: `bold` must be true or false, not a string",
        ),
        ("[]", "mine.jsonc:1:1: a theme must be an object in braces, not a list"),
        (
            "// nothing",
            "mine.jsonc: says nothing; a theme has `inherits`, `ground`, `palette`, `scopes`",
        ),
    ] {
        assert_eq!(wrong(text), [told]);
    }
    assert!(wrong("{\n \"scopes\": {,}\n}")[0].starts_with("mine.jsonc:2:13: "));
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let text = "{\"scopes\": {\"txt\": \"red\", \"text\": 1},\n\"x\": 1}";
    assert_eq!(wrong(text).len(), 3, "{:?}", wrong(text));
    let colours = "{\"scopes\": {\"text\": \"rde\", \"status\": \"bleu\"}}";
    assert_eq!(wrong(colours).len(), 2, "{:?}", wrong(colours));
    let both = r##"{
        "inherits": "dark",
        "palette": { "mine": "#12345", "other": 7 },
        "scopes": {
            "text.acent": "accent",
            "text.link": "other",
            "text.heading": { "bolt": true, "fg": "accnt" }
        }
    }"##;
    let places: Vec<String> = wrong(both)
        .iter()
        .map(|told| told.split(": ").next().unwrap_or_default().to_owned())
        .collect();
    let wanted = ["3:30", "3:49", "5:13", "7:31", "7:51"].map(|place| format!("mine.jsonc:{place}"));
    assert_eq!(places, wanted, "form and colours, by their lines: {:?}", wrong(both));
    let many = format!(
        "{{\"scopes\": {{{}}}}}",
        (0..99).map(|n| format!("\"x{n}\": 1,")).collect::<String>()
    );
    assert_eq!(wrong(&many).len(), 20);
}

#[test]
fn a_colour_of_the_palette_is_blamed_once_where_it_is_written_and_never_where_it_is_used() {
    for text in [
        "{\"inherits\": \"dark\", \"palette\": {\n \"ground\": \"#zzz\"}}",
        "{\"inherits\": \"dark\", \"palette\": {\n \"accent\": \"accent\"}, \"scopes\": {\"text.link\": \"accent\"}}",
        "{\"inherits\": \"dark\", \"palette\": {\n \"mine\": \"#zzz\"}, \"scopes\": {\"text.link\": \"mine\"}}",
    ] {
        let told = wrong(text);
        assert!(told.len() == 1 && told[0].starts_with("mine.jsonc:2:"), "{told:?}");
    }
}

#[test]
fn themes_and_names_that_lead_in_a_circle_end() {
    let (_folder, shelf) = shelf(&[("a", r#"{"inherits": "b"}"#), ("b", r#"{"inherits": "a"}"#)]);
    let told = shelf.check("a", &Location::file("here"));
    assert!(told[0].text.contains("in a circle"), "{told:?}");
    let circle = r#"{"palette": {"one": "two", "two": "one"}}"#;
    assert_eq!(wrong(circle).len(), 2, "{:?}", wrong(circle));
}

#[test]
fn a_name_nobody_has_is_told_where_it_was_written_with_the_nearest() {
    let (_folder, shelf) = shelf(&[("harbour", "{}")]);
    let told = |name| shelf.check(name, &Location::file("config.jsonc:2"))[0].to_string();
    assert_eq!(
        told("gruvbox-drak"),
        "config.jsonc:2: there is no theme `gruvbox-drak`; did you mean `gruvbox-dark`?"
    );
    assert_eq!(
        told("harbor"),
        "config.jsonc:2: there is no theme `harbor`; did you mean `harbour`?"
    );
    assert!(
        told("zzzzzz").contains("there are `auto`, `dark`, `light`"),
        "{}",
        told("zzzzzz")
    );
    assert_eq!(shelf.check("auto", &Location::default()), []);
}

#[test]
fn a_name_does_not_lead_out_of_the_folder() {
    let (folder, inner) = {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("out.jsonc"), "{}").unwrap();
        let inner = folder.path().join("themes");
        std::fs::create_dir(&inner).unwrap();
        (folder, inner)
    };
    let shelf = Shelf::of(inner);
    let absolute = folder.path().join("out").display().to_string();
    for name in ["../out", absolute.as_str(), "", ".", "..", "a/b", "x\0y"] {
        let told = shelf.check(name, &Location::default());
        assert!(told[0].text.contains("there is no theme"), "{name}: {told:?}");
    }
    let inherits = r#"{"inherits": "../out"}"#;
    std::fs::write(folder.path().join("themes/mine.jsonc"), inherits).unwrap();
    let told = shelf.check("mine", &Location::default());
    assert!(told[0].text.contains("there is no theme `../out`"), "{told:?}");
}

#[test]
fn a_theme_is_a_file_of_a_bounded_size() {
    let large = format!("// {}\n{{}}", "x".repeat(70_000));
    assert_eq!(
        wrong(&large),
        ["mine.jsonc: is larger than 64 KB, which no theme needs; is it the right file?"]
    );
    let (folder, shelf) = shelf(&[]);
    std::fs::create_dir(folder.path().join("mine.jsonc")).unwrap();
    let told = shelf.check("mine", &Location::default());
    assert!(told[0].text.contains("is a folder, not a theme file"), "{told:?}");
}

#[test]
fn a_theme_of_nothing_but_mistakes_is_told_in_a_moment() {
    let mut colours = String::new();
    let mut scopes = String::new();
    for n in 0..2_000 {
        colours += &format!("\"name{n}\": \"nome{n}\",");
        scopes += &format!("\"text.thing{n}\": 1,");
    }
    let long = "x".repeat(30_000);
    for text in [
        format!("{{\"palette\": {{{colours}}}}}"),
        format!("{{\"scopes\": {{{scopes}}}}}"),
        format!("{{\"palette\": {{\"{long}\": \"{long}y\"}}}}"),
        format!("{{\"palette\": {}", "{\"a\": ".repeat(8_000)),
    ] {
        let begun = std::time::Instant::now();
        let told = wrong(&text);
        assert!((1..=20).contains(&told.len()), "{}", told.len());
        assert!(
            begun.elapsed().as_secs() < 2,
            "{:?}: {}",
            begun.elapsed(),
            text.get(..40).unwrap_or_default()
        );
    }
}

#[test]
fn whatever_is_cut_out_of_a_theme_is_an_error_and_no_panic() {
    let text = include_str!("../../../themes/sixteen.jsonc");
    for cut in (0..text.len()).step_by(7).filter(|cut| text.is_char_boundary(*cut)) {
        for hole in [text.get(..cut), text.get(cut..)].into_iter().flatten() {
            let (_folder, shelf) = shelf(&[("mine", hole)]);
            let told = shelf.check("mine", &Location::default());
            assert!(hole.trim_end() == text.trim_end() || !told.is_empty(), "{hole}");
        }
    }
}

#[test]
fn the_list_has_every_theme_and_says_which_are_wrong() {
    let (_folder, shelf) = shelf(&[("mine", "{}"), ("bad", "{"), ("dark", "{}"), ("not a name", "{}")]);
    let offers = shelf.offers();
    let own: Vec<&Offer> = offers.iter().skip(SHIPPED.len()).collect();
    let names: Vec<&str> = own.iter().map(|offer| offer.name.as_str()).collect();
    assert_eq!(names, ["bad", "dark", "mine"]);
    assert!(matches!(&own[0].kind, OfferKind::Broken(problems) if problems[0].place.line == 1));
    assert!(matches!(&own[1].kind, OfferKind::Broken(problems) if problems[0].text.contains("give the file another")));
    assert_eq!(own[2].kind, OfferKind::Own);
    assert!(
        offers
            .iter()
            .take(SHIPPED.len())
            .all(|offer| matches!(offer.kind, OfferKind::Shipped(_)))
    );
    assert_eq!(Shelf::default().offers().len(), SHIPPED.len());
}
