//! Walks through a line in the order of bash, takes every branch, and collects the effects of each command.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::World;
use super::read::{Fuel, read};
use super::state::{Ending, Field, Input, Output, State, UNKNOWN, is_open, nothing, output};
use super::syntax::{Joint, Kind, Node, Simple, Word, each_node};
use super::tables::danger_words;
use benchdog_domain::command::{Interactive, Placed, Reading, Target};
use benchdog_domain::permission::CommandClass;
use benchdog_domain::review::CommandPart;

/// Maximum number of walked commands, including loop repetitions.
const MAX_STEPS: usize = 3_000;
/// Maximum total bytes of expanded text.
const MAX_SPENT: usize = 4 * 1024 * 1024;
pub(super) const MAX_CALLS: usize = 12;

pub(super) struct Walker<'w> {
    pub(super) world: &'w dyn World,
    pub(super) state: State,
    pub(super) fuel: Fuel,
    pub(super) class: CommandClass,
    pub(super) because: String,
    pub(super) parts: Vec<CommandPart>,
    pub(super) text: Rc<str>,
    pub(super) writes: Vec<String>,
    pub(super) removes: Vec<Target>,
    pub(super) placed: Vec<Placed>,
    /// The first word that is a path to a file of another process, such as `/proc/1/environ`.
    pub(super) process_file: Option<String>,
    /// The first program that waits for input from a terminal.
    pub(super) interactive: Option<Interactive>,
    /// Whether all commands are known to only read and print.
    pub(super) reads_only: bool,
    pub(super) fed_by_file: bool,
    pub(super) runs_project_code: bool,
    pub(super) readings: Vec<Reading>,
    /// Number of written files that a build tool may read. `written_before` excludes the current command.
    pub(super) written: usize,
    pub(super) written_before: usize,
    pub(super) suspicious: bool,
    /// Whether the analysis is trying word suffixes as commands. Prevents recursive trials.
    pub(super) trying: bool,
    listed: RefCell<HashMap<String, Rc<Vec<String>>>>,
    /// Whether the last node ends in a `cd`. A command after `&&` then runs only if the `cd` succeeded.
    ends_in_cd: bool,
    steps: usize,
    spent: usize,
}

impl<'w> Walker<'w> {
    pub(super) fn new(world: &'w dyn World, line: &str) -> Self {
        Self {
            world,
            state: State::new(),
            fuel: Fuel::for_length(line.len()),
            class: CommandClass::Plain,
            because: String::new(),
            parts: Vec::new(),
            text: "".into(),
            writes: Vec::new(),
            removes: Vec::new(),
            placed: Vec::new(),
            process_file: None,
            interactive: None,
            reads_only: true,
            fed_by_file: false,
            runs_project_code: false,
            readings: Vec::new(),
            written: 0,
            written_before: 0,
            suspicious: danger_words(line),
            trying: false,
            listed: RefCell::default(),
            ends_in_cd: false,
            steps: 0,
            spent: 0,
        }
    }

    /// Returns the names in a folder. Each folder is listed only once per command line.
    pub(super) fn names(&self, folder: &str) -> Rc<Vec<String>> {
        if let Some(known) = self.listed.borrow().get(folder) {
            return Rc::clone(known);
        }
        let names = Rc::new(self.world.names(folder));
        self.listed.borrow_mut().insert(folder.to_owned(), Rc::clone(&names));
        names
    }

    #[cfg(test)]
    pub(super) fn cost(&self) -> usize {
        self.steps.min(MAX_STEPS) + self.spent
    }

    pub(super) fn spend_text(&mut self, bytes: usize) {
        self.spent = self.spent.saturating_add(bytes);
    }

    /// Counts a step. Returns `false` if the line exceeds a limit, and records that problem once.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps <= MAX_STEPS && self.spent <= MAX_SPENT {
            return true;
        }
        if self.steps < usize::MAX / 2 {
            self.steps = usize::MAX / 2;
            self.note(self.doubt_class(), "", "it is too long to be looked through");
        }
        false
    }

    /// Analyses a script: `sh -c`, `eval`, or a here-document for a shell.
    pub(super) fn script(&mut self, text: &str, input: &Input) -> Output {
        if self.state.depth >= MAX_CALLS {
            self.note(self.doubt_class(), "", "scripts within scripts, too deep to follow");
            return None;
        }
        if is_open(text) {
            let class = match (self.state.fetched, self.trying) {
                (true, _) => CommandClass::Catastrophic,
                (_, false) => CommandClass::Dangerous,
                (_, true) => self.doubt_class(),
            };
            self.note_of(class, &[Field::of(text)], "part of the script it runs is not known");
        }
        self.spend_text(text.len());
        if !self.step() {
            return None;
        }
        match read(text, self.state.depth, &self.fuel.clone()) {
            Ok(nodes) => {
                self.state.depth += 1;
                let written = self.list(&nodes, input);
                self.state.depth -= 1;
                written
            }
            Err(error) => {
                let class = if danger_words(text) {
                    CommandClass::Dangerous
                } else {
                    CommandClass::Unknown
                };
                self.note_of(
                    class,
                    &[Field::of(text)],
                    &format!("it runs a script that cannot be read: {}", error.0),
                );
                None
            }
        }
    }

    pub(super) fn list(&mut self, nodes: &[Node], input: &Input) -> Output {
        let mut all = Some(String::new());
        for node in nodes {
            let written = self.node(node, input);
            match (&mut all, written) {
                (Some(all), Some(text)) => all.push_str(&text),
                _ => all = None,
            }
        }
        all.and_then(output)
    }

    /// Calls `run` to analyse commands of a separate process. Restores variables and folder afterwards.
    pub(super) fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let folder = self.state.folder.clone();
        let or_in = self.state.or_in.clone();
        let positional = self.state.positional.clone();
        self.state.open_branch();
        let result = run(self);
        self.state.close_branch(Ending::Lost);
        self.state.folder = folder;
        self.state.or_in = or_in;
        self.state.positional = positional;
        result
    }

    pub(super) fn maybe<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let folder = self.state.folder.clone();
        let positional = self.state.positional.clone();
        self.state.open_branch();
        let result = run(self);
        self.state.close_branch(Ending::Maybe);
        if self.state.folder != folder {
            self.state.add_folder(folder);
        }
        if self.state.positional != positional {
            self.state.positional = vec![UNKNOWN.to_string()];
        }
        result
    }

    pub(super) fn node(&mut self, node: &Node, input: &Input) -> Output {
        if !self.step() {
            return None;
        }
        let mut input = input.clone();
        let mut target = None;
        let simple = matches!(node.kind, Kind::Simple(_));
        self.written_before = self.written;
        for redirect in &node.redirects {
            self.redirect(redirect, &node.text, &mut input, &mut target);
        }
        if simple && node.redirects.is_empty() {
            return self.kind(node, &input);
        }
        let written = self.kind(node, &input);
        match target {
            Some((path, appends)) => {
                let written = if appends {
                    self.appended(&path, written)
                } else {
                    written
                };
                self.state.wrote(&path, written);
                nothing()
            }
            None => written,
        }
    }

    fn appended(&self, path: &str, written: Output) -> Output {
        let old = match self.state.written(path) {
            Some(old) => old.clone()?,
            None if self.world.exists(path) => self.world.read_small(path)?.into(),
            None => "".into(),
        };
        output(format!("{old}{}", written?))
    }

    fn kind(&mut self, node: &Node, input: &Input) -> Output {
        let written = self.one_of(node, input);
        match &node.kind {
            Kind::Both(..) => {}
            Kind::Simple(simple) => self.ends_in_cd = is_cd(simple),
            _ => self.ends_in_cd = false,
        }
        written
    }

    fn one_of(&mut self, node: &Node, input: &Input) -> Output {
        match &node.kind {
            Kind::Simple(simple) => {
                self.text = Rc::clone(&node.text);
                self.simple(simple, &node.text, input)
            }
            Kind::Pipeline(parts) => self.pipeline(parts, input),
            Kind::Both(joint, left, right) => self.both(*joint, left, right, input),
            Kind::Group(nodes) => self.list(nodes, input),
            Kind::Subshell(nodes) => self.apart(|walker| walker.list(nodes, input)),
            Kind::If(arms, otherwise) => self.conditional(arms, otherwise, input),
            Kind::While(condition, body) => {
                // The second round sees the changes of the first.
                for _ in 0..2 {
                    self.list(condition, input);
                    self.maybe(|walker| walker.list(body, input));
                }
                None
            }
            Kind::For(name, words, body) => self.for_loop(name, words.as_deref(), body, input),
            Kind::Count(header, body) => {
                let header = self.text(header).text;
                self.arithmetic(&header);
                self.forget_names(&header);
                for _ in 0..2 {
                    self.maybe(|walker| walker.list(body, input));
                }
                None
            }
            Kind::Arithmetic(word) => {
                let text = self.text(word).text;
                self.arithmetic(&text);
                self.forget_names(&text);
                nothing()
            }
            Kind::Case(subject, arms) => {
                self.text(subject);
                for (patterns, body) in arms {
                    for pattern in patterns {
                        self.text(pattern);
                    }
                    self.maybe(|walker| walker.list(body, input));
                }
                None
            }
            Kind::Function(name, body) => {
                if multiplies(name, body) {
                    self.catastrophe(
                        &[Field::of(&*node.text)],
                        "it starts itself again and again without end",
                    );
                }
                self.define(name, body);
                nothing()
            }
            Kind::Test(words) => {
                let fields = self.fields(words);
                self.comparison(&fields);
                nothing()
            }
            Kind::Plain(inner) => self.node(inner, input),
        }
    }

    /// Stores and judges a function body, because the analysis may not see every call.
    fn define(&mut self, name: &str, body: &Rc<Node>) {
        self.reads_only = false;
        let mut inner = Walker::new(self.world, "");
        inner.state.depth = self.state.depth + MAX_CALLS / 3;
        if inner.state.depth > MAX_CALLS {
            return self.doubt("functions within functions, too deep to follow");
        }
        inner.node(body, &Input::Unknown);
        self.process_file = self.process_file.take().or(inner.process_file);
        if inner.class != CommandClass::Plain {
            let because = format!("the function `{name}` is defined: {}", inner.because);
            self.note(CommandClass::Unknown, name, &because);
        }
        let bodies = self.state.functions.entry(name.to_owned()).or_default();
        bodies.push(Rc::clone(body));
    }

    fn both(&mut self, joint: Joint, left: &Node, right: &Node, input: &Input) -> Output {
        let or_in = self.state.or_in.clone();
        let first = self.node(left, input);
        let left_ends_in_cd = self.ends_in_cd;
        let second = self.maybe(|walker| {
            if joint == Joint::And && left_ends_in_cd {
                walker.state.or_in = or_in;
            }
            walker.node(right, input)
        });
        let stays = left_ends_in_cd && !matches!(right.kind, Kind::Subshell(_));
        self.ends_in_cd = joint == Joint::And && (self.ends_in_cd || stays);
        // The combined output, if the second command runs. Known only if both outputs are known.
        match (first, second) {
            (Some(first), Some(second)) => output(format!("{first}{second}")),
            _ => None,
        }
    }

    fn conditional(&mut self, arms: &[(Vec<Node>, Vec<Node>)], otherwise: &[Node], input: &Input) -> Output {
        if let Some((condition, _)) = arms.first() {
            self.list(condition, input);
        }
        for (at, (condition, body)) in arms.iter().enumerate() {
            self.maybe(|walker| {
                if at > 0 {
                    walker.list(condition, input);
                }
                walker.list(body, input)
            });
        }
        self.maybe(|walker| walker.list(otherwise, input));
        None
    }

    fn pipeline(&mut self, parts: &[Node], input: &Input) -> Output {
        let mut input = input.clone();
        let mut last = nothing();
        for (at, part) in parts.iter().enumerate() {
            // With the `lastpipe` option, the last command runs in the shell itself.
            last = if at + 1 == parts.len() {
                self.maybe(|walker| walker.node(part, &input))
            } else {
                self.apart(|walker| walker.node(part, &input))
            };
            input = match &last {
                Some(text) => Input::Text(Rc::clone(text)),
                None => Input::Unknown,
            };
        }
        last
    }
}

fn is_cd(simple: &Simple) -> bool {
    let name = simple.words.first().and_then(Word::literal);
    name.is_some_and(|name| matches!(name.as_str(), "cd" | "pushd"))
}

/// Whether a function calls itself in the background or in a pipe (a fork bomb).
fn multiplies(name: &str, body: &Rc<Node>) -> bool {
    let mut calls = 0;
    each_node(std::slice::from_ref(body), &mut |node| {
        let Kind::Simple(simple) = &node.kind else { return };
        let called = simple.words.first().and_then(Word::literal);
        calls += usize::from(called.is_some_and(|called| called == name));
    });
    let background = body.text.replace("&&", "").contains('&');
    background && calls > 0 || calls > 1 && body.text.replace("||", "").contains('|')
}
