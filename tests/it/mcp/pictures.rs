//! Images in the results of servers: a model that sees is sent them behind the results, and every later request has them, too.

use serde_json::json;

use super::peer;
use super::result;
use crate::support::api::Api;
use crate::support::home::Home;
use crate::support::reply::{call, stream, text};
use crate::support::server::{MODEL, Server};

const PICTURE: &str = "iVBORw0KGgo=";

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
    for api in [Api::OpenAi, Api::Anthropic, Api::Ollama] {
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
fn a_model_that_reads_no_images_is_told_what_is_left_out() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["permission"] = json!({"files__*": "allow"});
    home.configure(&configuration);
    server.script([call("files__picture", json!({})), text("What dog?")]);
    home.run(&["run", "look"]).assert_code(0);
    assert_eq!(result(&server, 2), "[an image, PNG, 8 bytes; it cannot be shown here]");
    assert!(!server.request(2).raw.contains(PICTURE));
}
