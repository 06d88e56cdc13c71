//! Dialogs above the panes. A dialog takes the focus only if the user opened it.

pub mod approval;
pub mod compaction;
pub mod editor;
pub(crate) mod first_start;
pub mod help;
pub mod jobs;
pub(crate) mod log;
pub mod palette;
pub mod picker;
pub mod pull;
pub mod question;
pub mod rows;
pub mod service;
pub mod setup;
pub mod sheet;
pub mod trust;
pub mod viewer;
pub mod why;
pub(crate) mod wizard;

use benchdog_keys::action::{CompactionAction, DialogAction, JobsAction, PickerAction, ServersAction};
use benchdog_keys::{Action, Scope};

pub enum Dialog {
    Palette(palette::Palette),
    Picker(picker::Picker),
    Help(help::Help),
    Viewer(viewer::Viewer),
    Sheet(sheet::Sheet),
    Compaction(compaction::CompactionPreview),
    Jobs(jobs::JobsDialog),
    Setup(setup::SetupForm),
}

impl Dialog {
    pub fn close(&self) -> Action {
        match self {
            Self::Palette(_) | Self::Picker(_) | Self::Help(_) | Self::Setup(_) => Action::Picker(PickerAction::Close),
            Self::Sheet(sheet) if sheet.kind == sheet::SheetKind::Servers => Action::Servers(ServersAction::Close),
            Self::Viewer(_) | Self::Sheet(_) => Action::Dialog(DialogAction::Close),
            Self::Compaction(_) => Action::Compaction(CompactionAction::Discard),
            Self::Jobs(_) => Action::Jobs(JobsAction::Close),
        }
    }

    pub(crate) fn scope(&self) -> Scope {
        match self {
            Self::Palette(_) | Self::Picker(_) | Self::Help(_) | Self::Setup(_) => Scope::Picker,
            Self::Sheet(sheet) if sheet.kind == sheet::SheetKind::Servers => Scope::Servers,
            Self::Viewer(_) | Self::Sheet(_) => Scope::Dialog,
            Self::Compaction(_) => Scope::Compaction,
            Self::Jobs(_) => Scope::Jobs,
        }
    }
}
