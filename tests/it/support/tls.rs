//! TLS certificates and keys in `tests/data/tls`.

use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

pub(super) fn acceptor(file: &str) -> TlsAcceptor {
    let path = certificates(file);
    let chain = CertificateDer::pem_file_iter(&path).expect("certificates");
    let chain = chain.collect::<Result<Vec<_>, _>>().expect("certificates in PEM form");
    let key = PrivateKeyDer::from_pem_file(&path).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a certificate with its key");
    TlsAcceptor::from(Arc::new(config))
}

pub fn certificates(file: &str) -> String {
    format!("{}/tests/data/tls/{file}", env!("CARGO_MANIFEST_DIR"))
}
