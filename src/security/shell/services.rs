//! Clients of clouds, forges, containers and databases. They may stop or run something on other systems.

use super::arguments::Arguments;
use super::state::{Field, Input, is_open};
use super::tables::danger_words;
use super::walk::Walker;

const ENDS: &str = "delete destroy remove rm rb drop purge terminate prune uninstall del dropdb flushall flushdb stop kill \
    shutdown close merge archive reset down";

/// Whether a word means removing or stopping something, as in `delete`, `delete-object`, `FLUSHALL`.
pub(super) fn ends_something(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let first = word.split(['-', '_']).next().unwrap_or("");
    ENDS.split(' ').any(|known| known == word) || matches!(first, "delete" | "terminate" | "remove" | "drop" | "flush")
}

/// SQL words that access files, programs or other databases, and comment signs, which may hide such a word.
const FUNCTIONS: &str = "readfile writefile load_extension edit( fts3_tokenizer fsdir zipfile sqlar lsmode fileio read_ glob( \
    copy attach install getenv sniff_ /* --";

/// SQLite dot commands that only print.
const DOTS: &str = ".tables .schema .dump .indexes .databases .dbinfo .mode .headers .width .help .show";

impl Walker<'_> {
    pub(super) fn services(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let values = args.given.iter().filter_map(|given| Some(&given.value.as_ref()?.1));
        let changes = |field: &Field| {
            let text = field.text.to_ascii_lowercase();
            let words = "drop delete truncate update alter insert grant copy";
            text.contains('\\')
                || text
                    .split_whitespace()
                    .any(|word| words.split(' ').any(|known| known == word))
        };
        let removes = values.clone().any(|value| value.text == "DELETE");
        if removes || args.operands.iter().any(|field| ends_something(&field.text)) {
            self.danger(fields, &format!("`{name}` removes or ends something elsewhere"));
        } else if values.clone().any(changes) {
            self.unknown(fields, "its statement changes the database, or runs a command");
        } else {
            self.external(fields, &format!("`{name}` acts on other machines or accounts"));
        }
        let is_forge = matches!(name, "gh" | "glab");
        let runs = |field: &Field| {
            matches!(field.text.as_str(), "exec" | "ssh" | "shell" | "--") || field.text == "run" && !is_forge
        };
        if args.operands.iter().any(runs) {
            self.unknown(fields, "it may run a command elsewhere");
            self.ends(fields);
        }
    }

    /// Judges SQLite. `.tables` and queries only read. Other dot commands write files and run programs.
    pub(super) fn sqlite(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) {
        let is_duck = fields.first().is_some_and(|program| program.text.ends_with("duckdb"));
        let mut said: Vec<String> = args.operands.iter().skip(1).map(|field| field.text.clone()).collect();
        said.extend(self.input_text(input));
        let asks = |text: &String| {
            let lower = text.trim().to_ascii_lowercase();
            let first = lower
                .split_whitespace()
                .next()
                .unwrap_or("")
                .trim_end_matches(';')
                .to_owned();
            let single = !lower.trim_end_matches(';').contains(';') && !lower.contains('\n');
            let dense: String = lower.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
            let calls =
                FUNCTIONS.split_whitespace().any(|call| dense.contains(call)) || (is_duck && dense.contains('\''));
            single
                && !calls
                && !is_open(text)
                && (DOTS.split(' ').any(|dot| dot == first) && !lower.contains('|')
                    || matches!(first.as_str(), "select" | "explain" | "values"))
        };
        let silent = matches!(input, Input::Closed) || args.operands.len() > 1 || self.input_text(input).is_some();
        let database = args.operands.first();
        let is_there = database.is_some_and(|field| self.is_there(field));
        if said.iter().all(asks) && silent && args.objection.is_none() && !said.is_empty() {
            if is_there {
                self.reads(fields, "asks a database");
            } else {
                self.plain(fields, "asks a database, which is made where there is none");
            }
            if let Some(database) = database {
                self.reading(database, super::grammar::Kind::Read);
            }
        } else if said
            .iter()
            .any(|text| danger_words(text) || text.to_ascii_lowercase().contains("drop"))
        {
            self.danger(fields, "its statements destroy something");
        } else {
            self.unknown(fields, "its statements may write files or run programs");
        }
    }
}
