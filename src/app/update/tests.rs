//! Tests the workbench as people use it: keys and events in, visible text and operations out.

mod ahead;
mod always;
mod anew;
mod answers;
mod approval;
mod archive;
mod background;
mod children;
mod clicks;
mod context;
mod decided;
mod deciding;
mod desk;
mod earlier;
mod entries;
mod fullwidth;
mod handed;
mod lists;
mod marking;
mod mouse;
mod outside;
mod own_commands;
mod panes;
mod prompt;
mod questions;
mod reading;
mod review;
mod rewind;
mod said;
mod seats;
mod select;
mod servers;
mod session;
mod settings;
mod setup;
mod shell;
mod space;
mod stage;
mod stroke;
mod themes;
mod todo;
mod transcript;
mod tree;
mod unread;
mod vi;

use std::sync::Arc;

use crate::bench::{
    Bench, TOOLS, dangerous, edit, edits, found_model, inside, question, questions, request, with_tools,
};
use crate::msg::{Msg, TerminalFacts};
use crate::op::Op;
use crate::{arrange, update};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, TurnId};
use benchdog_domain::call::Origin;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::permission::{Action, Because, CommandClass, DecidedBy, Decision, Lasts, Layer, Rule, Scope};
use benchdog_domain::review::{Asked, FileChange, FileOperation, Question, Review};
use benchdog_keys::Key;
use benchdog_protocol::{Answer, ApprovalRequest, Command, Event, Live, TurnState};
