use clap::Parser;

use super::RunArgs;

#[derive(Parser)]
struct Run {
    #[command(flatten)]
    arguments: RunArgs,
}

fn tools(arguments: &[&str]) -> Vec<String> {
    let arguments = ["run"].iter().chain(arguments);
    Run::try_parse_from(arguments).unwrap().arguments.tool_list()
}

#[test]
fn lists_are_split_at_commas_but_an_expression_is_one_item() {
    assert_eq!(tools(&["--tools", "read,grep"]), ["read", "grep"]);
    assert_eq!(tools(&["--tools=-bash,-write"]), ["-bash", "-write"]);
    assert_eq!(tools(&["--disabled-tools", "bash, write"]), ["-bash", "-write"]);
    assert_eq!(
        tools(&[
            "--tools",
            "re:[a-z]{1,4}",
            "--tools",
            "grep,list",
            "--disabled-tools",
            "re:b.{1,3}"
        ]),
        ["re:[a-z]{1,4}", "grep", "list", "-re:b.{1,3}"]
    );
    assert_eq!(tools(&["--tools=-re:b.{1,3}"]), ["-re:b.{1,3}"]);
}
