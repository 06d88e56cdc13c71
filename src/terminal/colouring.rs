//! Which theme is drawn with: by the person's choice, and by the background colour the terminal reports.

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

impl Driver {
    /// The terminal reported its background colour: the theme follows it, unless the person named a theme.
    pub(super) fn ground(&mut self, ground: Ground) {
        self.look.ground = Some(ground);
        if self.look.choice == Choice::Auto && ground != self.theme.ground() {
            self.draw_with_choice();
        }
    }

    /// Another theme was chosen, by a name that was checked where it was written.
    pub(super) fn choose_theme(&mut self, name: &str) {
        self.look.choice = Choice::of(name);
        self.draw_with_choice();
    }

    /// A file that is wrong by now leaves the colours as they are.
    fn draw_with_choice(&mut self) {
        let look = &self.look;
        if let Ok(theme) = Theme::choose(&look.shelf, &look.choice, look.depth, look.ground) {
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
