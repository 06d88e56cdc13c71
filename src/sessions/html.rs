//! Exports a session as one HTML page. The page has no script and loads nothing. Every text is escaped.

mod markdown;
mod page;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use benchdog_base::id::BlobId;
use benchdog_base::text::clean;
use benchdog_diff::unified_text;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::message::Arguments;
use benchdog_domain::session::SessionMeta;
use benchdog_transcript::{self as transcript, Mark, Shown, one_line};
use markdown::write_markdown;

/// The number of unchanged lines to show around a change.
const CONTEXT: usize = 3;

pub(super) fn write_html(
    meta: &SessionMeta,
    history: &History,
    blobs: &BTreeMap<BlobId, Arc<[u8]>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = super::title(meta);
    let title = clean(&title);
    page::begin(&escape(&title), out)?;
    writeln!(out, "<header><h1>{}</h1>\n<dl>", escape(&title))?;
    let mut row = |name: &str, value: &str| writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escape(&clean(value)));
    row("session", &meta.id.0)?;
    row("folder", &meta.workspace)?;
    if let Some(model) = &meta.model {
        row("model", &model.to_string())?;
    }
    row("created", &meta.created.rfc3339())?;
    writeln!(out, "</dl></header>")?;
    for entry in history.entries() {
        write_entry(entry, blobs, out)?;
    }
    page::end(out)
}

fn write_entry(entry: &Entry, blobs: &BTreeMap<BlobId, Arc<[u8]>>, out: &mut dyn Write) -> io::Result<()> {
    let id = entry.id.0;
    match transcript::shown(&entry.body) {
        Some(Shown::Said { text, along, .. }) => {
            writeln!(out, "<section class=\"said\" id=\"e{id}\"><h2>User</h2>")?;
            writeln!(out, "<div class=\"plain\">{}</div>", escape(&text))?;
            for one in &along {
                writeln!(out, "<p class=\"note\">{}</p>", escape(one))?;
            }
            writeln!(out, "</section>")
        }
        Some(Shown::Answered { text, cut, .. }) => {
            writeln!(out, "<section class=\"answer\" id=\"e{id}\"><h2>Assistant</h2>")?;
            write_markdown(&text, out)?;
            write_calls(&entry.body, out)?;
            if let Some(cut) = cut {
                writeln!(out, "<p class=\"note\">{}</p>", escape(&cut))?;
            }
            writeln!(out, "</section>")
        }
        Some(ran @ Shown::Ran { .. }) => write_ran(id, &ran, out),
        Some(Shown::Change { path, added, removed }) => {
            let summary = format!("<code>{}</code> +{added} -{removed}", escape(&path));
            let diff = |out: &mut dyn Write| write_diff(&entry.body, blobs, out);
            folded(id, "change", &summary, diff, out)
        }
        Some(Shown::Approval {
            name,
            decision,
            because,
        }) => note(id, &format!("approval of {name}: {decision} ({because})"), out),
        Some(Shown::Todo(items)) => block(id, "Todo", &items, out),
        Some(Shown::Findings(text)) => block(id, "Findings", &text, out),
        Some(Shown::Plan(text)) => {
            writeln!(out, "<section class=\"answer\" id=\"e{id}\"><h2>Plan</h2>")?;
            write_markdown(&text, out)?;
            writeln!(out, "</section>")
        }
        Some(Shown::Remark(text)) => note(id, &text, out),
        Some(Shown::Compacted { text, summary }) => {
            let body = |out: &mut dyn Write| write_markdown(&summary, out);
            folded(id, "change", &escape(&text), body, out)
        }
        Some(Shown::Ended { mark: Mark::Ok, .. }) | None => Ok(()),
        Some(Shown::Ended { mark, text }) => note(id, &format!("{} {text}", mark.sign()), out),
    }
}

fn write_ran(id: u64, ran: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Shown::Ran {
        status,
        name,
        title,
        summary,
        output,
        findings,
    } = ran
    else {
        return Ok(());
    };
    let row = format!(
        "{} <b>{}</b> <code>{}</code> <span>{}</span>",
        Mark::of(*status).sign(),
        escape(name),
        escape(&one_line(title)),
        escape(summary)
    );
    let whole = title.trim_end().contains('\n').then_some(title.as_ref());
    let texts = [whole.unwrap_or_default(), output, findings];
    if texts.iter().all(|text| text.is_empty()) {
        return writeln!(out, "<p class=\"run\" id=\"e{id}\">{row}</p>");
    }
    let body = |out: &mut dyn Write| {
        texts
            .iter()
            .filter(|text| !text.is_empty())
            .try_for_each(|text| preformatted(text, out))
    };
    folded(id, "run", &row, body, out)
}

fn write_calls(body: &Body, out: &mut dyn Write) -> io::Result<()> {
    let Body::Assistant { calls, .. } = body else {
        return Ok(());
    };
    for call in calls {
        let arguments = match &call.arguments {
            Arguments::Object(object) => serde_json::to_string(object)?,
            Arguments::Raw(raw) => raw.clone(),
        };
        let (name, arguments) = (clean(&call.name), clean(&arguments));
        writeln!(
            out,
            "<p class=\"call\"><b>{}</b> <code>{}</code></p>",
            escape(&name),
            escape(&arguments)
        )?;
    }
    Ok(())
}

/// Writes the changed lines of a file. Writes nothing if the texts are not stored.
fn write_diff(body: &Body, blobs: &BTreeMap<BlobId, Arc<[u8]>>, out: &mut dyn Write) -> io::Result<()> {
    let Body::Change { before, after, .. } = body else {
        return Ok(());
    };
    let side = |id: &Option<BlobId>| match id {
        Some(id) => blobs.get(id).map(AsRef::as_ref),
        None => Some([].as_slice()),
    };
    let (Some(before), Some(after)) = (side(before), side(after)) else {
        return Ok(());
    };
    let diff = unified_text(before, after, CONTEXT);
    let diff = String::from_utf8_lossy(&diff);
    write!(out, "<pre class=\"diff\">")?;
    for line in clean(&diff).lines() {
        let class = match line.as_bytes().first() {
            Some(b'+') => "add",
            Some(b'-') => "del",
            Some(b'@') => "hunk",
            _ => "same",
        };
        // The page's style displays each of these elements on a separate line.
        write!(out, "<span class=\"{class}\">{}</span>", escape(line))?;
    }
    writeln!(out, "</pre>")
}

fn folded(
    id: u64,
    class: &str,
    summary: &str,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<details class=\"{class}\" id=\"e{id}\"><summary>{summary}</summary>"
    )?;
    body(out)?;
    writeln!(out, "</details>")
}

fn block(id: u64, name: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section id=\"e{id}\"><h2>{name}</h2>")?;
    preformatted(text, out)?;
    writeln!(out, "</section>")
}

fn preformatted(text: &str, out: &mut dyn Write) -> io::Result<()> {
    // HTML ignores a line break directly after the tag.
    writeln!(out, "<pre>\n{}</pre>", escape(text.trim_end_matches('\n')))
}

fn note(id: u64, text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<p class=\"note\" id=\"e{id}\">{}</p>", escape(text))
}

fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out.into()
}
