//! Tests the first start: the list of found models, the form for a server, and a prompt that waits for a model.

use super::*;
use crate::dialogs::Dialog;
use crate::dialogs::picker::PickerKind;
use crate::dialogs::setup::Row;
use benchdog_domain::agent::{ModelRef, Readiness};
use benchdog_domain::api_key::ApiKey;
use benchdog_domain::failure::Failure;
use benchdog_domain::notice::{ConfigNotice, Notice};
use benchdog_domain::server_error::ServerError;
use benchdog_protocol::{FoundServer, NotListed};

const ADDRESS: &str = "http://127.0.0.1:8000/v1";

fn found(models: &[&str]) -> Answer {
    let server = FoundServer {
        base_url: ADDRESS.to_owned(),
        readiness: Readiness::Ready,
        models: models.iter().copied().map(found_model).collect(),
    };
    Answer::FirstStart {
        found: Some(server).filter(|_| !models.is_empty()).into_iter().collect(),
    }
}

fn model_is(bench: &mut Bench) {
    bench.entry(Body::Model {
        model: ModelRef {
            provider: "local".to_owned(),
            id: "two".to_owned(),
        },
        with: None,
        until_then: None,
    });
}

fn prompts(bench: &Bench) -> Vec<String> {
    let texts = bench.commands().into_iter().filter_map(|command| match command {
        Command::Prompt { text, .. } => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn several_models_are_a_list_that_has_the_focus_and_enter_takes_one() {
    let mut bench = Bench::new(80, 24);
    bench.event(found(&["one", "two"]));
    assert!(matches!(&bench.state.screen.dialog, Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Models));
    bench.keys("down enter");
    assert!(bench.commands().contains(&&Command::UseServer {
        base_url: ADDRESS.to_owned(),
        model: "two".to_owned(),
        key: ApiKey::default(),
    }));
}

#[test]
fn a_model_named_by_the_path_of_its_file_is_shown_by_the_file_name_and_asked_by_the_path() {
    let mut bench = Bench::new(80, 24);
    bench.event(found(&["/srv/models/Qwen3-8B-Q4_K_M.gguf", "two"]));
    let Some(Dialog::Picker(picker)) = &bench.state.screen.dialog else {
        panic!("no list");
    };
    assert_eq!(picker.items[0].text, "Qwen3-8B-Q4_K_M");
    bench.keys("enter");
    let asks = |command: &&Command| matches!(command, Command::UseServer { model, .. } if model.starts_with("/srv/"));
    assert!(bench.commands().iter().any(asks));
}

#[test]
fn a_prompt_that_is_being_typed_keeps_the_focus_and_its_enter_opens_the_list() {
    let mut bench = Bench::new(80, 24);
    bench.types("fix the tes");
    bench.event(found(&["one", "two"]));
    assert!(bench.state.screen.dialog.is_none());
    bench.types("ts");
    bench.keys("enter");
    bench.event(Live::Error(Failure::NoModel));
    assert_eq!(bench.prompt(), "fix the tests");
    assert!(bench.state.screen.dialog.is_some());
    bench.keys("enter");
    assert_eq!(prompts(&bench), ["fix the tests"]);
    model_is(&mut bench);
    assert_eq!(prompts(&bench), ["fix the tests", "fix the tests"], "sent once more");
    assert_eq!(bench.prompt(), "");
}

#[test]
fn a_prompt_that_was_changed_meanwhile_is_not_sent_by_itself() {
    let mut bench = Bench::new(80, 24);
    bench.types("one\n");
    bench.event(Live::Error(Failure::NoModel));
    bench.types(" more");
    model_is(&mut bench);
    assert_eq!(prompts(&bench), ["one"]);
    assert_eq!(bench.prompt(), "one more");
}

#[test]
fn where_nothing_is_found_the_form_tests_an_address_and_enter_takes_its_model() {
    let mut bench = Bench::new(80, 24);
    bench.event(found(&[]));
    bench.types("127.0.0.1:9");
    bench.keys("down");
    bench.types("sk-1");
    bench.keys("enter");
    assert!(bench.commands().contains(&&Command::TestServer {
        base_url: "127.0.0.1:9".to_owned(),
        key: ApiKey::new("sk-1"),
    }));
    assert_eq!(bench.prompt(), "");
    bench.event(Answer::ServerTested {
        base_url: "http://127.0.0.1:9/v1".to_owned(),
        models: Ok(vec![found_model("only")]),
    });
    bench.keys("enter");
    assert!(bench.commands().contains(&&Command::UseServer {
        base_url: "http://127.0.0.1:9/v1".to_owned(),
        model: "only".to_owned(),
        key: ApiKey::new("sk-1"),
    }));
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn a_found_server_that_needs_a_key_is_in_the_form_with_the_focus_on_its_key() {
    let mut bench = Bench::new(80, 24);
    let server = FoundServer {
        base_url: ADDRESS.to_owned(),
        readiness: Readiness::NeedsKey,
        models: Vec::new(),
    };
    bench.event(Answer::FirstStart { found: vec![server] });
    bench.types("sk-1\n");
    assert!(bench.commands().contains(&&Command::TestServer {
        base_url: ADDRESS.to_owned(),
        key: ApiKey::new("sk-1"),
    }));
}

#[test]
fn the_form_begins_with_the_configured_address_which_can_be_tested_edited_and_replaced() {
    let tested = |keys: &str, typed: &str| {
        let mut bench = Bench::new(80, 24);
        bench.types("/setup server\n");
        bench.event(Answer::ConfiguredServer {
            base_url: ADDRESS.to_owned(),
        });
        bench.keys(keys);
        bench.types(typed);
        bench.keys("enter");
        let tested = bench.commands().into_iter().find_map(|command| match command {
            Command::TestServer { base_url, key } => Some((base_url.clone(), key.clone())),
            _ => None,
        });
        tested.expect("no test")
    };
    assert_eq!(tested("", "").0, ADDRESS);
    assert_eq!(tested("down", "sk-2"), (ADDRESS.to_owned(), ApiKey::new("sk-2")));
    assert_eq!(tested("backspace", "2").0, "http://127.0.0.1:8000/v2");
    assert_eq!(tested("", "[::1]:9").0, "[::1]:9");
}

#[test]
fn a_configured_address_does_not_replace_a_typed_one() {
    let mut bench = Bench::new(80, 24);
    bench.types("/setup server\nhost:9");
    bench.event(Answer::ConfiguredServer {
        base_url: ADDRESS.to_owned(),
    });
    let Some(Dialog::Setup(form)) = &bench.state.screen.dialog else {
        panic!("no form");
    };
    assert_eq!(form.address, "host:9");
}

#[test]
fn a_server_that_is_loading_is_named_in_the_form_until_its_model_is_there() {
    let mut bench = Bench::new(80, 24);
    let server = FoundServer {
        base_url: ADDRESS.to_owned(),
        readiness: Readiness::Loading,
        models: Vec::new(),
    };
    bench.event(Answer::FirstStart { found: vec![server] });
    assert!(matches!(&bench.state.screen.dialog, Some(Dialog::Setup(form)) if form.note.contains("loading")));
    model_is(&mut bench);
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn a_broken_address_is_not_tested_and_the_error_has_an_example() {
    let mut bench = Bench::new(80, 24);
    bench.event(found(&[]));
    bench.types("http//host\n");
    let Some(Dialog::Setup(form)) = &bench.state.screen.dialog else {
        panic!("no form");
    };
    assert!(form.failed && form.note.contains("`127.0.0.1:8000`"), "{}", form.note);
    let is_test = |command: &&Command| matches!(command, Command::TestServer { .. });
    assert!(!bench.commands().iter().any(is_test));
}

#[test]
fn a_server_that_wants_a_key_moves_the_cursor_to_it_and_a_found_server_never_gets_it() {
    let mut bench = Bench::new(80, 24);
    bench.types("/setup server\n");
    assert!(bench.commands().contains(&&Command::LookForServers));
    bench.types("https://api.example.com/v1");
    bench.keys("enter");
    let refused = NotListed {
        why: ServerError::of_message("401"),
        wants_key: true,
    };
    bench.event(Answer::ServerTested {
        base_url: "https://api.example.com/v1".to_owned(),
        models: Err(refused),
    });
    let form = |bench: &Bench| match &bench.state.screen.dialog {
        Some(Dialog::Setup(form)) => (form.row(), form.note.clone(), form.failed),
        _ => panic!("no form"),
    };
    let needs_key = benchdog_lang::message::setup_needs_key("https://api.example.com/v1");
    assert_eq!(form(&bench), (Row::Key, needs_key, true));
    bench.types("sk-1");
    bench.event(found(&["near"]));
    bench.keys("down down enter");
    assert!(bench.commands().contains(&&Command::UseServer {
        base_url: ADDRESS.to_owned(),
        model: "near".to_owned(),
        key: ApiKey::default(),
    }));
}

#[test]
fn enter_in_the_empty_prompt_opens_the_list_again() {
    let mut bench = Bench::new(80, 24);
    bench.event(found(&["one", "two"]));
    bench.keys("esc");
    assert!(bench.state.screen.dialog.is_none());
    bench.keys("enter");
    assert!(bench.state.screen.dialog.is_some());
    bench.keys("esc");
    bench.types("/models\n");
    bench.keys("down down enter");
    assert!(
        matches!(bench.state.screen.dialog, Some(Dialog::Setup(_))),
        "another address"
    );
}

fn kind(bench: &Bench) -> Option<PickerKind> {
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => Some(picker.kind),
        _ => None,
    }
}

fn configured(bench: &Bench) -> Vec<String> {
    let written = bench.commands().into_iter().filter_map(|command| match command {
        Command::Configure { path, written } => Some(format!("{}={written}", path.join("."))),
        _ => None,
    });
    written.collect()
}

#[test]
fn the_wizard_asks_for_language_theme_and_server_and_esc_skips_each() {
    let mut bench = Bench::new(80, 24);
    bench.types("/setup\n");
    assert!(bench.commands().contains(&&Command::LookForServers));
    assert_eq!(kind(&bench), Some(PickerKind::Languages));
    bench.keys("esc");
    assert_eq!(kind(&bench), Some(PickerKind::Themes));
    assert!(bench.ops.contains(&Op::ListThemes));
    bench.keys("esc");
    assert!(matches!(bench.state.screen.dialog, Some(Dialog::Setup(_))));
    // The search ends after the form was opened.
    bench.event(found(&["one", "two"]));
    assert_eq!(kind(&bench), Some(PickerKind::Models));
    bench.keys("esc");
    assert!(bench.state.screen.dialog.is_none());
    assert_eq!(configured(&bench), [""; 0], "skipped steps change nothing");
    assert!(!bench.ops.contains(&Op::Quit));
    bench.types("/setup\n");
    bench.keys("enter");
    assert_eq!(configured(&bench), [""; 0], "the language is spoken already");
    bench.keys("esc esc");
    bench.types("/setup\n");
    bench.types("中");
    bench.keys("enter");
    assert_eq!(configured(&bench), ["ui.language=zh"]);
    assert!(bench.ops.contains(&Op::SetLanguage("zh")));
    assert_eq!(kind(&bench), Some(PickerKind::Themes));
}

#[test]
fn the_wizard_of_the_flag_ends_the_program_when_the_server_is_written_or_skipped() {
    let begun = || {
        let mut bench = Bench::new(80, 24);
        crate::begin_setup(&mut bench.state);
        bench.event(found(&["one", "two"]));
        bench.keys("esc esc");
        assert_eq!(kind(&bench), Some(PickerKind::Models));
        bench
    };
    let mut bench = begun();
    bench.keys("esc");
    assert!(bench.ops.contains(&Op::Quit));
    let notice = |notice| Live::Notice(Notice::Config(notice));
    let mut bench = begun();
    bench.keys("enter");
    assert!(!bench.ops.contains(&Op::Quit), "nothing is written yet");
    let (model, address) = ("one".to_owned(), ADDRESS.to_owned());
    bench.event(notice(ConfigNotice::Using { model, address }));
    assert!(bench.ops.contains(&Op::Quit));
    // A failure is explained in the workbench, which therefore stays open.
    let mut bench = begun();
    bench.keys("enter");
    let (path, error) = ("config.jsonc".to_owned(), "full".to_owned());
    bench.event(notice(ConfigNotice::NotKept { path, error }));
    assert!(!bench.ops.contains(&Op::Quit) && bench.state.screen.dialog.is_none());
}
