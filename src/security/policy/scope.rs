//! Scopes for "Always allow", from narrowest to widest. A person must be able to judge each scope.

use benchdog_domain::command::PlainCommand;
use benchdog_domain::permission::{Action, Scope, ToolRules};
use benchdog_domain::server::{JOINT, ServerName};

use super::matching::exactly;

/// Commands whose further arguments are files, names or texts. Their scope may allow any arguments with the same
/// options. For other commands, only the exact line is offered.
const GO_ON: &[&[&str]] = &[
    &["black"],
    &["bun", "test"],
    &["cargo", "bench"],
    &["cargo", "build"],
    &["cargo", "check"],
    &["cargo", "clippy"],
    &["cargo", "doc"],
    &["cargo", "fmt"],
    &["cargo", "nextest", "run"],
    &["cargo", "test"],
    &["cargo", "tree"],
    &["ctest"],
    &["dotnet", "build"],
    &["dotnet", "test"],
    &["eslint"],
    &["git", "add"],
    &["git", "blame"],
    &["git", "branch"],
    &["git", "commit"],
    &["git", "diff"],
    &["git", "log"],
    &["git", "show"],
    &["git", "status"],
    &["go", "build"],
    &["go", "fmt"],
    &["go", "test"],
    &["go", "vet"],
    &["mix", "compile"],
    &["mix", "test"],
    &["mkdir"],
    &["mypy"],
    &["npm", "test"],
    &["phpunit"],
    &["pnpm", "test"],
    &["prettier"],
    &["pyright"],
    &["pytest"],
    &["python", "-m", "pytest"],
    &["python3", "-m", "pytest"],
    &["rspec"],
    &["ruff", "check"],
    &["ruff", "format"],
    &["rustfmt"],
    &["touch"],
    &["tsc"],
    &["uv", "run", "pytest"],
    &["vitest", "run"],
    &["yarn", "test"],
];

/// Returns the exact line if it needs no quotes, and for commands in `GO_ON` also all lines with the same options.
pub(super) fn for_command(tool: &str, plain: &PlainCommand) -> Vec<Scope> {
    let exact = plain.exact().map(|exact| for_line(tool, &exact));
    exact.into_iter().chain(wider(tool, plain)).collect()
}

/// Returns the scope of all lines without further options, if the command is in `GO_ON`.
pub(super) fn wider(tool: &str, plain: &PlainCommand) -> Option<Scope> {
    let line = plain.words.join(" ");
    let goes_on =
        |start: &&&[&str]| start.len() <= plain.words.len() && plain.words.iter().zip(**start).all(|(a, b)| a == b);
    let start = GO_ON.iter().find(goes_on)?;
    let mut options: Vec<String> = Vec::new();
    for word in line
        .split_whitespace()
        .skip(start.len())
        .filter(|word| word.starts_with('-'))
    {
        if !options.iter().any(|option| option == word) {
            options.push(word.to_owned());
        }
    }
    Some(Scope {
        key: tool.to_owned(),
        pattern: format!("{} *", start.join(" ")),
        options: Some(options),
        and: Vec::new(),
    })
}

pub(super) fn for_line(tool: &str, line: &str) -> Scope {
    Scope {
        key: tool.to_owned(),
        pattern: exactly(line),
        options: None,
        and: Vec::new(),
    }
}

pub(super) fn for_name(tool: &ToolRules, name: &str) -> Scope {
    Scope {
        key: tool.name.clone().into_owned(),
        pattern: exactly(name),
        options: None,
        and: Vec::new(),
    }
}

pub(super) fn for_served(tool: &ToolRules, server: &ServerName) -> Vec<Scope> {
    let of_all = format!("{server}{JOINT}*");
    let scope = |key: String| Scope {
        key,
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    };
    vec![scope(tool.name.clone().into_owned()), scope(of_all)]
}

/// Returns the scopes for the path, for its folder, and for all uses of the tool or its group in the workspace.
pub(super) fn for_path(tool: &ToolRules, path: &str, action: Action) -> Vec<Scope> {
    if action != Action::Ask {
        return Vec::new();
    }
    let folder = path
        .rsplit_once('/')
        .map(|(folder, _)| format!("{}/*", exactly(folder)));
    let patterns = [Some(exactly(path)), folder, Some("*".to_owned())];
    let key = tool.group.as_ref().unwrap_or(&tool.name);
    let scope = |pattern| Scope {
        key: key.clone().into_owned(),
        pattern,
        options: None,
        and: Vec::new(),
    };
    patterns.into_iter().flatten().map(scope).collect()
}
