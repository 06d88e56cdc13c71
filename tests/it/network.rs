//! Tests that a whole session contacts only the configured endpoint. It makes no other connection, looks up no name and
//! listens on no socket.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;
use crate::support::traced::tracer;

/// Local socket through which the C library of a command looks up a user name. Nothing outside the machine answers it.
const USER_NAMES: &str = "/var/run/nscd/socket";

/// Returns the system calls that contact an address other than the server at `port`, or that listen.
fn strangers(trace: &str, port: &str) -> Vec<String> {
    let endpoint = format!("sin_port=htons({port}), sin_addr=inet_addr(\"127.0.0.1\")");
    let is_strange = |line: &&str| {
        let asks = |names: &[&str]| names.iter().any(|name| line.contains(&format!(" {name}(")));
        let somebody = line.contains("sa_family=AF_") && !line.contains(&endpoint) && !line.contains(USER_NAMES)
            // This message asks the kernel to enable the loopback of a sandbox.
            && !line.contains("{sa_family=AF_NETLINK, nl_pid=0,");
        asks(&["listen", "accept", "accept4"])
            || (asks(&["bind"]) && !line.contains("AF_UNIX"))
            || (asks(&["connect", "sendto", "sendmsg", "sendmmsg"]) && somebody)
    };
    trace.lines().filter(is_strange).map(str::to_owned).collect()
}

fn read(trace: &Path) -> String {
    std::fs::read_to_string(trace).expect("a trace")
}

#[test]
fn a_whole_session_talks_to_the_endpoint_alone_and_listens_nowhere() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "first note\n");
    let trace = home.outside().join("trace");
    let Some(home) = home.traced(&trace) else { return };
    server.script([
        call("read", json!({"path": "notes.txt"})),
        call("write", json!({"path": "made.txt", "content": "new\n"})),
        call(
            "edit",
            json!({"path": "made.txt", "edits": [{"old": "new", "new": "newer"}]}),
        ),
        call("bash", json!({"command": "ls | wc -l; git --version"})),
        text("Done."),
    ]);
    let run = home.run(&["run", "--approve", "all", "look around"]);
    run.assert_code(0);
    assert_eq!(home.read("made.txt"), "newer\n", "{run}");
    let url = server.base_url();
    let port = url.trim_end_matches("/v1").rsplit(':').next().unwrap_or_default();
    let trace = read(&trace);
    assert!(
        trace.contains(&format!("htons({port})")),
        "the endpoint is not in the trace\n{trace}"
    );
    assert_eq!(strangers(&trace, port), Vec::<String>::new());
}

#[test]
fn a_connection_elsewhere_a_datagram_and_a_listener_are_seen() {
    let home = Home::bare();
    let trace = home.outside().join("trace");
    let Some(tracer) = tracer(&trace) else { return };
    let (program, rest) = tracer.split_first().expect("a program");
    let reach = "(exec 3<> /dev/tcp/127.0.0.1/9); (echo x > /dev/udp/127.0.0.1/53); exit 0";
    let status = Command::new(program)
        .args(rest)
        .args(["bash", "-c", reach])
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("strace starts").success());
    let seen = strangers(&read(&trace), "4711").join("\n");
    for part in ["htons(9)", "htons(53)"] {
        assert!(seen.contains(part), "{part} is missed\n{seen}");
    }
    let listens = "4711  listen(7, 128)                    = 0";
    assert_eq!(strangers(listens, "4711"), [listens]);
}
