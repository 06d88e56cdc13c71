//! The certificates a server shows, and what is made of them by the verifier that requests go through.
//!
//! One handshake, nothing is sent after it. A chain that is not trusted ends it.

mod x509;

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;

pub(crate) use x509::Certificate;

/// Who is asked, and by whom it must be vouched for.
#[derive(Debug, Clone)]
pub(crate) struct Secured {
    /// Without the brackets of an IPv6 address.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// An HTTP proxy that is asked for a tunnel.
    pub(crate) through: Option<(String, u16)>,
    /// Trusted beside the system's authorities.
    pub(crate) ca_file: Option<PathBuf>,
}

/// What came of the handshake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// As the server sends them, its own first.
    pub(crate) chain: Vec<Certificate>,
    pub(crate) verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Trusted,
    UnknownIssuer,
    Expired,
    NotYetValid,
    /// It is for these names.
    OtherName(Vec<String>),
    Refused(String),
}

/// Shakes hands once. The error says why no certificate was shown.
pub(crate) async fn shown(secured: Secured, patience: Duration) -> io::Result<Shown> {
    let asked = tokio::task::spawn_blocking(move || handshake(&secured, patience));
    match tokio::time::timeout(patience, asked).await {
        Ok(Ok(shown)) => shown,
        Ok(Err(broken)) => Err(io::Error::other(broken)),
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Whether what was answered is no TLS at all.
pub(crate) fn is_no_tls(error: &io::Error) -> bool {
    let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<Error>());
    matches!(inside, Some(Error::InvalidMessage(_)))
}

fn handshake(secured: &Secured, patience: Duration) -> io::Result<Shown> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let witness = Arc::new(Witness {
        verifier: verifier(secured.ca_file.as_deref(), &provider)?,
        seen: Mutex::default(),
    });
    let verifier: Arc<dyn ServerCertVerifier> = Arc::clone(&witness) as _;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    let name = ServerName::try_from(secured.host.clone()).map_err(io::Error::other)?;
    let mut connection = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    let mut stream = connect(secured, patience)?;
    let done = connection.complete_io(&mut stream);
    let seen = witness.seen.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (seen, done) {
        (Some(shown), _) => Ok(shown),
        (None, Err(error)) => Err(error),
        (None, Ok(_)) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn verifier(ca_file: Option<&Path>, provider: &Arc<CryptoProvider>) -> io::Result<Verifier> {
    let mut own = Vec::new();
    if let Some(path) = ca_file {
        let listed = CertificateDer::pem_file_iter(path).map_err(io::Error::other)?;
        for certificate in listed {
            own.push(certificate.map_err(io::Error::other)?);
        }
    }
    Verifier::new_with_extra_roots(own, Arc::clone(provider)).map_err(io::Error::other)
}

fn connect(secured: &Secured, patience: Duration) -> io::Result<TcpStream> {
    let server = (secured.host.clone(), secured.port);
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in secured.through.as_ref().unwrap_or(&server).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            Ok(mut stream) => {
                stream.set_read_timeout(Some(patience))?;
                stream.set_write_timeout(Some(patience))?;
                if secured.through.is_some() {
                    tunnel(&mut stream, secured)?;
                }
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Has the proxy open a tunnel to the server.
fn tunnel(stream: &mut TcpStream, secured: &Secured) -> io::Result<()> {
    const MOST: usize = 16 << 10;
    let host = match secured.host.contains(':') {
        true => format!("[{}]", secured.host),
        false => secured.host.clone(),
    };
    let place = format!("{host}:{}", secured.port);
    write!(stream, "CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n")?;
    let mut head = Vec::new();
    let mut byte = [0];
    // Byte by byte: what follows the head belongs to the handshake.
    while !head.ends_with(b"\r\n\r\n") && head.len() < MOST {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head);
    let first = head.lines().next().unwrap_or_default();
    match first.split(' ').nth(1) {
        Some("200") => Ok(()),
        _ => Err(io::Error::other(format!("the proxy answers `{first}`"))),
    }
}

/// Judges as requests do, and keeps what it was shown.
#[derive(Debug)]
struct Witness {
    verifier: Verifier,
    seen: Mutex<Option<Shown>>,
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        above: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let judged = self.verifier.verify_server_cert(own, above, name, ocsp, now);
        let chain = std::iter::once(own).chain(above);
        let shown = Shown {
            chain: chain.filter_map(|one| Certificate::read(one)).collect(),
            verdict: judged.as_ref().map_or_else(verdict, |_| Verdict::Trusted),
        };
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(shown);
        judged
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

fn verdict(error: &Error) -> Verdict {
    let Error::InvalidCertificate(error) = error else {
        return Verdict::Refused(error.to_string());
    };
    match error {
        CertificateError::UnknownIssuer => Verdict::UnknownIssuer,
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => Verdict::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => Verdict::NotYetValid,
        CertificateError::NotValidForName => Verdict::OtherName(Vec::new()),
        CertificateError::NotValidForNameContext { presented, .. } => {
            Verdict::OtherName(presented.iter().map(|name| bare(name)).collect())
        }
        other => Verdict::Refused(other.to_string()),
    }
}

/// `DnsName("example.org")` as people write it.
fn bare(name: &str) -> String {
    let inside = name.split_once('(').map_or(name, |(_, inside)| inside);
    inside.trim_end_matches(')').trim_matches('"').to_owned()
}
