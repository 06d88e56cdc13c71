//! What the servers of tools of a configuration are started with: their own variables, and of the person's those that are no secret.

use std::path::Path;
use std::time::Duration;

use super::engine::launcher;
use crate::base::environment::Environment;
use crate::config::key_variables;
use crate::config::settings::{ServerSettings, Settings};
use crate::domain::permission::Layer;
use crate::domain::server::ServerName;
use crate::mcp::Definition;
use crate::tools::served;

/// Those that are not switched off, in the order of the configuration.
pub(super) fn definitions(settings: &Settings, environment: &Environment, root: &Path) -> Vec<Definition> {
    let enabled: Vec<&ServerSettings> = settings.servers.iter().filter(|server| server.enabled).collect();
    if enabled.is_empty() {
        return Vec::new();
    }
    let keys = key_variables(settings, environment);
    let variables = served::variables(environment, &keys, &root.display().to_string());
    let one = |server: &&ServerSettings| definition(server, environment, &variables, root);
    enabled.iter().map(one).collect()
}

pub(super) fn definition(
    server: &ServerSettings,
    environment: &Environment,
    variables: &[(String, String)],
    root: &Path,
) -> Definition {
    let mut lacks = Vec::new();
    let set = server.environment.iter().map(|(name, written)| {
        let value = filled_in(written, environment, &mut lacks);
        (name.clone(), value)
    });
    let set = set.collect();
    Definition {
        name: ServerName(server.name.0.clone()),
        program: server.program.clone(),
        arguments: server.arguments.clone(),
        environment: set,
        lacks,
        variables: variables.to_vec(),
        timeout: Duration::from_millis(server.timeout_ms),
        folder: root.to_path_buf(),
        launcher: launcher(),
    }
}

/// The words of the commands that a project has started: some are files of its folder.
pub(super) fn of_project(settings: &Settings) -> impl Iterator<Item = &str> {
    let of_project = settings.servers.iter().filter(|server| server.layer == Layer::Project);
    of_project.flat_map(|server| {
        std::iter::once(&server.program)
            .chain(&server.arguments)
            .map(String::as_str)
    })
}

/// `${NAME}` with the value of that variable. One that is not set is told by its name.
fn filled_in(written: &str, environment: &Environment, lacks: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = written;
    while let Some((before, behind)) = rest.split_once("${") {
        out.push_str(before);
        let Some((name, after)) = behind.split_once('}') else {
            out.push_str("${");
            rest = behind;
            continue;
        };
        match environment.get(name) {
            Some(value) => out.push_str(value),
            None => lacks.push(name.to_owned()),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_of_the_person_is_filled_in_and_one_that_is_not_set_is_named() {
        let environment = Environment::of([("TOKEN".to_owned(), "t0k".to_owned())]);
        let mut lacks = Vec::new();
        let filled = filled_in("Bearer ${TOKEN} ${GONE}, $HOME ${open", &environment, &mut lacks);
        assert_eq!(
            (filled.as_str(), lacks),
            ("Bearer t0k , $HOME ${open", vec!["GONE".to_owned()])
        );
    }
}
