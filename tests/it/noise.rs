//! Tests of random bytes as input. The workbench stays responsive, and restores the terminal however it ends.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::support::PATIENCE;
use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::text;
use crate::support::server::Server;

/// Parts of escape sequences, incomplete sequences, and pasted text.
const PIECES: &[&[u8]] = &[
    b"\x1b",
    b"\x1b[",
    b"\x1bO",
    b"\x1b]",
    b"\x1b]11;rgb:",
    b"\x1bP",
    b"\x1b_G",
    b"\x1b^",
    b"\x1bX",
    b"\x1b[200~",
    b"\x1b[201~",
    b"\x1b[20",
    b"\x1b\\",
    b"\x07",
    b"\x1b[<",
    b"\x1b[M",
    b"\x1b[?",
    b"\x1b[<0;10;10M",
    b"\x1b[<64;5;5M",
    b"\x1b[27;5;105~",
    b"\xff\xfe",
    b"\xe6\xbc",
    b"\xf0\x9f",
    b"\r",
    b"\x10",
    b"\x18",
    b"\x06",
    b"/help\r",
    b"@",
    b"9;",
    "\u{6f22}\u{5b57}".as_bytes(),
    "\u{1f468}\u{200d}\u{1f469}".as_bytes(),
];

pub struct Heard {
    pub bytes: usize,
    pub lives: usize,
    pub worst: Duration,
}

fn piece(dice: &mut fastrand::Rng) -> Vec<u8> {
    let long = if dice.u8(..8) == 0 { 4_000 } else { 40 };
    match dice.u8(..3) {
        0 => (0..dice.usize(1..long)).map(|_| dice.u8(..)).collect(),
        1 => (0..dice.usize(1..long))
            .map(|_| b"abc ;[<019\r\t"[dice.usize(..12)])
            .collect(),
        _ => {
            let one = PIECES[dice.usize(..PIECES.len())].repeat(if dice.u8(..8) == 0 { 900 } else { 1 });
            let more = (0..dice.usize(1..12)).map(|_| PIECES[dice.usize(..PIECES.len())]);
            [one, more.collect::<Vec<_>>().concat()].concat()
        }
    }
}

/// Types random bytes for `time`. Resizes at intervals to check for an answer, because each new size causes a new
/// frame.
pub fn noise(seed: u64, time: Duration) -> Heard {
    let server = Server::start();
    server.model(|_| Some(text("Said.")));
    // An editor that stays open would block the terminal.
    let home = Home::bare().env("VISUAL", "true");
    home.configure(&config(&server.base_url()));
    let mut dice = fastrand::Rng::with_seed(seed);
    let mut heard = Heard {
        bytes: 0,
        lives: 0,
        worst: Duration::ZERO,
    };
    let until = Instant::now() + time;
    while Instant::now() < until {
        heard.lives += 1;
        let bench = home.bench(&[]);
        live(&bench, &mut dice, until, &mut heard);
        bench.signal(Signal::TERM);
        let code = bench.wait_exit().exit_code();
        // An interrupt after the terminal was restored also ends the program.
        assert!(matches!(code, 0 | 130), "seed {seed}: exit code {code}");
        let left = bench.left_behind();
        assert!(left.is_empty(), "seed {seed}: {left:?}");
    }
    heard
}

fn live(bench: &Pty, dice: &mut fastrand::Rng, until: Instant, heard: &mut Heard) {
    let mut columns = 120;
    while Instant::now() < until {
        for _ in 0..dice.u8(1..8) {
            let piece = piece(dice);
            if bench.offer(&piece).is_err() {
                return;
            }
            heard.bytes += piece.len();
        }
        // Never use the size of a frame that may still be on the screen.
        columns = if columns == 140 { 100 } else { columns + 1 };
        let (began, before) = (Instant::now(), bench.written());
        bench.resize(columns, 40);
        while bench.written() == before {
            if !Path::new(&format!("/proc/{}", bench.pid())).exists() {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "it does not answer any more");
            bench.written_in(Duration::ZERO, Duration::from_millis(20));
        }
        heard.worst = heard.worst.max(began.elapsed());
    }
}

#[test]
fn random_bytes_at_the_keyboard_stop_no_bench_and_spoil_no_terminal() {
    let heard = noise(7, Duration::from_secs(1));
    assert!(
        heard.bytes > 1_000 && heard.worst < Duration::from_secs(5),
        "{:?}",
        heard.worst
    );
}
