//! A single question: its text, options, free text, and validation.

use std::sync::Arc;

use super::turned;
use crate::line::Line;
use crate::markdown::{CodeBlock, Document};
use crate::panes::prompt::buffer::Buffer;
use benchdog_base::text::{reveal, truncate};
use benchdog_domain::elicited::{ACCEPT, DECLINE, Field, FieldKind, Form, NO, Offer, WhyWrong, YES};
use benchdog_domain::review::Asked;
use benchdog_domain::server::Need;
use benchdog_lang::{self as lang, Said, Word, word};

const NAME: usize = 20;

pub struct Page {
    pub name: String,
    pub text: String,
    pub(super) written: Written,
    pub options: Vec<Choice>,
    pub multiple: bool,
    /// Whether free text is allowed. The row for free text comes after the options.
    pub own_words: bool,
    pub selected: usize,
    pub own: Buffer,
    /// The free text that the user replaced by choosing an option. Set only if one answer is allowed.
    pub(super) passed_over: Option<String>,
    pub own_shown: usize,
    pub scroll: usize,
    /// Maximum scroll position in the last layout. `text_shown` is the number of text rows visible in that layout.
    pub last_scroll: usize,
    pub text_shown: usize,
    pub answered: bool,
    pub(super) kind: Kind,
    refused: Option<(WhyWrong, Vec<String>)>,
}

pub(super) enum Kind {
    Free,
    /// The page that asks whether to answer a server at all. If the user declines, the pages of the fields are skipped.
    Gate,
    Field(Field),
}

type Laid = (Arc<[Line]>, Arc<[CodeBlock]>);

pub(super) enum Written {
    Plain,
    Markdown {
        width: u16,
        rows: Arc<[Line]>,
        codes: Arc<[CodeBlock]>,
    },
}

pub struct Choice {
    pub shown: String,
    pub description: String,
    /// The answer in a fixed language, in contrast to the translated `shown`. Empty if the option sends no answer.
    answer: String,
    chosen: bool,
}

impl Page {
    pub(super) fn new(text: String, options: Vec<Choice>) -> Self {
        Self {
            name: String::new(),
            text,
            written: Written::Plain,
            multiple: false,
            own_words: false,
            selected: 0,
            own: Buffer::default(),
            passed_over: None,
            own_shown: 1,
            scroll: 0,
            last_scroll: 0,
            text_shown: 0,
            options,
            answered: false,
            kind: Kind::Free,
            refused: None,
        }
    }

    pub(super) fn read(text: String, options: Vec<Choice>) -> Self {
        let written = Written::Markdown {
            width: 0,
            rows: Arc::default(),
            codes: Arc::default(),
        };
        Self {
            own_words: true,
            written,
            ..Self::new(text, options)
        }
    }

    pub(super) fn of(asked: &Asked) -> Self {
        let options = asked.options.iter().map(|option| Choice {
            description: option.description.clone(),
            ..choice(&option.label, &option.label)
        });
        let name = match asked.header.as_str() {
            "" => asked.text.lines().next().unwrap_or_default(),
            header => header,
        };
        Self {
            name: truncate(name, NAME).into_owned(),
            multiple: asked.multiple,
            own_words: asked.own_words,
            ..Self::new(asked.text.clone(), options.collect())
        }
    }

    /// Returns the page that asks whether to answer a server. The page shows the form, so that the user sees all fields
    /// before any data is sent.
    pub(super) fn gate(form: &Form) -> Self {
        let options = vec![
            choice(word(Word::ServerIsTold), ACCEPT),
            choice(word(Word::ServerIsNotTold), DECLINE),
        ];
        Self {
            name: truncate(&form.server.0, NAME).into_owned(),
            kind: Kind::Gate,
            ..Self::new(lang::server_asks(&form.server, &form.message), options)
        }
    }

    pub(super) fn field(field: &Field) -> Self {
        let plain = |of: &[Offer]| of.iter().map(|offer| choice(&offer.shown, &offer.shown)).collect();
        let (options, suggested): (Vec<Choice>, _) = match &field.kind {
            FieldKind::Text { .. } | FieldKind::Number { .. } => (Vec::new(), None),
            FieldKind::Flag { default } => {
                let both = vec![choice(word(Word::No), NO), choice(word(Word::Yes), YES)];
                (both, default.map(usize::from))
            }
            FieldKind::One { of, default } => (plain(of), *default),
            FieldKind::Several { of, .. } => (plain(of), None),
        };
        let mut page = Self {
            name: truncate(field.label(), NAME).into_owned(),
            own_words: options.is_empty(),
            multiple: matches!(field.kind, FieldKind::Several { .. }),
            selected: suggested.unwrap_or_default(),
            ..Self::new(lang::form_field(field), options)
        };
        if field.need == Need::Optional && !page.own_words && !page.multiple {
            page.options.insert(0, choice(word(Word::LeaveOut), ""));
            page.selected = suggested.map_or(0, |at| at + 1);
        }
        if let FieldKind::Several { default, .. } = &field.kind {
            for (at, option) in page.options.iter_mut().enumerate() {
                option.chosen = default.contains(&at);
            }
        }
        if let Some(written) = field.written() {
            page.own.insert(&written);
            page.own.forget_undo();
        }
        page.kind = Kind::Field(field.clone());
        page
    }

    pub(super) fn declines(&self) -> bool {
        matches!(self.kind, Kind::Gate) && self.answers() == [DECLINE]
    }

    /// Whether Enter would decline to answer. Checks the chosen option, or else the option under the cursor.
    pub(crate) fn would_decline(&self) -> bool {
        let chosen = self.options.iter().find(|option| option.chosen);
        let option = chosen.or_else(|| self.options.get(self.selected));
        matches!(self.kind, Kind::Gate) && option.is_some_and(|option| option.answer == DECLINE)
    }

    pub fn is_answered(&self) -> bool {
        let chose = self.options.iter().any(|option| option.chosen);
        let is_given = match &self.kind {
            Kind::Gate => false,
            Kind::Free => chose || self.own_counts(),
            Kind::Field(field) => {
                let chose = match &field.kind {
                    // The server's default values are already chosen, so only a difference from them is an answer.
                    FieldKind::Several { default, .. } => {
                        let mut options = self.options.iter().enumerate();
                        options.any(|(at, option)| option.chosen != default.contains(&at))
                    }
                    _ => chose,
                };
                (chose || self.is_typed()) && field.value(&self.answers()).is_ok()
            }
        };
        self.answered || is_given
    }

    /// Validates the answer and stores the error. Returns `true` if the answer is invalid.
    pub(super) fn refuses(&mut self) -> bool {
        let answers = self.answers();
        self.refused = match &self.kind {
            Kind::Free => None,
            Kind::Gate => return answers.is_empty(),
            Kind::Field(field) => field.value(&answers).err().map(|why| (why, answers)),
        };
        self.answered &= self.refused.is_none();
        self.refused.is_some()
    }

    pub fn wrong(&self) -> Option<String> {
        let (why, answers) = self.refused.as_ref()?;
        (self.answers() == *answers).then(|| lang::wrong_answer(why))
    }

    pub(crate) fn is_typed(&self) -> bool {
        let before = match &self.kind {
            Kind::Field(field) => field.written(),
            Kind::Free | Kind::Gate => None,
        };
        let own = self.own.expanded();
        !own.trim().is_empty() && before.is_none_or(|before| before != own)
    }

    pub(super) fn written(&self) -> Option<Vec<String>> {
        if matches!(self.kind, Kind::Gate) {
            return None;
        }
        let answers = match self.is_typed() {
            true => vec![self.own.expanded().trim().to_owned()],
            false if self.is_answered() => self.shown_answers(),
            false => Vec::new(),
        };
        (!answers.is_empty()).then_some(answers)
    }

    /// Returns what happens if the user does not change the field. `None` if the field requires an answer.
    pub fn by_itself(&self) -> Option<ByItself> {
        let Kind::Field(field) = &self.kind else { return None };
        match field.value(&self.answers()).ok()? {
            None => Some(ByItself::LeftOut),
            Some(_) => Some(ByItself::Answers(self.shown_answers())),
        }
    }

    pub fn is_checked(&self) -> bool {
        matches!(self.kind, Kind::Field(_)) && (self.own_words || self.multiple)
    }

    pub fn begin_anew(&mut self) {
        if let Kind::Field(field) = &self.kind {
            *self = Self::field(&field.clone());
        }
    }

    pub fn place_of(&self, said: Said<'_>) -> Option<usize> {
        let answer = match (&self.kind, said) {
            (Kind::Gate, Said::Yes) => ACCEPT,
            (Kind::Gate, Said::No { .. }) => DECLINE,
            (
                Kind::Field(Field {
                    kind: FieldKind::Flag { .. },
                    ..
                }),
                Said::Yes,
            ) => YES,
            (
                Kind::Field(Field {
                    kind: FieldKind::Flag { .. },
                    ..
                }),
                Said::No { .. },
            ) => NO,
            _ => return None,
        };
        self.options.iter().position(|option| option.answer == answer)
    }

    pub fn choose(&mut self, places: impl IntoIterator<Item = usize>) -> Option<()> {
        self.choose_none();
        for place in places {
            self.options.get_mut(place)?.chosen = true;
        }
        Some(())
    }

    fn choose_none(&mut self) {
        self.options.iter_mut().for_each(|option| option.chosen = false);
    }

    pub fn is_chosen(&self, place: usize) -> bool {
        self.options.get(place).is_some_and(|option| option.chosen)
    }

    pub fn leave_out(&mut self) {
        self.choose_none();
        self.own.set("");
    }

    pub fn may_be_left_out(&self) -> bool {
        matches!(&self.kind, Kind::Field(field) if field.need == Need::Optional)
    }

    pub(crate) fn on_own(&self) -> bool {
        self.selected >= self.options.len()
    }

    pub(super) fn lines(&self, columns: u16) -> Option<Arc<[Line]>> {
        self.laid(columns).map(|(rows, _)| rows)
    }

    pub(super) fn laid(&self, columns: u16) -> Option<Laid> {
        match &self.written {
            Written::Plain => None,
            Written::Markdown { width, rows, codes } if *width == columns => {
                Some((Arc::clone(rows), Arc::clone(codes)))
            }
            Written::Markdown { .. } => {
                let shown: Vec<_> = self.text.lines().map(reveal).collect();
                let document = Document::of(&shown.join("\n"), usize::from(columns.max(1)));
                let (rows, codes) = document.into_parts();
                Some((rows.into(), codes.into()))
            }
        }
    }

    pub fn code(&self, fence: usize) -> Option<&CodeBlock> {
        match &self.written {
            Written::Plain => None,
            Written::Markdown { codes, .. } => codes.get(fence),
        }
    }

    /// Whether the text is Markdown. The layout gives Markdown more rows, because such texts are long.
    pub(crate) fn is_read(&self) -> bool {
        matches!(self.written, Written::Markdown { .. })
    }

    pub(super) fn step(&mut self, by: isize) {
        self.selected = turned(self.selected, by, self.options.len() + usize::from(self.own_words));
    }

    pub(super) fn toggle(&mut self) {
        let was = self.is_chosen(self.selected);
        if !self.multiple {
            self.choose_none();
        }
        if let Some(option) = self.options.get_mut(self.selected) {
            option.chosen = !was;
        }
        self.passed_over = (!self.multiple && !was).then(|| self.own.expanded());
    }

    /// Handles the number key of an option. If several answers are allowed, a second press removes the choice.
    pub(super) fn pick(&mut self) {
        if !self.multiple {
            self.choose_none();
        }
        self.toggle();
    }

    /// Whether the free text counts as an answer. If only one answer is allowed, the last change counts.
    pub fn own_counts(&self) -> bool {
        let own = self.own.expanded();
        !own.trim().is_empty() && self.passed_over.as_ref() != Some(&own)
    }

    /// Returns the chosen options and the free text. If nothing is chosen or typed, returns the option under the
    /// cursor, provided that the user confirmed it.
    pub fn answers(&self) -> Vec<String> {
        let chosen = self.options.iter().filter(|option| option.chosen);
        let mut answers: Vec<String> = chosen.map(|option| option.answer.clone()).collect();
        if self.own_counts() {
            if !self.multiple {
                answers.clear();
            }
            answers.push(self.own.expanded().trim().to_owned());
        }
        if answers.is_empty() && self.takes_row() {
            answers.extend(self.options.get(self.selected).map(|option| option.answer.clone()));
        }
        answers
    }

    fn takes_row(&self) -> bool {
        match &self.kind {
            Kind::Free | Kind::Gate => self.answered,
            Kind::Field(_) if self.multiple => false,
            Kind::Field(field) => {
                let suggests = match &field.kind {
                    FieldKind::Flag { default } => default.is_some(),
                    FieldKind::One { default, .. } => default.is_some(),
                    FieldKind::Text { .. } | FieldKind::Number { .. } | FieldKind::Several { .. } => false,
                };
                self.answered || suggests || field.need == Need::Optional
            }
        }
    }

    pub(crate) fn shown_answers(&self) -> Vec<String> {
        let shown = |answer: String| {
            let option = self.options.iter().find(|option| option.answer == answer);
            option.map_or(answer, |option| option.shown.clone())
        };
        let told = self.answers().into_iter().filter(|answer| !answer.is_empty());
        told.map(shown).collect()
    }
}

pub enum ByItself {
    LeftOut,
    Answers(Vec<String>),
}

pub(super) fn choice(shown: &str, answer: &str) -> Choice {
    Choice {
        shown: shown.to_owned(),
        description: String::new(),
        answer: answer.to_owned(),
        chosen: false,
    }
}
