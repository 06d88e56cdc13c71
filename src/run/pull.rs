//! `benchdog models pull`: downloads a model on a server, with progress on standard error.

use std::io::{IsTerminal, Write};

use serde_json::json;
use tokio::sync::mpsc;

use super::engine::Base;
use super::small::say;
use super::threads;
use crate::error::Trouble;
use benchdog_base::text::clean;
use benchdog_config::resolve_model;
use benchdog_domain::budget::percent;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle};
use benchdog_orchestrator::engine::open;
use benchdog_provider::Pulled;

const BAR: u64 = 30;

pub(super) fn pull(base: &Base, id: &str, json: bool) -> Result<Exit, Trouble> {
    let settings = base.try_load_here()?.told()?.settings;
    let model = resolve_model(id, &settings).map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    let provider = open(&settings, &model.provider, &base.environment, None);
    let runtime = threads::runtime()?;
    let pulled = runtime.block_on(async {
        let (progress, mut arriving) = mpsc::channel(64);
        let provider = provider?;
        let pulling = provider.pull(&model.id, progress)?;
        let shown = async {
            let mut shown = Shown::new(json);
            while let Some(pulled) = arriving.recv().await {
                shown.take(&pulled);
            }
            shown.end();
        };
        Some(tokio::join!(pulling, shown).0)
    });
    threads::stop(runtime);
    match pulled {
        None => {
            let provider = &model.provider;
            Err(Trouble::obstacle(Exit::Usage, Obstacle::NoPull { provider }))
        }
        Some(Err(error)) => Err(Trouble::from_error(Exit::Endpoint, &error).coded(error.code())),
        Some(Ok(())) => {
            say(&format!(
                "{}\n",
                if json {
                    json!({ "model": model.to_string(), "done": true }).to_string()
                } else {
                    lang::message::models_pulled(&model.to_string())
                }
            ))?;
            Ok(Exit::Done)
        }
    }
}

struct Shown {
    json: bool,
    /// Whether each progress line overwrites the previous line.
    over: bool,
    last: (String, u64),
}

impl Shown {
    fn new(json: bool) -> Self {
        Self {
            json,
            over: !json && std::io::stderr().is_terminal(),
            last: (String::new(), 0),
        }
    }

    /// Prints each step once. Within a step, prints the progress every 10 %, or every percent if lines are overwritten.
    fn take(&mut self, pulled: &Pulled) {
        let done = percent(pulled.completed.unwrap_or(0), pulled.total.unwrap_or(0)).min(100);
        let grain = if self.over { 1 } else { 10 };
        let now = (pulled.step.clone(), done / grain);
        if now == self.last {
            return;
        }
        self.last = now;
        let step = clean(&pulled.step);
        if self.json {
            let line = json!({ "step": step, "completed": pulled.completed, "total": pulled.total });
            let _ = say(&format!("{line}\n"));
            return;
        }
        let mut out = std::io::stderr().lock();
        let line = if pulled.total.is_some() {
            format!("{step} {} {done} %", bar(done))
        } else {
            step.into_owned()
        };
        // Ignore errors: a closed standard error does not stop the download.
        let _ = if self.over {
            write!(out, "\r\u{1b}[K{line}").and_then(|()| out.flush())
        } else {
            writeln!(out, "{line}")
        };
    }

    fn end(&self) {
        if self.over {
            let _ = writeln!(std::io::stderr());
        }
    }
}

fn bar(percent: u64) -> String {
    let full = usize::try_from(percent * BAR / 100).unwrap_or_default();
    let all = usize::try_from(BAR).unwrap_or_default();
    format!("[{}{}]", "#".repeat(full), "-".repeat(all - full))
}

#[cfg(test)]
mod tests;
