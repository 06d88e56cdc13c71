//! Generates a Rust item for each message in `assets/lang/en.ftl`: a variant of `Word` for a message without values,
//! and a function for any other. The function has a parameter for each value.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Message, Pattern, PatternElement};
use fluent_syntax::parser;

const TABLE: &str = "../../assets/lang/en.ftl";

/// Groups of messages that are looked up by a code. Each has the prefix of its message ids and the name of the
/// generated table. The rest of an id is the code.
const BY_CODE: [(&str, &str); 3] = [("advice-", "ADVICE"), ("failed-", "FAILED"), ("told-", "TOLD")];

/// Prefix of the messages for the model, which are always in English.
const FOR_MODEL: &str = "for-model-";

/// Values of a message with their types. Sorted by name, so that a reworded message cannot swap two arguments.
type Values<'t> = BTreeMap<&'t str, Kind>;

#[derive(Clone, Copy)]
enum Kind {
    Text,
    /// A number that selects between singular and plural.
    Number,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={TABLE}");
    let table = fs::read_to_string(TABLE)?;
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    fs::write(Path::new(&out).join("messages.rs"), generated(&table)?)?;
    Ok(())
}

fn generated(table: &str) -> Result<String, Box<dyn Error>> {
    let resource = parser::parse(table).map_err(|(_, errors)| format!("{TABLE}: {errors:?}"))?;
    let (mut words, mut functions) = (Vec::new(), String::new());
    let mut names = HashSet::new();
    for entry in &resource.body {
        let message = match entry {
            Entry::Message(message) if message.attributes.is_empty() => message,
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => continue,
            other => return Err(format!("{TABLE}: only messages without attributes, not {other:?}").into()),
        };
        let id = message.id.name;
        let pattern = message.value.as_ref().ok_or_else(|| format!("`{id}` has no text"))?;
        if !names.insert(variant(id)) {
            return Err(format!("`{id}`: two messages have this name").into());
        }
        let mut values = Values::new();
        collect(pattern, &mut values).map_err(|why| format!("`{id}`: {why}"))?;
        let doc = source(table, message);
        match values.is_empty() && !id.starts_with(FOR_MODEL) {
            true => words.push((id, doc)),
            false => function(&mut functions, id, doc, &values)?,
        }
    }
    Ok(enumeration(&words)? + &tables(&words)? + &functions)
}

fn source<'t>(table: &'t str, message: &Message<&'t str>) -> &'t str {
    let start = message.id.name.as_ptr().addr() - table.as_ptr().addr();
    let rest = table.get(start..).unwrap_or_default();
    let is_new = |line: &str| line.starts_with(|first: char| first == '#' || first.is_ascii_alphabetic());
    let mut lines = rest.split_inclusive('\n');
    let first = lines.next().map_or(0, str::len);
    let length = first + lines.take_while(|line| !is_new(line)).map(str::len).sum::<usize>();
    let (_, text) = rest
        .get(..length)
        .and_then(|text| text.split_once('='))
        .unwrap_or_default();
    text.trim()
}

fn collect<'t>(pattern: &Pattern<&'t str>, values: &mut Values<'t>) -> Result<(), String> {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                values.entry(id.name).or_insert(Kind::Text);
            }
            Expression::Inline(InlineExpression::StringLiteral { .. }) => {}
            Expression::Select {
                selector: InlineExpression::VariableReference { id },
                variants,
            } => {
                values.insert(id.name, Kind::Number);
                for variant in variants {
                    collect(&variant.value, values)?;
                }
            }
            other => return Err(format!("only values and plurals are supported, not {other:?}")),
        }
    }
    Ok(())
}

fn enumeration(words: &[(&str, &str)]) -> Result<String, std::fmt::Error> {
    let mut out = String::from(
        "/// The messages without values.\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub enum Word {\n",
    );
    for (id, text) in words {
        writeln!(out, "    #[doc = {text:?}]\n    {},", variant(id))?;
    }
    writeln!(out, "}}\n\npub(crate) static IDS: [&str; {}] = [", words.len())?;
    for (id, _) in words {
        writeln!(out, "    {id:?},")?;
    }
    out.push_str("];\n");
    Ok(out)
}

/// Generates the tables that map a code, such as `no_model`, to its message.
fn tables(words: &[(&str, &str)]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for (prefix, name) in BY_CODE {
        writeln!(out, "\npub(crate) const {name}: &[(&str, Word)] = &[")?;
        for (id, code) in words.iter().filter_map(|(id, _)| Some((id, id.strip_prefix(prefix)?))) {
            writeln!(out, "    ({:?}, Word::{}),", code.replace('-', "_"), variant(id))?;
        }
        out.push_str("];\n");
    }
    Ok(out)
}

fn function(out: &mut String, id: &str, doc: &str, values: &Values) -> Result<(), std::fmt::Error> {
    let parameters = values.iter().map(|(name, kind)| match kind {
        Kind::Text => format!("{name}: &str"),
        Kind::Number => format!("{name}: usize"),
    });
    let parameters: Vec<String> = parameters.collect();
    let arguments: Vec<String> = values.keys().map(|name| format!("({name:?}, {name}.into())")).collect();
    let fill = if id.starts_with(FOR_MODEL) {
        "fill_for_model"
    } else {
        "fill"
    };
    writeln!(
        out,
        "\n#[doc = {doc:?}]\npub fn {}({}) -> String {{\n    {fill}({id:?}, [{}])\n}}",
        id.replace('-', "_"),
        parameters.join(", "),
        arguments.join(", "),
    )
}

/// Returns the name of a message's variant in `Word`: `NoModel` for `no-model`.
fn variant(id: &str) -> String {
    let parts = id.split('-').map(|part| {
        let (first, rest) = part.split_at_checked(1).unwrap_or((part, ""));
        first.to_ascii_uppercase() + rest
    });
    parts.collect()
}
