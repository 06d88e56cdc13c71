//! The dialog of background jobs: a list, and the output of the selected job.

use ratatui::layout::Rect;

use crate::cursor::Cursor;
use benchdog_base::text::{clean, wrap_anywhere};
use benchdog_domain::job::{Job, JobId};
use benchdog_keys::action::ListAction;

const BELOW: u16 = 1;

#[derive(Default)]
pub struct JobsDialog {
    pub cursor: Cursor,
    output: Option<(JobId, String)>,
    rows: Vec<String>,
    width: u16,
    height: u16,
    /// Number of rows of the output below the viewport.
    pub back: usize,
    asked: Option<JobId>,
    /// The job for which the end key was pressed once. A second press ends the job.
    pub ends: Option<JobId>,
}

pub struct Places {
    pub list: Rect,
    pub heading: Rect,
    pub output: Rect,
    pub keys: Rect,
}

pub fn places(inside: Rect, jobs: usize) -> Places {
    let body = inside.height.saturating_sub(BELOW);
    let wanted = u16::try_from(jobs).unwrap_or(u16::MAX).max(1);
    let list = wanted.min((body / 3).max(1)).min(body);
    let heading = u16::from(body > list);
    let row = |y: u16, height: u16| Rect { y, height, ..inside };
    let output = inside.y + list + heading;
    Places {
        list: row(inside.y, list),
        heading: row(inside.y + list, heading),
        output: row(output, (inside.y + body).saturating_sub(output)),
        keys: row(inside.y + body, inside.height.min(BELOW)),
    }
}

impl JobsDialog {
    pub fn chosen<'j>(&self, jobs: &'j [Job]) -> Option<&'j Job> {
        jobs.get(self.cursor.at)
    }

    pub(crate) fn of(jobs: &[Job]) -> Self {
        let at = jobs.iter().rposition(Job::runs);
        let at = at.unwrap_or(jobs.len().saturating_sub(1));
        Self {
            cursor: Cursor { at, top: 0 },
            ..Self::default()
        }
    }

    pub(crate) fn ask_once(&mut self, jobs: &[Job]) -> Option<JobId> {
        let chosen = self.chosen(jobs)?.id;
        if self.asked == Some(chosen) {
            return None;
        }
        self.asked = Some(chosen);
        Some(chosen)
    }

    pub(crate) fn changed(&mut self) {
        self.asked = None;
    }

    pub(crate) fn fill(&mut self, job: JobId, text: String) {
        if self.output.as_ref().is_none_or(|(shown, _)| *shown != job) {
            self.back = 0;
        }
        self.output = Some((job, text));
        self.wrap();
    }

    pub fn text(&self, jobs: &[Job]) -> Option<&str> {
        let chosen = self.chosen(jobs)?.id;
        let (job, text) = self.output.as_ref()?;
        (*job == chosen).then_some(text.as_str())
    }

    fn step(&mut self, by: isize, jobs: usize) {
        self.cursor.step(by, jobs);
        self.ends = None;
    }

    pub(crate) fn point(&mut self, place: usize) {
        self.cursor.at = place;
        self.ends = None;
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        let most = self.rows.len().saturating_sub(usize::from(self.height));
        self.back = self.back.saturating_add_signed(by.saturating_neg()).min(most);
    }

    pub(crate) fn move_by(&mut self, action: ListAction, jobs: usize) {
        let page = isize::try_from(self.height).unwrap_or(1).max(1);
        match action {
            ListAction::Up => self.step(-1, jobs),
            ListAction::Down => self.step(1, jobs),
            ListAction::PageUp => self.scroll(-page),
            ListAction::PageDown => self.scroll(page),
            ListAction::Top => self.scroll(isize::MIN / 2),
            ListAction::End => self.scroll(isize::MAX / 2),
        }
    }

    pub fn arrange(&mut self, inside: Rect, jobs: usize) {
        let places = places(inside, jobs);
        self.cursor.arrange(jobs, places.list.height);
        let is_other = self.width != places.output.width;
        (self.width, self.height) = (places.output.width, places.output.height);
        if is_other {
            self.wrap();
        }
        self.scroll(0);
    }

    fn wrap(&mut self) {
        let Some((_, text)) = &self.output else { return };
        let width = usize::from(self.width.max(1));
        let text = clean(text);
        self.rows = text
            .lines()
            .flat_map(|line| {
                let rows = wrap_anywhere(line, width).into_iter();
                rows.map(|row| line.get(row).unwrap_or_default().to_owned())
                    .collect::<Vec<_>>()
            })
            .collect();
    }

    pub fn rows(&self) -> &[String] {
        let end = self.rows.len().saturating_sub(self.back);
        let begin = end.saturating_sub(usize::from(self.height));
        self.rows.get(begin..end).unwrap_or_default()
    }
}
