//! What a look at changed files found, as a run of it is printed, and whether it fails by that.

use crate::base::text::clean;
use crate::domain::finding::{Finding, Severity, gather, listed};
use crate::domain::summary::Summary;
use crate::lang;

#[derive(Debug)]
pub(super) struct Found {
    /// From this severity on a finding fails the run.
    fail_on: Option<Severity>,
    findings: Vec<Finding>,
}

impl Found {
    pub(super) fn new(fail_on: Option<Severity>) -> Self {
        Self {
            fail_on,
            findings: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, more: &[Finding]) {
        gather(&mut self.findings, more);
    }

    pub(super) fn all(&self) -> &[Finding] {
        &self.findings
    }

    pub(super) fn fails(&self) -> bool {
        let grave = |least| self.findings.iter().any(|finding| finding.severity >= least);
        self.fail_on.is_some_and(grave)
    }

    /// One line a finding, with its detail beneath; nothing in them steers a terminal.
    pub(super) fn lines(&self) -> Vec<String> {
        let text = listed(&self.findings);
        text.lines().map(|line| clean(line).into_owned()).collect()
    }

    /// How many there are, for a person.
    pub(super) fn count(&self) -> String {
        let findings = self.findings.len() as u64;
        lang::summary(&Summary::Findings { findings }).into_owned()
    }
}
