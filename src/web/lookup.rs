//! Lookup of host names. Tests can replace the system's lookup.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

/// Maximum duration of a lookup. Shorter than the limit of a call, so that the error names the failed lookup.
const PATIENCE: Duration = Duration::from_secs(9);

/// Maximum number of IP addresses of a host. Real hosts have far fewer.
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
