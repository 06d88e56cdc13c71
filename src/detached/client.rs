//! The client: shows the workbench of a host in this terminal.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::frame::{Decoder, Frame, encode_bytes};
use super::{DetachedError, Goodbye, Hello, PROTOCOL, Request, Size};

/// Timeout for the answer to a script's request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Switches to the alternate screen.
const OWN_SCREEN: &[u8] = b"\x1b[?1049h";

/// The way in which a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Said(Goodbye),
    /// The host closed the connection without a message.
    Vanished,
    /// A signal asked this client to end. The workbench keeps running.
    Signal(i32),
}

/// Sends a request and waits for its answer.
pub fn request(socket: &Path, wants: Request) -> Result<End, DetachedError> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(&hello(wants))?;
    let mut decoder = Decoder::default();
    let mut bytes = [0; 4096];
    loop {
        match stream.read(&mut bytes)? {
            0 => return Ok(End::Vanished),
            count => decoder.push(bytes.get(..count).unwrap_or_default()),
        }
        while let Some(frame) = decoder.next()? {
            if let Frame::Goodbye(goodbye) = frame {
                return Ok(End::Said(goodbye));
            }
        }
    }
}

fn hello(wants: Request) -> Vec<u8> {
    let protocol = PROTOCOL;
    Frame::Hello(Hello { protocol, wants }).encode()
}

/// Sets the terminal to raw mode until this value is dropped.
struct Raw(Termios);

impl Raw {
    fn enter() -> io::Result<Self> {
        let before = tcgetattr(rustix::stdio::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &raw)?;
        Ok(Self(before))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &self.0);
    }
}

fn size() -> Size {
    match tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size {
            columns: size.ws_col,
            rows: size.ws_row,
        },
        _ => Size { columns: 80, rows: 24 },
    }
}

/// Shows the workbench until one side ends the connection. `restore` resets the terminal modes in cases where the
/// workbench does not.
pub async fn attach(socket: &Path, view_only: bool, restore: impl Fn()) -> Result<End, DetachedError> {
    let stream = UnixStream::connect(socket)?;
    stream.set_nonblocking(true)?;
    let raw = Raw::enter()?;
    if view_only {
        // The workbench configures only the terminal whose keys it receives, so a viewer switches screens itself.
        io::stdout().write_all(OWN_SCREEN)?;
    }
    let end = show(stream, view_only).await;
    if view_only
        || !matches!(
            end,
            Ok(End::Said(
                Goodbye::Ended { .. } | Goodbye::Detached | Goodbye::OtherProtocol { .. }
            ))
        )
    {
        restore();
    }
    drop(raw);
    end
}

async fn show(stream: UnixStream, view_only: bool) -> Result<End, DetachedError> {
    let (mut hears, mut tells) = tokio::net::UnixStream::from_std(stream)?.into_split();
    let mut received = vec![0; 1 << 16];
    let mut resized = signal(SignalKind::window_change())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut keys = read_keys()?;
    let mut out = hello(Request::Terminal {
        size: size(),
        view_only,
    });
    let mut decoder = Decoder::default();
    loop {
        tokio::select! {
            biased;
            _ = hang_up.recv() => return Ok(End::Signal(1)),
            _ = terminate.recv() => return Ok(End::Signal(15)),
            // The keys of a viewer are ignored, except those that end the view.
            pressed = keys.recv(), if out.is_empty() => match pressed {
                None => return Ok(End::Signal(1)),
                Some(pressed) if view_only => {
                    if pressed == [3] || pressed == [4] || pressed == b"q" {
                        return Ok(End::Said(Goodbye::Detached));
                    }
                }
                Some(pressed) => out = encode_bytes(&pressed),
            },
            _ = resized.recv() => out.extend(Frame::Resize(size()).encode()),
            written = tells.write(&out), if !out.is_empty() => match written {
                Ok(count) => drop(out.drain(..count)),
                Err(_) => return Ok(End::Vanished),
            },
            count = hears.read(&mut received) => match count {
                Ok(count) if count > 0 => {
                    decoder.push(received.get(..count).unwrap_or_default());
                    if let Some(end) = write_output(&mut decoder)? {
                        return Ok(end);
                    }
                }
                Ok(_) | Err(_) => return Ok(End::Vanished),
            },
        }
    }
}

fn write_output(decoder: &mut Decoder) -> Result<Option<End>, DetachedError> {
    let mut shown = Vec::new();
    let mut end = None;
    while let Some(frame) = decoder.next()? {
        match frame {
            Frame::Bytes(bytes) => shown.extend_from_slice(&bytes),
            Frame::Goodbye(goodbye) => end = Some(End::Said(goodbye)),
            Frame::Hello(_) | Frame::Resize(_) => return Err(DetachedError::Garbled),
        }
    }
    let mut out = io::stdout().lock();
    out.write_all(&shown)?;
    out.flush()?;
    Ok(end)
}

/// Reads the keys in a separate thread. Non-blocking reads are impossible, because the shell uses the same terminal.
fn read_keys() -> io::Result<mpsc::Receiver<Vec<u8>>> {
    let (send, keys) = mpsc::channel(16);
    std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count) = rustix::io::read(rustix::stdio::stdin(), &mut bytes) {
            let read = bytes.get(..count).unwrap_or_default();
            if read.is_empty() || send.blocking_send(read.to_vec()).is_err() {
                return;
            }
        }
    })?;
    Ok(keys)
}
