//! The tools of a session in a fixed order: first the built-in rows, then the added ones.
//!
//! Finds the row for the tool name in a call, and lets the row prepare the call. Decides no permissions, and has no
//! special cases for single tools.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use super::arguments::Args;
use super::row::{Another, Declares, Draft, Row, Serves};
use super::{Prepared, Refusal, ToolContext, redacted, with_code, within};
use super::{
    ask, bash, done, edit, glob, grep, jobs, language, list, notebook_edit, other, patch, plan_done, read, review,
    search_semantic, served, skill, task, todoread, todowrite, webfetch, websearch, write,
};
use benchdog_base::id::CallId;
use benchdog_base::spelling::nearest;
use benchdog_base::text::with_visible_blanks;
use benchdog_domain::adjustment::{Adjustment, Switched};
use benchdog_domain::finding::ToReview;
use benchdog_domain::message::{Aliases, Arguments, ToolCall, ToolDeclaration};
use benchdog_domain::permission::{Rule, SwitchedBy, ToolRules};
use benchdog_domain::review::Question;
use benchdog_domain::server::{Listed, server_of};
use benchdog_domain::tool::ToolFacts;
use benchdog_domain::undo::FileBytes;

#[derive(Clone)]
pub struct Registry(Arc<Tools>);

struct Tools {
    rows: Vec<Arc<Row>>,
    declarations: Arc<[ToolDeclaration]>,
    facts: Arc<[ToolFacts]>,
    adjusted: Adjusted,
    /// The row of `other_tool`, which calls undeclared tools. Only for a small context window.
    other: Option<Arc<Row>>,
}

/// Maximum tokens of a small context window, in which only the most used tools are declared.
const SMALL: u64 = 16_384;

/// Adjustments by tool name. They also apply to rows that are added later.
type Adjusted = Arc<BTreeMap<String, Arc<Adjustment>>>;

/// A row was rejected, because another tool already has its name.
#[derive(Debug, PartialEq, Eq)]
pub struct NameTaken(pub String);

/// The order is part of the prompt, so it never changes.
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
        notebook_edit::row(),
    ]
}

impl Registry {
    /// Returns the built-in tools. A test checks that their names are unique.
    pub fn builtin() -> Self {
        static BUILT_IN: LazyLock<Registry> =
            LazyLock::new(|| Registry::of(Vec::new(), Adjusted::default(), false).with(built_in()).0);
        BUILT_IN.clone()
    }

    /// Appends rows, except rows with a taken name. The existing row stays, because the session may already use it.
    pub fn with(&self, extra: impl IntoIterator<Item = Row>) -> (Self, Vec<NameTaken>) {
        let (rows, taken) = self.joined(extra);
        (self.rebuilt(rows), taken)
    }

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

    pub fn adjusted(&self, given: &[Adjustment]) -> Self {
        if given.is_empty() {
            return self.clone();
        }
        // Ignore the switch for server tools. The user switches them on and off in the session.
        let of_row = |given: &Adjustment| match server_of(&given.name) {
            Some(_) => Adjustment {
                switched: Switched::On,
                ..given.clone()
            },
            None => given.clone(),
        };
        let by_name = given.iter().map(|given| (given.name.clone(), Arc::new(of_row(given))));
        Self::of(self.0.rows.clone(), Arc::new(by_name.collect()), self.0.other.is_some())
    }

    /// Declares as many tools as a context window of `tokens` has room for.
    pub fn in_window(&self, tokens: u64) -> Self {
        let small = tokens <= SMALL;
        if small == self.0.other.is_some() {
            return self.clone();
        }
        Self::of(self.0.rows.clone(), Arc::clone(&self.0.adjusted), small)
    }

    fn of(rows: Vec<Arc<Row>>, adjusted: Adjusted, small: bool) -> Self {
        let given = |row: &Row| adjusted.get(row.name()).map(|given| &**given);
        let is_on = |row: &&Arc<Row>| given(row).is_none_or(|given| given.switched != Switched::Off);
        let other = small.then(|| {
            let lines = rows.iter().filter(is_on).filter_map(|row| match row.declares {
                Declares::Brief(line) => Some(given(row).map_or_else(|| line.to_owned(), |given| given.told(line))),
                Declares::Whole | Declares::Nothing => None,
            });
            Arc::new(other::row(&lines.collect::<Vec<_>>()))
        });
        let is_declared = |row: &&Arc<Row>| match row.declares {
            Declares::Whole => true,
            Declares::Brief(_) => !small,
            Declares::Nothing => false,
        };
        let whole = rows.iter().filter(is_on).filter(is_declared).chain(&other);
        Self(Arc::new(Tools {
            declarations: whole.map(|row| declared(row, given(row), small)).collect(),
            facts: rows.iter().chain(&other).map(|row| row.facts.clone()).collect(),
            rows,
            adjusted,
            other,
        }))
    }

    fn rebuilt(&self, rows: Vec<Arc<Row>>) -> Self {
        Self::of(rows, Arc::clone(&self.0.adjusted), self.0.other.is_some())
    }

    fn only(&self, fits: impl Fn(&Row) -> bool) -> Self {
        let rows = self.0.rows.iter().filter(|row| fits(row));
        self.rebuilt(rows.cloned().collect())
    }

    /// Returns the rule that denies a tool if the configuration switches it off.
    pub fn switched_off(&self, name: &str) -> Option<Rule> {
        let given = self.0.adjusted.get(name)?;
        (given.switched == Switched::Off).then(|| Rule::of_switch(name, SwitchedBy::Setting))
    }

    pub fn declarations(&self) -> Arc<[ToolDeclaration]> {
        Arc::clone(&self.0.declarations)
    }

    pub fn facts(&self) -> Arc<[ToolFacts]> {
        Arc::clone(&self.0.facts)
    }

    pub fn rules(&self) -> Vec<ToolRules> {
        self.0.rows.iter().map(rules_of).collect()
    }

    /// Returns the permission rules of all possible tools, except tools that only call other tools.
    pub fn all_rules(&self) -> Vec<ToolRules> {
        // Join only rows, because declarations are costly and not needed here.
        let others = served::on_demand()
            .into_iter()
            .chain(web_rows(true, true))
            .chain(language::rows());
        let (rows, _) = self.joined([done::row(), search_semantic::row()].into_iter().chain(others));
        let is_one = |row: &&Arc<Row>| !matches!(row.serves, Some(Serves::Another(_)));
        rows.iter().filter(is_one).map(rules_of).collect()
    }

    /// Appends `done`, which ends a turn with evidence.
    pub fn with_proof(&self) -> Self {
        self.with([done::row()]).0
    }

    pub fn with_web(&self, fetch: bool, search: bool) -> Self {
        self.with(web_rows(fetch, search)).0
    }

    pub fn web_names(fetch: bool, search: bool) -> Vec<String> {
        web_rows(fetch, search).map(|row| row.facts.name.into_owned()).collect()
    }

    pub fn with_retrieval(&self) -> Self {
        self.with([search_semantic::row()]).0
    }

    /// Appends the tools that find and call server tools, then the server tools in `listed`. Also returns the server
    /// tools that were rejected because of a taken name.
    pub fn with_servers(&self, listed: &[Listed]) -> (Self, Vec<NameTaken>) {
        let tools = listed
            .iter()
            .flat_map(|of| of.tools.iter().map(|tool| served::row(&of.server, tool)));
        self.with(served::on_demand().into_iter().chain(tools))
    }

    pub fn with_languages(&self) -> Self {
        self.with(language::rows()).0
    }

    /// Removes the tool that loads skills. A session without skills saves the tokens of the tool's declaration.
    pub fn without_skills(&self) -> Self {
        self.only(|row| !matches!(row.serves, Some(Serves::Skills)))
    }

    /// Removes the tool that starts subagents, for the sessions of subagents.
    pub fn without_delegation(&self) -> Self {
        self.only(|row| !matches!(row.serves, Some(Serves::Delegation)))
    }

    pub fn skill_rules(&self) -> Option<ToolRules> {
        let loads = |row: &&Arc<Row>| matches!(row.serves, Some(Serves::Skills));
        self.0.rows.iter().find(loads).map(|row| row.facts.rules())
    }

    pub fn command_rules(&self) -> Option<ToolRules> {
        let runs = |row: &&Arc<Row>| matches!(row.serves, Some(Serves::Commands(_)));
        self.0.rows.iter().find(runs).map(rules_of)
    }

    pub fn prepare(&self, call: &ToolCall, cx: &ToolContext) -> Result<Prepared, Refusal> {
        // A refusal can quote lines of a file, so its text is redacted.
        self.draft(call, cx).map_err(|refusal| told(refusal, cx))
    }

    fn draft(&self, call: &ToolCall, cx: &ToolContext) -> Result<Prepared, Refusal> {
        let row = match self.find(&call.name) {
            Ok(row) => row,
            // The model can also call an undeclared server tool by its name.
            Err(unknown) => {
                let another = served::by_name(&call.name, &call.arguments, cx).unwrap_or(Err(unknown))?;
                return Ok(self.prepared_as(call.id.clone(), another));
            }
        };
        let args = Args::of(row, &call.arguments)?;
        match row.serves {
            Some(Serves::Another(meant)) => return Ok(self.prepared_as(call.id.clone(), meant(&args, cx)?)),
            Some(Serves::Other) => return self.draft(&other::meant(&call.id, &args)?, cx),
            _ => {}
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

    /// Returns the call for a command line from the engine's configured check or from the user's `!command`.
    pub fn command_call(&self, id: CallId, command: &str, timeout_ms: Option<u64>) -> Result<ToolCall, Refusal> {
        let (row, arguments) = self.serving("runs command lines", |serves| match serves {
            Serves::Commands(arguments) => Some(arguments),
            _ => None,
        })?;
        Ok(call_of(row, id, arguments(command, timeout_ms)))
    }

    pub fn rules_of_reading(&self) -> Option<ToolRules> {
        let reads = |row: &&Arc<Row>| matches!(row.serves, Some(Serves::Files(_)));
        self.0.rows.iter().find(reads).map(rules_of)
    }

    /// Returns the call that reads a file from the user's prompt.
    pub fn file_call(&self, id: CallId, path: &str, first: u64, count: Option<u64>) -> Result<ToolCall, Refusal> {
        let (row, arguments) = self.serving("reads files", |serves| match serves {
            Serves::Files(arguments) => Some(arguments),
            _ => None,
        })?;
        Ok(call_of(row, id, arguments(path, first, count)))
    }

    pub fn folder_call(&self, id: CallId, path: &str) -> Result<ToolCall, Refusal> {
        let (row, arguments) = self.serving("lists folders", |serves| match serves {
            Serves::Folders(arguments) => Some(arguments),
            _ => None,
        })?;
        Ok(call_of(row, id, arguments(path)))
    }

    pub fn merge(&self, id: CallId, patch: &str, cx: &ToolContext) -> Result<Prepared, Refusal> {
        let (row, draft) = self.serving("applies patches", |serves| match serves {
            Serves::Patches(draft) => Some(draft),
            _ => None,
        })?;
        Ok(prepared(id, row, draft(patch, cx).map_err(|why| told(why, cx))?))
    }

    pub fn undo(&self, id: CallId, files: &[FileBytes], cx: &ToolContext) -> Result<Prepared, Refusal> {
        let (row, draft) = self.serving("writes files", |serves| match serves {
            Serves::Undo(draft) => Some(draft),
            _ => None,
        })?;
        Ok(prepared(id, row, draft(files, cx).map_err(|why| told(why, cx))?))
    }

    /// Prepares a question of the engine to the user, such as whether to continue after a limit.
    pub fn question(&self, id: CallId, question: Question) -> Result<Prepared, Refusal> {
        let (row, draft) = self.serving("asks the person", |serves| match serves {
            Serves::Questions(draft) => Some(draft),
            _ => None,
        })?;
        Ok(prepared(id, row, draft(question)))
    }

    pub fn review(&self, id: CallId, line: String, review: ToReview, cx: &ToolContext) -> Result<Prepared, Refusal> {
        let (row, ()) = self.serving("has other agents work", |serves| match serves {
            Serves::Delegation => Some(()),
            _ => None,
        })?;
        let to = cx.children.clone().ok_or_else(task::nobody)?;
        Ok(prepared(id, row, review::draft(line, review, to)))
    }

    /// Returns the first row whose role satisfies `of`. `does` describes the role in the error message.
    fn serving<S>(&self, does: &str, of: impl Fn(Serves) -> Option<S>) -> Result<(&Arc<Row>, S), Refusal> {
        let mut rows = self.0.rows.iter();
        rows.find_map(|row| Some((row, of(row.serves?)?)))
            .ok_or_else(|| Refusal::new("unknown_tool", format!("No tool of this session {does}.")))
    }

    pub(super) fn find(&self, name: &str) -> Result<&Arc<Row>, Refusal> {
        if let Some(row) = self.row(|row| row.facts.name == name) {
            return Ok(row);
        }
        // Some chat templates add a namespace to the name: `functions.read`, `default_api:read`.
        let bare = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        let wanted = plain(bare);
        // A tool's name takes precedence over an equal alias of another tool.
        self.row(|row| plain(row.name()) == wanted)
            .or_else(|| self.row(|row| row.aliases.contains(&&*wanted)))
            .ok_or_else(|| self.unknown(name, &wanted))
    }

    fn row(&self, fits: impl Fn(&Row) -> bool) -> Option<&Arc<Row>> {
        self.0.rows.iter().chain(&self.0.other).find(|row| fits(row))
    }

    fn unknown(&self, name: &str, wanted: &str) -> Refusal {
        let names: Vec<&str> = self.0.declarations.iter().map(|tool| tool.name.as_str()).collect();
        if name.trim().is_empty() {
            let told = "The call cannot be parsed: it names no tool, or it is not JSON. Write it again, with the name of a tool \
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

fn web_rows(fetch: bool, search: bool) -> impl Iterator<Item = Row> {
    fetch.then(webfetch::row).into_iter().chain(search.then(websearch::row))
}

fn declared(row: &Row, given: Option<&Adjustment>, small: bool) -> ToolDeclaration {
    let mut parameters = row.parameters.clone();
    if let Some(properties) = parameters.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(
            |_, schema| match schema.as_object_mut().and_then(|schema| schema.remove("undeclared")) {
                None => true,
                Some(always) => always == "small" && !small,
            },
        );
    }
    if let Some(limit) = given.and_then(|given| given.timeout_ms)
        && let Some(told) = parameters.pointer_mut("/properties/timeout_ms/description")
    {
        *told = Value::String(format!("Default {limit}."));
    }
    ToolDeclaration {
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
    }
}

fn rules_of(row: &Arc<Row>) -> ToolRules {
    ToolRules {
        aliases: row.aliases,
        ..row.facts.rules()
    }
}

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

/// Normalises a name, so that `ask-user`, `Ask_User` and `ask_user` become equal.
fn plain(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    if name.contains(|letter: char| letter.is_ascii_uppercase() || letter == '-') {
        Cow::Owned(name.to_ascii_lowercase().replace('-', "_"))
    } else {
        Cow::Borrowed(name)
    }
}

#[cfg(test)]
mod tests;
