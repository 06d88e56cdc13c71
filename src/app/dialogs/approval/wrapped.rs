//! The wrapped rows of a command or of fields, cached by width because a frame needs them several times.

use std::cell::RefCell;
use std::sync::Arc;

use super::{RequestView, Waiting};
use crate::dialogs::rows::{self, RequestRow};
use benchdog_domain::review::Review;
use benchdog_protocol::ApprovalRequest;

/// Number of cached widths. The layout first assumes one width, and then uses the final width.
const WIDTHS: usize = 2;

#[derive(Default)]
pub(super) struct Wrapped(RefCell<Vec<Rows>>);

#[derive(Clone)]
struct Rows {
    width: u16,
    of: Arc<ApprovalRequest>,
    rows: Arc<[RequestRow]>,
    of_text: usize,
}

impl Waiting {
    pub fn rows(&self, width: u16) -> Arc<[RequestRow]> {
        match &self.view {
            RequestView::Rows { .. } => self.wrapped(width).rows,
            RequestView::Files(_) | RequestView::Question(_) | RequestView::Unseen => Arc::default(),
        }
    }

    pub(super) fn rows_of_text(&self, width: u16) -> usize {
        self.wrapped(width).of_text
    }

    fn wrapped(&self, width: u16) -> Rows {
        let is_it = |kept: &&Rows| kept.width == width && Arc::ptr_eq(&kept.of, &self.request);
        let kept = self.wrapped.0.borrow().iter().find(is_it).cloned();
        kept.unwrap_or_else(|| {
            let (rows, of_text) = match &self.request.review {
                Review::Command(review) => rows::command_and_text(review, self.request.origin, width),
                Review::Fields(fields) => (rows::fields(fields, width), 0),
                Review::Files(_) | Review::Question(_) => (Vec::new(), 0),
            };
            let made = Rows {
                width,
                of: Arc::clone(&self.request),
                rows: rows.into(),
                of_text,
            };
            let mut kept = self.wrapped.0.borrow_mut();
            kept.insert(0, made.clone());
            kept.truncate(WIDTHS);
            made
        })
    }
}
