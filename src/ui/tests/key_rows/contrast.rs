//! Tests that all text is readable: every combination of text and background that is drawn, in the colours of each
//! theme.
//!
//! The frames are rendered with the index of the scope in place of each colour. Each cell thus shows the scopes of its
//! text and its background.

use std::collections::BTreeSet;
use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::places::{PLACES, bench_in};
use super::*;
use crate::{Cache, Frame, Worker, draw};
use benchdog_domain::failure::Failure;
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::FolderItem;
use benchdog_theme::{Depth, Ground, SHIPPED, Scope, Theme, indexed_rgb};

/// Accepted exceptions of well-known palettes, one per row: theme, text, background, contrast, reason.
const FAINT: &str = include_str!("../../../../tests/data/themes/faint.txt");

/// Scopes of lines and gauges, which are not text.
const LINES: [Scope; 2] = [Scope::Border, Scope::GaugeEmpty];

/// Scopes of secondary text, which may have less contrast.
const DIM: [Scope; 10] = [
    Scope::TextDim,
    Scope::TextQuote,
    Scope::BorderTitle,
    Scope::RoleAgent,
    Scope::MarkRead,
    Scope::DialogKeyAsleep,
    Scope::DiffNumber,
    Scope::DiffFold,
    Scope::DiffDropped,
    Scope::SyntaxComment,
];

const CODE: [Scope; 8] = [
    Scope::Text,
    Scope::SyntaxKeyword,
    Scope::SyntaxString,
    Scope::SyntaxNumber,
    Scope::SyntaxType,
    Scope::SyntaxFunction,
    Scope::SyntaxComment,
    Scope::SyntaxPunctuation,
];

/// Text scopes with backgrounds that occur but are missing in the scenes below.
const ALSO: &[(Scope, &[Scope])] = &[
    (Scope::Text, &CODE),
    (Scope::TextCode, &CODE),
    (Scope::DiffAdded, &CODE),
    (Scope::DiffRemoved, &CODE),
    (
        Scope::Selected,
        &[
            Scope::TextDim,
            Scope::TextAccent,
            Scope::TextBright,
            Scope::StateOk,
            Scope::StateWaiting,
            Scope::MarkRead,
            Scope::MarkChanged,
            Scope::MarkGit,
            Scope::MarkFolder,
            Scope::DiffDropped,
        ],
    ),
    (Scope::OwnWords, &[Scope::TextDim, Scope::SelectedMatch]),
    (
        Scope::Text,
        &[
            Scope::StateError,
            Scope::StateUnknown,
            Scope::StateWaiting,
            Scope::MarkGit,
            Scope::SelectedMatch,
        ],
    ),
    (
        Scope::Status,
        &[Scope::StatusKey, Scope::StatusStage, Scope::StatusMode],
    ),
];

type Pair = (Scope, Scope);

fn markdown() -> Bench {
    let mut bench = Bench::new(120, 60);
    let text = "# Heading\n\nPlain, **bold**, *slanted*, `code`, ~~struck~~, [link](https://example.org).\n\n> quoted\n\n\
                - item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\n/// Says it.\nfn say(n: u32) -> String { format!(\"{n}\") }\n```\n";
    bench.entry(Body::User {
        text: "say it".to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    bench.event(Live::State(TurnState::Generating));
    bench.event(Live::Text(text.to_owned()));
    let statuses = [CallStatus::Ok, CallStatus::Error, CallStatus::Denied];
    for (status, tool) in statuses.into_iter().zip(["read", "bash", "edit"]) {
        bench.entry(Body::ToolResult {
            call: CallId(tool.to_owned()),
            tool: tool.to_owned(),
            title: "a title".to_owned(),
            status,
            summary: Summary::Words("a summary".to_owned()),
            output: "one\ntwo\n".to_owned(),
            truncated: false,
            notes: Vec::new(),
            took_ms: 1,
            places: Vec::new(),
            images: Vec::new(),
        });
    }
    bench.event(Live::Error(Failure::Told {
        code: "unreachable".to_owned(),
        text: "`http://127.0.0.1:8000/v1` did not answer.".to_owned(),
        server: None,
    }));
    bench
}

fn marks() -> Bench {
    let mut bench = markdown();
    let file = |(path, folder, git): (&str, bool, Option<char>)| FolderItem {
        path: path.to_owned(),
        folder,
        ignored: path.starts_with("target"),
        git,
    };
    let files = [
        ("src", true, None),
        ("target", true, None),
        ("a.rs", false, Some('M')),
        ("b.rs", false, None),
    ];
    bench.event(Answer::Folder {
        path: ".".to_owned(),
        items: files.map(file).to_vec(),
    });
    let statuses = [
        TodoStatus::Completed,
        TodoStatus::InProgress,
        TodoStatus::Pending,
        TodoStatus::Cancelled,
    ];
    let item = |(id, status)| TodoItem {
        id,
        text: "a step".to_owned(),
        status,
    };
    bench.entry(Body::Todo {
        items: TodoList((1..).zip(statuses).map(item).collect()),
    });
    bench
}

fn code_to_review() -> Bench {
    let mut bench = marks();
    let before = "use std::fmt;\n// Once.\nconst N: u32 = 7;\nfn say() -> String { \"one\".to_owned() }\n";
    let after = "use std::fmt;\n// Twice.\nconst N: u32 = 8;\nfn say() -> String { \"two\".to_owned() }\nstruct S;\n";
    let change = FileChange {
        path: "a.rs".to_owned(),
        operation: FileOperation::Update,
        before: Some(before.as_bytes().into()),
        after: Some(after.as_bytes().into()),
        mode_after: None,
        note: None,
    };
    bench.asks(request("code", Review::Files(vec![change.clone(), change])));
    bench
}

fn scenes() -> Vec<Bench> {
    let after = |make: fn() -> Bench, keys: &str| {
        let mut bench = make();
        bench.keys(keys);
        bench.wait(600);
        bench
    };
    let mut scenes: Vec<Bench> = PLACES.into_iter().map(bench_in).collect();
    for keys in [
        "esc",
        "alt-2 up up",
        "alt-1 down down",
        "alt-5 down",
        "ctrl-f o n e enter",
        "ctrl-x",
        "ctrl-c",
    ] {
        scenes.push(after(marks, keys));
    }
    for keys in [
        "esc",
        "alt-a",
        "alt-a u",
        "alt-a space",
        "alt-a down x",
        "alt-a f",
        "alt-a y",
        "alt-a ?",
    ] {
        scenes.push(after(code_to_review, keys));
    }
    scenes
}

fn picture(state: &State, theme: &Theme, worker: &mut Worker) -> Buffer {
    let mut cache = Cache::default();
    let mut picture = Frame::empty(Rect::new(0, 0, state.width, state.height));
    draw(state, theme, &mut cache, &mut picture);
    for request in cache.take_requests() {
        let done = worker.serve(request);
        cache.finish(done);
    }
    draw(state, theme, &mut cache, &mut picture);
    picture.cells
}

fn drawn(traced: &Theme) -> BTreeSet<Pair> {
    let scope = |colour| match colour {
        Color::Indexed(place) => Scope::ALL.get(usize::from(place)).copied(),
        _ => None,
    };
    let mut worker = Worker::default();
    let mut pairs = BTreeSet::new();
    for bench in scenes() {
        let picture = picture(&bench.state, traced, &mut worker);
        let cells = picture.content.iter().filter(|cell| !cell.symbol().trim().is_empty());
        pairs.extend(cells.filter_map(|cell| Some((scope(cell.fg)?, scope(cell.bg)?))));
    }
    pairs
}

fn possible(theme: &Theme) -> BTreeSet<Pair> {
    let traced = theme.traced();
    let mut pairs = drawn(&traced);
    let style = |scope| traced.style(scope);
    let whose = |colour: Option<Color>| match colour {
        Some(Color::Indexed(place)) => Scope::ALL[usize::from(place)],
        other => panic!("{other:?}"),
    };
    for (ground, texts) in ALSO {
        for text in *texts {
            let cell = style(Scope::Text).patch(style(*ground)).patch(style(*text));
            pairs.insert((whose(cell.fg), whose(cell.bg)));
        }
    }
    pairs.retain(|(text, _)| !LINES.contains(text));
    pairs
}

fn luminance(colour: Option<Color>) -> f64 {
    let rgb = match colour {
        Some(Color::Rgb(r, g, b)) => [r, g, b],
        Some(Color::Indexed(index)) => indexed_rgb(index),
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

/// Returns the WCAG contrast ratio, from 1 to 21.
fn contrast(theme: &Theme, (text, ground): Pair) -> f64 {
    let (text, ground) = (luminance(theme.style(text).fg), luminance(theme.style(ground).bg));
    (text.max(ground) + 0.05) / (text.min(ground) + 0.05)
}

/// Returns the themes with their own background. In other themes, colours depend on the terminal.
fn painted() -> impl Iterator<Item = (&'static str, Theme)> {
    let themes = SHIPPED
        .iter()
        .map(|theme| (theme.name, Theme::shipped(theme.name, Depth::Full)));
    themes.filter(|(_, theme)| theme.ground() != Ground::Terminal)
}

fn is_own(name: &str) -> bool {
    ["dark", "light", "contrast-dark", "contrast-light"].contains(&name)
}

#[test]
fn the_themes_that_paint_their_ground_set_the_same_colours_so_that_one_drawing_stands_for_all() {
    let shape = |theme: &Theme| -> Vec<(bool, bool)> {
        let style = |scope: &Scope| (theme.style(*scope).fg.is_some(), theme.style(*scope).bg.is_some());
        Scope::ALL.iter().map(style).collect()
    };
    let dark = Theme::shipped("dark", Depth::Full);
    for (name, theme) in painted() {
        assert_eq!(shape(&theme), shape(&dark), "{name}");
    }
}

#[test]
fn the_text_of_our_own_themes_has_a_contrast_of_at_least_four_and_a_half_and_of_the_high_ones_seven() {
    let pairs = possible(&Theme::shipped("dark", Depth::Full));
    assert!(pairs.len() > 60, "{}", pairs.len());
    let mut faint = String::new();
    for (name, depth, least) in [
        ("dark", Depth::Full, 4.5),
        ("dark", Depth::Indexed, 4.5),
        ("light", Depth::Full, 4.5),
        ("light", Depth::Indexed, 4.5),
        ("contrast-dark", Depth::Full, 7.0),
        ("contrast-dark", Depth::Indexed, 7.0),
        ("contrast-light", Depth::Full, 7.0),
        // Among the 256 colours, only black and blue are dark enough.
        ("contrast-light", Depth::Indexed, 4.5),
    ] {
        let theme = Theme::shipped(name, depth);
        for pair in &pairs {
            let found = contrast(&theme, *pair);
            if found < least {
                let (text, ground) = (pair.0.name(), pair.1.name());
                let _ = writeln!(faint, "{name} in {depth:?}: `{text}` on `{ground}` {found:.2}");
            }
        }
    }
    assert!(faint.is_empty(), "{faint}");
}

#[test]
fn where_a_named_palette_is_fainter_is_listed_and_nothing_else_is() {
    let pairs = possible(&Theme::shipped("dark", Depth::Full));
    let mut found = String::new();
    for (name, theme) in painted().filter(|(name, _)| !is_own(name)) {
        for pair in &pairs {
            let least = if DIM.contains(&pair.0) { 3.0 } else { 4.5 };
            let contrast = contrast(&theme, *pair);
            if contrast < least {
                let (text, ground) = (pair.0.name(), pair.1.name());
                let why = if plain_contrast(&theme, pair.0) < least {
                    "palette"
                } else {
                    "row"
                };
                let _ = writeln!(found, "{name} {text} {ground} {contrast:.2} {why}");
            }
        }
    }
    let listed: Vec<&str> = FAINT.lines().filter(|line| !line.starts_with('#')).collect();
    let found: Vec<&str> = found.lines().collect();
    let unlisted: Vec<_> = found.iter().filter(|row| !listed.contains(row)).collect();
    let no_more: Vec<_> = listed.iter().filter(|row| !found.contains(row)).collect();
    assert!(
        unlisted.is_empty(),
        "not listed:\n{}",
        unlisted.iter().fold(String::new(), |all, row| all + row + "\n")
    );
    assert!(no_more.is_empty(), "listed and not so:\n{no_more:#?}");
}

fn plain_contrast(theme: &Theme, text: Scope) -> f64 {
    contrast(theme, (text, Scope::Text))
}

#[test]
fn the_ground_of_a_row_takes_no_text_of_a_named_palette_below_three_to_one_and_little_of_what_is_fainter() {
    let pairs = possible(&Theme::shipped("dark", Depth::Full));
    let mut lost = String::new();
    for (name, theme) in painted() {
        for (text, ground) in &pairs {
            let (here, plain) = (contrast(&theme, (*text, *ground)), plain_contrast(&theme, *text));
            if here < 3.0 && here < plain * if plain < 3.0 { 0.85 } else { 1.0 } {
                let (text, ground) = (text.name(), ground.name());
                let _ = writeln!(lost, "{name}: `{text}` has {plain:.2}, and on `{ground}` {here:.2}");
            }
        }
    }
    assert!(lost.is_empty(), "{lost}");
}

#[test]
fn the_scenes_show_what_they_are_there_for() {
    let pairs = drawn(&Theme::shipped("dark", Depth::Full).traced());
    for seen in [
        (Scope::TextLink, Scope::Text),
        (Scope::SelectedMatch, Scope::OwnWords),
        (Scope::DiffAddedWord, Scope::DiffAddedWord),
        (Scope::DiffRemovedSign, Scope::DiffRemovedSign),
        (Scope::DiffDropped, Scope::Text),
        (Scope::DialogKeyAsleep, Scope::Dialog),
        (Scope::DialogKey, Scope::Dialog),
        (Scope::SyntaxKeyword, Scope::DiffAdded),
        (Scope::StateUnknown, Scope::Text),
        (Scope::Text, Scope::Selected),
    ] {
        assert!(pairs.contains(&seen), "{seen:?} is in no scene: {pairs:?}");
    }
}
