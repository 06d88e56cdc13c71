//! Tests of servers without a person's sign-in: client secret, client key, or exchanged identity. Tokens are neither
//! stored nor shown.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::oauth::{assert_kept_to_itself, home, link, signed_in, tokens};
use super::place::{Odd, Place};
use super::result;
use super::web::Asked;
use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Generated for this test only.
const KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJZFqXGZJHva3cd39lpkAMM14hr2Eo4Av6xkyY1AyAYB\n-----END PRIVATE KEY-----\n";

fn grants(place: &Place) -> Vec<String> {
    let asked = place.web.asked().into_iter();
    asked.filter_map(|asked| asked.field("grant_type")).collect()
}

fn first_to(place: &Place, path: &str) -> Asked {
    place.web.wait_for(path, |asked| asked.path == path)
}

fn by_secret() -> Value {
    json!({"auth": "client_credentials", "client_id": "client-1", "client_secret_env": ["KENNEL_SECRET"]})
}

fn exchanged(place: &Place) -> Value {
    json!({
        "auth": "cross_app",
        "client_id": "client-1",
        "client_secret_env": ["KENNEL_SECRET"],
        "identity_url": place.web.at("/exchange"),
        "identity_client_id": "bench-1",
        "identity_token_env": ["WHO_I_AM"],
    })
}

fn assert_unsaid(home: &Home, said: &[&Finished]) {
    assert_kept_to_itself(home, said);
    for finished in said {
        let all = finished.to_string();
        for secret in ["s3cret/of:client", "s3cret%2Fof", "1dentity", "w0rd-of-it"] {
            assert!(!all.contains(secret), "{secret}: {all}");
        }
    }
}

#[test]
fn a_client_with_a_secret_asks_without_a_person_and_again_when_its_token_is_not_taken_any_more() {
    let (place, model) = (Place::start(Odd::Alone), Server::start());
    let home = home(&place, &model, &by_secret()).env("KENNEL_SECRET", "s3cret/of:client");
    model.script([call("far__echo", json!({"text": "hello"})), text("First.")]);
    let bench = home.bench(&[]);
    bench.ask("say hello");
    bench.accept("far__echo");
    bench.wait_for_text("First.");
    assert_eq!(result(&model, 2), "hello!");
    place.expire();
    model.script([call("far__echo", json!({"text": "again"})), text("Second.")]);
    bench.ask("say it again");
    bench.accept("far__echo");
    bench.wait_for_text("Second.");
    assert_eq!(result(&model, 4), "again!");
    bench.leave();
    assert_eq!(grants(&place), ["client_credentials", "client_credentials"]);
    let told = first_to(&place, "/token");
    assert_eq!(
        told.header("authorization"),
        Some("Basic Y2xpZW50LTE6czNjcmV0JTJGb2YlM0FjbGllbnQ=")
    );
    assert_eq!(told.field("resource"), Some(place.web.at("/mcp")));
    assert_eq!(told.field("scope").as_deref(), Some("tools"));
    assert_eq!(tokens(&home), "", "it is kept nowhere");
    let login = home.run(&["mcp", "login", "far"]);
    login.assert_code(2);
    assert!(login.stderr.contains("signs in to this server by itself"), "{login}");
    assert_unsaid(&home, &[&login]);
}

#[test]
fn a_client_with_a_key_signs_and_a_key_that_others_can_read_is_not_used() {
    let (place, model) = (Place::start(Odd::Alone), Server::start());
    let more = json!({"auth": "client_credentials", "client_id": "client-1", "client_key_file": "~/kennel.pem"});
    let home = home(&place, &model, &more);
    let file = home.user_home().join("kennel.pem");
    let may = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("a mode");
    std::fs::write(&file, KEY).expect("a key");
    may(0o644);
    let open = home.run(&["mcp", "check", "far"]);
    assert!(open.stdout.contains("others can read it; `chmod 600 "), "{open}");
    assert_eq!(grants(&place), Vec::<String>::new());
    may(0o600);
    let check = home.run(&["mcp", "check", "far"]);
    assert!(check.stdout.contains("far: ready"), "{check}");
    let told = first_to(&place, "/token");
    let word = told.field("client_assertion").unwrap_or_default();
    assert_eq!(word.split('.').count(), 3, "{told:?}");
    assert_eq!(
        (told.header("authorization"), told.field("client_secret")),
        (None, None)
    );
    assert_kept_to_itself(&home, &[&open, &check]);
}

#[test]
fn an_identity_is_exchanged_for_a_word_to_the_place_and_that_for_a_token() {
    let (place, model) = (Place::start(Odd::Alone), Server::start());
    let home = home(&place, &model, &exchanged(&place)).env("KENNEL_SECRET", "s3cret/of:client");
    let lacking = home.run(&["mcp", "check", "far"]);
    assert!(
        lacking
            .stdout
            .contains("no token was issued: the environment variable `WHO_I_AM`"),
        "{lacking}"
    );
    assert_eq!(grants(&place), Vec::<String>::new());
    let home = home.env("WHO_I_AM", "1dentity");
    let check = home.run(&["mcp", "check", "far"]);
    assert!(check.stdout.contains("far: ready"), "{check}");
    let told = first_to(&place, "/exchange");
    assert_eq!(told.field("subject_token").as_deref(), Some("1dentity"));
    assert_eq!(told.field("audience"), Some(place.web.at("")));
    assert_eq!(told.field("resource"), Some(place.web.at("/mcp")));
    assert_eq!(told.field("client_id").as_deref(), Some("bench-1"));
    assert_eq!(
        first_to(&place, "/token").field("assertion").as_deref(),
        Some("w0rd-of-it")
    );
    assert_unsaid(&home, &[&lacking, &check]);
}

#[test]
fn what_is_refused_is_told_without_what_was_sent() {
    let (place, model) = (Place::start(Odd::AloneEchoes), Server::start());
    for (more, told) in [
        (by_secret(), "no token was issued: not with grant_type="),
        (
            exchanged(&place),
            "could not be exchanged for a token: not with grant_type=",
        ),
    ] {
        let home = home(&place, &model, &more)
            .env("KENNEL_SECRET", "s3cret/of:client")
            .env("WHO_I_AM", "1dentity");
        let check = home.run(&["mcp", "check", "far"]);
        assert!(check.stdout.contains(told), "{check}");
        assert_unsaid(&home, &[&check]);
    }
}

#[test]
fn a_described_client_signs_in_by_the_address_of_its_description_where_that_is_taken() {
    for (odd, registers) in [(Odd::ReadsDescriptions, false), (Odd::Nothing, true)] {
        let (place, model) = (Place::start(odd), Server::start());
        let address = "https://kennel.example/benchdog.json";
        let home = home(&place, &model, &json!({"client_metadata_url": address}));
        let running = home.start(&["mcp", "login", "far"], None);
        let link = link(&running);
        let is_by_it = link.contains("client_id=https%3A%2F%2Fkennel.example%2Fbenchdog.json&");
        assert_eq!(is_by_it, !registers, "{link}");
        drop(running);
        signed_in(&place, &home).assert_code(0);
        let is_registered = place.web.asked().iter().any(|asked| asked.path == "/register");
        assert_eq!(is_registered, registers, "{odd:?}");
    }
}

#[test]
fn a_call_that_wants_more_than_is_asked_for_fails_alone_and_names_the_key_that_asks() {
    let (place, model) = (Place::start(Odd::Narrow), Server::start());
    let home = home(&place, &model, &by_secret()).env("KENNEL_SECRET", "s3cret/of:client");
    model.script([call("far__echo", json!({"text": "hello"})), text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "go"]);
    run.assert_code(0);
    let told = result(&model, 2);
    assert!(
        told.contains("the scope `tools dogs`, which only the user can add"),
        "{told}"
    );
    let far = json!({"auth": "client_credentials", "client_id": "client-1", "client_secret_env": ["KENNEL_SECRET"], "scopes": ["tools", "dogs"]});
    home.configure(&super::http::configured(&model, &place.web, &far));
    home.run(&["mcp", "check", "far"]).assert_code(0);
    let asked = place.web.asked();
    let scopes: Vec<_> = asked
        .iter()
        .filter(|asked| asked.path == "/token")
        .map(|asked| asked.field("scope"))
        .collect();
    assert_eq!(scopes, [Some("tools".to_owned()), Some("tools dogs".to_owned())]);
    assert_unsaid(&home, &[&run]);
}
