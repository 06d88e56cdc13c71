//! Renders the screen of a terminal emulator as SVG.

use std::fmt::Write;

use vt100::{Cell, Color};

use crate::support::screen::Screen;

/// Size of one cell in SVG units.
const WIDTH: u16 = 9;
const HEIGHT: u16 = 19;
const TEXT: &str = "#d4d7dd";
const GROUND: &str = "#1c1d21";
const COLOURS: [&str; 16] = [
    "#1c1d21", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d4d7dd", "#5c6370", "#e06c75",
    "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff",
];

struct Run {
    column: u16,
    columns: u16,
    text: String,
    wide: bool,
    look: Look,
}

#[derive(PartialEq, Eq, Clone)]
struct Look {
    text: String,
    ground: String,
    bold: bool,
    italic: bool,
    underlined: bool,
}

pub fn svg(screen: &Screen<'_>, columns: u16, rows: u16) -> String {
    let (width, height) = (columns * WIDTH, rows * HEIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" xml:space=\"preserve\" font-size=\"15\">\n<rect width=\"100%\" height=\"100%\" fill=\"{GROUND}\"/>\n"
    );
    for row in 0..rows {
        for run in runs(screen, row, columns) {
            draw(&run, row, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn runs(screen: &Screen<'_>, row: u16, columns: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column).filter(|cell| !cell.is_wide_continuation()) else {
            continue;
        };
        let (text, wide) = if cell.has_contents() {
            (cell.contents(), cell.is_wide())
        } else {
            (" ", false)
        };
        let look = look(cell);
        match runs.last_mut() {
            // Keep a wide character separate, because fonts differ in its width.
            Some(run) if run.look == look && !wide && !run.wide => {
                run.text.push_str(text);
                run.columns += 1;
            }
            _ => runs.push(Run {
                column,
                columns: 1 + u16::from(wide),
                text: text.to_owned(),
                wide,
                look,
            }),
        }
    }
    runs
}

fn look(cell: &Cell) -> Look {
    let (mut text, mut ground) = (colour(cell.fgcolor(), TEXT), colour(cell.bgcolor(), GROUND));
    if cell.inverse() {
        std::mem::swap(&mut text, &mut ground);
    }
    Look {
        text,
        ground,
        bold: cell.bold(),
        italic: cell.italic(),
        underlined: cell.underline(),
    }
}

fn colour(colour: Color, otherwise: &str) -> String {
    match colour {
        Color::Default => otherwise.to_owned(),
        Color::Idx(index) => COLOURS.get(usize::from(index)).copied().unwrap_or(otherwise).to_owned(),
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

fn draw(run: &Run, row: u16, out: &mut String) {
    let (x, y, width) = (run.column * WIDTH, row * HEIGHT, run.columns * WIDTH);
    if run.look.ground != GROUND {
        // Make rectangles slightly wider to avoid gaps between them.
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}.3\" height=\"{HEIGHT}.3\" fill=\"{}\"/>",
            run.look.ground
        );
    }
    let shown = run.text.trim_end();
    let indent = shown.len() - shown.trim_start().len();
    let shown = shown.trim_start();
    if shown.is_empty() {
        return;
    }
    // Give each character its position, because fonts differ in their widths.
    let first = run.column + u16::try_from(indent).unwrap_or(0);
    let count = if run.wide {
        1
    } else {
        u16::try_from(shown.chars().count()).unwrap_or(1)
    };
    let places: Vec<String> = (first..first + count)
        .map(|column| (column * WIDTH).to_string())
        .collect();
    let bold = if run.look.bold { " font-weight=\"bold\"" } else { "" };
    let italic = if run.look.italic { " font-style=\"italic\"" } else { "" };
    let underlined = if run.look.underlined {
        " text-decoration=\"underline\""
    } else {
        ""
    };
    let text = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" fill=\"{}\"{bold}{italic}{underlined}>{text}</text>",
        places.join(" "),
        y + 14,
        run.look.text
    );
}
