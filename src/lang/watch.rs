//! Messages about `/watch`.

use super::{Word, message, word};
use benchdog_domain::watch::{NotWatched, WatchNotice};

pub fn not_watched(why: &NotWatched) -> String {
    match why {
        NotWatched::Elsewhere => word(Word::WatchElsewhere).to_owned(),
        NotWatched::TooManyFolders => word(Word::WatchManyFolders).to_owned(),
        NotWatched::RemoteDisk => word(Word::WatchRemoteDisk).to_owned(),
        NotWatched::Failed(error) => message::watch_failed(error),
    }
}

pub(super) fn watch(notice: &WatchNotice) -> String {
    match notice {
        WatchNotice::Sent { path, line, more: 0 } => message::watch_sent(&line.to_string(), path),
        WatchNotice::Sent { path, line, more } => message::watch_sent_more(&line.to_string(), &more.to_string(), path),
        WatchNotice::NotRead { files } => message::watch_not_read(*files),
        WatchNotice::MaybeOwn { files } => message::watch_maybe_own(*files),
        WatchNotice::ManyTurns { turns } => message::watch_many_turns(&turns.to_string()),
        WatchNotice::Ended => word(Word::WatchEnded).to_owned(),
    }
}
