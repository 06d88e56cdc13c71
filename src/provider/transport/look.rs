//! Finds out why an endpoint's response is unreadable. Opens separate connections, which send no model request.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::cause::one_line;
use crate::certificates::{self, TlsTarget};
use crate::failure::{Kind, ProviderError};

/// Maximum wait for a greeting. Servers of protocols with a greeting send it immediately after the connection opens.
const GREETING: Duration = Duration::from_millis(300);
const EACH: Duration = Duration::from_millis(700);
const SHOWN: usize = 80;

pub(super) async fn look(url: &reqwest::Url) -> Option<ProviderError> {
    let host = url.host_str()?.trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = url.port_or_known_default()?;
    let mut stream = timeout(EACH, TcpStream::connect((host.as_str(), port)))
        .await
        .ok()?
        .ok()?;
    if let Some(greeting) = read_reply(&mut stream, GREETING).await {
        return Some(not_http(&greeting));
    }
    if url.scheme() == "http" {
        let target = TlsTarget {
            host,
            port,
            through: None,
            ca_file: None,
        };
        let speaks_tls = certificates::inspect(target, EACH).await.is_ok();
        return speaks_tls.then(|| ProviderError::new(Kind::NeedsTls, ""));
    }
    stream.write_all(b"HEAD / HTTP/1.0\r\n\r\n").await.ok()?;
    let answer = read_reply(&mut stream, EACH).await?;
    Some(if answer.starts_with(b"HTTP/") {
        ProviderError::new(Kind::NoTls, "")
    } else {
        not_http(&answer)
    })
}

async fn read_reply(stream: &mut TcpStream, patience: Duration) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 512];
    let read = timeout(patience, stream.read(&mut bytes)).await.ok()?.ok()?;
    bytes.truncate(read);
    (read > 0).then_some(bytes)
}

fn not_http(said: &[u8]) -> ProviderError {
    let said = String::from_utf8_lossy(said);
    let first = one_line(said.lines().next().unwrap_or_default());
    let shown: String = first.chars().take(SHOWN).collect();
    ProviderError::new(Kind::NotHttp, format!("it says `{shown}`"))
}
