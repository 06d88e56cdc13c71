//! Verifies server certificates for requests, and for a diagnostic TLS handshake. Both stop if the certificate chain is
//! not trusted.

mod x509;

use std::cmp::Ordering;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, OtherError, SignatureScheme,
};
use rustls_platform_verifier::Verifier;

use benchdog_base::clock::Time;

pub use x509::Certificate;

#[derive(Debug, Clone)]
pub struct TlsTarget {
    /// Host name or IP address. An IPv6 address has no brackets.
    pub host: String,
    pub port: u16,
    pub through: Option<(String, u16)>,
    pub ca_file: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentedChain {
    /// The certificates in the order in which the server sent them. The first is the server's certificate.
    pub chain: Vec<Certificate>,
    pub verdict: Verdict,
}

impl std::error::Error for PresentedChain {}

impl fmt::Display for PresentedChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(own), Some(last)) = (self.chain.first(), self.chain.last()) else {
            return f.write_str("no certificate was shown");
        };
        let subject = &own.subject;
        match &self.verdict {
            Verdict::Trusted => write!(f, "`{subject}` is trusted"),
            Verdict::UnknownIssuer if own.is_own_issuer => {
                write!(f, "`{subject}` is its own issuer, and no `ca_file` holds it")
            }
            Verdict::UnknownIssuer => write!(f, "its issuer `{}` is not trusted here", last.issuer),
            Verdict::Expired => write!(f, "`{subject}` was valid until {}", own.last_day()),
            Verdict::NotYetValid => write!(f, "`{subject}` is valid from {} on", own.first_day()),
            Verdict::OtherName(names) if names.is_empty() => write!(f, "`{subject}` is for no name"),
            Verdict::OtherName(names) => write!(f, "it is for `{}`", names.join("`, `")),
            Verdict::Refused(why) => write!(f, "`{subject}`: {why}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Trusted,
    UnknownIssuer,
    Expired,
    NotYetValid,
    OtherName(Vec<String>),
    Refused(String),
}

pub async fn inspect(target: TlsTarget, patience: Duration) -> io::Result<PresentedChain> {
    let asked = tokio::task::spawn_blocking(move || handshake(&target, patience));
    match tokio::time::timeout(patience, asked).await {
        Ok(Ok(shown)) => shown,
        Ok(Err(broken)) => Err(io::Error::other(broken)),
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

pub fn is_no_tls(error: &io::Error) -> bool {
    matches!(rustls_error(error), Some(Error::InvalidMessage(_)))
}

fn rustls_error(error: &io::Error) -> Option<&Error> {
    error.get_ref().and_then(|inside| inside.downcast_ref())
}

pub(crate) fn settings(ca_file: Option<&Path>) -> io::Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut named = Vec::new();
    if let Some(path) = ca_file {
        named = CertificateDer::pem_file_iter(path)
            .and_then(Iterator::collect)
            .map_err(because)?;
        if named.is_empty() {
            return Err(io::Error::other("it holds no certificate in PEM form"));
        }
    }
    let verifier = Verifier::new_with_extra_roots(named.clone(), Arc::clone(&provider)).map_err(io::Error::other)?;
    let settings = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(ChainVerifier { verifier, named }))
        .with_no_client_auth();
    Ok(settings)
}

fn because(error: pem::Error) -> io::Error {
    match error {
        pem::Error::Io(error) => error,
        other => io::Error::other(other),
    }
}

fn handshake(target: &TlsTarget, patience: Duration) -> io::Result<PresentedChain> {
    let settings = settings(target.ca_file.as_deref())?;
    let name = ServerName::try_from(target.host.clone()).map_err(io::Error::other)?;
    let mut connection = ClientConnection::new(Arc::new(settings), name).map_err(io::Error::other)?;
    let mut stream = connect(target, patience)?;
    match connection.complete_io(&mut stream) {
        Ok(_) => Ok(PresentedChain {
            chain: parse_chain(connection.peer_certificates().unwrap_or_default()),
            verdict: Verdict::Trusted,
        }),
        Err(error) => match rustls_error(&error).and_then(rejection) {
            Some(shown) => Ok(shown.clone()),
            None => Err(error),
        },
    }
}

fn parse_chain(chain: &[CertificateDer<'_>]) -> Vec<Certificate> {
    chain.iter().filter_map(|one| Certificate::parse(one)).collect()
}

fn connect(target: &TlsTarget, patience: Duration) -> io::Result<TcpStream> {
    let server = (target.host.clone(), target.port);
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in target.through.as_ref().unwrap_or(&server).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            Ok(mut stream) => {
                stream.set_read_timeout(Some(patience))?;
                stream.set_write_timeout(Some(patience))?;
                if target.through.is_some() {
                    tunnel(&mut stream, target)?;
                }
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn tunnel(stream: &mut TcpStream, target: &TlsTarget) -> io::Result<()> {
    const MOST: usize = 16 << 10;
    let host = match target.host.contains(':') {
        true => format!("[{}]", target.host),
        false => target.host.clone(),
    };
    let place = format!("{host}:{}", target.port);
    write!(stream, "CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n")?;
    let mut head = Vec::new();
    let mut byte = [0];
    // Read one byte at a time, because the bytes after the response head belong to the TLS handshake.
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

pub(crate) fn rejection(error: &Error) -> Option<&PresentedChain> {
    match error {
        Error::InvalidCertificate(CertificateError::Other(OtherError(inside))) => inside.downcast_ref(),
        _ => None,
    }
}

/// Verifier that trusts the certificates of the system and of `ca_file`. Its error contains the rejected chain.
#[derive(Debug)]
struct ChainVerifier {
    verifier: Verifier,
    named: Vec<CertificateDer<'static>>,
}

impl ChainVerifier {
    fn verdict(
        &self,
        own: &CertificateDer<'_>,
        above: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Verdict {
        let read = Certificate::parse(own);
        if !self.named.contains(own) {
            let judged = self.verifier.verify_server_cert(own, above, name, ocsp, now);
            return match judged.map_err(|error| verdict_of(&error)) {
                Ok(_) => Verdict::Trusted,
                Err(Verdict::Refused(_)) if read.is_some_and(|own| own.is_own_issuer) => Verdict::UnknownIssuer,
                Err(verdict) => verdict,
            };
        }
        // The user's `ca_file` contains the server's certificate itself. webpki rejects a self-signed server
        // certificate, so check only its dates and names.
        match read.map(|own| own.dates(&second(now))) {
            Some(Ordering::Less) => Verdict::NotYetValid,
            Some(Ordering::Greater) => Verdict::Expired,
            Some(Ordering::Equal) => ParsedCertificate::try_from(own)
                .and_then(|own| verify_server_name(&own, name))
                .map_or_else(|error| verdict_of(&error), |()| Verdict::Trusted),
            None => Verdict::Refused("it cannot be read".to_owned()),
        }
    }
}

impl ServerCertVerifier for ChainVerifier {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        above: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verdict = self.verdict(own, above, name, ocsp, now);
        if verdict == Verdict::Trusted {
            return Ok(ServerCertVerified::assertion());
        }
        let chain = [std::slice::from_ref(own), above].concat();
        let shown = PresentedChain {
            chain: parse_chain(&chain),
            verdict,
        };
        Err(CertificateError::Other(OtherError(Arc::new(shown))).into())
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

fn second(now: UnixTime) -> String {
    let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    let mut written = Time(now.saturating_mul(1_000)).rfc3339();
    written.truncate("2026-11-22T21:59:24".len());
    written
}

fn verdict_of(error: &Error) -> Verdict {
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

fn bare(name: &str) -> String {
    let inside = name.split_once('(').map_or(name, |(_, inside)| inside);
    inside.trim_end_matches(')').trim_matches('"').to_owned()
}
