//! Chooses the theme by the user's setting and the terminal's background.

use std::future::pending;

use tokio::sync::oneshot;

use super::event_loop::Driver;
use super::pace::Cause;
use benchdog_app::msg::OpResult;
use benchdog_app::picture::Old;
use benchdog_app::themes::{FewColours, ThemeAbout, ThemeOffer};
use benchdog_theme::{AUTO, Choice, Depth, Ground, Offer, OfferKind, Shelf, Theme};

#[derive(Debug, Clone)]
pub struct Appearance {
    pub shelf: Shelf,
    pub choice: Choice,
    pub depth: Depth,
    /// The background as far as the environment shows it. After the first frame, the terminal reports the exact colour.
    pub ground: Option<Ground>,
}

impl Appearance {
    fn theme(&self) -> Option<Theme> {
        Theme::choose(&self.shelf, &self.choice, self.depth, self.ground).ok()
    }

    fn shipped(&self) -> Option<Theme> {
        Theme::choose(&Shelf::default(), &self.choice, self.depth, self.ground).ok()
    }
}

/// Loads a custom theme on a thread, because the disk may be slow. A hanging disk blocks at most one thread.
#[derive(Default)]
pub(super) struct NextTheme {
    answer: Option<oneshot::Receiver<Option<Theme>>>,
    is_outdated: bool,
}

impl NextTheme {
    /// Returns the loaded theme. `None` if the theme file is invalid. Never returns if no theme is being loaded.
    pub(super) async fn next(&mut self) -> Option<Theme> {
        let Some(answer) = &mut self.answer else {
            return pending().await;
        };
        let read = answer.await;
        self.answer = None;
        read.ok().flatten()
    }

    fn begin(&mut self, read: impl FnOnce() -> Option<Theme> + Send + 'static) -> bool {
        self.is_outdated = self.answer.is_some();
        if self.is_outdated {
            return true;
        }
        let (answer, waits) = oneshot::channel();
        let work = move || {
            // At exit, the receiver is gone.
            let _ = answer.send(read());
        };
        let begun = std::thread::Builder::new().name("theme".to_owned()).spawn(work).is_ok();
        self.answer = begun.then_some(waits);
        begun
    }
}

impl Driver {
    pub(super) fn ground(&mut self, ground: Ground) {
        self.look.ground = Some(ground);
        let may_differ = self.next_theme.answer.is_some() || ground != self.theme.ground();
        if self.look.choice == Choice::Auto && may_differ {
            self.draw_with_choice();
        }
    }

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
        // If the system cannot start a thread, load the theme on the current thread.
        if !self.next_theme.begin(move || look.theme())
            && let Some(theme) = self.look.theme()
        {
            self.draw_with(theme);
        }
    }

    pub(super) fn read_theme(&mut self, theme: Option<Theme>) {
        match std::mem::take(&mut self.next_theme.is_outdated) {
            // A built-in theme is already in use.
            true if self.look.shipped().is_some() => {}
            true => self.draw_with_choice(),
            false => theme.into_iter().for_each(|theme| self.draw_with(theme)),
        }
    }

    fn draw_with(&mut self, theme: Theme) {
        self.theme = theme;
        self.outdate(Old::All, Cause::Event);
    }

    /// Lists custom themes on a thread, because every theme file is read.
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
mod tests;
