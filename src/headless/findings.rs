//! Findings of a review run: prints them, and decides whether they fail the run.

use benchdog_base::text::clean;
use benchdog_domain::finding::{Finding, Severity, gather, listed};
use benchdog_domain::summary::Summary;
use benchdog_lang as lang;

#[derive(Debug)]
pub(super) struct Found {
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

    pub(super) fn lines(&self) -> Vec<String> {
        let text = listed(&self.findings);
        text.lines().map(|line| clean(line).into_owned()).collect()
    }

    pub(super) fn count(&self) -> String {
        let findings = self.findings.len() as u64;
        lang::summary(&Summary::Findings { findings }).into_owned()
    }
}
