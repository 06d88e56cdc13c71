//! Texts of `/watch` for the model: files that other programs changed, and comments in saved files.

use super::neutral::neutral;
use super::repository::listed;
use benchdog_domain::watch::{AiComment, Request};

const NAMED: usize = 20;

/// Formats the note about files that other programs changed. The note is sent with a prompt. `None` without such files.
pub fn note(names: &[String]) -> Option<String> {
    let named = listed(names, NAMED);
    let changed = match names.len() {
        0 => return None,
        1 => format!("1 file was changed: {named}"),
        many if many <= NAMED => format!("{many} files were changed: {named}"),
        many => format!("{many} files were changed, among them {named}"),
    };
    Some(format!(
        "Since your last turn, and not by your calls, {changed}. Read them again before you rely on their content."
    ))
}

/// Formats the prompt for comments, with the paths of their files. `asked` contains at least one request.
pub fn prompt(asked: &[(String, AiComment)], others: &[(String, AiComment)]) -> String {
    let changes = asked.iter().any(|(_, comment)| comment.request == Request::Change);
    let order = match changes {
        true => "Do what these comments in saved files ask, then remove the comments:",
        false => "Answer these comments in saved files. Change no files:",
    };
    let mut prompt = format!("{order}\n\n{}", rows(asked));
    if !others.is_empty() {
        prompt.push_str("\n\nOther comments in changed files for it:\n\n");
        prompt.push_str(&rows(others));
    }
    prompt
}

fn rows(comments: &[(String, AiComment)]) -> String {
    let row = |(path, comment): &(String, AiComment)| {
        let text = format!("- {path}:{}: {}", comment.line, comment.text);
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        neutral(&text).into_owned()
    };
    comments.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
