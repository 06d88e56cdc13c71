use std::io::Write;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::guard::tests::Answers;
use crate::lookup::HostLookup;
use benchdog_config::settings::{SearchEngine, SearchSettings, WebSettings};

type Answer = Box<dyn Fn(&str) -> Vec<u8> + Send + Sync>;

/// A test server. The test supplies a function that returns the response for a path.
struct Site {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Site {
    async fn start(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0", Duration::ZERO, answer).await
    }

    /// Starts the server. It sends one byte per `pause`, or everything at once if `pause` is zero.
    async fn start_at(place: &str, pause: Duration, answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(place).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, connections) = (Arc::<Mutex<Vec<String>>>::default(), Arc::<AtomicUsize>::default());
        let (log, count, answer) = (
            Arc::clone(&asked),
            Arc::clone(&connections),
            Arc::new(Box::new(answer) as Answer),
        );
        let task = tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                tokio::spawn(async move {
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        match socket.read_u8().await {
                            Ok(byte) => head.push(byte),
                            Err(_) => return,
                        }
                    }
                    let head = String::from_utf8_lossy(&head).into_owned();
                    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                    log.lock().unwrap().push(head);
                    let bytes = answer(&path);
                    let step = if pause.is_zero() { bytes.len().max(1) } else { 1 };
                    for piece in bytes.chunks(step) {
                        if socket.write_all(piece).await.is_err() {
                            return;
                        }
                        tokio::time::sleep(pause).await;
                    }
                    let _ = socket.shutdown().await;
                });
            }
        });
        Self {
            port,
            asked,
            connections,
            task,
        }
    }

    fn url(&self, path: &str) -> Address {
        Address::parse(&format!("http://site.example:{}{path}", self.port)).unwrap()
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

fn response(head: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut bytes = format!("HTTP/1.1 200 OK\r\n{head}\r\nContent-Length: {length}\r\n\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

fn html(body: &str) -> Vec<u8> {
    response("Content-Type: text/html; charset=utf-8", body.as_bytes())
}

fn redirect(to: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into_bytes()
}

/// Returns web access that reaches only this server, under the name `site.example`.
fn web_to(site: &Site, lookup: Arc<dyn HostLookup>) -> Web {
    web_with(site, lookup, Duration::from_secs(20), SearchSettings::default())
}

fn web_with(site: &Site, lookup: Arc<dyn HostLookup>, patience: Duration, search: SearchSettings) -> Web {
    let settings = WebSettings {
        fetch: true,
        search,
        private_hosts: vec![format!("site.example:{}", site.port)],
    };
    Web::with_lookup(&settings, lookup, patience)
}

fn here() -> Arc<Answers> {
    Answers::of(&[&["127.0.0.1"]])
}

#[tokio::test]
async fn a_page_is_fetched_as_markdown_and_other_text_as_it_is() {
    let site = Site::start(|path| match path {
        "/page" => html("<title>T</title><h1>Head</h1><p>Text <a href='/x'>link</a>"),
        "/json" => response("Content-Type: application/json", b"{\"a\":  1}"),
        "/md" => response("Content-Type: text/markdown", b"# Head\n\n<b>"),
        _ => response("X: y", b"plain"),
    })
    .await;
    let web = web_to(&site, here());
    let page = web.fetch(&site.url("/page")).await.unwrap();
    assert_eq!((page.title.as_str(), page.media.as_str()), ("T", "text/html"));
    assert!(
        page.text.starts_with("# Head\n\nText [link](http://site.example:"),
        "{}",
        page.text
    );
    for (path, text) in [("/json", "{\"a\":  1}"), ("/md", "# Head\n\n<b>"), ("/other", "plain")] {
        assert_eq!(web.fetch(&site.url(path)).await.unwrap().text, text);
    }
    let asked = site.asked.lock().unwrap().join("").to_lowercase();
    for absent in ["cookie", "authorization", "referer"] {
        assert!(!asked.contains(absent), "{asked}");
    }
}

#[tokio::test]
async fn pages_in_east_asian_encodings_are_read() {
    let site = Site::start(|path| {
        // The texts "你好，世界", "こんにちは" and "안녕하세요", in GBK, Shift_JIS and EUC-KR.
        let gbk: &[u8] = b"\xc4\xe3\xba\xc3\xa3\xac\xca\xc0\xbd\xe7";
        let sjis: &[u8] = b"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd";
        let euc: &[u8] = b"\xbe\xc8\xb3\xe7\xc7\xcf\xbc\xbc\xbf\xe4";
        let (head, before, text) = match path {
            "/gbk" => ("Content-Type: text/html; charset=gb2312", "", gbk),
            "/gbk-meta" => ("Content-Type: text/html", "<meta charset=gbk>", gbk),
            "/sjis" => (
                "Content-Type: text/html",
                "<meta http-equiv=content-type content='text/html; charset=Shift_JIS'>",
                sjis,
            ),
            "/sjis-plain" => ("Content-Type: text/plain; charset=shift_jis", "", sjis),
            _ => ("Content-Type: text/html; charset=euc-kr", "", euc),
        };
        let body = [before.as_bytes(), b"<p>", text].concat();
        response(head, &body)
    })
    .await;
    let web = web_to(&site, here());
    for (path, text) in [
        ("/gbk", "你好，世界"),
        ("/gbk-meta", "你好，世界"),
        ("/sjis", "こんにちは"),
        ("/sjis-plain", "<p>こんにちは"),
        ("/euc", "안녕하세요"),
    ] {
        assert_eq!(web.fetch(&site.url(path)).await.unwrap().text, text, "{path}");
    }
}

#[tokio::test]
async fn other_files_and_failures_are_told_by_type_size_and_status() {
    let site = Site::start(|path| match path {
        "/pdf" => response("Content-Type: application/pdf", &[0; 2_048]),
        "/bin" => response("Content-Type: text/plain", b"\x7fELF\0\0"),
        "/gone" => b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<h1>No such page".to_vec(),
        _ => b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: text/plain\r\n\r\nhalf".to_vec(),
    })
    .await;
    let web = web_to(&site, here());
    for (path, code, said) in [
        ("/pdf", "not_text", "not text (`application/pdf`, 2.0 KB)"),
        ("/bin", "not_text", "not text (`text/plain`, 6 bytes)"),
        ("/gone", "http_status", "HTTP status 404. Its text:\n# No such page"),
        ("/half", "unreachable", "broke off"),
    ] {
        let told = web.fetch(&site.url(path)).await.unwrap_err();
        assert_eq!(told.code(), code, "{path}");
        assert!(told.to_string().contains(said), "{path}: {told}");
    }
}

#[tokio::test]
async fn a_large_page_is_cut_and_a_packed_one_cannot_fill_the_memory() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..32 {
        packed.write_all(&[b'x'; 1 << 20]).unwrap();
    }
    let packed = packed.finish().unwrap();
    let site = Site::start(move |path| match path {
        "/large" => response("Content-Type: text/plain", &vec![b'x'; 10 << 20]),
        _ => response("Content-Type: text/plain\r\nContent-Encoding: gzip", &packed),
    })
    .await;
    let web = web_to(&site, here());
    for path in ["/large", "/bomb"] {
        let page = web.fetch(&site.url(path)).await.unwrap();
        assert_eq!((page.bytes, page.text.len()), (MOST_BYTES, MOST_BYTES), "{path}");
        assert!(page.cut.unwrap().contains("first"), "{path}");
    }
}

#[tokio::test]
async fn a_server_that_drips_or_is_silent_ends_with_the_patience() {
    let pause = Duration::from_millis(50);
    let drip = Site::start_at("127.0.0.1:0", pause, |_| html(&"x".repeat(10_000))).await;
    let silent = Site::start_at("127.0.0.1:0", Duration::from_secs(60), |_| html("x")).await;
    for site in [drip, silent] {
        let web = web_with(&site, here(), Duration::from_millis(700), SearchSettings::default());
        let began = Instant::now();
        let told = web.fetch(&site.url("/")).await.unwrap_err();
        assert_eq!(told, Trouble::Timeout(Duration::from_millis(700)));
        assert!(began.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn redirects_stay_on_the_host_and_end() {
    let site = Site::start(|path| match path {
        "/a" => redirect("/b?x=1"),
        "/b?x=1" => html("<p>There"),
        "/loop" => redirect("/loop"),
        "/else" => redirect("https://other.example/page?q=1#f"),
        "/scheme" => redirect("file:///etc/passwd"),
        "/user" => redirect("http://me:secret@site.example/"),
        "/port" => redirect("http://site.example:22/"),
        _ => b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
    })
    .await;
    let web = web_to(&site, here());
    let page = web.fetch(&site.url("/a")).await.unwrap();
    assert!(page.url.ends_with("/b?x=1") && page.text == "There");
    for (path, code, said) in [
        ("/loop", "bad_redirect", "redirects more than 5 times"),
        (
            "/else",
            "redirect",
            "to another host, which was not contacted: https://other.example/page?q=1\n",
        ),
        ("/scheme", "bad_redirect", "only `https` and `http`"),
        ("/user", "bad_redirect", "user name or password"),
        ("/port", "bad_redirect", "port 22"),
        ("/nowhere", "http_status", "302"),
    ] {
        let told = web.fetch(&site.url(path)).await.unwrap_err();
        assert_eq!(told.code(), code, "{path}: {told}");
        assert!(
            told.to_string().contains(said) && !told.to_string().contains("secret"),
            "{path}: {told}"
        );
    }
    assert_eq!(site.connections(), 2 + 6 + 5);
}

#[tokio::test]
async fn no_redirect_leads_to_a_private_address() {
    let inner = Site::start(|_| html("<p>secret")).await;
    let port = inner.port;
    let site = Site::start(move |path| {
        let to = match path {
            "/1" => format!("http://127.0.0.1:{port}/"),
            "/2" => format!("http://2130706433:{port}/"),
            "/3" => format!("http://0x7f.1:{port}/"),
            "/4" => format!("http://[::ffff:127.0.0.1]:{port}/"),
            "/5" => format!("//localhost:{port}/"),
            "/6" => format!("http://[::1]:{port}/"),
            "/7" => "http://169.254.169.254/latest/meta-data/".to_owned(),
            "/8" => "http://metadata.google.internal/".to_owned(),
            "/9" => format!("http://inner.example:{port}/"),
            // The port differs.
            _ => format!("http://site.example:{port}/"),
        };
        redirect(&to)
    })
    .await;
    let web = web_to(&site, here());
    for number in 1..=10 {
        let told = web.fetch(&site.url(&format!("/{number}"))).await.unwrap_err();
        assert!(
            matches!(told, Trouble::Forbidden { .. } | Trouble::CrossHostRedirect { .. }),
            "{number}: {told}"
        );
    }
    assert_eq!((inner.connections(), site.connections()), (0, 10));
}

#[tokio::test]
async fn a_name_that_changes_its_address_between_check_and_connection_reaches_only_the_checked_one() {
    let checked = Site::start(|_| html("<p>checked")).await;
    let place = format!("127.0.0.2:{}", checked.port);
    let other = Site::start_at(&place, Duration::ZERO, |_| html("<p>other")).await;
    // The first lookup returns the checked address. All later lookups return another address.
    let lookup = Answers::of(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let web = web_to(&checked, lookup.clone());
    assert_eq!(web.fetch(&checked.url("/")).await.unwrap().text, "checked");
    assert_eq!((checked.connections(), other.connections()), (1, 0));
    assert_eq!(lookup.asked.lock().unwrap().len(), 1, "the name is looked up once");
}

#[tokio::test]
async fn a_name_that_becomes_private_after_a_redirect_is_refused() {
    let site = Site::start(|_| redirect("/again")).await;
    // `web_to` allows a private address for this host. The address of the second lookup is forbidden for every host.
    let lookup = Answers::of(&[&["127.0.0.1"], &["169.254.169.254"]]);
    let told = web_to(&site, lookup).fetch(&site.url("/")).await.unwrap_err();
    assert!(matches!(told, Trouble::Forbidden { .. }), "{told}");
    assert_eq!(site.connections(), 1);
    // A later lookup of a public name returns a private address. The request is refused before a connection is made.
    let lookup = Answers::of(&[&["127.0.0.1"]]);
    let public = Address::parse(&format!("http://rebind.example:{}/", site.port)).unwrap();
    assert!(web_to(&site, lookup).fetch(&public).await.is_err());
    assert_eq!(site.connections(), 1);
}

#[tokio::test]
async fn a_search_asks_the_configured_server_with_its_headers() {
    let site = Site::start(|_| {
        let body = br#"{"results": [{"title": "One", "url": "https://one.example/", "content": "First"}]}"#;
        response("Content-Type: application/json", body)
    })
    .await;
    let search = SearchSettings {
        engine: Some(SearchEngine::SearXng(format!("http://searx.example:{}", site.port))),
        headers: vec![("x-key".to_owned(), "k".to_owned())],
        locale: Some("zh-CN".to_owned()),
        ..SearchSettings::default()
    };
    let web = web_with(&site, here(), Duration::from_secs(20), search);
    let found = web.search("rust").await.unwrap();
    assert_eq!(found.engine, format!("http://searx.example:{}", site.port));
    assert_eq!(found.hits[0].url, "https://one.example/");
    let asked = site.asked.lock().unwrap()[0].to_lowercase();
    for part in [
        "get /search?q=rust&format=json&language=zh%2dcn",
        "x-key: k",
        "accept-language: zh-cn",
    ] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
}

#[tokio::test]
async fn a_search_server_that_refuses_the_format_is_explained() {
    let site = Site::start(|_| b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".to_vec()).await;
    let search = SearchSettings {
        engine: Some(SearchEngine::SearXng(format!("http://site.example:{}/", site.port))),
        ..SearchSettings::default()
    };
    let web = web_with(&site, here(), Duration::from_secs(20), search);
    let told = web.search("rust").await.unwrap_err().to_string();
    assert!(told.contains("`search.formats`"), "{told}");
}

#[tokio::test]
async fn the_client_never_looks_a_host_up_again() {
    let lookup: Arc<dyn HostLookup> = Answers::of(&[&["127.0.0.1"]]);
    let resolver = crate::client::PinnedResolver::new("site.example", &["1.1.1.1".parse::<IpAddr>().unwrap()], &lookup);
    let name = "SITE.example.".parse().unwrap();
    let found: Vec<_> = reqwest::dns::Resolve::resolve(&resolver, name).await.unwrap().collect();
    assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1.1.1.1:0"]);
    let none = crate::client::PinnedResolver::new("site.example", &[], &lookup);
    let name = "site.example".parse().unwrap();
    assert!(reqwest::dns::Resolve::resolve(&none, name).await.is_err());
}
