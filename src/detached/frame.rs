//! Frames on the socket: a kind, the length in four bytes (little endian), and the content.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{DetachedError, Goodbye, Hello, Size};

/// Maximum content length. Longer terminal output is split into several frames. Prompts are always shorter.
const LONGEST: usize = 1 << 20;
const HEAD: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    Hello(Hello),
    /// Bytes of the terminal: key presses to the host, or output to the client.
    Bytes(Vec<u8>),
    Resize(Size),
    Goodbye(Goodbye),
}

impl Frame {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let (kind, content) = match self {
            Self::Hello(hello) => (b'h', json(hello)),
            Self::Bytes(bytes) => return encode_bytes(bytes),
            Self::Resize(size) => (b'r', json(size)),
            Self::Goodbye(goodbye) => (b'g', json(goodbye)),
        };
        let mut frame = Vec::new();
        push_frame(&mut frame, kind, &content);
        frame
    }

    fn decode(kind: u8, content: &[u8]) -> Result<Self, DetachedError> {
        match kind {
            b'h' => Ok(Self::Hello(parse(content)?)),
            b'b' => Ok(Self::Bytes(content.to_vec())),
            b'r' => Ok(Self::Resize(parse(content)?)),
            b'g' => Ok(Self::Goodbye(parse(content)?)),
            _ => Err(DetachedError::Garbled),
        }
    }
}

/// Encodes terminal bytes, in several frames if necessary. Without bytes, returns one empty frame.
pub(crate) fn encode_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut frames = Vec::with_capacity(HEAD + bytes.len());
    let (first, rest) = bytes.split_at(bytes.len().min(LONGEST));
    push_frame(&mut frames, b'b', first);
    rest.chunks(LONGEST)
        .for_each(|piece| push_frame(&mut frames, b'b', piece));
    frames
}

fn push_frame(frames: &mut Vec<u8>, kind: u8, content: &[u8]) {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    frames.push(kind);
    frames.extend_from_slice(&length.to_le_bytes());
    frames.extend_from_slice(content);
}

fn json(value: &impl Serialize) -> Vec<u8> {
    // Serialising fails only for maps with non-string keys, and these types contain no such maps.
    serde_json::to_vec(value).unwrap_or_default()
}

fn parse<T: DeserializeOwned>(content: &[u8]) -> Result<T, DetachedError> {
    serde_json::from_slice(content).map_err(|_| DetachedError::Garbled)
}

/// Buffer of received bytes that do not form a complete frame yet.
#[derive(Debug, Default)]
pub(crate) struct Decoder(Vec<u8>);

impl Decoder {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn next(&mut self) -> Result<Option<Frame>, DetachedError> {
        let Some((head, rest)) = self.0.split_first_chunk::<HEAD>() else {
            return Ok(None);
        };
        let [kind, length @ ..] = *head;
        let length = usize::try_from(u32::from_le_bytes(length)).map_err(|_| DetachedError::Garbled)?;
        if length > LONGEST {
            return Err(DetachedError::Garbled);
        }
        let Some(content) = rest.get(..length) else {
            return Ok(None);
        };
        let frame = Frame::decode(kind, content)?;
        self.0.drain(..HEAD + length);
        Ok(Some(frame))
    }
}

#[cfg(test)]
mod tests;
