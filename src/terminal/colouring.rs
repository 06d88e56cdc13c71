//! Which theme is drawn with: by the person's choice, and by the background colour the terminal reports.

use std::future::pending;

use tokio::sync::oneshot;

use super::event_loop::Driver;
use super::pace::Cause;
use crate::app::msg::OpResult;
use crate::app::picture::Old;
use crate::app::themes::{FewColours, ThemeAbout, ThemeOffer};
use crate::theme::{AUTO, Choice, Depth, Ground, Offer, OfferKind, Shelf, Theme};

/// What the theme is chosen by.
#[derive(Debug, Clone)]
pub(crate) struct Appearance {
    pub(crate) shelf: Shelf,
    pub(crate) choice: Choice,
    pub(crate) depth: Depth,
    /// As far as the environment says; the terminal itself is asked after the first frame.
    pub(crate) ground: Option<Ground>,
}

impl Appearance {
    fn theme(&self) -> Option<Theme> {
        Theme::choose(&self.shelf, &self.choice, self.depth, self.ground).ok()
    }

    /// The same where it is shipped, which no disk is asked for.
    fn shipped(&self) -> Option<Theme> {
        Theme::choose(&Shelf::default(), &self.choice, self.depth, self.ground).ok()
    }
}

/// A theme of the person's own, while it is read: its file may lie on a slow disk. One is read at a time, so that whoever walks through the
/// list on a disk that does not answer leaves one thread behind, and not one for each.
#[derive(Default)]
pub(super) struct NextTheme {
    answer: Option<oneshot::Receiver<Option<Theme>>>,
    /// Another was chosen since it was begun.
    is_outdated: bool,
}

impl NextTheme {
    /// The theme, once; never, while none is read. `None`: its file is wrong by now.
    pub(super) async fn next(&mut self) -> Option<Theme> {
        let Some(answer) = &mut self.answer else {
            return pending().await;
        };
        let read = answer.await;
        self.answer = None;
        read.ok().flatten()
    }

    /// Reads beside the loop, or notes while another is read that it is not the newest. `false`: the system refuses a thread.
    fn begin(&mut self, read: impl FnOnce() -> Option<Theme> + Send + 'static) -> bool {
        self.is_outdated = self.answer.is_some();
        if self.is_outdated {
            return true;
        }
        let (answer, waits) = oneshot::channel();
        let work = move || {
            // Nobody waits for it any more where the workbench was left.
            let _ = answer.send(read());
        };
        let begun = std::thread::Builder::new().name("theme".to_owned()).spawn(work).is_ok();
        self.answer = begun.then_some(waits);
        begun
    }
}

impl Driver {
    /// The terminal reported its background colour: the theme follows it, unless the person named a theme.
    pub(super) fn ground(&mut self, ground: Ground) {
        self.look.ground = Some(ground);
        let may_differ = self.next_theme.answer.is_some() || ground != self.theme.ground();
        if self.look.choice == Choice::Auto && may_differ {
            self.draw_with_choice();
        }
    }

    /// Another theme was chosen, by a name that was checked where it was written.
    pub(super) fn choose_theme(&mut self, name: &str) {
        self.look.choice = Choice::of(name);
        self.draw_with_choice();
    }

    fn draw_with_choice(&mut self) {
        if let Some(theme) = self.look.shipped() {
            self.next_theme.is_outdated = self.next_theme.answer.is_some();
            return self.draw_with(theme);
        }
        let look = self.look.clone();
        // Where the system refuses a thread, it is read here.
        if !self.next_theme.begin(move || look.theme())
            && let Some(theme) = self.look.theme()
        {
            self.draw_with(theme);
        }
    }

    /// One was read. A file that is wrong by now leaves the colours as they are.
    pub(super) fn read_theme(&mut self, theme: Option<Theme>) {
        match std::mem::take(&mut self.next_theme.is_outdated) {
            // What is shipped is drawn with already.
            true if self.look.shipped().is_some() => {}
            true => self.draw_with_choice(),
            false => theme.into_iter().for_each(|theme| self.draw_with(theme)),
        }
    }

    fn draw_with(&mut self, theme: Theme) {
        self.theme = theme;
        self.outdate(Old::All, Cause::Event);
    }

    /// The person's own are read beside the loop: every file of their folder is looked into.
    pub(super) fn list_themes(&mut self) {
        let shelf = self.look.shelf.clone();
        let few = match self.look.depth {
            Depth::Plain => Some(FewColours::None),
            Depth::Sixteen => Some(FewColours::Sixteen),
            Depth::Indexed | Depth::Full => None,
        };
        self.answers.running.push(Box::pin(async move {
            let found = tokio::task::spawn_blocking(move || shelf.offers()).await;
            let auto = ThemeOffer {
                name: AUTO.to_owned(),
                about: ThemeAbout::FollowsTerminal,
            };
            let found = found.unwrap_or_default().into_iter().map(offered);
            let offers = std::iter::once(auto).chain(found).collect();
            OpResult::Themes { offers, few }.into()
        }));
    }
}

fn offered(offer: Offer) -> ThemeOffer {
    ThemeOffer {
        name: offer.name,
        about: match offer.kind {
            OfferKind::Shipped(about) => ThemeAbout::Shipped(about),
            OfferKind::Own => ThemeAbout::Own,
            OfferKind::Broken(problems) => {
                let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
                ThemeAbout::Broken(told.join("\n"))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_theme_is_read_at_a_time_and_it_is_known_that_another_was_chosen_since() {
        let mut reading = NextTheme::default();
        let (answers, disk) = std::sync::mpsc::channel::<()>();
        let slow = move || disk.recv().ok().map(|()| Theme::shipped("dark", Depth::Full));
        assert!(reading.begin(slow));
        assert!(!reading.is_outdated);
        for _ in 0..3 {
            assert!(reading.begin(|| None));
        }
        answers.send(()).unwrap();
        assert!(reading.next().await.is_some(), "no second one was begun");
        assert!(reading.is_outdated);
        assert!(reading.begin(|| None));
        assert!(!reading.is_outdated && reading.next().await.is_none());
    }
}
