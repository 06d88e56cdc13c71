use serde_json::json;

use super::*;
use benchdog_base::environment::Environment;
use benchdog_config::settings::{NetworkSettings, SearchSettings, WebSettings};

fn web(search: SearchSettings) -> Web {
    let settings = WebSettings {
        search,
        ..WebSettings::default()
    };
    Web::new(&settings, &NetworkSettings::default(), &Environment::default())
}

fn addresses(search: SearchSettings) -> Vec<String> {
    let found = web(search).search_addresses(" rust & c++ ").unwrap();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn the_query_and_the_locale_are_encoded_into_the_addresses() {
    let searxng = |base: &str| SearchSettings {
        engine: Some(SearchEngine::SearXng(base.to_owned())),
        locale: Some("de-AT".to_owned()),
        duckduckgo: true,
        ..SearchSettings::default()
    };
    for base in [
        "http://127.0.0.1:8080",
        "http://127.0.0.1:8080/",
        "http://127.0.0.1:8080/search",
    ] {
        assert_eq!(
            addresses(searxng(base)),
            [
                "http://127.0.0.1:8080/search?q=rust%20%26%20c%2B%2B&format=json&language=de%2DAT",
                "https://html.duckduckgo.com/html/?q=rust%20%26%20c%2B%2B&kl=at-de"
            ]
        );
    }
    let json = SearchSettings {
        engine: Some(SearchEngine::Json(
            "https://api.example/s?q={query}&hl={locale}".to_owned(),
        )),
        ..SearchSettings::default()
    };
    assert_eq!(addresses(json), ["https://api.example/s?q=rust%20%26%20c%2B%2B&hl="]);
    assert!(web(SearchSettings::default()).search_addresses("x").unwrap().is_empty());
    let long = "x".repeat(401);
    assert!(web(searxng("http://127.0.0.1")).search_addresses(&long).is_err());
}

#[test]
fn results_are_found_in_the_answers_of_usual_services() {
    let one = json!({"title": "A  page", "url": "https://a.example/", "content": "About\n a"});
    let answers = [
        json!({"query": "x", "results": [one]}),
        json!({"web": {"type": "search", "results": [{"title": "A page", "url": "https://a.example/", "description": "About a"}]}}),
        json!({"webPages": {"value": [{"name": "A page", "url": "https://a.example/", "snippet": "About a"}]}}),
        json!({"items": [{"title": "A page", "link": "https://a.example/", "snippet": "About a"}]}),
        json!([{"title": "A page", "href": "https://a.example/", "body": "About a"}, {"title": "no address"}]),
    ];
    for answer in answers {
        let hits = results::find_hits(&answer).unwrap();
        let expected = Hit {
            title: "A page".to_owned(),
            url: "https://a.example/".to_owned(),
            text: "About a".to_owned(),
        };
        assert_eq!(hits, [expected], "{answer}");
    }
    assert_eq!(results::find_hits(&json!({"results": []})), Some(Vec::new()));
    assert_eq!(results::find_hits(&json!({"error": "no key"})), None);
    assert_eq!(
        results::find_hits(&json!({"results": [{"title": "x", "url": "javascript:x"}]})),
        None
    );
}

const PAGE: &str = r#"<div class="results">
<div class="result result--ad"><a class="result__a" href="https://ad.example/">Ad</a></div>
<div class="result results_links"><h2><a class="result__a"
  href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fp%3Fq%3D1&amp;rut=x">A <b>page</b></a></h2>
  <a class="result__snippet" href="x">About <b>a</b></a></div>
<div class="result"><a class="result__a" href="https://b.example/">B</a></div>
<div class="result"><a class="result__a" href="https://duckduckgo.com/y.js?ad">C</a></div>
</div>"#;

#[test]
fn the_page_of_duckduckgo_is_read_without_advertisements() {
    let hits = duckduckgo::hits(200, PAGE).unwrap();
    let urls: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
    assert_eq!(urls, ["https://a.example/p?q=1", "https://b.example/"]);
    assert_eq!((hits[0].title.as_str(), hits[0].text.as_str()), ("A page", "About a"));
    assert!(duckduckgo::hits(202, "").unwrap_err().contains("CAPTCHA"));
    assert!(
        duckduckgo::hits(200, "<div class='anomaly-modal__title'>")
            .unwrap_err()
            .contains("CAPTCHA")
    );
    assert!(duckduckgo::hits(500, "").unwrap_err().contains("500"));
    assert!(
        duckduckgo::hits(200, "<p>else</p>")
            .unwrap_err()
            .contains("an unexpected format")
    );
    assert_eq!(duckduckgo::hits(200, "<div class='no-results'>"), Ok(Vec::new()));
}
