//! What is taken of a server at the most, and how long it is waited for. Nothing that a server does may hang the program or fill
//! its memory.

use std::time::Duration;

pub(crate) use crate::domain::server::{MOST_PAGES, MOST_PROMPTS, MOST_RESOURCES, MOST_TOOLS};

/// The longest message that is read; a longer one is passed over to its end.
pub(crate) const MOST_MESSAGE: usize = 16 << 20;

/// Bytes of what leads to the next page; a list ends at a longer one.
pub(super) const MOST_CURSOR: usize = 4 << 10;

/// How much of a list was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    Whole,
    /// It goes on, beyond what is taken of one.
    InPart,
}

/// Whether a list has room for another page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum More {
    Wanted,
    /// It has none, and the page was taken to its end.
    Full,
    /// It has none, and there is more on the page.
    Enough,
}

impl More {
    /// One more than are taken says that there are more.
    pub(super) fn beyond(most: usize, seen: usize) -> Self {
        if seen > most { Self::Enough } else { Self::Wanted }
    }
}

/// The arguments of one prompt, and the columns of what it says of itself.
pub(super) const MOST_ARGUMENTS: usize = 20;
pub(super) const MOST_PROMPT_WORDS: usize = 200;

/// A person who has called a prompt waits so long for it.
pub(crate) const LONGEST_PROMPT: Duration = Duration::from_secs(15);

/// The bytes of an address of a resource, and the columns of what the server calls it.
pub(super) const MOST_ADDRESS: usize = 2_048;
pub(super) const MOST_RESOURCE_WORDS: usize = 120;

/// Columns of what it says that some bytes are.
pub(super) const MOST_MEDIA: usize = 80;

/// All resources that one prompt names are waited for so long.
pub(crate) const LONGEST_READING: Duration = Duration::from_secs(20);

/// What may be written for an argument is waited for so long, when a person pauses.
pub(super) const LONGEST_COMPLETION: Duration = Duration::from_secs(2);
pub(super) const MOST_VALUES: usize = 20;
pub(super) const MOST_VALUE: usize = 200;

/// Characters of a tool's description.
pub(crate) const MOST_DESCRIPTION: usize = 2_000;

/// Bytes of what a tool says of its arguments, and how deep that may be.
pub(crate) const MOST_SCHEMA: usize = 16 << 10;
pub(super) const DEEPEST_SCHEMA: usize = 24;

/// Notifications a second; what comes beyond is passed over.
pub(super) const MOST_NOTIFICATIONS: u32 = 200;

/// Requests of a server in a second, and without an answer at once. One that asks for more is ended: each is work for us.
pub(crate) const MOST_REQUESTS: u32 = 50;
pub(super) const MOST_IN_FLIGHT: usize = 50;

/// What a server writes beside its answers: bytes at hand, and of the file it goes to.
pub(super) const MOST_ASIDE: usize = 16 << 10;
pub(crate) const MOST_ASIDE_FILE: u64 = 1 << 20;

/// A call that goes on reporting progress may take so long.
pub(crate) const LONGEST_CALL: Duration = Duration::from_secs(30 * 60);

/// How often a server that ended is started again, and the pauses before that.
pub(crate) const MOST_RESTARTS: u32 = 3;
pub(super) const PAUSES: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(8),
];

/// One that was well for so long begins anew with its restarts.
pub(super) const WELL_AFTER: Duration = Duration::from_secs(300);

/// Lists that are kept on disk, over all servers there ever were.
pub(super) const MOST_KEPT: usize = 100;
