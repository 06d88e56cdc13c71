//! Tests the session status, its cost, and the sampling settings.

use super::*;
use crate::dialogs::Dialog;
use crate::dialogs::sheet::SheetRow;
use benchdog_base::id::SessionId;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentName, ModelRef, Sampling, Thinking};
use benchdog_domain::budget::{Price, Usage};
use benchdog_domain::checkup::Check;
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::history::History;
use benchdog_domain::status::{Asked, EndpointFacts, Privacy, Status, WebTools, WindowFrom};
use benchdog_domain::watch::NotWatched;
use benchdog_protocol::Everyday;

fn model(id: &str) -> ModelRef {
    ModelRef {
        provider: "local".to_owned(),
        id: id.to_owned(),
    }
}

fn status(prices: Vec<Option<Price>>) -> Status {
    let mut bench = Bench::new(80, 24);
    for (id, tokens) in [("big", 2_000_000), ("small", 1_000)] {
        bench.entry(Body::Assistant {
            text: String::new(),
            reasoning: String::new(),
            seals: Vec::new(),
            calls: Vec::new(),
            model: model(id),
            usage: Some(Usage {
                prompt: tokens,
                completion: 500_000,
                total: tokens + 500_000,
                cached: None,
            }),
            error: None,
        });
    }
    Status {
        session: SessionId("0190f0c0ffee".to_owned()),
        workspace: "/work/shop".to_owned(),
        agent: AgentName::default(),
        asked: Some(Asked {
            model: model("big"),
            endpoint: Some(EndpointFacts {
                address: "http://127.0.0.1:8000/v1".to_owned(),
                api: "openai",
            }),
            window: 65_536,
            window_from: WindowFrom::Server,
            output: 8_192,
        }),
        sampling: Sampling {
            temperature: Some(0.2),
            thinking: None,
        },
        held: (Level::Off, Network::Inherit),
        web: Some(WebTools::Offline),
        totals: History::of(bench.log).totals().clone(),
        prices,
        privacy: Privacy {
            endpoints: vec![("local".to_owned(), "http://127.0.0.1:8000/v1".to_owned())],
            servers: vec!["files".to_owned()],
            data: "/home/ada/.local/share/benchdog".to_owned(),
            ..Privacy::default()
        },
    }
}

fn sheet(bench: &Bench) -> String {
    let Some(Dialog::Sheet(sheet)) = &bench.state.screen.dialog else {
        panic!("no sheet is open");
    };
    let line = |row: &SheetRow| match row {
        SheetRow::Heading(text) | SheetRow::Stands(_, text) | SheetRow::Wrong(text) | SheetRow::Text(text) => {
            text.clone()
        }
        SheetRow::Field { name, value, .. } => format!("{name}: {value}"),
    };
    sheet.rows().iter().map(line).collect::<Vec<_>>().join("\n")
}

fn bench_with(command: &str, status: Status) -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.types(command);
    assert!(bench.commands().contains(&&Command::ShowStatus));
    bench.event(Answer::Status(Box::new(status)));
    bench
}

#[test]
fn status_names_model_endpoint_window_tokens_cost_calls_folder_and_session() {
    let bench = bench_with("/status\n", status(vec![None, None]));
    let shown = sheet(&bench);
    for part in [
        "model: local/big",
        "http://127.0.0.1:8000/v1",
        "65,536 tokens, reported by the server",
        "temperature: 0.2",
        "thinking: server default",
        "2,001,000 input, 1,000,000 output",
        "cost: no price configured",
        "0 succeeded",
        "commands: sandbox off",
        "web tools: off, because `network.offline` is on",
        "folder: /work/shop",
        "session: 0190f0c0ffee",
    ] {
        assert!(shown.contains(part), "{part} in:\n{shown}");
    }
}

#[test]
fn cost_is_by_model_with_a_sum_and_says_where_no_price_is_configured() {
    let price = Price {
        input: 1.5,
        output: 2.0,
    };
    let bench = bench_with("/cost\n", status(vec![Some(price), None]));
    let shown = sheet(&bench);
    // 2 million tokens at 1.5 and half a million at 2.
    assert!(
        shown.contains("local/big\nanswers: 1") && shown.contains("cost: 4.00 USD"),
        "{shown}"
    );
    assert!(
        shown.contains("local/small") && shown.contains("no price configured"),
        "{shown}"
    );
    assert!(
        shown.contains("all models") && shown.contains("`price.input`"),
        "{shown}"
    );
}

#[test]
fn a_sheet_that_is_higher_than_its_dialog_is_scrolled_and_closed_by_a_key() {
    let mut bench = Bench::new(80, 12);
    bench.types("/status\n");
    bench.event(Answer::Status(Box::new(status(vec![None, None]))));
    bench.keys("end");
    let top = |bench: &Bench| match &bench.state.screen.dialog {
        Some(Dialog::Sheet(sheet)) => sheet.top,
        _ => usize::MAX,
    };
    assert!(top(&bench) > 0 && top(&bench) < 20, "{}", top(&bench));
    bench.keys("esc");
    assert!(bench.state.screen.dialog.is_none());
    // A late answer opens no dialog.
    bench.event(Answer::Status(Box::new(status(vec![None, None]))));
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn thinking_and_temperature_are_set_by_word_and_a_wrong_word_changes_nothing() {
    let mut bench = Bench::new(120, 40);
    bench.types("/thinking high\n/temperature 0.7\n/thinking default\n/temperature default\n");
    let set = |level| Command::SetThinking { level };
    let warm = |value| Command::SetTemperature { value };
    for command in [set(Some(Thinking::High)), warm(Some(0.7)), set(None), warm(None)] {
        assert!(bench.commands().contains(&&command), "{command:?}");
    }
    bench.ops.clear();
    for wrong in ["/thinking much\n", "/temperature 2.5\n", "/temperature nan\n"] {
        bench.types(wrong);
        assert!(
            bench.state.screen.toast.as_ref().is_some_and(|toast| toast.error),
            "{wrong}"
        );
        assert_eq!(bench.prompt(), wrong.trim_end(), "it stands there to be mended");
        bench.keys("ctrl-u");
    }
    let sets = |command: &&&Command| matches!(command, Command::SetThinking { .. } | Command::SetTemperature { .. });
    assert_eq!(bench.commands().iter().filter(sets).count(), 0);
}

#[test]
fn thinking_without_a_word_is_chosen_from_a_list() {
    let mut bench = Bench::new(120, 40);
    bench.types("/thinking\n");
    bench.keys("down enter");
    let level = Some(Thinking::Off);
    assert!(bench.commands().contains(&&Command::SetThinking { level }));
}

#[test]
fn doctor_says_what_was_found_and_what_helps_below_it() {
    let mut bench = Bench::new(120, 40);
    bench.types("/doctor\n");
    assert!(bench.commands().contains(&&Command::Examine));
    // An answer for another dialog does not change this one.
    bench.event(Answer::Status(Box::new(status(vec![None, None]))));
    assert_eq!(sheet(&bench), "");
    let fails = Check::fail("tcp", "nobody listens".to_owned(), "Start the server.".to_owned());
    bench.event(Answer::Health(vec![Check::ok("config", "read".to_owned()), fails]));
    assert_eq!(
        sheet(&bench),
        "config: ok: read\ntcp: fail: nobody listens\n: → Start the server."
    );
}

#[test]
fn privacy_says_where_requests_go_and_where_data_stays() {
    let bench = bench_with("/privacy\n", status(vec![None, None]));
    let shown = sheet(&bench);
    for said in [
        "endpoint: http://127.0.0.1:8000/v1",
        "other endpoints: none",
        "MCP servers: files",
        "web tools: off, because `network.offline` is on",
        "telemetry: none",
        "no other telemetry, and no update check",
        "sessions: /home/ada/.local/share/benchdog",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
}

#[test]
fn plan_mode_is_entered_and_left_by_its_command() {
    let chosen = |bench: &Bench| {
        let agents = bench.commands().into_iter().filter_map(|command| match command {
            Command::SetAgent { name } => Some(name.0.clone()),
            _ => None,
        });
        agents.collect::<Vec<_>>()
    };
    let mut bench = Bench::new(120, 40);
    bench.types("/plan\n");
    assert_eq!(chosen(&bench), ["plan"], "without a plan, one is to be made");
    bench.state.screen.session.agent = AgentName("plan".to_owned());
    bench.types("/plan\n");
    assert_eq!(chosen(&bench), ["plan"]);
    assert!(
        bench
            .state
            .screen
            .toast
            .as_ref()
            .is_some_and(|toast| toast.text.contains("/plan off"))
    );
    bench.types("/plan off\n/plan on\n");
    assert_eq!(chosen(&bench), ["plan", "build", "plan"]);
}

#[test]
fn the_check_is_switched_by_a_word_and_kept() {
    let mut bench = Bench::new(120, 40);
    bench.types("/autotest off\n");
    let path = vec!["validation".to_owned(), "auto".to_owned()];
    let written = "false".to_owned();
    assert!(bench.commands().contains(&&Command::Configure { path, written }));
    let said = |bench: &Bench| {
        bench
            .state
            .screen
            .toast
            .as_ref()
            .map(|toast| (toast.text.clone(), toast.error))
    };
    assert_eq!(said(&bench), None, "nothing is saved yet");
    bench.event(Answer::CheckSwitched(Switched::Off));
    assert!(said(&bench).is_some_and(|(text, error)| text.contains("no longer") && !error));
    let why = "held by --config".to_owned();
    bench.event(Answer::SettingRefused { why });
    assert_eq!(said(&bench), Some(("held by --config".to_owned(), true)));
    bench.types("/autotest never\n");
    assert!(bench.state.screen.toast.as_ref().is_some_and(|toast| toast.error));
    bench.keys("ctrl-u");
    bench.types("/fork\n");
    assert!(bench.commands().contains(&&Command::Fork));
}

#[test]
fn watching_is_asked_for_and_its_answer_is_shown() {
    let mut bench = Bench::new(120, 40);
    bench.types("/watch on\n/watch\n/watch off\n");
    let asked: Vec<Option<Switched>> = bench
        .commands()
        .into_iter()
        .filter_map(|command| match command {
            Command::Everyday(Everyday::Watch { to }) => Some(*to),
            _ => None,
        })
        .collect();
    assert_eq!(asked, [Some(Switched::On), None, Some(Switched::Off)]);
    let said = |bench: &Bench| {
        let toast = bench.state.screen.toast.as_ref();
        toast.map(|toast| (toast.text.clone(), toast.error))
    };
    bench.event(Answer::Watching(Ok(Switched::On)));
    assert!(said(&bench).is_some_and(|(text, error)| text.starts_with("Watching") && !error));
    bench.event(Answer::Watching(Err(NotWatched::Elsewhere)));
    assert!(said(&bench).is_some_and(|(text, error)| text.contains("/watch off") && error));
    bench.types("/watch sometimes\n");
    assert!(said(&bench).is_some_and(|(text, _)| text.contains("/watch")));
    assert!(
        bench
            .commands()
            .iter()
            .all(|command| !matches!(command, Command::Prompt { .. }))
    );
}
