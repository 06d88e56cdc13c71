//! Messages for people. Other modules keep values, which become sentences here by the tables in
//! `assets/lang`.
//!
//! Only the table of the current language is read, when it is first needed. The workbench prepares it
//! in parallel to its start. Missing messages are shown in English. A message without values is
//! formatted once.

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
mod word;

pub use advice::{CODES, advice};
pub use background::{
    job_ends, job_is_over, job_runs, job_wanted, jobs_keys, jobs_running, loop_begun, loop_failed, loop_stands,
    loop_stopped, loops_going, loops_stopped, no_job, no_loop,
};
pub use because::because;
pub use cards::{more_wait, several_wait, taken_back, unsent};
pub use checkup::{Finding, check, finding};
pub use commit::{
    commit_kept, commit_nearly_all, commit_proposed, commit_secret, commit_stale, commit_twice, no_repository,
    not_staged, unstaged,
};
pub use comparison::{diff_of, more_differ, no_comparison, nothing_found, severity, unread};
pub use confinement::{confinement, doctor_incomplete, doctor_level, doctor_part, doctor_passed, doctor_variables};
pub use damage::{flaw, more_flaws, session_checked, session_saved, session_unchecked};
pub use failed::told;
pub use failure::{failure, names_no_lines};
pub use form::{form_field, form_unsent, server_asks, server_form, wrong_answer};
pub use hook::{HookRow, hooks};
pub use importing::{
    import_allow, import_file, import_keys, import_left, import_nothing, import_read, import_unwritten, import_why,
    import_written,
};
pub use language::{Language, speak};
pub use linear::{
    always, begins, empty_line_gives, goes_on, line_leaves_out, needs_screen, not_sent, reads_on, waits_for_server,
    waits_its_turn,
};
pub use merged::{both_changed, file_note};
pub use notice::notice;
pub use plain::{
    allowed, allowed_in_sandbox, always_allowed, at_most, carry_out, check_failed, check_passed, comes_back,
    demo_again, denied, dollars_wanted, ended_after, error, look_at_project, note, number_wanted, todo, trying_again,
    unwritable, whole_wanted,
};
pub use plan::{no_plan_file, plan_exported, plan_not_exported, plan_opened, plans};
pub use prompt::{cleared, draft_is_back, misspelt, paste, prompt_hint, text_full};
pub use reason::reason;
pub use request::{
    allowed_while, allowed_while_briefly, asked, at_file, at_hunk, comes_from, comment_on, comment_place,
    comments_head, copy_of, covered, covered_together, decided_in_order, default_rule, editing, enter_first, field,
    go_on, hunk, in_background, is_earlier_prompt, key_reads_on, key_reads_on_briefly, layer, mode_becomes, not_text,
    only_once, place_alone, place_of, removal, renamed_from, stops_after, undo_waits,
};
pub use said::{Said, numbers, said};
pub use screen::{
    Stroke, Taken, and_more, attempt, brings, broken_skill, brought, characters, child_stops, closes, code_copied,
    copied, earlier_turns, editor_failed, either, find_at_least, find_hits, frees, git_line_unfinished,
    git_option_refused, git_takes_no_shell, here, kept, left, lines, mends_summary, more_lines, new_lines, no_command,
    no_hunk_kept, no_image, no_theme, not_bound, not_copied, nothing_to_paste, once_more, opens, reading, reserve,
    ring_ended, ring_waits, rule_stands, rule_taken_back, seat_closed, service_offered, setting_at_start, setting_held,
    setting_not_written, setting_unknown, setting_wants, setup_answers, setup_keys, setup_testing, skill, skill_source,
    some_of, speed, step, stroke, strokes, takes_summary, theme, theme_for_now, tokens, too_much, try_one, unchanged,
    unfit, waited_at_most, waiting_for, window, words,
};
pub use seats::{
    age, closing, last_seat, only_in, only_seat, seats_ended, seats_wait, seats_work, stopped_by_leaving,
    switchboard_keys, waits_elsewhere, worktree_keys, worktree_refused, would_be_lost,
};
pub use servers::{
    about_server_tool, no_resource, resource_template, resources_of_server, server_added, server_and_tokens_removed,
    server_remarks, server_removed, server_rows, server_stage, server_tool_line, server_tools_missing, server_trouble,
    values_left_out, values_not_yet,
};
pub use sign_in::{not_signed_in, sign_in_link, sign_in_trouble, sign_in_waits, signed_in, signed_out, token_wanted};
pub use status::pulled;
pub use status::{
    about, answers, at_work, calls_decided, calls_ended, cost, endpoint, held, price, sampling, silent, temperature,
    thinking, usage, used_of, window_of,
};
pub use summary::{edited_by_you, in_sandbox, no_output, summary, summary_of_call, summary_with, with_images};
pub use title::{about_setting, title};
pub use title::{described, titled};
pub use transcript::{
    Label, about_agent, agent, asked_again, compacted, cut_short, ended, label, mention, model, undone,
};
pub use trouble::{KeyFrom, Obstacle, key_of, key_of_a_project, key_removed, key_stored, key_wanted, obstacle};
pub use viewer::no_text;
pub use word::{Word, word};

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::FluentArgs;

use self::table::Table;

/// In the order of `Language`.
static TABLES: [LazyLock<Table>; Language::COUNT] = [
    LazyLock::new(|| Table::of(Language::English)),
    LazyLock::new(|| Table::of(Language::Chinese)),
    LazyLock::new(|| Table::of(Language::Japanese)),
    LazyLock::new(|| Table::of(Language::Korean)),
];

/// Finds the messages of the table before the first is needed.
pub fn prepare() {
    if let Some(table) = TABLES.get(language::spoken()) {
        LazyLock::force(table);
    }
}

/// A message for a person: the event, and the advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub text: String,
    /// May be empty.
    pub hint: String,
}

impl Words {
    pub fn joined(&self) -> String {
        format!("{} {}", self.text, self.hint).trim_end().to_owned()
    }
}

/// Formats a message with its values.
fn say(id: &str, values: &[(&str, &str)]) -> String {
    fill(id, arguments(values))
}

/// Formats a message for the model, which is always in English.
fn say_to_the_model(id: &str, values: &[(&str, &str)]) -> String {
    let said = fill_in(Language::English as usize, id, Some(&arguments(values)));
    said.map_or_else(|| id.to_owned(), Cow::into_owned)
}

/// Formats a message with a singular and a plural form. `$count` is the number.
fn count(id: &str, count: usize, values: &[(&str, &str)]) -> String {
    let mut arguments = arguments(values);
    arguments.set("count", count);
    fill(id, arguments)
}

fn arguments<'v>(values: &[(&'v str, &'v str)]) -> FluentArgs<'v> {
    let mut arguments = FluentArgs::with_capacity(values.len());
    for (name, value) in values {
        arguments.set(*name, *value);
    }
    arguments
}

fn fill(id: &str, arguments: FluentArgs) -> String {
    let spoken = language::spoken();
    let said = fill_in(spoken, id, Some(&arguments));
    let said = said.or_else(|| fill_in(Language::English as usize, id, Some(&arguments)));
    // A test ensures that every message exists.
    said.map_or_else(|| id.to_owned(), Cow::into_owned)
}

/// Formats a message of one table. `None` if the table lacks it.
fn fill_in(language: usize, id: &str, arguments: Option<&FluentArgs>) -> Option<Cow<'static, str>> {
    TABLES.get(language)?.say(id, arguments)
}
