//! MCP servers from the project's file in the format of other programs.

use super::{PROJECT_FILE, Places};
use benchdog_base::document::{Data, Node, Property};
use benchdog_base::text::{clean, truncate};
use benchdog_config::{self as config, ConfigError, Loaded, ProjectFile};
use benchdog_domain::notice::{NamedBy, Unread};
use benchdog_security::trust::{Brought, SERVERS};

/// Maximum width of an error, in columns. `LONGEST_NAMES` is the maximum width of the list of omitted servers.
const LONGEST_WHY: usize = 200;
const LONGEST_NAMES: usize = 80;

const MOST_TRIED: usize = 50;

#[derive(Default)]
pub(super) struct Named {
    pub(super) servers: Option<Node>,
    pub(super) unread: Option<Unread>,
}

impl Named {
    fn unread(file: String, why: &str) -> Self {
        // The text is shown before the folder is trusted, so limit it to one line with truncated words.
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        Self {
            servers: None,
            unread: Some(Unread {
                file,
                by: NamedBy::Folder,
                why: truncate(&why, LONGEST_WHY).into_owned(),
            }),
        }
    }
}

impl Places {
    /// Returns the valid servers. If a server conflicts with other configuration, omits the server, so that the
    /// configuration still works.
    pub(super) fn servers_of(&self, brought: &Brought) -> Named {
        let Some(bytes) = brought.bytes(SERVERS) else {
            return Named::default();
        };
        let servers = match config::servers_of_folder(SERVERS, bytes.to_vec()) {
            Ok(Some(servers)) => servers,
            Ok(None) => return Named::default(),
            Err(problem) => return Named::unread(SERVERS.to_owned(), &problem.text),
        };
        let Err(error) = self.load_with(brought, Some(servers.clone())) else {
            return Named {
                servers: Some(servers),
                unread: None,
            };
        };
        if self.load_with(brought, None).is_err() {
            // The folder's configuration is invalid even without these servers, so report only the errors of the
            // configuration.
            return Named::default();
        }
        self.without_contradictions(brought, &servers, &error)
    }

    fn without_contradictions(&self, brought: &Brought, servers: &Node, error: &ConfigError) -> Named {
        let all = one_by_one(servers);
        if all.len() > MOST_TRIED {
            return Named::unread(SERVERS.to_owned(), &error.to_string());
        }
        let (mut names, mut first, mut left) = (Vec::new(), None, Vec::new());
        for server in all {
            match self.load_with(brought, Some(only(servers, vec![server.clone()]))) {
                Ok(_) => left.push(server.clone()),
                Err(error) => {
                    names.push(clean(&server.name).into_owned());
                    first.get_or_insert(error);
                }
            }
        }
        let left = (!left.is_empty()).then(|| only(servers, left));
        let (Some(first), Ok(_)) = (first, self.load_with(brought, left.clone())) else {
            return Named::unread(SERVERS.to_owned(), &error.to_string());
        };
        let names = truncate(&names.join(", "), LONGEST_NAMES).into_owned();
        Named {
            servers: left,
            ..Named::unread(format!("{SERVERS}: {names}"), &first.to_string())
        }
    }

    fn load_with(&self, brought: &Brought, servers: Option<Node>) -> Result<Loaded, ConfigError> {
        self.load(Some(self.project_file(brought, servers)), &self.tools)
    }

    pub(super) fn project_file(&self, brought: &Brought, servers: Option<Node>) -> ProjectFile {
        ProjectFile {
            path: self.root.join(PROJECT_FILE),
            bytes: brought.bytes(PROJECT_FILE).map(<[u8]>::to_vec),
            servers,
            texts: self.texts_for_agents(brought),
        }
    }
}

fn one_by_one(servers: &Node) -> &[Property] {
    match servers.property("mcp").map(|named| &named.value.data) {
        Some(Data::Object(named)) => named,
        _ => &[],
    }
}

fn only(servers: &Node, named: Vec<Property>) -> Node {
    let mut document = servers.clone();
    if let Data::Object(properties) = &mut document.data {
        for property in properties.iter_mut().filter(|property| property.name == "mcp") {
            property.value.data = Data::Object(named.clone());
        }
    }
    document
}
