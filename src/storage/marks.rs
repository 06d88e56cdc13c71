//! What a person made of proposals that they have not decided: `<id>.marks` beside its session. It is written anew whenever that
//! changes, outside the log and on the way of nothing, and goes when no proposal has any. What the end of the program leaves is found by
//! the next open; texts about a proposal that is not asked about again lie in `<id>.written` from then on, for the person to read.

use std::path::PathBuf;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::beside;
use super::folder::Folder;
use crate::base::id::SessionId;
use crate::domain::marked::Marked;

#[derive(Deserialize)]
struct Kept {
    session: SessionId,
    marks: Vec<Marked>,
}

/// The same as it is written.
#[derive(Serialize)]
struct Keeps<'a> {
    session: &'a SessionId,
    marks: &'a [Marked],
}

pub(super) fn keep(folder: &Folder, session: &SessionId, marks: &[Marked]) -> io::Result<()> {
    if marks.is_empty() {
        drop_marks(folder, session);
        return Ok(());
    }
    let bytes = serde_json::to_vec(&Keeps { session, marks })?;
    beside::replace(&folder.marks(session), &folder.beside_draft(session), &bytes)
}

fn drop_marks(folder: &Folder, session: &SessionId) {
    let _ = fs::remove_file(folder.marks(session));
    let _ = fs::remove_file(folder.beside_draft(session));
}

/// The session is deleted.
pub(super) fn forget(folder: &Folder, session: &SessionId) {
    drop_marks(folder, session);
    let _ = fs::remove_file(folder.written(session));
}

pub(super) fn read(folder: &Folder, session: &SessionId) -> Vec<Marked> {
    let kept = beside::read(&folder.marks(session));
    let kept = kept.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    kept.filter(|kept| kept.session == *session)
        .map(|kept| kept.marks)
        .unwrap_or_default()
}

/// Puts texts where the person finds them, behind those that lie there.
pub(super) fn lay_open(folder: &Folder, session: &SessionId, texts: &str) -> io::Result<PathBuf> {
    let path = folder.written(session);
    let mut all = beside::read(&path).unwrap_or_default();
    if !all.is_empty() {
        all.push(b'\n');
    }
    all.extend_from_slice(texts.as_bytes());
    beside::replace(&path, &folder.beside_draft(session), &all)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::base::id::{BlobId, CallId};
    use crate::domain::marked::Writing;

    fn marked(text: &str) -> Marked {
        Marked {
            of: BlobId("of".to_owned()),
            call: CallId("c".to_owned()),
            files: Vec::new(),
            comments: Vec::new(),
            writing: Some(Writing::Reason(text.to_owned())),
            answers: None,
            is_laid_open: false,
        }
    }

    #[test]
    fn marks_are_found_again_by_their_session_alone_and_go_when_there_are_none() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(data.path()).unwrap();
        let (one, two) = (SessionId("one".to_owned()), SessionId("two".to_owned()));
        keep(&folder, &one, &[marked("because")]).unwrap();
        assert_eq!(read(&folder, &one), [marked("because")]);
        let mode = fs::metadata(folder.marks(&one)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::copy(folder.marks(&one), folder.marks(&two)).unwrap();
        assert!(read(&folder, &two).is_empty(), "another's");
        keep(&folder, &one, &[]).unwrap();
        assert!(read(&folder, &one).is_empty() && !folder.marks(&one).exists());
    }

    #[test]
    fn texts_are_laid_open_behind_each_other_and_go_with_the_session() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(data.path()).unwrap();
        let id = SessionId("one".to_owned());
        keep(&folder, &id, &[marked("x")]).unwrap();
        for text in ["first", "second"] {
            lay_open(&folder, &id, &marked(text).texts().unwrap()).unwrap();
        }
        let written = fs::read_to_string(folder.written(&id)).unwrap();
        assert!(
            written.contains("first\n") && written.ends_with("second\n"),
            "{written}"
        );
        forget(&folder, &id);
        assert!(!folder.written(&id).exists() && !folder.marks(&id).exists());
    }
}
