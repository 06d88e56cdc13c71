//! How a call failed, for a person. What a tool says of it is for the model, which has to mend it; a person wants to know what became of
//! it, in their own language.

use super::say;

/// The codes of tools.
pub(super) const FAILED: &[&str] = &[
    "ambiguous",
    "bad_arguments",
    "bad_decision",
    "bad_path",
    "binary",
    "both_changed",
    "budget_over",
    "cancelled",
    "conflict",
    "denied",
    "encoding",
    "exists",
    "failed",
    "hunk_failed",
    "image",
    "internal",
    "invalid_patch",
    "io",
    "loop",
    "no_access",
    "no_change",
    "no_children",
    "no_match",
    "no_room",
    "not_a_file",
    "not_a_folder",
    "not_answered",
    "not_confined",
    "not_found",
    "not_read",
    "not_started",
    "outside_workspace",
    "past_the_end",
    "read_only",
    "redacted_text",
    "steps_over",
    "symlink_changed",
    "symlink_escape",
    "symlink_loop",
    "time_over",
    "too_large",
    "too_long",
    "too_many_jobs",
    "unknown_item",
    "unknown_job",
    "unknown_tool",
    "unproven",
    "unreadable_call",
    "window_over",
];

/// Codes whose cause is a sentence for a person, whatever the details are.
pub(super) const TOLD: &[&str] = &[
    "ambiguous",
    "bad_arguments",
    "budget_over",
    "conflict",
    "denied",
    "exists",
    "hunk_failed",
    "invalid_patch",
    "loop",
    "no_change",
    "no_match",
    "outside_workspace",
    "steps_over",
    "time_over",
    "unknown_item",
    "unknown_tool",
    "unproven",
    "unreadable_call",
    "window_over",
];

/// What stands beside the call. A code that no table has (a later version's, a server's) is the word that scripts know it by.
pub(crate) fn failed(code: &str) -> String {
    match FAILED.contains(&code) {
        true => say(&format!("failed-{}", code.replace('_', "-")), &[]),
        false => code.replace('_', " "),
    }
}

/// What stands below it in the place of the tool's own words.
pub(crate) fn told(code: &str) -> Option<String> {
    TOLD.contains(&code)
        .then(|| say(&format!("told-{}", code.replace('_', "-")), &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_reads_like_its_notation_in_english_and_an_unknown_one_is_shown_as_it_is() {
        for code in FAILED {
            assert_eq!(failed(code), code.replace('_', " "));
        }
        assert_eq!(failed("of_later"), "of later");
        assert!(TOLD.iter().all(|code| FAILED.contains(code)));
        assert_eq!(told("of_later"), None);
    }
}
