//! The only list of clipboard programs, with their conditions and arguments.

use benchdog_base::environment::Environment;

pub(crate) type Words = &'static [&'static str];

#[derive(Debug, Clone, Copy)]
enum Needs {
    Wayland,
    X11,
    Mac,
}

const TAKE_TEXT: [(Needs, Words); 4] = [
    (Needs::Wayland, &["wl-copy"]),
    (Needs::X11, &["xclip", "-selection", "clipboard"]),
    (Needs::X11, &["xsel", "-ib"]),
    (Needs::Mac, &["pbcopy"]),
];

const GIVE_IMAGE: [(Needs, Words); 5] = [
    (Needs::Wayland, &["wl-paste", "--no-newline", "--type", "image/png"]),
    (Needs::Wayland, &["wl-paste", "--no-newline", "--type", "image/jpeg"]),
    (
        Needs::X11,
        &["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
    ),
    (
        Needs::X11,
        &["xclip", "-selection", "clipboard", "-target", "image/jpeg", "-out"],
    ),
    (
        Needs::Mac,
        &["osascript", "-e", "the clipboard as \u{ab}class PNGf\u{bb}"],
    ),
];

pub fn that_take_text(environment: &Environment) -> impl Iterator<Item = Words> {
    of_use(&TAKE_TEXT, environment)
}

pub(super) fn that_give_an_image(environment: &Environment) -> impl Iterator<Item = Words> {
    of_use(&GIVE_IMAGE, environment)
}

fn of_use(rows: &'static [(Needs, Words)], environment: &Environment) -> impl Iterator<Item = Words> {
    let is_there = |needs: Needs| match needs {
        Needs::Wayland => environment.get("WAYLAND_DISPLAY").is_some(),
        Needs::X11 => environment.get("DISPLAY").is_some(),
        Needs::Mac => cfg!(target_os = "macos"),
    };
    rows.iter()
        .filter(move |(needs, _)| is_there(*needs))
        .map(|(_, words)| *words)
}

/// Whether the clipboard is on this machine. Over ssh, the clipboard is on the user's machine.
pub fn is_here(environment: &Environment) -> bool {
    environment.get("SSH_CONNECTION").is_none() && environment.get("SSH_TTY").is_none()
}
