use serde_json::json;
use tokio::sync::mpsc;

use super::*;
use crate::bench::Bench;
use crate::weather;
use benchdog_domain::permission::{Action, Decision, Kept, Subject};
use benchdog_domain::tool::{EffectClass, OutputShown, Success};
use benchdog_security::policy::{Grants, Policy};
use benchdog_security::standing;

fn call(name: &str, arguments: serde_json::Value) -> ToolCall {
    let serde_json::Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    ToolCall {
        id: CallId("c".to_owned()),
        name: name.to_owned(),
        arguments: Arguments::Object(arguments),
    }
}

fn names(tools: &Registry) -> Vec<String> {
    tools.declarations().iter().map(|tool| tool.name.clone()).collect()
}

fn found(tools: &Registry, name: &str) -> String {
    tools.find(name).unwrap_or_else(|_| panic!("{name}")).name().to_owned()
}

#[tokio::test]
async fn a_tool_added_with_one_row_and_one_file_is_declared_prepared_and_run() {
    let bench = Bench::new();
    let (tools, taken) = Registry::builtin().with([weather::row("pisa")]);
    assert_eq!(taken, []);
    let declared = tools.declarations();
    let last = declared.last().unwrap();
    assert_eq!(last.description, "What the weather is in pisa.");
    for name in [
        "pisa__Get-Weather",
        "pisa__get_weather",
        "functions.pisa__Get-Weather",
        "forecast",
    ] {
        let prepared = tools
            .prepare(&call(name, json!({"Date": "Monday"})), &bench.cx)
            .unwrap();
        assert_eq!(
            (&*prepared.tool, prepared.title.as_str()),
            ("pisa__Get-Weather", "pisa on Monday"),
            "{name}"
        );
        let (output, _lines) = mpsc::channel(1);
        let outcome = prepared
            .run(&Decision::Once { kept: Kept::All }, &bench.cx, output)
            .await;
        assert_eq!(outcome.output, "c: rain on Monday");
    }
    let refused = tools.prepare(&call("forecast", json!({})), &bench.cx).err().unwrap();
    assert!(
        refused.outcome.output.contains("needs the argument `day`"),
        "{}",
        refused.outcome.output
    );
}

#[test]
fn what_others_may_know_of_an_added_tool_comes_from_its_row() {
    let (tools, _) = Registry::builtin().with([weather::row("pisa")]);
    let facts = tools.facts();
    let facts = ToolFacts::find(&facts, "pisa__Get-Weather").unwrap();
    assert_eq!((facts.output, facts.success), (OutputShown::AtOnce, Success::Informed));
    let rules = tools.rules();
    let rules = rules.last().unwrap();
    assert_eq!(
        (&*rules.name, rules.group.as_deref()),
        ("pisa__Get-Weather", Some("outside"))
    );
    assert_eq!(rules.defaults, [("*".into(), Action::Allow)]);
}

#[test]
fn the_order_never_changes_and_what_is_added_stands_behind() {
    let first = Registry::builtin();
    let (tools, _) = first.with([weather::row("pisa"), weather::row("bari")]);
    let (again, _) = first.with([weather::row("pisa")]).0.with([weather::row("bari")]);
    assert_eq!(names(&tools), names(&again));
    assert_eq!(names(&tools)[..names(&first).len()], names(&first));
    assert_eq!(
        names(&tools)[names(&first).len()..],
        ["pisa__Get-Weather", "bari__Get-Weather"]
    );
}

#[test]
fn the_second_row_of_a_name_is_refused_and_the_first_stays() {
    let twice = || {
        let mut row = weather::row("x");
        row.facts.name = "read".into();
        row
    };
    let (tools, taken) = Registry::builtin().with([twice(), weather::row("pisa"), weather::row("pisa")]);
    assert_eq!(
        taken,
        [NameTaken("read".to_owned()), NameTaken("pisa__Get-Weather".to_owned())]
    );
    assert_eq!(tools.facts().len(), built_in().len() + 1);
    assert_eq!(
        tools.find("read").unwrap_or_else(|_| panic!()).facts.effect,
        read::row().facts.effect
    );
}

#[test]
fn a_name_comes_before_the_alias_of_another_tool() {
    let mut row = weather::row("x");
    row.facts.name = "Search".into();
    let (tools, _) = Registry::builtin().with([row]);
    assert_eq!(found(&tools, "search"), "Search");
    assert_eq!(found(&tools, "search_text"), "grep");
}

#[test]
fn no_name_means_two_tools_and_no_alias_two_arguments() {
    let tools = Registry::builtin();
    let rows = &tools.0.rows;
    // No row was rejected because of a taken name.
    assert_eq!(rows.len(), built_in().len());
    let mut names: Vec<&str> = rows
        .iter()
        .flat_map(|row| row.aliases.iter().copied().chain([row.name()]))
        .collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for row in rows {
        let mut aliases: Vec<&str> = row
            .arguments
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        let count = aliases.len();
        aliases.sort_unstable();
        aliases.dedup();
        assert_eq!(aliases.len(), count, "{}", row.name());
    }
}

#[test]
fn other_programs_names_are_understood() {
    let tools = Registry::builtin();
    for (name, wanted) in [
        ("read_file", "read"),
        ("Bash", "bash"),
        ("functions.grep", "grep"),
        ("default_api:list", "list"),
        ("TodoWrite", "todowrite"),
        ("ask-user-question", "ask"),
        ("search_text", "grep"),
        (" read ", "read"),
        ("replace_in_file", "edit"),
        ("MultiEdit", "edit"),
        ("AskUserQuestion", "ask"),
        ("write_to_file", "write"),
    ] {
        assert_eq!(found(&tools, name), wanted, "{name}");
    }
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_nearest() {
    let bench = Bench::new();
    for (name, near) in [
        ("raed", "`read`"),
        ("greps", "`grep`"),
        ("bashh", "`bash`"),
        ("globb", "`glob`"),
    ] {
        let outcome = bench.call(name, json!({})).await;
        assert_eq!(outcome.code.as_deref(), Some("unknown_tool"));
        assert!(
            outcome.output.contains(&format!("Did you mean {near}?")),
            "{name}: {}",
            outcome.output
        );
    }
    let outcome = bench.call("fly_to_the_moon", json!({})).await;
    assert!(!outcome.output.contains("Did you mean"), "{}", outcome.output);
    assert!(outcome.output.contains("read, write, edit"), "{}", outcome.output);
}

#[test]
fn a_command_line_is_a_call_of_the_tool_that_runs_them() {
    let bench = Bench::new();
    let tools = Registry::builtin();
    let made = tools
        .command_call(CallId("check".to_owned()), "make test", Some(u64::MAX))
        .unwrap();
    let prepared = tools.prepare(&made, &bench.cx).unwrap();
    let benchdog_domain::review::Review::Command(review) = &*prepared.review else {
        panic!("a command")
    };
    assert_eq!(
        (
            prepared.call.0.as_str(),
            review.command.as_str(),
            review.runs.limit_ms()
        ),
        ("check", "make test", Some(600_000))
    );
    let without = Registry::of(vec![Arc::new(weather::row("pisa"))], Arc::default(), false);
    let refused = without
        .command_call(CallId("check".to_owned()), "make test", Some(1))
        .unwrap_err();
    assert_eq!(refused.outcome.code.as_deref(), Some("unknown_tool"));
}

#[test]
fn looking_is_free_and_changing_asks() {
    let bench = Bench::with(&[("notes.txt", "x")]);
    let tools = Registry::builtin();
    let policy = Policy::new(&tools.rules(), Vec::new());
    let file = standing::path(&bench.cx.workspace.resolve("notes.txt").unwrap());
    let said = |facts: &ToolFacts, subject: &Subject| {
        let verdict = policy.judge(&Grants::default(), &facts.rules(), std::slice::from_ref(subject));
        (verdict.action, benchdog_lang::because(&verdict.because))
    };
    for facts in tools.facts().iter() {
        let (action, because) = said(facts, &file);
        // Skills are instructions, so loading them needs approval, like instructions from another agent.
        let acts = [EffectClass::Writes, EffectClass::Executes, EffectClass::Delegates];
        let looks = !acts.contains(&facts.effect) && facts.success != Success::Instructed;
        assert_eq!(action == Action::Allow, looks, "{}: {because}", facts.name);
    }
    let facts = tools.facts();
    let of = |name: &str| ToolFacts::find(&facts, name).unwrap();
    assert_eq!(said(of("read"), &file).1, "read: \"*\": allow (built in)");
    assert_eq!(said(of("patch"), &file).1, "edit: \"*\": ask (built in)");
    let given = |name: &str| said(of("task"), &Subject::Named(name.to_owned())).0;
    assert_eq!((given("explore"), given("general")), (Action::Allow, Action::Ask));
    assert_eq!(said(of("bash"), &Subject::Tool).1, "bash: \"*\": ask (built in)");
}

#[test]
fn a_small_context_window_declares_few_tools_and_calls_the_others_through_one() {
    let bench = Bench::new();
    let whole = Registry::builtin();
    let small = whole.in_window(16_384);
    let sent = |tools: &Registry| -> usize {
        let each =
            |tool: &ToolDeclaration| tool.name.len() + tool.description.len() + tool.parameters.to_string().len();
        tools.declarations().iter().map(each).sum()
    };
    assert!(sent(&whole) < 4_000, "{}", sent(&whole));
    assert!(sent(&small) < 2_600, "{}", sent(&small));
    assert_eq!(names(&whole.in_window(16_385)), names(&whole));
    assert_eq!(names(&small.in_window(32_768)), names(&whole));

    let last = small.declarations().last().unwrap().clone();
    assert_eq!(last.name, "other_tool");
    assert!(last.description.contains("bash_kill {id}"), "{}", last.description);
    let through = call("other_tool", json!({"tool": "list", "arguments": {"path": "."}}));
    let prepared = small.prepare(&through, &bench.cx).unwrap();
    assert_eq!(&*prepared.tool, "list");
    assert_eq!(prepared.arguments.get("path"), Some(&json!(".")));
    // Undeclared tools can also be called by their own names.
    assert_eq!(
        &*small.prepare(&call("todoread", json!({})), &bench.cx).unwrap().tool,
        "todoread"
    );
    for wrong in ["other_tool", "nothing"] {
        let nested = call("other_tool", json!({"tool": wrong, "arguments": {}}));
        assert!(small.prepare(&nested, &bench.cx).is_err(), "{wrong}");
    }
    assert!(whole.prepare(&through, &bench.cx).is_err());
}

#[test]
fn a_tool_that_is_switched_off_is_not_offered_in_a_small_context_window() {
    let off = Adjustment {
        name: "task".to_owned(),
        switched: Switched::Off,
        ..Adjustment::default()
    };
    let small = Registry::builtin().adjusted(&[off]).in_window(8_192);
    let last = small.declarations().last().unwrap().clone();
    assert!(!last.description.contains("task {"), "{}", last.description);
}
