//! Tests of images in server results. A model that reads images gets them after the results, and in every later
//! request.

use serde_json::json;

use super::peer;
use super::result;
use crate::images::PIXEL;
use crate::support::api::Api;
use crate::support::home::Home;
use crate::support::reply::{call, stream, text};
use crate::support::server::{MODEL, Server};

const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

fn seeing(server: &Server, api: Api) -> Home {
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, server, &[("files", "plain")]);
    configuration["provider"]["kit"]["api"] = json!(api.word());
    configuration["provider"]["kit"]["models"][MODEL]["vision"] = json!(true);
    configuration["permission"] = json!({"files__*": "allow"});
    home.configure(&configuration);
    home
}

#[test]
fn an_image_of_a_result_stands_behind_the_results_and_is_sent_again_as_it_was() {
    for api in [Api::OpenAi, Api::Anthropic, Api::Ollama, Api::Responses] {
        let server = Server::start();
        let home = seeing(&server, api);
        server.script([
            stream()
                .calls("files__picture", json!({}))
                .calls("files__echo", json!({"text": "hello"}))
                .ends(),
            text("A dog."),
            text("Still a dog."),
        ]);
        home.run(&["run", "look"]).assert_code(0);
        home.run(&["run", "--continue", "and now?"]).assert_code(0);
        server.assert_append_only();
        for request in [2, 3] {
            let raw = server.request(request).raw;
            assert_eq!(raw.matches(PICTURE).count(), 1, "{api:?}: {raw}");
            assert!(raw.contains("it stands behind the results]"), "{api:?}: {raw}");
            let (results, image) = (raw.find("hello!"), raw.find(PICTURE));
            assert!(results < image, "{api:?}: behind all of them: {raw}");
            assert!(raw.contains("The 1 image of the results above"), "{api:?}: {raw}");
        }
    }
}

#[test]
fn more_than_go_along_and_what_is_none_are_said_in_the_result() {
    let server = Server::start();
    let home = seeing(&server, Api::OpenAi);
    server.script([call("files__album", json!({})), text("Dogs.")]);
    home.run(&["run", "look"]).assert_code(0);
    let told = result(&server, 2);
    assert_eq!(told.matches("it stands behind the results]").count(), 8, "{told}");
    assert_eq!(
        told.matches("it is not shown: at most 8 of one result are]").count(),
        2,
        "{told}"
    );
    assert!(
        told.contains("[image/png that cannot be read]") && told.contains("[audio/wav, 4 bytes;"),
        "{told}"
    );
    let raw = server.request(2).raw;
    assert_eq!(raw.matches("data:image/png;base64,").count(), 8, "{raw}");
}

#[test]
fn one_that_a_server_would_refuse_is_a_line_and_no_later_request_fails_of_it() {
    let server = Server::start();
    let home = seeing(&server, Api::OpenAi);
    server.script([
        call("files__picture", json!({"text": "flawed"})),
        text("Dogs."),
        text("Cats."),
    ]);
    home.run(&["run", "look"]).assert_code(0);
    home.run(&["run", "--continue", "and now?"]).assert_code(0);
    let told = result(&server, 2);
    for line in [
        "[a PNG image that is damaged or incomplete; it is not shown]",
        "[a GIF image of 9,000 x 1 pixels; images with a side of more than 8,000 are not shown]",
        "[an image, PNG, 70 bytes; it stands behind the results]",
        "[image/png, 5 bytes; it cannot be shown here]",
    ] {
        assert!(told.contains(line), "{told}");
    }
    for request in [2, 3] {
        let raw = server.request(request).raw;
        assert_eq!(raw.matches("data:image/").count(), 1, "{raw}");
        assert!(
            raw.contains(PICTURE),
            "by its bytes, whatever its server calls it: {raw}"
        );
    }
}

#[test]
fn what_the_requests_of_a_session_have_no_room_for_is_left_out_and_what_was_sent_stays() {
    let server = Server::start();
    let home = seeing(&server, Api::OpenAi);
    std::fs::write(home.path("shot.png"), PIXEL).expect("a file is written");
    let album = || call("files__album", json!({}));
    server.script([album(), album(), album(), text("Dogs."), text("Still dogs.")]);
    home.run(&["run", "look"]).assert_code(0);
    let more = home.run(&["run", "--continue", "and @shot.png?"]);
    assert!(
        more.stderr
            .contains("too many images in this session (limit 20, 20 MB)"),
        "{more}"
    );
    home.run(&["run", "--continue", "and now?"]).assert_code(0);
    server.assert_append_only();
    assert!(!result(&server, 3).contains("left out"), "{}", result(&server, 3));
    let told = result(&server, 4);
    assert!(
        told.contains("[4 further images are left out: the requests of a session carry at most 20 images"),
        "{told}"
    );
    for (request, images) in [(2, 8), (3, 16), (4, 20), (5, 20)] {
        let raw = server.request(request).raw;
        assert_eq!(
            raw.matches("data:image/png;base64,").count(),
            images,
            "request {request}"
        );
    }
}

#[test]
fn a_model_that_reads_no_images_is_told_what_is_left_out() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["permission"] = json!({"files__*": "allow"});
    home.configure(&configuration);
    server.script([call("files__picture", json!({})), text("What dog?")]);
    home.run(&["run", "look"]).assert_code(0);
    assert_eq!(result(&server, 2), "[an image, PNG, 70 bytes; it cannot be shown here]");
    assert!(!server.request(2).raw.contains(PICTURE));
}
