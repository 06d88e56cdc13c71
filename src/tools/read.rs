//! `read`: returns numbered lines of a file, and records the file's content to detect later changes by others.

mod archive;
mod cells;
mod decoded;
mod pdf;
mod raster;
mod sealed;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::arguments::Args;
use super::flawed::flawed;
use super::row::{Declares, Draft, Row, Serves, Work};
use super::size::{count, floor, shorten, visible};
use super::{Refusal, ToolContext, failed, outputs, unsaved};
use archive::Listing;
use benchdog_base::disk::bytes_text;
use benchdog_base::id::BlobId;
use benchdog_base::spelling::nearest;
use benchdog_base::text::grouped;
use benchdog_domain::adjustment::Settable;
use benchdog_domain::image::{ImageKind, Picture};
use benchdog_domain::permission::Action;
use benchdog_domain::places::{Lines, Place};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, Success, TitleKind, ToolFacts};
use benchdog_files::beneath::Held;
use benchdog_security::standing;
use benchdog_security::workspace::{FileKind, WorkPath};
use decoded::{Decoded, decoded};
use pdf::{Pages, Pdf};
pub use pdf::{READ_PDF, read_pdf};
use raster::Raster;
pub use raster::{READ_IMAGE, read_image};

const DESCRIPTION: &str = "Read a text file, with line numbers. Read a file before you change it.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            title: TitleKind::Path,
            success: Success::FileRead,
            settable: Settable {
                output_bytes: Some(MOST_BYTES as u64),
                ..Settable::default()
            },
            ..ToolFacts::of("read", EffectClass::Reads)
        },
        aliases: &[
            "read_file",
            "readfile",
            "view",
            "view_file",
            "cat",
            "open_file",
            "file_read",
            "read_text_file",
            "fileread",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[
            (
                "path",
                &[
                    "file_path",
                    "file",
                    "filename",
                    "target_file",
                    "absolute_path",
                    "filepath",
                ],
            ),
            ("offset", &["start", "start_line", "line", "line_start", "from"]),
            ("limit", &["lines", "max_lines", "num_lines", "count", "length"]),
            // Undeclared, to keep requests small. The result for a PDF document explains this argument.
            ("pages", &["page", "page_range"]),
        ],
        more: "Read a part with `offset` and `limit`.",
        serves: Some(Serves::Files(call)),
        prepare: Box::new(prepare),
    }
}

const MOST_LINES: usize = 2_000;
const MOST_BYTES: usize = 64 * 1024;
const MOST_LINE: usize = 2_000;

const MOST_FILE: u64 = 64 << 20;

struct ReadPlan {
    path: WorkPath,
    first: usize,
    limit: usize,
    /// The limit in the call, if any. `limit` also includes the default.
    given_limit: Option<usize>,
    pages: Option<Pages>,
    len: u64,
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "offset": {"type": "integer", "description": "First line, from 1."},
            "limit": {"type": "integer"}
        },
        "required": ["path"]
    })
}

fn call(path: &str, first: u64, count: Option<u64>) -> Map<String, Value> {
    let limit = count.map(|count| ("limit".to_owned(), count.into()));
    let given = [("path".to_owned(), path.into()), ("offset".to_owned(), first.into())];
    given.into_iter().chain(limit).collect()
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let text = args.filled_text("path")?;
    let path = cx.workspace.resolve(&text)?;
    let first = args.number("offset")?.unwrap_or(1).max(1) - 1;
    let given_limit = args.number("limit")?.filter(|limit| *limit > 0);
    let limit = given_limit.unwrap_or(MOST_LINES as u64).min(MOST_LINES as u64);
    let wanted = args.text("pages")?.filter(|pages| !pages.trim().is_empty());
    let pages = match &wanted {
        Some(wanted) => Some(Pages::of(wanted).ok_or_else(|| {
            let shown = shorten(wanted, 80);
            args.refuse(&format!(
                "`pages` must be such as \"3\", \"2-5\" or \"1,4-6\", not `{shown}`"
            ))
        })?),
        None => None,
    };
    let stat = path.stat()?.ok_or_else(|| not_found(&path, cx))?;
    match stat.kind {
        FileKind::File => {}
        FileKind::Folder => {
            let shown = path.shown();
            return Err(Refusal::new(
                "not_a_file",
                format!("`{shown}` is a folder. Use `list` with this path to see what is in it."),
            ));
        }
        FileKind::Other => {
            return Err(Refusal::new(
                "not_a_file",
                format!("`{}` is not a regular file, so it was not read.", path.shown()),
            ));
        }
    }
    let title = match (first, wanted) {
        (_, Some(pages)) => format!("{}:{}", path.shown(), shorten(&visible(&pages), 40)),
        (0, None) => path.shown().to_owned(),
        (_, None) => format!("{}:{}", path.shown(), grouped(first + 1)),
    };
    Ok(Draft {
        title,
        subjects: vec![standing::path(&path)],
        review: Review::Fields(vec![("path".to_owned(), path.shown().to_owned())]),
        work: Work::of(
            ReadPlan {
                first: usize::try_from(first).unwrap_or(usize::MAX),
                limit: usize::try_from(limit).unwrap_or(MOST_LINES),
                given_limit: given_limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
                pages,
                len: stat.len,
                path,
            },
            |plan, it| Box::pin(run(plan, it.cx)),
        ),
    })
}

async fn run(plan: ReadPlan, cx: &ToolContext) -> Outcome {
    let (plan, its) = (Arc::new(plan), cx.clone());
    let reads = Arc::clone(&plan);
    match tokio::task::spawn_blocking(move || read(&reads, &its)).await {
        Ok(Found::Shown(outcome)) => *outcome,
        Ok(Found::Raster(image)) => raster::read(image, &plan, cx).await,
        Ok(Found::Pdf(document)) => pdf::read(document, &plan, room(cx), cx).await,
        Err(error) => Outcome::error("internal", format!("Reading failed: {error}.")),
    }
}

/// Either a finished outcome, or a document or image that a child process must parse.
enum Found {
    Shown(Box<Outcome>),
    Pdf(Pdf),
    Raster(Raster),
}

fn read(plan: &ReadPlan, cx: &ToolContext) -> Found {
    let path = &plan.path;
    let shown = |outcome| Found::Shown(Box::new(outcome));
    let bytes = match path.read(MOST_FILE) {
        Ok(bytes) => bytes,
        Err(error) if error.code == "too_large" => return shown(too_large(path, plan.len)),
        Err(error) => return shown(failed(&error)),
    };
    match Pdf::of(bytes, path.shown()) {
        Ok(document) => Found::Pdf(document),
        Err(_) if plan.pages.is_some() => shown(Outcome::error(
            "bad_arguments",
            format!(
                "`{}` is not a PDF document, and only these have `pages`. Use `offset` and `limit`.",
                path.shown()
            ),
        )),
        Err(bytes) => match Raster::of(bytes) {
            Ok(image) => Found::Raster(image),
            Err(bytes) => shown(show_bytes(bytes, plan, cx)),
        },
    }
}

fn room(cx: &ToolContext) -> usize {
    MOST_BYTES.min(cx.limits.result_bytes.saturating_sub(400))
}

fn show_bytes(bytes: Vec<u8>, plan: &ReadPlan, cx: &ToolContext) -> Outcome {
    let path = &plan.path;
    if ImageKind::of(&bytes).is_some() {
        return image(path, &bytes.into(), cx.sees);
    }
    let (shown, size) = (path.shown(), bytes_text(bytes.len()));
    let room = room(cx);
    if let Some(listing) = archive::listed(&bytes) {
        return entries(shown, listing, plan, room);
    }
    let unsaved = match unsaved::bytes(path, &bytes) {
        Ok(unsaved) => unsaved,
        Err(error) => return failed(&error),
    };
    let bytes = unsaved.as_deref().unwrap_or(&bytes);
    let mut decoded = match known(bytes).map_or_else(|| decoded(bytes, path.charset()).ok_or("a binary file"), Err) {
        Ok(decoded) => decoded,
        Err(kind) => {
            return Outcome::error(
                "binary",
                format!("`{shown}` is {kind} of {size}, not text; it is not shown."),
            );
        }
    };
    if let Ok(mut seen) = cx.seen.lock() {
        seen.insert(shown.to_owned(), BlobId::of(bytes));
    }
    if unsaved.is_some() {
        decoded
            .notes
            .push("has unsaved changes in the editor, which are shown".to_owned());
    }
    crate::language::opened(&path.absolute(), cx);
    if shown.ends_with(".ipynb") {
        match cells::shown(shown, &decoded.text, plan, room) {
            Ok(outcome) => return outcome,
            Err(why) => decoded.notes.push(format!("is not shown by cells: {why}")),
        }
    }
    if decoded.text.is_empty() {
        return Outcome {
            places: vec![Place {
                path: shown.to_owned(),
                lines: Vec::new(),
            }],
            ..Outcome::ok(Summary::Empty, format!("`{shown}` is empty ({size})."))
        };
    }
    show(shown, &decoded, plan, room)
}

fn show(shown: &str, decoded: &Decoded<'_>, plan: &ReadPlan, room: usize) -> Outcome {
    let Decoded { text, notes } = decoded;
    let total = text.lines().count();
    if plan.first >= total {
        return Outcome::error(
            "past_the_end",
            format!(
                "`{shown}` has {}; line {} is past its end.",
                count(total, "line", "lines"),
                grouped(plan.first as u64 + 1)
            ),
        );
    }
    let mut out = String::new();
    let mut next = plan.first;
    for line in text.lines().skip(plan.first).take(plan.limit) {
        let row = numbered(next + 1, line);
        if !out.is_empty() && out.len() + row.len() > room {
            break;
        }
        out.push_str(&row);
        next += 1;
    }
    let shown_lines = next - plan.first;
    let truncated = next < total;
    if truncated {
        let (from, to) = (grouped(plan.first as u64 + 1), grouped(next as u64));
        let total = grouped(total as u64);
        out.push_str(&format!(
            "[lines {from} to {to} of {total}; go on with offset {}]\n",
            next + 1
        ));
    }
    for note in notes {
        out.push_str(&format!("[the file {note}]\n"));
    }
    let lines = total as u64;
    let summary = match (plan.first, truncated) {
        (0, false) => Summary::Lines { lines },
        _ => Summary::SomeLines {
            shown: shown_lines as u64,
            lines,
        },
    };
    let place = Place {
        path: shown.to_owned(),
        lines: vec![Lines(plan.first as u64 + 1, next as u64)],
    };
    Outcome {
        truncated,
        places: vec![place],
        ..Outcome::ok(summary, out)
    }
}

fn numbered(number: usize, line: &str) -> String {
    let end = line.char_indices().nth(MOST_LINE).map(|(at, _)| at);
    match end {
        None => format!("{number}\t{line}\n"),
        Some(end) => {
            let end = floor(line, end);
            let (kept, rest) = line.split_at_checked(end).unwrap_or((line, ""));
            format!(
                "{number}\t{kept}… [{} more characters in this line]\n",
                grouped(rest.chars().count() as u64)
            )
        }
    }
}

fn entries(shown: &str, listing: Listing, plan: &ReadPlan, room: usize) -> Outcome {
    let Listing {
        kind,
        text,
        mut notes,
        damage,
        ..
    } = listing;
    if let (true, Some(why)) = (text.is_empty(), damage) {
        return Outcome::error(
            "damaged",
            format!("`{shown}` is a {kind} that cannot be listed: {why}."),
        );
    }
    notes.push(format!("is a {kind}; these are its entries, with their sizes unpacked"));
    if text.is_empty() {
        return Outcome::ok(
            Summary::Empty,
            format!("`{shown}` is a {kind} without entries; it {}.\n", notes.join("; it ")),
        );
    }
    let decoded = Decoded {
        text: text.into(),
        notes,
    };
    let mut outcome = show(shown, &decoded, plan, room);
    // The numbers are those of archive entries, not of lines in the file.
    outcome.places.iter_mut().for_each(|place| place.lines.clear());
    outcome
}

fn known(bytes: &[u8]) -> Option<&'static str> {
    let magic: [(&[u8], &str); 5] = [
        (b"\x7fELF", "a program"),
        (b"BZh", "a bzip2 archive"),
        (b"\xfd7zXZ\0", "an XZ archive"),
        (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    ];
    let known = magic.iter().find(|(start, _)| bytes.starts_with(start));
    known.map(|(_, kind)| *kind)
}

/// Shows an image if the model supports images, and otherwise describes it.
fn image(path: &WorkPath, bytes: &Arc<[u8]>, sees: bool) -> Outcome {
    let (shown, size) = (path.shown(), bytes_text(bytes.len()));
    let picture = match Picture::of(bytes) {
        Some(Ok(picture)) => picture,
        Some(Err(flaw)) => return Outcome::error("image", format!("`{shown}` is {}.", flawed(flaw))),
        None => return Outcome::error("binary", format!("`{shown}` is not an image.")),
    };
    let kind = picture.kind();
    let sides = kind
        .sides(bytes)
        .map(|(width, height)| format!(", {width} x {height} pixels"));
    let what = format!(
        "`{shown}` is a {} image of {size}{}",
        kind.name(),
        sides.unwrap_or_default()
    );
    if sees {
        return Outcome {
            images: vec![picture.clone()],
            image: Some(picture),
            ..Outcome::ok(
                Summary::Lines { lines: 1 },
                format!("{what}. The image follows the results.\n"),
            )
        };
    }
    Outcome {
        image: Some(picture),
        ..Outcome::error(
            "image",
            format!("{what}, not text; it is not shown, because images are not sent to this model."),
        )
    }
}

fn too_large(path: &WorkPath, len: u64) -> Outcome {
    Outcome::error(
        "too_large",
        format!(
            "`{}` has {}; files over {} are not read whole. Use `grep` to find the place, or `bash` with `sed -n '100,200p'` for a part.",
            path.shown(),
            bytes_text(len),
            bytes_text(MOST_FILE)
        ),
    )
}

fn not_found(path: &WorkPath, cx: &ToolContext) -> Refusal {
    let absolute = path.absolute();
    if cx.outputs.is_one(&absolute) {
        return outputs::gone(path);
    }
    let wanted = absolute
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let names: Vec<String> = absolute
        .parent()
        .and_then(|folder| Held::open(folder).ok()?.items().ok())
        .unwrap_or_default()
        .into_iter()
        .map(|item| item.name.to_string_lossy().into_owned())
        .collect();
    let folder = path.shown().rsplit_once('/').map(|(folder, _)| folder);
    let hint = match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(near) => {
            let near = folder.map_or_else(|| near.to_owned(), |folder| format!("{folder}/{near}"));
            format!(" Did you mean `{near}`?")
        }
        None => " Use `glob` to find a file by its name, or `list` to see a folder.".to_owned(),
    };
    Refusal::new("not_found", format!("There is no file `{}`.{hint}", path.shown()))
}

#[cfg(test)]
mod tests;
