//! Commands on stored sessions: search, export, rename, remove, restore and locate.
//!
//! The startup code passes in functions for search and export, because this crate formats no texts for people.

use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::Engine;
use super::seats::Seats;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_config::settings::Settings;
use benchdog_domain::history::given_title;
use benchdog_protocol::{Answer, Archive, Archived, Event, Exported, FoundSession};
use benchdog_storage::{Storage, StorageError, direct, trash};

/// The function that searches stored sessions for a text.
pub type SessionSearch =
    Arc<dyn Fn(Storage, String) -> BoxFuture<'static, Result<Vec<FoundSession>, String>> + Send + Sync>;

/// A request to export a session. Secrets that `settings` contains are removed from the exported file.
pub struct ToExport {
    pub storage: Storage,
    pub session: SessionId,
    pub settings: Arc<Settings>,
    /// The base folder of relative file names.
    pub folder: PathBuf,
    pub file: String,
    pub format: String,
}

pub type Exporter = Box<dyn Fn(ToExport) -> BoxFuture<'static, Result<Exported, String>> + Send + Sync>;

impl Seats {
    pub(super) async fn archive(&mut self, engine: &mut Engine, id: SeatId, wanted: Archive) {
        let Some(seat) = self.get(id) else { return };
        match wanted {
            Archive::Search { text } => engine.search_sessions(id, text),
            Archive::Export { file, format } => engine.export_session(
                id,
                ToExport {
                    storage: engine.setup.storage.clone(),
                    session: seat.session().clone(),
                    settings: Arc::clone(seat.settings()),
                    folder: engine.at(seat.folder()).workspace.root().to_owned(),
                    file,
                    format,
                },
            ),
            Archive::Rename { title } => {
                let title = given_title(&title);
                seat.rename(engine, title.clone()).await;
                engine.answer(id, Answer::Archive(Archived::Renamed { title })).await;
            }
            Archive::Retitle { session, title } => {
                let title = given_title(&title);
                let (storage, holder) = (&engine.setup.storage, engine.setup.holder.clone());
                let retitled = storage.retitle(&session, title.clone(), holder).await;
                let retitled = retitled.map(|()| (session, title)).map_err(|error| error.to_string());
                engine.answer(id, Answer::Archive(Archived::Retitled(retitled))).await;
            }
            Archive::Remove { session } => {
                let removed = match self.has_open(&session) {
                    true => Err(StorageError::Held {
                        session: session.clone(),
                        holder: engine.setup.holder.clone(),
                    }),
                    false => engine.setup.storage.trash(&session).await,
                };
                let removed = removed.map(|()| session).map_err(|error| error.to_string());
                engine.answer(id, Answer::Archive(Archived::Removed(removed))).await;
            }
            Archive::Restore { session } => {
                let restored = trash::restore(&engine.setup.folders.data, &session.0);
                let restored = restored.map_err(|error| error.to_string());
                engine.answer(id, Answer::Archive(Archived::Restored(restored))).await;
            }
            Archive::Locate => {
                let path = direct::path(&engine.setup.folders.data, seat.session());
                let path = path.ok().filter(|path| path.is_file());
                let path = path.map(|path| path.display().to_string());
                engine.answer(id, Answer::Archive(Archived::File(path))).await;
            }
        }
    }
}

impl Engine {
    fn search_sessions(&self, seat: SeatId, text: String) {
        let search = (self.setup.searcher)(self.setup.storage.clone(), text.clone());
        let line = self.line(seat);
        tokio::spawn(async move {
            let found = search.await;
            line.tell(Event::Answer(Answer::Archive(Archived::Found { text, found })))
                .await;
        });
    }

    fn export_session(&self, seat: SeatId, wanted: ToExport) {
        let export = (self.setup.exporter)(wanted);
        let line = self.line(seat);
        tokio::spawn(async move {
            let exported = export.await;
            line.tell(Event::Answer(Answer::Archive(Archived::Exported(exported))))
                .await;
        });
    }
}
