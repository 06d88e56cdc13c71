//! Messages about notices.

use super::failure::told_by_server;
use super::seats::worktree;
use super::servers::servers;
use super::undo::{folder_changes, undo};
use super::watch::watch;
use super::{Word, Words, advice, message, word};
use benchdog_base::text::grouped;
use benchdog_domain::agent::{AgentName, ModelRef, short_model};
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::failure::Failure;
use benchdog_domain::job::{JobId, JobName};
use benchdog_domain::language::LanguageNotice;
use benchdog_domain::message::Written;
use benchdog_domain::notice::{
    ConfigNotice, CountsFrom, Limit, NamedBy, NoModel, NoService, NotValidated, Notice, ServiceNotice, Unread, Until,
    WrittenCalls,
};
use benchdog_domain::server::ServerTrouble;
use benchdog_domain::server_error::ServerError;
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
    let said = match notice {
        Notice::Subagent { .. } => message::notice_subagent,
        _ => message::notice_inner_agent,
    };
    said(&agent.0)
}

fn no_agent(agent: &AgentName, nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => message::notice_no_agent_but(&agent.0, nearest),
        None => message::notice_no_agent(&agent.0),
    }
}

fn no_item(item: u32, known: &[u32]) -> String {
    let known: Vec<String> = known.iter().map(u32::to_string).collect();
    message::notice_todo(&item.to_string(), &known.join(", "))
}

fn job_ended(job: JobId, title: &str, how: &Summary) -> String {
    let (job, how) = (job.to_string(), super::summary(how));
    message::notice_job_ended(&how, &job, title)
}

fn jobs_ended(jobs: &[JobName]) -> String {
    let names: Vec<String> = jobs.iter().map(|name| format!("{} {}", name.job, name.title)).collect();
    message::notice_jobs_ended(&names.join("; "))
}

/// Formats a notice about an answer that is truncated, filtered or empty.
fn answer(notice: &Notice) -> String {
    let id = match notice {
        Notice::OutputLimit => Word::NoticeOutputLimit,
        Notice::WindowEnd => Word::NoticeWindowEnd,
        Notice::Filtered => Word::NoticeFiltered,
        _ => Word::NoticeEmptyReply,
    };
    word(id).to_owned()
}

fn language(notice: &LanguageNotice) -> String {
    let LanguageNotice {
        server,
        trouble,
        crashes,
    } = notice;
    let why = super::server_trouble(trouble);
    match (trouble, crashes) {
        (ServerTrouble::Untrusted, _) => message::notice_language_untrusted(server, &why),
        (ServerTrouble::NoSandbox { .. }, _) => message::notice_language_no_sandbox(server, &why),
        (ServerTrouble::Unhealthy { .. }, _) => message::notice_language_unhealthy(server, &why),
        (_, 0) => message::notice_language_not_started(server, &why),
        _ => message::notice_language_crashed(server, &crashes.to_string(), &why),
    }
}

fn review(notice: &Notice) -> String {
    match notice {
        Notice::NotHandedOver { tool } => message::notice_not_handed_over(tool),
        Notice::NotToldWhole { files } => message::notice_not_told_whole(*files),
        Notice::SecretsLeftOut { paths } => message::notice_secrets_left_out(&paths.join(", ")),
        _ => String::new(),
    }
}

fn of_files(notice: &Notice) -> String {
    match notice {
        Notice::Undo(what) => undo(what),
        Notice::Folder(changes) => folder_changes(changes),
        Notice::Watch(what) => watch(what),
        _ => String::new(),
    }
}

fn text(notice: &Notice) -> String {
    match notice {
        Notice::TodoOpen { items } => message::notice_todo_open(&items.join("; ")),
        Notice::Limit(limit) => self::limit(limit),
        Notice::Loop { tool, title, times } => loop_notice(tool, title, *times),
        Notice::Denials { times } => message::notice_denials(&times.to_string()),
        Notice::OutputLimit | Notice::WindowEnd | Notice::Filtered | Notice::EmptyReply => answer(notice),
        Notice::Imported { from, file } => message::notice_imported(file, from),
        Notice::Unproven => word(Word::NoticeUnproven).to_owned(),
        Notice::NotHandedOver { .. } | Notice::NotToldWhole { .. } | Notice::SecretsLeftOut { .. } => review(notice),
        Notice::CallCut { tool, tokens } => call_cut(tool, *tokens),
        Notice::FellBack { from, to, failure } => fallback(from, to, failure),
        Notice::NothingToRetry => word(Word::NoticeNothingToRetry).to_owned(),
        Notice::RecordingEnded => word(Word::NoticeRecordingEnded).to_owned(),
        Notice::NotValidated(why) => not_validated(why),
        Notice::ContextFilled { percent, .. } => message::notice_context_filled(&percent.to_string()),
        Notice::NotSummarised(why) => not_summarised(why),
        Notice::JobEnded { job, title, how } => job_ended(*job, title, how),
        Notice::JobsEnded { jobs } => jobs_ended(jobs),
        Notice::Summarising => word(Word::NoticeSummarising).to_owned(),
        Notice::PinnedWhole => word(Word::NoticePinnedWhole).to_owned(),
        Notice::SummarisedInPart { read, whole } => {
            message::notice_summarised_in_part(&read.to_string(), &whole.to_string())
        }
        Notice::SummaryStopped => word(Word::NoticeSummaryStopped).to_owned(),
        Notice::NothingToCompact => word(Word::NoticeNothingToCompact).to_owned(),
        Notice::NothingToUndo => word(Word::NoticeNothingToUndo).to_owned(),
        Notice::PreviewStale => word(Word::NoticePreviewStale).to_owned(),
        Notice::PinsFull { item, taken, most } => {
            let free = most.saturating_sub(*taken);
            message::notice_pins_full(&free.to_string(), &item.to_string(), &most.to_string())
        }
        Notice::NothingSaved { tokens, line } => message::notice_nothing_saved(&line.to_string(), &tokens.to_string()),
        Notice::Todo { item, known } => no_item(*item, known),
        Notice::NoSession => word(Word::NoticeNoSession).to_owned(),
        Notice::NoAgent { agent, nearest } => no_agent(agent, nearest.as_deref()),
        Notice::Subagent { agent } | Notice::InnerAgent { agent } => not_worked_with(notice, agent),
        Notice::AgentGone { agent, instead } => message::notice_agent_gone(&agent.0, &instead.0),
        Notice::Busy => word(Word::NoticeBusy).to_owned(),
        Notice::SeatsFull { most } => message::notice_seats_full(&most.to_string()),
        Notice::OnlySeat => word(Word::NoticeOnlySeat).to_owned(),
        Notice::Worktree(what) => worktree(what),
        Notice::Undo(_) | Notice::Folder(_) | Notice::Watch(_) => of_files(notice),
        Notice::Server(what) => servers(what),
        Notice::Language(what) => language(what),
        Notice::WindowAssumed { model, tokens } => message::notice_window_assumed(model, &grouped(*tokens)),
        Notice::WindowSmaller { model, wanted, runs } => window_smaller(model, *wanted, *runs),
        Notice::CacheLost { again, prompt } => message::notice_cache_lost(&again.to_string(), &prompt.to_string()),
        Notice::CallsRead { written } => calls_read(*written),
        Notice::CallsWritten { model, because } => calls_written(model, *because),
        Notice::PromptCut { read, sent } => message::notice_prompt_cut(&read.to_string(), &sent.to_string()),
        Notice::NoModel(why) => no_model(why),
        Notice::ModelTaken { model, offered, memory } => model_chosen(model, *offered, *memory),
        // The reason already lists the available models.
        Notice::Model { why } => why.clone(),
        Notice::ModelUnlisted { model, names, listed } => unlisted_model(model, names, *listed),
        Notice::ModelUnchecked { model, why, server } => unchecked_model(model, why.as_deref(), server.as_deref()),
        Notice::Config(what) => config(what),
        Notice::WideFolder { path, repository } => no_project(message::notice_wide_folder, path, *repository),
        Notice::SystemFolder { path, repository } => no_project(message::notice_system_folder, path, *repository),
        Notice::Service(what) => service(what),
        Notice::Untrusted { files, until } => untrusted_files(files, *until),
        Notice::Unbound { names } => message::notice_unbound(&names.join(", ")),
        Notice::Reloaded { from } => match from {
            CountsFrom::Now => word(Word::NoticeReloadedNow).to_owned(),
            CountsFrom::NextSession => word(Word::NoticeReloadedNextSession).to_owned(),
        },
        Notice::Trusted { from } => match from {
            CountsFrom::Now => word(Word::NoticeTrustedNow).to_owned(),
            CountsFrom::NextSession => word(Word::NoticeTrustedNextSession).to_owned(),
        },
        Notice::Distrusted => word(Word::NoticeDistrusted).to_owned(),
        Notice::NoRepositoryToTrust => word(Word::NoticeNoRepositoryToTrust).to_owned(),
        Notice::NothingToTrust => word(Word::NoticeNothingToTrust).to_owned(),
        Notice::Refused(unread) => self::unread(unread),
        Notice::BrokenSkills { skills } => message::notice_broken_skills(&broken_skills(skills)),
        Notice::Hook { hook, event, said } => super::hook::hook(hook, *event, said),
        Notice::BrokenCommands { commands } => message::notice_broken_commands(&broken_skills(commands)),
        Notice::NotSent { name, line } => message::notice_not_sent(line, name),
        Notice::SkillsUntold { told, all } => message::notice_skills_untold(&all.to_string(), &told.to_string()),
        Notice::RulesCut { file, told, whole } => {
            let kilobytes = |bytes: u64| bytes.div_ceil(1024).to_string();
            let (told, whole) = (&kilobytes(*told), &kilobytes(*whole));
            message::notice_rules_cut(file, told, whole)
        }
        Notice::IndexRebuilt { path, aside, sessions } => {
            message::notice_index_rebuilt(aside, path, &sessions.to_string())
        }
        Notice::Storage { why, .. } => message::notice_storage(why),
        Notice::Words { text, .. } => text.clone(),
    }
}

fn loop_notice(tool: &str, title: &str, times: u32) -> String {
    let call = super::request::call_named(tool, title);
    message::notice_loop(&call, &times.to_string())
}

fn call_cut(tool: &str, tokens: Option<u64>) -> String {
    match tokens {
        None => message::notice_call_cut(tool),
        Some(tokens) => message::notice_call_cut_tokens(&tokens.to_string(), tool),
    }
}

fn fallback(from: &ModelRef, to: &ModelRef, failure: &Failure) -> String {
    let why = super::failure(failure).text;
    let (from, to) = (&from.to_string(), &to.to_string());
    message::notice_fell_back(from, to, &why)
}

/// Reports a folder without a project. `repository` is set if the folder is in a repository. Otherwise, rules in
/// subfolders are ignored, and only files near the top are found.
fn no_project(said: fn(&str) -> String, path: &str, repository: bool) -> String {
    let said = said(path);
    match repository {
        true => said,
        false => [said, word(Word::NoticeNearTop).to_owned()].join(" "),
    }
}

fn unlisted_model(model: &ModelRef, names: &[String], listed: u64) -> String {
    let is_all = names.len() as u64 == listed;
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    match is_all {
        true => message::notice_model_unlisted_all(&model.id, &names),
        false => message::notice_model_unlisted(&listed.to_string(), &model.id, &names),
    }
}

fn unchecked_model(model: &ModelRef, why: Option<&str>, server: Option<&ServerError>) -> String {
    let (model, provider) = (model.id.as_str(), model.provider.as_str());
    match why {
        Some(why) => message::notice_model_unchecked_because(model, &told_by_server(why, server)),
        None => message::notice_model_unchecked(model, provider),
    }
}

fn window_smaller(model: &str, wanted: u64, runs: u64) -> String {
    let (wanted, runs) = (wanted.to_string(), runs.to_string());
    message::notice_window_smaller(model, &runs, &wanted)
}

fn calls_read(written: Written) -> String {
    let mut more = String::new();
    let repaired: fn(&str) -> String = message::notice_calls_repaired;
    for (said, count) in [
        (repaired, written.repaired),
        (message::notice_calls_leaked, written.leaked),
        (message::notice_calls_unusable, written.unusable),
    ] {
        if count > 0 {
            more.push_str(&said(&count.to_string()));
        }
    }
    message::notice_calls_read(&written.calls.to_string(), &more)
}

fn calls_written(model: &str, because: WrittenCalls) -> String {
    let said = match because {
        WrittenCalls::NotInTemplate => message::notice_calls_written_not_in_template,
        WrittenCalls::Refused => message::notice_calls_written_refused,
        WrittenCalls::TooSmall => message::notice_calls_written_too_small,
    };
    said(model)
}

fn untrusted_files(files: &[String], until: Until) -> String {
    let said = match until {
        Until::Answered => message::notice_untrusted_answered,
        Until::Trusted => message::notice_untrusted_trusted,
    };
    said(&super::brought(files))
}

fn broken_skills(skills: &[BrokenSkill]) -> String {
    let each = skills
        .iter()
        .map(|broken| format!("{}:{}: {}", broken.file, broken.line, broken.why));
    let each: Vec<String> = each.collect();
    each.join("; ")
}

fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Time => word(Word::NoticeLimitTime).to_owned(),
        Limit::Steps { steps } => message::notice_limit_steps(&steps.to_string()),
        Limit::Tokens { used, most } => message::notice_limit_tokens(&most.to_string(), &used.to_string()),
        Limit::Cost { spent, most } => message::notice_limit_cost(&most.to_string(), &format!("{spent:.4}")),
    }
}

fn not_validated(why: &NotValidated) -> String {
    match why {
        NotValidated::NoCheck => word(Word::NoticeNotValidatedNoCheck).to_owned(),
        NotValidated::NotAllowed => word(Word::NoticeNotValidatedNotAllowed).to_owned(),
        NotValidated::CannotRun { command, error } => message::notice_not_validated_cannot_run(command, error),
    }
}

fn not_summarised(why: &NoSummary) -> String {
    let said: fn(&str) -> String = if why.is_failure() {
        message::notice_not_summarised_failed
    } else {
        message::notice_not_summarised
    };
    said(&no_summary(why))
}

/// Explains the missing summary, as the end of a sentence.
fn no_summary(why: &NoSummary) -> String {
    match why {
        NoSummary::Failed { error, server } => message::no_summary_failed(&told_by_server(error, server.as_deref())),
        NoSummary::Empty => word(Word::NoSummaryEmpty).to_owned(),
        NoSummary::TooLong => word(Word::NoSummaryTooLong).to_owned(),
        NoSummary::Called => word(Word::NoSummaryCalled).to_owned(),
        NoSummary::Repeated => word(Word::NoSummaryRepeated).to_owned(),
        NoSummary::Silent { seconds: 0 } => word(Word::NoSummarySilent).to_owned(),
        NoSummary::Silent { seconds } => message::no_summary_silent_for(&seconds.to_string()),
        NoSummary::Unfinished { seconds } => message::no_summary_unfinished(&seconds.to_string()),
        NoSummary::Skipped => word(Word::NoSummarySkipped).to_owned(),
        NoSummary::NoGain => word(Word::NoSummaryNoGain).to_owned(),
    }
}

fn model_chosen(model: &str, offered: u64, memory: Option<u64>) -> String {
    let offered = &offered.to_string();
    match memory {
        None => message::notice_model_taken(model, offered),
        Some(memory) => {
            let memory = &memory.to_string();
            message::notice_model_taken_here(memory, model, offered)
        }
    }
}

fn no_model(why: &NoModel) -> String {
    match why {
        NoModel::NoServer => word(Word::NoticeNoModelNoServer).to_owned(),
        NoModel::NoneOffered { provider } => message::notice_no_model_none_offered(provider),
        NoModel::Failed { error, server } => message::notice_no_model_failed(&told_by_server(error, server.as_deref())),
    }
}

fn config(what: &ConfigNotice) -> String {
    match what {
        ConfigNotice::NotKept { path, error } => message::notice_config_not_kept(error, path),
        ConfigNotice::Using { model, address } => message::notice_config_using(address, short_model(model)),
        ConfigNotice::PutAside { old } => message::notice_config_put_aside(old),
        ConfigNotice::Wrong { sentences } => sentences.clone(),
        ConfigNotice::Renamed { place, was, now } => message::notice_config_renamed(now, place, was),
        ConfigNotice::Theme { theme, wrong } => message::notice_config_theme(theme, wrong),
        ConfigNotice::NotHidden => word(Word::NoticeConfigNotHidden).to_owned(),
    }
}

fn service(what: &ServiceNotice) -> String {
    match what {
        ServiceNotice::Starting { command, seconds } => {
            let seconds = &seconds.to_string();
            message::notice_service_starting(command, seconds)
        }
        ServiceNotice::Started { place } => message::notice_service_started(place),
        ServiceNotice::NotStarted { command, why } => {
            let why = match why {
                NoService::Refused { error } => error.clone(),
                NoService::Ended { status } => message::service_ended(status),
                NoService::Silent { seconds } => message::service_silent(&seconds.to_string()),
            };
            message::notice_service_not_started(command, &why)
        }
        ServiceNotice::Nothing => word(Word::NoticeServiceNothing).to_owned(),
    }
}

/// Explains why a rules file was not used.
fn unread(unread: &Unread) -> String {
    let said = match unread.by {
        NamedBy::Instructions => message::notice_unread_instructions,
        NamedBy::Folder => message::notice_unread_folder,
        NamedBy::Tools => message::notice_unread_tool,
    };
    said(&unread.file, &unread.why)
}
