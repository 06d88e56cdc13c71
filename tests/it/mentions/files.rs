//! Tests of files and folders of unusual size or type.

use serde_json::json;

use super::{refused, sent};
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_file_of_5_mb_is_cut_where_reading_would_cut_it_and_says_how_to_go_on() {
    let server = Server::start();
    let home = Home::with(&server);
    let lines: String = (1..=100_000).map(|line| format!("{line:050}\n")).collect();
    assert!(lines.len() > 5_000_000);
    home.file("big.log", &lines);
    let user = sent(&home, &server, "look at @big.log");
    assert!(user.len() < 70_000, "{} bytes", user.len());
    assert!(
        user.contains("of 100,000; go on with offset"),
        "{:.300}",
        user.get(user.len() - 300..).unwrap()
    );
    let user = sent(&home, &server, "look at @big.log:99999-");
    assert!(user.contains("100000\t"), "{user}");
}

#[test]
fn crlf_is_shown_as_reading_shows_it() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("dos.txt", "one\r\ntwo\r\n");
    let user = sent(&home, &server, "see @dos.txt");
    assert!(
        user.contains("1\tone\n2\ttwo\n[the file has CRLF line ends"),
        "{user:?}"
    );
}

#[test]
fn utf_16_is_read_as_text_and_an_edit_of_it_stays_utf_16() {
    let server = Server::start();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"edit": "allow"});
    let home = Home::bare();
    home.configure(&settings);
    let wide = b"\xff\xfeh\0i\0\n\0";
    std::fs::write(home.path("wide.txt"), wide).unwrap();
    server.script([
        call(
            "edit",
            json!({"path": "wide.txt", "edits": [{"old": "hi", "new": "ho"}]}),
        ),
        text("It is UTF-16."),
    ]);
    home.run(&["run", "see @wide.txt"]).assert_code(0);
    let request = server.request(2);
    assert!(
        request.last("user").contains("1\thi\n[the file is UTF-16"),
        "{}",
        request.last("user")
    );
    assert!(
        request.last("tool").contains("encoding kept as UTF-16LE"),
        "{}",
        request.last("tool")
    );
    assert_eq!(std::fs::read(home.path("wide.txt")).unwrap(), b"\xff\xfeh\0o\0\n\0");
}

#[test]
fn a_folder_of_10_000_files_is_listed_as_listing_lists_it() {
    let server = Server::start();
    let home = Home::with(&server);
    std::fs::create_dir(home.path("many")).unwrap();
    for number in 0..10_000 {
        std::fs::write(home.path(&format!("many/{number:05}.txt")), "").unwrap();
    }
    let user = sent(&home, &server, "see @many/");
    assert!(
        user.contains("00000.txt") && user.contains("[cut at 1,000 entries"),
        "{:.200}",
        user
    );
    assert!(user.len() < 40_000, "{} bytes", user.len());
}

#[test]
fn numbers_that_name_no_lines_and_more_names_than_can_go_along_are_said_and_nothing_is_sent() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("main.rs", "one\ntwo\n").file("说明.txt", "甲\n乙\n丙\n");
    for prompt in ["see @main.rs:99999-1", "see @main.rs:0", "看@说明.txt：3–1"] {
        let said = refused(&home, &server, prompt);
        assert!(said.contains("is not a range of lines"), "{prompt}: {said}");
    }
    let user = sent(&home, &server, "看@说明.txt：2–3 和@main.rs:2:1");
    assert!(user.contains("2\t乙\n3\t丙") && !user.contains("1\t甲"), "{user}");
    assert!(user.contains("2\ttwo") && !user.contains("1\tone"), "{user}");
    let many: Vec<String> = (0..51).map(|number| format!("many/f{number}")).collect();
    for name in &many {
        home.file(name, "x\n");
    }
    let said = refused(&home, &server, &format!("see @{}", many.join(" @")));
    assert!(
        said.contains("it mentions 51 files and folders") && said.contains("the limit is 50"),
        "{said}"
    );
    assert!(
        !said.contains("cannot be read") && !said.contains("Fix the name"),
        "{said}"
    );
}

#[test]
fn files_one_after_the_other_go_along_whatever_letters_they_have() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("é.md", "alpha\n")
        .file("b.rs", "beta\n")
        .file("说明.txt", "gamma\n")
        .file("🐕.txt", "delta\n");
    let user = sent(&home, &server, "see @é.md,@b.rs");
    assert!(user.contains("1\talpha") && user.contains("1\tbeta"), "{user}");
    let user = sent(&home, &server, "看@说明.txt和@🐕.txt");
    assert!(user.contains("1\tgamma") && user.contains("1\tdelta"), "{user}");
}

#[test]
fn files_typed_before_all_names_are_read_appear_once_they_are_read() {
    const FILES: usize = 30_000;
    let server = Server::start();
    let home = Home::with(&server);
    for folder in 0..FILES / 1_000 {
        std::fs::create_dir_all(home.path(&format!("part{folder:02}"))).expect("a folder");
    }
    for number in 0..FILES {
        let path = format!("part{:02}/file{number:05}.txt", number / 1_000);
        std::fs::write(home.path(&path), "").expect("a file");
    }
    let bench = home.bench(&[]);
    bench.type_text("@file29999");
    bench.wait_for_text("part29/file29999.txt");
    bench.keys("ctrl-u");
    bench.leave();
}
