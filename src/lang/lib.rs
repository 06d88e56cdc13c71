//! Messages for people. Other modules store values, and this module formats them as sentences from the tables in
//! `assets/lang`.
//!
//! Only the table of the current language is parsed, on first use. The workbench prepares it in parallel to its start.
//! Missing messages are shown in English. A message without values is formatted once.

mod acp;
mod advice;
mod background;
mod because;
mod cards;
mod checkup;
mod commit;
mod comparison;
mod confinement;
mod damage;
mod failed;
mod failure;
mod form;
mod hook;
mod importing;
mod language;
mod linear;
mod merged;
pub mod message;
mod notice;
mod plain;
mod plan;
mod prompt;
mod reason;
mod request;
mod said;
mod screen;
mod seats;
mod servers;
mod sign_in;
mod status;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod title;
mod transcript;
mod trouble;
mod undo;
mod viewer;
mod voice;
mod watch;
mod word;

pub use acp::{always_allows, always_rejects};
pub use advice::{advice, codes};
pub use background::{job_runs, loop_begun, loop_failed, loop_stands, loop_stopped, no_loop};
pub use because::because;
pub use cards::{several_wait, taken_back};
pub use checkup::{Finding, check, finding};
pub use commit::{commit_kept, commit_nearly_all, commit_proposed, commit_secret, commit_stale, not_staged, unstaged};
pub use comparison::{diff_of, no_comparison, severity, unread};
pub use confinement::{confinement, doctor_level, doctor_part, doctor_passed, doctor_variables};
pub use damage::{flaw, more_flaws, session_checked, session_saved};
pub use failed::told;
pub use failure::failure;
pub use form::{form_field, form_unsent, server_asks, server_form, wrong_answer};
pub use hook::{HookRow, hooks};
pub use importing::import_why;
pub use language::{Language, current_language, set_language};
pub use linear::{always, begins, goes_on, waits_for_server};
pub use merged::file_note;
pub use message::Word;
pub use notice::notice;
pub use plain::{allowed, allowed_in_sandbox, always_allowed, at_most, denied, ended_after, todo, trying_again};
pub use plan::{no_plan_file, plan_exported, plan_not_exported, plan_opened, plans};
pub use prompt::{cleared, draft_is_back, last_session, paste, prompt_hint, text_full};
pub use reason::{reason, retry_reason, server_error};
pub use request::{
    allowed_while, allowed_while_briefly, at_file, at_hunk, comes_from, comment_on, comment_place, covered,
    covered_together, decided_in_order, editing, field, go_on, hunk, in_background, is_earlier_prompt, layer, not_text,
    only_once, place_alone, place_of, removal, stops_after, undo_waits,
};
pub use said::{Said, numbers, said};
pub use screen::{
    Stroke, Taken, and_more, attempt, broken_skill, brought, closes, code_copied, either, find_hits, here, left,
    no_command, no_image, no_theme, reading, seat_closed, setup_answers, setup_keys, skill, skill_source, some_of,
    speed, step, stroke, tokens, too_much, unfit, waiting_for, window,
};
pub use seats::{age, closing, only_in, seats_ended, stopped_by_leaving, worktree_refused, would_be_lost};
pub use servers::{
    about_server_tool, no_resource, resources_of_server, server_remarks, server_rows, server_stage, server_tool_line,
    server_tools_missing, server_trouble, values_left_out,
};
pub use sign_in::sign_in_trouble;
pub use status::{
    about, answers, at_work, calls_decided, calls_ended, cost, endpoint, endpoint_trouble, held, price, sampling,
    silent, temperature, thinking, usage, used_of, web_tools, window_of,
};
pub use summary::{summary, summary_of_call, summary_with, with_images};
pub use title::{about_setting, described, title, titled};
pub use transcript::{Label, about_agent, compacted, cut_short, ended, label, mention, undone};
pub use trouble::{KeyFrom, Obstacle, key_of, obstacle};
pub use undo::{files_changed, head_moved, rewind_point};
pub use viewer::no_text;
pub use voice::no_voice;
pub use watch::not_watched;
pub use word::word;

use std::sync::LazyLock;

use self::table::Table;

/// The tables, in the order of `Language`.
static TABLES: [LazyLock<Table>; Language::COUNT] = [
    LazyLock::new(|| Table::new(Language::English)),
    LazyLock::new(|| Table::new(Language::Chinese)),
    LazyLock::new(|| Table::new(Language::Japanese)),
    LazyLock::new(|| Table::new(Language::Korean)),
];

/// Splits the table of the current language into messages, before a message is needed.
pub fn prepare() {
    if let Some(table) = TABLES.get(language::current_index()) {
        LazyLock::force(table);
    }
}

/// A message for a person, with advice that may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub text: String,
    pub hint: String,
}

impl Words {
    pub fn joined(&self) -> String {
        format!("{} {}", self.text, self.hint).trim_end().to_owned()
    }
}
