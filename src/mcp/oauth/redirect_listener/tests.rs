use super::*;

#[tokio::test]
async fn idle_connections_do_not_block_the_redirect() {
    let listener = RedirectListener::open(0).await.unwrap();
    let mut silent = Vec::new();
    for _ in 0..MOST_CONNECTIONS + 8 {
        silent.push(TcpStream::connect(("127.0.0.1", listener.port)).await.unwrap());
    }
    let browser = async {
        let mut browser = TcpStream::connect(("127.0.0.1", listener.port)).await.unwrap();
        let wanted = b"GET /callback?code=c&state=s HTTP/1.1\r\n\r\n";
        browser.write_all(wanted).await.unwrap();
        let mut page = String::new();
        browser.read_to_string(&mut page).await.unwrap();
        page
    };
    let both = async { tokio::join!(listener.wait("s"), browser) };
    let (redirect, page) = timeout(TIMEOUT, both).await.expect("answered at once");
    assert_eq!(redirect.code, Ok("c".to_owned()));
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
}

#[test]
fn redirects_without_the_state_are_rejected() {
    let code = |code: &str| Redirect {
        code: Ok(code.to_owned()),
        issuer: None,
    };
    assert_eq!(parse_redirect("/callback?code=a%2Fb&state=s", "s"), Some(code("a/b")));
    let pasted = "http://127.0.0.1:1/callback?state=s&code=c&iss=https%3A%2F%2Fx#end";
    let redirect = parse_redirect(pasted, "s").unwrap();
    assert_eq!(
        (redirect.code, redirect.issuer.as_deref()),
        (Ok("c".to_owned()), Some("https://x"))
    );
    let denied = parse_redirect("/callback?error=access_denied&state=s&code=c", "s").unwrap();
    assert_eq!(denied.code, Err("access_denied".to_owned()));
    for none in [
        "/callback?code=c",
        "/callback?code=c&state=t",
        "/other?code=c&state=s",
        "/callback",
        "/",
    ] {
        assert_eq!(parse_redirect(none, "s"), None, "{none}");
    }
}
