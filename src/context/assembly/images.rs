//! Images in messages, and texts that replace omitted images.

use super::wording;
use benchdog_domain::entry::Body;
use benchdog_domain::history::{History, Part};
use benchdog_domain::image::{Image, Images, Room};
use benchdog_domain::message::{ChatMessage, Messages, Text};

pub fn images(messages: &[ChatMessage]) -> impl Iterator<Item = &Image> {
    messages.iter().flat_map(|message| match message {
        ChatMessage::Pictured { images, .. } => images.as_slice(),
        _ => &[],
    })
}

/// Replaces each image that is not in `shown` by a text.
pub fn without_hidden(messages: Messages, shown: &Images, mark: &str) -> Messages {
    if images(&messages).all(|image| shown.contains_key(&image.blob)) {
        return messages;
    }
    let lessened = messages.iter().map(|message| match message {
        ChatMessage::Pictured { text, images } => {
            let (seen, hidden): (Vec<_>, Vec<_>) = images
                .iter()
                .cloned()
                .partition(|image| shown.contains_key(&image.blob));
            let text: Text = match hidden.len() {
                0 => text.clone(),
                count => wording::with_notes(
                    text,
                    &[format!("{count} of the images named here cannot be shown to you.").into()],
                )
                .replace(wording::MARK, mark)
                .into(),
            };
            if seen.is_empty() {
                ChatMessage::User(text)
            } else {
                ChatMessage::Pictured { text, images: seen }
            }
        }
        other => other.clone(),
    });
    lessened.collect::<Vec<_>>().into()
}

pub fn left_out(count: usize) -> String {
    wording::left_out(count)
}

pub fn room(history: &History) -> Room {
    let mut room = Room::default();
    for image in history.carried().parts().iter().flat_map(images_of) {
        room.put(image.bytes);
    }
    room
}

pub(super) fn images_of(part: &Part) -> Vec<Image> {
    match (part, &part.entry().body) {
        (Part::Whole(_) | Part::Cut(..) | Part::Lean(..), Body::User { mentions, .. }) => {
            mentions.iter().filter_map(|mention| mention.image.clone()).collect()
        }
        (Part::Whole(_), Body::ToolResult { images, .. }) => images.clone(),
        _ => Vec::new(),
    }
}
