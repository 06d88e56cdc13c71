//! Tests of failed sign-ins: a wrong issuer, a rejected client, or a denied consent.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use super::oauth::{assert_kept_to_itself, home, link, signed_in, tokens};
use super::place::{Odd, Place};
use super::web;
use crate::support::server::Server;

#[test]
fn whoever_is_not_who_was_asked_comes_to_nothing() {
    let cases = [
        (Odd::NoRegistration, "accepts only registered clients: set `client_id`"),
        (
            Odd::RefusesRegistration,
            "does not register Benchdog (ask the kennel master)",
        ),
        (Odd::NoProof, "PKCE"),
        (Odd::OtherIssuer, "`https://evil.example`"),
        (
            Odd::OtherResource,
            "describes another server, `https://other.example/mcp`",
        ),
        (Odd::Insecure, "does not contact `http://auth.example/token`"),
    ];
    let model = Server::start();
    for (odd, told) in cases {
        let place = Place::start(odd);
        let home = home(&place, &model, &json!({}));
        let run = home.run(&["mcp", "login", "far"]);
        run.assert_code(1);
        assert!(
            run.stderr.contains("Not signed in to `far`") && run.stderr.contains(told),
            "{odd:?}: {run}"
        );
        assert!(tokens(&home).is_empty(), "{odd:?}");
    }
}

#[test]
fn a_server_that_does_not_take_the_token_it_was_given_keeps_nobody_signed_in() {
    let (place, model) = (Place::start(Odd::OtherAudience), Server::start());
    let home = home(&place, &model, &json!({}));
    let signed = signed_in(&place, &home);
    signed.assert_code(1);
    assert!(signed.stderr.contains("belongs to another server"), "{signed}");
    assert!(!tokens(&home).contains("acc3ss-"), "{}", tokens(&home));
    assert_kept_to_itself(&home, &[&signed]);
}

#[test]
fn another_state_counts_for_nothing_and_the_right_one_still_does() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({}));
    let running = home.start(&["mcp", "login", "far"], None);
    let back = place.agrees(&link(&running));
    let (before, _) = back.split_once("&state=").unwrap();
    assert_eq!(web::opens(&format!("{before}&state=guessed")), 400);
    assert_eq!(web::opens(&format!("{before}&error=access_denied")), 400);
    let exchanged = || place.web.asked().iter().any(|asked| asked.path == "/token");
    assert!(!exchanged(), "{:?}", place.web.asked());
    assert_eq!(web::opens(&back), 200);
    running.wait().assert_code(0);
    assert!(exchanged());
    assert_eq!(web::opens(&back), 0, "the port is closed");
}

#[test]
fn a_no_is_told_and_ctrl_c_ends_the_wait() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({}));
    let running = home.start(&["mcp", "login", "far"], None);
    let back = place.agrees(&link(&running));
    let (before, state) = back.split_once("?code=").unwrap();
    let state = state.split('&').find(|part| part.starts_with("state=")).unwrap();
    let iss = back.split('&').find(|part| part.starts_with("iss=")).unwrap();
    web::opens(&format!(
        "{before}?error=access_denied&error_description=not+today&{state}&{iss}"
    ));
    let denied = running.wait();
    denied.assert_code(1);
    assert!(denied.stderr.contains("the sign-in was refused: not today"), "{denied}");
    let running = home.start(&["mcp", "login", "far"], None);
    let back = place.agrees(&link(&running));
    let began = Instant::now();
    running.signal(Signal::INT);
    running.wait().assert_code(130);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(web::opens(&back), 0, "the port is closed");
}
