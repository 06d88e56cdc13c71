//! Opens folders for sessions, with their access rules and configuration.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;

use super::engine::{self, Base};
use super::limits::Limits;
use super::project::Places;
use super::servers;
use benchdog_agent::Agents;
use benchdog_config::Loaded;
use benchdog_mcp::Servers;
use benchdog_orchestrator::engine::{FolderOpener, FolderSetup};
use benchdog_security::workspace::PathError;
use benchdog_tools::outputs;

pub(super) fn open(base: &Base, loaded: &Loaded, limits: Limits) -> Result<FolderSetup, PathError> {
    let places = Places::of(base);
    let outputs = outputs::folder(&base.folders.cache);
    // Create the folder before the workspace is opened, because opening skips missing folders. If this fails, the first
    // write reports the error.
    let _ = DirBuilder::new().recursive(true).mode(0o700).create(&outputs);
    // Tools may read the files in the folders of the user's skills, but not write them.
    let mut readable = places.own_skill_folders(loaded);
    readable.push(outputs);
    let mut workspace = base.open_workspace(&readable)?.with_charset(loaded.settings.encoding);
    base.folders.own().into_iter().for_each(|path| workspace.protect(path));
    workspace.note_writes(&base.folders.writing());
    Ok(FolderSetup {
        workspace: Arc::new(workspace),
        levels: places.levels(),
        policy: engine::policy(&loaded.settings, &base.tools),
        rules: limits.rules(&loaded.settings, &base.tools),
        agents: Arc::new(Agents::of(&loaded.settings)),
        tools: engine::tools_of(&loaded.settings, &base.tools),
        servers: Servers::new(
            servers::definitions(&servers::Given {
                settings: &loaded.settings,
                environment: &base.environment,
                root: &base.root,
                purse: &base.folders.server_tokens(),
            }),
            &base.folders.cache,
            &base.folders.logs,
        ),
        languages: benchdog_lsp::Servers::new(servers::languages(&loaded.settings, &base.root, base.common.trust)),
        settings: Arc::new(loaded.settings.clone()),
        settings_lister: {
            let places = places.clone();
            Box::new(move |project| places.list_settings(project))
        },
        settings_writer: {
            let places = places.clone();
            Box::new(move |path, written, project| places.change_setting(path, written, project))
        },
        loader: Box::new(move || places.survey(limits)),
    })
}

/// Returns a function that opens further folders with the user's configuration. The configuration of such a folder is
/// used only once the folder is trusted.
pub(super) fn opener(base: Base, limits: Limits) -> FolderOpener {
    Box::new(move |root| {
        let base = Base {
            root: std::fs::canonicalize(root).map_err(|error| error.to_string())?,
            ..base.clone()
        };
        let loaded = Places::of(&base).load_own().map_err(|error| error.to_string())?;
        open(&base, &loaded, limits).map_err(|error| error.to_string())
    })
}
