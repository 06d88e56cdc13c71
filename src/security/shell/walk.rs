//! Walks a line in the order bash would, with every branch taken, and gathers what each command would do.

use std::rc::Rc;

use super::World;
use super::read::{Fuel, read};
use super::state::{Ending, Field, Input, Output, State, UNKNOWN, Value, nothing, output, show};
use super::syntax::{Assigned, Assignment, Kind, Node, Redirect, Word};
use super::table::danger_words;
use crate::domain::permission::CommandClass;
use crate::domain::review::CommandPart;

/// Commands walked before the line counts as too long; loops and functions repeat theirs.
const MAX_STEPS: usize = 3_000;
/// Bytes of known text handled before the same.
const MAX_SPENT: usize = 4 * 1024 * 1024;
/// Loops over known words are walked word by word up to this many.
const MAX_ROUNDS: usize = 16;
const MAX_PARTS: usize = 200;
/// Scripts and functions within each other.
pub(super) const MAX_CALLS: usize = 12;

pub(super) struct Walker<'w> {
    pub(super) world: &'w dyn World,
    pub(super) state: State,
    pub(super) fuel: Fuel,
    pub(super) class: CommandClass,
    pub(super) because: String,
    pub(super) parts: Vec<CommandPart>,
    pub(super) writes: Vec<String>,
    /// The first word that names a file of another process.
    pub(super) process_file: Option<String>,
    /// A word that names something dangerous stands somewhere in the line.
    suspicious: bool,
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
            writes: Vec::new(),
            process_file: None,
            suspicious: danger_words(line),
            steps: 0,
            spent: 0,
        }
    }

    /// Functions that nothing called by name may still be called in a way that was not seen.
    pub(super) fn finish(&mut self) {
        let mut rest: Vec<(String, Rc<Node>)> = self
            .state
            .functions
            .iter()
            .filter(|(name, _)| !self.state.called.contains(*name))
            .flat_map(|(name, bodies)| bodies.iter().map(|body| (name.clone(), Rc::clone(body))))
            .collect();
        rest.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, body) in rest {
            let mut inner = Walker::new(self.world, "");
            inner.node(&body, &Input::Unknown);
            self.process_file = self.process_file.take().or(inner.process_file);
            if inner.class != CommandClass::Plain {
                self.note(
                    CommandClass::Unknown,
                    &name,
                    &format!("the function `{name}` is defined: {}", inner.because),
                );
            }
        }
    }

    pub(super) fn note(&mut self, class: CommandClass, command: &str, because: &str) {
        if class > self.class || self.because.is_empty() {
            self.because = because.to_owned();
            self.class = self.class.max(class);
        }
        if self.parts.len() >= MAX_PARTS {
            return;
        }
        let part = CommandPart {
            command: command.to_owned(),
            class,
            because: because.to_owned(),
        };
        if !self.parts.iter().rev().take(40).any(|known| *known == part) {
            self.parts.push(part);
        }
    }

    pub(super) fn plain(&mut self, fields: &[Field], because: &str) {
        self.note(CommandClass::Plain, &show(fields), because);
    }

    pub(super) fn danger(&mut self, fields: &[Field], because: &str) {
        self.note(CommandClass::Dangerous, &show(fields), because);
    }

    /// Not understood; with a dangerous word about, that is reason enough for the worst.
    pub(super) fn doubt_about(&mut self, fields: &[Field], because: &str) {
        self.note(self.doubt_class(), &show(fields), because);
    }

    pub(super) fn doubt(&mut self, because: &str) {
        self.note(CommandClass::Unknown, "", because);
    }

    fn doubt_class(&self) -> CommandClass {
        if self.suspicious {
            CommandClass::Dangerous
        } else {
            CommandClass::Unknown
        }
    }

    pub(super) fn unknown(&mut self, fields: &[Field], because: &str) {
        self.note(CommandClass::Unknown, &show(fields), because);
    }

    pub(super) fn spend_text(&mut self, bytes: usize) {
        self.spent = self.spent.saturating_add(bytes);
    }

    /// Whether walking on is still worth it; says so once when it is not.
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

    /// Runs a text as a script: `sh -c`, `eval`, a here-document into a shell.
    pub(super) fn script(&mut self, text: &str, input: &Input) -> Output {
        if self.state.depth >= MAX_CALLS {
            self.note(self.doubt_class(), "", "scripts within scripts, too deep to follow");
            return None;
        }
        if text.contains(UNKNOWN) {
            self.note(
                self.doubt_class(),
                &show(&[Field::of(text)]),
                "part of the script it runs is not known",
            );
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
                self.note(
                    class,
                    &show(&[Field::of(text)]),
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

    /// In a process of its own: variables and folder are afterwards as before.
    pub(super) fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let folder = self.state.folder.clone();
        let positional = self.state.positional.clone();
        self.state.open_branch();
        let result = run(self);
        self.state.close_branch(Ending::Lost);
        self.state.folder = folder;
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
            self.state.folder = None;
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
                self.state.wrote(path, written);
                nothing()
            }
            None => written,
        }
    }

    /// A file's text after more was added to it.
    fn appended(&self, path: &str, written: Output) -> Output {
        let old = match self.state.files.get(path) {
            Some(old) => old.clone()?,
            None if self.world.exists(path) => self.world.read_small(path)?.into(),
            None => "".into(),
        };
        output(format!("{old}{}", written?))
    }

    fn kind(&mut self, node: &Node, input: &Input) -> Output {
        match &node.kind {
            Kind::Simple(simple) => self.simple(simple, &node.text, input),
            Kind::Pipeline(parts) => self.pipeline(parts, input),
            Kind::Both(left, right) => {
                let first = self.node(left, input);
                let second = self.maybe(|walker| walker.node(right, input));
                // `&&` after something that writes nothing: what is written is known only if the second runs.
                match (first, second) {
                    (Some(first), Some(second)) => output(format!("{first}{second}")),
                    _ => None,
                }
            }
            Kind::Group(nodes) => self.list(nodes, input),
            Kind::Subshell(nodes) => self.apart(|walker| walker.list(nodes, input)),
            Kind::If(arms, otherwise) => {
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
            Kind::While(condition, body) => {
                // Twice, so that the second round sees what the first may have changed.
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
                self.state
                    .functions
                    .entry(name.clone())
                    .or_default()
                    .push(Rc::clone(body));
                nothing()
            }
            Kind::Test(words) => {
                for field in self.fields(words) {
                    self.embedded(&field.text);
                }
                nothing()
            }
            Kind::Plain(inner) => self.node(inner, input),
        }
    }

    /// `x++`, `x=3` inside `((…))` give values that are not followed.
    fn forget_names(&mut self, text: &str) {
        if !text.contains(['=', '+', '-']) {
            return;
        }
        for name in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            if self.state.get(name).is_some() {
                self.state.set(name, Value::unknown());
            }
        }
    }

    fn pipeline(&mut self, parts: &[Node], input: &Input) -> Output {
        let mut input = input.clone();
        let mut last = nothing();
        for (at, part) in parts.iter().enumerate() {
            // With `lastpipe` the last one runs in the shell itself.
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

    fn for_loop(&mut self, name: &str, words: Option<&[Word]>, body: &[Node], input: &Input) -> Output {
        let fields = match words {
            Some(words) => self.fields(words),
            None => self.state.positional.iter().map(Field::of).collect(),
        };
        self.look_for_processes(&fields);
        let known = fields.len() <= MAX_ROUNDS && fields.iter().all(|field| field.known().is_some() && !field.glob);
        if !known {
            for _ in 0..2 {
                self.state.set(name, Value::unknown());
                self.maybe(|walker| walker.list(body, input));
            }
            return None;
        }
        let mut all = Some(String::new());
        for field in fields {
            self.state.set(name, Value::One(field.text));
            // A `break` may leave it at any point.
            let written = self.maybe(|walker| walker.list(body, input));
            match (&mut all, written) {
                (Some(all), Some(text)) => all.push_str(&text),
                _ => all = None,
            }
        }
        all.and_then(output)
    }

    fn redirect(&mut self, redirect: &Redirect, text: &str, input: &mut Input, target: &mut Option<(String, bool)>) {
        match redirect.operator {
            "<<" | "<<-" => {
                let body = redirect.body.get().cloned().unwrap_or_default();
                let body = self.text(&body);
                self.look_for_processes(std::slice::from_ref(&body));
                *input = Input::Text(body.text.into());
            }
            "<<<" => {
                let body = self.text(&redirect.word);
                self.look_for_processes(std::slice::from_ref(&body));
                *input = Input::Text(format!("{}\n", body.text).into());
            }
            "<" => {
                let field = self.text(&redirect.word);
                self.look_for_processes(std::slice::from_ref(&field));
                *input = match field.known() {
                    Some(path) => Input::File(path.to_owned()),
                    None => Input::Unknown,
                };
            }
            operator => {
                let field = self.text(&redirect.word);
                let duplicate = matches!(operator, "<&" | ">&")
                    && field.text.chars().all(|c| c.is_ascii_digit() || c == '-')
                    && !field.text.is_empty();
                if duplicate || operator == "<&" {
                    return;
                }
                self.look_for_processes(std::slice::from_ref(&field));
                let shown = Field::of(text);
                self.write_to(&field, &shown, operator.contains(">>"));
                let place = field.known().and_then(|path| self.state.place(path));
                *target = place.map(|path| (path, operator.contains(">>")));
            }
        }
    }

    pub(super) fn assign(&mut self, assignment: &Assignment) -> String {
        if let Some(index) = &assignment.index {
            let index = self.text(index).text;
            self.arithmetic(&index);
        }
        let value = match &assignment.value {
            Assigned::Word(word) => Value::One(self.text(word).text),
            Assigned::Array(words) => {
                let words: Vec<Word> = words.iter().map(strip_index).collect();
                Value::Many(self.fields(&words).into_iter().map(|field| field.text).collect())
            }
        };
        let values: Vec<Field> = match &value {
            Value::One(text) => vec![Field::of(text)],
            Value::Many(all) => all.iter().map(Field::of).collect(),
        };
        self.look_for_processes(&values);
        let first = value.first();
        if assignment.index.is_some() {
            self.state.set(&assignment.name, Value::unknown());
            return first;
        }
        let value = match (assignment.append, self.state.get(&assignment.name), value) {
            (true, Some(Value::Many(old)), Value::Many(new)) => Value::Many([old.clone(), new].concat()),
            (true, Some(Value::One(old)), Value::One(new)) => Value::One(format!("{old}{new}")),
            (true, None, Value::One(new)) => Value::One(format!("{UNKNOWN}{new}")),
            (true, Some(_), _) => Value::unknown(),
            (_, _, value) => value,
        };
        let whole = value.first();
        self.state.set(&assignment.name, value);
        whole
    }
}

/// `[2]=x` in a list of values is the value `x`.
fn strip_index(word: &Word) -> Word {
    use super::syntax::Piece;
    let mut word = word.clone();
    if let Some(Piece::Text { text, quoted: false }) = word.pieces.first_mut()
        && text.starts_with('[')
        && let Some((_, rest)) = text.split_once("]=")
    {
        *text = rest.to_owned();
    }
    word
}
