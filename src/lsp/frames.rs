//! Splits the output of a server into messages. Each message follows a header with its length. Message size and bytes
//! per second are limited.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use super::limits::{MOST_MESSAGE, PER_SECOND};
use super::wire::short_line;

/// Maximum length of a skipped message in bytes. A header with a larger length is an error.
const MOST_SKIPPED: u64 = 1 << 30;
/// Maximum size of a header in bytes, including other lines before the header.
const MOST_HEADER: usize = 16 << 10;
const SHOWN: usize = 80;
/// Size in bytes that a shorter message has for the rate limit, because every message takes time.
const LEAST: u64 = 4 << 10;

pub(crate) struct Frames<R> {
    from: R,
    since: Instant,
    taken: u64,
}

/// Shortened output that is not a header. After such output, the start of the next message is unknown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadHeader(pub(crate) String);

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Message(Vec<u8>),
    /// A skipped message, with its number of bytes.
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

    pub(crate) async fn next(&mut self) -> Result<Option<Frame>, BadHeader> {
        let Some(length) = self.length().await? else {
            return Ok(None);
        };
        if length > MOST_MESSAGE {
            let is_whole = self.skip(length).await.unwrap_or_default();
            return Ok(is_whole.then_some(Frame::TooLong(length)));
        }
        self.pace(length.max(LEAST)).await;
        let mut message = Vec::new();
        let got = (&mut self.from).take(length).read_to_end(&mut message).await;
        let is_whole = got.is_ok_and(|got| got as u64 == length);
        Ok(is_whole.then_some(Frame::Message(message)))
    }

    /// Reads a header. Ignores preceding lines, because other programs may have written them.
    async fn length(&mut self) -> Result<Option<u64>, BadHeader> {
        let (mut length, mut read) = (None, 0);
        loop {
            let mut line = Vec::new();
            let most = (MOST_HEADER - read) as u64;
            let got = (&mut self.from).take(most).read_until(b'\n', &mut line).await;
            let got = got.unwrap_or_default();
            read += got;
            if got == 0 && read < MOST_HEADER {
                return Ok(None);
            }
            if read >= MOST_HEADER {
                return Err(BadHeader::of(&line));
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
                let said = value.trim().parse().ok().filter(|said| *said <= MOST_SKIPPED);
                let Some(said) = said else {
                    return Err(BadHeader::of(&line));
                };
                length = Some(said);
            }
        }
    }

    /// Skips a message. Returns whether the whole message arrived.
    async fn skip(&mut self, length: u64) -> io::Result<bool> {
        let mut left = length;
        while left > 0 {
            let here = self.from.fill_buf().await?.len() as u64;
            if here == 0 {
                return Ok(false);
            }
            let part = here.min(left);
            self.from.consume(usize::try_from(part).unwrap_or_default());
            left -= part;
            self.pace(part).await;
        }
        Ok(true)
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

impl BadHeader {
    fn of(line: &[u8]) -> Self {
        Self(short_line(&String::from_utf8_lossy(line), SHOWN))
    }
}

pub(crate) fn frame(message: &[u8]) -> Vec<u8> {
    let mut framed = format!("Content-Length: {}\r\n\r\n", message.len()).into_bytes();
    framed.extend_from_slice(message);
    framed
}

#[cfg(test)]
mod tests;
