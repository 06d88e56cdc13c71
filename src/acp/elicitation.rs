//! Questions as forms of the client (`elicitation/create`). Does no I/O.
//!
//! A question needs a form if it asks for text or for several answers. A permission request cannot ask for these.

use std::collections::BTreeMap;

use agent_client_protocol_schema::v1::{
    BooleanPropertySchema, CreateElicitationRequest, CreateElicitationResponse, ElicitationAction,
    ElicitationContentValue, ElicitationFormMode, ElicitationPropertySchema, ElicitationSchema,
    ElicitationSessionScope, EnumOption, IntegerPropertySchema, MultiSelectPropertySchema, NumberPropertySchema,
    StringFormat, StringPropertySchema, ToolCallId,
};

use benchdog_base::text::reveal;
use benchdog_domain::elicited::{ACCEPT, DECLINE, Field, FieldKind, Form, Format, NO, Offer, YES};
use benchdog_domain::permission::Decision;
use benchdog_domain::review::{Asked, Question, Review};
use benchdog_domain::server::Need;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::ApprovalRequest;

/// Maximum length of an answer in bytes. A longer answer is treated as a denial.
const LONGEST_ANSWER: usize = 16_000;

/// Returns the form for a question. `None` if all answers are fixed, because such a question becomes a permission
/// request.
pub(crate) fn request(session: &str, request: &ApprovalRequest) -> Option<CreateElicitationRequest> {
    let Review::Question(question) = &request.review else {
        return None;
    };
    let scope = ElicitationSessionScope::new(session.to_owned());
    let (schema, message, scope) = match question {
        Question::Model { asked, note } => {
            let texts = asked.iter().map(|one| one.text.as_str()).chain(note.as_deref());
            let message = texts.collect::<Vec<_>>().join("\n\n");
            (
                of_model(asked),
                message,
                scope.tool_call_id(ToolCallId::new(request.call.0.clone())),
            )
        }
        Question::Server(form) => (of_server(form), lang::server_asks(&form.server, &form.message), scope),
        Question::Plan { .. } | Question::GoOn(_) => return None,
    };
    let mode = ElicitationFormMode::new(scope, schema);
    Some(CreateElicitationRequest::new(mode, reveal(&message).into_owned()))
}

/// Converts the client's answer to a decision. An incomplete form is a denial. A form of an MCP server can be declined.
pub(crate) fn decision(question: &Question, answer: CreateElicitationResponse) -> Decision {
    let denied = Decision::Deny { reason: None };
    let content = match (answer.action, question) {
        (ElicitationAction::Accept(accepted), _) => accepted.content.unwrap_or_default(),
        (ElicitationAction::Decline, Question::Server(_)) => return Decision::answered(vec![DECLINE.to_owned()]),
        _ => return denied,
    };
    let too_long = |value: &ElicitationContentValue| texts(value).iter().any(|text| text.len() > LONGEST_ANSWER);
    if content.values().any(too_long) {
        return denied;
    }
    let answers = match question {
        Question::Model { asked, .. } => {
            let answers = (1..).zip(asked).map(|(number, one)| answers(&content, number, one));
            answers.collect::<Option<Vec<_>>>()
        }
        Question::Server(form) => filled(form, &content),
        Question::Plan { .. } | Question::GoOn(_) => None,
    };
    let Some(mut answers) = answers.filter(|answers| !answers.is_empty()) else {
        return denied;
    };
    let first = answers.remove(0);
    Decision::Answer {
        answers: first,
        further: answers,
    }
}

// --- questions of the model ---

fn key(number: usize) -> String {
    format!("question_{number}")
}

fn own_key(number: usize) -> String {
    format!("question_{number}_own")
}

fn of_model(asked: &[Asked]) -> ElicitationSchema {
    (1..)
        .zip(asked)
        .fold(ElicitationSchema::new(), |schema, (number, one)| {
            let label = Some(&one.header)
                .filter(|header| !header.is_empty())
                .unwrap_or(&one.text);
            let title = reveal(label).into_owned();
            if one.options.is_empty() {
                return schema.property(key(number), StringPropertySchema::new().title(title), true);
            }
            let options = one.options.iter().map(|option| {
                let about = Some(&option.description).filter(|about| !about.is_empty());
                EnumOption::new(option.label.clone(), reveal(&option.label))
                    .description(about.map(|about| reveal(about).into_owned()))
            });
            let options = options.collect();
            let property: ElicitationPropertySchema = match one.multiple {
                true => MultiSelectPropertySchema::titled(options).title(title.clone()).into(),
                false => StringPropertySchema::new().one_of(options).title(title.clone()).into(),
            };
            let schema = schema.property(key(number), property, !one.own_words);
            match one.own_words {
                true => {
                    let own = format!("{title} ({})", word(Word::AcpOwnAnswer));
                    schema.property(own_key(number), StringPropertySchema::new().title(own), false)
                }
                false => schema,
            }
        })
}

/// Returns the answers to one question. `None` if there is no answer, or if an answer was not offered.
fn answers(content: &BTreeMap<String, ElicitationContentValue>, number: usize, asked: &Asked) -> Option<Vec<String>> {
    let given = |key: String| content.get(&key).map(texts).unwrap_or_default();
    let is_offered = |text: &String| asked.options.iter().any(|option| option.label == *text);
    let mut chosen = given(key(number));
    if !asked.options.is_empty() && !chosen.iter().all(is_offered) {
        return None;
    }
    let own: Vec<String> = match asked.own_words && !asked.options.is_empty() {
        true => given(own_key(number))
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .collect(),
        false => Vec::new(),
    };
    match (asked.multiple, own.is_empty()) {
        (false, false) => chosen = own,
        _ => chosen.extend(own),
    }
    chosen.retain(|text| !text.trim().is_empty());
    let is_one = asked.multiple || chosen.len() == 1;
    (is_one && !chosen.is_empty()).then_some(chosen)
}

// --- forms of MCP servers ---

fn of_server(form: &Form) -> ElicitationSchema {
    form.fields.iter().fold(ElicitationSchema::new(), |schema, field| {
        let is_required = field.need == Need::Required;
        schema.property(field.name.clone(), property(field), is_required)
    })
}

fn property(field: &Field) -> ElicitationPropertySchema {
    let title = reveal(field.label()).into_owned();
    let about = Some(reveal(&field.about).into_owned()).filter(|about| !about.is_empty());
    let offers = |of: &[Offer]| {
        let offer = |offer: &Offer| EnumOption::new(offer.shown.clone(), reveal(&offer.shown));
        of.iter().map(offer).collect::<Vec<_>>()
    };
    let shown = |of: &[Offer], at: usize| of.get(at).map(|offer| offer.shown.clone());
    match &field.kind {
        FieldKind::Text {
            least,
            most,
            format,
            pattern,
            default,
        } => StringPropertySchema::new()
            .title(title)
            .description(about)
            .min_length(u32::try_from(*least).ok().filter(|least| *least > 0))
            .max_length(u32::try_from(*most).ok())
            .format(format.map(formatted))
            .pattern(pattern.clone())
            .default_value(default.clone())
            .into(),
        FieldKind::Number {
            whole: true,
            least,
            most,
            default,
        } => IntegerPropertySchema::new()
            .title(title)
            .description(about)
            .minimum(least.as_ref().and_then(serde_json::Number::as_i64))
            .maximum(most.as_ref().and_then(serde_json::Number::as_i64))
            .default_value(default.as_ref().and_then(serde_json::Number::as_i64))
            .into(),
        FieldKind::Number {
            least, most, default, ..
        } => NumberPropertySchema::new()
            .title(title)
            .description(about)
            .minimum(least.as_ref().and_then(serde_json::Number::as_f64))
            .maximum(most.as_ref().and_then(serde_json::Number::as_f64))
            .default_value(default.as_ref().and_then(serde_json::Number::as_f64))
            .into(),
        FieldKind::Flag { default } => BooleanPropertySchema::new()
            .title(title)
            .description(about)
            .default_value(*default)
            .into(),
        FieldKind::One { of, default } => StringPropertySchema::new()
            .title(title)
            .description(about)
            .one_of(offers(of))
            .default_value(default.and_then(|at| shown(of, at)))
            .into(),
        FieldKind::Several {
            of,
            least,
            most,
            default,
        } => MultiSelectPropertySchema::titled(offers(of))
            .title(title)
            .description(about)
            .min_items(*least)
            .max_items(*most)
            .default_value(default.iter().filter_map(|at| shown(of, *at)).collect::<Vec<_>>())
            .into(),
    }
}

fn formatted(format: Format) -> StringFormat {
    match format {
        Format::Email => StringFormat::Email,
        Format::Uri => StringFormat::Uri,
        Format::Date => StringFormat::Date,
        Format::DateTime => StringFormat::DateTime,
    }
}

/// Returns the answers in the order of the form. `None` if any field is invalid, so the server gets no answers.
fn filled(form: &Form, content: &BTreeMap<String, ElicitationContentValue>) -> Option<Vec<Vec<String>>> {
    let fields = form.fields.iter().map(|field| {
        let answers = content.get(&field.name).map(texts).unwrap_or_default();
        field.value(&answers).is_ok().then_some(answers)
    });
    let fields: Option<Vec<Vec<String>>> = fields.collect();
    Some(std::iter::once(vec![ACCEPT.to_owned()]).chain(fields?).collect())
}

fn texts(value: &ElicitationContentValue) -> Vec<String> {
    match value {
        ElicitationContentValue::String(text) => vec![text.clone()],
        ElicitationContentValue::Integer(number) => vec![number.to_string()],
        ElicitationContentValue::Number(number) => vec![number.to_string()],
        ElicitationContentValue::Boolean(true) => vec![YES.to_owned()],
        ElicitationContentValue::Boolean(false) => vec![NO.to_owned()],
        ElicitationContentValue::StringArray(all) => all.clone(),
        _ => Vec::new(),
    }
}
