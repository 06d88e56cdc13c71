//! Follows redirects on the same host. Each address passes the guard again.

use reqwest::Response;
use reqwest::header::LOCATION;

use crate::Web;
use crate::address::Address;
use crate::client::{self, Wants};
use crate::guard::Guard;
use crate::trouble::Trouble;

pub(crate) const MOST_REDIRECTS: usize = 5;

impl Web {
    /// Returns the first answer that is no redirect, and its address.
    pub(crate) async fn get(
        &self,
        guard: &Guard,
        address: &Address,
        wants: &Wants<'_>,
    ) -> Result<(Address, Response), Trouble> {
        let mut address = address.clone();
        for _ in 0..=MOST_REDIRECTS {
            let admitted = guard.admit(address, client::may_use_proxy(&self.network)).await?;
            let response = client::get(&admitted, &self.network, &self.names, wants).await?;
            address = admitted.address;
            let Some(to) = target(&address, &response)? else {
                return Ok((address, response));
            };
            if !address.covers(&to) {
                // The guard's judgement is told at once, rather than after another call.
                guard.check_written(&to)?;
                return Err(Trouble::Elsewhere {
                    from: address.to_string(),
                    to: to.to_string(),
                });
            }
            address = to;
        }
        Err(Trouble::Redirects(MOST_REDIRECTS))
    }
}

fn target(from: &Address, response: &Response) -> Result<Option<Address>, Trouble> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = response.headers().get(LOCATION) else {
        return Ok(None);
    };
    let bad = |why: String| Trouble::BadRedirect {
        from: from.to_string(),
        why,
    };
    let location = location
        .to_str()
        .map_err(|_| bad("the `Location` header is not ASCII.".to_owned()))?;
    from.join(location).map(Some).map_err(|why| bad(why.to_string()))
}
