//! Images of a session. They are read together with the prompt, stored as blobs, and kept in memory for requests.

use std::sync::Arc;

use crate::engine::Engine;
use crate::input::Happened;
use crate::seat::Seat;
use crate::seat::requests::call_protocol::{PATIENCE, awaited};
use benchdog_base::id::BlobId;
use benchdog_context::assembly;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::image::{Images, Picture};
use benchdog_domain::message::Messages;

#[derive(Default)]
pub(in crate::seat) struct Pictures {
    waiting: Images,
    at_hand: Images,
}

impl Pictures {
    pub(in crate::seat) fn expect(&mut self, images: Images) {
        self.waiting.extend(images);
    }

    pub(in crate::seat) fn logged(&mut self, entry: &Entry) -> Vec<(BlobId, Arc<[u8]>)> {
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
    /// Removes the images of a result that do not fit into a request, and mentions this in the result's text. The
    /// result does not change again later.
    pub(in crate::seat) fn fit_pictures(&self, happened: &mut Happened) {
        let Happened::Finished { outcome, .. } = happened else {
            return;
        };
        if outcome.images.is_empty() {
            return;
        }
        let (mut room, whole) = (assembly::room(self.log.history()), outcome.images.len());
        outcome.images.retain(|picture| room.put(picture.bytes().len() as u64));
        let left_out = whole - outcome.images.len();
        if left_out > 0 {
            outcome.output.push_str("\n[");
            outcome.output.push_str(&assembly::left_out(left_out));
            outcome.output.push(']');
        }
    }

    /// Returns the images for a request. Empty if the model cannot read images. Resumed sessions load each image once.
    pub(in crate::seat) async fn pictures(&mut self, engine: &Engine, messages: &Messages, model: &ModelRef) -> Images {
        if assembly::images(messages).next().is_none() || !self.sees(engine, model).await {
            return Images::new();
        }
        let mut images = Images::new();
        for image in assembly::images(messages) {
            let bytes = match self.pictures.at_hand.get(&image.blob) {
                Some(bytes) => Some(Arc::clone(bytes)),
                None => {
                    let stored = engine.setup.storage.blob(&self.session.id, &image.blob).await;
                    stored.ok().flatten().and_then(looked_at)
                }
            };
            images.extend(bytes.map(|bytes| (image.blob.clone(), bytes)));
        }
        self.pictures.at_hand.clone_from(&images);
        images
    }

    /// Whether the model reads images. The first request of a resumed session may have to wait for the server.
    async fn sees(&self, engine: &Engine, model: &ModelRef) -> bool {
        if let Some(vision) = engine.vision(&self.settings, model) {
            return vision;
        }
        let pending = engine.pending_knowledge(&self.settings, model);
        let known = tokio::time::timeout(PATIENCE, awaited(pending)).await;
        known.ok().flatten().and_then(|known| known.vision).unwrap_or_default()
    }
}

/// Returns the stored bytes if they are a valid image. Earlier versions stored images without a check.
fn looked_at(kept: Vec<u8>) -> Option<Arc<[u8]>> {
    let picture = Picture::of(&Arc::from(kept))?.ok()?;
    Some(Arc::clone(picture.bytes()))
}

#[cfg(test)]
mod tests;
