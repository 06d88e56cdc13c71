//! Web pages and searches. Every address is checked after its lookup, and the connection goes to the checked address.
//!
//! A crate of its own, because `provider` reaches only what the configuration names, and here a model names the host. It decides
//! nothing about permission. It makes no connection, and creates no client, before a call runs.

mod address;
mod bad_ports;
mod client;
mod fetch;
mod guard;
mod names;
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
pub use fetch::Fetched;
pub use search::{Found, Hit};
pub use trouble::Trouble;

use guard::Guard;
use names::{Names, SystemNames};

/// The time for a whole call: lookups, redirects, and the body.
const PATIENCE: Duration = Duration::from_secs(30);

/// The settings of one session. Cheap to create: a call creates its own client.
pub struct Web {
    settings: WebSettings,
    network: NetworkSettings,
    names: Arc<dyn Names>,
    /// Headers of the configured search engine, with variables of the person.
    headers: Vec<(String, String)>,
    /// Variables in these headers that are not set.
    lacks: Vec<String>,
    patience: Duration,
}

impl Web {
    pub fn new(settings: &WebSettings, network: &NetworkSettings, environment: &Environment) -> Self {
        let mut lacks = Vec::new();
        let mut fill = |(name, value): &(String, String)| (name.clone(), environment.fill_in(value, &mut lacks));
        let headers = settings.search.headers.iter().map(&mut fill).collect();
        Self {
            settings: settings.clone(),
            network: network.clone(),
            names: Arc::new(SystemNames),
            headers,
            lacks,
            patience: PATIENCE,
        }
    }

    #[cfg(test)]
    fn with_names(settings: &WebSettings, names: Arc<dyn Names>, patience: Duration) -> Self {
        Self {
            names,
            patience,
            ..Self::new(settings, &NetworkSettings::default(), &Environment::default())
        }
    }

    fn guard(&self) -> Guard {
        Guard::new(Arc::clone(&self.names), &self.settings.private_hosts)
    }

    fn searching(&self) -> &SearchSettings {
        &self.settings.search
    }

    /// Refuses an address that no lookup would make valid, before a person is asked.
    pub fn check(&self, address: &Address) -> Result<(), Trouble> {
        self.guard().check_written(address)
    }
}
