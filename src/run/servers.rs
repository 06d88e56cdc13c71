//! Converts configured MCP servers to definitions. A definition is either a program with its environment without
//! secrets, or an address with headers and token.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::engine::launcher;
use benchdog_base::environment::Environment;
use benchdog_config::settings::{
    LanguageSettings, SecretPlace, ServerAddress, ServerAuth, ServerPlace, ServerSettings, Settings,
};
use benchdog_config::{key_variables, keys as key_values};
use benchdog_domain::permission::Layer;
use benchdog_domain::server::ServerName;
use benchdog_mcp::{
    Address, Definition, Identity, InheritedVariables, MachineCredentials, Place, Program, SecretSource, SignInOwner,
};
use benchdog_security::redact::Redactor;
use benchdog_tools::served;

pub(super) struct Given<'a> {
    pub(super) settings: &'a Settings,
    pub(super) environment: &'a Environment,
    pub(super) root: &'a Path,
    pub(super) purse: &'a Path,
}

pub(super) fn definitions(given: &Given<'_>) -> Vec<Definition> {
    let servers = given.settings.servers.iter();
    let enabled: Vec<&ServerSettings> = servers.filter(|server| server.enabled).collect();
    if enabled.is_empty() {
        return Vec::new();
    }
    let (settings, environment) = (given.settings, given.environment);
    let (ours, keys) = (environment.clone(), key_variables(settings, environment));
    let folder = given.root.display().to_string();
    let variables = InheritedVariables::of(move || served::variables(&ours, &keys, &folder));
    let one = |server: &&ServerSettings| definition(server, given, &variables);
    let mut definitions: Vec<Definition> = enabled.iter().map(one).collect();
    let providers = settings.provider.iter();
    let in_use = providers.flat_map(|(_, provider)| key_values(provider, environment));
    let stored = settings.stored_keys.iter().cloned();
    let redactor = Redactor::new(
        in_use
            .chain(stored)
            .chain(definitions.iter().flat_map(Definition::secrets)),
    );
    for definition in &mut definitions {
        definition.redactor = redactor.clone();
    }
    definitions
}

pub(super) fn languages(settings: &Settings, root: &Path, is_trusted: bool) -> Vec<benchdog_lsp::Definition> {
    let enabled = settings.languages.iter().filter(|server| server.enabled);
    let definition = |server: &LanguageSettings| benchdog_lsp::Definition {
        name: server.name.clone(),
        program: server.program.clone(),
        arguments: server.arguments.clone(),
        environment: server.environment.clone(),
        files: server.files.clone(),
        settings: server.settings.clone(),
        warnings: server.warnings,
        writable: server.writable.clone(),
        pinned: server.pinned.clone(),
        root: root.to_path_buf(),
        is_trusted,
    };
    enabled.map(definition).collect()
}

pub(super) fn definition(server: &ServerSettings, given: &Given<'_>, variables: &InheritedVariables) -> Definition {
    let lacks = RefCell::new(Vec::new());
    let one = |written: &String| given.environment.fill_in(written, &mut lacks.borrow_mut());
    let filled = |pairs: &[(String, String)]| -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(name, written)| (name.clone(), one(written)))
            .collect()
    };
    // Variables in the command are expanded only for servers from `--mcp`, as other programs do with files in this
    // format. Commands in other layers can use a shell, which expands variables itself.
    let mut word = |written: &String| match server.layer {
        Layer::Flag => one(written),
        _ => written.clone(),
    };
    let place = match &server.place {
        ServerPlace::Program {
            program,
            arguments,
            environment,
            cwd,
        } => Place::Program(Program {
            environment: filled(environment),
            program: word(program),
            arguments: arguments.iter().map(&mut word).collect(),
            cwd: (cwd.as_ref()).map_or_else(|| given.root.to_path_buf(), |cwd| given.root.join(word(cwd))),
            variables: variables.clone(),
            launcher: launcher(),
        }),
        ServerPlace::Address(address) => Place::Address(Box::new(Address {
            headers: filled(&address.headers),
            url: one(&address.url),
            auth: address.auth,
            token: held(&address.token_env, given.environment),
            lacks_token: unset(&address.token_env, given.environment),
            client_id: address.client_id.clone(),
            client_secret: held(&address.client_secret_env, given.environment),
            lacks_secret: unset(&address.client_secret_env, given.environment),
            scopes: address.scopes.clone(),
            callback_port: address.callback_port,
            client_metadata_url: address.client_metadata_url.clone(),
            alone: alone(address, given),
            purse: given.purse.to_path_buf(),
            whose: whose(server.layer, given.root),
            network: given.settings.network.clone(),
        })),
    };
    Definition {
        name: ServerName(server.name.0.clone()),
        place,
        lacks: lacks.into_inner(),
        pinned: server.pinned.clone(),
        redactor: Redactor::default(),
        start: Duration::from_millis(server.start_timeout_ms),
        timeout: Duration::from_millis(server.timeout_ms),
        folder: given.root.to_path_buf(),
    }
}

fn alone(address: &ServerAddress, given: &Given<'_>) -> Option<MachineCredentials> {
    match address.auth {
        ServerAuth::None | ServerAuth::Token | ServerAuth::OAuth => return None,
        ServerAuth::ClientCredentials | ServerAuth::CrossApp => {}
    }
    let identity = address.identity.as_ref().map(|one| Identity {
        url: one.url.clone(),
        client_id: one.client_id.clone(),
        client_secret: held(&one.client_secret_env, given.environment),
        lacks_secret: unset(&one.client_secret_env, given.environment),
        token: hidden(&one.token, given),
    });
    Some(MachineCredentials {
        key: address.client_key.as_ref().map(|place| hidden(place, given)),
        identity,
    })
}

fn hidden(place: &SecretPlace, given: &Given<'_>) -> SecretSource {
    match place {
        SecretPlace::Variables(all) => match held(all, given.environment) {
            Some(value) => SecretSource::Value(value),
            None => SecretSource::Lacks(all.join("`, `")),
        },
        SecretPlace::File(path) => match (path.strip_prefix("~/"), given.environment.get("HOME")) {
            (None, _) => SecretSource::File(PathBuf::from(path)),
            (Some(rest), Some(home)) => SecretSource::File(Path::new(home).join(rest)),
            (Some(_), None) => SecretSource::Lacks("HOME".to_owned()),
        },
    }
}

pub(super) fn whose(layer: Layer, root: &Path) -> SignInOwner {
    match layer {
        Layer::Project => SignInOwner::Folder(root.to_path_buf()),
        Layer::Flag => SignInOwner::Run(root.to_path_buf()),
        Layer::Guard
        | Layer::Default
        | Layer::User
        | Layer::File
        | Layer::Environment
        | Layer::Agent
        | Layer::Remembered
        | Layer::Session => SignInOwner::Person,
    }
}

fn held(variables: &[String], environment: &Environment) -> Option<String> {
    let mut set = variables.iter().filter_map(|name| environment.get(name));
    set.find_map(|value| Some(value.trim()).filter(|value| !value.is_empty()))
        .map(str::to_owned)
}

/// Returns the names of the variables if none of them is set. The names are joined by `` `, ` `` for an error message.
fn unset(variables: &[String], environment: &Environment) -> Option<String> {
    let is_lacking = !variables.is_empty() && held(variables, environment).is_none();
    is_lacking.then(|| variables.join("`, `"))
}

#[cfg(test)]
mod tests;
