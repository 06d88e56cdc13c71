//! The tools that a session has, in an order that never changes: the built-in rows, then whatever was added behind them.
//!
//! It finds the row that a model's name means and asks it to prepare. It judges nothing and knows no tool by name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use super::arguments::Args;
use super::row::{Another, Draft, Row, Serves};
use super::{Prepared, Refusal, ToolContext, redacted, with_code, within};
use super::{
    ask, bash, done, edit, glob, grep, jobs, list, patch, plan_done, read, review, served, skill, task, todoread,
    todowrite, write,
};
use crate::base::id::CallId;
use crate::base::spelling::nearest;
use crate::base::text::with_visible_blanks;
use crate::domain::adjustment::{Adjustment, Switched};
use crate::domain::finding::ToReview;
use crate::domain::message::{Aliases, Arguments, ToolCall, ToolDeclaration};
use crate::domain::permission::{Rule, SwitchedBy, ToolRules};
use crate::domain::review::Question;
use crate::domain::server::{Listed, server_of};
use crate::domain::tool::ToolFacts;
use crate::domain::undo::FileBytes;

/// Cheap to clone; a session keeps the one it began with.
#[derive(Clone)]
pub(crate) struct Registry(Arc<Tools>);

struct Tools {
    rows: Vec<Arc<Row>>,
    declarations: Arc<[ToolDeclaration]>,
    facts: Arc<[ToolFacts]>,
    adjusted: Adjusted,
}

/// What the configuration says of tools, by their names. It holds for rows that are added later, too.
type Adjusted = Arc<BTreeMap<String, Arc<Adjustment>>>;

/// A row that was not taken in, because another of its name was there before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NameTaken(pub(crate) String);

/// Every built-in tool, in the order in which they are declared to a model. The order is part of the prompt: it never changes.
fn built_in() -> Vec<Row> {
    vec![
        read::row(),
        write::row(),
        edit::row(),
        patch::row(),
        list::row(),
        glob::row(),
        grep::row(),
        bash::row(),
        todoread::row(),
        todowrite::row(),
        ask::row(),
        skill::row(),
        plan_done::row(),
        jobs::output::row(),
        jobs::kill::row(),
        task::row(),
    ]
}

impl Registry {
    /// The tools that are always there. A test holds that no two of them have one name.
    pub(crate) fn builtin() -> Self {
        static BUILT_IN: LazyLock<Registry> =
            LazyLock::new(|| Registry::of(Vec::new(), Adjusted::default()).with(built_in()).0);
        BUILT_IN.clone()
    }

    /// The same with further rows behind. A name that is taken stays with the row that has it: what a session was told of
    /// a tool cannot be changed by a later one.
    pub(crate) fn with(&self, extra: impl IntoIterator<Item = Row>) -> (Self, Vec<NameTaken>) {
        let (rows, taken) = self.joined(extra);
        (Self::of(rows, Arc::clone(&self.0.adjusted)), taken)
    }

    /// The rows with further ones behind.
    fn joined(&self, extra: impl IntoIterator<Item = Row>) -> (Vec<Arc<Row>>, Vec<NameTaken>) {
        let mut rows = self.0.rows.clone();
        let mut taken = Vec::new();
        for row in extra {
            if rows.iter().any(|other| other.facts.name == row.facts.name) {
                taken.push(NameTaken(row.facts.name.into_owned()));
            } else {
                rows.push(Arc::new(row));
            }
        }
        (rows, taken)
    }

    /// The same as the configuration wants its tools.
    pub(crate) fn adjusted(&self, given: &[Adjustment]) -> Self {
        if given.is_empty() {
            return self.clone();
        }
        // Which tools of servers are off is the session's to say, whose person switches them, too.
        let of_row = |given: &Adjustment| match server_of(&given.name) {
            Some(_) => Adjustment {
                switched: Switched::On,
                ..given.clone()
            },
            None => given.clone(),
        };
        let by_name = given.iter().map(|given| (given.name.clone(), Arc::new(of_row(given))));
        Self::of(self.0.rows.clone(), Arc::new(by_name.collect()))
    }

    fn of(rows: Vec<Arc<Row>>, adjusted: Adjusted) -> Self {
        let declared = |row: &Arc<Row>| declared(row, adjusted.get(row.name()).map(|given| &**given));
        Self(Arc::new(Tools {
            declarations: rows.iter().filter_map(declared).collect(),
            facts: rows.iter().map(|row| row.facts.clone()).collect(),
            rows,
            adjusted,
        }))
    }

    /// The same with the rows that fit.
    fn only(&self, fits: impl Fn(&Row) -> bool) -> Self {
        let rows = self.0.rows.iter().filter(|row| fits(row));
        Self::of(rows.cloned().collect(), Arc::clone(&self.0.adjusted))
    }

    /// The rule that keeps a tool from every model, if the configuration switches it off.
    pub(crate) fn switched_off(&self, name: &str) -> Option<Rule> {
        let given = self.0.adjusted.get(name)?;
        (given.switched == Switched::Off).then(|| Rule::of_switch(name, SwitchedBy::Setting))
    }

    /// All tools as they are declared to a model.
    pub(crate) fn declarations(&self) -> Arc<[ToolDeclaration]> {
        Arc::clone(&self.0.declarations)
    }

    /// All tools as the other rooms know them.
    pub(crate) fn facts(&self) -> Arc<[ToolFacts]> {
        Arc::clone(&self.0.facts)
    }

    /// All tools as the policy knows them.
    pub(crate) fn rules(&self) -> Vec<ToolRules> {
        self.0.rows.iter().map(rules_of).collect()
    }

    /// All tools that a session may have of itself, as the policy knows them. What only stands for another one is none.
    pub(crate) fn all_rules(&self) -> Vec<ToolRules> {
        // Declarations are costly, and the policy reads none.
        let (rows, _) = self.joined([done::row()].into_iter().chain(served::on_demand()));
        let is_one = |row: &&Arc<Row>| !matches!(row.serves, Some(Serves::Another(_)));
        rows.iter().filter(is_one).map(rules_of).collect()
    }

    /// The same with the tool that ends a turn with places, behind the others.
    pub(crate) fn with_proof(&self) -> Self {
        self.with([done::row()]).0
    }

    /// The same with what finds and calls the tools of servers, and with these of their tools. Those whose name is taken are not
    /// among them.
    pub(crate) fn with_servers(&self, listed: &[Listed]) -> (Self, Vec<NameTaken>) {
        let tools = listed
            .iter()
            .flat_map(|of| of.tools.iter().map(|tool| served::row(&of.server, tool)));
        self.with(served::on_demand().into_iter().chain(tools))
    }

    /// The same without the tool that loads skills, for a session that has none: what is not declared costs nothing.
    pub(crate) fn without_skills(&self) -> Self {
        self.only(|row| !matches!(row.serves, Some(Serves::Skills)))
    }

    /// The same without the tool that has other agents work, for those who were given work themselves.
    pub(crate) fn without_delegation(&self) -> Self {
        self.only(|row| !matches!(row.serves, Some(Serves::Delegation)))
    }

    /// What the policy knows of the tool that loads skills.
    pub(crate) fn skill_rules(&self) -> Option<ToolRules> {
        let loads = |row: &&Arc<Row>| matches!(row.serves, Some(Serves::Skills));
        self.0.rows.iter().find(loads).map(|row| row.facts.rules())
    }

    /// What the policy knows of the tool that runs command lines.
    pub(crate) fn command_rules(&self) -> Option<ToolRules> {
        let runs = |row: &&Arc<Row>| matches!(row.serves, Some(Serves::Commands(_)));
        self.0.rows.iter().find(runs).map(rules_of)
    }

    /// Understands a call without touching anything.
    pub(crate) fn prepare(&self, call: &ToolCall, cx: &ToolContext) -> Result<Prepared, Refusal> {
        // A refusal quotes the lines of a file that are nearest to what was looked for.
        self.draft(call, cx).map_err(|refusal| told(refusal, cx))
    }

    fn draft(&self, call: &ToolCall, cx: &ToolContext) -> Result<Prepared, Refusal> {
        let row = match self.find(&call.name) {
            Ok(row) => row,
            // What came after the first request is called by its name all the same.
            Err(unknown) => {
                let another = served::by_name(&call.name, &call.arguments, cx).unwrap_or(Err(unknown))?;
                return Ok(self.prepared_as(call.id.clone(), another));
            }
        };
        let args = Args::of(row, &call.arguments)?;
        if let Some(Serves::Another(meant)) = row.serves {
            return Ok(self.prepared_as(call.id.clone(), meant(&args, cx)?));
        }
        let adjusted = self.0.adjusted.get(row.name()).cloned();
        let draft = (row.prepare)(&args, &within(cx, adjusted.as_deref()))?;
        let arguments = args.into_understood();
        Ok(Prepared {
            arguments,
            adjusted,
            ..prepared(call.id.clone(), row, draft)
        })
    }

    fn prepared_as(&self, call: CallId, another: Another) -> Prepared {
        let Another { row, draft, arguments } = another;
        Prepared {
            arguments,
            adjusted: self.0.adjusted.get(row.name()).cloned(),
            ..prepared(call, &row, draft)
        }
    }

    /// The call that runs a command line which no model wrote: the project's check, the person's `!command`. From here on
    /// it is a call like any other.
    pub(crate) fn command_call(&self, id: CallId, command: &str, timeout_ms: Option<u64>) -> Result<ToolCall, Refusal> {
        let (row, arguments) = self.serving("runs command lines", |serves| match serves {
            Serves::Commands(arguments) => Some(arguments),
            _ => None,
        })?;
        Ok(call_of(row, id, arguments(command, timeout_ms)))
    }

    /// The call that reads a file which the person named: from a line on, and so many.
    pub(crate) fn file_call(
        &self,
        id: CallId,
        path: &str,
        first: u64,
        count: Option<u64>,
    ) -> Result<ToolCall, Refusal> {
        let (row, arguments) = self.serving("reads files", |serves| match serves {
            Serves::Files(arguments) => Some(arguments),
            _ => None,
        })?;
        Ok(call_of(row, id, arguments(path, first, count)))
    }

    /// The call that lists a folder which the person named.
    pub(crate) fn folder_call(&self, id: CallId, path: &str) -> Result<ToolCall, Refusal> {
        let (row, arguments) = self.serving("lists folders", |serves| match serves {
            Serves::Folders(arguments) => Some(arguments),
            _ => None,
        })?;
        Ok(call_of(row, id, arguments(path)))
    }

    /// The call that takes over what a branch changed, as the person asked for it.
    pub(crate) fn merge(&self, id: CallId, patch: &str, cx: &ToolContext) -> Result<Prepared, Refusal> {
        let (row, draft) = self.serving("applies patches", |serves| match serves {
            Serves::Patches(draft) => Some(draft),
            _ => None,
        })?;
        Ok(prepared(id, row, draft(patch, cx).map_err(|why| told(why, cx))?))
    }

    /// The call that takes a change of the session back, as the person asked for it.
    pub(crate) fn undo(&self, id: CallId, files: &[FileBytes], cx: &ToolContext) -> Result<Prepared, Refusal> {
        let (row, draft) = self.serving("writes files", |serves| match serves {
            Serves::Undo(draft) => Some(draft),
            _ => None,
        })?;
        Ok(prepared(id, row, draft(files, cx).map_err(|why| told(why, cx))?))
    }

    /// The call that asks the person what no model asks: whether to go on after a limit.
    pub(crate) fn question(&self, id: CallId, question: Question) -> Result<Prepared, Refusal> {
        let (row, draft) = self.serving("asks the person", |serves| match serves {
            Serves::Questions(draft) => Some(draft),
            _ => None,
        })?;
        Ok(prepared(id, row, draft(question)))
    }

    /// The call that has an agent look at changed files, as the person asked for it.
    pub(crate) fn review(
        &self,
        id: CallId,
        line: String,
        review: ToReview,
        cx: &ToolContext,
    ) -> Result<Prepared, Refusal> {
        let (row, ()) = self.serving("has other agents work", |serves| match serves {
            Serves::Delegation => Some(()),
            _ => None,
        })?;
        let to = cx.children.clone().ok_or_else(task::nobody)?;
        Ok(prepared(id, row, review::draft(line, review, to)))
    }

    /// The first row that does this for the engine, and how.
    fn serving<S>(&self, does: &str, of: impl Fn(Serves) -> Option<S>) -> Result<(&Arc<Row>, S), Refusal> {
        let mut rows = self.0.rows.iter();
        rows.find_map(|row| Some((row, of(row.serves?)?)))
            .ok_or_else(|| Refusal::new("unknown_tool", format!("No tool of this session {does}.")))
    }

    /// The row that a model's name for a tool means.
    pub(super) fn find(&self, name: &str) -> Result<&Arc<Row>, Refusal> {
        if let Some(row) = self.row(|row| row.facts.name == name) {
            return Ok(row);
        }
        // Some templates write the namespace in front: `functions.read`, `default_api:read`.
        let bare = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        let wanted = plain(bare);
        // A name comes before another tool's alias.
        self.row(|row| plain(row.name()) == wanted)
            .or_else(|| self.row(|row| row.aliases.contains(&&*wanted)))
            .ok_or_else(|| self.unknown(name, &wanted))
    }

    fn row(&self, fits: impl Fn(&Row) -> bool) -> Option<&Arc<Row>> {
        self.0.rows.iter().find(|row| fits(row))
    }

    fn unknown(&self, name: &str, wanted: &str) -> Refusal {
        let names: Vec<&str> = self.0.declarations.iter().map(|tool| tool.name.as_str()).collect();
        if name.trim().is_empty() {
            let told = "The call cannot be read: it names no tool, or what stands there is no JSON. Write it again, with the name of a tool \
                        and its arguments as one JSON object.";
            return Refusal::new(
                "unreadable_call",
                format!("{told} The tools are: {}.", names.join(", ")),
            );
        }
        let hint = match nearest(wanted, names.iter().copied()) {
            Some(near) => format!("Did you mean `{near}`? "),
            None => String::new(),
        };
        Refusal::new(
            "unknown_tool",
            format!("There is no tool `{name}`. {hint}The tools are: {}.", names.join(", ")),
        )
    }
}

/// A tool as a model is told of it; `None`: it is switched off.
fn declared(row: &Row, given: Option<&Adjustment>) -> Option<ToolDeclaration> {
    if given.is_some_and(|given| given.switched == Switched::Off) {
        return None;
    }
    let mut parameters = row.parameters.clone();
    if let Some(limit) = given.and_then(|given| given.timeout_ms)
        && let Some(told) = parameters.pointer_mut("/properties/timeout_ms/description")
    {
        *told = Value::String(format!("Default {limit}."));
    }
    Some(ToolDeclaration {
        name: row.name().to_owned(),
        description: given.map_or_else(
            || row.description.clone().into_owned(),
            |given| given.told(&row.description),
        ),
        parameters,
        aliases: Aliases {
            names: row.aliases,
            arguments: row.arguments,
        },
    })
}

fn rules_of(row: &Arc<Row>) -> ToolRules {
    ToolRules {
        aliases: row.aliases,
        ..row.facts.rules()
    }
}

/// A refusal as the model reads it.
fn told(refusal: Refusal, cx: &ToolContext) -> Refusal {
    Refusal {
        outcome: Box::new(redacted(with_code(*refusal.outcome), &cx.redactor)),
    }
}

fn call_of(row: &Row, id: CallId, arguments: Map<String, Value>) -> ToolCall {
    ToolCall {
        id,
        name: row.name().to_owned(),
        arguments: Arguments::Object(arguments),
    }
}

fn prepared(call: CallId, row: &Arc<Row>, draft: Draft) -> Prepared {
    Prepared {
        call,
        arguments: Map::new(),
        tool: row.facts.name.clone(),
        title: with_visible_blanks(&draft.title).into_owned(),
        subjects: draft.subjects,
        effect: row.facts.effect,
        review: Arc::new(draft.review),
        row: Arc::clone(row),
        adjusted: None,
        work: draft.work,
    }
}

/// A name as it is compared: `ask-user`, `Ask_User` and `ask_user` are one.
fn plain(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    if name.contains(|letter: char| letter.is_ascii_uppercase() || letter == '-') {
        Cow::Owned(name.to_ascii_lowercase().replace('-', "_"))
    } else {
        Cow::Borrowed(name)
    }
}

#[cfg(test)]
pub(crate) mod tests;
