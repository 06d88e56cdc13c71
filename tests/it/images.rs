//! Tests that a mentioned image is sent if the model reads images, and reported otherwise.

use serde_json::{Value, json};

use crate::support::bench::draft_of;
use crate::support::home::{Home, config};
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::{MODEL, Server};

pub const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\
    \x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";
pub const PIXEL_URL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/// Returns a GIF of one pixel. `name` makes it unique.
pub fn gif(name: &str) -> Vec<u8> {
    let frame = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    [frame, name.as_bytes()].concat()
}

/// A JPEG of one pixel, with a frame and an empty scan.
const JPEG: &[u8] = b"\xff\xd8\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0?\0\0\xff\xd9";

pub fn put(home: &Home, name: &str, bytes: &[u8]) {
    std::fs::write(home.path(name), bytes).expect("a file is written");
}

pub fn seeing(server: &Server) -> Home {
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"][MODEL]["vision"] = json!(true);
    let home = Home::bare();
    home.configure(&settings);
    home
}

fn parts(server: &Server, request: usize) -> Vec<Value> {
    let request = server.request(request);
    let newest = request
        .messages()
        .iter()
        .rev()
        .find(|message| message["role"] == "user");
    let content = newest.map(|message| message["content"].clone());
    content
        .and_then(|content| content.as_array().cloned())
        .unwrap_or_default()
}

#[test]
fn an_image_goes_along_and_a_resumed_session_sends_the_bytes_it_sent() {
    let server = Server::start();
    let home = seeing(&server);
    put(&home, "shot.png", PIXEL);
    server.script([text("A dot."), text("Still a dot."), text("In the copy, too.")]);
    let bench = home.bench(&[]);
    bench.ask("what is in @shot.png?");
    bench.wait_for_text("A dot.");
    bench.wait_for_text("@shot.png  PNG image, 1 KB");
    bench.leave();
    put(&home, "shot.png", b"\x89PNG\r\n\x1a\nanother");
    let run = home.run(&["run", "--continue", "and now?", "--output", "json"]);
    run.assert_code(0);
    let sent = parts(&server, 1);
    let said = sent[0]["text"].as_str().unwrap_or_default();
    assert!(
        said.starts_with("what is in @shot.png?\n\n[benchdog] The user named the image `shot.png`, sha256 "),
        "{said}"
    );
    assert_eq!(sent[1], json!({"type": "image_url", "image_url": {"url": PIXEL_URL}}));
    assert_eq!(sent.len(), 2);
    assert!(server.request(2).raw.contains(PIXEL_URL));
    server.assert_append_only();

    // Exports of the session mention the image.
    let id = run.json_lines()[0]["session"].as_str().expect("an id").to_owned();
    let shown = home.run(&["sessions", "show", &id]);
    assert!(shown.stdout.contains("@shot.png  PNG image, 1 KB"), "{shown}");
    let copy = home.run(&["sessions", "fork", &id]);
    copy.assert_code(0);
    home.run(&["run", "--resume", copy.stdout.trim(), "and in the copy?"])
        .assert_code(0);
    assert!(server.request(3).raw.contains(PIXEL_URL));
}

#[test]
fn an_image_may_lie_anywhere_and_nothing_else_may() {
    let server = Server::start();
    let home = seeing(&server);
    let shot = home.outside().join("my shot.png");
    std::fs::write(&shot, PIXEL).expect("a file is written");
    let notes = home.outside().join("notes.png");
    std::fs::write(&notes, "no image").expect("a file is written");
    server.script([text("A dot.")]);
    let run = home.run(&["run", &format!("see @\"{}\"", shot.display())]);
    run.assert_code(0);
    assert_eq!(parts(&server, 1)[1]["image_url"]["url"], PIXEL_URL);
    for path in [
        notes.display().to_string(),
        "/dev/zero".to_owned(),
        "../my shot.png".to_owned(),
    ] {
        let run = home.run(&["run", &format!("see @\"{path}\"")]);
        assert!(run.stderr.contains("it is outside"), "{path}: {run}");
    }
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn an_image_that_is_named_twice_goes_along_once_also_with_lines() {
    let server = Server::start();
    let home = seeing(&server);
    put(&home, "shot.png", PIXEL);
    put(&home, "copy.png", PIXEL);
    server.script([text("A dot.")]);
    home.run(&["run", "see @shot.png, @shot.png:1, @./shot.png and @copy.png"])
        .assert_code(0);
    let sent = parts(&server, 1);
    let said = sent[0]["text"].as_str().unwrap_or_default();
    assert_eq!(said.matches("The user named the image `shot.png`").count(), 1, "{said}");
    assert_eq!(said.matches("The user named the image `copy.png`").count(), 1, "{said}");
    assert_eq!(sent.len(), 3, "two names, two pictures: {said}");
}

#[test]
fn a_model_that_reads_no_images_is_said_before_anything_is_sent() {
    let server = Server::start();
    let home = Home::with(&server);
    put(&home, "shot.png", PIXEL);
    let bench = home.bench(&[]);
    bench.ask("what is in @shot.png?");
    bench.wait_for_text("it is a PNG image, but");
    assert!(bench.look(|screen| draft_of(screen).contains("what is in @shot.png?")));
    assert_eq!(server.requests().len(), 0);
    bench.keys("ctrl-u");
    bench.leave();
}

#[test]
fn too_large_and_too_many_are_said() {
    let server = Server::start();
    let home = seeing(&server);
    let mut large = PIXEL.to_vec();
    large.resize((10 << 20) + 1, 0);
    put(&home, "large.png", &large);
    let run = home.run(&["run", "see @large.png"]);
    assert!(
        run.stderr
            .contains("`large.png` is a PNG image of 10 MB; images over 10 MB are not shown"),
        "{run}"
    );
    let names: Vec<String> = (0..9).map(|number| format!("p{number}.gif")).collect();
    for name in &names {
        put(&home, name, &gif(name));
    }
    let prompt = |names: &[String]| {
        names
            .iter()
            .map(|name| format!("@{name}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let run = home.run(&["run", &prompt(&names)]);
    assert!(
        run.stderr.contains("it mentions more than 8 images, the limit"),
        "{run}"
    );
    assert_eq!(server.requests().len(), 0);
    server.script([text("Eight.")]);
    home.run(&["run", &prompt(&names[..8])]).assert_code(0);
    let urls = parts(&server, 1);
    assert_eq!(urls.len(), 9);
    assert!(
        urls[8]["image_url"]["url"]
            .as_str()
            .is_some_and(|url| url.starts_with("data:image/gif;base64,"))
    );
}

#[test]
fn the_kind_is_told_by_the_first_bytes_and_not_by_the_name() {
    let server = Server::start();
    let home = seeing(&server);
    put(&home, "photo.txt", JPEG);
    put(&home, "text.png", b"only words\n");
    put(&home, "old.bmp", b"BM\0\0\0\0\0\0");
    server.script([text("Seen.")]);
    home.run(&["run", "see @photo.txt and @text.png"]).assert_code(0);
    let sent = parts(&server, 1);
    assert_eq!(sent.len(), 2);
    assert!(
        sent[0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("1\tonly words"))
    );
    assert!(
        sent[1]["image_url"]["url"]
            .as_str()
            .is_some_and(|url| url.starts_with("data:image/jpeg;base64,"))
    );
    let run = home.run(&["run", "see @old.bmp"]);
    assert!(run.stderr.contains("`old.bmp` is a binary file of 8 bytes"), "{run}");
}

#[test]
fn reading_an_image_shows_it_to_a_model_that_sees() {
    let server = Server::start();
    let home = seeing(&server);
    put(&home, "shot.png", PIXEL);
    server.script([call("read", json!({"path": "shot.png"})), text("I see it.")]);
    home.run(&["run", "look at the picture"]).assert_code(0);
    let request = server.request(2);
    let said = request.last("tool");
    assert!(said.contains("is a PNG image of 70 bytes, 1 x 1 pixels"), "{said}");
    assert!(request.raw.contains("data:image/png;base64,"), "{}", request.raw);
}

#[test]
fn an_image_that_is_steered_into_a_turn_gets_a_message_of_its_own() {
    let server = Server::start();
    let home = seeing(&server);
    home.file("a.txt", "alpha\n");
    put(&home, "shot.png", PIXEL);
    let gate = Gate::new();
    server.script([
        stream()
            .says("Looking.")
            .holds(&gate)
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        text("Both."),
        text("More."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("look");
    bench.wait_for_text("Looking.");
    bench.ask("/steer and @shot.png");
    // Steering prompts are processed in order.
    bench.ask("/steer and @gone.txt");
    bench.wait_for_text("cannot be read: no such file");
    bench.keys("ctrl-u");
    gate.open();
    bench.wait_for_text("Both.");
    bench.ask("more");
    bench.wait_for_text("More.");
    let request = server.request(2);
    request.assert_well_formed();
    let roles: Vec<&str> = request
        .messages()
        .iter()
        .filter_map(|message| message["role"].as_str())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(parts(&server, 2)[1]["image_url"]["url"], PIXEL_URL);
    server.assert_append_only();
    bench.leave();
}

#[test]
fn a_long_name_is_one_line_that_keeps_its_end() {
    let server = Server::start();
    let home = seeing(&server).window(60, 20);
    let name = "とても長い名前の画像がここにある確認の資料.png";
    put(&home, name, PIXEL);
    server.script([text("A dot.")]);
    let bench = home.bench(&[]);
    bench.ask(&format!("see @{name}"));
    bench.wait_for_text("A dot.");
    let is_chip = |line: &&str| line.trim_start().starts_with('…') && line.contains("資料.png  PNG image, 1 KB");
    assert!(bench.look(|screen| screen.text().lines().any(|line| is_chip(&line))));
    bench.leave();
}
