//! Checks addresses before a connection. Private addresses are allowed only for the hosts in `web.private_hosts`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use crate::address::Address;
use crate::lookup::HostLookup;
use crate::trouble::Trouble;

/// Endings of host names of private networks. Such names are refused before the lookup, because a proxy might resolve
/// them to addresses that cannot be checked.
const PRIVATE_ENDINGS: &[&str] = &[
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
    "localdomain",
    "onion",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
    Public,
    /// An address of this machine or a private network. Allowed only for the hosts in `web.private_hosts`.
    Private(&'static str),
    Forbidden(&'static str),
}

pub(crate) struct Guard {
    lookup: Arc<dyn HostLookup>,
    private_hosts: Vec<(String, Option<u16>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResolvedAddress {
    pub(crate) address: Address,
    /// The only IP addresses to connect to. Empty if only a proxy can resolve the host.
    pub(crate) ips: Vec<IpAddr>,
}

impl Guard {
    pub(crate) fn new(lookup: Arc<dyn HostLookup>, private_hosts: &[String]) -> Self {
        Self {
            lookup,
            private_hosts: private_hosts.iter().map(|written| host_and_port(written)).collect(),
        }
    }

    /// Returns the guard for a request to a configured server. The address of this server may be private.
    pub(crate) fn for_server(mut self, server: &Address) -> Self {
        self.private_hosts.push((server.host().to_owned(), Some(server.port())));
        self
    }

    fn is_named(&self, address: &Address) -> bool {
        let usual = [80, 443].contains(&address.port());
        self.private_hosts
            .iter()
            .any(|(host, port)| host == address.host() && port.map_or(usual, |port| port == address.port()))
    }

    /// Checks everything that does not need a lookup of the host.
    pub(crate) fn check_before_lookup(&self, address: &Address) -> Result<(), Trouble> {
        if let Some(ip) = address.ip() {
            return self.check(address, ip);
        }
        if !self.is_named(address) && is_private_name(address.host()) {
            return Err(forbidden(address, "its name belongs to a private network", true));
        }
        Ok(())
    }

    /// Looks up the host. All IP addresses of the host must be allowed, because a mixture of public and private ones
    /// indicates an attack.
    pub(crate) async fn resolve(&self, address: Address, has_proxy: bool) -> Result<ResolvedAddress, Trouble> {
        self.check_before_lookup(&address)?;
        if let Some(ip) = address.ip() {
            return Ok(ResolvedAddress { address, ips: vec![ip] });
        }
        let host = address.host().to_owned();
        let ips = match self.lookup.look_up(host.clone()).await {
            Ok(ips) if !ips.is_empty() => ips,
            // A proxy may be able to resolve the host. Otherwise, the connection fails.
            Ok(_) | Err(_) if has_proxy => Vec::new(),
            Ok(_) => {
                let why = "the name server lists none".to_owned();
                return Err(Trouble::NoSuchHost { host, why });
            }
            Err(error) => {
                let why = error.to_string().trim_end_matches('.').to_owned();
                return Err(Trouble::NoSuchHost { host, why });
            }
        };
        for ip in &ips {
            self.check(&address, *ip)?;
        }
        Ok(ResolvedAddress { address, ips })
    }

    fn check(&self, address: &Address, ip: IpAddr) -> Result<(), Trouble> {
        match range(ip) {
            Range::Public => Ok(()),
            Range::Private(_) if self.is_named(address) => Ok(()),
            Range::Private(what) => Err(forbidden(address, &format!("{ip} is {what}"), true)),
            Range::Forbidden(what) => Err(forbidden(address, &format!("{ip} is {what}"), false)),
        }
    }
}

fn forbidden(address: &Address, why: &str, can_be_named: bool) -> Trouble {
    let host = match address.url().port() {
        Some(port) => format!("{}:{port}", address.host()),
        None => address.host().to_owned(),
    };
    let way = if can_be_named {
        ". Only the user can allow it, with `web.private_hosts`"
    } else {
        ""
    };
    Trouble::Forbidden {
        host,
        why: format!("{why}{way}"),
    }
}

fn host_and_port(written: &str) -> (String, Option<u16>) {
    let written = written.trim().to_ascii_lowercase();
    let (host, port) = match written.rsplit_once(':') {
        // The colons of an IPv6 address without brackets do not separate a port.
        Some((host, port)) if host.ends_with(']') || !host.contains(':') => (host, port.parse().ok()),
        _ => (written.as_str(), None),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    // Normalise IP addresses for comparison.
    let host = host
        .parse::<IpAddr>()
        .map_or_else(|_| host.to_owned(), |ip| ip.to_string());
    (host, port)
}

fn is_private_name(host: &str) -> bool {
    let is_below = |ending: &str| {
        host.strip_suffix(ending)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    !host.contains('.') || PRIVATE_ENDINGS.iter().any(|ending| is_below(ending))
}

/// Classifies an IP address by the IANA registries of special-purpose addresses.
pub(crate) fn range(ip: IpAddr) -> Range {
    match ip {
        IpAddr::V4(ip) => range_v4(ip),
        IpAddr::V6(ip) => range_v6(ip),
    }
}

const METADATA: Range = Range::Forbidden("the metadata service of a cloud");
const RESERVED: Range = Range::Forbidden("reserved");

fn range_v4(ip: Ipv4Addr) -> Range {
    match ip.octets() {
        // Metadata services of AWS, Google, Azure and others (the first address), Alibaba, Azure, and Oracle.
        [169, 254, 169, 254] | [100, 100, 100, 200] | [168, 63, 129, 16] | [192, 0, 0, 192] => METADATA,
        [0, ..] => Range::Forbidden("an unspecified address"),
        [10, ..] | [192, 168, ..] => Range::Private("a private address"),
        [172, second, ..] if second & 0xf0 == 16 => Range::Private("a private address"),
        [127, ..] => Range::Private("this machine"),
        [100, second, ..] if second & 0xc0 == 64 => Range::Private("an address behind a carrier's NAT"),
        [169, 254, ..] => Range::Forbidden("a link-local address"),
        [192, 0, 0, _] | [192, 88, 99, _] => RESERVED,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Range::Forbidden("an address for documentation"),
        [198, 18 | 19, ..] => Range::Forbidden("an address for benchmarks"),
        [224..=239, ..] => Range::Forbidden("a multicast address"),
        [240..=255, ..] => RESERVED,
        _ => Range::Public,
    }
}

fn range_v6(ip: Ipv6Addr) -> Range {
    let parts = ip.segments();
    if let Some(inside) = embedded_ipv4(parts) {
        return range_v4(inside);
    }
    match parts {
        [0, 0, 0, 0, 0, 0, 0, 0] => Range::Forbidden("an unspecified address"),
        [0, 0, 0, 0, 0, 0, 0, 1] => Range::Private("this machine"),
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] => METADATA,
        [first, ..] if first & 0xfe00 == 0xfc00 => Range::Private("a private address"),
        [first, ..] if first & 0xffc0 == 0xfe80 => Range::Forbidden("a link-local address"),
        [first, ..] if first & 0xff00 == 0xff00 => Range::Forbidden("a multicast address"),
        // Teredo and other protocols. Like 6to4 below, they may contain another address.
        [0x2001, second, ..] if second < 0x200 => RESERVED,
        [0x2001, 0xdb8, ..] => Range::Forbidden("an address for documentation"),
        [0x3fff, second, ..] if second < 0x1000 => Range::Forbidden("an address for documentation"),
        [0x2002, ..] => RESERVED,
        [first, ..] if first & 0xe000 == 0x2000 => Range::Public,
        // IPv4-compatible addresses, local NAT64, site-local addresses, the discard prefix, and unassigned ranges.
        _ => RESERVED,
    }
}

/// Returns the IPv4 address inside an IPv4-mapped or NAT64 address. IPv6-only networks reach IPv4 hosts with NAT64.
fn embedded_ipv4(parts: [u16; 8]) -> Option<Ipv4Addr> {
    let ([0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low]) = parts else {
        return None;
    };
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Some(Ipv4Addr::new(a, b, c, d))
}

#[cfg(test)]
pub(crate) mod tests;
