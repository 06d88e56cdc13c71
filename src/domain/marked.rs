//! What a person made of a proposal before they decided: what is kept, comments, other texts, words not sent yet, answers. Marks, and never a
//! decision: nothing of it allows anything.

use serde::{Deserialize, Serialize};

use crate::base::id::{BlobId, CallId};

/// All of it for one proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Marked {
    /// What it would do, so that the same one is known when it is proposed again.
    pub(crate) of: BlobId,
    pub(crate) call: CallId,
    /// Of each of its files; none, where nothing was done with any.
    pub(crate) files: Vec<MarkedFile>,
    pub(crate) comments: Vec<MarkedComment>,
    pub(crate) writing: Option<Writing>,
    /// Where it asks something.
    #[serde(default)]
    pub(crate) answers: Option<MarkedAnswers>,
    /// Its texts lie in a file for the person, because it was not asked about again.
    pub(crate) is_laid_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MarkedFile {
    pub(crate) path: String,
    /// Of each hunk whether it stays.
    pub(crate) kept: Vec<bool>,
    /// Lines of the side before and of the side after that are dropped one by one.
    pub(crate) dropped: Vec<MarkedLine>,
    pub(crate) edited: Option<EditedText>,
}

/// The person's text in the place of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EditedText {
    pub(crate) text: String,
    /// The same with the lines that they dropped.
    pub(crate) with_dropped: String,
}

/// A line of one side, 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum MarkedLine {
    Before(usize),
    After(usize),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MarkedComment {
    pub(crate) file: usize,
    pub(crate) line: MarkedLine,
    pub(crate) code: String,
    pub(crate) text: String,
}

/// A text that was being written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Writing {
    Reason(String),
    Comment {
        file: usize,
        line: MarkedLine,
        text: String,
    },
    /// All of a file, as it stood in the editor.
    Edit {
        file: usize,
        path: String,
        text: String,
        /// A line around which it was opened.
        around: usize,
        /// Bytes of what was open before the caret.
        caret: usize,
    },
}

/// What was answered so far, and not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MarkedAnswers {
    /// The question that was on screen; the one after the last: all answers.
    pub(crate) at: usize,
    /// Of each question.
    pub(crate) pages: Vec<MarkedAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MarkedAnswer {
    pub(crate) name: String,
    /// The row with the cursor.
    pub(crate) selected: usize,
    /// Of each option; `None`: as it was asked.
    pub(crate) chosen: Option<Vec<bool>>,
    /// What was written there; `None`: what stood there when it was asked.
    pub(crate) own: Option<String>,
    /// An option was chosen over that.
    pub(crate) passed_over: bool,
    /// The person was done with it.
    pub(crate) answered: bool,
}

impl Marked {
    /// The texts of the person, as a document; `None`: they wrote none.
    pub(crate) fn texts(&self) -> Option<String> {
        let edited = |file: &MarkedFile| Some((file.path.clone(), file.edited.as_ref()?.text.clone()));
        let comments = self
            .comments
            .iter()
            .map(|comment| (comment.code.trim().to_owned(), comment.text.clone()));
        let writing = self.writing.iter().map(|writing| match writing {
            Writing::Reason(text) | Writing::Comment { text, .. } => (String::new(), text.clone()),
            Writing::Edit { path, text, .. } => (path.clone(), text.clone()),
        });
        let answers = self.answers.iter().flat_map(|answers| &answers.pages);
        let written = |text: &&String| !text.trim().is_empty();
        let answers = answers.filter_map(|page| Some((page.name.clone(), page.own.as_ref().filter(written)?.clone())));
        let texts = self.files.iter().filter_map(edited).chain(comments).chain(writing);
        let texts = texts.chain(answers);
        let texts: Vec<String> = texts.map(|(of, text)| format!("## {of}\n\n{text}\n")).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}
