use super::*;

#[tokio::test]
async fn connections_on_which_nothing_comes_keep_nobody_out() {
    let door = Door::open(0).await.unwrap();
    let mut silent = Vec::new();
    for _ in 0..MOST_HEARD + 8 {
        silent.push(TcpStream::connect(("127.0.0.1", door.port)).await.unwrap());
    }
    let asks = async {
        let mut browser = TcpStream::connect(("127.0.0.1", door.port)).await.unwrap();
        let wanted = b"GET /callback?code=c&state=s HTTP/1.1\r\n\r\n";
        browser.write_all(wanted).await.unwrap();
        let mut page = String::new();
        browser.read_to_string(&mut page).await.unwrap();
        page
    };
    let both = async { tokio::join!(door.came("s"), asks) };
    let (back, page) = timeout(HEARD, both).await.expect("it is heard at once");
    assert_eq!(back.answer, Ok("c".to_owned()));
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
}

#[test]
fn who_does_not_know_the_state_has_not_come_back() {
    let code = |code: &str| Back {
        answer: Ok(code.to_owned()),
        issuer: None,
    };
    assert_eq!(back("/callback?code=a%2Fb&state=s", "s"), Some(code("a/b")));
    let pasted = "http://127.0.0.1:1/callback?state=s&code=c&iss=https%3A%2F%2Fx#end";
    let came = back(pasted, "s").unwrap();
    assert_eq!(
        (came.answer, came.issuer.as_deref()),
        (Ok("c".to_owned()), Some("https://x"))
    );
    let denied = back("/callback?error=access_denied&state=s&code=c", "s").unwrap();
    assert_eq!(denied.answer, Err("access_denied".to_owned()));
    for none in [
        "/callback?code=c",
        "/callback?code=c&state=t",
        "/other?code=c&state=s",
        "/callback",
        "/",
    ] {
        assert_eq!(back(none, "s"), None, "{none}");
    }
}
