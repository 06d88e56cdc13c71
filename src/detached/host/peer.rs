//! A connection to the host.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

use tokio::io::Interest;

use super::super::Goodbye;
use super::super::frame::{Decoder, Frame, encode_bytes};
use super::super::source::Source;
use super::MOST_READ;

/// Number of bytes of pending output from which a terminal is treated as unresponsive.
const HANGS: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: u64,
    pub(super) stream: Source<UnixStream>,
    received: Decoder,
    out: Vec<u8>,
    /// Whether the hello message has arrived.
    pub(super) is_known: bool,
    /// Whether the peer displays the workbench.
    pub(super) shows: bool,
    /// Whether key presses of the peer are passed to the workbench.
    pub(super) types: bool,
    /// Whether a message of the terminal has no answer yet.
    pub(super) owes_answer: bool,
    /// Whether the connection closes once the pending output is sent.
    pub(super) is_leaving: bool,
    pub(super) is_closed: bool,
}

impl Peer {
    pub(super) fn new(id: u64, stream: UnixStream) -> Self {
        Self {
            id,
            stream: Source::new(stream),
            received: Decoder::default(),
            out: Vec::new(),
            is_known: false,
            shows: false,
            types: false,
            owes_answer: false,
            is_leaving: false,
            is_closed: false,
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.out.len()
    }

    pub(super) fn is_gone(&self) -> bool {
        self.is_closed || (self.is_leaving && self.out.is_empty())
    }

    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.owes_answer = false;
        self.out.extend_from_slice(bytes);
        self.flush();
    }

    /// Sends an empty output as the answer to a message that has not changed the screen. A terminal that gets no answer
    /// disconnects.
    pub(super) fn acknowledge(&mut self) {
        if self.owes_answer && !self.is_leaving {
            self.send(&encode_bytes(&[]));
        }
    }

    pub(super) fn leave(&mut self, goodbye: &Goodbye) {
        if !self.is_leaving {
            self.send(&Frame::Goodbye(goodbye.clone()).encode());
            self.types = false;
            self.is_leaving = true;
            // If the terminal is unresponsive, close at once, because the goodbye would never arrive.
            self.is_closed |= self.out.len() > HANGS;
        }
    }

    pub(super) fn flush(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let write = |mut stream: &UnixStream| stream.write(&self.out);
        match self.stream.attempt(Interest::WRITABLE, write) {
            Ok(count) => drop(self.out.drain(..count)),
            Err(error) if is_later(error.kind()) => {}
            // The peer takes no more output. Its earlier messages can still be read, and the reads detect the end of
            // the connection.
            Err(_) => self.out.clear(),
        }
    }

    pub(super) fn receive(&mut self) {
        let mut bytes = [0; MOST_READ];
        match self.stream.read(&mut bytes, |mut stream, bytes| stream.read(bytes)) {
            Ok(0) => self.is_closed = true,
            Ok(count) => self.received.push(bytes.get(..count).unwrap_or_default()),
            Err(error) if is_later(error.kind()) => {}
            Err(_) => self.is_closed = true,
        }
    }

    pub(super) fn next_frame(&mut self) -> Option<Frame> {
        if self.is_closed || self.is_leaving {
            return None;
        }
        match self.received.next() {
            Ok(frame) => frame,
            Err(_) => {
                self.is_closed = true;
                None
            }
        }
    }
}

fn is_later(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
