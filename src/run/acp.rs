//! `benchdog acp`: runs an engine for each session of an editor. All engines share the storage.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::engine::{self, Base, Wishes};
use super::limits::Limits;
use super::{off_loop, threads};
use crate::error::Trouble;
use benchdog_acp::{self as acp, Ends, Host, Refused, Wanted, Which};
use benchdog_base::id::SessionId;
use benchdog_children as children;
use benchdog_config::settings::Settings;
use benchdog_domain::session::SessionMeta;
use benchdog_headless::exit::Exit;
use benchdog_lang as lang;
use benchdog_mcp as mcp;
use benchdog_orchestrator::engine::{Engine, IfShut, OpenWhat, ProjectLayer, find_model, open};
use benchdog_security::workspace::{Buffers, Reply, Unanswered};
use benchdog_storage::{Storage, StorageError};
use benchdog_terminal::clipboard::{KEPT, keep_image};
use benchdog_traces as traces;

/// Maximum time for servers to list their models, if no model is configured.
const MODEL_PATIENCE: Duration = Duration::from_secs(5);
/// Maximum time for the server to say whether the model reads images. The editor waits for this answer at its start.
const VISION_PATIENCE: Duration = Duration::from_secs(2);
/// Maximum wait at the exit for stopped calls and servers.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// Runs `benchdog acp`. Standard output contains only protocol messages.
pub(super) fn run(base: Base) -> Result<Exit, Trouble> {
    let loaded = base.load_own()?;
    let _traces = traces::start(&base.folders.logs, &loaded.settings.logs, super::complain);
    let storage = Storage::start(&base.folders.data).map_err(|error| Trouble::of_storage(&error))?;
    let runtime = threads::runtime()?;
    drop(runtime.spawn_blocking(lang::prepare));
    runtime.block_on(async {
        let input = std::io::BufReader::new(std::io::stdin());
        acp::run(Editor { base, storage }, input, std::io::stdout()).await;
        let endings = tokio::task::spawn_blocking(|| children::wait_for_exits(LAST_MOMENT));
        let _ = tokio::join!(endings, mcp::wait_for_shutdown(LAST_MOMENT));
    });
    threads::stop(runtime);
    Ok(Exit::Done)
}

#[derive(Clone)]
struct Editor {
    base: Base,
    storage: Storage,
}

impl Host for Editor {
    async fn open(&self, wanted: Wanted, buffers: Option<acp::Buffers>) -> Result<Ends, Refused> {
        let open = match wanted.session {
            Which::New => OpenWhat::New,
            Which::Stored(session) => OpenWhat::Exactly(self.stored(session).await?),
            Which::CopyOf(session) => OpenWhat::Fork {
                of: self.stored(session).await?.0,
                upto: None,
            },
        };
        let base = self.in_folder(wanted.cwd, wanted.further, wanted.servers)?;
        let (loaded, base) = off_loop(move || Ok((base.load_own()?, base)))
            .await
            .map_err(|trouble| refused(&trouble))?;
        let mut wishes = Wishes {
            open,
            project: match base.common.trust {
                true => ProjectLayer::Trust,
                false => ProjectLayer::Ignore,
            },
            limits: Limits::of_workbench(),
            if_shut: IfShut::End,
            storage: Some(self.storage.clone()),
            buffers: buffers.map(|buffers| Arc::new(Files(buffers)) as Arc<dyn Buffers>),
            ..Wishes::default()
        };
        let configured = engine::chosen_model(&loaded.settings).map_err(|trouble| refused(&trouble))?;
        if configured.is_none() {
            let found = find_model(&loaded.settings, &base.environment);
            let found = tokio::time::timeout(MODEL_PATIENCE, found).await;
            wishes.model = found.ok().and_then(Result::ok).map(|picked| picked.model);
        }
        let setup = off_loop(move || engine::setup(&base, loaded, wishes)).await;
        let (setup, home) = setup.map_err(|trouble| refused(&trouble))?;
        let engine = Engine::start(setup, home);
        Ok(Ends {
            seat: engine.seat,
            orders: engine.orders,
            told: engine.told,
            task: engine.task,
        })
    }

    async fn sees_images(&self) -> bool {
        let base = self.base.clone();
        let Ok(loaded) = off_loop(move || base.load_own()).await else {
            return false;
        };
        let mut models = loaded
            .settings
            .provider
            .iter()
            .flat_map(|(_, provider)| &provider.models);
        if models.any(|(_, model)| model.vision == Some(true)) {
            return true;
        }
        let told = tokio::time::timeout(VISION_PATIENCE, self.vision_by_server(&loaded.settings));
        told.await.ok().flatten().unwrap_or_default()
    }

    async fn keep_image(&self, bytes: Arc<[u8]>) -> Result<PathBuf, Refused> {
        let folder = self.base.folders.pasted();
        let kept = tokio::task::spawn_blocking(move || keep_image(&folder, &bytes)).await;
        let kept = kept.map_err(|error| Refused::Failed(error.to_string()))?;
        kept.map_err(|error| Refused::Failed(error.to_string()))
    }

    async fn list(&self) -> Result<Vec<SessionMeta>, Refused> {
        self.storage.list().await.map_err(|error| of_storage(&error))
    }

    async fn remove(&self, session: SessionId) -> Result<(), Refused> {
        match self.storage.trash(&session).await {
            Ok(()) | Err(StorageError::NotFound(_)) => Ok(()),
            Err(error) => Err(of_storage(&error)),
        }
    }
}

impl Editor {
    /// Whether the model of new sessions reads images, according to its server. `None` if the server does not say.
    async fn vision_by_server(&self, settings: &Settings) -> Option<bool> {
        let environment = &self.base.environment;
        let model = match engine::chosen_model(settings).ok()? {
            Some(model) => model,
            None => find_model(settings, environment).await.ok()?.model,
        };
        if settings.model_settings(&model).vision.is_some() {
            return None;
        }
        let provider = open(settings, &model.provider, environment, None)?;
        provider.about(&model.id).await.ok()?.vision
    }

    /// Returns the id if a session with this id is stored. Otherwise, returns an error.
    async fn stored(&self, session: SessionId) -> Result<SessionId, Refused> {
        let stored = self.list().await?;
        let is_there = stored.iter().any(|meta| meta.id == session);
        is_there.then_some(session).ok_or(Refused::NoSession)
    }

    fn in_folder(&self, cwd: PathBuf, further: Vec<PathBuf>, servers: Option<String>) -> Result<Base, Refused> {
        let is_folder = |folder: &PathBuf| folder.is_dir();
        if let Some(missing) = std::iter::once(&cwd).chain(&further).find(|folder| !is_folder(folder)) {
            return Err(Refused::Wrong(lang::message::acp_no_folder(
                &missing.display().to_string(),
            )));
        }
        let root = std::fs::canonicalize(&cwd).map_err(|error| Refused::Wrong(error.to_string()))?;
        let mut base = Base {
            root,
            servers,
            ..self.base.clone()
        };
        base.common.cwd = Some(cwd);
        base.common.add_dir.extend(further);
        Ok(base)
    }
}

/// The folder of saved images must have room for all images of one prompt. Otherwise, saving an image would remove
/// another image of the prompt.
const _: () = assert!(acp::MOST_IMAGES <= KEPT);

/// Gives the engine access to the files that are open in the editor.
struct Files(acp::Buffers);

impl Buffers for Files {
    fn read(&self, path: PathBuf) -> Reply<String> {
        let buffers = self.0.clone();
        Box::pin(async move { buffers.read(&path).await.map_err(unanswered) })
    }

    fn write(&self, path: PathBuf, text: String) -> Reply<()> {
        let buffers = self.0.clone();
        Box::pin(async move { buffers.write(&path, text).await.map_err(unanswered) })
    }

    fn can_write(&self) -> bool {
        self.0.can_write()
    }
}

fn unanswered(why: acp::NoAnswer) -> Unanswered {
    match why {
        acp::NoAnswer::Silent => Unanswered::Silent,
        acp::NoAnswer::Refused(words) => Unanswered::Refused(words),
        acp::NoAnswer::Unusable(words) => Unanswered::Unusable(words),
    }
}

fn refused(trouble: &Trouble) -> Refused {
    Refused::Configuration(text(trouble))
}

fn of_storage(error: &StorageError) -> Refused {
    Refused::Failed(text(&Trouble::of_storage(error)))
}

fn text(trouble: &Trouble) -> String {
    let hint = trouble.hint.as_deref().unwrap_or_default();
    format!("{} {hint}", trouble.whole_text()).trim_end().to_owned()
}
