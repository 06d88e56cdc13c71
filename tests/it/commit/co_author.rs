//! Tests of the co-author trailer that `/commit` adds.

use serde_json::json;

use super::staged;
use crate::support::home::config;
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn a_co_author_of_the_configuration_is_part_of_the_message_that_the_person_reads() {
    let server = Server::start();
    let home = staged(&server);
    let mut settings = config(&server.base_url());
    settings["commit"] = json!({"co_author": "Benchdog <bot@example.org>"});
    home.configure(&settings);
    server.script([text("fix: one")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("Co-authored-by: Benchdog <bot@example.org>");
    bench.keys("enter");
    bench.wait_for_text("[trunk ");
    assert_eq!(
        home.git(&["log", "-1", "--format=%B"]).trim(),
        "fix: one\n\nCo-authored-by: Benchdog <bot@example.org>"
    );
    bench.leave();
}
