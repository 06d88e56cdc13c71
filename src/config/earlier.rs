//! Older configuration formats. Reads renamed keys with a notice. Rejects files of newer formats.

use benchdog_base::document::{Data, Node, Property};
use benchdog_base::problem::Problem;
use benchdog_domain::notice::ConfigNotice;

/// The current format, which is the default.
const FORM: u64 = 1;

const VERSION: &str = "version";

/// Renamed top-level keys and their new paths. The values are unchanged.
pub(super) const EARLIER: [(&str, &[&str]); 3] = [
    ("default_model", &["model"]),
    ("vim_keybindings", &["ui", "vim"]),
    ("ask_confirmation_on_exit", &["ui", "confirm_exit"]),
];

pub(super) fn of_later_form(root: &Node) -> Option<Problem> {
    let version = root.property(VERSION)?;
    let given = version.value.to_value().as_u64().filter(|given| *given > FORM)?;
    let text = format!("this file is of version {given} of the configuration, and this Benchdog reads version {FORM}");
    let instead = format!("use a later Benchdog, or write `\"{VERSION}\": {FORM}` and fix what is then told");
    Some(Problem::new(version.value.place.clone(), text).with(Some(instead)))
}

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
