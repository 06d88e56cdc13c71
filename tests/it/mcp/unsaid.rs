//! Tests that secrets between a person and a server occur in no visible text, and that missing secrets are named.

use serde_json::json;

use super::http::configured;
use super::oauth::{assert_kept_to_itself, home, signed_in};
use super::place::{Odd, Place};
use super::result;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_token_in_the_words_of_a_refusal_is_read_by_nobody() {
    let (place, model) = (Place::start(Odd::Echoes), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    let calls = ["scope", "place", "body"].map(|text| call("far__echo", json!({"text": text})));
    model.script(calls.into_iter().chain([text("Done.")]));
    let ran = home.run(&["run", "--approve", "all", "--output", "stream-json", "say hello"]);
    let told = [2, 3, 4].map(|at| result(&model, at));
    for (told, words) in told
        .iter()
        .zip(["`tools [token]`", "x.example/[token]/y", "no such token: [token]"])
    {
        assert!(told.contains(words), "{told}: {ran}");
    }
    place.expire();
    let checked = home.run(&["mcp", "check"]);
    assert!(
        checked
            .stdout
            .contains("the token could not be renewed: no such token: [token]"),
        "{checked}"
    );
    assert_kept_to_itself(&home, &[&ran, &checked]);
}

#[test]
fn a_secret_in_the_query_of_an_address_is_no_part_of_what_a_token_is_asked_for() {
    let (place, model) = (Place::start(Odd::Old), Server::start());
    let more = json!({"url": place.web.at("/mcp?key=s3cret-of-mine")});
    let home = home(&place, &model, &more);
    let signed = signed_in(&place, &home);
    signed.assert_code(0);
    assert!(!signed.to_string().contains("s3cret"), "{signed}");
    let asked = place.web.asked();
    let exchanged = asked.iter().find(|asked| asked.path == "/token").unwrap();
    assert_eq!(exchanged.field("resource"), Some(place.web.at("/mcp")));
}

#[test]
fn a_variable_that_is_not_set_is_named_before_anybody_is_asked() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({"token_env": ["KENNEL_TOKEN", "DOG_TOKEN"]}));
    let checked = home.run(&["mcp", "check"]);
    checked.assert_code(1);
    let told = "the variable `KENNEL_TOKEN`, `DOG_TOKEN` in `mcp.far.token_env` is not set";
    assert!(checked.stdout.contains(told), "{checked}");
    assert!(place.web.asked().is_empty(), "{:?}", place.web.asked());
    let more = json!({"client_id": "client-1", "client_secret_env": ["KENNEL_SECRET"]});
    home.configure(&configured(&model, &place.web, &more));
    let signed = home.run(&["mcp", "login", "far"]);
    signed.assert_code(2);
    assert!(signed.stderr.contains("variable `KENNEL_SECRET`"), "{signed}");
    assert!(place.web.asked().is_empty(), "{:?}", place.web.asked());
}
