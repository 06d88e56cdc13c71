//! The host: owns the pseudo-terminal of the workbench in this process, and serves terminals and scripts through a
//! socket. The host has no thread. It runs in the event loop of the workbench, so that a key press reaches the
//! workbench at once.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, ErrorKind, PipeReader, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use fork::Fork;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, ioctl_tiocsctty, kill_process, setsid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tokio::io::Interest;

use super::credentials::is_own_user;
use super::frame::{Frame, encode_bytes};
use super::source::{Source, wants};
use super::{DetachedError, Goodbye, Hello, PROTOCOL, Request, Size};
use peer::Peer;

mod peer;

/// Time limit for sending the last output at the end.
const LAST: Duration = Duration::from_secs(2);

/// Maximum wait for a slow terminal at the end. After each wait, the time limit is checked.
const STEP: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Maximum number of buffered bytes: keys for a program that does not read, and output for a viewer. Above it, no
/// further keys are read, and viewers are disconnected.
const MOST_WAITING: usize = 1 << 20;

/// Maximum number of bytes per read. A pseudo-terminal returns at most 4 KiB.
const MOST_READ: usize = 1 << 13;

/// Maximum number of reads for the pending output of the pseudo-terminal, which holds less than 128 KiB.
const MOST_READS: usize = 32;

/// Maximum number of connections. Further connections are closed.
const MOST_PEERS: usize = 32;

#[derive(Debug)]
pub enum Event {
    /// Key presses of the terminal that controls the workbench.
    Keys(Vec<u8>),
    /// A terminal attached and needs a full redraw.
    Attached,
    /// A viewer connected and needs a full redraw.
    Viewed,
    /// The last terminal detached.
    Left,
    /// The terminal that sent key presses has detached. Only viewers remain.
    OnlyViewed,
    Prompt {
        session: String,
        text: String,
        reply: Reply,
    },
    Stop {
        session: String,
        reply: Reply,
    },
}

/// A script that waits for [`Host::answer`]. Without an answer, the script's connection stays open until the host ends.
#[derive(Debug)]
pub struct Reply(u64);

/// The two processes after a start.
#[derive(Debug)]
pub enum Side {
    /// This process, in the terminal. It shows the workbench of the new process.
    Client(Started),
    /// The new process. The workbench runs in it.
    Host(Result<Host, DetachedError>),
}

#[derive(Debug)]
pub struct Started {
    pub stream: UnixStream,
    pid: i32,
    errors: PipeReader,
}

impl Started {
    pub fn kill(&self) {
        // An error means that the host has ended already.
        let _ = Pid::from_raw(self.pid).map(|pid| kill_process(pid, Signal::KILL));
    }

    /// Returns the errors from the time before the host had a terminal. Blocks until the host has a terminal or has
    /// ended.
    pub fn errors(mut self) -> String {
        let mut told = String::new();
        let _ = self.errors.read_to_string(&mut told);
        told
    }
}

/// Splits this process in two. The new process is the host, with a pseudo-terminal of the given size. A fork makes the
/// start short and the client small, because a new program would load everything again.
///
/// Call this only while the process has one thread: other threads do not exist in the new process.
pub fn start(socket: &Path, size: Size) -> Result<Side, DetachedError> {
    let listener = listen(socket)?;
    let (stream, client) = UnixStream::pair()?;
    let (errors, tells) = io::pipe()?;
    Ok(match fork::fork()? {
        Fork::Parent(pid) => Side::Client(Started { stream, pid, errors }),
        Fork::Child => {
            // The terminal belongs to the client from now on.
            let host = rustix::stdio::dup2_stderr(&tells).map_err(io::Error::from);
            let host = host.map_err(DetachedError::from);
            Side::Host(host.and_then(|()| Host::new(listener, client, socket, size)))
        }
    })
}

/// A handle to the host. Clones refer to the same host.
#[derive(Debug, Clone)]
pub struct Host(Arc<Mutex<Server>>);

impl Host {
    /// Makes this process the leader of a new terminal session with a pseudo-terminal.
    fn new(listener: UnixListener, client: UnixStream, socket: &Path, size: Size) -> Result<Self, DetachedError> {
        listener.set_nonblocking(true)?;
        client.set_nonblocking(true)?;
        let mut peer = Peer::new(0, client);
        (peer.is_known, peer.shows, peer.types) = (true, true, true);
        let server = Server {
            listener: Source::new(listener),
            terminal: Source::new(own_terminal()?),
            socket: socket.to_owned(),
            peers: vec![peer],
            next: 0,
            keys: Vec::new(),
            events: VecDeque::new(),
        };
        server.resize(size);
        Ok(Self(Arc::new(Mutex::new(server))))
    }

    fn server(&self) -> MutexGuard<'_, Server> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves the connections until there is an event. Cancel-safe.
    pub async fn next(&self) -> Event {
        poll_fn(|context| self.server().poll_event(context)).await
    }

    /// Whether [`Self::show`] takes output: the terminal that controls the workbench has taken all earlier output.
    pub fn has_room(&self) -> bool {
        !self.server().is_full()
    }

    /// Sends output of the workbench to the terminals. Returns the number of bytes taken: all or none.
    pub fn show(&self, output: &[u8]) -> usize {
        let mut server = self.server();
        if server.is_full() {
            return 0;
        }
        server.send_output(output);
        output.len()
    }

    /// Sends the pending output of the pseudo-terminal to the terminals, before later output of the workbench.
    pub fn pass_output(&self) {
        self.server().pass_output();
    }

    /// Sends keys to the program that uses the pseudo-terminal now, such as an editor.
    pub fn type_keys(&self, keys: &[u8]) {
        let mut server = self.server();
        server.keys.extend_from_slice(keys);
        server.send_keys();
    }

    pub fn answer(&self, reply: &Reply, goodbye: &Goodbye) {
        if let Some(peer) = self.server().peers.iter_mut().find(|peer| peer.id == reply.0) {
            peer.leave(goodbye);
        }
    }

    /// Disconnects all terminals once the pending output is sent.
    pub fn detach(&self) {
        self.server().leave_terminals(&Goodbye::Detached);
    }

    /// Sends the remaining output and the exit code to the terminals, and removes the socket.
    pub fn end(&self, code: u8) {
        let mut server = self.server();
        let _ = std::fs::remove_file(&server.socket);
        server.peers.iter_mut().for_each(|peer| peer.stream.unwatch());
        server.leave_terminals(&Goodbye::Ended { code });
        let end = Instant::now() + LAST;
        while Instant::now() < end {
            server.peers.retain_mut(|peer| {
                peer.flush();
                peer.is_leaving && !peer.is_gone()
            });
            let mut fds: Vec<PollFd<'_>> = server
                .peers
                .iter()
                .map(|peer| PollFd::new(peer.stream.get(), PollFlags::OUT))
                .collect();
            if fds.is_empty() || poll(&mut fds, Some(&STEP)).is_err() {
                return;
            }
        }
    }
}

/// Converts an error after which the source is still usable, so that the caller repeats the operation later.
fn later(error: impl Into<io::Error>) -> io::Error {
    match error.into() {
        error if error.kind() == ErrorKind::Interrupted => error,
        _ => ErrorKind::WouldBlock.into(),
    }
}

fn listen(socket: &Path) -> Result<UnixListener, DetachedError> {
    // Give the socket its final name only when it accepts connections.
    let new = socket.with_extension("new");
    let listen = || {
        let listener = UnixListener::bind(&new)?;
        std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o600))?;
        std::fs::rename(&new, socket)?;
        Ok(listener)
    };
    listen().map_err(|error| {
        let socket = socket.display().to_string();
        DetachedError::Socket { socket, error }
    })
}

/// Opens a pseudo-terminal as the controlling terminal and standard streams of this process. Returns the master side.
fn own_terminal() -> io::Result<OwnedFd> {
    setsid()?;
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&terminal)?;
    unlockpt(&terminal)?;
    let name = ptsname(&terminal, Vec::new())?;
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let ours = rustix::fs::open(&*name, flags, rustix::fs::Mode::empty())?;
    ioctl_tiocsctty(&ours)?;
    rustix::stdio::dup2_stdin(&ours)?;
    rustix::stdio::dup2_stdout(&ours)?;
    rustix::stdio::dup2_stderr(&ours)?;
    rustix::io::fcntl_setfd(&terminal, rustix::io::FdFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&terminal, OFlags::RDWR | OFlags::NONBLOCK)?;
    Ok(terminal)
}

#[derive(Debug)]
struct Server {
    listener: Source<UnixListener>,
    /// The master side of the workbench's pseudo-terminal.
    terminal: Source<OwnedFd>,
    socket: PathBuf,
    peers: Vec<Peer>,
    next: u64,
    /// Keys that a program in the pseudo-terminal has not read yet.
    keys: Vec<u8>,
    events: VecDeque<Event>,
}

impl Server {
    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        // The workbench has handled the earlier events by now.
        self.peers.iter_mut().for_each(Peer::acknowledge);
        loop {
            if let Some(event) = self.events.pop_front() {
                return Poll::Ready(event);
            }
            if !self.is_ready(context) {
                return Poll::Pending;
            }
            self.turn();
        }
    }

    /// Whether a source is ready. Otherwise, wakes the context as soon as a source is ready.
    fn is_ready(&mut self, context: &mut Context<'_>) -> bool {
        let mut ready = self.listener.is_ready(Interest::READABLE, context);
        if let Some(wants) = wants(!self.is_full(), !self.keys.is_empty()) {
            ready |= self.terminal.is_ready(wants, context);
        }
        let takes_keys = self.keys.len() < MOST_WAITING;
        for peer in &mut self.peers {
            if let Some(wants) = wants(takes_keys && !peer.is_leaving, peer.waiting() > 0) {
                ready |= peer.stream.is_ready(wants, context);
            }
        }
        ready
    }

    fn turn(&mut self) {
        self.accept();
        if !self.is_full() {
            let mut bytes = [0; MOST_READ];
            let read = |terminal: &OwnedFd| rustix::io::read(terminal, &mut bytes).map_err(later);
            if let Ok(count) = self.terminal.attempt(Interest::READABLE, read) {
                self.send_output(bytes.get(..count).unwrap_or_default());
            }
        }
        for at in 0..self.peers.len() {
            self.serve_peer(at);
        }
        self.send_keys();
        self.remove_closed();
    }

    /// Whether the terminal that controls the workbench has not taken all output.
    fn is_full(&self) -> bool {
        self.peers.iter().any(|peer| peer.types && peer.waiting() > 0)
    }

    fn accept(&mut self) {
        let accept = |listener: &UnixListener| listener.accept().map_err(later);
        while let Ok((stream, _)) = self.listener.attempt(Interest::READABLE, accept) {
            if self.peers.len() < MOST_PEERS && is_own_user(stream.as_fd()) && stream.set_nonblocking(true).is_ok() {
                self.next += 1;
                self.peers.push(Peer::new(self.next, stream));
            }
        }
    }

    /// Sends the output of other programs in the pseudo-terminal. A read returns everything that was written before it,
    /// but waits for a thread of the kernel. Frames avoid this wait, because they do not pass through the
    /// pseudo-terminal.
    fn pass_output(&mut self) {
        let mut bytes = [0; MOST_READ];
        for _ in 0..MOST_READS {
            match rustix::io::read(self.terminal.get(), &mut bytes) {
                Ok(count @ 1..) => self.send_output(bytes.get(..count).unwrap_or_default()),
                Ok(_) | Err(_) => return,
            }
        }
    }

    fn send_output(&mut self, output: &[u8]) {
        if output.is_empty() {
            return;
        }
        let frames = encode_bytes(output);
        for peer in self.peers.iter_mut().filter(|peer| peer.shows && !peer.is_leaving) {
            if !peer.types && peer.waiting() > MOST_WAITING {
                peer.is_closed = true;
            }
            peer.send(&frames);
        }
    }

    fn serve_peer(&mut self, at: usize) {
        let takes_keys = self.keys.len() < MOST_WAITING;
        let Some(peer) = self.peers.get_mut(at) else { return };
        peer.flush();
        if takes_keys && !peer.is_leaving {
            peer.receive();
        }
        while let Some(frame) = self.peers.get_mut(at).and_then(Peer::next_frame) {
            self.handle_frame(at, frame);
        }
    }

    fn handle_frame(&mut self, at: usize, frame: Frame) {
        let Some(peer) = self.peers.get_mut(at) else { return };
        peer.owes_answer |= peer.shows;
        match frame {
            Frame::Hello(hello) if !peer.is_known => {
                peer.is_known = true;
                self.greet(at, hello);
            }
            Frame::Bytes(keys) if peer.types => self.events.push_back(Event::Keys(keys)),
            Frame::Bytes(_) | Frame::Resize(_) if peer.shows && !peer.types => {}
            Frame::Resize(size) if peer.types => self.resize(size),
            Frame::Hello(_) | Frame::Bytes(_) | Frame::Resize(_) | Frame::Goodbye(_) => peer.is_closed = true,
        }
    }

    fn greet(&mut self, at: usize, hello: Hello) {
        let Some(peer) = self.peers.get_mut(at) else { return };
        if hello.protocol != PROTOCOL {
            return peer.leave(&Goodbye::OtherProtocol { protocol: PROTOCOL });
        }
        let reply = Reply(peer.id);
        match hello.wants {
            Request::Prompt { session, text } => self.events.push_back(Event::Prompt { session, text, reply }),
            Request::Stop { session } => self.events.push_back(Event::Stop { session, reply }),
            Request::Terminal { size, view_only } => {
                peer.shows = true;
                peer.types = !view_only;
                if !view_only {
                    for (other, peer) in self.peers.iter_mut().enumerate() {
                        if other != at && peer.types {
                            peer.leave(&Goodbye::TakenOver);
                        }
                    }
                    self.resize(size);
                }
                self.events.push_back(match view_only {
                    true => Event::Viewed,
                    false => Event::Attached,
                });
            }
        }
    }

    fn resize(&self, size: Size) {
        let size = Winsize {
            ws_col: size.columns,
            ws_row: size.rows,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let _ = tcsetwinsize(self.terminal.get(), size);
    }

    fn leave_terminals(&mut self, goodbye: &Goodbye) {
        self.pass_output();
        for peer in self.peers.iter_mut().filter(|peer| peer.shows) {
            peer.leave(goodbye);
        }
    }

    fn send_keys(&mut self) {
        if !self.keys.is_empty()
            && let Ok(count) = self.terminal.attempt(Interest::WRITABLE, |terminal| {
                rustix::io::write(terminal, &self.keys).map_err(later)
            })
        {
            self.keys.drain(..count.min(self.keys.len()));
        }
    }

    fn remove_closed(&mut self) {
        let any = |peers: &[Peer], has: fn(&Peer) -> bool| peers.iter().any(has);
        let (showed, typed) = (any(&self.peers, |peer| peer.shows), any(&self.peers, |peer| peer.types));
        self.peers.retain(|peer| !peer.is_gone());
        if showed && !any(&self.peers, |peer| peer.shows) {
            self.events.push_back(Event::Left);
        } else if typed && !any(&self.peers, |peer| peer.types) {
            self.events.push_back(Event::OnlyViewed);
        }
    }
}
