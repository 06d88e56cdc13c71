//! One question: how it is written, what can be chosen and typed, and whether an answer fits.

use std::sync::Arc;

use super::turned;
use crate::app::line::Line;
use crate::app::markdown::{CodeBlock, Document};
use crate::app::panes::prompt::buffer::Buffer;
use crate::base::text::{reveal, truncate};
use crate::domain::elicited::{ACCEPT, DECLINE, Field, FieldKind, Form, NO, Offer, WhyWrong, YES};
use crate::domain::review::Asked;
use crate::domain::server::Need;
use crate::lang::{self, Said, Word, word};

/// Columns of a name that is made from the question itself.
const NAME: usize = 20;

/// One question.
pub(crate) struct Page {
    /// A few words that tell it from the others.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(super) written: Written,
    pub(crate) options: Vec<Choice>,
    pub(crate) multiple: bool,
    /// Whether an answer in one's own words means anything; it has the row after the last option then.
    pub(crate) own_words: bool,
    /// The row with the cursor.
    pub(crate) selected: usize,
    pub(crate) own: Buffer,
    /// What stood there when an option was chosen over it, where only one answer counts.
    pub(super) passed_over: Option<String>,
    /// Rows that the own words take.
    pub(crate) own_shown: usize,
    /// The first row of its text that is shown, where the text is higher than its place.
    pub(crate) scroll: usize,
    /// The last one that can be, and how many rows are shown at once: as it was drawn last.
    pub(crate) last_scroll: usize,
    pub(crate) text_shown: usize,
    /// The person was done with it.
    pub(crate) answered: bool,
    pub(super) kind: Kind,
    /// Why an answer does not fit, and which one.
    refused: Option<(WhyWrong, Vec<String>)>,
}

/// What an answer is to be.
pub(super) enum Kind {
    /// It is taken as it is given.
    Free,
    /// Whether a server is told anything: where it is not, nothing else is asked.
    Gate,
    /// What a field of a server's form says.
    Field(Field),
}

/// A text as rows, and the blocks of code in it.
type Laid = (Arc<[Line]>, Arc<[CodeBlock]>);

/// How the text of a question is written.
pub(super) enum Written {
    Plain,
    /// To be read as an answer is, with its rows for the width it was shown in last.
    Markdown {
        width: u16,
        rows: Arc<[Line]>,
        /// The blocks of code in it.
        codes: Arc<[CodeBlock]>,
    },
}

/// One answer to choose.
pub(crate) struct Choice {
    pub(crate) shown: String,
    pub(crate) description: String,
    /// What is answered with it, whatever the language of the screen; empty: nothing is told.
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

    /// One that is read like an answer.
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

    /// Whether a server is told anything at all. The form comes first: nothing of it is told before all answers were shown.
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

    /// A field of a form, as it stands before anybody answers: with what its server suggests, and where it suggests nothing and needs nothing
    /// with nothing.
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

    /// Whether it is told that nothing is told.
    pub(super) fn declines(&self) -> bool {
        matches!(self.kind, Kind::Gate) && self.answers() == [DECLINE]
    }

    /// Whether Enter would tell that nothing is told: by what is chosen, else by the row under the cursor.
    pub(crate) fn would_decline(&self) -> bool {
        let chosen = self.options.iter().find(|option| option.chosen);
        let option = chosen.or_else(|| self.options.get(self.selected));
        matches!(self.kind, Kind::Gate) && option.is_some_and(|option| option.answer == DECLINE)
    }

    /// Whether the person is done with it: by Enter, or by an answer that they chose or typed and that fits.
    pub(crate) fn is_answered(&self) -> bool {
        let chose = self.options.iter().any(|option| option.chosen);
        let is_given = match &self.kind {
            Kind::Gate => false,
            Kind::Free => chose || self.own_counts(),
            Kind::Field(field) => {
                let chose = match &field.kind {
                    // What its server suggests is chosen beforehand.
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

    /// Whether it cannot be left as it is; the person reads why.
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

    /// Why the answer that stands there does not fit, once it was given.
    pub(crate) fn wrong(&self) -> Option<String> {
        let (why, answers) = self.refused.as_ref()?;
        (self.answers() == *answers).then(|| lang::wrong_answer(why))
    }

    /// Whether something was typed that did not stand there beforehand.
    pub(crate) fn is_typed(&self) -> bool {
        let before = match &self.kind {
            Kind::Field(field) => field.written(),
            Kind::Free | Kind::Gate => None,
        };
        let own = self.own.expanded();
        !own.trim().is_empty() && before.is_none_or(|before| before != own)
    }

    /// What the person typed here or was done with; `None`: nothing.
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

    /// What is answered where the person does nothing but go on; `None`: they have to say something.
    pub(crate) fn by_itself(&self) -> Option<ByItself> {
        let Kind::Field(field) = &self.kind else { return None };
        match field.value(&self.answers()).ok()? {
            None => Some(ByItself::LeftOut),
            Some(_) => Some(ByItself::Answers(self.shown_answers())),
        }
    }

    /// Whether its answer may be one that does not fit, so that it is said why.
    pub(crate) fn is_checked(&self) -> bool {
        matches!(self.kind, Kind::Field(_)) && (self.own_words || self.multiple)
    }

    /// As nobody had answered yet: what was said before does not fit.
    pub(crate) fn begin_anew(&mut self) {
        if let Kind::Field(field) = &self.kind {
            *self = Self::field(&field.clone());
        }
    }

    /// Where the answer stands that a whole word gives.
    pub(crate) fn place_of(&self, said: Said<'_>) -> Option<usize> {
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

    /// These and no other. `None`: there are not so many.
    pub(crate) fn choose(&mut self, places: impl IntoIterator<Item = usize>) -> Option<()> {
        self.choose_none();
        for place in places {
            self.options.get_mut(place)?.chosen = true;
        }
        Some(())
    }

    fn choose_none(&mut self) {
        self.options.iter_mut().for_each(|option| option.chosen = false);
    }

    pub(crate) fn is_chosen(&self, place: usize) -> bool {
        self.options.get(place).is_some_and(|option| option.chosen)
    }

    pub(crate) fn leave_out(&mut self) {
        self.choose_none();
        self.own.set("");
    }

    /// Whether its server need not be told of it.
    pub(crate) fn may_be_left_out(&self) -> bool {
        matches!(&self.kind, Kind::Field(field) if field.need == Need::Optional)
    }

    pub(crate) fn on_own(&self) -> bool {
        self.selected >= self.options.len()
    }

    /// The rows of a text that is read like an answer, in so many columns. `None`: it is read as it was written.
    pub(super) fn lines(&self, columns: u16) -> Option<Arc<[Line]>> {
        self.laid(columns).map(|(rows, _)| rows)
    }

    /// The same with the blocks of code in it.
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

    /// The fenced block that `CodePlace::fence` of one of its rows names.
    pub(crate) fn code(&self, fence: usize) -> Option<&CodeBlock> {
        match &self.written {
            Written::Plain => None,
            Written::Markdown { codes, .. } => codes.get(fence),
        }
    }

    /// Whether it is a text to read, before which everything else gives way.
    pub(crate) fn is_read(&self) -> bool {
        matches!(self.written, Written::Markdown { .. })
    }

    pub(super) fn step(&mut self, by: isize) {
        self.selected = turned(self.selected, by, self.options.len() + usize::from(self.own_words));
    }

    /// Where only one may be chosen, the others go.
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

    /// Chooses the row under the cursor by its number; where several may be chosen, a second time takes it back.
    pub(super) fn pick(&mut self) {
        if !self.multiple {
            self.choose_none();
        }
        self.toggle();
    }

    /// Whether the own words are an answer: where only one counts, it is what was touched last.
    pub(crate) fn own_counts(&self) -> bool {
        let own = self.own.expanded();
        !own.trim().is_empty() && self.passed_over.as_ref() != Some(&own)
    }

    /// What would be answered now: what is chosen and one's own words, else the row under the cursor where it was left
    /// with Enter.
    pub(crate) fn answers(&self) -> Vec<String> {
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

    /// Whether the row under the cursor is the answer where nothing is chosen.
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

    /// The answers in the words of the screen.
    pub(crate) fn shown_answers(&self) -> Vec<String> {
        let shown = |answer: String| {
            let option = self.options.iter().find(|option| option.answer == answer);
            option.map_or(answer, |option| option.shown.clone())
        };
        let told = self.answers().into_iter().filter(|answer| !answer.is_empty());
        told.map(shown).collect()
    }
}

/// What comes of a field where the person only goes on.
pub(crate) enum ByItself {
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
