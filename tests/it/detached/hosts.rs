//! Tests of hosts that stop, and of programs that use a host's terminal.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::agents;
use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::process::kill;
use crate::support::server::Server;

/// Returns the process id and the name of the only host.
fn host(home: &Home) -> (u32, String) {
    let listed = agents(home).remove(0);
    let pid = listed["pid"].as_u64().expect("a process id");
    let name = listed["host"].as_str().expect("a name");
    (u32::try_from(pid).expect("a process id"), name.to_owned())
}

#[test]
fn a_host_that_stops_after_its_first_output_does_not_hold_the_terminal() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&["--detached"]);
    bench.type_text("before");
    bench.wait_for_text("before");
    let (pid, _) = host(&home);
    kill(pid, Signal::STOP);
    bench.type_text(" the stop");
    assert_eq!(bench.wait_exit().exit_code(), 1);
    assert!(bench.raw().contains("no answer in 5 seconds"), "{}", bench.raw());
    assert_eq!(bench.left_behind(), Vec::<String>::new());

    kill(pid, Signal::CONT);
    let again = home.open(&["attach"]);
    again.wait_for("all keys", |screen| draft_of(screen).contains("before the stop"));
    again.keys("ctrl-u");
    again.leave();
}

/// Without an answer to a message, the terminal would consider the host stopped.
#[test]
fn a_message_without_effect_is_answered() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&["--detached"]);
    let (_, name) = host(&home);
    let mut stream = UnixStream::connect(home.benchdog_home().join(format!("live/{name}.sock"))).expect("a socket");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
    let mut send = |kind: u8, content: &Value| {
        let content = content.to_string();
        let length = u32::try_from(content.len()).expect("a short message");
        let frame = [&[kind][..], &length.to_le_bytes(), content.as_bytes()].concat();
        stream.write_all(&frame).expect("a message");
        let mut head = [0; 5];
        stream.read_exact(&mut head).expect("an answer");
        let [b'b', length @ ..] = head else {
            panic!("not output: {head:?}")
        };
        let length = u64::from(u32::from_le_bytes(length));
        let copied = std::io::copy(&mut (&stream).take(length), &mut std::io::sink());
        assert_eq!(copied.expect("the output"), length);
        length
    };
    let size = json!({"columns": 120, "rows": 40});
    let wants = json!({"terminal": {"size": size, "view_only": true}});
    assert!(send(b'h', &json!({"protocol": 2, "wants": wants})) > 0);
    // A viewer does not set the size, so only other output can arrive first.
    let empty = (0..20).any(|_| send(b'r', &size) == 0);
    assert!(empty, "never an empty answer");
    bench.leave();
}

#[test]
fn an_editor_in_a_host_gets_the_keys_and_its_last_output_is_not_on_the_workbench() {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = home.outside().join("editor");
    let script = "#!/bin/sh\nprintf 'TYPE HERE'; read line </dev/tty; printf ' %s' \"$line\" >> \"$1\"\n\
                  i=0; while [ $i -lt 400 ]; do printf 'left by the editor '; i=$((i+1)); done; printf '\\033[?1049l'\n";
    std::fs::write(&editor, script).expect("an editor");
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).expect("an editor that can be started");
    let home = home.env("EDITOR", &editor.to_string_lossy());
    let bench = home.bench(&["--detached"]);
    bench.type_text("my draft");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("my draft"));
    for time in 1..=5 {
        bench.keys("ctrl-g");
        bench.wait_for_text("TYPE HERE");
        bench.type_text(&format!("typed{time}\n"));
        bench.wait_for("the new draft", |screen| {
            draft_of(screen).contains(&format!("typed{time}")) && !screen.has("left by the editor")
        });
    }
    bench.keys("ctrl-c");
    bench.leave();
    assert_eq!(bench.left_behind(), Vec::<String>::new());
}
