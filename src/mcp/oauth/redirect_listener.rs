//! Listens on a local port for the redirect that ends a sign-in.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::url::decode_query;
use benchdog_domain::sign_in::SignInTrouble;

const MOST_HEAD: usize = 16 << 10;
/// Maximum time to receive a request, because browsers open connections that they do not use.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of open connections. A further connection closes the oldest.
const MOST_CONNECTIONS: usize = 32;

const PATH: &str = "/callback";

pub(super) struct RedirectListener {
    listener: TcpListener,
    port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redirect {
    /// The authorization code, or the error's description.
    pub(super) code: Result<String, String>,
    pub(super) issuer: Option<String>,
}

impl RedirectListener {
    /// Opens the port. 0 chooses a free one.
    pub(super) async fn open(port: u16) -> Result<Self, SignInTrouble> {
        let error_of = |error: std::io::Error| SignInTrouble::NoDoor {
            words: error.to_string(),
        };
        let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(error_of)?;
        let port = listener.local_addr().map_err(error_of)?.port();
        Ok(Self { listener, port })
    }

    pub(super) fn redirect_uri(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for a request with the expected state. Other requests are rejected, and do not end the wait.
    pub(super) async fn wait(&self, state: &str) -> Redirect {
        let (mut connections, mut handles) = (JoinSet::new(), VecDeque::new());
        loop {
            let stream = tokio::select! {
                accepted = self.listener.accept() => accepted,
                Some(done) = connections.join_next() => match done {
                    Ok(Some(redirect)) => return redirect,
                    _ => continue,
                },
            };
            let Ok((stream, _)) = stream else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            handles.retain(|one: &AbortHandle| !one.is_finished());
            if handles.len() >= MOST_CONNECTIONS
                && let Some(first) = handles.pop_front()
            {
                first.abort();
            }
            handles.push_back(connections.spawn(handle_connection(stream, state.to_owned())));
        }
    }
}

async fn handle_connection(mut stream: TcpStream, state: String) -> Option<Redirect> {
    let target = timeout(TIMEOUT, read_target(&mut stream)).await.ok()??;
    let redirect = parse_redirect(&target, &state);
    let (status, mark) = match &redirect {
        Some(Redirect { code: Ok(_), .. }) => ("200 OK", "&#10003;"),
        Some(_) => ("200 OK", "&#10007;"),
        None => ("400 Bad Request", "&#10007;"),
    };
    let _ = timeout(TIMEOUT, respond(&mut stream, status, mark)).await;
    redirect
}

/// Parses the URL of the redirect. `None` if its path or state is wrong.
pub(super) fn parse_redirect(address: &str, state: &str) -> Option<Redirect> {
    let (path, query) = address.split_once('?')?;
    if !path.ends_with(PATH) {
        return None;
    }
    let query = query.split('#').next().unwrap_or_default();
    let values = decode_query(query);
    let value = |wanted: &str| {
        let found = values.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.clone())
    };
    if value("state").as_deref() != Some(state) {
        return None;
    }
    let code = match value("code").filter(|code| !code.is_empty()) {
        Some(code) if value("error").is_none() => Ok(code),
        _ => Err(value("error_description")
            .or_else(|| value("error"))
            .unwrap_or_default()),
    };
    Some(Redirect {
        code,
        issuer: value("iss"),
    })
}

async fn read_target(stream: &mut TcpStream) -> Option<String> {
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
    let mut parts = line.lines().next()?.split(' ');
    (parts.next() == Some("GET")).then_some(())?;
    parts.next().map(str::to_owned)
}

/// Sends a page as the response. The page shows only a symbol, because this module does not know the user's language.
async fn respond(stream: &mut TcpStream, status: &str, mark: &str) -> std::io::Result<()> {
    let page = format!(
        "<!doctype html><meta charset=utf-8><title>Benchdog</title><body style=\"font:3em sans-serif;text-align:center;margin-top:20vh\">{mark} Benchdog"
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
