//! Files that were written for another form of the configuration: one of a later form is refused as a whole, with the one sentence that
//! helps; a key by an earlier name is read as what it is called now, and told.
//!
//! Names that other programs have for just the same stand here, too. A name whose value means something else is no row: it stays an error.

use crate::base::document::{Data, Node, Property};
use crate::base::problem::Problem;
use crate::domain::notice::ConfigNotice;

/// The form that this program reads; a file that names none is of it.
const FORM: u64 = 1;

const VERSION: &str = "version";

/// A key at the top by its earlier name, and where it is now. Its values are the same.
pub(super) const EARLIER: [(&str, &[&str]); 3] = [
    ("default_model", &["model"]),
    ("vim_keybindings", &["ui", "vim"]),
    ("ask_confirmation_on_exit", &["ui", "confirm_exit"]),
];

/// That a document is of a form which this program does not know.
pub(super) fn of_later_form(root: &Node) -> Option<Problem> {
    let version = root.property(VERSION)?;
    let given = version.value.to_value().as_u64().filter(|given| *given > FORM)?;
    let text = format!("this file is of version {given} of the configuration, and this Benchdog reads version {FORM}");
    let instead = format!("use a later Benchdog, or write `\"{VERSION}\": {FORM}` and fix what is then told");
    Some(Problem::new(version.value.place.clone(), text).with(Some(instead)))
}

/// The document with every key as it is called now, and what is to be said of it.
pub(super) fn as_now(root: &Node) -> Result<(Node, Vec<ConfigNotice>), Problem> {
    let mut now = root.clone();
    let mut remarks = Vec::new();
    for (was, path) in EARLIER {
        let Data::Object(properties) = &mut now.data else { break };
        let Some(at) = properties.iter().position(|property| property.name == was) else {
            continue;
        };
        let property = properties.remove(at);
        let (place, name) = (property.place.clone(), path.join("."));
        if !put(&mut now, path, property) {
            let text = format!("`{was}` is called `{name}` now, which is set here, too");
            return Err(Problem::new(place, text).with(Some(format!("remove `{was}`"))));
        }
        remarks.push(ConfigNotice::Renamed {
            place: place.short(),
            was: was.to_owned(),
            now: name,
        });
    }
    Ok((now, remarks))
}

/// Puts a value where nothing stands; whether nothing did.
fn put(into: &mut Node, path: &[&str], mut property: Property) -> bool {
    let Data::Object(properties) = &mut into.data else {
        return false;
    };
    let Some((first, rest)) = path.split_first() else {
        return false;
    };
    let found = properties.iter_mut().find(|known| known.name == *first);
    match (found, rest) {
        (Some(_), []) => false,
        (Some(known), rest) => put(&mut known.value, rest, property),
        (None, rest) => {
            let place = property.place.clone();
            for name in rest.iter().rev() {
                property.name = (*name).to_owned();
                let data = Data::Object(vec![property]);
                property = Property {
                    name: String::new(),
                    place: place.clone(),
                    value: Node {
                        place: place.clone(),
                        data,
                    },
                };
            }
            property.name = (*first).to_owned();
            properties.push(property);
            true
        }
    }
}
