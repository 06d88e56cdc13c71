//! Tests of unusable servers: invalid certificates, other programs, silent servers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::Value;

use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{status, stream, text};
use crate::support::server::Server;
use crate::support::tls::certificates;

/// Runs with `base_url` as the server. Trusts the certificates in `ca_file`.
fn run_at(base_url: &str, ca_file: Option<&str>) -> Finished {
    let home = Home::bare();
    let mut settings = config(base_url);
    if let Some(file) = ca_file {
        settings["provider"]["kit"]["ca_file"] = certificates(file).into();
    }
    home.configure(&settings);
    home.run(&["run", "--output", "json", "hello"])
}

#[track_caller]
fn assert_refused(run: &Finished, code: &str, words: &[&str], hint: &str) {
    run.assert_code(5);
    let lines = run.json_lines();
    let error: &Value = &lines[0]["error"];
    assert_eq!(error["code"], code, "{run}");
    for word in words {
        assert!(
            error["text"].as_str().is_some_and(|text| text.contains(word)),
            "{word:?} is not said\n{run}"
        );
    }
    assert!(
        error["hint"].as_str().is_some_and(|text| text.contains(hint)),
        "{hint:?} is not advised\n{run}"
    );
    assert!(!run.stderr.contains("attempt"), "it is not asked again\n{run}");
}

#[test]
fn a_certificate_that_is_its_own_issuer_is_accepted_where_it_is_named_for_its_host_and_its_time() {
    let own = Server::secure("own.pem");
    own.script([text("Here.")]);
    let named = run_at(&own.base_url(), Some("own.pem"));
    named.assert_code(0);
    assert_eq!(named.json_lines()[0]["text"], "Here.", "{named}");
    for ca_file in [None, Some("root.pem")] {
        let unnamed = run_at(&own.base_url(), ca_file);
        let words = ["`own.bench.house` is its own issuer"];
        assert_refused(&unnamed, "certificate_issuer", &words, "`\"ca_file\"");
    }
    let impostor = run_at(&own.base_url(), Some("own-other.pem"));
    assert_refused(&impostor, "certificate_issuer", &["is its own issuer"], "ca_file");
    for (file, code, word) in [
        ("own-expired.pem", "certificate_dates", "was valid until 2021-01-01"),
        ("own-later.pem", "certificate_dates", "is valid from 2100-01-01 on"),
        ("own-other.pem", "certificate_name", "it is for `other.bench.house`"),
    ] {
        let server = Server::secure(file);
        assert_refused(&run_at(&server.base_url(), Some(file)), code, &[word], "");
        assert!(server.requests().is_empty(), "{file}: nothing is sent to it");
    }
}

#[test]
fn each_thing_that_is_wrong_with_a_certificate_is_said_with_what_helps() {
    for (file, ca_file, code, word, hint) in [
        (
            "good.pem",
            None,
            "certificate_issuer",
            "its issuer `Bench House Root`",
            "ca_file",
        ),
        (
            "expired.pem",
            Some("root.pem"),
            "certificate_dates",
            "`models.bench.house` was valid until 2021-01-01",
            "renew the certificate",
        ),
        (
            "other.pem",
            Some("root.pem"),
            "certificate_name",
            "it is for `other.bench.house`",
            "`base_url`",
        ),
    ] {
        let server = Server::secure(file);
        assert_refused(&run_at(&server.base_url(), ca_file), code, &[word], hint);
        assert!(server.requests().is_empty(), "{file}: nothing is sent to it");
    }
}

/// Listens on a port, and runs `answer` for every connection.
fn somebody(answer: impl Fn(&mut TcpStream) -> std::io::Result<()> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
    let place = listener.local_addr().expect("a bound address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // The client disconnects after such an answer.
            let _ = stream.and_then(|mut stream| answer(&mut stream));
        }
    });
    format!("http://{place}/v1")
}

#[test]
fn a_program_that_does_not_speak_http_is_shown_by_what_it_says() {
    let ssh = somebody(|stream| {
        stream.write_all(b"SSH-2.0-OpenSSH_9.2p1\r\n")?;
        stream.read(&mut [0; 4096]).map(drop)
    });
    for url in [&ssh, &ssh.replace("http:", "https:")] {
        let run = run_at(url, None);
        assert_refused(
            &run,
            "not_http",
            &["it says `SSH-2.0-OpenSSH_9.2p1`"],
            "Correct the port",
        );
    }
}

#[test]
fn tls_and_plain_http_at_the_wrong_door_are_told_apart() {
    let server = Server::secure("good.pem");
    let run = run_at(&server.base_url().replace("https:", "http:"), None);
    assert_refused(&run, "needs_tls", &["speaks TLS"], "`https://`");
    let server = Server::start();
    let run = run_at(&server.base_url().replace("http:", "https:"), None);
    assert_refused(&run, "no_tls", &["does not speak TLS"], "`http://`");
    // nginx gives this answer to plain HTTP on a TLS port.
    let server = Server::start();
    server.script([status(400, "The plain HTTP request was sent to HTTPS port")]);
    assert_refused(&run_at(&server.base_url(), None), "needs_tls", &[], "`https://`");
}

#[test]
fn a_server_that_says_nothing_at_all_has_nothing_kept() {
    let closes = somebody(|stream| stream.read(&mut [0; 4096]).map(drop));
    let server = Server::start();
    server.script((0..3).map(|_| stream().raw("").cut()));
    for url in [&closes, &server.base_url()] {
        let run = run_at(url, None);
        run.assert_code(5);
        let lines = run.json_lines();
        assert_eq!(lines[0]["error"]["code"], "nothing_arrived", "{run}");
        assert!(
            !lines[0]["error"]["hint"].as_str().expect("a hint").contains("kept"),
            "{run}"
        );
    }
}

#[test]
fn a_wait_that_nobody_sits_out_is_told_in_units_a_person_reads() {
    for (asked, told) in [
        ("7200", "wait 2 h"),
        ("999999999999", "more than 30 days"),
        ("300", "wait 5 min"),
    ] {
        let server = Server::start();
        server.script([status(429, "slow down").header("retry-after", asked)]);
        let run = run_at(&server.base_url(), None);
        assert_refused(&run, "rate_limited", &[told, "slow down"], "wait until then");
    }
}

#[test]
fn the_countdown_to_the_next_attempt_shows_what_the_server_says() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        status(503, "GPU 3 is being replaced").header("retry-after", "60"),
        text("Never asked for."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for("the reason beside the wait", |screen| {
        screen.has("GPU 3 is being replaced") && screen.has("attempt 2 in")
    });
    bench.keys("esc");
    bench.wait_for("the turn to end", |screen| !screen.has("attempt 2 in"));
    bench.leave();
}

#[test]
fn a_redirect_is_shown_without_what_may_be_secret() {
    let server = Server::start();
    server
        .script([status(302, "elsewhere").header("location", "http://joe:hunter2secret@h/login?token=hunter3secret")]);
    let run = run_at(&server.base_url(), None);
    run.assert_code(5);
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(said.contains("`http://h/login`") && !said.contains("hunter"), "{run}");
}
