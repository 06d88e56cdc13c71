//! Tests completion: commands, their arguments, mentions, and skills.

use super::*;
use crate::dialogs::Dialog;
use crate::panes::prompt::CompletionKind;
use benchdog_domain::server::ServerName;
use benchdog_domain::skill::{OfferKind, SkillOffer, SkillSource, SkillState};
use benchdog_protocol::{FoundKind, FoundPath, FoundResource, FoundResources, TrustScope};

#[test]
fn slash_commands_complete_on_enter() {
    let mut bench = Bench::new(80, 24);
    bench.types("/res");
    assert_eq!(
        bench.state.screen.prompt.completion.as_ref().unwrap().kind,
        CompletionKind::Slash
    );
    bench.keys("enter");
    assert!(bench.commands().contains(&&Command::ListSessions));
}

fn offered(bench: &Bench) -> Vec<&str> {
    let list = bench.state.screen.prompt.completion.iter();
    list.flat_map(|list| &list.items)
        .map(|item| item.text.as_str())
        .collect()
}

#[test]
fn commands_are_found_by_some_of_their_letters_and_those_are_sent_by_a_second_enter() {
    let mut bench = Bench::new(80, 24);
    bench.types("/te");
    assert_eq!(offered(&bench)[0], "temperature");
    bench.keys("ctrl-u");
    bench.types("/dst");
    assert_eq!(offered(&bench), ["distrust"]);
    bench.keys("enter");
    assert_eq!(bench.prompt(), "/distrust ");
    assert!(
        !bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::Trust { .. }))
    );
    bench.keys("enter");
    assert!(bench.commands().contains(&&Command::Trust {
        trusted: false,
        scope: TrustScope::Folder
    }));
    bench.types("/zzz");
    assert_eq!(offered(&bench), [] as [&str; 0]);
    assert!(
        bench.state.screen.prompt.completion.is_some(),
        "the list says that there is none"
    );
}

#[test]
fn the_words_that_a_command_takes_are_completed() {
    let mut bench = Bench::new(80, 24);
    bench.types("/think");
    bench.keys("tab");
    assert_eq!(bench.prompt(), "/thinking ");
    assert_eq!(offered(&bench), ["off", "low", "medium", "high", "default"]);
    bench.types("me");
    bench.keys("tab");
    assert_eq!(bench.prompt(), "/thinking medium");
    assert_eq!(offered(&bench), [] as [&str; 0]);
    bench.keys("ctrl-u");
    for free in ["/steer of", "/compact keep", "/model x", "/diff x", "/thinking low l"] {
        bench.types(free);
        assert_eq!(bench.state.screen.prompt.completion, None, "{free}");
        bench.keys("ctrl-u");
    }
}

fn file(path: &str) -> FoundPath {
    FoundPath {
        path: path.to_owned(),
        ignored: false,
    }
}

#[test]
fn a_file_that_git_ignores_is_marked() {
    let mut bench = Bench::new(80, 24);
    bench.types("@li");
    let ignored = FoundPath {
        ignored: true,
        ..file("target/debug/liba.d")
    };
    bench.event(Answer::Found {
        query: "li".to_owned(),
        paths: vec![file("src/lib.rs"), ignored],
        resources: FoundResources::default(),
        scanning: false,
    });
    let items = &bench.state.screen.prompt.completion.as_ref().unwrap().items;
    let details: Vec<&str> = items.iter().map(|item| item.detail.as_str()).collect();
    assert_eq!(details, ["", "git-ignored"]);
}

#[test]
fn a_mention_completes_and_a_late_answer_is_dropped() {
    let mut bench = Bench::new(80, 24);
    bench.types("look at @mo");
    assert!(
        bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::FindFiles { query, .. } if query == "mo"))
    );
    let found = |query: &str, path: &str| Answer::Found {
        query: query.to_owned(),
        paths: vec![file(path)],
        resources: FoundResources::default(),
        scanning: false,
    };
    bench.event(found("m", "old.rs"));
    assert!(bench.state.screen.prompt.completion.as_ref().unwrap().items.is_empty());
    bench.event(found("mo", "src/money.rs"));
    bench.keys("tab");
    assert_eq!(bench.prompt(), "look at @src/money.rs ");
    bench.types("x@y.z");
    assert!(
        bench.state.screen.prompt.completion.is_none(),
        "an address is no mention"
    );
}

#[test]
fn the_lines_behind_a_file_stay_with_it_and_those_that_are_none_are_told() {
    let mut bench = Bench::new(80, 24);
    let found = |query: &str| Answer::Found {
        query: query.to_owned(),
        paths: vec![file("src/money.rs")],
        resources: FoundResources::default(),
        scanning: false,
    };
    bench.types("look at @mon.rs:10-20");
    let asked = bench.commands().into_iter().filter_map(|command| match command {
        Command::FindFiles { query, .. } => Some(query.as_str()),
        _ => None,
    });
    let asked: Vec<&str> = asked.collect();
    assert_eq!(asked.last(), Some(&"mon.rs"), "the lines are no part of the name");
    bench.event(found("mon.rs"));
    assert_eq!(offered(&bench), ["src/money.rs"]);
    bench.keys("tab");
    assert_eq!(bench.prompt(), "look at @src/money.rs:10-20 ");
    bench.keys("ctrl-u");
    bench.types("@mon.rs:20-10");
    bench.event(found("mon.rs"));
    let said = |bench: &Bench| bench.state.screen.prompt.completion.as_ref().unwrap().missed();
    assert!(
        said(&bench).contains("`20-10` is not a range of lines"),
        "{}",
        said(&bench)
    );
    assert_eq!(offered(&bench), [] as [&str; 0]);
    bench.keys("backspace");
    bench.event(found("mon.rs"));
    assert_eq!(offered(&bench), ["src/money.rs"], "it may still become `20-100`");
    bench.keys("ctrl-u");
    bench.types("@mon.rs:");
    bench.event(found("mon.rs"));
    bench.keys("tab");
    assert_eq!(bench.prompt(), "@src/money.rs:", "the lines are written next");
}

#[test]
fn a_number_behind_the_name_of_a_server_is_looked_for_and_only_files_have_lines() {
    let mut bench = Bench::new(80, 24);
    let found = |query: &str, file: Option<&str>, resource: Option<&str>| Answer::Found {
        query: query.to_owned(),
        paths: file.map(self::file).into_iter().collect(),
        resources: FoundResources {
            of: None,
            rows: resource
                .map(|name| FoundResource {
                    name: name.to_owned(),
                    begins: name.to_owned(),
                    kind: FoundKind::Resource { title: String::new() },
                })
                .into_iter()
                .collect(),
        },
        scanning: false,
    };
    for (typed, query, file, resource, written) in [
        (
            "github:12",
            "github:12",
            None,
            Some("github:issue/12"),
            "@github:issue/12 ",
        ),
        ("a:12", "a:12", Some("a:12"), None, "@a:12 "),
        ("src/a:12", "src/a", Some("src/a:12"), None, "@src/a:12 "),
        ("a.rs:12", "a.rs", None, Some("docs:a.rs"), "@docs:a.rs "),
        ("a.rs:12", "a.rs", Some("src/a.rs"), None, "@src/a.rs:12 "),
    ] {
        bench.types(&format!("@{typed}"));
        let asked = bench.commands().into_iter().filter_map(|command| match command {
            Command::FindFiles { query, .. } => Some(query.as_str()),
            _ => None,
        });
        let asked: Vec<&str> = asked.collect();
        assert_eq!(asked.last(), Some(&query), "{typed}");
        bench.event(found(query, file, resource));
        bench.keys("tab");
        assert_eq!(bench.prompt(), written, "{typed}");
        bench.keys("ctrl-u");
    }
}

#[test]
fn what_servers_have_is_listed_beside_files_and_a_miss_names_the_server() {
    let mut bench = Bench::new(80, 24);
    bench.types("@");
    let rows = ["db:", "docs:"].map(|name| FoundResource {
        name: name.to_owned(),
        begins: name.to_owned(),
        kind: FoundKind::Server { count: 1 },
    });
    let found = |query: &str, resources| Answer::Found {
        query: query.to_owned(),
        paths: match query {
            "" => (0..20).map(|n| file(&format!("{n}.rs"))).collect(),
            _ => Vec::new(),
        },
        resources,
        scanning: false,
    };
    let [db, docs] = &rows;
    let resources = FoundResources {
        of: None,
        rows: vec![db.clone(), docs.clone()],
    };
    bench.event(found("", resources));
    let list = bench.state.screen.prompt.completion.as_ref().unwrap();
    let at = list.items.iter().position(|item| item.text == "db:").unwrap();
    assert!(list.items.len() == 22 && at < 9, "it is in sight: {at}");
    assert_eq!(list.items[at].detail, "1 resource");
    bench.state.screen.prompt.completion.as_mut().unwrap().selected = at;
    bench.keys("tab");
    assert_eq!(bench.prompt(), "@db:", "and stays open for what it has");
    for (query, says) in [
        ("db:", "`db` lists no resources"),
        ("db:xy", "`db` has no resource like `xy`"),
    ] {
        bench.types(query.strip_prefix("db:").unwrap());
        let none = FoundResources {
            of: Some(ServerName("db".to_owned())),
            rows: Vec::new(),
        };
        bench.event(found(query, none));
        assert_eq!(bench.state.screen.prompt.completion.as_ref().unwrap().missed(), says);
    }
}

#[test]
fn a_closed_list_stays_closed_for_its_word() {
    let mut bench = Bench::new(80, 24);
    bench.types("@m");
    bench.keys("esc");
    bench.types("oney");
    assert!(bench.state.screen.prompt.completion.is_none());
    bench.types(" @");
    assert!(bench.state.screen.prompt.completion.is_some());
    bench.keys("esc ctrl-c");
    bench.types("@m");
    bench.keys("esc ctrl-c");
    bench.types("@d");
    assert!(
        bench.state.screen.prompt.completion.is_some(),
        "what was cleared is forgotten"
    );
}

#[test]
fn a_prompt_of_a_server_that_is_told_of_behind_what_was_typed_is_asked_for_its_values() {
    let mut bench = Bench::new(80, 24);
    bench.types("/files:review ma");
    assert!(bench.state.screen.prompt.completion.is_none());
    let asked = |bench: &Bench| {
        let is_asked = |command: &&Command| matches!(command, Command::FindValues(_));
        bench.commands().into_iter().filter(is_asked).count()
    };
    assert_eq!(asked(&bench), 0);
    bench.event(Answer::Invocable(vec![SkillOffer {
        kind: OfferKind::Prompt,
        hint: "code".to_owned(),
        name: "files:review".to_owned(),
        description: "what for".to_owned(),
        path: String::new(),
        source: SkillSource::Server,
        tokens: 0,
        state: SkillState::Untold,
        invocable: true,
    }]));
    assert_eq!(asked(&bench), 1);
}

#[test]
fn a_skill_named_like_a_command_is_the_models_and_one_that_cannot_be_read_says_why() {
    let offer = |name: &str, state| SkillOffer {
        kind: OfferKind::Skill,
        hint: String::new(),
        name: name.to_owned(),
        description: "what for".to_owned(),
        path: format!("/s/{name}/SKILL.md"),
        source: SkillSource::Person,
        tokens: 12,
        state,
        invocable: true,
    };
    let why = "it is too long".to_owned();
    let skills = vec![
        offer("compact", SkillState::Offered),
        offer("huge-one", SkillState::Broken { why }),
    ];
    let mut bench = Bench::new(80, 24);
    bench.state.screen.prompt.learn_skills(&skills);
    bench.types("/compa");
    let items = &bench.state.screen.prompt.completion.as_ref().unwrap().items;
    assert_eq!(items.len(), 1, "{items:?}");
    bench.keys("ctrl-u");
    bench.types("/huge-one now\n");
    assert!(prompts(&bench).is_empty());
    assert!(
        bench
            .screen()
            .iter()
            .any(|row| row.contains("`huge-one`: it is too long")),
        "{:?}",
        bench.screen()
    );
    bench.keys("ctrl-u");
    bench.types("/skills\n");
    bench.event(Answer::Skills(skills));
    let Some(Dialog::Picker(picker)) = &bench.state.screen.dialog else {
        panic!("no list of skills")
    };
    assert!(
        picker.items[0].detail.contains("`/compact` is a Benchdog command"),
        "{}",
        picker.items[0].detail
    );
    assert!(
        picker.items[1].detail.contains("too long"),
        "{}",
        picker.items[1].detail
    );
}

#[test]
fn letters_and_enter_that_come_together_take_what_was_meant() {
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::History(vec![
        "run the tests".to_owned(),
        "write a parser".to_owned(),
    ]));
    bench.keys("ctrl-r");
    let from = bench.state.now;
    for key in ["t", "e", "s", "t", "enter"] {
        let key = benchdog_keys::keymap::Chord::parse(key).unwrap().first;
        update(&mut bench.state, Msg::Key { key, at: from });
    }
    assert_eq!(bench.prompt(), "run the tests");
}
