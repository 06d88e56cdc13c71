//! Fetches web pages, and searches the web. After the lookup of a host, its IP addresses are checked. The connection
//! uses only these checked IP addresses.
//!
//! This crate is separate from `provider`, which connects only to configured hosts. In this crate, the model chooses
//! the host. Other crates decide whether a call is allowed. No connection is made before a call runs.

mod address;
mod bad_ports;
mod client;
mod fetch;
mod guard;
pub mod limits;
mod lookup;
mod page;
mod redirect;
mod search;
mod text;
mod trouble;

use std::sync::Arc;
use std::time::Duration;

use benchdog_base::environment::Environment;
use benchdog_config::settings::{NetworkSettings, SearchSettings, WebSettings};

pub use address::Address;
pub use fetch::Page;
pub use search::{Hit, SearchResults};
pub use trouble::Trouble;

use guard::Guard;
use limits::PATIENCE;
use lookup::{HostLookup, SystemLookup};

/// Web tools of one session. Cheap to create, because each call creates its own HTTP client.
pub struct Web {
    settings: WebSettings,
    network: NetworkSettings,
    lookup: Arc<dyn HostLookup>,
    /// Headers for the configured search engine. Environment variables are already replaced by their values.
    headers: Vec<(String, String)>,
    /// Unset environment variables that the headers refer to.
    missing_variables: Vec<String>,
    patience: Duration,
}

impl Web {
    pub fn new(settings: &WebSettings, network: &NetworkSettings, environment: &Environment) -> Self {
        let mut missing_variables = Vec::new();
        let mut fill =
            |(name, value): &(String, String)| (name.clone(), environment.fill_in(value, &mut missing_variables));
        let headers = settings.search.headers.iter().map(&mut fill).collect();
        Self {
            settings: settings.clone(),
            network: network.clone(),
            lookup: Arc::new(SystemLookup),
            headers,
            missing_variables,
            patience: PATIENCE,
        }
    }

    #[cfg(test)]
    fn with_lookup(settings: &WebSettings, lookup: Arc<dyn HostLookup>, patience: Duration) -> Self {
        Self {
            lookup,
            patience,
            ..Self::new(settings, &NetworkSettings::default(), &Environment::default())
        }
    }

    fn guard(&self) -> Guard {
        Guard::new(Arc::clone(&self.lookup), &self.settings.private_hosts)
    }

    fn search_settings(&self) -> &SearchSettings {
        &self.settings.search
    }

    /// Refuses addresses that are forbidden whatever the lookup returns. Called early, so that the user gets no
    /// approval request for such an address.
    pub fn check(&self, address: &Address) -> Result<(), Trouble> {
        self.guard().check_before_lookup(address)
    }
}
