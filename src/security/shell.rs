//! Analyses command lines without running them. The worst class of a line's commands is the class of the line. Code
//! that cannot be analysed is `unknown`, or `dangerous` if it contains a dangerous word.

mod arguments;
mod awk;
mod build;
mod builtins;
mod code;
mod command;
mod compound;
mod dollars;
mod expand;
mod files;
mod flow;
mod git;
mod git_repository;
mod grammar;
mod processes;
mod programs;
mod read;
mod redirects;
mod said;
mod search;
mod sed;
mod services;
mod snippet;
mod state;
mod syntax;
mod tables;
mod terminal;
mod texts;
mod variables;
mod walk;
mod words;
mod wrappers;
mod writers;

#[cfg(test)]
mod tests;

pub(crate) use git_repository::{hooks_path, is_configuration_tame};
pub(super) use processes::is_process_file;
pub(super) use texts::glob_matches;
pub(super) use writers::clean;

use benchdog_domain::command::{Analysis, BLANKS, PlainCommand, Step, Written};
use benchdog_domain::permission::CommandClass;
use benchdog_domain::review::CommandPart;
use state::{Input, MARKS};
use syntax::{Kind, Node};
use walk::Walker;

/// Maximum bytes of an analysed line.
const MAX_LINE: usize = 128 * 1024;

/// Disk queries of the analysis. Paths are absolute, or relative to the folder of the command.
pub trait World {
    fn exists(&self, path: &str) -> bool;
    fn is_folder(&self, path: &str) -> bool;
    /// Returns the text of a small regular file inside the roots.
    fn read_small(&self, path: &str) -> Option<String>;
    fn names(&self, folder: &str) -> Vec<String>;
}

/// Analyses a command line as `bash -c` would read it. Takes time linear in its length.
pub fn analyse(command: &str, world: &dyn World) -> Analysis {
    // In bash, a carriage return or an escape is part of a word. A person could not review such an invisible character.
    let is_hidden = |c: char| MARKS.contains(&c) || (c.is_control() && !matches!(c, '\n' | '\t'));
    if command.len() > MAX_LINE || command.contains(is_hidden) {
        let because = if command.contains(is_hidden) {
            "it holds a control character"
        } else {
            "it is too long to be looked through"
        };
        return refused(command, because);
    }
    let mut walker = Walker::new(world, command);
    let nodes = match read::read(command, 0, &walker.fuel.clone()) {
        Ok(nodes) => nodes,
        Err(error) => return refused(command, &format!("it cannot be read: {}", error.0)),
    };
    walker.list(&nodes, &Input::Closed);
    if walker.because.is_empty() {
        walker.because = "it runs nothing".to_owned();
    }
    let plain = if walker.class == CommandClass::Plain && !walker.fed_by_file {
        plain(&nodes, command)
    } else {
        None
    };
    let (steps, written) = match steps(&nodes, walker.class, world) {
        Some(Ok(steps)) => (Some(steps), None),
        Some(Err(written)) => (None, Some(written)),
        None => (None, None),
    };
    Analysis {
        reads_only: walker.reads_only && walker.class == CommandClass::Plain && !walker.parts.is_empty(),
        runs_project_code: walker.runs_project_code,
        class: walker.class,
        because: walker.because,
        parts: walker.parts,
        writes: walker.writes,
        removes: walker.removes,
        placed: walker.placed,
        readings: walker.readings,
        process_file: walker.process_file,
        interactive: walker.interactive,
        steps,
        written,
        plain,
    }
}

fn refused(command: &str, because: &str) -> Analysis {
    let class = if tables::danger_words(command) {
        CommandClass::Dangerous
    } else {
        CommandClass::Unknown
    };
    let shown: String = command.chars().take(200).collect();
    Analysis {
        class,
        because: because.to_owned(),
        parts: vec![CommandPart {
            written: shown.clone(),
            command: shown,
            class,
            because: because.to_owned(),
        }],
        writes: Vec::new(),
        removes: Vec::new(),
        placed: Vec::new(),
        readings: Vec::new(),
        reads_only: false,
        runs_project_code: false,
        process_file: None,
        interactive: None,
        steps: None,
        written: None,
        plain: None,
    }
}

/// Maximum number of commands of a line that rules can allow one by one.
const MAX_STEPS: usize = 32;

/// Returns the commands of a list or pipeline, with literal words, for rules that allow each of them. `None` if rules
/// cannot allow this class of line.
fn steps(nodes: &[Node], class: CommandClass, world: &dyn World) -> Option<Result<Vec<Step>, Written>> {
    matches!(class, CommandClass::Plain | CommandClass::External).then(|| steps_of(nodes, world))
}

fn steps_of(nodes: &[Node], world: &dyn World) -> Result<Vec<Step>, Written> {
    let mut simple = Vec::new();
    nodes.iter().try_for_each(|node| flatten(node, &mut simple))?;
    let step = |node: &&Node| {
        let command = command_of(node)?;
        let mut walker = Walker::new(world, "");
        walker.node(node, &Input::Unknown);
        if walker.fed_by_file {
            return Err(Written::Fed);
        }
        Ok(Step {
            command,
            class: walker.class,
            reads_only: walker.reads_only && walker.class == CommandClass::Plain,
            leaves: walker.state.folder.as_deref() != Some("") || !walker.state.or_in.is_empty(),
        })
    };
    simple.iter().map(step).collect()
}

fn flatten<'n>(node: &'n Node, out: &mut Vec<&'n Node>) -> Result<(), Written> {
    let harmless = |redirect: &syntax::Redirect| {
        let target = redirect.word.literal().unwrap_or_default();
        let number = !target.is_empty() && target.chars().all(|c| c.is_ascii_digit());
        let goes_there = matches!(redirect.operator, ">" | ">>" | ">|" | "<" | "&>" | "&>>" | ">&");
        (goes_there && target == "/dev/null") || (matches!(redirect.operator, ">&" | "<&") && number)
    };
    if !node.redirects.iter().all(harmless) {
        return Err(Written::Redirected);
    }
    if out.len() >= MAX_STEPS {
        return Err(Written::Long);
    }
    match &node.kind {
        Kind::Simple(_) => {
            out.push(node);
            Ok(())
        }
        Kind::Pipeline(parts) => parts.iter().try_for_each(|part| flatten(part, out)),
        Kind::Both(_, left, right) => flatten(left, out).and_then(|()| flatten(right, out)),
        _ => Err(Written::Compound),
    }
}

/// Returns the command if the line is a single command with literal words. Rules can allow such a line.
fn plain(nodes: &[Node], line: &str) -> Option<PlainCommand> {
    let [node] = nodes else { return None };
    // The command must be the whole line, without even a `&` after it.
    if &*node.text != line.trim_matches(BLANKS) || !node.redirects.is_empty() {
        return None;
    }
    command_of(node).ok()
}

fn command_of(node: &Node) -> Result<PlainCommand, Written> {
    let Kind::Simple(simple) = &node.kind else {
        return Err(Written::Compound);
    };
    if !simple.assignments.is_empty() {
        return Err(Written::Assigned);
    }
    let words: Option<Vec<String>> = simple.words.iter().map(literal).collect();
    let words = words.ok_or(Written::Expanded)?;
    // Any word may be a path, and so may the value in `--file=x` or `-fx`.
    let mut paths = Vec::new();
    for word in words.iter().skip(1) {
        match word.strip_prefix('-') {
            None => {
                paths.push(word.clone());
                // `curl -d @file` reads the file.
                paths.extend(word.strip_prefix('@').map(str::to_owned));
            }
            Some(option) => {
                if let Some((_, value)) = word.split_once('=') {
                    paths.push(value.to_owned());
                }
                let glued: String = option.trim_start_matches('-').chars().skip(1).collect();
                if glued.starts_with(['/', '.', '~']) {
                    paths.push(glued);
                }
            }
        }
    }
    Ok(PlainCommand { words, paths })
}

/// Returns the text of a word, or `None` if the word has an expansion, a glob, a brace or a leading tilde.
fn literal(word: &syntax::Word) -> Option<String> {
    for (at, piece) in word.pieces.iter().enumerate() {
        let syntax::Piece::Text { text, quoted } = piece else {
            return None;
        };
        if !quoted && (text.contains(['*', '?', '[', '{', '}', '~', '!']) || (at == 0 && text.starts_with('='))) {
            return None;
        }
    }
    word.literal()
}
