use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::bench::{Bench, prepare, run};
use crate::{Registry, Stop, outputs};
use benchdog_base::id::CallId;
use benchdog_children::become_subreaper;
use benchdog_domain::permission::{Decision, Kept, Subject};
use benchdog_domain::review::{Review, Runs};
use benchdog_domain::tool::{CallStatus, Outcome, OutputChunk};
use benchdog_testing::{processes_with, until};

mod prepared;

async fn bash(bench: &Bench, command: &str) -> Outcome {
    become_subreaper().unwrap();
    bench.call("bash", json!({"command": command})).await
}

#[tokio::test]
async fn output_exit_code_and_time_come_back() {
    let bench = Bench::new();
    let outcome = bash(&bench, "echo out; echo err >&2; echo out again; exit 101").await;
    assert_eq!(outcome.status, CallStatus::Error);
    assert!(
        outcome.output.starts_with("out\nerr\nout again\n[exit 101, 0."),
        "{}",
        outcome.output
    );
    assert!(
        outcome.summary.to_string().starts_with("exit 101 0."),
        "{}",
        outcome.summary
    );
    let outcome = bash(&bench, "true").await;
    assert_eq!(outcome.status, CallStatus::Ok);
    assert!(
        outcome.output.starts_with("(no output)\n[exit 0, "),
        "{}",
        outcome.output
    );
}

#[tokio::test]
async fn a_signal_that_ended_it_has_a_name() {
    let outcome = bash(&Bench::new(), "kill -9 $$").await;
    assert_eq!(outcome.code.as_deref(), Some("signal"));
    assert!(
        outcome.summary.to_string().starts_with("signal 9 (KILL)"),
        "{}",
        outcome.summary
    );
}

#[tokio::test]
async fn it_runs_in_the_workspace_or_in_a_folder_of_it_and_nowhere_else() {
    let bench = Bench::with(&[("deep/er/file", "")]);
    let root = bench.root().display().to_string();
    assert!(bash(&bench, "pwd").await.output.starts_with(&format!("{root}\n")));
    let inside = bench
        .call("bash", json!({"command": "pwd; ls", "workdir": "deep/er"}))
        .await;
    assert!(
        inside.output.starts_with(&format!("{root}/deep/er\nfile\n")),
        "{}",
        inside.output
    );
    let outside = bench.call("bash", json!({"command": "pwd", "workdir": "../.."})).await;
    assert_eq!(outside.code.as_deref(), Some("outside_workspace"));
    let file = bench
        .call("bash", json!({"command": "pwd", "workdir": "deep/er/file"}))
        .await;
    assert_eq!(file.code.as_deref(), Some("not_a_folder"));
}

#[tokio::test]
async fn there_is_no_input_to_wait_for_and_no_terminal_to_ask_on() {
    let outcome = bash(
        &Bench::new(),
        "cat; read -r x || echo none; (echo hi > /dev/tty) 2>/dev/null || echo no tty",
    )
    .await;
    assert!(outcome.output.starts_with("none\nno tty\n"), "{}", outcome.output);
}

#[tokio::test]
async fn a_grandchild_that_keeps_the_pipe_open_does_not_hang_it_and_is_ended() {
    let started = Instant::now();
    let outcome = bash(&Bench::new(), "sleep 61.0101 & echo done").await;
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(outcome.output.starts_with("done\n[exit 0, "), "{}", outcome.output);
    assert!(
        outcome.output.contains("were stopped: sleep 61.0101 (pid "),
        "{}",
        outcome.output
    );
    assert_eq!(processes_with("61.0101"), [0_u32; 0]);
}

#[tokio::test]
#[ignore = "started by the test below, in a process of its own"]
async fn alone_what_leaves_the_session() {
    for command in [
        "setsid sleep 61.0102 >/dev/null 2>&1 & true",
        "nohup sleep 61.0102 >/dev/null 2>&1 & disown; true",
        "(setsid sh -c 'setsid sleep 61.0102 & setsid sleep 61.0102' &) ; true",
        "(trap '' TERM HUP; setsid sleep 61.0102 &) ; true",
    ] {
        // The shell may end before its child runs the program.
        let wait = "; until grep -qs 61.0102 /proc/[0-9]*/cmdline; do :; done";
        let outcome = bash(&Bench::new(), &format!("{command}{wait}")).await;
        assert_eq!(outcome.status, CallStatus::Ok, "{command}: {}", outcome.output);
        assert_eq!(processes_with("sleep\x0061.0102"), [0_u32; 0], "{command}");
    }
}

/// Runs in a separate test process. A process without its mark can be assigned to its call only if no other call runs.
#[test]
fn what_leaves_the_session_or_wiped_its_environment_is_ended_with_the_call() {
    let alone = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["bash::tests::alone_", "--ignored", "--test-threads=1"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&alone.stdout);
    assert!(alone.status.success() && said.contains("3 passed"), "{said}");
}

#[tokio::test]
#[ignore = "started by the test above, in a process of its own"]
async fn alone_what_wiped_its_environment() {
    let command = "env -i setsid sleep 61.0109 >/dev/null 2>&1 & true";
    let outcome = bash(&Bench::new(), command).await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    assert_eq!(processes_with("sleep\x0061.0109"), [0_u32; 0]);
}

/// A running command that has printed `ready`.
struct Begun {
    running: JoinHandle<Outcome>,
    _output: mpsc::Receiver<OutputChunk>,
    _bench: Bench,
}

async fn begun(command: &str) -> Begun {
    become_subreaper().unwrap();
    let bench = Bench::new();
    let prepared = bench.prepare("bash", json!({"command": command})).await.unwrap();
    let (output, mut chunks) = mpsc::channel::<OutputChunk>(64);
    let cx = bench.cx.clone();
    let running = tokio::spawn(async move { run(prepared, &Decision::Once { kept: Kept::All }, &cx, output).await });
    let first = tokio::time::timeout(Duration::from_secs(20), chunks.recv())
        .await
        .expect("it says that it is ready");
    assert_eq!(first.unwrap().text, "ready\n");
    Begun {
        running,
        _output: chunks,
        _bench: bench,
    }
}

/// Starts a command, waits until it prints `ready`, and drops it. Returns the time until all processes with `word` in
/// their names have ended.
async fn interrupted(command: &str, word: &str) -> Duration {
    let call = begun(command).await;
    let started = Instant::now();
    call.running.abort();
    let _ = call.running.await;
    until("all of it is gone", || processes_with(word).is_empty()).await;
    started.elapsed()
}

#[tokio::test]
async fn an_interrupt_ends_the_whole_group() {
    let took = interrupted("sleep 61.0103 & echo ready; sleep 61.0103", "61.0103").await;
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test]
async fn an_interrupt_ends_what_left_the_session() {
    let took = interrupted("setsid sleep 61.0104 & echo ready; wait", "61.0104").await;
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test]
async fn what_wiped_its_environment_is_ended_with_its_call_while_another_runs() {
    let other = begun("echo ready; sleep 61.0117").await;
    let command =
        "(env -i sleep 61.0105 >/dev/null 2>&1 &); until grep -qs sleep.61.0105 /proc/[0-9]*/cmdline; do :; done";
    let outcome = bash(&Bench::new(), command).await;
    assert!(outcome.output.contains("sleep 61.0105 (pid "), "{}", outcome.output);
    assert_eq!(processes_with("sleep\x0061.0105"), [0_u32; 0]);
    assert_eq!(processes_with("sleep\x0061.0117").len(), 1, "the other one goes on");
    other.running.abort();
}

#[tokio::test]
#[ignore = "started by the test above, in a process of its own"]
async fn alone_an_interrupt_ends_what_wiped_its_environment() {
    let took = interrupted("(env -i setsid sleep 61.0118 &); echo ready; sleep 61.0118", "61.0118").await;
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test]
async fn an_interrupt_ends_what_does_not_want_to_end() {
    let took = interrupted(
        "trap '' TERM INT; (trap '' TERM; setsid sleep 61.0106 &); echo ready; while :; do sleep 61.0106; done",
        "61.0106",
    )
    .await;
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test]
async fn an_interrupt_ends_what_is_stopped() {
    let took = interrupted("sleep 61.0107 & kill -STOP $!; echo ready; wait", "61.0107").await;
    assert!(took < Duration::from_secs(1), "{took:?}");
}

/// Starts a command, waits until it prints `ready`, and stops it.
async fn stopped(bench: &mut Bench, command: &str) -> (Outcome, Duration) {
    become_subreaper().unwrap();
    let (stopper, stop) = Stop::pair();
    bench.cx.stop = stop;
    let prepared = bench.prepare("bash", json!({"command": command})).await.unwrap();
    let (output, mut chunks) = mpsc::channel::<OutputChunk>(64);
    let cx = bench.cx.clone();
    let running = tokio::spawn(async move { run(prepared, &Decision::Once { kept: Kept::All }, &cx, output).await });
    let ready = async {
        while let Some(chunk) = chunks.recv().await {
            if chunk.text.ends_with("ready\n") {
                return;
            }
        }
        panic!("it never said that it is ready");
    };
    tokio::time::timeout(Duration::from_secs(20), ready)
        .await
        .expect("ready");
    let started = Instant::now();
    stopper.stop();
    let outcome = running.await.unwrap();
    (outcome, started.elapsed())
}

#[tokio::test]
async fn a_command_that_is_told_to_stop_ends_at_once_and_what_it_said_is_kept() {
    let (outcome, took) = stopped(
        &mut Bench::new(),
        "echo begun; sleep 61.0110 & echo ready; sleep 61.0110; echo never",
    )
    .await;
    assert_eq!(
        (outcome.status, &*outcome.summary.to_string()),
        (CallStatus::Cancelled, "interrupted")
    );
    assert!(
        outcome.output.starts_with("begun\nready\n[interrupted after 0."),
        "{}",
        outcome.output
    );
    assert!(
        outcome.output.ends_with("s: what it did until then stays]"),
        "{}",
        outcome.output
    );
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(processes_with("61.0110"), [0_u32; 0]);
}

#[tokio::test]
async fn a_command_that_does_not_want_to_stop_is_ended_and_its_last_words_are_kept() {
    let command = "trap 'echo no, thank you' TERM; (trap '' TERM; setsid sleep 61.0111 &); echo ready; while :; do sleep 61.0111; done";
    let (outcome, took) = stopped(&mut Bench::new(), command).await;
    assert!(
        outcome.output.contains("no, thank you\n[interrupted after "),
        "{}",
        outcome.output
    );
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(processes_with("61.0111"), [0_u32; 0]);
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_does_not_hold_up_a_stop() {
    let command = "trap '' TERM; (trap '' TERM HUP; setsid sleep 61.0112 &) ; echo ready; sleep 61.0112";
    let (outcome, took) = stopped(&mut Bench::new(), command).await;
    assert!(
        outcome.output.starts_with("ready\n[interrupted after "),
        "{}",
        outcome.output
    );
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(processes_with("61.0112"), [0_u32; 0]);
}

#[tokio::test]
async fn long_output_of_a_stopped_command_is_in_its_file() {
    let mut bench = Bench::new();
    let (outcome, _) = stopped(&mut bench, "seq 1 200000; echo ready; sleep 61.0113").await;
    assert!(
        outcome.truncated && outcome.output.contains("200000\nready\n[interrupted"),
        "{}",
        outcome.output
    );
    let (_, after) = outcome.output.split_once("the whole output is in `").unwrap();
    let (path, _) = after.split_once('`').unwrap();
    assert!(std::fs::read_to_string(path).unwrap().ends_with("200000\nready\n"));
}

#[tokio::test]
async fn a_stop_before_the_start_starts_nothing_and_a_write_is_done_to_its_end() {
    let mut bench = Bench::new();
    let (stopper, stop) = Stop::pair();
    bench.cx.stop = stop;
    stopper.stop();
    let outcome = bash(&bench, "touch made").await;
    assert_eq!(outcome.status, CallStatus::Cancelled);
    assert!(!bench.root().join("made").exists());
    let outcome = bench
        .call("write", json!({"path": "new", "content": "all of it\n"}))
        .await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    assert_eq!(
        std::fs::read_to_string(bench.root().join("new")).unwrap(),
        "all of it\n"
    );
}

#[tokio::test]
async fn a_command_over_its_time_is_ended_and_keeps_what_it_said() {
    become_subreaper().unwrap();
    let bench = Bench::new();
    let outcome = bench
        .call(
            "bash",
            json!({"command": "echo begun; sleep 61.0108; echo never", "timeout_ms": 300}),
        )
        .await;
    assert_eq!(outcome.code.as_deref(), Some("timeout"));
    assert!(
        outcome.output.starts_with("begun\n[timeout: stopped after 0."),
        "{}",
        outcome.output
    );
    assert!(
        outcome.output.contains("the time limit of 300 ms"),
        "{}",
        outcome.output
    );
    assert_eq!(processes_with("61.0108"), [0_u32; 0]);
}

#[tokio::test]
async fn long_output_keeps_both_ends_and_the_whole_in_a_file_that_read_can_open() {
    let bench = Bench::new();
    let outcome = bash(&bench, "seq 1 1000000; printf '\\033[31mred\\033[0m end\\n'").await;
    assert!(outcome.truncated);
    assert!(outcome.output.len() < 31_500, "{}", outcome.output.len());
    assert!(outcome.output.starts_with("1\n2\n3\n"));
    assert!(
        outcome.output.contains("\n999999\n1000000\nred end\n[exit 0, "),
        "the end is missing"
    );
    let (_, after) = outcome.output.split_once("the whole output is in `").unwrap();
    let (path, _) = after.split_once('`').unwrap();
    let whole = std::fs::read_to_string(path).unwrap();
    assert_eq!(whole.lines().count(), 1_000_001);
    assert!(whole.ends_with("1000000\nred end\n"));
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    let read = bench
        .call("read", json!({"path": path, "offset": 500_000, "limit": 2}))
        .await;
    assert!(
        read.output.starts_with("500000\t500000\n500001\t500001\n"),
        "{}",
        read.output
    );
}

#[tokio::test]
async fn short_output_makes_no_file() {
    let bench = Bench::new();
    bash(&bench, "seq 1 1000").await;
    assert_eq!(std::fs::read_dir(outputs::folder(bench.outside())).unwrap().count(), 0);
}

#[tokio::test]
async fn a_small_window_gets_less() {
    let mut bench = Bench::new();
    bench.cx.limits.result_bytes = 4_000;
    let outcome = bash(&bench, "seq 1 100000").await;
    assert!(outcome.output.len() <= 4_000, "{}", outcome.output.len());
    assert!(outcome.output.contains("\n100000\n[exit 0, "), "{}", outcome.output);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_made_harmless() {
    let outcome = bash(
        &Bench::new(),
        "printf 'a\\0b\\377c\\033]0;title\\007d\\n\\033[2Jend\\n'",
    )
    .await;
    assert!(
        outcome.output.starts_with("ab\u{fffd}cd\nend\n[exit 0"),
        "{:?}",
        outcome.output
    );
}

#[tokio::test]
async fn live_lines_come_in_few_pieces_and_in_order() {
    become_subreaper().unwrap();
    let bench = Bench::new();
    let prepared = bench
        .prepare(
            "bash",
            json!({"command": "for i in $(seq 1 3000); do echo line $i; done"}),
        )
        .await
        .unwrap();
    let (output, mut chunks) = mpsc::channel::<OutputChunk>(2_000);
    let outcome = run(prepared, &Decision::Once { kept: Kept::All }, &bench.cx, output).await;
    let mut pieces = Vec::new();
    while let Some(chunk) = chunks.recv().await {
        assert_eq!(chunk.call, CallId("call".to_owned()));
        pieces.push(chunk.text);
    }
    assert_eq!(outcome.status, CallStatus::Ok);
    assert!(pieces.len() < 300, "{} pieces", pieces.len());
    assert!(
        pieces.iter().all(|piece| piece.ends_with('\n')) && pieces.last().unwrap().ends_with("line 3000\n"),
        "{:?}",
        pieces.last()
    );
    let numbers: Vec<u32> = pieces
        .iter()
        .flat_map(|piece| piece.lines())
        .map(|line| line.strip_prefix("line ").unwrap().parse().unwrap())
        .collect();
    assert!(numbers.is_sorted());
}

#[tokio::test]
async fn a_reader_that_sleeps_does_not_stop_the_command() {
    become_subreaper().unwrap();
    let bench = Bench::new();
    let prepared = bench.prepare("bash", json!({"command": "seq 1 200000"})).await.unwrap();
    let (output, _never_read) = mpsc::channel::<OutputChunk>(1);
    let outcome = run(prepared, &Decision::Once { kept: Kept::All }, &bench.cx, output).await;
    assert!(outcome.output.contains("200000\n[exit 0"));
}

#[tokio::test]
async fn a_question_and_a_bar_that_is_drawn_anew_are_seen_while_the_command_runs() {
    become_subreaper().unwrap();
    let bench = Bench::new();
    let token = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF".repeat(2));
    let command = format!(
        "printf 'begun\\n 10%%'; sleep 0.6; printf '\\r 20%%'; sleep 0.6; printf '\\rkey {}'; sleep 0.6; printf '{} \\rContinue? '; sleep 0.6",
        token.get(..20).unwrap(),
        token.get(20..).unwrap(),
    );
    let prepared = bench.prepare("bash", json!({"command": command})).await.unwrap();
    let (output, mut chunks) = mpsc::channel::<OutputChunk>(100);
    run(prepared, &Decision::Once { kept: Kept::All }, &bench.cx, output).await;
    let (mut text, mut stood) = (String::new(), Vec::new());
    while let Some(chunk) = chunks.recv().await {
        text.push_str(&chunk.text);
        stood.push(chunk.unfinished);
    }
    assert_eq!(text, "begun\nContinue? ");
    stood.dedup();
    // A complete line may be sent before the next, incomplete one.
    let stood = stood.strip_prefix(&[String::new()]).unwrap_or(&stood);
    assert_eq!(stood, [" 10%", " 20%", "key ", "Continue? ", ""]);
}
