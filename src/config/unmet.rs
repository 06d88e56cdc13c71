//! Valid names that match nothing: unknown tools in hooks, and misspelt servers in rules. Only `config check` reports
//! such names, because tools and servers differ between folders.

use super::Settings;
use benchdog_base::problem::{Location, Problem};
use benchdog_base::spelling::nearest;
use benchdog_domain::hook::Hook;
use benchdog_domain::permission::ToolRules;
use benchdog_domain::server::server_of;
use benchdog_domain::tool_list::is_meant;

pub fn unmet(settings: &Settings, tools: &[ToolRules]) -> Vec<Problem> {
    let hooks = settings.hooks.iter().flat_map(|hook| of_hook(settings, tools, hook));
    let rules = settings.permission.iter().flat_map(|layer| {
        let keys = layer.rules.iter().map(|(key, _)| key);
        let misspelt = keys.filter_map(|key| Some((key, misspelt(settings, key)?)));
        misspelt.map(|(key, near)| {
            let text = format!("no server is called as the rule `{key}` says, so it does nothing");
            Problem::new(place(&layer.origin), text).with(Some(near))
        })
    });
    hooks.chain(rules).collect()
}

fn of_hook<'a>(settings: &'a Settings, tools: &'a [ToolRules], hook: &'a Hook) -> impl Iterator<Item = Problem> + 'a {
    hook.tools.iter().filter_map(move |pattern| {
        let near = match server_of(pattern) {
            Some(_) => Some(misspelt(settings, pattern)?),
            None if tools.iter().any(|tool| is_meant(pattern, tool)) || means_servers(pattern) => return None,
            None => {
                let near = nearest(pattern, tools.iter().map(|tool| &*tool.name));
                near.map(|near| format!("did you mean `{near}`?"))
            }
        };
        let text = format!(
            "no tool is called as the `match` of the hook `{}` says: `{pattern}`",
            hook.name
        );
        Some(Problem::new(place(&hook.origin), text).with(near))
    })
}

fn means_servers(pattern: &str) -> bool {
    pattern.ends_with('*')
}

fn misspelt(settings: &Settings, tool: &str) -> Option<String> {
    let server = server_of(tool).filter(|server| !server.contains(['*', '?']))?;
    let names = || settings.servers.iter().map(|server| server.name.0.as_str());
    if names().any(|name| name == server) {
        return None;
    }
    let near = nearest(server, names())?;
    let rest = tool.strip_prefix(server).unwrap_or_default();
    Some(format!("did you mean `{near}{rest}`?"))
}

fn place(origin: &str) -> Location {
    let whole = || Location::file(origin);
    let Some((file, line)) = origin.rsplit_once(':') else {
        return whole();
    };
    line.parse().map_or_else(
        |_| whole(),
        |line| Location {
            file: file.to_owned(),
            line,
            column: 1,
        },
    )
}
