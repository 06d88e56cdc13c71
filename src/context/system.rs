//! The system prompt: who the model is here, which folder it works in, and what Benchdog does with its proposals.

/// The facts the prompt states. Equal facts make an equal prompt, so the server's prefix cache is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The absolute working folder.
    pub(crate) workspace: String,
    /// Further roots, absolute.
    pub(crate) added: Vec<String>,
    /// The day the session began, so that a resumed session keeps its prompt.
    pub(crate) day: String,
    /// The rules, as `rules::text` wrote them.
    pub(crate) rules: String,
}

const TEMPLATE: &str = include_str!("../../assets/prompts/system.md");

pub(crate) fn prompt(facts: &Facts) -> String {
    let added = if facts.added.is_empty() {
        String::new()
    } else {
        format!("\n- Further folders you may use: {}", facts.added.join(", "))
    };
    TEMPLATE
        .replace("{workspace}", &facts.workspace)
        .replace("{added}", &added)
        .replace("{day}", &facts.day)
        .replace("{system}", std::env::consts::OS)
        .replace("{rules}", &facts.rules)
}
