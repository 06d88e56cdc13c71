//! The dialog of background jobs, with the newest output of the selected one.

use ratatui::layout::{Position, Rect};

use crate::brush::Brush;
use crate::widgets::frame::{self, Head};
use benchdog_app::State;
use benchdog_app::dialogs::jobs::{JobsDialog, places};
use benchdog_app::view::dialog_keys::KeyRow;
use benchdog_base::text::{clean, fit, truncate};
use benchdog_domain::job::Job;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

const NUMBER: usize = 6;
const STANDS: usize = 18;

pub(crate) fn draw(state: &State, shown: &JobsDialog, closes: &str, area: Rect, brush: &mut Brush) -> Option<Position> {
    let head = Head {
        title: &[(word(Word::JobsTitle), Scope::BorderTitleFocused)],
        note: closes,
        line: Scope::BorderFocused,
    };
    let inside = frame::draw(&head, area, brush);
    let jobs = &state.screen.jobs;
    if jobs.is_empty() {
        brush.scoped(inside.x, inside.y, inside.width, word(Word::NoJobs), Scope::TextDim);
        return None;
    }
    let places = places(inside, jobs.len());
    let rows = places.list.y..places.list.bottom();
    for (y, (place, job)) in rows.zip(jobs.iter().enumerate().skip(shown.cursor.top)) {
        row(state, job, places.list, y, brush);
        if place == shown.cursor.at {
            brush.tint(
                Rect {
                    y,
                    height: 1,
                    ..places.list
                },
                Scope::Selected,
            );
        }
    }
    if let (true, Some(job)) = (places.heading.height > 0, shown.chosen(jobs)) {
        let title = format!("── {} {}", job.id, clean(&job.title));
        let title = truncate(&title, usize::from(inside.width));
        brush.scoped(inside.x, places.heading.y, inside.width, &title, Scope::TextHeading);
    }
    let nothing = [word(Word::NothingWritten).to_owned()];
    let text = match shown.text(jobs) {
        Some("") => &nothing[..],
        Some(_) => shown.rows(),
        None => &[],
    };
    for (y, line) in (places.output.y..places.output.bottom()).zip(text) {
        brush.scoped(inside.x, y, inside.width, line, Scope::Text);
    }
    keys(state, shown, places.keys, brush);
    None
}

fn row(state: &State, job: &Job, area: Rect, y: u16, brush: &mut Brush) {
    let (stands, scope) = match &job.ended {
        None => (lang::job_runs(state.now.since(job.began)), Scope::TextAccent),
        Some(how) => (lang::summary(how).into_owned(), Scope::TextDim),
    };
    let number = fit(&job.id.to_string(), NUMBER);
    let stands = fit(&truncate(&stands, STANDS), STANDS + 1);
    let x = brush.run(
        area.x,
        y,
        area.right(),
        &[(&number, Scope::TextBright), (&stands, scope)],
    );
    let room = usize::from(area.right().saturating_sub(x));
    let title = clean(&job.title);
    let title = truncate(&title, (room / 2).max(20).min(room));
    let x = brush.run(x, y, area.right(), &[(&title, Scope::Text)]) + 2;
    let room = area.right().saturating_sub(x);
    let last = clean(job.last.trim());
    let last = truncate(&last, usize::from(room));
    brush.scoped(x, y, room, &last, Scope::TextDim);
}

fn keys(state: &State, shown: &JobsDialog, area: Rect, brush: &mut Brush) {
    let scope = if shown.ends.is_some() {
        Scope::DialogDanger
    } else {
        Scope::TextDim
    };
    if area.height > 0 {
        brush.scoped(area.x, area.y, area.width, &KeyRow::of_jobs(state, shown).text, scope);
    }
}
