//! The form for a model server: address, optional API key, a connection test, and the list of models.

use crate::cursor::Cursor;
use benchdog_base::text::clean;
use benchdog_config::{complete_address, is_address, public_address};
use benchdog_domain::agent::Readiness;
use benchdog_domain::api_key::ApiKey;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{FoundModel, FoundServer, NotListed};

pub const FIELDS: usize = 3;

pub struct SetupForm {
    pub address: String,
    /// The address that the form began with. The user did not type it.
    given: String,
    pub key: String,
    pub cursor: Cursor,
    pub offers: Vec<Offer>,
    pub note: String,
    pub failed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub base_url: String,
    pub model: FoundModel,
    pub tested: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    Address,
    Key,
    Test,
    Model(usize),
}

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
            given: String::new(),
            key: String::new(),
            cursor: Cursor::default(),
            offers: Vec::new(),
            note: word(Word::SetupBegin).to_owned(),
            failed: false,
        };
        form.offer(found);
        form
    }

    pub(crate) fn is_untouched(&self) -> bool {
        self.address == self.given && self.key.is_empty()
    }

    pub fn row(&self) -> Row {
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

    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut String)) {
        match self.row() {
            Row::Address => self.edit_address(change),
            Row::Key => change(&mut self.key),
            Row::Test | Row::Model(_) => return,
        }
        self.offers.retain(|offer| !offer.tested);
        self.failed = false;
    }

    /// Edits the address. Typed text replaces the address that the form began with.
    fn edit_address(&mut self, change: impl FnOnce(&mut String)) {
        let given = std::mem::take(&mut self.given);
        let was_given = self.address == given;
        change(&mut self.address);
        let typed = self.address.strip_prefix(&given).filter(|_| was_given);
        if let Some(typed) = typed.filter(|typed| !typed.is_empty()) {
            self.address = typed.to_owned();
        }
    }

    pub(crate) fn offer(&mut self, found: &[FoundServer]) {
        self.offers.retain(|offer| offer.tested);
        for server in found {
            self.add(&server.base_url, &server.models, false);
        }
        if self.is_untouched() {
            self.begin_with_key(found);
            self.wait_for(found);
        }
    }

    /// Fills in the address of the configured server, unless the user has typed something.
    pub(crate) fn begin_with(&mut self, base_url: &str) {
        if self.is_untouched() {
            base_url.clone_into(&mut self.address);
            base_url.clone_into(&mut self.given);
        }
    }

    /// If no server offers a model, prepares the form for a found server that needs an API key.
    fn begin_with_key(&mut self, found: &[FoundServer]) {
        let locked = found.iter().find(|server| server.readiness == Readiness::NeedsKey);
        if let Some(server) = locked.filter(|_| self.offers.is_empty() && self.address.is_empty()) {
            self.begin_with(&server.base_url);
            self.note = lang::message::setup_needs_key(&shown(&server.base_url));
            self.cursor.at = 1;
        }
    }

    /// Shows which server is loading its model, if no server offers a model yet.
    fn wait_for(&mut self, found: &[FoundServer]) {
        let loading = found.iter().find(|server| server.readiness == Readiness::Loading);
        if let Some(server) = loading.filter(|_| self.offers.is_empty()) {
            self.note = lang::message::setup_loading(&shown(&server.base_url));
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
        if !is_address(&complete_address(&self.address)) {
            self.fail(&lang::message::setup_bad_address(&shown(self.address.trim())));
            self.cursor.at = 0;
            return Taken::Nothing;
        }
        self.failed = false;
        self.note = lang::message::setup_testing(&shown(&self.address));
        Taken::Test {
            base_url: self.address.trim().to_owned(),
            key: ApiKey::new(&self.key),
        }
    }

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
                match error.wants_key && self.key.trim().is_empty() {
                    true => self.fail(&lang::message::setup_needs_key(&shown(base_url))),
                    false => self.fail(&clean(&lang::server_error(&error.why))),
                }
                self.cursor.at = usize::from(error.wants_key);
            }
        }
    }

    fn fail(&mut self, why: &str) {
        why.clone_into(&mut self.note);
        self.failed = true;
    }
}

pub fn shown(address: &str) -> String {
    clean(&public_address(address)).into_owned()
}
