//! Lookup of host names. Tests can replace it.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

/// The time limit of a lookup. Shorter than that of a call, so that the error mentions the lookup.
const PATIENCE: Duration = Duration::from_secs(9);

/// The maximum number of addresses of a host. No usual host has so many.
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
