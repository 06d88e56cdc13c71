//! The host: owns the pseudo-terminal of a workbench in this process, and serves it through a socket.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{ioctl_tiocsctty, setsid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tokio::sync::mpsc;

use super::credentials::is_own_user;
use super::frame::{Frame, encode_bytes};
use super::{DetachedError, Goodbye, Hello, PROTOCOL, Request, Size};
use peer::Peer;

mod peer;

/// Time limit for the first terminal to attach.
const FIRST: Duration = Duration::from_secs(10);

/// Time limit for sending the last output at the end.
const LAST: Duration = Duration::from_secs(2);

/// Maximum number of buffered output bytes for a slow terminal. Above it, the workbench waits, and viewers are
/// disconnected.
const MOST_WAITING: usize = 1 << 20;

/// Maximum number of connections. Further connections are closed.
const MOST_PEERS: usize = 32;

/// An event for the workbench.
#[derive(Debug)]
pub enum Event {
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

/// Sends the answer to a script's request. If it is not sent, the connection stays open until the host ends.
#[derive(Debug)]
pub struct Reply {
    handle: Handle,
    peer: u64,
}

impl Reply {
    pub fn send(self, goodbye: Goodbye) {
        self.handle.order(Order::Answer(self.peer, goodbye));
    }
}

enum Order {
    Detach,
    Answer(u64, Goodbye),
    End(u8),
}

/// A handle with which the workbench controls the host.
#[derive(Debug, Clone)]
pub struct Handle {
    orders: Sender<Order>,
    wakes: Arc<PipeWriter>,
}

impl Handle {
    /// Disconnects all terminals once the pending output is sent.
    pub fn detach(&self) {
        self.order(Order::Detach);
    }

    fn order(&self, order: Order) {
        // Both calls fail only after the host has ended. No terminal is attached then.
        let _ = self.orders.send(order);
        let _ = (&*self.wakes).write_all(&[0]);
    }
}

#[derive(Debug)]
pub struct Host {
    pub handle: Handle,
    serves: JoinHandle<()>,
    socket: PathBuf,
}

impl Host {
    /// Makes this process the leader of a new terminal session with a pseudo-terminal, and waits for the first real
    /// terminal. Standard input is the listening socket.
    pub fn start(socket: &Path) -> Result<(Self, mpsc::UnboundedReceiver<Event>), DetachedError> {
        let listener = UnixListener::from(rustix::stdio::stdin().try_clone_to_owned()?);
        // This fails if standard input is not a socket.
        listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let terminal = own_terminal()?;
        let (tell, events) = mpsc::unbounded_channel();
        let (orders, ordered) = channel();
        let (woken, wakes) = io::pipe()?;
        let handle = Handle {
            orders,
            wakes: Arc::new(wakes),
        };
        let (first, attached) = channel();
        let server = Server {
            listener,
            terminal,
            woken,
            ordered,
            tell,
            first: Some(first),
            handle: handle.clone(),
            peers: Vec::new(),
            next: 0,
            keys: Vec::new(),
            ending: None,
        };
        let serves = std::thread::Builder::new()
            .name("host".to_owned())
            .spawn(move || server.serve())?;
        let host = Self {
            handle,
            serves,
            socket: socket.to_owned(),
        };
        match attached.recv_timeout(FIRST) {
            Ok(()) => Ok((host, events)),
            Err(_) => {
                host.end(1);
                Err(io::Error::from(io::ErrorKind::TimedOut).into())
            }
        }
    }

    /// Sends the remaining output and the exit code to the terminals, and removes the socket.
    pub fn end(self, code: u8) {
        let _ = std::fs::remove_file(&self.socket);
        self.handle.order(Order::End(code));
        // The thread ends within the time limit `LAST`.
        let _ = self.serves.join();
    }
}

/// Opens the socket of a new host. The program that starts the host calls this, so that it can connect without waiting
/// for the host.
pub fn listen(socket: &Path) -> Result<UnixListener, DetachedError> {
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

struct Server {
    listener: UnixListener,
    /// The master side of the workbench's pseudo-terminal.
    terminal: OwnedFd,
    woken: PipeReader,
    ordered: Receiver<Order>,
    tell: mpsc::UnboundedSender<Event>,
    /// Receives one message when the first terminal attaches.
    first: Option<Sender<()>>,
    handle: Handle,
    peers: Vec<Peer>,
    next: u64,
    /// Key bytes that the workbench has not read yet.
    keys: Vec<u8>,
    ending: Option<Instant>,
}

struct Ready {
    listener: bool,
    woken: bool,
    output: bool,
    peers: Vec<PollFlags>,
}

impl Server {
    fn serve(mut self) {
        while self
            .ending
            .is_none_or(|end| Instant::now() < end && !self.peers.is_empty())
        {
            let Ok(ready) = self.wait() else { return };
            if ready.listener {
                self.accept();
            }
            if ready.output {
                self.take_output();
            }
            for (at, flags) in ready.peers.into_iter().enumerate() {
                self.serve_peer(at, flags);
            }
            if ready.woken {
                self.take_orders();
            }
            self.send_keys();
            self.remove_closed();
        }
    }

    fn wait(&self) -> io::Result<Ready> {
        let mut fds = vec![
            PollFd::new(&self.listener, PollFlags::IN),
            PollFd::new(&self.woken, PollFlags::IN),
        ];
        let mut flags = PollFlags::empty();
        flags.set(
            PollFlags::IN,
            !self
                .peers
                .iter()
                .any(|peer| peer.types && peer.waiting() > MOST_WAITING),
        );
        flags.set(PollFlags::OUT, !self.keys.is_empty());
        fds.push(PollFd::new(&self.terminal, flags));
        for peer in &self.peers {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN, self.keys.len() < MOST_WAITING && !peer.is_leaving);
            flags.set(PollFlags::OUT, peer.waiting() > 0);
            fds.push(PollFd::new(&peer.stream, flags));
        }
        let limit = self.ending.map(|_| Timespec {
            tv_sec: 0,
            tv_nsec: 50_000_000,
        });
        match poll(&mut fds, limit.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let found: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
        let at = |at: usize| found.get(at).copied().unwrap_or(PollFlags::empty());
        Ok(Ready {
            listener: at(0).contains(PollFlags::IN),
            woken: at(1).contains(PollFlags::IN),
            output: at(2).contains(PollFlags::IN),
            peers: found.get(3..).unwrap_or_default().to_vec(),
        })
    }

    fn accept(&mut self) {
        while let Ok((stream, _)) = self.listener.accept() {
            if self.peers.len() < MOST_PEERS && is_own_user(stream.as_fd()) && stream.set_nonblocking(true).is_ok() {
                self.next += 1;
                self.peers.push(Peer::new(self.next, stream));
            }
        }
    }

    /// Reads pending output of the workbench. Returns whether there was any.
    fn take_output(&mut self) -> bool {
        let mut bytes = [0; 1 << 16];
        let count = rustix::io::read(&self.terminal, &mut bytes).unwrap_or(0);
        let Some(output) = bytes.get(..count).filter(|output| !output.is_empty()) else {
            return false;
        };
        let frames = encode_bytes(output);
        for peer in self.peers.iter_mut().filter(|peer| peer.shows && !peer.is_leaving) {
            if !peer.types && peer.waiting() > MOST_WAITING {
                peer.is_closed = true;
            }
            peer.send(&frames);
        }
        true
    }

    fn serve_peer(&mut self, at: usize, flags: PollFlags) {
        let Some(peer) = self.peers.get_mut(at) else { return };
        if flags.contains(PollFlags::OUT) {
            peer.flush();
        }
        if !flags.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            return;
        }
        peer.receive();
        while let Some(frame) = self.peers.get_mut(at).and_then(Peer::next_frame) {
            self.handle_frame(at, frame);
        }
    }

    fn handle_frame(&mut self, at: usize, frame: Frame) {
        let Some(peer) = self.peers.get_mut(at) else { return };
        match frame {
            Frame::Hello(hello) if !peer.is_known => {
                peer.is_known = true;
                self.greet(at, hello);
            }
            Frame::Bytes(keys) if peer.types => self.keys.extend_from_slice(&keys),
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
        let reply = Reply {
            handle: self.handle.clone(),
            peer: peer.id,
        };
        match hello.wants {
            Request::Prompt { session, text } => self.say(Event::Prompt { session, text, reply }),
            Request::Stop { session } => self.say(Event::Stop { session, reply }),
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
                match self.first.take() {
                    // The workbench starts when the first terminal attaches, so it needs no further event.
                    Some(first) => drop(first.send(())),
                    None if view_only => self.say(Event::Viewed),
                    None => self.say(Event::Attached),
                }
            }
        }
    }

    fn say(&self, event: Event) {
        // Sending only fails when the workbench is ending.
        let _ = self.tell.send(event);
    }

    fn resize(&self, size: Size) {
        let size = Winsize {
            ws_col: size.columns,
            ws_row: size.rows,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let _ = tcsetwinsize(&self.terminal, size);
    }

    fn take_orders(&mut self) {
        let mut marks = [0; 64];
        let _ = self.woken.read(&mut marks);
        while let Ok(order) = self.ordered.try_recv() {
            match order {
                Order::Detach => self.leave_terminals(&Goodbye::Detached),
                Order::Answer(id, goodbye) => {
                    if let Some(peer) = self.peers.iter_mut().find(|peer| peer.id == id) {
                        peer.leave(&goodbye);
                    }
                }
                Order::End(code) => {
                    self.leave_terminals(&Goodbye::Ended { code });
                    self.peers.retain(|peer| peer.is_leaving);
                    self.ending = Some(Instant::now() + LAST);
                }
            }
        }
    }

    fn leave_terminals(&mut self, goodbye: &Goodbye) {
        while self.take_output() {}
        for peer in self.peers.iter_mut().filter(|peer| peer.shows) {
            peer.leave(goodbye);
        }
    }

    fn send_keys(&mut self) {
        if let Ok(count) = rustix::io::write(&self.terminal, &self.keys) {
            self.keys.drain(..count.min(self.keys.len()));
        }
    }

    fn remove_closed(&mut self) {
        let any = |peers: &[Peer], has: fn(&Peer) -> bool| peers.iter().any(has);
        let (showed, typed) = (any(&self.peers, |peer| peer.shows), any(&self.peers, |peer| peer.types));
        self.peers.retain(|peer| !peer.is_gone());
        if showed && !any(&self.peers, |peer| peer.shows) {
            self.say(Event::Left);
        } else if typed && !any(&self.peers, |peer| peer.types) {
            self.say(Event::OnlyViewed);
        }
    }
}
