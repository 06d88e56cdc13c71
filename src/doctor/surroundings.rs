//! Checks the terminal and the language settings.

use super::checkup::Patient;
use super::programs;
use benchdog_domain::checkup::Check;
use benchdog_lang::{Finding, finding};
use benchdog_terminal::clipboard::programs as clipboard;

pub(super) fn checks(patient: &Patient) -> Vec<Check> {
    vec![terminal(patient), clipboard(patient), locale(patient)]
}

fn terminal(patient: &Patient) -> Check {
    let name = patient.environment.get("TERM").unwrap_or_default();
    let colours = match patient.environment.get("COLORTERM") {
        _ if patient.environment.has("NO_COLOR") => "none",
        Some("truecolor" | "24bit") => "24 bit",
        _ if name.contains("256color") => "256",
        _ => "16",
    };
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok();
    let size = size.map(|size| (size.ws_col, size.ws_row)).filter(|size| size.0 > 0);
    match name {
        "" | "dumb" => Check::warn(
            "terminal",
            finding(Finding::PlainTerminal),
            finding(Finding::FixTerminal),
        ),
        name => Check::ok("terminal", finding(Finding::Terminal { name, colours, size })),
    }
}

fn clipboard(patient: &Patient) -> Check {
    let here = clipboard::is_here(&patient.environment);
    let tool = clipboard::that_take_text(&patient.environment)
        .filter_map(|words| words.first().copied())
        .find(|tool| here && programs::find(patient, tool).is_some());
    match (tool, patient.environment.get("TERM")) {
        (Some(tool), _) => Check::ok("clipboard", finding(Finding::CopiesBy { tool })),
        (None, None | Some("linux" | "dumb")) => Check::warn(
            "clipboard",
            finding(Finding::NoClipboard),
            finding(Finding::FixClipboard),
        ),
        (None, Some(_)) => Check::ok("clipboard", finding(Finding::CopiesByTerminal)),
    }
}

fn locale(patient: &Patient) -> Check {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let said = names.into_iter().find_map(|name| patient.environment.get(name));
    let upper = said.unwrap_or_default().to_ascii_uppercase().replace('-', "");
    match said {
        Some(locale) if upper.contains("UTF8") => Check::ok("locale", finding(Finding::Locale { locale })),
        said => {
            let locale = said.unwrap_or("C");
            Check::warn(
                "locale",
                finding(Finding::NotUtf8 { locale }),
                finding(Finding::FixLocale),
            )
        }
    }
}
