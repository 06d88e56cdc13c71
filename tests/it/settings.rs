//! Tests of `/config`. Settings are edited in the list, and written to the person's own file without a change of its
//! comments.

use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::server::Server;

fn commented(home: &Home, server: &Server) -> String {
    let text = format!(
        "// mine\n{{\n  \"model\": \"kit/kit-model\", // the quick one\n  \"provider\": {{\"kit\": {{\"base_url\": \"{}\"}}}},\n  /* looks */\n  \"ui\": {{ \"vim\": false }},\n}}\n",
        server.base_url()
    );
    home.configure_text(&text);
    text
}

fn written(home: &Home) -> String {
    std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("a configuration")
}

fn close(bench: &Pty) {
    bench.keys("esc");
    bench.wait_for("the list is closed", |screen| !screen.has("┌ settings"));
}

#[test]
fn a_setting_is_changed_in_place_and_counts_at_once() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    let before = commented(&home, &server);
    let bench = home.bench(&[]);
    bench.ask("/config");
    bench.wait_for_text("compaction.auto = true");
    bench.type_text("ui.vim");
    bench.wait_for_text("ui.vim = false");
    bench.keys("enter");
    bench.wait_for_text("ui.vim = true");
    assert_eq!(written(&home), before.replace("\"vim\": false", "\"vim\": true"));
    close(&bench);
    bench.wait_for_text("Configuration reloaded");
    bench.keys("esc");
    bench.wait_for_text(": ask, or");
    // The letters are Vim commands now: `a` appends after the cursor.
    bench.type_text("abc");
    bench.wait_for_text("› bc");
}

#[test]
fn what_is_wrong_is_refused_on_the_line_and_nothing_is_written() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40).env("BENCHDOG__UI__MOUSE", "false");
    let before = commented(&home, &server);
    let bench = home.bench(&[]);
    bench.ask("/config");
    bench.wait_for_text("compaction.auto = true");
    bench.type_text("threshold");
    bench.wait_for_text("compaction.threshold = 0.8");
    bench.keys("enter");
    bench.wait_for_text("Expected: a number from 0.2 to 1");
    bench.keys("ctrl-u");
    bench.type_text("9");
    bench.keys("enter");
    bench.wait_for_text("`compaction.threshold` must be a number from 0.2 to 1");
    assert_eq!(written(&home), before);
    bench.keys("ctrl-u");
    bench.type_text("0.6");
    bench.keys("enter");
    bench.wait_for_text("compaction.auto = true");
    bench.wait_for_text("compaction.threshold = 0.6");
    let after = written(&home);
    for part in ["// mine", "// the quick one", "/* looks */", "\"threshold\": 0.6"] {
        assert!(after.contains(part), "{after}");
    }
    // An environment variable overrides the setting, so a write would have no effect.
    close(&bench);
    bench.ask("/config");
    bench.wait_for_text("compaction.auto = true");
    bench.type_text("ui.mouse");
    bench.wait_for_text("ui.mouse = false");
    bench.keys("enter");
    bench.wait_for_text("BENCHDOG__UI__MOUSE sets another value");
    assert_eq!(written(&home), after);
    // An invalid file stays unchanged.
    home.configure_text("{\"ui\": ");
    close(&bench);
    bench.ask("/config");
    bench.wait_for_text("config.jsonc:1:");
    assert_eq!(written(&home), "{\"ui\": ");
    close(&bench);
    bench.leave();
}

#[test]
fn a_list_that_is_none_is_told_on_its_line_and_not_written_as_one_text() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    let before = commented(&home, &server);
    let bench = home.bench(&[]);
    bench.ask("/config");
    bench.wait_for_text("compaction.auto = true");
    bench.type_text("fallback");
    bench.wait_for_text("fallback = []");
    bench.keys("enter");
    bench.wait_for_text("Enter one word as it is");
    // An empty list is shown as an empty line, so it contains only the typed text.
    bench.type_text("[x");
    bench.wait_for_text("fallback = [x");
    bench.keys("enter");
    bench.wait_for_text("this is not valid JSON");
    assert_eq!(written(&home), before);
    bench.keys("esc");
    bench.wait_for("the list is back", |screen| !screen.has("this is not valid JSON"));
    close(&bench);
    bench.leave();
}
