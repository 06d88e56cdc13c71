//! Formats answers of the engine as lines.

use super::desk::Known;
use benchdog_app::dialogs::pull::PullCard;
use benchdog_app::dialogs::service::ServiceCard;
use benchdog_app::dialogs::sheet::{Seen, Sheet, SheetKind, SheetRow};
use benchdog_app::dialogs::trust::TrustCard;
use benchdog_app::panes::context::label;
use benchdog_app::{archived, commands};
use benchdog_base::text::{clean, grouped, reveal};
use benchdog_domain::agent::{AgentOffer, ModelOffer, ModelRef};
use benchdog_domain::budget::{ContextItem, percent};
use benchdog_domain::failure::Failure;
use benchdog_domain::job::Job;
use benchdog_domain::permission::{Layer, Rule};
use benchdog_domain::server::ServerStatus;
use benchdog_domain::server_error::ServerError;
use benchdog_domain::skill::SkillOffer;
use benchdog_domain::summary::Summary;
use benchdog_headless::words;
use benchdog_lang::{self as lang, Taken, Word, word};
use benchdog_protocol::{Answer, Archived, PullState};

const UNWRAPPED: u16 = u16::MAX;

pub(super) fn lines(known: &mut Known, answer: Answer) -> Vec<String> {
    match answer {
        Answer::Draft { text, .. } | Answer::Unqueued { text } => vec![lang::message::linear_not_sent(&clean(&text))],
        Answer::GivenBack(texts) => texts
            .iter()
            .map(|text| lang::message::linear_not_sent(&clean(text)))
            .collect(),
        Answer::TooLarge { prompt, over } => came_back(&prompt, &Failure::ContextFull(over)),
        Answer::Unread { prompt, mentions } => came_back(&prompt, &Failure::MentionUnread { mentions }),
        Answer::Context(items) => context(known, &items),
        Answer::Status(status) => {
            let mut sheet = Sheet::new(known.sheet.take().unwrap_or(SheetKind::Status));
            let seen = Seen {
                speed: None,
                used: known.ledger.as_ref().map(lang::used_of),
                confined: known.confinement.as_ref().map(lang::confinement),
            };
            sheet.fill(&status, &seen);
            rows(sheet)
        }
        Answer::Health(checks) => {
            let mut sheet = Sheet::new(SheetKind::Health);
            sheet.fill_health(&checks);
            rows(sheet)
        }
        Answer::Models {
            offers,
            current,
            failed,
        } => models(&offers, current.as_ref(), &failed),
        Answer::Agents(agents) => agents.iter().map(agent).collect(),
        Answer::Skills(skills) => of_skills(&skills),
        Answer::Hooks(hooks) => {
            let mut sheet = Sheet::new(SheetKind::Hooks);
            sheet.fill_hooks(&hooks, &known.zone);
            rows(sheet)
        }
        Answer::Servers(servers) => of_servers(known, &servers),
        Answer::NotReviewed(Some(why)) => vec![lang::no_comparison(&why)],
        Answer::NotReviewed(None) => vec![word(Word::NothingDiffers).to_owned()],
        Answer::SettingRefused { why } => vec![clean(&why).into_owned()],
        Answer::CheckSwitched(to) => vec![commands::check_switched(to).to_owned()],
        Answer::Watching(answer) => vec![commands::watching(&answer).0],
        Answer::Archive(archived) => of_archive(&archived),
        Answer::Permissions(rules) => rules.iter().map(permission).collect(),
        Answer::ServiceOffered { place, command } => ServiceCard { place, command }.rows(),
        Answer::PullOffered { model, names } => PullCard::offer(model, names).rows(""),
        Answer::Pull { model, state } => pulled(model, state),
        // These answers need the full screen or are for another front end.
        Answer::Opened(_)
        | Answer::Replaced(_)
        | Answer::RewindPoints(_)
        | Answer::Beside(_)
        | Answer::Closed
        | Answer::NotBegun { .. }
        | Answer::TrustAsked { .. }
        | Answer::Previous { .. }
        | Answer::Look(_)
        | Answer::Earlier(_)
        | Answer::CompactionReady(_)
        | Answer::SummaryWeighed(_)
        | Answer::Sessions { .. }
        | Answer::JobOutput { .. }
        | Answer::Worktrees(_)
        | Answer::Settings(_)
        | Answer::History(_)
        | Answer::DiffLayout { .. }
        | Answer::Folder { .. }
        | Answer::Found { .. }
        | Answer::Tree(_)
        | Answer::Values(..)
        | Answer::File { .. }
        | Answer::Child { .. }
        | Answer::Compared(_)
        | Answer::Counted { .. }
        | Answer::Commit(_)
        | Answer::StagedNow(_)
        | Answer::Unstaged(_)
        | Answer::Initial { .. }
        | Answer::Plan(_)
        | Answer::Differs(_)
        | Answer::Voice(_)
        | Answer::Invocable(_)
        | Answer::FirstStart { .. }
        | Answer::ConfiguredServer { .. }
        | Answer::ServerTested { .. } => Vec::new(),
    }
}

/// Formats the progress of a download. Returns one line at every 10 percent, and no line in between.
fn pulled(model: ModelRef, state: PullState) -> Vec<String> {
    let is_between =
        matches!(state, PullState::Running { done, total } if total > 0 && !percent(done, total).is_multiple_of(10));
    if is_between {
        return Vec::new();
    }
    let card = PullCard {
        model,
        names: Vec::new(),
        state: Some(state),
    };
    card.rows("")
}

pub(super) fn jobs(jobs: &[Job]) -> Vec<String> {
    if jobs.is_empty() {
        return vec![word(Word::NoJobs).to_owned()];
    }
    let line = |job: &Job| {
        let stands = match &job.ended {
            None => lang::summary(&Summary::Runs { job: job.id }).into_owned(),
            Some(how) => format!("{} {}", job.id, lang::summary(how)),
        };
        clean(&format!("{stands}: {}  {}", job.title, job.last.trim())).into_owned()
    };
    jobs.iter().map(line).collect()
}

pub(super) fn files(asked: Option<&TrustCard>) -> Vec<String> {
    match asked {
        None => vec![word(Word::NothingAsked).to_owned()],
        Some(card) => card.list().lines().map(str::to_owned).collect(),
    }
}

fn came_back(prompt: &str, failure: &Failure) -> Vec<String> {
    let said = lang::failure(failure);
    let mut lines = words::error(&said.text, &said.hint);
    lines.push(lang::message::linear_not_sent(&clean(prompt)));
    lines
}

fn rows(mut sheet: Sheet) -> Vec<String> {
    sheet.arrange(UNWRAPPED, UNWRAPPED);
    let line = |row: &SheetRow| match row {
        SheetRow::Heading(text) | SheetRow::Stands(_, text) | SheetRow::Wrong(text) | SheetRow::Text(text) => {
            text.clone()
        }
        SheetRow::Field { name: "", value, .. } => format!("  {value}"),
        SheetRow::Field { name, value, .. } => format!("{name}: {value}"),
    };
    sheet.rows().iter().map(line).collect()
}

fn agent(offer: &AgentOffer) -> String {
    let mark = if offer.current { "* " } else { "  " };
    clean(&format!("{mark}{}: {}", offer.agent, lang::about_agent(offer))).into_owned()
}

fn models(offers: &[ModelOffer], current: Option<&ModelRef>, failed: &[ServerError]) -> Vec<String> {
    let line = |offer: &ModelOffer| {
        let here = if Some(&offer.model) == current { "* " } else { "  " };
        let window = offer.context.map(lang::window).unwrap_or_default();
        clean(format!("{here}{}  {window}", offer.model).trim_end()).into_owned()
    };
    let failed = failed.iter().map(|why| clean(&lang::server_error(why)).into_owned());
    offers.iter().map(line).chain(failed).collect()
}

fn of_skills(skills: &[SkillOffer]) -> Vec<String> {
    if skills.is_empty() {
        return [Word::NoSkills, Word::FirstSkill]
            .map(|said| word(said).to_owned())
            .to_vec();
    }
    let line = |skill: &SkillOffer| {
        let said = lang::skill(skill, Taken::Free);
        clean(&format!("{}: {} ({said})", skill.name, skill.description)).into_owned()
    };
    skills.iter().map(line).collect()
}

fn of_servers(known: &mut Known, servers: &[ServerStatus]) -> Vec<String> {
    let Some(of) = known.tools_of.take() else {
        let mut sheet = Sheet::new(SheetKind::Servers);
        sheet.fill_servers(servers);
        return rows(sheet);
    };
    let is_meant = |server: &&ServerStatus| of.as_ref().is_none_or(|of| server.name == *of);
    let tools = servers.iter().filter(is_meant).flat_map(|server| &server.tools);
    let lines: Vec<String> = tools.map(lang::server_tool_line).collect();
    match lines.is_empty() {
        true => vec![word(Word::NoServerTools).to_owned()],
        false => lines,
    }
}

fn permission((layer, rule): &(Layer, Rule)) -> String {
    reveal(&format!("{rule}  {}", lang::layer(*layer))).into_owned()
}

fn context(known: &Known, items: &[ContextItem]) -> Vec<String> {
    let used = known.ledger.as_ref().map(lang::used_of);
    let items = items
        .iter()
        .map(|item| format!("  ~{}  {}", grouped(item.tokens), reveal(&label(item))));
    used.into_iter().chain(items).collect()
}

fn of_archive(archived: &Archived) -> Vec<String> {
    if matches!(archived, Archived::Named { .. }) {
        return Vec::new();
    }
    let Archived::Found { found: Ok(found), .. } = archived else {
        return vec![archived::told(archived)];
    };
    if found.is_empty() {
        return vec![archived::told(archived)];
    }
    let mut lines = Vec::new();
    for session in found {
        lines.push(clean(&format!("{}  {}", session.meta.id.short(), session.meta.title)).into_owned());
        let hits = session
            .hits
            .iter()
            .map(|hit| format!("  {}  {}", hit.entry.0, reveal(&hit.snippet)));
        lines.extend(hits);
    }
    lines
}

#[cfg(test)]
mod tests;
