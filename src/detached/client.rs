//! The client: shows the workbench of a host in this terminal.

use std::future::poll_fn;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::task::Poll;
use std::time::Duration;

use rustix::io::Errno;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep_until};

use super::credentials::is_own_user;
use super::frame::{Decoder, Frame, encode_bytes};
use super::source::Source;
use super::{DetachedError, Goodbye, Hello, PROTOCOL, Request, Size};

/// Timeout for the answer to a script's request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Timeout for the answer to a message of a terminal. A host that works answers within milliseconds.
const ANSWER: Duration = Duration::from_secs(5);

/// Switches to the alternate screen.
const OWN_SCREEN: &[u8] = b"\x1b[?1049h";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Said(Goodbye),
    /// The host closed the connection without a message.
    Vanished,
    /// A signal asked this client to end. The workbench keeps running.
    Signal(i32),
}

pub fn request(socket: &Path, wants: Request) -> Result<End, DetachedError> {
    let mut stream = connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(&hello(wants)).map_err(|error| failed(socket, error))?;
    let mut decoder = Decoder::default();
    let mut bytes = [0; 4096];
    loop {
        match stream.read(&mut bytes).map_err(|error| failed(socket, error))? {
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

fn connect(socket: &Path) -> Result<UnixStream, DetachedError> {
    let stream = UnixStream::connect(socket).map_err(|error| failed(socket, error))?;
    if !is_own_user(stream.as_fd()) {
        let socket = socket.display().to_string();
        return Err(DetachedError::OtherUser { socket });
    }
    Ok(stream)
}

fn failed(socket: &Path, error: io::Error) -> DetachedError {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => silent(socket, PATIENCE, false),
        _ => {
            let socket = socket.display().to_string();
            DetachedError::Socket { socket, error }
        }
    }
}

fn silent(socket: &Path, limit: Duration, was_shown: bool) -> DetachedError {
    DetachedError::Silent {
        socket: socket.display().to_string(),
        seconds: limit.as_secs(),
        was_shown,
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

pub fn size() -> Size {
    match tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size {
            columns: size.ws_col,
            rows: size.ws_row,
        },
        _ => Size { columns: 80, rows: 24 },
    }
}

/// A connection to a host, through which this terminal shows the workbench.
#[derive(Debug)]
pub struct Line<'l> {
    socket: &'l Path,
    stream: UnixStream,
    view_only: bool,
    /// The first message to the host.
    hello: Vec<u8>,
    /// Timeout for the first output.
    limit: Duration,
}

impl<'l> Line<'l> {
    pub fn open(socket: &'l Path, view_only: bool) -> Result<Self, DetachedError> {
        let wants = Request::Terminal {
            size: size(),
            view_only,
        };
        Ok(Self {
            socket,
            stream: connect(socket)?,
            view_only,
            hello: hello(wants),
            limit: ANSWER,
        })
    }

    /// Uses the stream to a host that this process has started. Such a host needs no first message, because it already
    /// knows the terminal.
    pub fn to_started(socket: &'l Path, stream: UnixStream, limit: Duration) -> Self {
        Self {
            socket,
            stream,
            view_only: false,
            hello: Vec::new(),
            limit,
        }
    }
}

/// Shows the workbench until one side ends the connection. `restore` resets the terminal modes in cases where the
/// workbench does not.
pub async fn attach(line: Line<'_>, restore: impl Fn()) -> Result<End, DetachedError> {
    let view_only = line.view_only;
    line.stream.set_nonblocking(true)?;
    let raw = Raw::enter()?;
    if view_only {
        // The workbench configures only the terminal whose keys it receives, so a viewer switches screens itself.
        io::stdout().write_all(OWN_SCREEN)?;
        io::stdout().flush()?;
    }
    let end = show(line).await;
    let is_restored = match &end {
        Ok(End::Said(Goodbye::Ended { .. } | Goodbye::Detached | Goodbye::OtherProtocol { .. })) => true,
        // The workbench has not shown anything yet.
        Ok(End::Signal(2)) | Err(DetachedError::Silent { was_shown: false, .. }) => true,
        Ok(End::Said(_) | End::Vanished | End::Signal(_)) | Err(_) => false,
    };
    if view_only || !is_restored {
        restore();
    }
    drop(raw);
    end
}

struct Connection {
    stream: Source<UnixStream>,
    /// Messages that are not yet written to the socket.
    out: Vec<u8>,
    decoder: Decoder,
    received: Vec<u8>,
    /// Time of the first message that has no answer yet.
    asked: Option<Instant>,
}

impl Connection {
    fn send(&mut self, message: &[u8]) {
        self.asked.get_or_insert_with(Instant::now);
        self.out.extend_from_slice(message);
        self.flush();
    }

    fn flush(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let write = |mut stream: &UnixStream| stream.write(&self.out);
        match self.stream.attempt(Interest::WRITABLE, write) {
            Ok(count) => drop(self.out.drain(..count)),
            Err(error) if is_later(&error) => {}
            // The host has closed the connection. Its last message can still be read.
            Err(_) => self.out.clear(),
        }
    }

    /// Waits until the host has sent something, or until a queued message can be written. Cancel-safe.
    async fn ready(&mut self) {
        let wants = match self.out.is_empty() {
            true => Interest::READABLE,
            false => Interest::READABLE | Interest::WRITABLE,
        };
        poll_fn(|context| match self.stream.is_ready(wants, context) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }

    /// Returns the output that has arrived, and the end of the connection.
    fn receive(&mut self) -> Result<(Vec<u8>, Option<End>), DetachedError> {
        let read = self
            .stream
            .read(&mut self.received, |mut stream, bytes| stream.read(bytes));
        match read {
            Err(error) if is_later(&error) => Ok((Vec::new(), None)),
            Ok(0) | Err(_) => Ok((Vec::new(), Some(End::Vanished))),
            Ok(count) => {
                self.asked = None;
                self.decoder.push(self.received.get(..count).unwrap_or_default());
                decode_all(&mut self.decoder)
            }
        }
    }
}

fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Connects the terminal with the host. The host answers each message with output, or with an empty frame. So one time
/// limit for an answer ends every wait for a host that hangs.
async fn show(line: Line<'_>) -> Result<End, DetachedError> {
    let Line { view_only, socket, .. } = line;
    let mut host = Connection {
        stream: Source::new(line.stream),
        out: Vec::new(),
        decoder: Decoder::default(),
        received: vec![0; 1 << 16],
        asked: None,
    };
    let mut resized = signal(SignalKind::window_change())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    #[expect(
        deprecated,
        reason = "the form that does not need `unsafe`; the descriptor is open until the process ends"
    )]
    let keys = AsyncFd::with_interest(rustix::stdio::stdin(), Interest::READABLE)?;
    let mut is_shown = false;
    let mut limit = line.limit;
    // Set a new deadline only when the old one has passed, because each change of a timer costs a system call.
    let mut check = Some(Instant::now() + limit);
    host.send(&line.hello);
    loop {
        tokio::select! {
            biased;
            _ = hang_up.recv() => return Ok(End::Signal(1)),
            _ = terminate.recv() => return Ok(End::Signal(15)),
            pressed = read_keys(&keys), if host.out.is_empty() => match pressed? {
                None => return Ok(End::Signal(1)),
                Some(pressed) if !is_shown && leaves(&pressed) => return Ok(End::Signal(2)),
                Some(pressed) if view_only && (leaves(&pressed) || pressed == b"q") => {
                    return Ok(End::Said(Goodbye::Detached));
                }
                Some(_) if view_only => {}
                Some(pressed) => host.send(&encode_bytes(&pressed)),
            },
            _ = resized.recv() => host.send(&Frame::Resize(size()).encode()),
            () = host.ready() => {
                host.flush();
                let (output, end) = host.receive()?;
                if !output.is_empty() && !is_shown {
                    (is_shown, limit, check) = (true, ANSWER, None);
                }
                write_output(&output)?;
                if let Some(end) = end {
                    return Ok(end);
                }
            }
            () = sleep_until(check.unwrap_or_else(Instant::now)), if check.is_some() => {
                check = host.asked.map(|asked| asked + limit);
                if check.is_some_and(|check| check <= Instant::now()) {
                    return Err(silent(socket, limit, is_shown));
                }
            }
        }
        check = check.or_else(|| host.asked.map(|asked| asked + limit));
    }
}

/// Whether the keys are `Ctrl+C` or `Ctrl+D`. These keys end a view, and the wait for a workbench that has not shown
/// anything yet.
fn leaves(keys: &[u8]) -> bool {
    keys.iter().any(|key| matches!(key, 3 | 4))
}

/// Returns the output of all complete frames, and the end of the connection.
fn decode_all(decoder: &mut Decoder) -> Result<(Vec<u8>, Option<End>), DetachedError> {
    let mut output = Vec::new();
    let mut end = None;
    while let Some(frame) = decoder.next()? {
        match frame {
            Frame::Bytes(bytes) if output.is_empty() => output = bytes,
            Frame::Bytes(bytes) => output.extend_from_slice(&bytes),
            Frame::Goodbye(goodbye) => end = Some(End::Said(goodbye)),
            Frame::Hello(_) | Frame::Resize(_) => return Err(DetachedError::Garbled),
        }
    }
    Ok((output, end))
}

fn write_output(mut output: &[u8]) -> io::Result<()> {
    while !output.is_empty() {
        // `std::io::stdout` would split the text at its last line break.
        match rustix::io::write(rustix::stdio::stdout(), output) {
            Ok(count) => output = output.get(count..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Reads the available keys. Returns `None` if the terminal is gone. Checks the number of available bytes before each
/// read, because the terminal stays in blocking mode. The shell shares this setting.
async fn read_keys(from: &AsyncFd<BorrowedFd<'static>>) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = [0; 4096];
    loop {
        let mut ready = from.readable().await?;
        let Ok(waiting) = rustix::io::ioctl_fionread(from.get_ref()) else {
            return Ok(None);
        };
        if waiting == 0 && !ready.ready().is_read_closed() {
            ready.clear_ready();
            continue;
        }
        let count = match rustix::io::read(from.get_ref(), &mut bytes) {
            Ok(0) | Err(Errno::IO) => return Ok(None),
            Ok(count) => count,
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        };
        if u64::try_from(count).is_ok_and(|count| count >= waiting) {
            // Later input sets the readiness again.
            ready.clear_ready();
        }
        return Ok(bytes.get(..count).map(<[u8]>::to_vec));
    }
}
