use std::collections::BTreeMap;

use super::*;

mod bytes;
mod names;
mod oracle;
mod place;
mod trees;

#[derive(Clone)]
struct Shelf(BTreeMap<String, Bytes>);

impl Files for Shelf {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError> {
        if path.starts_with("../") || path.starts_with('/') {
            return Err(PatchError::new("outside_workspace", path));
        }
        Ok(self.0.get(path).cloned())
    }
}

fn shelf(files: &[(&str, &str)]) -> Shelf {
    Shelf(
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().into()))
            .collect(),
    )
}

fn patched(files: &[(&str, &str)], text: &str) -> Result<BTreeMap<String, String>, PatchError> {
    let mut shelf = shelf(files);
    let applied = apply_text(text, &mut shelf)?;
    for edit in applied.files {
        if let Some(Source::Renamed(from)) = edit.from {
            shelf.0.remove(&from);
        }
        match edit.after {
            Some(bytes) => shelf.0.insert(edit.path, bytes),
            None => shelf.0.remove(&edit.path),
        };
    }
    Ok(shelf
        .0
        .into_iter()
        .map(|(path, bytes)| (path, String::from_utf8(bytes.to_vec()).unwrap()))
        .collect())
}

fn file(before: &str, text: &str) -> String {
    match patched(&[("f", before)], text) {
        Ok(mut files) => files.remove("f").unwrap_or_else(|| "(gone)".to_owned()),
        Err(error) => format!("{}: {}", error.code, error.text),
    }
}

fn code(files: &[(&str, &str)], text: &str) -> &'static str {
    patched(files, text).map_or_else(|error| error.code, |_| "applied")
}

const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

#[test]
fn what_models_get_wrong_in_form_is_read_as_it_was_meant() {
    let wanted = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n";
    let hunk = " 4\n-5\n+five\n 6\n";
    for (name, text) in unified_slips(hunk).into_iter().chain(envelope_slips(hunk)) {
        assert_eq!(file(TEN, &text), wanted, "{name}");
    }
}

/// Returns unified patches with this hunk. Each has a typical mistake.
fn unified_slips(hunk: &str) -> Vec<(&'static str, String)> {
    vec![
        ("plain", format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}")),
        ("counts too high", format!("--- a/f\n+++ b/f\n@@ -4,7 +4,7 @@\n{hunk}")),
        ("counts too low", format!("--- a/f\n+++ b/f\n@@ -4,2 +4,2 @@\n{hunk}")),
        ("no counts", format!("--- a/f\n+++ b/f\n@@ -4 +4 @@\n{hunk}")),
        ("bare marks", format!("--- a/f\n+++ b/f\n@@\n{hunk}")),
        ("bare marks, closed", format!("--- a/f\n+++ b/f\n@@ @@\n{hunk}")),
        ("marks with dots", format!("--- a/f\n+++ b/f\n@@ ... @@\n{hunk}")),
        (
            "section after the marks",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@ fn main() {{\n{hunk}"),
        ),
        ("no prefixes", format!("--- f\n+++ f\n@@ -4,3 +4,3 @@\n{hunk}")),
        ("dots in front", format!("--- ./f\n+++ ./f\n@@ -4,3 +4,3 @@\n{hunk}")),
        (
            "stamps after tabs",
            format!("--- a/f\t2024-01-01 00:00:00 +0000\n+++ b/f\t2024-01-01\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "stamps after spaces",
            format!("--- f 2024-01-01 10:00:00.000\n+++ f 2024-01-01 10:00:01.000\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "quoted names",
            format!("--- \"a/f\"\n+++ \"b/f\"\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        ("first line missing", format!("+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}")),
        ("second line missing", format!("--- a/f\n@@ -4,3 +4,3 @@\n{hunk}")),
        (
            "git header",
            format!("diff --git a/f b/f\nindex 12..34 100644\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "git header only",
            format!("diff --git a/f b/f\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "mail signature",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}-- \n2.47.3\n"),
        ),
        (
            "mail signature, wrong counts",
            format!("--- a/f\n+++ b/f\n@@ -4,9 +4,9 @@\n{hunk}-- \n2.47.3\n"),
        ),
        (
            "fenced, with prose",
            format!("Sure:\n```diff\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}```\nDone.\n"),
        ),
        (
            "blank line at the end",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}\n\n"),
        ),
        (
            "blank line at the end, bare marks",
            format!("--- a/f\n+++ b/f\n@@\n{hunk}\n\n"),
        ),
        (
            "no line end at the end",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{}", hunk.trim_end()),
        ),
        (
            "carriage returns",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}").replace('\n', "\r\n"),
        ),
        (
            "subversion",
            format!("Index: f\n=======\n--- f (revision 1)\n+++ f (working copy)\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
    ]
}

/// Returns `*** Begin Patch` patches with the same hunk. Each has a typical mistake.
fn envelope_slips(hunk: &str) -> Vec<(&'static str, String)> {
    vec![
        (
            "envelope",
            format!("*** Begin Patch\n*** Update File: f\n@@\n{hunk}*** End Patch\n"),
        ),
        (
            "envelope without end",
            format!("*** Begin Patch\n*** Update File: f\n@@\n{hunk}"),
        ),
        (
            "envelope without marks",
            format!("*** Begin Patch\n*** Update File: f\n{hunk}*** End Patch"),
        ),
        (
            "envelope, anchored",
            format!("*** Begin Patch\n*** Update File: f\n@@ 3\n{hunk}*** End Patch"),
        ),
        (
            "envelope, unified marks",
            format!("*** Begin Patch\n*** Update File: f\n@@ -4,3 +4,3 @@\n{hunk}*** End Patch"),
        ),
        (
            "envelope in a here document",
            format!("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: f\n@@\n{hunk}*** End Patch\nEOF\n"),
        ),
    ]
}

#[test]
fn what_is_no_whole_patch_is_an_error() {
    for text in [
        "",
        "\n\n",
        "hello\n",
        "--- a/f\n+++ b/f\n",
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n",
        "@@ -1 +1 @@\n-1\n+one\n",
        "diff --git a/f b/f\n",
        "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 4\n",
        "--- a/f\n+++ b/f\n@@@ -1 -1 +1 @@@\n- 1\n",
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+one\n--- a/g\n+++ b/g\n",
        "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+one\n",
        "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../x\n\\ No newline at end of file\n",
        "+++ \t\n@@ -1 +1 @@\n-1\n+one\n",
        "--- a/f\n+++ \"\"\n@@ -1 +1 @@\n-1\n+one\n",
        "--- ./\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n",
        "diff --git a/f b/f\nrename from f\nrename to \n",
        "*** Begin Patch\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: f\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: f\n@@\n*** End Patch\n",
        "*** Begin Patch\n*** Add File: g\nno sign\n*** End Patch\n",
        "*** Begin Patch\n*** Update File:\n@@\n-1\n+2\n*** End Patch\n",
    ] {
        assert_eq!(code(&[("f", TEN), ("g", "x\n")], text), "invalid_patch", "{text}");
    }
}

#[test]
fn content_that_looks_like_headers_is_content() {
    // The second removed line and the added line look like the headers of a new file.
    let before = "a\n-- x\n++ y\nb\n";
    assert_eq!(
        file(before, "--- a/f\n+++ b/f\n@@ -1,4 +1,3 @@\n a\n--- x\n ++ y\n b\n"),
        "a\n++ y\nb\n"
    );
    assert_eq!(
        file("-- x\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n--- x\n+++ y\n"),
        "++ y\n"
    );
    let text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n--- x\n+++ y\n@@ -9 +9 @@\n-9\n+nine\n";
    let before = "-- x\n2\n3\n4\n5\n6\n7\n8\n9\n";
    assert_eq!(file(before, text), "++ y\n2\n3\n4\n5\n6\n7\n8\nnine\n");
    // The counts are one too high, but the next headers are still recognised.
    let text = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+one\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n";
    let files = patched(&[("f", TEN), ("g", "x\n")], text).unwrap();
    assert_eq!((files["f"].starts_with("one\n2\n"), files["g"].as_str()), (true, "y\n"));
}

#[test]
fn content_that_names_the_other_form_is_content() {
    let before = "a\n*** Begin Patch\nb\n";
    assert_eq!(
        file(
            before,
            "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n *** Begin Patch\n-b\n+B\n"
        ),
        "a\n*** Begin Patch\nB\n"
    );
}
