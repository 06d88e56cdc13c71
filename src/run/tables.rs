//! Tables in the docs, generated from tables in the code. A test fails if a page in docs/ is outdated.

mod limits;

use std::fmt::Write;

use crate::cli::DocsTable;
use benchdog_app as app;
use benchdog_config as config;
use benchdog_headless as headless;
use benchdog_headless::exit::Exit;
use benchdog_keys as keys;
use benchdog_lang as lang;
use benchdog_provider::textcalls::families;
use benchdog_theme::{Colours, SHIPPED, Scope};
use benchdog_tools as tools;

pub(super) fn markdown(table: DocsTable) -> String {
    match table {
        DocsTable::Keys => keys_table(),
        DocsTable::Commands => commands_table(),
        DocsTable::Tools => tools_table(),
        DocsTable::Config => config::schema::markdown(),
        DocsTable::Errors => errors_table(),
        DocsTable::Limits => limits::table(),
        DocsTable::Toolcalls => toolcalls_table(),
        DocsTable::Themes => themes_table(),
    }
}

fn keys_table() -> String {
    let mut text =
        "| action | keys | what it does | valid in | if your terminal does not send the keys |\n|---|---|---|---|---|\n"
            .to_owned();
    for row in keys::action::rows() {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{}`", escaped(key))).collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {:?} | {} |",
            row.id,
            keys.join(", "),
            escaped(row.title),
            row.scope,
            escaped(row.second)
        );
    }
    text
}

fn commands_table() -> String {
    let mut text = "| command | what it does |\n|---|---|\n".to_owned();
    for row in app::commands::TABLE {
        let name = format!("/{} {}", row.name, row.arguments);
        let _ = writeln!(text, "| `{}` | {} |", name.trim_end(), escaped(row.title));
    }
    text
}

fn tools_table() -> String {
    let mut text = "| tool | description for the model | arguments |\n|---|---|---|\n".to_owned();
    let all = tools::Registry::builtin()
        .with_proof()
        .with_retrieval()
        .with_servers(&[])
        .0
        .with_web(true, true)
        .with_languages();
    for tool in all.declarations().iter() {
        let properties = tool.parameters.get("properties").and_then(|value| value.as_object());
        let arguments: Vec<String> = properties
            .into_iter()
            .flat_map(|map| map.keys())
            .map(|name| format!("`{name}`"))
            .collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} |",
            tool.name,
            escaped(&tool.description),
            arguments.join(", ")
        );
    }
    text
}

fn errors_table() -> String {
    let mut text = "Exit codes:\n\n| code | meaning |\n|---|---|\n".to_owned();
    let mut rows: Vec<_> = headless::exit::TABLE.iter().collect();
    rows.sort_by_key(|row| row.code);
    for row in rows {
        let _ = writeln!(text, "| {} | {} |", row.code, row.meaning);
    }
    // Omit `usage` and `internal`: they never apply together with another code.
    let outcomes = headless::exit::TABLE
        .iter()
        .filter(|row| !matches!(row.exit, Exit::Usage | Exit::Internal));
    let order: Vec<String> = outcomes.map(|row| row.code.to_string()).collect();
    let _ = writeln!(
        text,
        "\nIf several codes apply, Benchdog returns the first in this order: {}.",
        order.join(", ")
    );
    text.push_str("\nWhen a request to a model fails:\n\n| code | what to do |\n|---|---|\n");
    for code in lang::codes() {
        let _ = writeln!(text, "| `{code}` | {} |", escaped(&lang::advice(code)));
    }
    text
}

fn toolcalls_table() -> String {
    let mut text = "| family | a call | models |\n|---|---|---|\n".to_owned();
    for family in families::FAMILIES {
        // Code that contains backticks needs a longer fence.
        let fence = if family.example.contains('`') { "```` " } else { "`" };
        let end: String = fence.chars().rev().collect();
        let _ = writeln!(
            text,
            "| {} | {fence}{}{end} | {} |",
            family.name,
            escaped(&family.example.replace('\n', "⏎")),
            escaped(family.models)
        );
    }
    text
}

fn themes_table() -> String {
    let mut text = "| theme | what it looks like | colours |\n|---|---|---|\n".to_owned();
    for theme in SHIPPED {
        let colours = match theme.colours {
            Colours::Own => "Benchdog's own".to_owned(),
            Colours::Published { by, licence } => format!("{by}, {licence}"),
        };
        let _ = writeln!(text, "| `{}` | {} | {colours} |", theme.name, theme.about);
    }
    text.push_str("\n| scope | what it is |\n|---|---|\n");
    for scope in Scope::ALL {
        let _ = writeln!(text, "| `{}` | {} |", scope.name(), escaped(scope.about()));
    }
    text
}

/// Escapes bars and line breaks, which a table cell cannot contain.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
