//! Tests of more skills than a prompt can list.

use serde_json::json;

use super::{of_person, skill};
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_hundred_skills_cost_two_percent_of_the_window() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"]["kit-model"]["context"] = json!(16_000);
    home.configure(&settings);
    for number in 0..100 {
        let text = skill(&format!("skill-{number:03}"), &"What it is good for. ".repeat(20), "x");
        of_person(&home, &format!("s{number}/SKILL.md"), &text);
    }
    server.script([text("Fine.")]);
    home.run(&["run", "hello"]).assert_code(0);
    let request = server.request(1);
    let system = request.last("system");
    let index = system.split("# Skills").nth(1).unwrap_or_default();
    // A token has at least four bytes here.
    assert!(
        !index.is_empty() && index.len() < 16_000 * 2 / 100 * 4,
        "{} bytes",
        index.len()
    );
    assert!(index.contains("more: `skill` without a name lists them"), "{index}");
}

#[test]
fn of_three_hundred_skills_it_is_said_how_many_the_model_is_not_told_and_each_is_loaded_by_its_name() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"]["kit-model"]["context"] = json!(64_000);
    settings["permission"]["skill"] = json!("allow");
    home.configure(&settings);
    for number in 0..300 {
        let text = skill(
            &format!("skill-{number:03}"),
            "What it is good for.",
            &format!("Plum {number}."),
        );
        of_person(&home, &format!("s{number}/SKILL.md"), &text);
    }
    server.script([
        call("skill", json!({"name": "skill-299"})),
        text("Loaded."),
        text("Again."),
        text("Invoked."),
    ]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(0);
    assert!(!server.request(1).says("skill-299"));
    assert!(server.request(2).last("tool").contains("Plum 299."));
    let told = run.stderr.lines().filter(|line| line.contains("skill names"));
    let told: Vec<&str> = told.collect();
    assert_eq!(told.len(), 1, "{run}");
    let named = server.request(1).last("system").matches("- skill-").count();
    assert!(
        named > 3 && told[0].contains(&format!("{named} of 300 skill names")),
        "{told:?} of {named}"
    );
    home.run(&["run", "--continue", "and again"]).assert_code(0);
    home.run(&["run", "/skill-298 now"]).assert_code(0);
    assert!(server.request(4).last("user").contains("Plum 298."));
    let bench = home.bench(&[]);
    bench.ask("/skills");
    bench.type_text("299");
    bench.wait_for("the last skill", |screen| {
        let row = screen.row("skill-299").unwrap_or_default();
        row.contains("not listed for the model")
    });
    bench.keys("esc");
    bench.wait_for("the list to go", |screen| !screen.has("1 of 300"));
    bench.leave();
}
