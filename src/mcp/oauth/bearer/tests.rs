use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::*;
use crate::definition::SignInOwner;
use benchdog_config::settings::NetworkSettings;

fn address(port: u16, purse: std::path::PathBuf) -> Address {
    Address {
        url: format!("http://127.0.0.1:{port}/mcp"),
        headers: Vec::new(),
        auth: ServerAuth::OAuth,
        token: None,
        lacks_token: None,
        client_id: None,
        client_secret: None,
        lacks_secret: None,
        scopes: Vec::new(),
        callback_port: 0,
        client_metadata_url: None,
        alone: None,
        purse,
        whose: SignInOwner::Person,
        network: NetworkSettings::default(),
    }
}

/// A token endpoint that answers one request with the test's response.
async fn place(listener: TcpListener, asked: oneshot::Sender<()>, told: oneshot::Receiver<(u16, &'static str)>) {
    let (mut stream, _) = listener.accept().await.unwrap();
    let _ = stream.read(&mut [0; 4096]).await.unwrap();
    asked.send(()).unwrap();
    let (status, body) = told.await.unwrap();
    let head = format!(
        "HTTP/1.1 {status} so\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
}

struct Bench {
    _folder: tempfile::TempDir,
    bearer: Bearer,
    asked: oneshot::Receiver<()>,
    tell: oneshot::Sender<(u16, &'static str)>,
}

async fn bench() -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let address = address(port, folder.path().join("credentials.json"));
    let old = serde_json::json!({
        "access": "old", "refresh": "r3fresh", "until": 0,
        "from": {"token": format!("http://127.0.0.1:{port}/token"), "client": {"id": "x"}, "resource": address.url},
    });
    let bearer = Bearer::new(&ServerName("far".to_owned()), &address);
    let old = serde_json::from_value(old).unwrap();
    bearer.store.write(&address.url, Some(old)).await.unwrap();
    let ((http, asked), (tell, told)) = (oneshot::channel(), oneshot::channel());
    tokio::spawn(place(listener, http, told));
    Bench {
        _folder: folder,
        bearer,
        asked,
        tell,
    }
}

#[tokio::test]
async fn a_refresh_without_a_waiting_caller_is_stored() {
    let bench = bench().await;
    tokio::select! {
        done = bench.bearer.token() => panic!("{done:?}"),
        asked = bench.asked => asked.unwrap(),
    }
    let renewed = r#"{"access_token": "new", "token_type": "bearer", "refresh_token": "next"}"#;
    bench.tell.send((200, renewed)).unwrap();
    let kept = async {
        loop {
            let kept = bench.bearer.load().await.unwrap();
            if kept.is_some_and(|kept| kept.access == "new") {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), kept).await.expect("it is kept");
    assert_eq!(bench.bearer.token().await, Ok(Some("new".to_owned())));
}

#[tokio::test]
async fn only_an_invalid_grant_ends_the_sign_in() {
    let over = r#"{"error": "invalid_grant"}"#;
    for (status, body, is_over) in [
        (400, over, true),
        (403, over, true),
        (403, "{}", false),
        (401, r#"{"error": "invalid_client"}"#, false),
        (400, r#"{"error": "invalid_request"}"#, false),
        (503, "{}", false),
    ] {
        let bench = bench().await;
        bench.tell.send((status, body)).unwrap();
        let trouble = bench.bearer.token().await.unwrap_err();
        let ends = matches!(trouble, ServerTrouble::Unauthorized { .. });
        assert_eq!(ends, is_over, "{status} {body}: {trouble:?}");
        let kept = bench.bearer.load().await.unwrap();
        assert_eq!(kept.is_none(), is_over, "{status} {body}");
    }
}
