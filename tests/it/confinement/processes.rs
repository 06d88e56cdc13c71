//! Processes, the kernel, and sockets of services.

use std::os::unix::net::UnixListener;
use std::time::Duration;

use serde_json::json;

use super::bench::{level, tried, tried_with};
use super::hostile;

#[test]
fn no_process_outside_can_be_seen_read_or_ended() {
    for tried in tried(&level("workspace"), hostile::PROCESSES) {
        tried.assert_ran();
        for wrong in ["+ read", "+ root", "+ sees", "+ traced"] {
            assert!(!tried.said.contains(wrong), "{wrong}\n{tried}");
        }
        // The program itself was not ended by `kill -9 -1`: it told the model how it went.
        assert!(tried.said.contains("signal 9") && tried.outcome == "done", "{tried}");
    }
}

#[test]
fn nothing_that_was_left_behind_outlives_the_call() {
    let script = "setsid sleep 68.101 & (setsid sh -c '(sleep 68.102 &) ; sleep 68.103' &) ; env -i setsid sleep 68.104 &\nsleep 0.2; echo left";
    for tried in tried(&level("workspace"), script) {
        tried.assert_ran();
        tried.home.assert_gone("sleep 68.10", Duration::from_secs(5));
        assert!(tried.said.contains("still ran when the command ended"), "{tried}");
    }
}

#[test]
fn a_storm_of_processes_ends_with_its_call() {
    // A thousand of them, each in a session of its own, and no end by itself.
    let script = "storm() { [ $1 -gt 0 ] && { setsid bash -c \"$(declare -f storm); storm $(($1 - 1))\" & setsid bash -c \"$(declare -f storm); storm $(($1 - 1))\" & }; sleep 69.201; }\nstorm 6";
    for tried in tried_with(
        &level("workspace"),
        script,
        json!({"command": "make", "timeout_ms": 1_500}),
        |_| {},
    ) {
        assert!(tried.said.contains("timeout"), "{tried}");
        tried.home.assert_gone("69.201", Duration::from_secs(10));
    }
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
