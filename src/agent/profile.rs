//! One agent as data.

use crate::config::resolve_model;
use crate::config::settings::{AgentSettings, Settings};
use crate::domain::agent::{AgentName, Briefed, Completion, Mode, ModelRef, SUMMARY};
use crate::domain::finding::FINDINGS;
use crate::domain::permission::{Layer, Rule, ToolRules};
use crate::domain::tool_list::ToolList;
use crate::security::policy::LayerRules;

/// One agent. It changes what is allowed and never what is sent: tools and system prompt are those of every agent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Profile {
    pub(crate) name: AgentName,
    /// What it is for, as whoever wrote it says; empty where it is built in and nobody did.
    pub(crate) description: String,
    pub(crate) mode: Mode,
    /// It is chosen by its name and not offered.
    pub(crate) hidden: bool,
    /// `None`: that of the session.
    pub(crate) model: Option<ModelRef>,
    pub(crate) temperature: Option<f64>,
    /// Requests a turn of it may make; `None`: as many as any other's.
    pub(crate) steps: Option<u32>,
    pub(crate) completion: Completion,
    /// What the model is told of it.
    pub(crate) prompt: String,
    /// It changes nothing: what writes is denied, and commands run where nothing can be written.
    pub(crate) reads_only: bool,
    pub(crate) hands_over: HandsOver,
    /// What it may use; each list holds.
    pub(super) tools: Vec<ToolList>,
    /// Its rules, in layers of the policy: a deny of any is final.
    pub(super) rules: Vec<LayerRules>,
}

/// What an agent hands over at the end of its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandsOver {
    Nothing,
    /// A plan, for the person to decide about.
    Plan,
    /// What it found in files that it looked at. Its turn is not over before.
    Findings,
}

impl Profile {
    /// One that is like any other.
    pub(super) fn named(name: &str) -> Self {
        Self {
            name: AgentName(name.to_owned()),
            description: String::new(),
            mode: Mode::Primary,
            hidden: false,
            model: None,
            temperature: None,
            steps: None,
            completion: Completion::Text,
            prompt: String::new(),
            reads_only: false,
            hands_over: HandsOver::Nothing,
            tools: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// What is written of it, over what it is by itself. Lists of tools and rules come beside its own, so that neither can be loosened.
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

    /// Its rules, as layers of the policy.
    pub(crate) fn layers(&self) -> &[LayerRules] {
        &self.rules
    }

    /// Whether a person can work with it.
    pub(crate) fn is_worked_with(&self) -> bool {
        self.mode == Mode::Primary && !self.is_inner()
    }

    /// It does one job of the program, and nobody works with it.
    pub(crate) fn is_inner(&self) -> bool {
        self.name.0 == SUMMARY || self.hands_over == HandsOver::Findings
    }

    /// Whether it hands over with this tool, without which nothing would come of its work.
    pub(crate) fn hands_over_by(&self, tool: &str) -> bool {
        self.hands_over == HandsOver::Findings && tool == FINDINGS
    }

    /// The rule that keeps a tool from it, if one does.
    pub(crate) fn keeps_out(&self, tool: &ToolRules) -> Option<Rule> {
        let origin = format!("agent.{}.tools", self.name);
        self.tools.iter().find_map(|list| list.keeps_out(tool, &origin))
    }

    pub(crate) fn briefed(&self) -> Briefed {
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
