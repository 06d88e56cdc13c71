//! `benchdog sessions`: lists, searches and exports stored sessions.

use std::io::{IsTerminal, Write};

use serde_json::json;

use super::engine::{Base, holder};
use super::mcp::definitions;
use super::small::unprintable;
use super::{complain, threads};
use crate::cli::{ExportArgs, ExportFormat, SessionFormat, SessionsCommand};
use crate::error::Trouble;
use benchdog_base::id::EntryId;
use benchdog_base::json::line;
use benchdog_base::text::clean;
use benchdog_checkpoints::{Limits, StoreGc, gc_all};
use benchdog_config::keys;
use benchdog_config::settings::Settings;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle, Word, word};
use benchdog_security::redact::Redactor;
use benchdog_security::secrets::is_secret_variable;
use benchdog_sessions::export::{Export, Form};
use benchdog_sessions::import::{import, told};
use benchdog_sessions::search::{self, Query, Searcher};
use benchdog_sessions::{self as sessions, Format, SessionsError};
use benchdog_storage::check::Repair;
use benchdog_storage::{Storage, trash};

pub(super) fn sessions(base: &Base, command: &SessionsCommand) -> Result<Exit, Trouble> {
    // Report a configuration error first. Without the keys in the configuration, an export could contain these secrets.
    let redactor = match command {
        SessionsCommand::Export(_) => redactor(base)?,
        _ => Redactor::default(),
    };
    let storage = Storage::start(&base.folders.data).map_err(|error| Trouble::of_storage(&error))?;
    let runtime = threads::runtime()?;
    let result = runtime.block_on(perform(base, &storage, command, &redactor));
    for notice in storage.take_notices() {
        let words = lang::notice(&notice);
        let trouble = Trouble::new(Exit::Internal, words.text).with_hint(words.hint);
        complain(&trouble.to_string());
    }
    match result {
        Ok(exit) => Ok(exit),
        // A closed pipe is not an error.
        Err(SessionsError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(error) => Err(trouble(error)),
    }
}

async fn perform(
    base: &Base,
    storage: &Storage,
    command: &SessionsCommand,
    redactor: &Redactor,
) -> Result<Exit, SessionsError> {
    let out = &mut std::io::stdout();
    match command {
        SessionsCommand::List { format, deleted: true } => {
            sessions::list_deleted(&base.folders.data, (*format).into(), out)
        }
        SessionsCommand::List { format, .. } => {
            sessions::list(storage, (*format).into(), out).await?;
            let deleted = trash::list(&base.folders.data).len();
            if *format == SessionFormat::Text && deleted > 0 {
                complain(&lang::message::deleted_sessions(&deleted.to_string()));
            }
            Ok(())
        }
        SessionsCommand::Show { id, format } => sessions::show(storage, id, (*format).into(), out).await,
        SessionsCommand::Fork { id, upto } => sessions::fork(storage, id, upto.map(EntryId), out).await,
        SessionsCommand::Rename { id, title } => sessions::rename(storage, id, title, holder(), out).await,
        SessionsCommand::Delete { id } => sessions::delete(storage, &base.folders, id, out).await,
        SessionsCommand::Restore { id } => {
            let id = trash::restore(&base.folders.data, id)?;
            return Ok(writeln!(out, "{id}").map(|()| Exit::Done)?);
        }
        SessionsCommand::Export(arguments) => export(storage, arguments, redactor).await,
        SessionsCommand::Check { id, repair } => {
            let repair = if *repair { Repair::IntoNew } else { Repair::No };
            let data = &base.folders.data;
            let sound = sessions::check::check(storage, data, id.as_deref(), repair, out).await?;
            return Ok(if sound { Exit::Done } else { Exit::Internal });
        }
        SessionsCommand::Import { file } => {
            for session in import(&base.folders.data, file, &base.root)? {
                writeln!(out, "{}", told(&session))?;
            }
            Ok(())
        }
        SessionsCommand::Gc { json } => return gc(base, *json),
        SessionsCommand::Search { text, json } => return search(base, storage, &text.join(" "), *json).await,
    }?;
    Ok(Exit::Done)
}

/// Minimum number of sessions to index for which a message announces the wait.
const MANY: usize = 200;

async fn search(base: &Base, storage: &Storage, text: &str, json: bool) -> Result<Exit, SessionsError> {
    let (data, cache) = (&base.folders.data, &base.folders.cache);
    let listed = storage.list().await?;
    let mut told = false;
    let mut progress = |left: usize| {
        if !told && left >= MANY {
            complain(&lang::message::indexing_sessions(&left.to_string()));
        }
        told = true;
    };
    let searcher = Searcher::open(data, cache, listed, &mut progress).map_err(SessionsError::Index)?;
    let found = searcher.search(&Query::of(text)).map_err(SessionsError::Index)?;
    // The program ends soon. Freeing a list of 10,000 sessions would take about 10 ms.
    std::mem::forget(searcher);
    if found.is_empty() {
        complain(word(Word::NothingFound));
        return Ok(Exit::Internal);
    }
    if found.iter().any(|found| !found.has_all_words) {
        complain(word(Word::FoundMostWords));
    }
    let is_styled = std::io::stdout().is_terminal() && !base.environment.has("NO_COLOR");
    let form = match (json, is_styled) {
        (true, _) => search::Form::Json,
        (false, true) => search::Form::Text {
            before: "\u{1b}[1;7m",
            after: "\u{1b}[0m",
        },
        (false, false) => search::Form::Text {
            before: "**",
            after: "**",
        },
    };
    let mut out = std::io::BufWriter::new(std::io::stdout());
    search::write(&found, form, &mut out)?;
    out.flush()?;
    Ok(Exit::Done)
}

fn gc(base: &Base, json: bool) -> Result<Exit, SessionsError> {
    let data = &base.folders.data;
    trash::empty(data);
    let results = gc_all(data, Limits::default());
    let mut out = std::io::stdout();
    if json {
        let stores: Vec<_> = results.iter().map(store_json).collect();
        writeln!(out, "{}", line(&json!({ "stores": stores })))?;
    } else if results.is_empty() {
        writeln!(out, "{}", word(Word::NoCheckpoints))?;
    } else {
        for store in &results {
            let root = clean(&store.root.display().to_string()).into_owned();
            let said = match &store.error {
                Some(error) => lang::message::store_not_cleaned(&error.to_string(), &root),
                None if store.is_busy => lang::message::store_busy(&root),
                None => {
                    let (before, after) = (store.before.div_ceil(1 << 20), store.after.div_ceil(1 << 20));
                    lang::message::store_cleaned(&after.to_string(), &before.to_string(), &root)
                }
            };
            writeln!(out, "{said}")?;
        }
    }
    let has_failed = results.iter().any(|store| store.error.is_some());
    Ok(if has_failed { Exit::Internal } else { Exit::Done })
}

fn store_json(store: &StoreGc) -> serde_json::Value {
    let StoreGc {
        root,
        before,
        after,
        is_busy,
        error,
    } = store;
    let error = error.as_ref().map(ToString::to_string);
    json!({"root": root.display().to_string(), "before": before, "after": after, "busy": is_busy, "error": error})
}

async fn export(storage: &Storage, arguments: &ExportArgs, redactor: &Redactor) -> Result<(), SessionsError> {
    let export = Export::of(storage, &arguments.id, redactor).await?;
    if arguments.preview || std::io::stderr().is_terminal() {
        for line in export.redactions().lines() {
            complain(&line);
        }
    }
    if arguments.preview {
        return Ok(());
    }
    let form = arguments.format().into();
    match &arguments.output {
        Some(file) => export.create(form, file).map(drop),
        None => {
            let mut out = std::io::BufWriter::new(std::io::stdout());
            export.write(form, &mut out)?;
            Ok(out.flush()?)
        }
    }
}

fn redactor(base: &Base) -> Result<Redactor, Trouble> {
    let loaded = base.try_load_here()?.told()?;
    Ok(redactor_of(base, &loaded.settings))
}

/// Returns a redactor for all secrets in the configuration, the key store, MCP servers and the environment.
pub(super) fn redactor_of(base: &Base, settings: &Settings) -> Redactor {
    let in_use = settings
        .provider
        .iter()
        .flat_map(|(_, provider)| keys(provider, &base.environment));
    let stored = settings.stored_keys.iter().cloned();
    let servers = definitions(base, settings);
    let of_servers = servers.iter().flat_map(|server| server.secrets());
    let variables = base.environment.iter().filter(|(name, _)| is_secret_variable(name));
    let variables = variables.map(|(_, value)| value.to_owned());
    Redactor::new(in_use.chain(stored).chain(of_servers).chain(variables))
}

fn trouble(error: SessionsError) -> Trouble {
    match error {
        SessionsError::Storage(error) => Trouble::of_storage(&error),
        SessionsError::Output(error) => unprintable(&error),
        error @ SessionsError::Index(_) => {
            let hint = word(Word::TroubleSearchIndexHint);
            Trouble::from_error(Exit::Internal, &error)
                .with_hint(hint)
                .coded("search_index")
        }
        SessionsError::Encoding(error) => Trouble::from_error(Exit::Internal, &error),
        error @ (SessionsError::Flawed { .. } | SessionsError::Unreadable { .. }) => {
            let hint = word(Word::TroubleImportHint);
            Trouble::new(Exit::Usage, error.to_string())
                .with_hint(hint)
                .coded("import_failed")
        }
        SessionsError::Exists(file) => {
            let file = &file.display().to_string();
            Trouble::obstacle(Exit::Usage, Obstacle::FileExists { file }).coded("file_exists")
        }
        SessionsError::Unwritable { file, error } => {
            let (file, error) = (&file.display().to_string(), &error.to_string());
            Trouble::obstacle(Exit::Usage, Obstacle::NotCreated { file, error }).coded("file_unwritable")
        }
    }
}

impl From<SessionFormat> for Format {
    fn from(format: SessionFormat) -> Self {
        match format {
            SessionFormat::Text => Self::Text,
            SessionFormat::Json => Self::Json,
            SessionFormat::Jsonl => Self::Jsonl,
            SessionFormat::Markdown => Self::Markdown,
        }
    }
}

impl From<ExportFormat> for Form {
    fn from(format: ExportFormat) -> Self {
        match format {
            ExportFormat::Jsonl => Self::Jsonl,
            ExportFormat::Markdown => Self::Markdown,
            ExportFormat::Html => Self::Html,
        }
    }
}
