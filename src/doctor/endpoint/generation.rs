//! Sends a few short requests to check streaming, tool calls, cache, token counts and speed.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;

use super::{EACH, failed, millis};
use benchdog_config::settings::{ProviderSettings, ToolStyle};
use benchdog_config::{Settings, is_near, server};
use benchdog_context::{probe, tokens};
use benchdog_domain::agent::{Knowledge, ModelRef, Protocol, Thinking};
use benchdog_domain::checkup::{Check, CheckState};
use benchdog_domain::message::{ChatMessage, Messages, Reply, ToolDeclaration};
use benchdog_lang::{Finding, advice, finding, retry_reason};
use benchdog_provider::failure::ProviderError;
use benchdog_provider::{ModelRequest, Progress, Provider};

/// Maximum numbers of tokens in an answer: `FEW` in a short answer, `SOME` in an answer for the speed check, and
/// `FOR_A_CALL` in a tool call.
const FEW: u64 = 16;
const SOME: u64 = 24;
const FOR_A_CALL: u64 = 96;
/// Number of repeated lines in the test prompt. `LINES_FAR` is for hosted services, which cache nothing below 1,024
/// tokens. `LINES_NEAR` is smaller, because a local CPU processes only about 50 tokens per second.
const LINES_NEAR: usize = 24;
const LINES_FAR: usize = 96;
/// Minimum speed in tokens per second. A slower model writes more slowly than a person reads.
const SLOW: u64 = 5;

struct Asking<'a> {
    settings: &'a Settings,
    provider: &'a dyn Provider,
    model: &'a ModelRef,
    known: &'a Knowledge,
}

/// An answer with its timings in milliseconds.
struct Answered {
    reply: Reply,
    first: Option<u64>,
    whole: u64,
}

enum Unanswered {
    /// No answer arrived within the time limit. Contains the reason for the retries, if there were any.
    Silent(Option<String>),
    Failed(ProviderError),
}

pub(super) async fn checks(
    settings: &Settings,
    configured: &ProviderSettings,
    provider: &dyn Provider,
    model: &ModelRef,
    known: &Knowledge,
    checks: &mut Vec<Check>,
) {
    let asking = Asking {
        settings,
        provider,
        model,
        known,
    };
    let streamed = asking.ask(asking.request(probe::ANSWER.to_owned(), FEW)).await;
    checks.push(streaming(model, &streamed));
    if streamed.is_err() {
        return;
    }
    asking.calls(checks).await;
    let host = server(&configured.base_url).map(|server| server.host().to_owned());
    let lines = match host {
        Some(host) if is_near(&host) => LINES_NEAR,
        Some(_) | None => LINES_FAR,
    };
    asking.reads_twice(&probe::passage(lines), checks).await;
}

fn streaming(model: &ModelRef, streamed: &Result<Answered, Unanswered>) -> Check {
    match streamed {
        Err(unanswered) => Check::fail("streaming", unanswered.detail(), unanswered.fix(&model.provider)),
        Ok(Answered { first: None, .. }) => {
            Check::warn("streaming", finding(Finding::AnsweredNothing), advice("empty_reply"))
        }
        Ok(Answered { first: Some(first), .. }) => Check::ok("streaming", finding(Finding::Answered { first: *first })),
    }
}

impl Asking<'_> {
    async fn calls(&self, checks: &mut Vec<Check>) {
        let style = self.settings.model_settings(self.model).tools;
        let is_taught = style == ToolStyle::Text || (style == ToolStyle::Auto && self.known.tools == Some(false));
        if !is_taught {
            let check = self.native_call().await;
            let works = check.state == CheckState::Ok;
            checks.push(check);
            if works {
                return;
            }
        }
        checks.push(self.written_call(is_taught).await);
    }

    async fn native_call(&self) -> Check {
        match self.ask(self.call(Protocol::Native)).await {
            Err(Unanswered::Silent(again)) => {
                Check::warn("call", Unanswered::Silent(again).detail(), finding(Finding::FixSlow))
            }
            Err(Unanswered::Failed(error)) => Check::fail("call", error.to_string(), finding(Finding::FixCall)),
            Ok(answered) if called(&answered.reply) => Check::ok("call", finding(Finding::Called)),
            Ok(_) => Check::warn("call", finding(Finding::NotCalled), finding(Finding::FixCall)),
        }
    }

    async fn written_call(&self, is_taught: bool) -> Check {
        let id = self.model.id.as_str();
        match self.ask(self.call(Protocol::Text)).await {
            Err(unanswered) => Check::warn("text_call", unanswered.detail(), unanswered.fix(&self.model.provider)),
            Ok(answered) if called(&answered.reply) && is_taught => Check::ok("text_call", finding(Finding::WroteCall)),
            Ok(answered) if called(&answered.reply) => Check::warn(
                "text_call",
                finding(Finding::WroteCall),
                finding(Finding::FixByText { id }),
            ),
            Ok(_) => Check::warn(
                "text_call",
                finding(Finding::WroteNoCall),
                finding(Finding::FixWroteNoCall),
            ),
        }
    }

    /// Sends two requests with the same long prefix, to check cache, token counts and speed.
    async fn reads_twice(&self, passage: &str, checks: &mut Vec<Check>) {
        let order = |end: &str| self.request(format!("{passage}\n{end}"), SOME);
        let (first, second) = (order(probe::COUNT), order(probe::COUNT_ON));
        let estimated = tokens::estimate(&format!("{passage}\n{}", probe::COUNT));
        let counting = self.counts(first.clone()).await;
        let provider = self.model.provider.as_str();
        let (once, again) = match (self.ask(first).await, self.ask(second).await) {
            (Ok(once), Ok(again)) => (once, again),
            (Err(unanswered), _) | (_, Err(unanswered)) => {
                let (detail, fix) = (unanswered.detail(), unanswered.fix(provider));
                return checks.push(Check::warn("cache", detail, fix));
            }
        };
        checks.push(kept(&once, &again));
        checks.push(tokenizer(counting, &once, estimated));
        checks.extend(speed(&again));
    }

    /// Counts the prompt's tokens with the server's tokenizer. `None` if the server has no tokenizer.
    async fn counts(&self, order: ModelRequest) -> Option<Result<u64, String>> {
        let counting = self
            .known
            .counts
            .filter(|counts| *counts)
            .and(self.provider.count(order))?;
        Some(match tokio::time::timeout(EACH, counting).await {
            Ok(counted) => counted.map_err(|error| error.to_string()),
            Err(_) => Err(Unanswered::Silent(None).detail()),
        })
    }

    async fn ask(&self, request: ModelRequest) -> Result<Answered, Unanswered> {
        let began = Instant::now();
        let (progress, mut arriving) = mpsc::channel(64);
        let (mut first, mut again) = (None, None);
        let watched = async {
            while let Some(piece) = arriving.recv().await {
                match piece {
                    Progress::Delta(_) => drop(first.get_or_insert_with(|| millis(began))),
                    Progress::Retrying { reason, .. } => again = Some(retry_reason(&reason)),
                    Progress::Stage(_) => {}
                }
            }
        };
        let asked = async { tokio::join!(self.provider.stream(request, progress), watched).0 };
        match tokio::time::timeout(EACH, asked).await {
            Err(_) => Err(Unanswered::Silent(again)),
            Ok(Err(error)) => Err(Unanswered::Failed(error)),
            Ok(Ok(reply)) => Ok(Answered {
                reply,
                first,
                whole: millis(began),
            }),
        }
    }

    fn call(&self, protocol: Protocol) -> ModelRequest {
        let mut request = self.request(probe::CALL.to_owned(), FOR_A_CALL);
        let mut messages = Messages::default();
        // Send a system message first, as sessions do. The instructions for tool calls in text follow it.
        messages.push(ChatMessage::System(probe::SYSTEM.to_owned()));
        messages.push(ChatMessage::User(probe::CALL.to_owned().into()));
        request.messages = messages;
        request.tools = Arc::new([probe::tool()]) as Arc<[ToolDeclaration]>;
        request.protocol = protocol;
        // Turn reasoning off. It would use up the few tokens that the answer may have.
        request.thinking = Some(Thinking::Off);
        request
    }

    fn request(&self, prompt: String, output: u64) -> ModelRequest {
        let configured = self.settings.model_settings(self.model);
        let mut messages = Messages::default();
        messages.push(ChatMessage::User(prompt.into()));
        ModelRequest {
            messages,
            ..ModelRequest::new(self.model, configured, output)
        }
    }
}

impl Unanswered {
    fn detail(&self) -> String {
        match self {
            Self::Silent(None) => finding(Finding::Silent {
                seconds: EACH.as_secs(),
            }),
            Self::Silent(Some(reason)) => reason.clone(),
            Self::Failed(error) => error.to_string(),
        }
    }

    fn fix(&self, provider: &str) -> String {
        match self {
            Self::Silent(_) => finding(Finding::FixSlow),
            Self::Failed(error) => failed("", provider, error).fix,
        }
    }
}

fn called(reply: &Reply) -> bool {
    reply.calls.iter().any(|call| call.name == probe::TOOL)
}

fn kept(once: &Answered, again: &Answered) -> Check {
    let told = again.reply.usage.and_then(|usage| Some((usage.cached?, usage.prompt)));
    match told {
        Some((0, prompt)) => Check::warn(
            "cache",
            finding(Finding::KeptNothing { prompt }),
            finding(Finding::FixCache),
        ),
        Some((kept, prompt)) => Check::ok("cache", finding(Finding::Kept { kept, prompt })),
        None => {
            let (once, again) = (once.first.unwrap_or(once.whole), again.first.unwrap_or(again.whole));
            Check::ok("cache", finding(Finding::KeptUntold { once, again }))
        }
    }
}

fn tokenizer(counting: Option<Result<u64, String>>, once: &Answered, estimated: u64) -> Check {
    match (counting, once.reply.usage.map(|usage| usage.prompt)) {
        (Some(Ok(counted)), _) => Check::ok("tokenizer", finding(Finding::Counts { counted, estimated })),
        (_, Some(counted)) if counted > 0 => {
            Check::ok("tokenizer", finding(Finding::CountsWithAnswers { counted, estimated }))
        }
        (Some(Err(why)), _) => Check::warn("tokenizer", why, finding(Finding::FixNoCounts)),
        (None, _) => Check::warn("tokenizer", finding(Finding::NoCounts), finding(Finding::FixNoCounts)),
    }
}

fn speed(again: &Answered) -> Option<Check> {
    let first = again.first?;
    let written = format!("{}{}", again.reply.text, again.reply.reasoning);
    let counted = again.reply.usage.map(|usage| usage.completion);
    let tokens = counted.unwrap_or_else(|| tokens::estimate(&written));
    let after = again.whole.saturating_sub(first);
    // An answer that arrives in a single piece has no measurable speed.
    let rate = (tokens > 1 && after > 0).then(|| (tokens - 1) * 1_000 / after);
    let detail = finding(Finding::Speed { first, rate });
    Some(match rate {
        Some(rate) if rate < SLOW => Check::warn("speed", detail, finding(Finding::FixSpeed)),
        Some(_) | None => Check::ok("speed", detail),
    })
}
