//! Tests of processes, kernel features, and sockets of services.

use std::os::unix::net::UnixListener;
use std::time::Duration;

use serde_json::json;

use super::bench::{Tried, grounds, level, tried, tried_with};
use super::hostile;
use crate::support::PATIENCE;
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn no_process_outside_can_be_seen_read_or_ended() {
    for tried in tried(&level("workspace"), hostile::PROCESSES) {
        tried.assert_ran();
        for wrong in ["+ read", "+ root", "+ sees", "+ traced"] {
            assert!(!tried.said.contains(wrong), "{wrong}\n{tried}");
        }
        // `kill -9 -1` did not end Benchdog: it reported the result to the model.
        assert!(tried.said.contains("signal 9") && tried.outcome == "done", "{tried}");
    }
}

#[test]
fn nothing_that_was_left_behind_outlives_the_call() {
    let own = std::process::id();
    let script = format!(
        "setsid sleep 681.{own} & (setsid sh -c '(sleep 682.{own} &) ; sleep 683.{own}' &) ; env -i setsid sleep 684.{own} &\n\
         sleep 0.3; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' > seen; echo left"
    );
    for tried in tried(&level("workspace"), &script) {
        tried.assert_ran();
        let seen = tried.home.read("seen");
        for number in 681..=684 {
            assert!(seen.contains(&format!("sleep {number}.{own}")), "{seen}\n{tried}");
            assert_nowhere(&format!("{number}.{own}"), &tried);
        }
        assert!(tried.said.contains("still ran when the command ended"), "{tried}");
    }
}

#[test]
fn a_storm_of_processes_ends_with_its_call() {
    // Start more than a hundred processes that do not end by themselves. Each has a separate session and no mark in its
    // environment.
    let own = std::process::id();
    let script = format!(
        "storm() {{ [ $1 -gt 0 ] && {{ for i in 1 2; do setsid env -i bash -c \"$(declare -f storm); storm $(($1 - 1))\" & done; }}; \
         echo . >> storm; exec sleep 691.{own}; }}\nstorm 6"
    );
    for tried in tried_with(
        &level("workspace"),
        &script,
        json!({"command": "make", "timeout_ms": 2_500}),
        |_| {},
    ) {
        assert!(tried.said.contains("timeout"), "{tried}");
        assert!(tried.home.read("storm").lines().count() > 20, "{tried}");
        assert_nowhere(&format!("691.{own}"), &tried);
    }
}

/// Checks that soon no process of any user has `part` in its command line.
#[track_caller]
fn assert_nowhere(part: &str, tried: &Tried) {
    let running = || {
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
        lines.filter(|line| line.contains(part)).collect::<Vec<_>>()
    };
    let gone = look_until(Duration::from_secs(5), || running().is_empty());
    assert!(gone, "{:?}\n{tried}", running());
}

#[test]
fn calls_into_the_kernel_that_no_build_needs_are_refused() {
    for tried in tried(&level("workspace"), hostile::KERNEL) {
        tried.assert_ran();
        assert!(!tried.said.contains("+ "), "{tried}");
        for right in ["- io_uring", "- keyctl", "- unshare", "- mount", "- handle"] {
            assert!(tried.said.contains(right), "{right}\n{tried}");
        }
    }
}

#[test]
fn sockets_of_services_outside_cannot_be_reached() {
    let script = format!("{}\n", hostile::SOCKETS);
    let mut listening = Vec::new();
    let passed = json!({"level": "workspace", "pass_env": ["SSH_AUTH_SOCK"]});
    for (sandbox, reached) in [(level("workspace"), false), (passed, true), (level("off"), true)] {
        let found = tried_with(&sandbox, &script, json!({"command": "make"}), |home| {
            let socket = home.outside().join("service.sock");
            listening.push(UnixListener::bind(socket).expect("a socket"));
        });
        for tried in found {
            tried.assert_ran();
            assert_eq!(tried.said.contains("+ connected to a path"), reached, "{tried}");
        }
    }
}

#[test]
fn names_that_are_no_paths_cannot_be_reached_either() {
    use std::os::linux::net::SocketAddrExt;
    let name = format!("benchdog-test-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).expect("a name");
    let _listening = UnixListener::bind_addr(&address).expect("a socket");
    let script = format!(
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); print connect(S, pack(\"S a*\", AF_UNIX, \"\\0{name}\")) ? \"+ connected\\n\" : \"- $!\\n\"'"
    );
    for (sandbox, reached) in [(level("workspace"), false), (level("off"), true)] {
        for tried in tried(&sandbox, &script) {
            tried.assert_ran();
            assert_eq!(tried.said.contains("+ connected"), reached, "{tried}");
        }
    }
}

#[test]
fn a_command_hears_every_signal() {
    // `make` would pass on its ignored signals. A shell script needs approval to read `/proc`.
    let script = "open(F, '/proc/self/status'); print grep /SigBlk/, <F>;\n\
        system('timeout 0.2 sleep 3'); print 'ended with ', $? >> 8, \"\\n\";";
    for sandbox in [level("workspace"), level("off")] {
        for tried in tried_with(&sandbox, script, json!({"command": "perl ./probe"}), |_| {}) {
            tried.assert_ran();
            assert!(tried.said.contains("SigBlk:\t0000000000000000"), "{tried}");
            assert!(tried.said.contains("ended with 124"), "{tried}");
        }
    }
}

#[test]
fn processes_that_stand_by_run_the_next_command_and_end_with_the_program() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), |_| {}) {
        let list = || call("bash", json!({"command": "ls"}));
        server.script([list(), text("One."), list(), text("Two.")]);
        let bench = home.bench(&[]);
        let pair = |other: Option<u32>| {
            let mut found = Vec::new();
            let came = look_until(PATIENCE, || {
                let all = home.processes().into_iter();
                let standing_by = all.filter(|(_, line)| line.contains("exec-child standby"));
                found = standing_by.map(|(pid, _)| pid).collect();
                found.len() == 1 && found.first() != other.as_ref()
            });
            assert!(came, "{who}: {found:?}");
            found.first().copied()
        };
        bench.ask("look");
        bench.wait_for_text("One.");
        let first = pair(None);
        bench.ask("look again");
        bench.wait_for_text("Two.");
        let second = pair(first);
        bench.leave();
        for pid in [first, second].into_iter().flatten() {
            let folder = format!("/proc/{pid}");
            assert!(
                look_until(PATIENCE, || !std::path::Path::new(&folder).exists()),
                "{who}: {pid}"
            );
        }
    }
}
