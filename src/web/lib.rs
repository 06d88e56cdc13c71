//! Web pages and web searches. Every address is checked after its lookup, and the connection uses the checked address.
//!
//! This is a separate crate, because here a model chooses the host. `provider` connects only to configured hosts. This
//! crate decides nothing about permission, and makes no connection before a call runs.

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

/// The settings of the web tools in one session. Cheap to create, because each call creates its own client.
pub struct Web {
    settings: WebSettings,
    network: NetworkSettings,
    lookup: Arc<dyn HostLookup>,
    /// Headers for the configured search engine, with the person's environment variables filled in.
    headers: Vec<(String, String)>,
    /// Names of variables in these headers that are not set.
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

    /// Refuses an address that no lookup could make valid, before a person gets a request.
    pub fn check(&self, address: &Address) -> Result<(), Trouble> {
        self.guard().check_before_lookup(address)
    }
}
