//! A clock that is wrong: before 1970, sixty years ahead, and back again.

use std::process::Command;

use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::server::Server;
use crate::{Measured, Row};

pub fn rows() -> Vec<Row> {
    vec![Row {
        test: "the clock in 1960, 2086 and 1999, one after the other",
        limit: "0 failed, the order of use",
        run: years,
    }]
}

fn years() -> Measured {
    if Command::new("faketime").arg("--version").output().is_err() {
        // A time that was not measured counts as above the limit.
        return Measured {
            figure: "not measured: `faketime` is not installed".to_owned(),
            holds: false,
        };
    }
    let server = Server::start();
    server.when(|_| true, text("Done."));
    let mut failed = 0;
    let mut home = Home::with(&server);
    home.run(&["run", "today"]).assert_code(0);
    let binary = home.program.clone();
    for year in ["1960", "2086", "1999"] {
        let time = format!("@{year}-01-01 00:00:00");
        home.program = [vec!["faketime".to_owned(), "-f".to_owned(), time], binary.clone()].concat();
        let prompt = format!("in {year}");
        for arguments in [
            &["run", &prompt][..],
            &["run", "-c", "and on"],
            &["sessions", "list"],
            &["sessions", "check"],
        ] {
            let run = home.run(arguments);
            if run.code != Some(0) || run.stderr.contains("panicked") {
                failed += 1;
                println!("{year} {arguments:?}\n{run}");
            }
        }
    }
    let listed = home
        .run(&["sessions", "list", "--format", "json"])
        .json_lines()
        .remove(0);
    let titles: Vec<&str> = listed
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["title"].as_str())
        .collect();
    Measured {
        figure: format!("{failed} failed; {}", titles.join(", ")),
        holds: failed == 0 && titles == ["in 1999", "in 2086", "in 1960", "today"],
    }
}
