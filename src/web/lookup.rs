//! Lookup of host names, replaceable in tests.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

/// Shorter than the patience of a call, so that the error names the lookup.
const PATIENCE: Duration = Duration::from_secs(9);

/// More addresses than any usual host has.
const MOST: usize = 64;

pub(crate) trait HostLookup: Send + Sync {
    fn look_up(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

pub(crate) struct SystemLookup;

impl HostLookup for SystemLookup {
    fn look_up(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        async move {
            let lookup = tokio::net::lookup_host((host, 0));
            let found = tokio::time::timeout(PATIENCE, lookup).await;
            let found = found.map_err(|_| io::Error::other("no name server answered"))??;
            Ok(found.map(|address| address.ip()).take(MOST).collect())
        }
        .boxed()
    }
}
