use super::super::results::{Check, Contender, Record, Run, Status, Turn};
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

#[test]
fn the_page_states_its_language_and_supports_dark_browsers() {
    let page = page(&[]);
    assert!(
        page.contains("<html lang=\"en\">") && page.contains("color-scheme:light dark"),
        "{page}"
    );
}

#[test]
fn the_page_shows_a_limit_that_ended_a_run_and_missing_tools() {
    let run = Run {
        task: "task".to_owned(),
        contender: Contender::Model("kit/m".to_owned()),
        attempt: 1,
    };
    let mut record = Record::new(run, Status::Unsolved);
    record.check = Some(Check {
        output: "no file".to_owned(),
        ..Check::default()
    });
    for (outcome, shown) in [("limit", "not solved (limit)<"), ("done", "not solved<")] {
        record.turn = Some(Turn {
            outcome: outcome.to_owned(),
            tools_notice: Some("`m` gets <no> tools".to_owned()),
            ..Turn::default()
        });
        let page = page(std::slice::from_ref(&record));
        assert!(
            page.contains(shown) && page.contains("<p>`m` gets &lt;no&gt; tools</p>"),
            "{page}"
        );
    }
}
