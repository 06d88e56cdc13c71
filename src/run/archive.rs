//! Search and export of sessions for the workbench.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use futures::FutureExt;

use super::engine::Base;
use super::sessions::redactor_of;
use benchdog_base::environment::Folders;
use benchdog_lang::message;
use benchdog_orchestrator::engine::{Exporter, SessionSearch, ToExport};
use benchdog_protocol::{Exported, FoundEntry, FoundSession};
use benchdog_sessions::export::{Export, Form};
use benchdog_sessions::search::{Found, Hit, Query, Searcher};
use benchdog_storage::Storage;

/// Time for which the searcher stays open after a search, so that the next key of a query needs no new list of sessions.
/// Sessions that are newer than the list are not found.
const FRESH: Duration = Duration::from_secs(5);

pub(super) fn searcher(base: &Base) -> SessionSearch {
    let folders = base.folders.clone();
    let kept: Arc<Mutex<Weak<Searcher>>> = Arc::default();
    Arc::new(move |storage, text| {
        let (folders, kept) = (folders.clone(), Arc::clone(&kept));
        async move {
            let fresh = kept.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
            let searcher = match fresh {
                Some(searcher) => searcher,
                None => {
                    let searcher = Arc::new(open(&folders, &storage).await?);
                    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&searcher);
                    searcher
                }
            };
            let held = Arc::clone(&searcher);
            tokio::spawn(async move {
                tokio::time::sleep(FRESH).await;
                drop(held);
            });
            let search = move || searcher.search(&Query::of(&text));
            let found = blocking(search).await?;
            Ok(found.into_iter().map(of_front_end).collect())
        }
        .boxed()
    })
}

async fn open(folders: &Folders, storage: &Storage) -> Result<Searcher, String> {
    let listed = storage.list().await.map_err(|error| error.to_string())?;
    let (data, cache) = (folders.data.clone(), folders.cache.clone());
    blocking(move || Searcher::open(&data, &cache, listed, &mut |_| ())).await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn of_front_end(found: Found) -> FoundSession {
    let entry = |hit: Hit| FoundEntry {
        entry: hit.entry,
        snippet: hit.snippet.text,
        marks: hit.snippet.marks,
    };
    FoundSession {
        meta: found.meta,
        has_all_words: found.has_all_words,
        hits: found.hits.into_iter().map(entry).collect(),
    }
}

pub(super) fn exporter(base: &Base) -> Exporter {
    let base = base.clone();
    Box::new(move |wanted| {
        let redactor = redactor_of(&base, &wanted.settings);
        async move {
            let (form, file) = target(&wanted)?;
            let export = Export::of(&wanted.storage, &wanted.session.0, &redactor).await;
            let export = export.map_err(|error| error.to_string())?;
            let path = wanted.folder.join(&file);
            let redacted = export.create(form, &path).map_err(|error| error.to_string())?;
            Ok(Exported {
                path: path.display().to_string(),
                redacted,
            })
        }
        .boxed()
    })
}

/// Returns the export format and the file name. The default format is HTML.
fn target(wanted: &ToExport) -> Result<(Form, String), String> {
    let ending = Path::new(&wanted.file).extension().and_then(|ending| ending.to_str());
    let format = match wanted.format.as_str() {
        "" => ending.unwrap_or("html"),
        format => format,
    };
    let form = Form::of(format).ok_or_else(|| message::export_format(format))?;
    let file = match wanted.file.as_str() {
        "" => format!("session-{}.{format}", wanted.session.short()),
        file => file.to_owned(),
    };
    Ok((form, file))
}
