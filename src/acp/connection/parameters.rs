//! Folders and MCP servers of `session/new`, `session/load` and `session/resume`.

use std::path::PathBuf;

use agent_client_protocol_schema::v1::{Error, McpServer};
use serde_json::{Map, Value, json};

use crate::trouble::wrong;
use crate::{Wanted, Which};
use benchdog_domain::server::{JOINT, LONGEST_NAME};
use benchdog_lang::{Word, message, word};

const MOST_SERVERS: usize = 64;

pub(super) fn wanted(cwd: PathBuf, further: Vec<PathBuf>, servers: &[McpServer]) -> Result<Wanted, Error> {
    let relative = std::iter::once(&cwd)
        .chain(&further)
        .find(|folder| !folder.is_absolute());
    if let Some(folder) = relative {
        return Err(wrong(&message::acp_relative(&folder.display().to_string())));
    }
    Ok(Wanted {
        cwd,
        further,
        servers: document(servers)?,
        session: Which::New,
    })
}

/// Converts the client's MCP servers to the format of `--mcp`.
fn document(servers: &[McpServer]) -> Result<Option<String>, Error> {
    if servers.len() > MOST_SERVERS {
        return Err(wrong(word(Word::AcpServers)));
    }
    let mut named = Map::new();
    for server in servers {
        let (name, entry) = match server {
            McpServer::Stdio(server) => {
                let environment = object(server.env.iter().map(|one| (&one.name, &one.value)));
                let entry = json!({"command": server.command, "args": server.args, "env": environment});
                (&server.name, entry)
            }
            McpServer::Http(server) => {
                let headers = object(server.headers.iter().map(|one| (&one.name, &one.value)));
                (&server.name, json!({"url": server.url, "headers": headers}))
            }
            _ => return Err(wrong(word(Word::AcpServers))),
        };
        let name = named_as_ours(name);
        if named.insert(name.clone(), entry).is_some() {
            return Err(wrong(word(Word::AcpServers)));
        }
    }
    Ok((!named.is_empty()).then(|| json!({"mcpServers": named}).to_string()))
}

fn object<'s>(pairs: impl Iterator<Item = (&'s String, &'s String)>) -> Map<String, Value> {
    pairs
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect()
}

/// Replaces characters that Benchdog does not allow, because the names of the server's tools contain this name.
fn named_as_ours(name: &str) -> String {
    let may = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let mut name: String = name
        .chars()
        .map(|letter| if may(letter) { letter } else { '-' })
        .collect();
    while name.contains(JOINT) {
        name = name.replace(JOINT, "_");
    }
    let name: String = name.trim_start_matches(['-', '_']).chars().take(LONGEST_NAME).collect();
    match name.trim_end_matches(['-', '_']) {
        "" => "server".to_owned(),
        name => name.to_owned(),
    }
}
