//! Messages of a server as bytes: a header with the length, and the message. Limits the size of one, and how many bytes come in a second.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use super::limits::{MOST_MESSAGE, PER_SECOND};

/// A header that says more than this is an error.
const MOST_SKIPPED: u64 = 1 << 30;
/// The longest header, including lines that belong to none.
const MOST_HEADER: usize = 16 << 10;
/// Bytes that a short message counts as, because each costs time, too.
const LEAST: u64 = 4 << 10;

pub(crate) struct Frames<R> {
    from: R,
    since: Instant,
    taken: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Message(Vec<u8>),
    /// A message that was too long, of so many bytes.
    TooLong(u64),
}

impl<R: AsyncBufRead + Unpin> Frames<R> {
    pub(crate) fn new(from: R) -> Self {
        Self {
            from,
            since: Instant::now(),
            taken: 0,
        }
    }

    /// Returns the next message, or `None` at the end. After an error there is no way to find the next one.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Frame>> {
        let Some(length) = self.length().await? else {
            return Ok(None);
        };
        if length > MOST_MESSAGE {
            self.skip(length).await?;
            return Ok(Some(Frame::TooLong(length)));
        }
        self.pace(length.max(LEAST)).await;
        let mut message = Vec::new();
        let got = (&mut self.from).take(length).read_to_end(&mut message).await? as u64;
        if got < length {
            return Ok(None);
        }
        Ok(Some(Frame::Message(message)))
    }

    /// Reads a header. Lines of other programs before it are ignored.
    async fn length(&mut self) -> io::Result<Option<u64>> {
        let (mut length, mut read) = (None, 0);
        loop {
            let mut line = Vec::new();
            let most = (MOST_HEADER - read) as u64;
            let got = (&mut self.from).take(most).read_until(b'\n', &mut line).await?;
            read += got;
            if got == 0 && read < MOST_HEADER {
                return Ok(None);
            }
            if read >= MOST_HEADER {
                return Err(invalid("a header without end"));
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() && length.is_some() {
                return Ok(length);
            }
            let Some((name, value)) = text.split_once(':') else {
                continue;
            };
            if name.eq_ignore_ascii_case("content-length") {
                let said: u64 = value
                    .trim()
                    .parse()
                    .map_err(|_| invalid("a length that is no number"))?;
                if said > MOST_SKIPPED {
                    return Err(invalid("a message of more than 1 GB"));
                }
                length = Some(said);
            }
        }
    }

    async fn skip(&mut self, length: u64) -> io::Result<()> {
        let mut left = length;
        while left > 0 {
            let here = self.from.fill_buf().await?.len() as u64;
            if here == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let part = here.min(left);
            self.from.consume(usize::try_from(part).unwrap_or_default());
            left -= part;
            self.pace(part).await;
        }
        Ok(())
    }

    async fn pace(&mut self, bytes: u64) {
        if self.since.elapsed() >= Duration::from_secs(1) {
            (self.since, self.taken) = (Instant::now(), 0);
        }
        self.taken += bytes;
        if self.taken > PER_SECOND {
            tokio::time::sleep_until((self.since + Duration::from_secs(1)).into()).await;
        }
    }
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Returns a message with its header.
pub(crate) fn framed(message: &[u8]) -> Vec<u8> {
    let mut framed = format!("Content-Length: {}\r\n\r\n", message.len()).into_bytes();
    framed.extend_from_slice(message);
    framed
}

#[cfg(test)]
mod tests;
