//! The styles of the chosen theme, with its colours already reduced to the palette of this terminal.

use ratatui::style::{Color, Style};

use super::load::{self, Loaded};
use super::scope::Scope;
use super::shelf::{AUTO, Shelf};
use benchdog_base::environment::Environment;
use benchdog_base::problem::{Location, Problem};

/// The background for which a theme is designed. A `Terminal` theme keeps the terminal's own background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    Dark,
    Light,
    Terminal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// No colours: `NO_COLOR` or `AGENT_NO_COLOR` is set, or the terminal has none.
    Plain,
    Sixteen,
    Indexed,
    Full,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    #[default]
    Auto,
    Named(String),
}

impl Choice {
    pub fn of(setting: &str) -> Self {
        match setting {
            AUTO => Self::Auto,
            name => Self::Named(name.to_owned()),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Theme {
    ground: Ground,
    pub(super) styles: Vec<Style>,
}

impl Depth {
    /// Detects the number of colours of the terminal. An empty `NO_COLOR` has no effect, as its specification requires.
    pub fn of(environment: &Environment) -> Self {
        let said = |name: &str| environment.get(name).unwrap_or_default();
        let term = said("TERM");
        if environment.get("NO_COLOR").is_some() || environment.get("AGENT_NO_COLOR").is_some() || term == "dumb" {
            return Self::Plain;
        }
        // Terminals with these names support 24-bit colour. The names are checked, because these terminals are often
        // used over ssh, which does not forward `COLORTERM`.
        let capable = ["kitty", "alacritty", "ghostty", "wezterm", "foot", "direct"];
        if matches!(said("COLORTERM"), "truecolor" | "24bit") || capable.iter().any(|name| term.contains(name)) {
            Self::Full
        } else if term.contains("256color") {
            Self::Indexed
        } else {
            Self::Sixteen
        }
    }
}

impl Ground {
    /// Derives the background from `COLORFGBG`, which rxvt, Konsole and others set. The format is `text;ground` or
    /// `text;other;ground`. Each part is an index of the sixteen colours.
    pub fn of(environment: &Environment) -> Option<Self> {
        let ground = environment.get("COLORFGBG")?.rsplit(';').next()?;
        match ground.parse::<u8>().ok()? {
            7 | 9..=15 => Some(Self::Light),
            _ => Some(Self::Dark),
        }
    }

    /// Derives light or dark from the background colour that the terminal reported. Channels range from 0 to 1.
    pub fn of_colour(red: f32, green: f32, blue: f32) -> Self {
        let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        if luminance > 0.5 { Self::Light } else { Self::Dark }
    }
}

impl Theme {
    /// Loads the theme for this terminal. `Auto` is dark unless the terminal reported a light background. A terminal
    /// without colours ignores the choice. A terminal with sixteen colours ignores themes with their own background,
    /// because the terminal cannot show their shades.
    pub fn choose(shelf: &Shelf, choice: &Choice, depth: Depth, ground: Option<Ground>) -> Result<Self, Vec<Problem>> {
        let name = match (depth, choice) {
            (Depth::Plain, _) => "plain",
            (Depth::Sixteen, Choice::Auto) => "sixteen",
            (_, Choice::Named(name)) => name,
            (_, Choice::Auto) if ground == Some(Ground::Light) => "light",
            (_, Choice::Auto) => "dark",
        };
        let place = Location::file("ui.theme");
        let mut loaded = load::load(shelf, name, &place)?;
        if depth == Depth::Sixteen && loaded.ground != Ground::Terminal {
            loaded = load::load(shelf, "sixteen", &place)?;
        }
        Ok(Self::of(loaded, depth))
    }

    fn of(loaded: Loaded, depth: Depth) -> Self {
        let Loaded { ground, mut styles } = loaded;
        for style in &mut styles {
            style.fg = style.fg.map(|colour| reduced(colour, depth));
            style.bg = style.bg.map(|colour| reduced_ground(colour, depth));
        }
        Self { ground, styles }
    }

    /// Returns the style of a scope. Fields without a value keep the style that the cell already has.
    pub fn style(&self, scope: Scope) -> Style {
        self.styles.get(scope as usize).copied().unwrap_or_default()
    }

    pub fn ground(&self) -> Ground {
        self.ground
    }
}

pub(super) fn reduced(colour: Color, depth: Depth) -> Color {
    match (colour, depth) {
        (Color::Rgb(red, green, blue), Depth::Indexed) => Color::Indexed(nearest_index([red, green, blue])),
        (Color::Rgb(red, green, blue), Depth::Sixteen) => nearest_of_sixteen([red, green, blue]),
        (_, Depth::Plain) => Color::Reset,
        (other, _) => other,
    }
}

/// Reduces a background colour to the terminal's palette. The nearest entries of the 256-colour palette to dark hues
/// are all grey, so that added and removed words would look the same. Dark backgrounds are therefore mapped by hue.
fn reduced_ground(colour: Color, depth: Depth) -> Color {
    let kept = match (colour, depth) {
        (Color::Rgb(red, green, blue), Depth::Indexed) => dark_hue([red, green, blue]),
        _ => None,
    };
    kept.map_or_else(|| reduced(colour, depth), Color::Indexed)
}

/// Returns the darkest entry of the 256-colour cube with the most similar hue. `None` for grey, dark and light colours.
fn dark_hue(wanted: [u8; 3]) -> Option<u8> {
    const DARKEST: [u8; 6] = [17, 22, 23, 52, 53, 58];
    let (least, most) = (wanted.into_iter().min()?, wanted.into_iter().max()?);
    if !(75..=125).contains(&most) || most - least < 40 {
        return None;
    }
    let stretched = |channel: u8| u32::from(channel - least) * u32::from(STEPS[1]) / u32::from(most - least);
    let hue = wanted.map(|channel| u8::try_from(stretched(channel)).unwrap_or(STEPS[1]));
    DARKEST
        .into_iter()
        .min_by_key(|index| distance(hue, indexed_rgb(*index)))
}

const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns the colour of entries 16 to 255 of the 256-colour palette. The terminal defines the first sixteen.
pub fn indexed_rgb(index: u8) -> [u8; 3] {
    if index >= 232 {
        return [8 + 10 * (index - 232); 3];
    }
    let cube = index.saturating_sub(16);
    [cube / 36, cube / 6 % 6, cube % 6].map(|step| STEPS.get(usize::from(step)).copied().unwrap_or(0))
}

/// Returns the nearest palette entry from 16 to 255: the nearest step of each channel, or the nearest grey.
pub(super) fn nearest_index(wanted: [u8; 3]) -> u8 {
    let step = |channel: u8| (0..6u8).zip(STEPS).min_by_key(|(_, value)| value.abs_diff(channel));
    let cube = wanted
        .into_iter()
        .filter_map(step)
        .fold(0, |cube, (step, _)| cube * 6 + step);
    std::iter::once(16 + cube)
        .chain(232..=255)
        .min_by_key(|index| distance(wanted, indexed_rgb(*index)))
        .unwrap_or(16)
}

fn nearest_of_sixteen(wanted: [u8; 3]) -> Color {
    const COLOURS: [(Color, [u8; 3]); 8] = [
        (Color::Black, [0, 0, 0]),
        (Color::Red, [205, 0, 0]),
        (Color::Green, [0, 205, 0]),
        (Color::Yellow, [205, 205, 0]),
        (Color::Blue, [0, 0, 238]),
        (Color::Magenta, [205, 0, 205]),
        (Color::Cyan, [0, 205, 205]),
        (Color::Gray, [229, 229, 229]),
    ];
    let nearest = COLOURS.iter().min_by_key(|(_, rgb)| distance(wanted, *rgb));
    nearest.map_or(Color::Reset, |(colour, _)| *colour)
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

impl Theme {
    /// Returns the shipped theme of this name. For tests: panics if no shipped theme has this name.
    pub fn shipped(name: &str, depth: Depth) -> Self {
        Self::choose(&Shelf::default(), &Choice::of(name), depth, None).expect("a shipped theme")
    }

    /// Returns the theme with each colour replaced by the index of its scope, which tests read from a cell.
    pub fn traced(&self) -> Self {
        let mut traced = self.clone();
        for (place, style) in traced.styles.iter_mut().enumerate() {
            let place = Color::Indexed(u8::try_from(place).unwrap_or(u8::MAX));
            style.fg = style.fg.map(|_| place);
            style.bg = style.bg.map(|_| place);
        }
        traced
    }
}
