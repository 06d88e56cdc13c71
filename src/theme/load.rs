//! Resolves a theme, together with the themes from which it inherits, to one style per scope.

use std::collections::BTreeMap;

use ratatui::style::{Color, Style};

use super::file::{Look, MOST_PROBLEMS, ThemeFile, ThemeRead, Written, parse};
use super::scope::Scope;
use super::shelf::Shelf;
use super::style::Ground;
use benchdog_base::problem::{Location, Problem};
use benchdog_base::spelling::nearest;

/// The maximum length of an inheritance chain.
const DEEPEST: usize = 8;
/// The maximum length of a chain of palette names.
const STEPS: usize = 4;
/// The maximum length of an invalid colour for which a similar name is suggested.
const LONGEST: usize = 64;

#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) ground: Ground,
    /// One style per scope, in the order of `Scope::ALL`.
    pub(super) styles: Vec<Style>,
}

/// Loads the theme `name`. If there are problems, returns the problems of all files of the theme, sorted by line.
/// `place` is the position of the name in the configuration, for error messages.
pub(super) fn load(shelf: &Shelf, name: &str, place: &Location) -> Result<Loaded, Vec<Problem>> {
    let chain = Chain::read(shelf, name, place);
    let mut problems = chain.problems;
    if chain.is_whole {
        match flatten(chain.files) {
            Ok(loaded) if problems.is_empty() => return Ok(loaded),
            Ok(_) => {}
            Err(of_colours) => problems.extend(of_colours),
        }
    }
    in_order(&mut problems);
    problems.truncate(MOST_PROBLEMS);
    Err(problems)
}

/// A theme file and the files from which it inherits, nearest first.
#[derive(Default)]
struct Chain {
    files: Vec<ThemeFile>,
    problems: Vec<Problem>,
    is_whole: bool,
}

impl Chain {
    fn read(shelf: &Shelf, name: &str, place: &Location) -> Self {
        let mut chain = Self {
            is_whole: true,
            ..Self::default()
        };
        let mut next = Some(Written {
            text: name.to_owned(),
            place: place.clone(),
        });
        while let Some(Written { text: name, place }) = next.take() {
            if chain.files.len() == DEEPEST {
                let told = format!("`{name}` is inherited from over {DEEPEST} themes, or in a circle");
                chain.ends(vec![Problem::new(place, told)]);
                break;
            }
            match shelf.text(&name, &place) {
                Ok((file, text)) => next = chain.take(parse(&file, &text)),
                Err(problems) => chain.ends(problems),
            }
        }
        chain
    }

    fn ends(&mut self, problems: Vec<Problem>) {
        self.problems.extend(problems);
        self.is_whole = false;
    }

    fn take(&mut self, reading: ThemeRead) -> Option<Written> {
        self.is_whole &= !reading.lacks_a_key;
        for problem in reading.problems {
            // A file with circular inheritance is read more than once. Do not repeat its problems.
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        let next = reading.file.inherits.clone();
        self.files.push(reading.file);
        next
    }
}

/// Sorts problems by line within each file. Files stay in the order in which they were read.
fn in_order(problems: &mut [Problem]) {
    let mut files: Vec<String> = Vec::new();
    for problem in problems.iter() {
        if !files.contains(&problem.place.file) {
            files.push(problem.place.file.clone());
        }
    }
    problems.sort_by_key(|problem| {
        let file = files.iter().position(|file| *file == problem.place.file);
        (file, problem.place.line, problem.place.column)
    });
}

/// Merges the chain of inherited files. A file takes precedence over inherited files, also for palette entries: `light`
/// is `dark` with another palette.
fn flatten(chain: Vec<ThemeFile>) -> Result<Loaded, Vec<Problem>> {
    let mut colours = Colours::default();
    let mut looks: BTreeMap<String, Look> = BTreeMap::new();
    let mut ground = Ground::Terminal;
    for file in chain.into_iter().rev() {
        colours.palette.extend(file.palette);
        looks.extend(file.scopes);
        ground = file.ground.unwrap_or(ground);
    }
    colours.check_palette();
    let styled: BTreeMap<&str, Style> = looks
        .iter()
        .map(|(name, look)| (name.as_str(), colours.style(look)))
        .collect();
    if !colours.problems.is_empty() {
        return Err(colours.problems);
    }
    let of = |scope: &Scope| scope.lineage().find_map(|name| styled.get(name).copied());
    let styles = Scope::ALL.iter().map(|scope| of(scope).unwrap_or_default());
    Ok(Loaded {
        ground,
        styles: styles.collect(),
    })
}

#[derive(Default)]
struct Colours {
    palette: BTreeMap<String, Written>,
    problems: Vec<Problem>,
}

impl Colours {
    fn check_palette(&mut self) {
        let written: Vec<Written> = self.palette.values().cloned().collect();
        for colour in &written {
            self.colour(colour);
        }
    }

    fn style(&mut self, look: &Look) -> Style {
        let mut style = Style::new().add_modifier(look.modifiers);
        style.fg = look.fg.as_ref().and_then(|colour| self.colour(colour));
        style.bg = look.bg.as_ref().and_then(|colour| self.colour(colour));
        style
    }

    /// Resolves a colour. If palette names lead to an invalid value, reports the position of that value. The person may
    /// have replaced a shipped palette entry by the value.
    fn colour(&mut self, written: &Written) -> Option<Color> {
        let last = self.stands_for(written);
        let found = match last.text.strip_prefix('#') {
            Some(hex) => rgb(hex),
            None => terminal_colour(&last.text),
        };
        if found.is_none() {
            let is_new =
                self.problems.len() < MOST_PROBLEMS && !self.problems.iter().any(|problem| problem.place == last.place);
            let told = is_new.then(|| self.no_colour(last));
            self.problems.extend(told);
        }
        found
    }

    /// Follows palette names to the last name. A name that refers to itself is the name of a terminal colour.
    fn stands_for<'a>(&'a self, written: &'a Written) -> &'a Written {
        let mut last = written;
        for _ in 0..STEPS {
            let Some(other) = self.palette.get(&last.text) else {
                break;
            };
            let is_itself = other.text == last.text;
            last = other;
            if is_itself {
                break;
            }
        }
        last
    }

    fn no_colour(&self, written: &Written) -> Problem {
        let text = &written.text;
        let names = TERMINAL.map(|(name, _)| name);
        let (told, suggestion) = if text.starts_with('#') {
            let digits = "six digits from 0 to f follow `#`, as in `#e5b567`";
            (format!("`{text}` is no colour"), Some(digits.to_owned()))
        } else {
            let told = format!(
                "`{text}` is no colour: it is neither a name of the palette, nor `#rrggbb`, nor one of `{}`",
                names.join("`, `")
            );
            let names = self.palette.keys().map(String::as_str).chain(names);
            // A longer text is not a misspelt colour, so no similar name is suggested for it.
            let near = (text.len() <= LONGEST).then(|| nearest(text, names)).flatten();
            let near = near.filter(|near| near != text);
            (told, near.map(|near| format!("did you mean `{near}`?")))
        };
        Problem::new(written.place.clone(), told).with(suggestion)
    }
}

fn rgb(hex: &str) -> Option<Color> {
    if hex.len() != 6 || !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(hex, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some(Color::Rgb(red, green, blue))
}

const TERMINAL: [(&str, Color); 9] = [
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
];

fn terminal_colour(name: &str) -> Option<Color> {
    TERMINAL
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, colour)| *colour)
}
