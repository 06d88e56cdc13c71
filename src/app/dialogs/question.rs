//! A question to the person: options to choose from, or an answer in one's own words.

use crate::app::panes::prompt::buffer::Buffer;
use crate::domain::review::{END_TURN, GO_ON, Question};
use crate::lang::{self, Word, word};

pub(crate) struct QuestionView {
    pub(crate) text: String,
    pub(crate) options: Vec<Choice>,
    pub(crate) multiple: bool,
    /// Whether an answer in one's own words means anything; it has the row after the last option then.
    pub(crate) own_words: bool,
    /// The row with the cursor.
    pub(crate) selected: usize,
    pub(crate) chosen: Vec<bool>,
    pub(crate) own: Buffer,
    /// Rows that the own words take.
    pub(crate) own_shown: usize,
}

/// One answer to choose.
pub(crate) struct Choice {
    pub(crate) shown: String,
    /// What is answered with it, whatever the language of the screen.
    answer: String,
}

impl QuestionView {
    pub(crate) fn new(question: &Question) -> Self {
        let (text, options, multiple) = match question {
            Question::Model {
                text,
                options,
                multiple,
            } => {
                let options = options.iter().map(|option| choice(option, option)).collect();
                (text.clone(), options, *multiple)
            }
            Question::GoOn(pause) => {
                let options = vec![
                    choice(word(Word::AnswerGoOn), GO_ON),
                    choice(word(Word::AnswerEndTurn), END_TURN),
                ];
                (lang::go_on(pause), options, false)
            }
        };
        Self {
            text,
            multiple,
            own_words: matches!(question, Question::Model { .. }),
            selected: 0,
            chosen: vec![false; options.len()],
            own: Buffer::default(),
            own_shown: 1,
            options,
        }
    }

    /// Whether the cursor is on the row for one's own words.
    pub(crate) fn on_own(&self) -> bool {
        self.selected >= self.options.len()
    }

    /// Moves the cursor, from the last row on to the first.
    pub(crate) fn step(&mut self, by: isize) {
        let rows = self.options.len() + usize::from(self.own_words);
        self.selected = (self.selected + rows).saturating_add_signed(by) % rows;
    }

    /// Chooses the option under the cursor; where only one may be chosen, the others go.
    pub(crate) fn toggle(&mut self) {
        let was = self.chosen.get(self.selected).copied().unwrap_or(false);
        if !self.multiple {
            self.chosen.fill(false);
        }
        if let Some(chosen) = self.chosen.get_mut(self.selected) {
            *chosen = !was;
        }
    }

    /// What would be answered now: what is chosen, else the row under the cursor, and one's own words.
    pub(crate) fn answers(&self) -> Vec<String> {
        let options = self.options.iter();
        let mut answers: Vec<String> = options
            .zip(&self.chosen)
            .filter(|(_, chosen)| **chosen)
            .map(|(option, _)| option.answer.clone())
            .collect();
        let own = self.own.expanded();
        if !own.trim().is_empty() {
            answers.push(own.trim().to_owned());
        }
        if answers.is_empty() {
            answers.extend(self.options.get(self.selected).map(|option| option.answer.clone()));
        }
        answers
    }
}

fn choice(shown: &str, answer: &str) -> Choice {
    Choice {
        shown: shown.to_owned(),
        answer: answer.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::review::Pause;

    #[test]
    fn at_the_step_limit_the_answer_is_the_same_in_every_language() {
        let mut view = QuestionView::new(&Question::GoOn(Pause::Steps { steps: 100 }));
        assert!(view.text.contains("100"), "{}", view.text);
        assert_eq!(view.answers(), [GO_ON]);
        view.step(1);
        assert_eq!(view.answers(), [END_TURN]);
        view.step(1);
        assert!(!view.on_own(), "there is no third answer");
        view.step(1);
        view.options[0].shown = "weiter".to_owned();
        view.step(-1);
        assert_eq!(view.answers(), [GO_ON]);
    }
}
