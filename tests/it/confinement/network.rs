//! Tests of network access of commands and of the check.

use std::fs::Permissions;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::bench::{grounds, level, tried_with};
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn without_network_neither_tcp_nor_udp_nor_names_lead_anywhere_and_the_loopback_is_ones_own() {
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
    udp.set_read_timeout(Some(Duration::from_millis(300)))
        .expect("a time limit");
    let script = format!(
        "(exec 3<>/dev/tcp/127.0.0.1/{}) 2>/dev/null && echo + tcp\n(echo hello > /dev/udp/127.0.0.1/{}) 2>/dev/null\n\
         getent hosts example.com && echo + name\n\
         perl -MIO::Socket::INET -e '$l = IO::Socket::INET->new(Listen => 1, LocalAddr => \"127.0.0.1\"); \
         print IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort => $l->sockport) ? \"own loopback\\n\" : \"none\\n\"'",
        tcp.local_addr().expect("an address").port(),
        udp.local_addr().expect("an address").port()
    );
    let cut = |level: &str| json!({"level": level, "network": "none"});
    // A rule grants network access, but the setting can still disable it.
    for (sandbox, granted, reached) in [
        (cut("workspace"), true, false),
        (cut("off"), true, false),
        (level("workspace"), false, false),
        (level("workspace"), true, true),
    ] {
        let arrange = |home: &Home| {
            if granted {
                permit(home, "make *");
            }
        };
        for tried in tried_with(&sandbox, &script, json!({"command": "make"}), arrange) {
            tried.assert_ran();
            assert_eq!(tried.said.contains("+ tcp"), reached, "{tried}");
            assert!(tried.said.contains("own loopback"), "{tried}");
            assert!(reached || !tried.said.contains("+ name"), "{tried}");
            let heard = udp.recv(&mut [0; 16]);
            let silent = heard.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut));
            assert_eq!(silent, !reached, "{tried}");
        }
    }
}

fn permit(home: &Home, command: &str) {
    let file = home.benchdog_home().join("config.jsonc");
    let text = std::fs::read_to_string(&file).expect("a configuration");
    let mut configuration: Value = serde_json::from_str(&text).expect("JSON");
    configuration["permission"] = json!({"bash": {command: {"action": "allow", "network": true}}});
    home.configure(&configuration);
}

#[test]
fn the_check_reaches_the_network_where_a_rule_grants_it_and_its_setting_does_not_take_it_away() {
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let check = format!(
        "(exec 3<>/dev/tcp/127.0.0.1/{}) 2>/dev/null && echo + tcp\necho checked\n",
        tcp.local_addr().expect("an address").port()
    );
    for (network, granted) in [("none", true), ("inherit", false), ("inherit", true)] {
        let server = Server::start();
        for (who, home) in grounds(&server, &level("workspace"), |_| {}) {
            let mut configuration = config(&server.base_url());
            configuration["sandbox"] = level("workspace");
            configuration["validation"] = json!({"network": network, "command": "bash check"});
            home.configure(&configuration);
            if granted {
                permit(&home, "bash check");
            }
            home.file("check", &check);
            home.file("note", "old\n");
            // Another user may own the file. Make it writable, because a change of the content keeps the owner.
            let writable = Permissions::from_mode(0o666);
            std::fs::set_permissions(home.path("note"), writable).expect("the mode");
            server.script([
                call("read", json!({"path": "note"})),
                call("write", json!({"path": "note", "content": "new\n"})),
                text("Done."),
            ]);
            let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "go"]);
            assert!(run.stdout.contains("checked"), "{who}\n{run}");
            let reached = granted && network == "inherit";
            assert_eq!(run.stdout.contains("+ tcp"), reached, "{who}\n{run}");
        }
    }
}
