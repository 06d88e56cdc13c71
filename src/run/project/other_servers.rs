//! Servers of tools that a folder names in the file other programs read, too.

use std::collections::BTreeMap;

use super::{PROJECT_FILE, Places};
use crate::base::document::Node;
use crate::base::text::truncate;
use crate::config::{self, ProjectFile};
use crate::domain::notice::{NamedBy, Unread};
use crate::security::trust::{Brought, SERVERS};

/// Columns of the reason why the file is not read.
const LONGEST_WHY: usize = 200;

impl Places {
    /// The servers that the folder names as other programs do, or why its file is not read: it was written for others, and what is wrong
    /// with it must not stand in the way of all else.
    pub(super) fn servers_of(&self, brought: &Brought) -> Result<Option<Node>, Unread> {
        let Some(bytes) = brought.bytes(SERVERS) else {
            return Ok(None);
        };
        let unread = |why: String| Unread {
            file: SERVERS.to_owned(),
            by: NamedBy::Folder,
            // It is told before anybody trusts the folder: one line, of words that are cut.
            why: truncate(&why.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_WHY).into_owned(),
        };
        let servers = config::servers_of_folder(SERVERS, bytes.to_vec()).map_err(|problem| unread(problem.text))?;
        let alone = ProjectFile {
            path: self.root.join(PROJECT_FILE),
            bytes: None,
            servers: servers.clone(),
            texts: BTreeMap::new(),
        };
        match self.load(Some(alone), &self.tools) {
            Err(error) if self.load_own().is_ok() => Err(unread(error.to_string())),
            _ => Ok(servers),
        }
    }
}
