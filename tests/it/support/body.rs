//! The body of an answer, sent step by step.

use std::collections::VecDeque;
use std::io;

use futures::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame};

use super::api::Api;
use super::reply::Step;

pub(super) type Body = UnsyncBoxBody<Bytes, io::Error>;

/// Detects a client that disconnects before the end. hyper then drops the body.
pub(super) struct Watch {
    tell: Box<dyn Fn() + Send>,
    finished: bool,
}

impl Watch {
    pub(super) fn of(tell: impl Fn() + Send + 'static) -> Self {
        Self {
            tell: Box::new(tell),
            finished: false,
        }
    }

    fn finish(&mut self) {
        self.finished = true;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.finished {
            (self.tell)();
        }
    }
}

pub(super) fn stream_of(api: Api, steps: Vec<Step>, watch: Watch) -> Body {
    let steps: VecDeque<Step> = steps.into();
    let body = stream::unfold((steps, watch), move |(mut steps, mut watch)| async move {
        loop {
            // Let hyper flush, so that a broken connection loses no earlier data.
            tokio::task::yield_now().await;
            match steps.pop_front() {
                None => {
                    watch.finish();
                    return None;
                }
                Some(Step::Said(said)) => {
                    let bytes = api.written(&said);
                    return Some((Ok(Frame::data(Bytes::from(bytes))), (steps, watch)));
                }
                Some(Step::Bytes(bytes)) => {
                    return Some((Ok(Frame::data(Bytes::from(bytes))), (steps, watch)));
                }
                Some(Step::Gate(gate)) => gate.pass().await,
                Some(Step::Pause(time)) => tokio::time::sleep(time).await,
                Some(Step::Flood(piece, every)) => {
                    tokio::time::sleep(every).await;
                    steps.push_front(Step::Flood(piece.clone(), every));
                    return Some((Ok(Frame::data(Bytes::from(piece))), (steps, watch)));
                }
                Some(Step::Cut) => {
                    watch.finish();
                    return Some((Err(io::ErrorKind::ConnectionReset.into()), (steps, watch)));
                }
                Some(Step::Silence) => std::future::pending().await,
            }
        }
    });
    StreamBody::new(body).boxed_unsync()
}
