//! The built-in agents.

use super::{HandsOver, Profile};
use benchdog_domain::agent::{ACCEPT_EDITS, AUTO, BUILD, CHAT, EXPLORE, GENERAL, Mode, PLAN, REVIEW, SUMMARY};
use benchdog_domain::permission::{Action, EDITS, Layer};
use benchdog_security::policy::LayerRules;

const BASH: &str = "bash";

pub(super) fn all() -> Vec<Profile> {
    vec![
        build(),
        plan(),
        accept_edits(),
        auto(),
        chat(),
        general(),
        explore(),
        summary(),
        review(),
    ]
}

/// Whether the description of the `task` tool already mentions this agent.
pub(super) fn is_told(profile: &Profile) -> bool {
    let by_itself = [general(), explore()].into_iter().find(|own| own.name == profile.name);
    by_itself.is_some_and(|own| own.description == profile.description)
}

fn build() -> Profile {
    Profile {
        prompt: "Files can be changed again; the user sees each change first, unless a rule allows it.".to_owned(),
        ..Profile::named(BUILD)
    }
}

fn plan() -> Profile {
    Profile {
        reads_only: true,
        hands_over: HandsOver::Plan,
        rules: edits(PLAN, Action::Deny),
        prompt: "Look, ask and plan, and change nothing: every tool that writes is refused, and commands run where nothing \
                 can be written. Hand the finished plan over with `plan_done`: numbered steps that name files and places."
            .to_owned(),
        ..Profile::named(PLAN)
    }
}

fn accept_edits() -> Profile {
    Profile {
        rules: edits(ACCEPT_EDITS, Action::Allow),
        prompt:
            "Changes of files in the working folder are made without a question; commands are asked about as before."
                .to_owned(),
        ..Profile::named(ACCEPT_EDITS)
    }
}

/// Returns the `auto` agent, which asks for the fewest approvals. The key for the next agent skips `auto`, so a person
/// must select it by name.
fn auto() -> Profile {
    let mut rules = edits(AUTO, Action::Allow);
    for layer in &mut rules {
        layer
            .rules
            .push((BASH.to_owned(), vec![("*".to_owned(), Action::Allow)]));
    }
    Profile {
        rules,
        is_in_cycle: false,
        prompt: "Changes of files in the working folder and plain commands are made without a question; commands that are dangerous, not \
                 understood or reach other machines are asked about as before."
            .to_owned(),
        ..Profile::named(AUTO)
    }
}

fn chat() -> Profile {
    Profile {
        reads_only: true,
        is_in_cycle: false,
        rules: edits(CHAT, Action::Deny),
        prompt: "Answer what the user asks, and look into the project where that helps. Change nothing: every tool that writes is refused, \
                 and commands run where nothing can be written. No plan is expected."
            .to_owned(),
        ..Profile::named(CHAT)
    }
}

fn general() -> Profile {
    Profile {
        mode: Mode::Subagent,
        description: "Does a piece of work of its own, with all tools, and reports what came of it.".to_owned(),
        prompt: "Do the work that you were given and nothing else. Nobody reads along: your last message is the report, and it has to \
                 stand by itself."
            .to_owned(),
        ..Profile::named(GENERAL)
    }
}

fn explore() -> Profile {
    Profile {
        mode: Mode::Subagent,
        reads_only: true,
        rules: edits(EXPLORE, Action::Deny),
        description: "Looks through the project for what it is asked, changes nothing, and reports places.".to_owned(),
        prompt: "Find what you were asked for and change nothing. Look in more than one way before you say that something is not there. \
                 Your last message is the report: name each place as `path:line`."
            .to_owned(),
        ..Profile::named(EXPLORE)
    }
}

fn summary() -> Profile {
    Profile {
        hidden: true,
        ..Profile::named(SUMMARY)
    }
}

fn review() -> Profile {
    Profile {
        hidden: true,
        reads_only: true,
        hands_over: HandsOver::Findings,
        rules: edits(REVIEW, Action::Deny),
        prompt: "Review the changes that are shown, and change nothing: every tool that writes is refused. Read around each change \
                 what you need to judge it: who calls it, what it calls, its tests. Look for what is wrong: bugs, lost errors, races, \
                 holes in security, broken promises of an interface, missing tests. Leave taste alone, and name only what you would \
                 defend. Hand all of it over with `findings` in one call, with an empty list where nothing is wrong."
            .to_owned(),
        ..Profile::named(REVIEW)
    }
}

fn edits(agent: &str, action: Action) -> Vec<LayerRules> {
    vec![LayerRules {
        network: Vec::new(),
        layer: Layer::Agent,
        origin: agent.to_owned(),
        rules: vec![(EDITS.to_owned(), vec![("*".to_owned(), action)])],
    }]
}
