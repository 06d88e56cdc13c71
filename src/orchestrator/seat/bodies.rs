//! Files as the changes of a log name them: by bodies that are stored beside it.

use std::sync::Arc;

use crate::base::id::{BlobId, SessionId};
use crate::storage::Storage;

/// The body that a change names is not to be had.
pub(super) struct Missing;

/// A file as a change names it; `None`: there was none.
pub(super) async fn body(
    storage: &Storage,
    session: &SessionId,
    blob: Option<&BlobId>,
) -> Result<Option<Arc<[u8]>>, Missing> {
    let Some(blob) = blob else { return Ok(None) };
    let found = storage.blob(session, blob).await.ok().flatten();
    found.map(|bytes| Some(bytes.into())).ok_or(Missing)
}
