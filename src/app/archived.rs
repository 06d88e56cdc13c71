//! Messages about stored sessions, in the workbench and in line mode.

use benchdog_lang::{Word, message, word};
use benchdog_protocol::{Archived, Exported};

pub fn told(archived: &Archived) -> String {
    match archived {
        Archived::Found { text, found: Ok(_) } => message::found_nothing(text),
        Archived::Found { found: Err(why), .. } => message::search_failed(why),
        Archived::Exported(Ok(Exported { path, redacted: 0 })) => message::exported(path),
        Archived::Exported(Ok(Exported { path, redacted })) => message::exported_redacted(*redacted, path),
        Archived::Exported(Err(why)) => message::not_exported(why),
        Archived::Renamed { title } | Archived::Named { title } => message::renamed(title),
        Archived::Retitled(Ok((_, title))) => message::retitled(title),
        Archived::Retitled(Err(why)) => message::not_retitled(why),
        Archived::Removed(Ok(session)) => message::session_removed(session.short()),
        Archived::Removed(Err(why)) => message::session_not_removed(why),
        Archived::Restored(Ok(_)) => word(Word::SessionRestored).to_owned(),
        Archived::Restored(Err(why)) => message::session_not_restored(why),
        Archived::File(Some(path)) => message::session_file(path),
        Archived::File(None) => word(Word::NoSessionFile).to_owned(),
    }
}
