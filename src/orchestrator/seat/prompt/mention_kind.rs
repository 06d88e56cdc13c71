//! Determines what an `@` in a prompt refers to: a file, a folder, an image elsewhere, or plain text.

use std::path::Path;

use benchdog_domain::mention::{Candidate, Found, Lines, MentionKind, Unreadable, Wanted, WhyUnreadable};
use benchdog_files::picture;
use benchdog_security::workspace::FileKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::seat) struct Target {
    pub(in crate::seat) kind: MentionKind,
    pub(in crate::seat) path: String,
    pub(in crate::seat) lines: Option<Lines>,
}

pub(in crate::seat) enum Meant {
    Target(Target),
    Unreadable(Unreadable),
    Text,
}

/// Returns the target of a mention, which is the first candidate path that exists. A folder must end with a slash,
/// because a word such as `@media` may be plain text.
///
/// `anywhere` permits images outside the session's folders, because a terminal pastes the full path of a dropped file.
pub(in crate::seat) fn means(
    found: &Found,
    workspace: &benchdog_security::workspace::Workspace,
    anywhere: bool,
) -> Meant {
    let mut outside = None;
    for candidate in &found.candidates {
        match workspace.resolve(&candidate.path) {
            Ok(path) => match path.stat() {
                Ok(Some(stat)) if stat.kind != FileKind::Folder => {
                    if let Wanted::Unclear(range) = &candidate.wanted {
                        let range = range.clone();
                        return unreadable(candidate, WhyUnreadable::Unclear { range });
                    }
                    return target(MentionKind::File, path.shown(), candidate);
                }
                Ok(Some(_)) if candidate.path.ends_with('/') && candidate.wanted == Wanted::Whole => {
                    return target(MentionKind::Folder, path.shown(), candidate);
                }
                Ok(_) | Err(_) => {}
            },
            Err(error) if error.code == "symlink_escape" => return unreadable(candidate, WhyUnreadable::Outside),
            Err(error) if error.code == "outside_workspace" && found.is_path => outside = Some(candidate),
            Err(_) => {}
        }
    }
    match (outside, found.candidates.last()) {
        (Some(outside), _) if anywhere && picture::is_one(Path::new(&outside.path)) => {
            target(MentionKind::Image, &outside.path, outside)
        }
        (Some(outside), _) => unreadable(outside, WhyUnreadable::Outside),
        (None, Some(last)) if found.is_path => unreadable(last, WhyUnreadable::Missing),
        (None, _) => Meant::Text,
    }
}

fn target(kind: MentionKind, path: &str, candidate: &Candidate) -> Meant {
    Meant::Target(Target {
        kind,
        path: path.to_owned(),
        lines: match candidate.wanted {
            Wanted::Lines(lines) => Some(lines),
            Wanted::Whole | Wanted::Unclear(_) => None,
        },
    })
}

fn unreadable(candidate: &Candidate, why: WhyUnreadable) -> Meant {
    Meant::Unreadable(Unreadable {
        path: candidate.path.clone(),
        why,
    })
}
