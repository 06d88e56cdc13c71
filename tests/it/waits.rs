//! Tests that the timeout or the first signal ends every wait of a run.

use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read};
use std::net::UdpSocket;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use portable_pty::{MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use serde_json::Value;

use crate::support::home::{Home, config};
use crate::support::process::{SPAWNING, kill};
use crate::support::reply::{never, status, stream, text};
use crate::support::server::Server;

/// Allowed delay of `--timeout` or a signal, plus a margin for a busy machine.
const GRACE: Duration = Duration::from_millis(1000 + 1500);

fn spawn(mut command: Command) -> Child {
    let _alone = SPAWNING.lock();
    command.stderr(Stdio::null()).spawn().expect("the binary starts")
}

/// Returns the exit code. `None` after the time limit.
fn code_within(child: &mut Child, most: Duration) -> Option<i32> {
    let until = Instant::now() + most;
    while Instant::now() < until {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    None
}

/// Starts a run whose stdin is never closed.
fn unfed(home: &Home, arguments: &[&str]) -> Child {
    let mut command = home.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    spawn(command)
}

/// Starts a run whose output is not read. Returns both ends of the pipe.
fn unread(home: &Home, arguments: &[&str]) -> (Child, PipeReader, PipeWriter) {
    let (reads, writes) = std::io::pipe().expect("a pipe");
    let mut command = home.command(arguments);
    let its_own = writes.try_clone().expect("a pipe");
    command.stdin(Stdio::null()).stdout(its_own);
    (spawn(command), reads, writes)
}

fn wait_until_full(pipe: &PipeWriter) {
    let until = Instant::now() + Duration::from_secs(20);
    let has_room = || {
        let mut asked = [PollFd::new(pipe, PollFlags::OUT)];
        poll(&mut asked, Some(&Timespec::default())).expect("a pipe can be asked");
        asked.iter().any(|pipe| pipe.revents().contains(PollFlags::OUT))
    };
    while has_room() {
        assert!(Instant::now() < until, "nothing fills the pipe");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a run in a terminal without a reader. The second value keeps the terminal open.
fn on_a_stopped_terminal(home: &Home, arguments: &[&str]) -> (Child, Box<dyn MasterPty>) {
    let pair = native_pty_system()
        .openpty(PtySize::default())
        .expect("a pseudo-terminal");
    let name = pair.master.tty_name().expect("a terminal has a name");
    let terminal = File::options().write(true).open(name).expect("the terminal");
    let mut command = home.command(arguments);
    command.stdin(Stdio::null()).stdout(terminal);
    (spawn(command), pair.master)
}

/// Starts a run with a silent name server. `None` if the system's file cannot be replaced.
fn with_silent_names(home: &Home, arguments: &[&str]) -> Option<(Child, UdpSocket)> {
    let may = Command::new("unshare").args(["-m", "true"]).status();
    may.ok().filter(ExitStatus::success)?;
    // Port 53 of an unused loopback address accepts every query.
    let socket = UdpSocket::bind("127.53.0.1:53").ok()?;
    let names = home.outside().join("resolv.conf");
    std::fs::write(&names, "nameserver 127.53.0.1\noptions timeout:30 attempts:5\n").expect("a file");
    let run = home.command(arguments);
    let mut command = Command::new("unshare");
    command
        .args(["-m", "sh", "-c", "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\""])
        .arg(&names)
        .arg(run.get_program())
        .args(run.get_args())
        .current_dir(home.project())
        .env_clear()
        .envs(run.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    Some((spawn(command), socket))
}

fn only_line(child: &mut Child) -> Value {
    let mut said = String::new();
    let stdout = child.stdout.as_mut().expect("a pipe");
    stdout.read_to_string(&mut said).expect("text");
    serde_json::from_str(&said).expect("one object")
}

#[test]
fn an_input_that_nobody_closes_is_left_at_the_end_of_the_time_and_at_a_signal() {
    let home = Home::with(&Server::start());
    let mut run = unfed(&home, &["run", "--output", "json", "--timeout", "1", "hi"]);
    assert_eq!(code_within(&mut run, Duration::from_secs(1) + GRACE), Some(4));
    let line = only_line(&mut run);
    assert_eq!(
        (&line["outcome"], &line["error"]["code"]),
        (&"limit".into(), &"limit".into())
    );

    let mut run = unfed(&home, &["run", "--output", "json", "hi"]);
    std::thread::sleep(Duration::from_millis(300));
    kill(run.id(), Signal::TERM);
    assert_eq!(code_within(&mut run, GRACE), Some(130));
    assert_eq!(only_line(&mut run)["outcome"], "interrupted");
}

#[test]
fn a_reader_who_does_not_read_holds_a_run_up_until_its_time_is_over_or_a_signal_comes() {
    let server = Server::start();
    let home = Home::with(&server);
    let long = "a line that nobody reads\n".repeat(20_000);
    server.script([text(&long), text(&long)]);
    let (mut run, pipe, _) = unread(&home, &["run", "--output", "stream-json", "--timeout", "1", "hi"]);
    assert_eq!(code_within(&mut run, Duration::from_secs(1) + GRACE), Some(4));
    drop(pipe);

    let (mut run, pipe, writes) = unread(&home, &["run", "--output", "stream-json", "hi"]);
    server.request(2);
    wait_until_full(&writes);
    assert_eq!(
        run.try_wait().expect("a child can be waited for"),
        None,
        "it waits for its reader"
    );
    kill(run.id(), Signal::TERM);
    assert_eq!(code_within(&mut run, GRACE), Some(130));
    drop(pipe);
}

/// Waits until the process handles SIGTERM. Returns whether the process was observed to block the signal.
fn holds_signals_back(pid: u32) -> bool {
    const TERM: u64 = 1 << 14;
    let until = Instant::now() + GRACE;
    while Instant::now() < until {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let has = |name: &str| {
            let mask = status
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_default();
            u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & TERM != 0)
        };
        if has("SigBlk:") || has("SigCgt:") {
            return has("SigBlk:");
        }
    }
    false
}

#[test]
fn a_signal_in_the_first_moments_of_a_run_is_said_in_its_one_object() {
    let home = Home::with(&Server::start());
    let mut held = 0;
    for _ in 0..10 {
        let mut run = unfed(&home, &["run", "--output", "json", "hi"]);
        held += usize::from(holds_signals_back(run.id()));
        kill(run.id(), Signal::TERM);
        assert_eq!(code_within(&mut run, GRACE), Some(130));
        assert_eq!(only_line(&mut run)["outcome"], "interrupted");
    }
    // A late check may find the handler already installed.
    assert!(held > 0, "there are moments in which a signal ends it without a word");
}

#[test]
fn a_terminal_that_nobody_reads_holds_no_run_beyond_its_time_or_a_signal() {
    let server = Server::start();
    let home = Home::with(&server);
    let long = "a line that nobody reads\n".repeat(20_000);
    server.script([text(&long), text(&long)]);
    let (mut run, terminal) = on_a_stopped_terminal(&home, &["run", "--timeout", "1", "hi"]);
    assert_eq!(code_within(&mut run, Duration::from_secs(1) + GRACE), Some(4));
    drop(terminal);

    let (mut run, terminal) = on_a_stopped_terminal(&home, &["run", "hi"]);
    server.request(2);
    std::thread::sleep(Duration::from_millis(300));
    kill(run.id(), Signal::TERM);
    assert_eq!(code_within(&mut run, GRACE), Some(130));
    drop(terminal);
}

#[test]
fn a_name_server_that_never_answers_holds_no_run_beyond_its_time_or_a_signal() {
    let home = Home::bare();
    home.configure(&config("http://models.example.org/v1"));
    let timed = &["run", "--output", "json", "--timeout", "1", "hi"];
    let Some((mut run, socket)) = with_silent_names(&home, timed) else {
        println!("not checked: neither port 53 nor a mount can be had");
        return;
    };
    assert_eq!(code_within(&mut run, Duration::from_secs(1) + GRACE), Some(4));
    socket.set_nonblocking(true).expect("a socket");
    assert!(socket.recv(&mut [0; 512]).is_ok(), "the name was asked for");
    drop(socket);

    let (mut run, socket) = with_silent_names(&home, &["run", "--output", "json", "hi"]).expect("as before");
    socket.set_read_timeout(Some(GRACE)).expect("a socket");
    assert!(socket.recv(&mut [0; 512]).is_ok(), "the name is asked for");
    kill(run.id(), Signal::TERM);
    assert_eq!(code_within(&mut run, GRACE), Some(130));
    assert_eq!(only_line(&mut run)["outcome"], "interrupted");
}

#[test]
fn the_reason_of_a_run_that_failed_is_in_its_one_object() {
    let server = Server::start();
    let home = Home::with(&server);
    for (arguments, exit, code) in [
        (["--max-cost", "1"], 2, "no_price"),
        (["--resume", "0123"], 2, "session_not_found"),
    ] {
        let run = home.run(&[&["run", "--output", "json"], &arguments[..], &["hi"]].concat());
        run.assert_code(exit);
        assert_eq!(run.json_lines()[0]["error"]["code"], code, "{run}");
    }
    server.script([crate::support::reply::status(400, "no such thing")]);
    let run = home.run(&["run", "--output", "json", "hi"]);
    run.assert_code(5);
    let error = &run.json_lines()[0]["error"];
    assert!(
        error["text"]
            .as_str()
            .is_some_and(|text| text.contains("no such thing")),
        "{run}"
    );
    server.script([text("Hello.")]);
    let run = home.run(&["run", "--output", "json", "hi"]);
    assert_eq!(run.json_lines()[0]["error"], Value::Null, "{run}");
}

#[test]
fn esc_ends_every_wait_of_the_workbench_at_once() {
    let server = Server::start();
    let home = Home::with(&server);
    let waits = [
        // The run waits for the first byte, for the next byte, or for the next retry.
        (never(), "waiting"),
        (stream().says("Half of it").falls_silent(), "Half of it"),
        (status(429, "slow down").header("retry-after", "60"), "attempt 2 in"),
        // If the bottom row has no space, the conversation has the reason.
        (status(429, "slow down").header("retry-after", "60"), "429"),
    ];
    for (reply, shown) in waits {
        server.script([reply]);
        let bench = home.bench(&[]);
        bench.ask("hi");
        bench.wait_for_text(shown);
        let began = Instant::now();
        bench.keys("esc");
        bench.wait_for_text("interrupted");
        assert!(began.elapsed() < GRACE, "{shown}: {:?}", began.elapsed());
        bench.leave();
    }
}
