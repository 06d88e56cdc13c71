//! The settings of one agent.

use benchdog_config::resolve_model;
use benchdog_config::settings::{AgentSettings, Settings};
use benchdog_domain::agent::{AgentName, Briefed, Completion, Mode, ModelRef, SUMMARY};
use benchdog_domain::finding::FINDINGS;
use benchdog_domain::permission::{Layer, Rule, ToolRules};
use benchdog_domain::tool_list::ToolList;
use benchdog_security::policy::LayerRules;

/// An agent: its permissions and instructions. All agents have the same tools and system prompt in requests.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub name: AgentName,
    /// The configured purpose. Empty for a built-in agent that the configuration does not change.
    pub description: String,
    pub mode: Mode,
    /// Whether the agent is missing from lists, so that it can be selected only by name.
    pub hidden: bool,
    pub(super) is_in_cycle: bool,
    /// The agent's model. If `None`, the agent uses the session's model.
    pub model: Option<ModelRef>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    /// Maximum number of model requests per turn. If `None`, the default applies.
    pub steps: Option<u32>,
    pub completion: Completion,
    /// Instructions for the model, sent when the agent is selected.
    pub prompt: String,
    /// Whether the agent may not write: edits are denied, and commands run without write access.
    pub reads_only: bool,
    pub hands_over: HandsOver,
    /// Lists of allowed tools. A tool is allowed only if all lists allow it.
    pub(super) tools: Vec<ToolList>,
    /// Permission rules, one layer per source. If any layer denies, the denial is final.
    pub(super) rules: Vec<LayerRules>,
}

/// The result that the model must submit to end a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandsOver {
    Nothing,
    Plan,
    Findings,
}

impl Profile {
    pub(super) fn named(name: &str) -> Self {
        Self {
            name: AgentName(name.to_owned()),
            description: String::new(),
            mode: Mode::Primary,
            hidden: false,
            is_in_cycle: true,
            model: None,
            temperature: None,
            top_p: None,
            steps: None,
            completion: Completion::Text,
            prompt: String::new(),
            reads_only: false,
            hands_over: HandsOver::Nothing,
            tools: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Merges configured values into the agent. Adds configured tool lists and rules to the existing ones, so that the
    /// configuration cannot remove a restriction.
    pub(super) fn take(&mut self, written: &AgentSettings, settings: &Settings) {
        if !written.description.is_empty() {
            self.description.clone_from(&written.description);
        }
        self.mode = written.mode.unwrap_or(self.mode);
        self.hidden |= written.hidden;
        let model = written
            .model
            .as_deref()
            .and_then(|text| resolve_model(text, settings).ok());
        self.model = model.or_else(|| self.model.take());
        self.temperature = written.temperature.or(self.temperature);
        self.top_p = written.top_p.or(self.top_p);
        self.steps = written.steps.or(self.steps);
        self.completion = written.completion.unwrap_or(self.completion);
        if let Some(prompt) = &written.prompt {
            self.prompt.clone_from(prompt);
        }
        self.tools.extend(written.tools.iter().map(|names| ToolList::of(names)));
        self.rules.extend(written.permission.iter().map(|rules| LayerRules {
            network: rules.network.clone(),
            layer: Layer::Agent,
            origin: rules.origin.clone(),
            rules: rules.rules.clone(),
        }));
    }

    pub fn layers(&self) -> &[LayerRules] {
        &self.rules
    }

    pub(crate) fn is_worked_with(&self) -> bool {
        self.mode == Mode::Primary && !self.is_inner()
    }

    pub(crate) fn is_inner(&self) -> bool {
        self.name.0 == SUMMARY || self.hands_over == HandsOver::Findings
    }

    pub fn hands_over_by(&self, tool: &str) -> bool {
        self.hands_over == HandsOver::Findings && tool == FINDINGS
    }

    /// Returns the rule that denies a tool, if any.
    pub fn keeps_out(&self, tool: &ToolRules) -> Option<Rule> {
        let origin = format!("agent.{}.tools", self.name);
        self.tools.iter().find_map(|list| list.keeps_out(tool, &origin))
    }

    pub fn briefed(&self) -> Briefed {
        let briefing = if self.prompt.is_empty() {
            &self.description
        } else {
            &self.prompt
        };
        Briefed {
            agent: self.name.clone(),
            briefing: briefing.clone(),
            steps: self.steps,
            model: self.model.clone(),
            completion: self.completion,
            hands_over: (self.hands_over == HandsOver::Findings).then(|| FINDINGS.to_owned()),
        }
    }
}
