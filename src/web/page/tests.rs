use super::*;

fn address() -> Address {
    Address::parse("https://docs.example/a/b.html").unwrap()
}

fn page(html: &str) -> Markdown {
    markdown(html, &address()).unwrap()
}

const DOCS: &str = r##"<!doctype html><html><head><title> Foo
 &amp; Bar </title><style>a{}</style></head><body>
<nav><ul><li><a href="/x">Nav one</a></li></ul></nav>
<main><article><h1>Function foo</h1>
<p>Does <b>this</b> &amp; <code>that()</code>. See <a href="../c.html#d">other</a>, not <a href="javascript:x()">this</a>. Some more
words, so that this is a paragraph of an article and nobody can take it for a row of buttons, which are much shorter than it.</p>
<pre><code class="language-rust">fn main() {
    let a = 1 &lt; 2;
}
</code></pre>
<table><thead><tr><th>Name</th><th>Kind</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>
<ol><li>One</li><li>Two</li></ol>
<img src="data:image/png;base64,AAAA" alt="inline"><img src="i.png" alt="A picture"><img src="j.png">
<p>A second paragraph, which is long enough to count as well: it has commas, words, and an end that comes late in the line.</p>
</article></main><script>alert("script")</script><footer>Copyright</footer></body></html>"##;

#[test]
fn an_article_is_markdown_with_whole_links_and_without_what_stands_around_it() {
    let read = page(DOCS);
    assert_eq!(read.title, "Foo & Bar");
    for part in [
        "Does **this** & `that()`.",
        "[other](https://docs.example/c.html#d)",
        "```rust\nfn main() {\n    let a = 1 < 2;\n}\n```",
        "| Name | Kind |",
        "1. One\n2. Two",
        "![A picture](https://docs.example/a/i.png)",
    ] {
        assert!(read.text.contains(part), "{part} in:\n{}", read.text);
    }
    for part in ["Nav one", "script", "javascript", "Copyright", "base64", "j.png"] {
        assert!(!read.text.contains(part), "{part} in:\n{}", read.text);
    }
    assert!(!read.is_cut);
}

#[test]
fn a_page_without_an_article_is_shown_whole() {
    let rows: String = (0..50)
        .map(|row| format!("<li><a href='/{row}'>Row {row}</a></li>"))
        .collect();
    let read = page(&format!(
        "<title>List</title><nav>menu</nav><h1>Index</h1><ul>{rows}</ul>"
    ));
    assert!(read.text.starts_with("# Index"), "{}", read.text);
    assert!(read.text.contains("[Row 49](https://docs.example/49)") && !read.text.contains("menu"));
    assert_eq!(page("").text, "");
    assert_eq!(page("just text").text, "just text");
}

fn on_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap()
}

#[test]
fn hostile_nesting_ends_early_and_does_not_overflow() {
    for (name, html) in [
        ("div", format!("begin{}end", "<div>".repeat(100_000))),
        ("li", format!("begin{}end", "<ul><li>".repeat(50_000))),
        ("b", format!("begin{}end", "<b>".repeat(100_000))),
        ("quote", format!("begin{}end", "<blockquote>".repeat(50_000))),
        ("svg", format!("begin{}end", "<svg>".repeat(50_000))),
        (
            "a i",
            format!(
                "begin{}{}{}",
                "<a>".repeat(20_000),
                "<i>".repeat(20_000),
                "</a>".repeat(20_000)
            ),
        ),
        ("table", format!("begin{}end", "<table><tr><td>".repeat(30_000))),
        ("foster", format!("begin{}end", "<table><b>".repeat(30_000))),
        ("template", format!("begin{}end", "<template>".repeat(30_000))),
    ] {
        let began = Instant::now();
        let read = on_large_stack(move || markdown(&html, &address()));
        assert!(
            began.elapsed() < Duration::from_secs(25),
            "{name}: {:?}",
            began.elapsed()
        );
        match read {
            Ok(read) => {
                assert!(read.text.len() < 2_000_000, "{name}: {}", read.text.len());
                // The tables of `foster` are not nested, because each `table` tag ends the table before it.
                assert!(read.is_cut || ["foster", "template"].contains(&name), "{name}");
            }
            Err(why) => assert_eq!(why, "its tags are nested too deeply", "{name}"),
        }
    }
}

#[test]
fn formatting_that_is_opened_again_for_each_paragraph_does_not_fill_the_memory() {
    let open: String = (0..5_000).map(|n| format!("<b x={n}>")).collect();
    let html = format!("{open}{}", "<p>x".repeat(100_000));
    let (nodes, is_cut) = on_large_stack(move || {
        let (document, is_cut) = parse(&html).unwrap();
        (document.tree.len(), is_cut)
    });
    assert!(is_cut && nodes < 2 * MOST_NODES, "{nodes}");
}

#[tokio::test]
async fn a_converter_that_fails_is_an_error() {
    let told: Result<(), String> = run_on_large_stack(|| panic!("broken")).await;
    assert_eq!(told, Err("the converter failed".to_owned()));
    assert_eq!(run_on_large_stack(|| Ok(7)).await, Ok(7));
}
