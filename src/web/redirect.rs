//! Follows redirects on the same host. The guard checks each address.

use reqwest::Response;
use reqwest::header::LOCATION;

use crate::Web;
use crate::address::Address;
use crate::client::{self, RequestOptions};
use crate::guard::Guard;
use crate::limits::MOST_REDIRECTS;
use crate::trouble::Trouble;

impl Web {
    /// Follows redirects. Returns the first response that is not a redirect, and its address.
    pub(crate) async fn get(
        &self,
        guard: &Guard,
        address: &Address,
        options: &RequestOptions<'_>,
    ) -> Result<(Address, Response), Trouble> {
        let mut address = address.clone();
        for _ in 0..=MOST_REDIRECTS {
            let resolved = guard.resolve(address, client::may_use_proxy(&self.network)).await?;
            let response = client::get(&resolved, &self.network, &self.lookup, options).await?;
            address = resolved.address;
            let Some(to) = target(&address, &response)? else {
                return Ok((address, response));
            };
            if !address.covers(&to) {
                // Report a forbidden host now. Otherwise, only the model's next call would report it.
                guard.check_before_lookup(&to)?;
                return Err(Trouble::CrossHostRedirect {
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
