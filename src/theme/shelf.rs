//! Finds shipped themes and those in the person's theme folder. Project folders are not searched.

use std::borrow::Cow;
use std::path::PathBuf;

use super::load::load;
use super::shipped::{self, SHIPPED};
use benchdog_base::document::{self, Form};
use benchdog_base::problem::{Location, Problem};
use benchdog_base::spelling::nearest;

/// The setting that chooses a theme by the terminal's background. No theme may have this name.
pub const AUTO: &str = "auto";

const FORM: Form = Form {
    name: "theme",
    most_kb: 64,
};
const ENDING: &str = ".jsonc";
const MOST: usize = 200;
const LONGEST: usize = 64;

#[derive(Debug, Clone, Default)]
pub struct Shelf {
    /// The person's theme folder. The folder may be missing.
    folder: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub name: String,
    pub kind: OfferKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfferKind {
    Shipped(&'static str),
    Own,
    Broken(Vec<Problem>),
}

impl Shelf {
    pub fn of(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// Returns the problems of the theme `name`. `place` is the position of the name in the configuration, for error
    /// messages. A test ensures that shipped themes have no problems.
    pub fn check(&self, name: &str, place: &Location) -> Vec<Problem> {
        if name == AUTO || shipped::find(name).is_some() {
            return Vec::new();
        }
        load(self, name, place).err().unwrap_or_default()
    }

    pub fn offers(&self) -> Vec<Offer> {
        let shipped = SHIPPED.iter().map(|theme| Offer {
            name: theme.name.to_owned(),
            kind: OfferKind::Shipped(theme.about),
        });
        let own = self.own().into_iter().map(|name| {
            let problems = self.wrong_with_own(&name);
            Offer {
                kind: if problems.is_empty() {
                    OfferKind::Own
                } else {
                    OfferKind::Broken(problems)
                },
                name,
            }
        });
        shipped.chain(own).collect()
    }

    fn wrong_with_own(&self, name: &str) -> Vec<Problem> {
        let place = self.place_of(name);
        if name == AUTO || shipped::find(name).is_some() {
            let told = format!("is not read: `{name}` is a name of Benchdog's own; give the file another one");
            return vec![Problem::new(place, told)];
        }
        load(self, name, &place).err().unwrap_or_default()
    }

    pub(super) fn text(&self, name: &str, place: &Location) -> Result<(String, Cow<'static, str>), Vec<Problem>> {
        if let Some(theme) = shipped::find(name) {
            return Ok((format!("themes/{name}{ENDING}"), Cow::Borrowed(theme.text)));
        }
        let file = self.place_of(name).file;
        let bytes = match self.path(name) {
            Some(path) => document::read(&path, FORM).map_err(|problem| vec![problem])?,
            None => None,
        };
        match bytes {
            Some(bytes) => match document::text(&file, bytes) {
                Ok(text) => Ok((file, Cow::Owned(text))),
                Err(problem) => Err(vec![problem]),
            },
            None => Err(vec![self.unknown(name, place)]),
        }
    }

    fn unknown(&self, name: &str, place: &Location) -> Problem {
        let own = self.own();
        let names = || {
            let shipped = SHIPPED.iter().map(|theme| theme.name);
            [AUTO].into_iter().chain(shipped).chain(own.iter().map(String::as_str))
        };
        let suggestion = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are `{}`", names().collect::<Vec<_>>().join("`, `")),
        };
        Problem::new(place.clone(), format!("there is no theme `{name}`")).with(Some(suggestion))
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        is_name(name).then(|| folder.join(format!("{name}{ENDING}")))
    }

    fn place_of(&self, name: &str) -> Location {
        let path = self.path(name).unwrap_or_default();
        Location::file(&path.display().to_string())
    }

    fn own(&self) -> Vec<String> {
        let Some(Ok(entries)) = self.folder.as_ref().map(std::fs::read_dir) else {
            return Vec::new();
        };
        let names = entries.take(MOST).filter_map(|entry| {
            let file = entry.ok()?.file_name();
            let name = file.to_str()?.strip_suffix(ENDING)?;
            is_name(name).then(|| name.to_owned())
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// Whether the name is valid as a file name. Without dots and slashes, the path stays in the theme folder.
fn is_name(name: &str) -> bool {
    (1..=LONGEST).contains(&name.len())
        && name
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'))
}
