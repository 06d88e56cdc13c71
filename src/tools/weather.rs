//! `weather`: a sample tool for tests, with a name and description that are made at run time.

use serde_json::json;

use crate::row::{Declares, Draft, Row, Work};
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, OutputShown, ToolFacts};

pub fn row(town: &str) -> Row {
    let town = town.to_owned();
    Row {
        facts: ToolFacts {
            group: Some("outside".into()),
            defaults: vec![("*".into(), Action::Allow)],
            output: OutputShown::AtOnce,
            ..ToolFacts::of(format!("{town}__Get-Weather"), EffectClass::Network)
        },
        aliases: &["forecast"],
        description: format!("What the weather is in {town}.").into(),
        declares: Declares::Whole,
        parameters: json!({"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}),
        arguments: &[("day", &["date"])],
        more: "Ask for one day.",
        serves: None,
        prepare: Box::new(move |args, _| {
            let day = args.filled_text("day")?;
            Ok(Draft {
                title: format!("{town} on {day}"),
                subjects: vec![Subject::Tool],
                review: Review::Fields(vec![("day".to_owned(), day.clone())]),
                work: Work::of(day, |day, it| {
                    Box::pin(async move {
                        tokio::task::yield_now().await;
                        let text = format!("{}: rain on {day}", it.call.0);
                        Outcome::ok(Summary::Words("rain".to_owned()), text)
                    })
                }),
            })
        }),
    }
}
