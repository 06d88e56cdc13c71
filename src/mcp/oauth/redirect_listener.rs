//! Callback listener of a sign-in, on a local port that is open only during the sign-in.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::url::values;
use benchdog_domain::sign_in::SignInTrouble;

const MOST_HEAD: usize = 16 << 10;
/// Timeout for a request, because browsers open unused connections.
const HEARD: Duration = Duration::from_secs(2);
/// Maximum concurrent connections. The oldest is closed for another.
const MOST_HEARD: usize = 32;

const PATH: &str = "/callback";

pub(super) struct Door {
    listener: TcpListener,
    port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Back {
    pub(super) answer: Result<String, String>,
    pub(super) issuer: Option<String>,
}

impl Door {
    /// Port 0 chooses a free one.
    pub(super) async fn open(port: u16) -> Result<Self, SignInTrouble> {
        let wrong = |error: std::io::Error| SignInTrouble::NoDoor {
            words: error.to_string(),
        };
        let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(wrong)?;
        let port = listener.local_addr().map_err(wrong)?.port();
        Ok(Self { listener, port })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for a request with the right state. Others are rejected and do not block.
    pub(super) async fn came(&self, state: &str) -> Back {
        // Drop of the set ends all connections.
        let (mut heard, mut oldest) = (JoinSet::new(), VecDeque::new());
        loop {
            let stream = tokio::select! {
                accepted = self.listener.accept() => accepted,
                Some(done) = heard.join_next() => match done {
                    Ok(Some(back)) => return back,
                    _ => continue,
                },
            };
            let Ok((stream, _)) = stream else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            oldest.retain(|one: &AbortHandle| !one.is_finished());
            if oldest.len() >= MOST_HEARD
                && let Some(first) = oldest.pop_front()
            {
                first.abort();
            }
            oldest.push_back(heard.spawn(hear(stream, state.to_owned())));
        }
    }
}

async fn hear(mut stream: TcpStream, state: String) -> Option<Back> {
    let target = timeout(HEARD, target(&mut stream)).await.ok()??;
    let back = back(&target, &state);
    let (status, sign) = match &back {
        Some(Back { answer: Ok(_), .. }) => ("200 OK", "&#10003;"),
        Some(_) => ("200 OK", "&#10007;"),
        None => ("400 Bad Request", "&#10007;"),
    };
    let _ = timeout(HEARD, answer(&mut stream, status, sign)).await;
    back
}

pub(super) fn back(address: &str, state: &str) -> Option<Back> {
    let (path, query) = address.split_once('?')?;
    if !path.ends_with(PATH) {
        return None;
    }
    let query = query.split('#').next().unwrap_or_default();
    let values = values(query);
    let value = |wanted: &str| {
        let found = values.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.clone())
    };
    if value("state").as_deref() != Some(state) {
        return None;
    }
    let answer = match value("code").filter(|code| !code.is_empty()) {
        Some(code) if value("error").is_none() => Ok(code),
        _ => Err(value("error_description")
            .or_else(|| value("error"))
            .unwrap_or_default()),
    };
    Some(Back {
        answer,
        issuer: value("iss"),
    })
}

async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut part = [0_u8; 2048];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut part).await.ok()?;
        head.extend_from_slice(part.get(..read)?);
        if read == 0 || head.len() > MOST_HEAD {
            return None;
        }
    }
    let line = String::from_utf8_lossy(&head);
    let mut words = line.lines().next()?.split(' ');
    (words.next() == Some("GET")).then_some(())?;
    words.next().map(str::to_owned)
}

/// The page has no text, because the language is unknown.
async fn answer(stream: &mut TcpStream, status: &str, sign: &str) -> std::io::Result<()> {
    let page = format!(
        "<!doctype html><meta charset=utf-8><title>Benchdog</title><body style=\"font:3em sans-serif;text-align:center;margin-top:20vh\">{sign} Benchdog"
    );
    let length = page.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\ncache-control: no-store\r\nreferrer-policy: no-referrer\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(page.as_bytes()).await?;
    stream.shutdown().await
}

#[cfg(test)]
mod tests;
