use std::io;
use std::sync::Mutex;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::*;

/// Answers each lookup with the next list of addresses. The last list is repeated.
pub(crate) struct Answers {
    lists: Mutex<Vec<Vec<IpAddr>>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Answers {
    pub(crate) fn of(lists: &[&[&str]]) -> Arc<Self> {
        let list = |list: &&[&str]| list.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self {
            lists: Mutex::new(lists.iter().map(list).collect()),
            asked: Mutex::default(),
        })
    }
}

impl HostLookup for Answers {
    fn look_up(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        self.asked.lock().unwrap().push(host);
        let mut lists = self.lists.lock().unwrap();
        let list = match lists.len() {
            0 => Err(io::Error::other("no such name")),
            1 => Ok(lists[0].clone()),
            _ => Ok(lists.remove(0)),
        };
        futures::future::ready(list).boxed()
    }
}

/// Private addresses in all notations. No call may reach them.
const PRIVATE: &[&str] = &[
    "127.0.0.1",
    "127.1.2.3",
    "127.255.255.254",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "::1",
    "fc00::1",
    "fd12:3456:789a::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:192.168.1.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b::c0a8:101",
];

const NEVER: &[&str] = &[
    "0.0.0.0",
    "0.1.2.3",
    "169.254.0.1",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.0.8",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "198.18.0.1",
    "198.19.255.255",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
    "fd00:ec2::254",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::",
    "2001::1",
    "2001:0:53aa:64c:0:5efe:7f00:1",
    "2001:10::1",
    "2001:db8::1",
    "3fff::1",
    "::7f00:1",
    "::10.0.0.1",
    "100::1",
    "64:ff9b:1::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "::ffff:169.254.169.254",
    "::ffff:0.0.0.0",
    "::ffff:0:127.0.0.1",
    "5f00::1",
    "4000::1",
];

const PUBLIC: &[&str] = &[
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "169.255.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "192.0.1.1",
    "192.167.255.255",
    "192.169.0.1",
    "198.17.255.255",
    "198.20.0.1",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
];

#[test]
fn each_address_is_in_its_range() {
    assert!(PRIVATE.len() + NEVER.len() >= 60);
    for (list, fits) in [
        (
            PRIVATE,
            (|range| matches!(range, Range::Private(_))) as fn(Range) -> bool,
        ),
        (NEVER, |range| matches!(range, Range::Forbidden(_))),
        (PUBLIC, |range| range == Range::Public),
    ] {
        for ip in list {
            let found = range(ip.parse().unwrap());
            assert!(fits(found), "{ip}: {found:?}");
        }
    }
}

async fn resolve(guard: &Guard, url: &str) -> Result<ResolvedAddress, Trouble> {
    guard.resolve(Address::parse(url)?, false).await
}

#[tokio::test]
async fn no_name_leads_to_an_address_that_is_not_public() {
    for ip in PRIVATE.iter().chain(NEVER) {
        for list in [&[*ip][..], &["1.1.1.1", ip], &["2606:4700:4700::1111", ip]] {
            let guard = Guard::new(Answers::of(&[list]), &[]);
            let told = resolve(&guard, "https://rebind.example.org/").await;
            assert!(matches!(told, Err(Trouble::Forbidden { .. })), "{ip}: {told:?}");
        }
    }
    for ip in PUBLIC {
        let guard = Guard::new(Answers::of(&[&[*ip]]), &[]);
        let resolved = resolve(&guard, "https://example.org/").await.unwrap();
        assert_eq!(resolved.ips, [ip.parse::<IpAddr>().unwrap()]);
    }
}

#[tokio::test]
async fn no_spelling_of_an_address_passes_and_none_is_looked_up() {
    let lookup = Answers::of(&[&["1.1.1.1"]]);
    let guard = Guard::new(lookup.clone(), &[]);
    for url in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://0/",
        "http://127.0.0.1./",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://%31%32%37.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://[fe80::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xA9FEA9FE/",
        "http://[fd00:ec2::254]/",
        "http://10.0.0.5:8080/",
        "127.0.0.1:8080/x",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://a.localhost/",
        "https://router.local/",
        "https://metadata.google.internal/",
        "https://nas.home.arpa/",
        "https://intranet/",
        "http:\\\\127.0.0.1\\x",
        "http:/127.0.0.1/",
    ] {
        let told = resolve(&guard, url).await;
        assert!(matches!(told, Err(Trouble::Forbidden { .. })), "{url}: {told:?}");
    }
    assert!(lookup.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_host_that_the_person_named_may_be_private_and_nothing_else() {
    let named = |hosts: &[&str]| -> Vec<String> { hosts.iter().map(|host| (*host).to_owned()).collect() };
    let hosts = named(&["Wiki.Corp.Example", "127.0.0.1:8080", "[::1]:9000", "fd00::7"]);
    let guard = Guard::new(Answers::of(&[&["10.1.2.3"]]), &hosts);
    for url in [
        "https://wiki.corp.example/a",
        "http://wiki.corp.example./",
        "http://127.0.0.1:8080/",
        "http://2130706433:8080/",
        "http://[::1]:9000/",
        "https://[fd00:0::7]/",
    ] {
        assert!(resolve(&guard, url).await.is_ok(), "{url}");
    }
    for url in [
        "https://wiki.corp.example:8443/",
        "https://other.corp.example/",
        "https://x.wiki.corp.example/",
        "http://127.0.0.1/",
        "http://127.0.0.1:8081/",
        "http://127.0.0.2:8080/",
        "http://[::1]/",
    ] {
        let told = resolve(&guard, url).await;
        assert!(matches!(told, Err(Trouble::Forbidden { .. })), "{url}: {told:?}");
    }
    // Metadata services cannot be reached, even if the user allowed their host.
    let hosts = named(&["169.254.169.254", "meta.example", "fd00:ec2::254"]);
    let guard = Guard::new(Answers::of(&[&["169.254.169.254"]]), &hosts);
    for url in [
        "http://169.254.169.254/",
        "https://meta.example/",
        "http://[fd00:ec2::254]/",
    ] {
        assert!(resolve(&guard, url).await.is_err(), "{url}");
    }
}

#[tokio::test]
async fn a_name_that_is_not_known_is_refused_unless_a_proxy_may_know_it() {
    let guard = Guard::new(Answers::of(&[]), &[]);
    let told = resolve(&guard, "https://example.org/").await.unwrap_err();
    assert_eq!(told.to_string(), "`example.org` could not be resolved: no such name.");
    let address = Address::parse("https://example.org/").unwrap();
    assert_eq!(guard.resolve(address, true).await.unwrap().ips, Vec::<IpAddr>::new());
    let address = Address::parse("https://db.internal/").unwrap();
    assert!(guard.resolve(address, true).await.is_err());
}
