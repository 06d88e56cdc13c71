//! Converts TOML to JSON values.

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use benchdog_base::problem::{Location, Problem};

pub(super) fn value(file: &str, text: &str) -> Result<Value, Problem> {
    let table = DeTable::parse(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let place = Location {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before.lines().next_back().map_or(0, |line| line.chars().count()) + 1,
        };
        Problem::new(place, error.message().to_owned())
    })?;
    Ok(of_table(table.get_ref()))
}

fn of_table(table: &DeTable<'_>) -> Value {
    let field = |(name, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        (name.get_ref().clone().into_owned(), of(value.get_ref()))
    };
    Value::Object(table.iter().map(field).collect::<Map<_, _>>())
}

fn of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.clone().into_owned()),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Value::Null, Value::from)
        }
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| of(item.get_ref())).collect()),
        DeValue::Table(table) => of_table(table),
    }
}
