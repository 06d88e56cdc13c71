//! Tests that a call which needs a wider scope is reported, and that the next sign-in requests the scope.

use std::time::Duration;

use serde_json::json;

use super::oauth::home;
use super::place::{Odd, Place};
use super::web;
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_sign_in_after_a_call_that_wanted_more_asks_for_that_and_none_begins_by_itself() {
    let (place, model) = (Place::start(Odd::Narrow), Server::start());
    let home = home(&place, &model, &json!({})).window(160, 45);
    super::oauth::signed_in(&place, &home).assert_code(0);
    model.script([call("far__echo", json!({"text": "hello"})), text("Done.")]);
    let bench = home.bench(&[]);
    bench.ask("say hello");
    bench.accept("far__echo");
    bench.wait_for_text("Done.");
    bench.ask("/mcp");
    bench.wait_for_text("the sign-in lacks the scope `tools dogs`. /mcp login far");
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("Esc closes"));
    let registered = || {
        place
            .web
            .asked()
            .iter()
            .filter(|asked| asked.path == "/register")
            .count()
    };
    assert_eq!(registered(), 1, "the sign-in of before");
    bench.ask("/mcp login far");
    bench.wait_for_text("code_challenge=");
    assert!(look_until(Duration::from_secs(5), || bench.raw().contains("]52;c;")));
    let link = copied(&bench.raw());
    assert!(link.contains("scope=tools%20dogs"), "{link}");
    web::opens(&place.agrees(&link));
    bench.wait_for("that it is mended", |screen| {
        screen.has("Signed in.") && !screen.has("the scope `tools dogs`.")
    });
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("Signed in."));
    bench.leave();
}

#[test]
fn a_resource_and_a_prompt_that_wanted_more_are_noted_for_the_next_sign_in_as_a_call_is() {
    for (prompt, why) in [
        ("see @far:note://a", "`@far:note://a` cannot be read"),
        ("/far:review", "`/far:review`"),
    ] {
        let (place, model) = (Place::start(Odd::Narrow), Server::start());
        let home = home(&place, &model, &json!({})).window(160, 45);
        super::oauth::signed_in(&place, &home).assert_code(0);
        let bench = home.bench(&[]);
        bench.ask("/mcp");
        bench.wait_for_text("/far:review");
        bench.keys("esc");
        bench.wait_for("the sheet closed", |screen| !screen.has("Esc closes"));
        bench.ask(prompt);
        bench.wait_for("why", |screen| screen.has(why) && screen.has("tools dogs"));
        bench.keys("ctrl-u");
        bench.ask("/mcp");
        bench.wait_for_text("the sign-in lacks the scope `tools dogs`. /mcp login far");
        bench.keys("esc");
        bench.wait_for("the sheet closed", |screen| !screen.has("Esc closes"));
        bench.leave();
        assert_eq!(model.requests().len(), 0);
    }
}

pub fn copied(raw: &str) -> String {
    let copied = raw.rsplit("\u{1b}]52;c;").next().unwrap_or_default();
    let copied = copied.split(['\u{7}', '\u{1b}']).next().unwrap_or_default();
    let link = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, copied).expect("what was copied");
    String::from_utf8(link).expect("a link")
}
