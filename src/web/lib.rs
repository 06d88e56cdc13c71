//! Web pages and searches. Every address is checked after its lookup, and the connection goes to the checked address.
//!
//! A crate of its own, because `provider` reaches only what the configuration names, and here a model names the host. It decides
//! nothing about permission. It makes no connection, and creates no client, before a call runs.

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

/// The settings of one session. Cheap to create: a call creates its own client.
pub struct Web {
    settings: WebSettings,
    network: NetworkSettings,
    lookup: Arc<dyn HostLookup>,
    /// Headers of the configured search engine, with variables of the person.
    headers: Vec<(String, String)>,
    /// Variables in these headers that are not set.
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

    /// Refuses an address that no lookup would make valid, before a person is asked.
    pub fn check(&self, address: &Address) -> Result<(), Trouble> {
        self.guard().check_before_lookup(address)
    }
}
