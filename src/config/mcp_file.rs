//! Converts MCP files of other programs to a configuration document, which is then validated. The formats are
//! `{"mcpServers": {"NAME": {"command": "npx", "args": […], "env": {…}}}}`, `{"url": …, "headers": {…}}` for HTTP, and
//! Benchdog's `{"mcp": {…}}`.

use serde_json::Value;

use benchdog_base::document::{Data, Node, Property};
use benchdog_base::problem::Problem;

const OTHERS: [(&str, &str); 6] = [
    ("env", "environment"),
    ("disabledTools", "disabled_tools"),
    ("excludeTools", "disabled_tools"),
    ("disabled", ""),
    ("transport", ""),
    ("type", ""),
];

pub(super) fn document(root: &Node) -> Result<Node, Vec<Problem>> {
    let named = ["mcp", "mcpServers", "servers"];
    let Some(servers) = named.into_iter().find_map(|name| root.property(name)) else {
        let text = "a file of servers of tools has `mcpServers` or `mcp` in it";
        return Err(vec![Problem::new(root.place.clone(), text)]);
    };
    let others = others(root, servers);
    if !others.is_empty() {
        return Err(others);
    }
    if servers.name == "mcp" {
        return Ok(root.clone());
    }
    let Data::Object(named) = &servers.value.data else {
        let text = format!("`{}` must be an object, not {}", servers.name, servers.value.kind());
        return Err(vec![Problem::new(servers.value.place.clone(), text)]);
    };
    let mut problems = Vec::new();
    let ours: Vec<Property> = named.iter().map(|server| one(server, &mut problems)).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let mcp = Property {
        name: "mcp".to_owned(),
        place: servers.place.clone(),
        value: Node {
            place: servers.value.place.clone(),
            data: Data::Object(ours),
        },
    };
    Ok(Node {
        place: root.place.clone(),
        data: Data::Object(vec![mcp]),
    })
}

/// Returns a problem for each key except the object of servers, because the file may not define anything else.
fn others(root: &Node, servers: &Property) -> Vec<Problem> {
    let Data::Object(properties) = &root.data else {
        return Vec::new();
    };
    let others = properties.iter().filter(|property| property.name != servers.name);
    let problem = |other: &Property| {
        let text = format!("`{}` has no effect in a file of servers of tools", other.name);
        Problem::new(other.place.clone(), text).with(Some("remove it, or name the file with `--config`".to_owned()))
    };
    others.map(problem).collect()
}

fn one(server: &Property, problems: &mut Vec<Problem>) -> Property {
    let Data::Object(fields) = &server.value.data else {
        return server.clone();
    };
    let mut ours: Vec<Property> = Vec::new();
    for field in fields {
        match field.name.as_str() {
            // The conversion of `command` includes `args`.
            "args" => {}
            "command" => ours.push(command(field, fields)),
            "type" | "transport" if is_said_anyway(&field.value.to_value(), fields) => {}
            "disabled" if matches!(field.value.data, Data::Scalar(Value::Bool(_))) => {
                let is_off = field.value.to_value() == Value::Bool(true);
                ours.push(Property {
                    name: "enabled".to_owned(),
                    value: Node {
                        data: Data::Scalar(Value::Bool(!is_off)),
                        ..field.value.clone()
                    },
                    ..field.clone()
                });
            }
            name => match OTHERS.iter().find(|(theirs, _)| *theirs == name) {
                Some((_, "")) => {
                    let text = format!("`{name}` of the server `{}` has no effect here", server.name);
                    problems.push(Problem::new(field.place.clone(), text).with(Some("remove it".to_owned())));
                }
                Some((_, own)) => ours.push(Property {
                    name: (*own).to_owned(),
                    ..field.clone()
                }),
                None => ours.push(field.clone()),
            },
        }
    }
    Property {
        value: Node {
            place: server.value.place.clone(),
            data: Data::Object(ours),
        },
        ..server.clone()
    }
}

fn is_said_anyway(kind: &Value, fields: &[Property]) -> bool {
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    match kind.as_str() {
        Some("stdio") => has("command"),
        Some("http" | "streamable-http" | "streamableHttp") => has("url"),
        _ => false,
    }
}

fn command(command: &Property, fields: &[Property]) -> Property {
    let mut words = match &command.value.data {
        Data::List(words) => words.clone(),
        _ => vec![command.value.clone()],
    };
    if let Some(args) = fields.iter().find(|field| field.name == "args") {
        match &args.value.data {
            Data::List(further) => words.extend(further.iter().cloned()),
            _ => words.push(args.value.clone()),
        }
    }
    Property {
        value: Node {
            place: command.value.place.clone(),
            data: Data::List(words),
        },
        ..command.clone()
    }
}
