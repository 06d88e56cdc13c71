//! A session as Markdown, without control characters.

use std::io::{self, Write};

use benchdog_base::text::{clean, fence};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::message::Arguments;
use benchdog_domain::session::SessionMeta;
use benchdog_transcript::{self as transcript, Mark, Shown, one_line};

pub(super) fn write_markdown(meta: &SessionMeta, history: &History, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {}\n", clean(&super::title(meta)))?;
    writeln!(out, "- session: `{}`", meta.id)?;
    writeln!(out, "- folder: `{}`", clean(&meta.workspace))?;
    if let Some(model) = &meta.model {
        writeln!(out, "- model: `{}`", clean(&model.to_string()))?;
    }
    writeln!(out, "- created: {}\n", meta.created.rfc3339())?;
    for entry in history.entries() {
        write_entry(entry, out)?;
    }
    Ok(())
}

fn write_entry(entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
    match transcript::shown(&entry.body) {
        Some(Shown::Said { text, along, .. }) => {
            writeln!(out, "## User\n\n{text}\n")?;
            for one in &along {
                writeln!(out, "- {one}")?;
            }
            if along.is_empty() { Ok(()) } else { writeln!(out) }
        }
        Some(Shown::Answered { text, cut, .. }) => {
            writeln!(out, "## Assistant\n\n{text}\n")?;
            write_calls(&entry.body, out)?;
            match cut {
                Some(cut) => writeln!(out, "\n> {cut}\n"),
                None => writeln!(out),
            }
        }
        Some(Shown::Ran {
            name,
            title,
            summary,
            output,
            findings,
            ..
        }) => {
            writeln!(
                out,
                "### {}: {summary}\n",
                format!("{name} {}", one_line(&title)).trim_end()
            )?;
            if title.trim_end().contains('\n') {
                fenced(&title, out)?;
            }
            fenced(&output, out)?;
            match findings.as_str() {
                "" => Ok(()),
                found => fenced(found, out),
            }
        }
        Some(Shown::Approval {
            name,
            decision,
            because,
        }) => writeln!(out, "- approval of {name}: {decision} ({because})\n"),
        Some(Shown::Change { path, added, removed }) => writeln!(out, "- changed `{path}` +{added} -{removed}\n"),
        Some(Shown::Todo(items)) => writeln!(out, "### Todo\n\n{items}"),
        Some(Shown::Findings(text)) => writeln!(out, "### Findings\n\n```\n{text}```\n"),
        Some(Shown::Plan(text)) => writeln!(out, "### Plan\n\n{text}\n"),
        Some(Shown::Remark(text)) => writeln!(out, "> {text}\n"),
        Some(Shown::Compacted { text, summary }) => writeln!(out, "> {text}\n\n{summary}\n"),
        Some(Shown::Ended { mark: Mark::Ok, .. }) | None => Ok(()),
        Some(Shown::Ended { mark, text }) => writeln!(out, "> {} {text}\n", mark.sign()),
    }
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
        writeln!(out, "- call `{}` {}", clean(&call.name), clean(&arguments))?;
    }
    Ok(())
}

fn fenced(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let fence = fence(text);
    writeln!(out, "{fence}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}
