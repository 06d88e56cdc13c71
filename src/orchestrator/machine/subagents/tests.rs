use super::*;

fn subagents(names: &[(&str, &str)]) -> Vec<(AgentName, String)> {
    let names = names.iter();
    names
        .map(|(name, what_for)| (AgentName((*name).to_owned()), (*what_for).to_owned()))
        .collect()
}

#[test]
fn each_is_told_in_a_line_and_of_very_many_only_how_many() {
    assert_eq!(
        text(&subagents(&[("prover", "Proves\n  claims."), ("mute", "")])),
        "Beside `explore` and `general`, `task` can give work to these agents:\n- `prover`: Proves claims.\n- `mute`"
    );
    let long = "word ".repeat(1_000);
    let many: Vec<(&str, &str)> = (0..100).map(|_| ("agent", long.as_str())).collect();
    let told = text(&subagents(&many));
    assert!(
        told.len() < 8 * 1024 && told.ends_with("and 76 more, from `agent` on"),
        "{told}"
    );
}
