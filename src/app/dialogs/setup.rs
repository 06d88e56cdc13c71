//! The form for a model server: its address, a key where it wants one, a test, and the models that it offers.

use crate::app::cursor::Cursor;
use crate::base::text::clean;
use crate::config::public_address;
use crate::domain::api_key::ApiKey;
use crate::lang::{self, Word, word};
use crate::protocol::{FoundModel, FoundServer, NotListed};

/// Rows above the models.
pub(crate) const FIELDS: usize = 3;

pub(crate) struct SetupForm {
    pub(crate) address: String,
    pub(crate) key: String,
    /// The fields, the test, then the models.
    pub(crate) cursor: Cursor,
    pub(crate) offers: Vec<Offer>,
    /// The result of the test, or what to do.
    pub(crate) note: String,
    pub(crate) failed: bool,
}

/// A model of a server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) base_url: String,
    pub(crate) model: FoundModel,
    /// It was listed for the address and the key of the form.
    pub(crate) tested: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    Address,
    Key,
    Test,
    /// The model of this number.
    Model(usize),
}

/// What Enter does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Taken {
    Nothing,
    Test {
        base_url: String,
        key: ApiKey,
    },
    Use {
        base_url: String,
        model: String,
        key: ApiKey,
    },
}

impl SetupForm {
    pub(crate) fn new(found: &[FoundServer]) -> Self {
        let mut form = Self {
            address: String::new(),
            key: String::new(),
            cursor: Cursor::default(),
            offers: Vec::new(),
            note: word(Word::SetupBegin).to_owned(),
            failed: false,
        };
        form.offer(found);
        form
    }

    pub(crate) fn row(&self) -> Row {
        match self.cursor.at {
            0 => Row::Address,
            1 => Row::Key,
            2 => Row::Test,
            more => Row::Model(more - FIELDS),
        }
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.cursor.step(by, FIELDS + self.offers.len());
    }

    /// Changes the field that the cursor is on. The models of another address or key are none of this one.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut String)) {
        match self.row() {
            Row::Address => change(&mut self.address),
            Row::Key => change(&mut self.key),
            Row::Test | Row::Model(_) => return,
        }
        self.offers.retain(|offer| !offer.tested);
        self.failed = false;
    }

    /// Adds the servers that a search found.
    pub(crate) fn offer(&mut self, found: &[FoundServer]) {
        self.offers.retain(|offer| offer.tested);
        for server in found {
            self.add(&server.base_url, &server.models, false);
        }
    }

    fn add(&mut self, base_url: &str, models: &[FoundModel], tested: bool) {
        let is_there = |offer: &Offer, model: &FoundModel| offer.base_url == base_url && offer.model.id == model.id;
        for model in models {
            if !self.offers.iter().any(|offer| is_there(offer, model)) {
                self.offers.push(Offer {
                    base_url: base_url.to_owned(),
                    model: model.clone(),
                    tested,
                });
            }
        }
    }

    /// Enter: tests the address, or takes the model that the cursor is on.
    pub(crate) fn take(&mut self) -> Taken {
        if let Row::Model(number) = self.row() {
            let Some(offer) = self.offers.get(number).cloned() else {
                return Taken::Nothing;
            };
            return Taken::Use {
                key: ApiKey::new(if offer.tested { &self.key } else { "" }),
                base_url: offer.base_url,
                model: offer.model.id,
            };
        }
        if self.address.trim().is_empty() {
            self.fail(word(Word::SetupNoAddress));
            self.cursor.at = 0;
            return Taken::Nothing;
        }
        self.failed = false;
        self.note = lang::setup_testing(&shown(&self.address));
        Taken::Test {
            base_url: self.address.trim().to_owned(),
            key: ApiKey::new(&self.key),
        }
    }

    /// The server was asked. The cursor goes to what comes next: a model, or the field that is wrong.
    pub(crate) fn tested(&mut self, base_url: &str, models: Result<Vec<FoundModel>, NotListed>) {
        match models {
            Ok(models) => {
                self.offers.retain(|offer| !offer.tested && offer.base_url != base_url);
                let found = std::mem::take(&mut self.offers);
                self.add(base_url, &models, true);
                self.offers.extend(found);
                self.note = lang::setup_answers(&shown(base_url), !models.is_empty());
                self.failed = models.is_empty();
                self.cursor.at = if models.is_empty() { 0 } else { FIELDS };
            }
            Err(error) => {
                self.fail(&clean(&error.why));
                self.cursor.at = usize::from(error.wants_key);
            }
        }
    }

    fn fail(&mut self, why: &str) {
        why.clone_into(&mut self.note);
        self.failed = true;
    }
}

/// An address without what may be secret in it.
pub(crate) fn shown(address: &str) -> String {
    clean(&public_address(address)).into_owned()
}
