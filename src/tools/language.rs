//! Language servers for the tools: starts them, and reports their diagnostics after an edit.

mod ask;
mod installed;
mod words;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::bash::{Withheld, variables, with_port_offset};
use super::confinement::{Also, Confined, Confines, TmpShown};
use super::row::Row;
use super::{ToolContext, program};
use benchdog_base::environment::Environment;
use benchdog_children::{self as children, Launch};
use benchdog_domain::confinement::View;
use benchdog_domain::pin::Differs;
use benchdog_domain::server::ServerTrouble;
use benchdog_domain::tool::Outcome;
use benchdog_lsp::{Definition, FileEdit, Host, MOST_TEXT, ServerProcess};
use benchdog_security::pins;
use benchdog_security::workspace::Workspace;

/// Maximum wait for diagnostics after an edit.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum number of diagnostics in the result of an edit.
pub const MOST_AFTER_EDIT: usize = 20;

/// The tools that exist only with a configured language server.
pub(crate) fn rows() -> [Row; 3] {
    [ask::diagnostics(), ask::definition(), ask::references()]
}

pub(crate) fn host(cx: &ToolContext) -> Host {
    let context = Arc::new(StartContext {
        confines: cx.confines.clone(),
        workspace: Arc::clone(&cx.workspace),
        launcher: cx.launcher.clone(),
        keys: Arc::clone(&cx.hidden_variables),
        port_offset: cx.port_offset,
    });
    let workspace = Arc::clone(&cx.workspace);
    Host {
        start: Arc::new(move |definition| {
            let context = Arc::clone(&context);
            Box::pin(async move { start(&context, definition).await })
        }),
        read: Arc::new(move |path| text(&workspace, path)),
    }
}

/// Opens a file in its language servers after the model has read the file.
pub(crate) fn opened(path: &Path, cx: &ToolContext) {
    if !cx.languages.is_empty() {
        cx.languages.open_file(path, &host(cx));
    }
}

/// Adds the diagnostics of the edited version to the result of an edit.
pub(crate) async fn after_edit(outcome: &mut Outcome, cx: &ToolContext) {
    if cx.languages.is_empty() || outcome.changes.is_empty() {
        return;
    }
    let as_text = |bytes: &Option<Arc<[u8]>>| {
        let text = std::str::from_utf8(bytes.as_deref()?).ok()?;
        Some(Arc::from(text))
    };
    let edit = |change: &benchdog_domain::tool::AppliedChange| {
        let path = cx.workspace.resolve(&change.path).ok()?;
        if path.is_secret() {
            return None;
        }
        Some(FileEdit {
            path: path.absolute(),
            before: as_text(&change.before),
            after: as_text(&change.after),
        })
    };
    let edits: Vec<FileEdit> = outcome.changes.iter().filter_map(edit).collect();
    if edits.is_empty() {
        return;
    }
    let host = host(cx);
    let asked = cx.languages.report_edits(&edits, &host, Instant::now() + PATIENCE);
    let reports = tokio::select! {
        biased;
        reports = asked => reports,
        () = cx.stop.stopped() => return,
    };
    words::add(&reports, outcome, cx);
}

/// Returns the text of a file, if it is in the workspace and is not a secret file.
fn text(workspace: &Workspace, path: &Path) -> Option<Arc<str>> {
    let path = workspace.resolve(path.to_str()?).ok()?;
    if path.is_secret() {
        return None;
    }
    let bytes = path.read(MOST_TEXT as u64).ok()?;
    String::from_utf8(bytes).ok().map(Arc::from)
}

/// Sets variables of Cargo, which rust-analyzer runs. Without network access, Cargo would try for 12 s to download
/// packages. If the configuration names no writable folder, Cargo's output goes to the sandbox's own `/tmp`.
fn set_cargo(variables: &mut Vec<(String, String)>, tmp: &TmpShown, writes_only_tmp: bool) {
    let mut set = |name: &str, value: String| {
        variables.retain(|(other, _)| other != name);
        variables.push((name.to_owned(), value));
    };
    set("CARGO_NET_OFFLINE", "true".to_owned());
    if writes_only_tmp {
        let tmp = match tmp {
            TmpShown::InPlace => Path::new("/tmp"),
            TmpShown::At(folder) => folder.as_path(),
        };
        set("CARGO_TARGET_DIR", tmp.join("cargo-target").display().to_string());
    }
}

struct StartContext {
    confines: Confines,
    workspace: Arc<Workspace>,
    launcher: std::path::PathBuf,
    keys: Arc<[String]>,
    port_offset: u32,
}

async fn start(context: &Arc<StartContext>, definition: Definition) -> Result<ServerProcess, ServerTrouble> {
    let context = Arc::clone(context);
    let prepared = tokio::task::spawn_blocking(move || prepare(&context, &definition)).await;
    let (launch, confined) = prepared.map_err(start_trouble)??;
    let started = children::start_with_pipes(launch).await;
    let (running, spoken) = started.map_err(|error| benchdog_lsp::start_trouble(&error))?;
    Ok(ServerProcess {
        running,
        spoken,
        resources: Box::new(confined),
    })
}

fn start_trouble(error: impl ToString) -> ServerTrouble {
    ServerTrouble::NotStarted {
        words: error.to_string(),
    }
}

/// Finds the server's program, checks that the user trusted this program, and plans its sandbox.
fn prepare(context: &StartContext, definition: &Definition) -> Result<(Launch, Option<Confined>), ServerTrouble> {
    let root = &definition.root;
    pins::same(root, &definition.pinned).map_err(|differs| match differs {
        Differs::Changed { file } => ServerTrouble::Changed { file },
        Differs::Unknown { file, error } => ServerTrouble::Unpinned { file, error },
    })?;
    let program = program::resolved(&definition.program, root, None).ok();
    let Some(program) = program.filter(|program| program.is_file()) else {
        let program = definition.program.clone();
        return Err(ServerTrouble::NotFound { program });
    };
    let also = Also {
        visible: installed::places(&program),
        writable: definition.writable.clone(),
    };
    let confined = context
        .confines
        .clone()
        .of_service(also)
        .confined(&context.workspace)
        .map_err(|words| ServerTrouble::NoSandbox { words })?;
    // Without approval, servers run code from the folder, such as build scripts. So they need a sandbox or trust.
    if confined.is_none() && !definition.is_trusted {
        return Err(ServerTrouble::Untrusted);
    }
    let withheld = Withheld {
        keys: &context.keys,
        passed: &context.confines.passed,
        view: confined.as_ref().map_or(View::Whole, Confined::view),
        tmp: confined.as_ref().map(|confined| &confined.tmp),
    };
    let mut all = variables(&Environment::of_process(), &withheld, &root.to_string_lossy());
    if let Some(confined) = &confined {
        set_cargo(&mut all, &confined.tmp, definition.writable.is_empty());
    }
    all.retain(|(name, _)| definition.environment.iter().all(|(own, _)| own != name));
    all.extend(definition.environment.iter().cloned());
    let launch = Launch {
        launcher: context.launcher.clone(),
        program,
        arguments: definition.arguments.clone(),
        folder: root.clone(),
        variables: with_port_offset(all, context.port_offset),
        confined: confined.as_ref().map(|confined| confined.plan.clone()),
        then: confined.as_ref().and_then(Confined::afterwards),
    };
    Ok((launch, confined))
}

#[cfg(test)]
mod tests;
