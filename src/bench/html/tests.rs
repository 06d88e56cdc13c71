use super::super::results::{Contender, Record, Run, Status};
use super::page;

#[test]
fn the_page_escapes_every_text_and_refers_to_nothing_outside() {
    let run = Run {
        task: "task".to_owned(),
        contender: Contender::Agent("<img src=http://x.example/a>".to_owned()),
        attempt: 1,
    };
    let mut record = Record::new(run, Status::Failed);
    record.reason = Some("</pre><script>alert(\"1\")</script>\u{1b}[31m".to_owned());
    let page = page(&[record]);
    assert!(
        page.contains("&lt;img src=http://x.example/a&gt;") && page.contains("&lt;/pre&gt;&lt;script&gt;"),
        "{page}"
    );
    for outside in [
        "<script", "<img", "<link", "src=\"", "href=", "url(", "@import", "\u{1b}",
    ] {
        assert!(!page.contains(outside), "{outside}: {page}");
    }
}
