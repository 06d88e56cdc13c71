//! Messages about notices.

use super::seats::worktree;
use super::servers::servers;
use super::undo::undo;
use super::{Word, Words, advice, count, say, word};
use benchdog_base::text::grouped;
use benchdog_domain::agent::AgentName;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::failure::Failure;
use benchdog_domain::job::{JobId, JobName};
use benchdog_domain::message::Written;
use benchdog_domain::notice::{
    ConfigNotice, CountsFrom, Limit, NamedBy, NoModel, NoService, NotValidated, Notice, ServiceNotice, Unread, Until,
    WrittenCalls,
};
use benchdog_domain::skill::BrokenSkill;
use benchdog_domain::summary::Summary;

pub fn notice(notice: &Notice) -> Words {
    let hint = match notice {
        Notice::WindowAssumed { .. }
        | Notice::PromptCut { .. }
        | Notice::WindowSmaller { .. }
        | Notice::IndexRebuilt { .. }
        | Notice::Storage { .. } => advice(notice.code()),
        _ => String::new(),
    };
    Words {
        text: text(notice),
        hint,
    }
}

fn not_worked_with(notice: &Notice, agent: &AgentName) -> String {
    let of = match notice {
        Notice::Subagent { .. } => "notice-subagent",
        _ => "notice-inner-agent",
    };
    say(of, &[("agent", &agent.0)])
}

fn no_agent(agent: &AgentName, nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => say("notice-no-agent-but", &[("agent", &agent.0), ("nearest", nearest)]),
        None => say("notice-no-agent", &[("agent", &agent.0)]),
    }
}

fn no_item(item: u32, known: &[u32]) -> String {
    let known: Vec<String> = known.iter().map(u32::to_string).collect();
    let values = [("item", &*item.to_string()), ("known", &*known.join(", "))];
    say("notice-todo", &values)
}

fn job_ended(job: JobId, title: &str, how: &Summary) -> String {
    let (job, how) = (job.to_string(), super::summary(how));
    say("notice-job-ended", &[("job", &job), ("how", &how), ("title", title)])
}

fn jobs_ended(jobs: &[JobName]) -> String {
    let names: Vec<String> = jobs.iter().map(|name| format!("{} {}", name.job, name.title)).collect();
    say("notice-jobs-ended", &[("jobs", &names.join("; "))])
}

/// A notice about a whole answer.
fn of_answer(notice: &Notice) -> String {
    let id = match notice {
        Notice::OutputLimit => "notice-output-limit",
        Notice::WindowEnd => "notice-window-end",
        Notice::Filtered => "notice-filtered",
        _ => "notice-empty-reply",
    };
    say(id, &[])
}

fn of_review(notice: &Notice) -> String {
    match notice {
        Notice::NotHandedOver { tool } => say("notice-not-handed-over", &[("tool", tool)]),
        Notice::NotToldWhole { files } => count("notice-not-told-whole", *files, &[]),
        Notice::SecretsLeftOut { paths } => say("notice-secrets-left-out", &[("paths", &paths.join(", "))]),
        _ => String::new(),
    }
}

#[expect(clippy::too_many_lines, reason = "a flat table, an arm each")]
fn text(notice: &Notice) -> String {
    match notice {
        Notice::TodoOpen { items } => say("notice-todo-open", &[("items", &items.join("; "))]),
        Notice::Limit(limit) => self::limit(limit),
        Notice::Loop { tool, title, times } => looped(tool, title, *times),
        Notice::Denials { times } => numbers("notice-denials", &[("times", u64::from(*times))]),
        Notice::OutputLimit | Notice::WindowEnd | Notice::Filtered | Notice::EmptyReply => of_answer(notice),
        Notice::Unproven => word(Word::NoticeUnproven).to_owned(),
        Notice::NotHandedOver { .. } | Notice::NotToldWhole { .. } | Notice::SecretsLeftOut { .. } => of_review(notice),
        Notice::CallCut { tool, tokens } => call_cut(tool, *tokens),
        Notice::FellBack { from, to, failure } => fell_back(from, to, failure),
        Notice::NothingToRetry => say("notice-nothing-to-retry", &[]),
        Notice::RecordingEnded => say("notice-recording-ended", &[]),
        Notice::NotValidated(why) => not_validated(why),
        Notice::ContextFilled { percent, .. } => numbers("notice-context-filled", &[("percent", *percent)]),
        Notice::NotSummarised(why) => not_summarised(why),
        Notice::JobEnded { job, title, how } => job_ended(*job, title, how),
        Notice::JobsEnded { jobs } => jobs_ended(jobs),
        Notice::Summarising => say("notice-summarising", &[]),
        Notice::PinnedWhole => say("notice-pinned-whole", &[]),
        Notice::SummarisedInPart { read, whole } => {
            numbers("notice-summarised-in-part", &[("read", *read), ("whole", *whole)])
        }
        Notice::SummaryStopped => say("notice-summary-stopped", &[]),
        Notice::NothingToCompact => say("notice-nothing-to-compact", &[]),
        Notice::NothingToUndo => say("notice-nothing-to-undo", &[]),
        Notice::PreviewStale => say("notice-preview-stale", &[]),
        Notice::PinsFull { item, taken, most } => {
            let free = most.saturating_sub(*taken);
            numbers("notice-pins-full", &[("item", *item), ("free", free), ("most", *most)])
        }
        Notice::NothingSaved { tokens, line } => {
            numbers("notice-nothing-saved", &[("tokens", *tokens), ("line", *line)])
        }
        Notice::Todo { item, known } => no_item(*item, known),
        Notice::NoSession => say("notice-no-session", &[]),
        Notice::NoAgent { agent, nearest } => no_agent(agent, nearest.as_deref()),
        Notice::Subagent { agent } | Notice::InnerAgent { agent } => not_worked_with(notice, agent),
        Notice::AgentGone { agent, instead } => {
            say("notice-agent-gone", &[("agent", &agent.0), ("instead", &instead.0)])
        }
        Notice::Busy => say("notice-busy", &[]),
        Notice::SeatsFull { most } => say("notice-seats-full", &[("most", &most.to_string())]),
        Notice::OnlySeat => say("notice-only-seat", &[]),
        Notice::Worktree(what) => worktree(what),
        Notice::Undo(what) => undo(what),
        Notice::Server(what) => servers(what),
        Notice::WindowAssumed { model, tokens } => say(
            "notice-window-assumed",
            &[("model", model), ("tokens", &grouped(*tokens))],
        ),
        Notice::WindowSmaller { model, wanted, runs } => window_smaller(model, *wanted, *runs),
        Notice::CacheLost { again, prompt } => numbers("notice-cache-lost", &[("again", *again), ("prompt", *prompt)]),
        Notice::CallsRead { written } => calls_read(*written),
        Notice::CallsWritten { model, because } => calls_written(model, *because),
        Notice::PromptCut { read, sent } => numbers("notice-prompt-cut", &[("read", *read), ("sent", *sent)]),
        Notice::NoModel(why) => no_model(why),
        Notice::ModelTaken { model, offered, memory } => taken(model, *offered, *memory),
        // The sender already knows the available models.
        Notice::Model { why } => why.clone(),
        Notice::ModelUnlisted { model, names, listed } => unlisted(model, names, *listed),
        Notice::ModelUnchecked { model, why } => unchecked(model, why.as_deref()),
        Notice::Config(what) => config(what),
        Notice::WideFolder { path, repository } => no_project("notice-wide-folder", path, *repository),
        Notice::SystemFolder { path, repository } => no_project("notice-system-folder", path, *repository),
        Notice::Service(what) => service(what),
        Notice::Untrusted { files, until } => untrusted(files, *until),
        Notice::Reloaded { from } => match from {
            CountsFrom::Now => say("notice-reloaded-now", &[]),
            CountsFrom::NextSession => say("notice-reloaded-next-session", &[]),
        },
        Notice::Trusted { from } => match from {
            CountsFrom::Now => say("notice-trusted-now", &[]),
            CountsFrom::NextSession => say("notice-trusted-next-session", &[]),
        },
        Notice::Distrusted => say("notice-distrusted", &[]),
        Notice::NothingToTrust => say("notice-nothing-to-trust", &[]),
        Notice::Refused(unread) => self::unread(unread),
        Notice::BrokenSkills { skills } => say("notice-broken-skills", &[("skills", &broken(skills))]),
        Notice::Hook { hook, event, said } => super::hook::hook(hook, *event, said),
        Notice::BrokenCommands { commands } => say("notice-broken-commands", &[("commands", &broken(commands))]),
        Notice::NotSent { name, line } => say("notice-not-sent", &[("name", name), ("line", line)]),
        Notice::SkillsUntold { told, all } => numbers("notice-skills-untold", &[("told", *told), ("all", *all)]),
        Notice::RulesCut { file, told, whole } => {
            let kilobytes = |bytes: u64| bytes.div_ceil(1024).to_string();
            let (told, whole) = (&kilobytes(*told), &kilobytes(*whole));
            say("notice-rules-cut", &[("file", file), ("told", told), ("whole", whole)])
        }
        Notice::IndexRebuilt { path, aside, sessions } => say(
            "notice-index-rebuilt",
            &[("path", path), ("aside", aside), ("sessions", &sessions.to_string())],
        ),
        Notice::Storage { why, .. } => say("notice-storage", &[("why", why)]),
        Notice::Words { text, .. } => text.clone(),
    }
}

fn looped(tool: &str, title: &str, times: u32) -> String {
    let call = super::request::call_named(tool, title);
    say("notice-loop", &[("call", &call), ("times", &times.to_string())])
}

fn call_cut(tool: &str, tokens: Option<u64>) -> String {
    match tokens {
        None => say("notice-call-cut", &[("tool", tool)]),
        Some(tokens) => say(
            "notice-call-cut-tokens",
            &[("tool", tool), ("tokens", &tokens.to_string())],
        ),
    }
}

fn fell_back(from: &ModelRef, to: &ModelRef, failure: &Failure) -> String {
    let why = super::failure(failure).text;
    let (from, to) = (&from.to_string(), &to.to_string());
    say("notice-fell-back", &[("from", from), ("to", to), ("why", &why)])
}

/// In a repository, the rules and files of its subfolders are found.
fn no_project(id: &str, path: &str, repository: bool) -> String {
    let said = say(id, &[("path", path)]);
    match repository {
        true => said,
        false => [said, say("notice-near-top", &[])].join(" "),
    }
}

fn unlisted(model: &ModelRef, names: &[String], listed: u64) -> String {
    let is_all = names.len() as u64 == listed;
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (model, names) = (("model", model.id.as_str()), ("names", &*names.join(", ")));
    match is_all {
        true => say("notice-model-unlisted-all", &[model, names]),
        false => say(
            "notice-model-unlisted",
            &[model, names, ("listed", &listed.to_string())],
        ),
    }
}

fn unchecked(model: &ModelRef, why: Option<&str>) -> String {
    let (model, provider) = (model.id.as_str(), model.provider.as_str());
    match why {
        Some(why) => say("notice-model-unchecked-because", &[("model", model), ("why", why)]),
        None => say("notice-model-unchecked", &[("model", model), ("provider", provider)]),
    }
}

fn window_smaller(model: &str, wanted: u64, runs: u64) -> String {
    let (wanted, runs) = (wanted.to_string(), runs.to_string());
    say(
        "notice-window-smaller",
        &[("model", model), ("wanted", &wanted), ("runs", &runs)],
    )
}

fn calls_read(written: Written) -> String {
    let mut more = String::new();
    for (id, count) in [
        ("notice-calls-repaired", written.repaired),
        ("notice-calls-leaked", written.leaked),
        ("notice-calls-unusable", written.unusable),
    ] {
        if count > 0 {
            more.push_str(&numbers(id, &[("count", u64::from(count))]));
        }
    }
    say(
        "notice-calls-read",
        &[("calls", &written.calls.to_string()), ("more", &more)],
    )
}

fn calls_written(model: &str, because: WrittenCalls) -> String {
    let id = match because {
        WrittenCalls::NotInTemplate => "notice-calls-written-not-in-template",
        WrittenCalls::Refused => "notice-calls-written-refused",
    };
    say(id, &[("model", model)])
}

fn untrusted(files: &[String], until: Until) -> String {
    let id = match until {
        Until::Answered => "notice-untrusted-answered",
        Until::Trusted => "notice-untrusted-trusted",
    };
    say(id, &[("files", &super::brought(files))])
}

fn broken(skills: &[BrokenSkill]) -> String {
    let each = skills
        .iter()
        .map(|broken| format!("{}:{}: {}", broken.file, broken.line, broken.why));
    let each: Vec<String> = each.collect();
    each.join("; ")
}

fn numbers(id: &str, values: &[(&str, u64)]) -> String {
    let written: Vec<(&str, String)> = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
    let values: Vec<(&str, &str)> = written.iter().map(|(name, value)| (*name, value.as_str())).collect();
    say(id, &values)
}

fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Time => say("notice-limit-time", &[]),
        Limit::Steps { steps } => say("notice-limit-steps", &[("steps", &steps.to_string())]),
        Limit::Tokens { used, most } => say(
            "notice-limit-tokens",
            &[("used", &used.to_string()), ("most", &most.to_string())],
        ),
        Limit::Cost { spent, most } => say(
            "notice-limit-cost",
            &[("spent", &format!("{spent:.4}")), ("most", &most.to_string())],
        ),
    }
}

fn not_validated(why: &NotValidated) -> String {
    match why {
        NotValidated::NoCheck => say("notice-not-validated-no-check", &[]),
        NotValidated::NotAllowed => say("notice-not-validated-not-allowed", &[]),
        NotValidated::CannotRun { command, error } => say(
            "notice-not-validated-cannot-run",
            &[("command", command), ("error", error)],
        ),
    }
}

fn not_summarised(why: &NoSummary) -> String {
    let id = if why.is_failure() {
        "notice-not-summarised-failed"
    } else {
        "notice-not-summarised"
    };
    say(id, &[("why", &no_summary(why))])
}

/// Explains why there is no summary, as the end of a sentence.
fn no_summary(why: &NoSummary) -> String {
    match why {
        NoSummary::Failed { error } => say("no-summary-failed", &[("error", error)]),
        NoSummary::Empty => say("no-summary-empty", &[]),
        NoSummary::TooLong => say("no-summary-too-long", &[]),
        NoSummary::Called => say("no-summary-called", &[]),
        NoSummary::Repeated => say("no-summary-repeated", &[]),
        NoSummary::Silent { seconds: 0 } => say("no-summary-silent", &[]),
        NoSummary::Silent { seconds } => say("no-summary-silent-for", &[("seconds", &seconds.to_string())]),
        NoSummary::Unfinished { seconds } => say("no-summary-unfinished", &[("seconds", &seconds.to_string())]),
        NoSummary::Skipped => say("no-summary-skipped", &[]),
        NoSummary::NoGain => say("no-summary-no-gain", &[]),
    }
}

fn taken(model: &str, offered: u64, memory: Option<u64>) -> String {
    let offered = &offered.to_string();
    match memory {
        None => say("notice-model-taken", &[("model", model), ("offered", offered)]),
        Some(memory) => {
            let memory = &memory.to_string();
            let values = [("model", model), ("offered", offered), ("memory", memory)];
            say("notice-model-taken-here", &values)
        }
    }
}

fn no_model(why: &NoModel) -> String {
    match why {
        NoModel::NoServer => say("notice-no-model-no-server", &[]),
        NoModel::NoneOffered { provider } => say("notice-no-model-none-offered", &[("provider", provider)]),
        NoModel::Failed { error } => say("notice-no-model-failed", &[("error", error)]),
    }
}

fn config(what: &ConfigNotice) -> String {
    match what {
        ConfigNotice::Exists { path, base_url, model } => say(
            "notice-config-exists",
            &[("path", path), ("address", base_url), ("model", model)],
        ),
        ConfigNotice::NotKept { path, error } => say("notice-config-not-kept", &[("path", path), ("error", error)]),
        ConfigNotice::Using { model, address } => say("notice-config-using", &[("model", model), ("address", address)]),
        ConfigNotice::PutAside { old } => say("notice-config-put-aside", &[("old", old)]),
        ConfigNotice::NothingChosen => say("notice-config-nothing-chosen", &[]),
        ConfigNotice::Wrong { sentences } => sentences.clone(),
        ConfigNotice::Renamed { place, was, now } => {
            say("notice-config-renamed", &[("place", place), ("was", was), ("now", now)])
        }
        ConfigNotice::Theme { theme, wrong } => say("notice-config-theme", &[("theme", theme), ("wrong", wrong)]),
        ConfigNotice::NotHidden => say("notice-config-not-hidden", &[]),
    }
}

fn service(what: &ServiceNotice) -> String {
    match what {
        ServiceNotice::Starting { command, seconds } => {
            let seconds = &seconds.to_string();
            say("notice-service-starting", &[("command", command), ("seconds", seconds)])
        }
        ServiceNotice::Started { place } => say("notice-service-started", &[("place", place)]),
        ServiceNotice::NotStarted { command, why } => {
            let why = match why {
                NoService::Refused { error } => error.clone(),
                NoService::Ended { status } => say("service-ended", &[("status", status)]),
                NoService::Silent { seconds } => say("service-silent", &[("seconds", &seconds.to_string())]),
            };
            say("notice-service-not-started", &[("command", command), ("why", &why)])
        }
        ServiceNotice::Nothing => say("notice-service-nothing", &[]),
    }
}

/// Explains why a rules file was not used.
fn unread(unread: &Unread) -> String {
    let id = match unread.by {
        NamedBy::Instructions => "notice-unread-instructions",
        NamedBy::Folder => "notice-unread-folder",
        NamedBy::Tools => "notice-unread-tool",
    };
    say(id, &[("file", &unread.file), ("why", &unread.why)])
}
