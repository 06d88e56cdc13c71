//! Search and export of sessions for the workbench.

use std::path::Path;
use std::sync::Arc;

use futures::FutureExt;

use super::engine::Base;
use super::sessions::redactor_of;
use benchdog_lang::message;
use benchdog_orchestrator::engine::{Exporter, Searcher, ToExport};
use benchdog_protocol::{Exported, FoundEntry, FoundSession};
use benchdog_sessions::export::{Export, Form};
use benchdog_sessions::search::{self, Found, Query};

pub(super) fn searcher(base: &Base) -> Searcher {
    let folders = base.folders.clone();
    Arc::new(move |listed, text| {
        let (data, cache) = (&folders.data, &folders.cache);
        let found = search::update(data, cache, listed, &mut |_| ())
            .and_then(|()| search::search(data, cache, listed, &Query::of(text)));
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.into_iter().map(of_front_end).collect())
    })
}

fn of_front_end(found: Found) -> FoundSession {
    let entry = |hit: search::Hit| FoundEntry {
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
