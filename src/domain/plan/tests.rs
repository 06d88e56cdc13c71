use super::*;

fn steps(text: &str) -> Option<String> {
    let plan = Plan {
        text: text.to_owned(),
        accepted: true,
    };
    plan.steps().map(|list| list.lines())
}

#[test]
fn numbered_steps_come_before_marks_and_what_is_deeper_or_code_is_none() {
    let plan = "# Plan\n\nWhy:\n- because\n\n1. **Read** `a.rs`.\n   1. deeper\n2) Change it\n```\n3. no step\n```\n";
    assert_eq!(steps(plan).unwrap(), "1 [~] Read `a.rs`\n2 [ ] Change it\n");
    assert_eq!(steps("- [ ] one\n* two\n  - deeper").unwrap(), "1 [~] one\n2 [ ] two\n");
}

#[test]
fn a_plan_without_steps_makes_no_list_and_a_long_one_ends() {
    assert_eq!(steps("Just do it. 2024 was long."), None);
    assert_eq!(steps(""), None);
    let long: String = (1..500).map(|n| format!("{n}. {}\n", "字".repeat(1_000))).collect();
    let list = steps(&long).unwrap();
    assert_eq!(list.lines().count(), MOST);
    assert!(list.lines().all(|line| line.chars().count() < LENGTH + 10));
}
