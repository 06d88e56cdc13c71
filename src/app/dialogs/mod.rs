//! Dialogs above the panes. Only dialogs that the person opened take the focus by themselves.

pub(crate) mod approval;
pub(crate) mod compaction;
pub(crate) mod editor;
pub(crate) mod first_start;
pub(crate) mod help;
pub(crate) mod jobs;
pub(crate) mod keys;
pub(crate) mod log;
pub(crate) mod palette;
pub(crate) mod picker;
pub(crate) mod question;
pub(crate) mod rows;
pub(crate) mod service;
pub(crate) mod setup;
pub(crate) mod sheet;
pub(crate) mod trust;
pub(crate) mod viewer;
pub(crate) mod why;

use crate::keys::action::{CompactionAction, DialogAction, JobsAction, PickerAction, ServersAction};
use crate::keys::{Action, Scope};

pub(crate) enum Dialog {
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
    pub(crate) fn close(&self) -> Action {
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
