use std::path::PathBuf;

use super::*;
use benchdog_base::environment::Environment;
use benchdog_config::settings::{AgentSettings, RuleLayer};
use benchdog_config::{Flags, Sources, load};
use benchdog_domain::agent::{ACCEPT_EDITS, BUILD, EXPLORE, REVIEW};
use benchdog_domain::finding::FINDINGS;
use benchdog_domain::permission::{Action, Layer};
use benchdog_security::policy::{Grants, Policy};
use benchdog_tools::Registry;

fn settings() -> Settings {
    let sources = Sources {
        user: PathBuf::new(),
        project: None,
        file: None,
        stored_keys: PathBuf::new(),
        environment: &Environment::of([]),
        flags: Flags::default(),
        tools: &Registry::builtin().rules(),
    };
    load(&sources).unwrap().settings
}

fn written(name: &str) -> AgentSettings {
    AgentSettings {
        name: name.to_owned(),
        description: String::new(),
        mode: None,
        hidden: false,
        model: None,
        temperature: None,
        top_p: None,
        steps: None,
        completion: None,
        prompt: None,
        tools: Vec::new(),
        permission: Vec::new(),
    }
}

fn agents(written: Vec<AgentSettings>) -> Agents {
    Agents::of(&Settings {
        agents: written,
        ..settings()
    })
}

fn round(agents: &Agents) -> Vec<String> {
    let mut seen = vec![AgentName::default()];
    loop {
        let next = agents.after(seen.last().unwrap()).unwrap().name.clone();
        if next == seen[0] {
            return seen.into_iter().map(|name| name.0).collect();
        }
        seen.push(next);
    }
}

#[test]
fn one_switches_through_those_that_are_offered_and_comes_back() {
    assert_eq!(round(&Agents::built_in()), [BUILD, PLAN, ACCEPT_EDITS]);
    let hidden = AgentSettings {
        hidden: true,
        ..written("secret")
    };
    let subagent = AgentSettings {
        mode: Some(Mode::Subagent),
        ..written("helper")
    };
    let agents = agents(vec![written("writer"), hidden, subagent, written("checker")]);
    assert_eq!(round(&agents), [BUILD, PLAN, ACCEPT_EDITS, "checker", "writer"]);
    assert_eq!(agents.after(&AgentName("gone".to_owned())).unwrap().name.0, BUILD);
    assert_eq!(agents.after(&AgentName("secret".to_owned())).unwrap().name.0, BUILD);
    let names: Vec<_> = agents.subagents().map(|agent| agent.name.0.as_str()).collect();
    assert_eq!(names, ["general", "explore", "helper"]);
}

#[test]
fn only_those_one_works_with_are_chosen_and_a_slip_finds_the_one_that_was_meant() {
    let agents = Agents::built_in();
    let near = |name: &str| match agents.chosen(name) {
        Err(NotChosen::Unknown { nearest }) => nearest,
        _ => None,
    };
    assert_eq!(near("plna").as_deref(), Some(PLAN));
    assert_eq!(near("accept_edits").as_deref(), Some(ACCEPT_EDITS));
    assert_eq!(agents.chosen(EXPLORE), Err(NotChosen::Subagent));
    assert_eq!(agents.chosen(SUMMARY), Err(NotChosen::Inner));
    assert_eq!(agents.chosen("default").unwrap().name.0, BUILD);
    assert_eq!(agents.chosen("auto-approve").unwrap().name.0, ACCEPT_EDITS);
}

#[test]
fn an_agent_that_is_gone_is_followed_by_the_one_that_may_do_least() {
    let agents = Agents::built_in();
    assert_eq!(agents.working(&AgentName("gone".to_owned())).name.0, PLAN);
    assert_eq!(agents.working(&AgentName(EXPLORE.to_owned())).name.0, PLAN);
    assert_eq!(agents.working(&AgentName::default()).name.0, BUILD);
}

#[test]
fn what_plan_forbids_stays_forbidden_whatever_is_written_of_it() {
    let plan = AgentSettings {
        tools: vec![vec!["write".to_owned()]],
        permission: vec![RuleLayer {
            network: Vec::new(),
            layer: Layer::User,
            origin: "config.jsonc:1".to_owned(),
            rules: vec![("edit".to_owned(), vec![("*".to_owned(), Action::Allow)])],
        }],
        ..written(PLAN)
    };
    let agents = agents(vec![plan]);
    let plan = agents.chosen(PLAN).unwrap();
    assert!(plan.reads_only);
    let tools = Registry::builtin().rules();
    let policy = Policy::new(&tools, Vec::new()).with(plan.layers());
    let write = tools.iter().find(|tool| tool.name == "write").unwrap();
    assert_eq!(policy.judge(&Grants::default(), write, &[]).action, Action::Deny);
}

#[test]
fn the_lists_of_all_layers_hold() {
    let agent = AgentSettings {
        tools: vec![vec!["read".to_owned(), "bash".to_owned()], vec!["-bash".to_owned()]],
        ..written("own")
    };
    let agents = agents(vec![agent]);
    let own = agents.chosen("own").unwrap();
    let tools = Registry::builtin().rules();
    let free = tools.iter().filter(|tool| own.keeps_out(tool).is_none());
    assert_eq!(free.map(|tool| &*tool.name).collect::<Vec<_>>(), ["read"]);
}

#[test]
fn a_review_reads_only_and_is_chosen_by_nobody() {
    let agents = Agents::built_in();
    assert_eq!(agents.chosen(REVIEW), Err(NotChosen::Inner));
    let review = agents.working(&AgentName(REVIEW.to_owned()));
    assert!(review.reads_only);
    assert_eq!(review.briefed().hands_over.as_deref(), Some(FINDINGS));
    assert_eq!(agents.working(&AgentName(PLAN.to_owned())).briefed().hands_over, None);
}
