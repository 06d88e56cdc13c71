//! Tests of many processes in one home at once. There is no deadlock, no failure, and no lost data.

use std::collections::BTreeSet;

use crate::shut::sessions;
use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::server::Server;

const PROCESSES: usize = 16;

#[test]
fn sixteen_processes_at_once_on_one_home_lose_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    server.when(|_| true, text("Done."));
    let prompts: Vec<String> = (0..PROCESSES).map(|number| format!("prompt {number}")).collect();
    let running: Vec<_> = prompts
        .iter()
        .map(|prompt| home.start(&["run", prompt], None))
        .collect();
    for run in running {
        let run = run.wait();
        run.assert_code(0);
        assert!(
            !run.stderr.contains("in use") && !run.stderr.contains("could not"),
            "{run}"
        );
    }
    let titles: BTreeSet<String> = sessions(&home)
        .iter()
        .map(|session| session["title"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(titles, prompts.iter().cloned().collect());
    for session in sessions(&home) {
        let id = session["id"].as_str().expect("an id");
        let shown = home.run(&["sessions", "show", id]);
        shown.assert_code(0);
        assert!(shown.stdout.contains("Done."), "{shown}");
    }
}
