//! Results from an external editor or the clipboard. They are applied to the seat that requested them, or to the seat
//! that has replaced this seat. If the seat was closed, the text is added to the history.

use std::path::PathBuf;

use super::{background, prompt, seats};
use crate::dialogs::Dialog;
use crate::msg::EditTicket;
use crate::op::Op;
use crate::state::State;
use benchdog_base::id::SeatId;
use benchdog_domain::image::NoImage;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

pub(super) fn edited(
    state: &mut State,
    (seat, ticket): (SeatId, EditTicket),
    text: Result<Option<String>, String>,
    ops: &mut Vec<Op>,
) {
    let now = seats::now_of(state, seat);
    state.screen.approvals.cover();
    match text {
        Err(why) => state.say(lang::message::toast_editor(&why), true),
        Ok(None) => {}
        Ok(Some(text)) if background::is_open(state, now) => {
            background::inside(state, now, ops, |state, ops| match ticket {
                // The plan belongs to the previous session of the seat.
                EditTicket::Plan if now != seat => prompt::draft::keep_as_earlier_prompt(state, &text, ops),
                ticket => comes_back(state, ticket, text, ops),
            });
        }
        // The seat was closed in the meantime.
        Ok(Some(text)) => match ticket {
            EditTicket::Prompt | EditTicket::Summary | EditTicket::Plan => {
                prompt::draft::keep_as_earlier_prompt(state, &text, ops)
            }
            EditTicket::Transcript | EditTicket::Proposal { .. } => comes_back(state, ticket, text, ops),
        },
    }
}

fn comes_back(state: &mut State, ticket: EditTicket, text: String, ops: &mut Vec<Op>) {
    match ticket {
        EditTicket::Prompt => {
            state.screen.prompt.bring(text.trim_end_matches('\n'));
            prompt::draft::changed(state, ops);
        }
        EditTicket::Transcript => state.say(word(Word::OnlyRead), false),
        EditTicket::Summary => match &mut state.screen.dialog {
            Some(Dialog::Compaction(shown)) => {
                shown.edit(&text);
                let summary = shown.preview.summary.clone();
                ops.push(Op::Send(Command::WeighSummary { summary }));
            }
            _ => prompt::draft::keep_as_earlier_prompt(state, &text, ops),
        },
        EditTicket::Plan => ops.push(Op::Send(Command::EditPlan {
            text: text.trim_end().to_owned(),
        })),
        EditTicket::Proposal { call, file } => {
            if let Err(text) = state.screen.approvals.take_edited((&call, file), text) {
                prompt::draft::keep_as_earlier_prompt(state, &text, ops);
            }
        }
    }
}

pub(super) fn image(state: &mut State, seat: SeatId, taken: Result<PathBuf, NoImage>, ops: &mut Vec<Op>) {
    let seat = seats::now_of(state, seat);
    match taken {
        Err(why) => state.say(lang::no_image(&why), true),
        Ok(path) if background::is_open(state, seat) => {
            background::inside(state, seat, ops, |state, ops| prompt::image(state, &path, ops));
        }
        Ok(path) => prompt::image(state, &path, ops),
    }
}
