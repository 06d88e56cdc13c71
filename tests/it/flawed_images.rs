//! Tests that an image which servers would reject is reported before the request, and that a damaged stored image fails
//! no request.

use crate::images::{PIXEL, gif, put, seeing};
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn one_that_a_server_would_refuse_is_said_before_anything_is_sent() {
    let server = Server::start();
    let home = seeing(&server);
    put(&home, "cut.png", &PIXEL[..50]);
    put(&home, "words.png", b"\x89PNG\r\n\x1a\nand words");
    let mut wide = gif("");
    wide[6..8].copy_from_slice(&9_000_u16.to_le_bytes());
    put(&home, "wide.gif", &wide);
    std::fs::write(home.outside().join("cut.png"), &PIXEL[..60]).expect("a file is written");
    let outside = home.outside().join("cut.png").display().to_string();
    for (name, why) in [
        ("cut.png", "damaged or incomplete"),
        ("words.png", "damaged or incomplete"),
        ("wide.gif", "a GIF image of 9,000 x 1 pixels"),
        (&outside, "damaged or incomplete"),
    ] {
        let run = home.run(&["run", &format!("see @{name}")]);
        assert!(run.stderr.contains(why), "{name}: {run}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn one_that_was_damaged_where_it_is_kept_is_said_and_fails_no_request() {
    let server = Server::start();
    let home = seeing(&server);
    put(&home, "shot.png", PIXEL);
    server.script([text("A dot."), text("No dot.")]);
    let run = home.run(&["run", "see @shot.png", "--output", "json"]);
    let id = run.json_lines()[0]["session"].as_str().expect("an id").to_owned();
    let path = home.benchdog_home().join(format!("data/sessions/{id}.redb"));
    let mut bytes = std::fs::read(&path).expect("a session");
    let places: Vec<usize> = (0..bytes.len() - PIXEL.len())
        .filter(|at| bytes[*at..].starts_with(PIXEL))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at + 45] ^= 1;
    }
    std::fs::write(&path, bytes).expect("a damaged session");
    home.run(&["run", "--continue", "and now?"]).assert_code(0);
    let raw = server.request(2).raw;
    assert!(!raw.contains("data:image"), "{raw}");
    assert!(
        raw.contains("1 of the images named here cannot be shown to you."),
        "{raw}"
    );
}
