//! The network, for commands and for the check.

use std::fs::Permissions;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::json;

use super::bench::{grounds, level, tried};
use crate::support::home::config;
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
    for (sandbox, reached) in [
        (cut("workspace"), false),
        (cut("off"), false),
        (level("workspace"), true),
    ] {
        for tried in tried(&sandbox, &script) {
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

#[test]
fn the_check_is_cut_off_where_only_its_network_is() {
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let check = format!(
        "(exec 3<>/dev/tcp/127.0.0.1/{}) 2>/dev/null && echo + tcp\necho checked\n",
        tcp.local_addr().expect("an address").port()
    );
    for network in ["none", "inherit"] {
        let server = Server::start();
        for (who, home) in grounds(&server, &level("workspace"), |_| {}) {
            let mut configuration = config(&server.base_url());
            configuration["sandbox"] = level("workspace");
            configuration["validation"] = json!({"network": network, "command": "bash check"});
            home.configure(&configuration);
            home.file("check", &check);
            home.file("note", "old\n");
            // Its owner may be another one, who is kept: it is written in place.
            let writable = Permissions::from_mode(0o666);
            std::fs::set_permissions(home.path("note"), writable).expect("the mode");
            server.script([
                call("read", json!({"path": "note"})),
                call("write", json!({"path": "note", "content": "new\n"})),
                text("Done."),
            ]);
            let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "go"]);
            assert!(run.stdout.contains("checked"), "{who}\n{run}");
            assert_eq!(run.stdout.contains("+ tcp"), network == "inherit", "{who}\n{run}");
        }
    }
}
