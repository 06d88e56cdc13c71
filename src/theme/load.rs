//! A theme with all that it inherits, as one style a scope.

use std::collections::BTreeMap;

use ratatui::style::{Color, Style};

use super::file::{Look, MOST_PROBLEMS, ThemeFile, ThemeRead, Written, parse};
use super::scope::Scope;
use super::shelf::Shelf;
use super::style::Ground;
use crate::base::problem::{Location, Problem};
use crate::base::spelling::nearest;

/// A chain of themes that inherit from each other is at most this long.
const DEEPEST: usize = 8;
/// A name of a palette stands for a colour after at most this many others.
const STEPS: usize = 4;
/// Letters of a colour that is looked for among those there are.
const LONGEST: usize = 64;

/// A theme read whole, its inheritance flattened.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) ground: Ground,
    /// One style a scope, in the order of `Scope::ALL`.
    pub(super) styles: Vec<Style>,
}

/// Reads a theme that is named at `place`. All that is wrong is told at once, of one file in the order of its lines.
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

/// The files of a theme, from itself to the one that inherits from none.
#[derive(Default)]
struct Chain {
    files: Vec<ThemeFile>,
    problems: Vec<Problem>,
    /// Whatever its colours mean is known.
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

    /// Returns the theme that a file inherits from.
    fn take(&mut self, reading: ThemeRead) -> Option<Written> {
        self.is_whole &= !reading.lacks_a_key;
        for problem in reading.problems {
            // A file that inherits from itself is read more than once.
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        let next = reading.file.inherits.clone();
        self.files.push(reading.file);
        next
    }
}

/// Of one file by its lines; the files stay in the order in which they were read.
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

/// The nearer file of the chain wins, in the palette too: `light` is `dark` with other colours behind the same names.
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
    /// A name that no scope uses is a colour all the same.
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

    /// Where a name of the palette is used that stands for no colour, the palette is blamed: the person may have given a name of a
    /// theme that is shipped another colour.
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

    /// What stands at the end of the names. One that stands for itself is the terminal's own colour.
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
            // Nobody means a colour by more than that.
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

/// The eight colours every terminal has, and `default`.
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
