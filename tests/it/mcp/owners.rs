//! Tests of the owner of a sign-in. A person's sign-in never applies to a folder's server, and is deleted with its
//! server.

use serde_json::json;

use super::oauth::{home, signed_in, tokens};
use super::place::{Odd, Place};
use crate::support::server::Server;

#[test]
fn a_trusted_folder_with_a_server_of_the_same_name_and_address_is_not_signed_in_by_the_persons_sign_in() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    home.configure(&crate::support::home::config(&model.base_url()));
    home.file(
        ".benchdog/config.jsonc",
        &json!({"mcp": {"far": {"url": place.web.at("/mcp")}}}).to_string(),
    );
    let checked = home.run(&["mcp", "check", "--trust"]);
    assert!(checked.stdout.contains("the server needs a sign-in"), "{checked}");
    let sent = place.web.asked();
    let last = sent.iter().rfind(|asked| asked.path == "/mcp").unwrap();
    assert_eq!(last.header("authorization"), None, "{last:?}");
    let out = home.run(&["mcp", "logout", "far", "--trust"]);
    assert!(out.stdout.contains("You are not signed in"), "{out}");
    assert!(tokens(&home).contains("acc3ss-"), "{}", tokens(&home));
}

#[test]
fn a_sign_in_at_a_second_address_of_a_name_leaves_the_first() {
    let (first, second, model) = (Place::start(Odd::Nothing), Place::start(Odd::Nothing), Server::start());
    let home = home(&first, &model, &json!({}));
    signed_in(&first, &home).assert_code(0);
    home.configure(&super::http::configured(&model, &second.web, &json!({})));
    signed_in(&second, &home).assert_code(0);
    home.configure(&super::http::configured(&model, &first.web, &json!({})));
    home.run(&["mcp", "check", "far"]).assert_code(0);
}

#[test]
fn a_server_that_is_removed_takes_its_tokens_along() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    let removed = home.run(&["mcp", "remove", "far"]);
    removed.assert_code(0);
    assert!(removed.stdout.contains("Its stored tokens were deleted"), "{removed}");
    assert!(!tokens(&home).contains("acc3ss-"), "{}", tokens(&home));
    let told = place
        .web
        .wait_for("that it is taken back", |asked| asked.path == "/revoke");
    assert!(told.field("token").is_some(), "{told:?}");
}

#[test]
fn tokens_of_a_server_that_is_in_no_configuration_any_more_can_be_forgotten() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    home.configure(&crate::support::home::config(&model.base_url()));
    home.run(&["mcp", "logout", "far"]).assert_code(0);
    assert!(!tokens(&home).contains("acc3ss-"), "{}", tokens(&home));
    home.run(&["mcp", "logout", "far"]).assert_code(2);
}
