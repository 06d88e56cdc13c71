//! Loads the contents of changed files from their blobs.

use std::sync::Arc;

use benchdog_base::id::{BlobId, SessionId};
use benchdog_diff as diff;
use benchdog_domain::tool::AppliedChange;
use benchdog_storage::Storage;

pub(in crate::seat) struct Missing;

pub(in crate::seat) async fn body(
    storage: &Storage,
    session: &SessionId,
    blob: Option<&BlobId>,
) -> Result<Option<Arc<[u8]>>, Missing> {
    let Some(blob) = blob else { return Ok(None) };
    let found = storage.blob(session, blob).await.ok().flatten();
    found.map(|bytes| Some(bytes.into())).ok_or(Missing)
}

pub(in crate::seat) fn change(path: String, before: Option<Arc<[u8]>>, after: Option<Arc<[u8]>>) -> AppliedChange {
    let (added, removed) = diff::counts(
        before.as_deref().unwrap_or_default(),
        after.as_deref().unwrap_or_default(),
    );
    AppliedChange {
        path,
        before,
        after,
        added,
        removed,
        in_part: false,
        mode_before: None,
    }
}
