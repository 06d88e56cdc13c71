//! The images of a session: read with the prompt that names them, stored as blobs with its entry, and at hand for requests.

use std::sync::Arc;

use super::Seat;
use crate::base::id::BlobId;
use crate::context::assembly;
use crate::domain::entry::{Body, Entry};
use crate::domain::image::Images;
use crate::domain::message::Messages;
use crate::orchestrator::engine::Engine;

#[derive(Default)]
pub(super) struct Pictures {
    /// Of prompts that are not in the log yet.
    waiting: Images,
    /// Those of the last request.
    at_hand: Images,
}

impl Pictures {
    pub(super) fn expect(&mut self, images: Images) {
        self.waiting.extend(images);
    }

    /// What is to be stored with an entry.
    pub(super) fn logged(&mut self, entry: &Entry) -> Vec<(BlobId, Arc<[u8]>)> {
        let Body::User { mentions, .. } = &entry.body else {
            return Vec::new();
        };
        let named = mentions.iter().filter_map(|mention| mention.image.as_ref());
        let taken: Vec<_> = named
            .filter_map(|image| self.waiting.remove_entry(&image.blob))
            .collect();
        self.at_hand.extend(taken.iter().cloned());
        taken
    }
}

impl Seat {
    /// The bytes of the images that a request names; none where the model reads none. Those of a resumed session are read from
    /// its file once.
    pub(super) async fn pictures(&mut self, engine: &Engine, messages: &Messages, sees: bool) -> Images {
        if !sees {
            return Images::new();
        }
        let mut images = Images::new();
        for image in assembly::images(messages) {
            let bytes = match self.pictures.at_hand.get(&image.blob) {
                Some(bytes) => Some(Arc::clone(bytes)),
                None => {
                    let stored = engine.setup.storage.blob(&self.session.id, &image.blob).await;
                    stored.ok().flatten().map(Arc::from)
                }
            };
            images.extend(bytes.map(|bytes| (image.blob.clone(), bytes)));
        }
        self.pictures.at_hand.clone_from(&images);
        images
    }
}
