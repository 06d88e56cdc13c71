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
}

/// The theme that was chosen last, while it is read: a file of the person's own may lie on a slow disk. Of one that was chosen before,
/// nothing comes any more.
#[derive(Default)]
pub(super) struct NextTheme(Option<oneshot::Receiver<Option<Theme>>>);

impl NextTheme {
    /// The theme, once; never, while none is read. `None`: its file is wrong by now.
    pub(super) async fn next(&mut self) -> Option<Theme> {
        let Some(reading) = &mut self.0 else {
            return pending().await;
        };
        let read = reading.await;
        self.0 = None;
        read.ok().flatten()
    }
}

impl Driver {
    /// The terminal reported its background colour: the theme follows it, unless the person named a theme.
    pub(super) fn ground(&mut self, ground: Ground) {
        self.look.ground = Some(ground);
        let may_differ = self.next_theme.0.is_some() || ground != self.theme.ground();
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
        let (answer, read) = oneshot::channel();
        let look = self.look.clone();
        let work = move || {
            // Nobody waits for it any more where another was chosen since.
            let _ = answer.send(look.theme());
        };
        self.next_theme = NextTheme(Some(read));
        // Where the system refuses a thread, it is read here.
        if std::thread::Builder::new()
            .name("theme".to_owned())
            .spawn(work)
            .is_err()
        {
            self.next_theme = NextTheme::default();
            self.read_theme(self.look.theme());
        }
    }

    /// A file that is wrong by now leaves the colours as they are.
    pub(super) fn read_theme(&mut self, theme: Option<Theme>) {
        if let Some(theme) = theme {
            self.theme = theme;
            self.outdate(Old::All, Cause::Event);
        }
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
