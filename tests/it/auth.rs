//! Tests of stored keys: which server receives them, and which never does.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

const KEY: &str = "stored-for-this-server-only";

fn stored(server: &Server) -> Home {
    let home = Home::with(server);
    let set = home.run_with_input(&["auth", "set", "kit"], format!("{KEY}\n"));
    set.assert_code(0);
    assert!(!format!("{}{}", set.stdout, set.stderr).contains(KEY));
    home
}

#[test]
fn a_stored_key_goes_to_its_server_and_to_nobody_else() {
    let (server, other) = (Server::start(), Server::start());
    let home = stored(&server);
    let file = home.benchdog_home().join("data/credentials.json");
    let mode = std::fs::metadata(&file).expect("the file of keys").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let reads = json!({"command": format!("grep -r stored-for-this {}; env", home.benchdog_home().display())});
    server.script([call("bash", reads), text("Done.")]);
    home.run(&["run", "go", "--approve", "all"]).assert_code(0);
    let requests = server.requests();
    assert_eq!(requests[0].header("authorization"), Some(&*format!("Bearer {KEY}")));
    assert!(
        requests.iter().all(|request| !request.body.to_string().contains(KEY)),
        "in no body"
    );

    // The same provider name at another URL gets no key.
    home.configure(&config(&other.base_url()));
    other.script([text("Hello.")]);
    home.run(&["run", "go"]).assert_code(0);
    assert_eq!(other.request(1).header("authorization"), None);
    let listed = home.run(&["auth", "list"]);
    assert!(
        listed.stdout.contains("stored but unused") && !listed.stdout.contains(KEY),
        "{listed}"
    );
}

#[test]
fn a_variable_comes_before_the_stored_key_and_a_removed_key_is_gone() {
    let server = Server::start();
    let home = stored(&server).env("BENCHDOG_API_KEY", "of-the-variable");
    server.script([text("One.")]);
    home.run(&["run", "go"]).assert_code(0);
    assert_eq!(
        server.request(1).header("authorization"),
        Some("Bearer of-the-variable")
    );
    assert!(home.run(&["auth", "list"]).stdout.contains("key in BENCHDOG_API_KEY"));

    let home = stored(&server);
    assert!(home.run(&["auth", "list"]).stdout.contains("stored key"));
    home.run(&["auth", "remove", "kit"]).assert_code(0);
    server.script([text("Two.")]);
    home.run(&["run", "go"]).assert_code(0);
    assert_eq!(server.request(2).header("authorization"), None);
    home.run(&["auth", "remove", "kit"]).assert_code(2);
}

#[test]
fn what_is_wrong_with_a_key_or_its_file_is_said() {
    let server = Server::start();
    let home = stored(&server);
    for (arguments, input, words) in [
        (&["auth", "set", "kiit"][..], "k\n", "No provider `kiit`"),
        (&["auth", "set", "kit"], "\n", "not a valid key"),
        (&["auth", "set", "kit"], "two words\n", "not a valid key"),
    ] {
        let run = home.run_with_input(arguments, input);
        run.assert_code(2);
        assert!(run.stderr.contains(words), "{run}");
    }
    let file = home.benchdog_home().join("data/credentials.json");
    let good = std::fs::read(&file).expect("the file of keys");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("another mode");
    let run = home.run(&["run", "go"]);
    run.assert_code(2);
    assert!(
        run.stderr.contains("can be read by others") && run.stderr.contains("chmod 600"),
        "{run}"
    );
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("its mode");
    std::fs::write(&file, &good[..good.len() / 2]).expect("half of the file");
    let run = home.run(&["run", "go"]);
    run.assert_code(2);
    assert!(
        run.stderr.contains("credentials.json") && run.stderr.contains("line"),
        "{run}"
    );
}

#[test]
fn the_file_of_keys_is_read_by_nobody_else() {
    let server = Server::start();
    let home = stored(&server);
    // The key belongs to no provider now, but is still redacted as a secret.
    home.configure(&json!({
        "provider": {"other": {"base_url": server.base_url(), "models": {"kit": {"context": 32_000}}}},
        "model": "other/kit",
        "sandbox": {"level": "workspace"},
    }));
    let file = home.benchdog_home().join("data/credentials.json");
    let file = file.display();
    let back: String = KEY.chars().rev().collect();
    for command in [
        format!("rev {file}"),
        format!("cp {file} copy.txt; rev copy.txt"),
        format!("cat {file}"),
    ] {
        server.script([call("bash", json!({"command": command})), text("Done.")]);
        home.run(&["run", "--approve", "all", "go"]);
    }
    let sent: String = server
        .requests()
        .iter()
        .map(|request| request.body.to_string())
        .collect();
    assert!(!sent.contains(KEY) && !sent.contains(&back), "{sent}");
    let explained = home.run(&["policy", "explain", &format!("cat {file}")]);
    assert!(explained.stdout.contains(r#""verdict":"ask""#), "{}", explained.stdout);
}
