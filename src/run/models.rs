//! `benchdog models`: lists the models of the configured servers, or shows details of one model.

use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};

use super::complain;
use super::engine::{self, Base};
use super::pull::pull;
use super::small::say;
use super::threads;
use crate::cli::ModelsCommand;
use crate::error::Trouble;
use benchdog_base::text::{clean, grouped, width};
use benchdog_config::{Settings, public_address, resolve_model};
use benchdog_domain::agent::{Knowledge, ModelRef};
use benchdog_domain::server_error::ServerError;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle, Word, word};
use benchdog_orchestrator::engine::open;
use benchdog_provider::{ListedModel, Provider, is_same_model};

const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum width of the name column. Longer names are shown in full and shift only their own row.
const WIDEST: usize = 60;

/// Maximum number of models per server for which details are requested.
const ASKED_ABOUT: usize = 16;

/// A model of a server. A field is `None` if its value is unknown.
struct Offered {
    model: ModelRef,
    window: Option<u64>,
    tools: Option<bool>,
    vision: Option<bool>,
    loaded: Option<bool>,
    current: bool,
}

struct Offers {
    models: Vec<Offered>,
    failed: Vec<(String, NoList)>,
}

enum NoList {
    Silent,
    Failed(ServerError),
}

impl NoList {
    fn text(&self, provider: &str) -> String {
        match self {
            Self::Silent => lang::silent(provider, PATIENCE.as_secs()),
            Self::Failed(error) => lang::server_error(error),
        }
    }
}

pub(super) fn models(base: &Base, command: Option<&ModelsCommand>, json: bool) -> Result<Exit, Trouble> {
    if let Some(ModelsCommand::Pull { id }) = command {
        return pull(base, id, json);
    }
    let settings = base.try_load_here()?.told()?.settings;
    if settings.provider.is_empty() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoModel).coded("no_model"));
    }
    let one = match command {
        Some(ModelsCommand::Show { id }) => {
            Some(resolve_model(id, &settings).map_err(|error| Trouble::from_error(Exit::Usage, &error))?)
        }
        _ => None,
    };
    let names: Vec<&str> = settings
        .provider
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| one.as_ref().is_none_or(|one| one.provider == *name))
        .collect();
    let runtime = threads::runtime()?;
    let offers = runtime.block_on(ask(base, &settings, &names));
    threads::stop(runtime);
    for (provider, why) in &offers.failed {
        complain(&lang::message::plain_error(&why.text(provider)));
    }
    match &one {
        Some(model) => say(&shown(&settings, &offers, model, json))?,
        None if json => say(&format!("{}\n", listed(&offers)))?,
        None => say(&table(&offers.models))?,
    };
    let none_answered = offers.failed.len() == names.len();
    Ok(if none_answered { Exit::Endpoint } else { Exit::Done })
}

async fn ask(base: &Base, settings: &Settings, names: &[&str]) -> Offers {
    let current = engine::chosen_model(settings).ok().flatten();
    let asked = names.iter().map(|name| async move {
        let provider = open(settings, name, &base.environment, None)?;
        let answer = tokio::time::timeout(PATIENCE, provider.models()).await;
        Some(((*name).to_owned(), answer))
    });
    let mut offers = Offers {
        models: Vec::new(),
        failed: Vec::new(),
    };
    for (name, answer) in join_all(asked).await.into_iter().flatten() {
        match answer {
            Err(_) => offers.failed.push((name, NoList::Silent)),
            Ok(Err(error)) => offers.failed.push((name, NoList::Failed(error.server_error()))),
            Ok(Ok(models)) => {
                let few = models.len() <= ASKED_ABOUT;
                let provider = open(settings, &name, &base.environment, None).filter(|_| few);
                let told = models.into_iter().map(|listed| about(provider.as_deref(), listed));
                offers
                    .models
                    .extend(join_all(told).await.into_iter().map(|(listed, known)| {
                        let model = ModelRef {
                            provider: name.clone(),
                            id: listed.id,
                        };
                        offered(settings, model, listed.context, &known, current.as_ref())
                    }));
            }
        }
    }
    offers
}

async fn about(provider: Option<&dyn Provider>, listed: ListedModel) -> (ListedModel, Knowledge) {
    let known = match provider {
        Some(provider) => tokio::time::timeout(PATIENCE, provider.about(&listed.id)).await,
        None => return (listed, Knowledge::default()),
    };
    let known = known.ok().and_then(Result::ok).unwrap_or_default();
    (listed, known)
}

fn offered(
    settings: &Settings,
    model: ModelRef,
    context: Option<u64>,
    known: &Knowledge,
    current: Option<&ModelRef>,
) -> Offered {
    let configured = settings.model_settings(&model);
    Offered {
        window: configured.context.or(known.window).or(context),
        tools: known.tools,
        vision: configured.vision.or(known.vision),
        loaded: known.loaded,
        current: current == Some(&model),
        model,
    }
}

fn listed(offers: &Offers) -> Value {
    let failed = offers.failed.iter().map(|(provider, why)| {
        let error = match why {
            NoList::Silent => why.text(provider),
            NoList::Failed(error) => error.to_string(),
        };
        json!({ "provider": provider, "error": error })
    });
    json!({
        "models": offers.models.iter().map(row).collect::<Vec<_>>(),
        "failed": failed.collect::<Vec<_>>(),
    })
}

fn row(of: &Offered) -> Value {
    json!({
        "model": of.model.to_string(),
        "provider": of.model.provider,
        "id": of.model.id,
        "window": of.window,
        "tools": of.tools,
        "vision": of.vision,
        "loaded": of.loaded,
        "current": of.current,
    })
}

fn table(models: &[Offered]) -> String {
    if models.is_empty() {
        return format!("{}\n", word(Word::NothingOffered));
    }
    let known = |said: Option<bool>| match said {
        None => "?",
        Some(true) => word(Word::Yes),
        Some(false) => word(Word::No),
    };
    let mut rows = vec![
        [
            Word::FactModel,
            Word::FactWindow,
            Word::FactTools,
            Word::FactVision,
            Word::FactLoaded,
        ]
        .map(|name| word(name).to_owned()),
    ];
    rows.extend(models.iter().map(|of| {
        let mark = if of.current { "* " } else { "" };
        [
            format!("{mark}{}", clean(&of.model.to_string())),
            of.window.map_or_else(|| "?".to_owned(), grouped),
            known(of.tools).to_owned(),
            known(of.vision).to_owned(),
            known(of.loaded).to_owned(),
        ]
    }));
    let widths: Vec<usize> = (0..5)
        .map(|at| rows.iter().map(|row| width(&row[at])).max().unwrap_or(0).min(WIDEST))
        .collect();
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, room)| format!("{cell}{}", " ".repeat(room.saturating_sub(width(cell)))));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(|row| line(row) + "\n").collect()
}

fn shown(settings: &Settings, offers: &Offers, model: &ModelRef, json: bool) -> String {
    let listed = offers.models.iter();
    let listed = listed
        .into_iter()
        .find(|of| of.model.provider == model.provider && is_same_model(&of.model.id, &model.id));
    let configured = settings.model_settings(model);
    let address = settings
        .provider(&model.provider)
        .map_or_else(String::new, |provider| public_address(&provider.base_url));
    let window = configured.context.or_else(|| listed?.window);
    if json {
        let price = configured
            .price
            .map(|price| json!({ "input": price.input, "output": price.output }));
        let value = json!({
            "model": model.to_string(),
            "provider": model.provider,
            "id": model.id,
            "endpoint": address,
            "listed": listed.is_some(),
            "window": window,
            "output": configured.output,
            "alias": configured.alias,
            "temperature": configured.temperature,
            "top_p": configured.top_p,
            "thinking": configured.thinking,
            "vision": listed.and_then(|of| of.vision),
            "tools": listed.and_then(|of| of.tools),
            "loaded": listed.and_then(|of| of.loaded),
            "price": price,
        });
        return format!("{value}\n");
    }
    let rows = [
        (Word::FactModel, model.to_string()),
        (Word::FactEndpoint, address),
        (
            Word::FactListed,
            word(if listed.is_some() { Word::Yes } else { Word::No }).to_owned(),
        ),
        (Word::FactWindow, window.map_or_else(|| "?".to_owned(), grouped)),
        (Word::FactAnswer, grouped(configured.output)),
        (Word::FactTemperature, lang::temperature(configured.temperature)),
        (Word::FactThinking, lang::thinking(configured.thinking).to_owned()),
        (Word::FactPrice, lang::price(configured.price)),
    ];
    let room = rows.iter().map(|(name, _)| width(word(*name))).max().unwrap_or(0);
    let line = |(name, value): &(Word, String)| {
        let name = word(*name);
        format!("{name}{}  {}\n", " ".repeat(room - width(name)), clean(value))
    };
    rows.iter().map(line).collect()
}
