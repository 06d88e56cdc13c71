use std::time::Duration;

use super::client::resolve_within;
use super::{Endpoint, Owner, Transport, is_loopback};
use benchdog_config::settings::NetworkSettings;
use benchdog_testing::model_server::{Answer, ModelServer};

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        owner: Owner::Provider("house".to_owned()),
        base_url: base_url.to_owned(),
        api_key: None,
        headers: Vec::new(),
        ca_file: None,
        network: NetworkSettings::default(),
        idle_timeout: Duration::from_secs(10),
    }
}

async fn failure(endpoint: Endpoint) -> String {
    match Transport::new(endpoint).post("chat/completions", Vec::new()).await {
        Ok(incoming) => panic!("answered with {}", incoming.status),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_address_of_a_request_is_built_from_whatever_base_people_write() {
    for base in [
        "http://h:1/v1",
        "http://h:1/v1/",
        " http://h:1/v1// ",
        "http://h:1/v1/chat/completions",
    ] {
        assert_eq!(
            Transport::new(endpoint(base)).url("models"),
            "http://h:1/v1/models",
            "{base}"
        );
    }
    assert_eq!(
        Transport::new(endpoint("https://h/openai/?api-version=2024")).url("models"),
        "https://h/openai/models?api-version=2024"
    );
    assert_eq!(
        Transport::new(endpoint("https://h/v1?api-version=2024")).url("/v1/models?limit=9"),
        "https://h/v1/models?limit=9&api-version=2024"
    );
}

#[test]
fn this_machine_is_known_by_all_its_names() {
    let loopback = |url: &str| is_loopback(&reqwest::Url::parse(url).unwrap());
    for url in [
        "http://127.0.0.1:8000/v1",
        "http://127.9.9.9",
        "http://[::1]:1/",
        "http://localhost/",
        "http://a.localhost",
    ] {
        assert!(loopback(url), "{url}");
    }
    for url in [
        "http://10.0.0.1",
        "http://example.org",
        "http://127.0.0.1.example.org",
        "http://notlocalhost",
    ] {
        assert!(!loopback(url), "{url}");
    }
}

#[tokio::test]
async fn a_setting_that_cannot_work_is_named() {
    let no_url = failure(endpoint("127.0.0.1:8000/v1")).await;
    assert!(
        no_url.starts_with("The `base_url` `127.0.0.1:8000/v1` of provider `house`"),
        "{no_url}"
    );
    let no_http = failure(endpoint("ftp://h/v1")).await;
    assert!(no_http.contains("begins with neither"), "{no_http}");
    let header = Endpoint {
        headers: vec![("bad name".to_owned(), "x".to_owned())],
        ..endpoint("http://127.0.0.1:1")
    };
    assert!(failure(header).await.contains("The header `bad name`"));
    let key = Endpoint {
        api_key: Some("line\nbreak".to_owned()),
        ..endpoint("http://127.0.0.1:1")
    };
    let key = failure(key).await;
    assert!(key.contains("The API key") && !key.contains("break"), "{key}");
    let missing = Endpoint {
        ca_file: Some("/nowhere/ca.pem".into()),
        ..endpoint("https://127.0.0.1:1")
    };
    let missing = failure(missing).await;
    assert!(
        missing.contains("`/nowhere/ca.pem`") && missing.contains("no such file"),
        "{missing}"
    );
}

#[tokio::test]
async fn a_server_without_tls_behind_https_is_told_from_a_bad_certificate() {
    let server = ModelServer::start(vec![Answer::new(200, "{}")]).await;
    let error = Transport::new(endpoint(&format!("https://127.0.0.1:{}/v1", server.port)))
        .post("x", Vec::new())
        .await;
    let error = error.err().expect("no TLS there");
    assert_eq!(error.code(), "no_tls", "{error}");
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_told_from_a_server_that_is_down() {
    let error = Transport::new(endpoint("http://nothing.invalid/v1"))
        .post("x", Vec::new())
        .await
        .err()
        .expect("no such name");
    assert_eq!(error.code(), "unknown_host", "{error}");
    assert!(error.to_string().contains("`nothing.invalid` is not known"), "{error}");
}

#[tokio::test]
async fn a_lookup_that_nobody_answers_ends_with_the_name_that_was_asked_for() {
    let silent = std::future::pending::<std::io::Result<()>>();
    let ended = resolve_within("models.house".to_owned(), Duration::from_millis(10), silent).await;
    let unresolved = ended.expect_err("nobody answers");
    assert!(unresolved.is_silence());
    let said = unresolved.to_string();
    assert!(said.contains("where `models.house` is"), "{said}");
}

#[tokio::test]
async fn what_has_arrived_is_read_together() {
    let letters: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let texts: Vec<&str> = letters.iter().map(String::as_str).collect();
    let server = ModelServer::start(vec![Answer::text(&texts)]).await;
    let transport = Transport::new(endpoint(&server.base_url()));
    let mut incoming = transport.post("chat/completions", Vec::new()).await.unwrap();
    let (mut reads, mut bytes) = (0, 0);
    while let Some(read) = incoming.next().await.unwrap() {
        reads += 1;
        bytes += read.len();
    }
    assert!(bytes > 200 * 50);
    assert!(reads < 100, "{reads} reads for 201 chunks");
}

#[tokio::test]
async fn offline_reaches_what_is_near_or_named_and_nothing_else() {
    let offline = |base_url: &str, allowed: &[&str]| Endpoint {
        network: NetworkSettings {
            offline: true,
            allowed_hosts: allowed.iter().map(|host| (*host).to_owned()).collect(),
            ..NetworkSettings::default()
        },
        ..endpoint(base_url)
    };
    let refuses = |endpoint: Endpoint| super::client::build(&endpoint).err().map(|error| error.to_string());
    let told = refuses(offline("https://api.example.org/v1", &["example.org"])).unwrap();
    assert!(
        told.contains("network.offline") && told.contains("`api.example.org`"),
        "{told}"
    );
    for (address, allowed) in [
        ("http://127.0.0.1:9/v1", &[][..]),
        ("http://[::1]:9/v1", &[]),
        ("http://192.168.1.4:9/v1", &[]),
        ("http://gpu/v1", &["gpu"]),
        ("http://a.lab.example.org/v1", &["*.example.org"]),
    ] {
        assert_eq!(refuses(offline(address, allowed)), None, "{address}");
    }
    assert!(refuses(offline("http://badexample.org/v1", &["*.example.org"])).is_some());
}

#[tokio::test]
async fn a_proxy_that_is_configured_gets_the_request_and_this_machine_is_asked_without_it() {
    let proxy = ModelServer::start(vec![Answer::events(&["through the proxy"])]).await;
    let through = |base_url: &str, proxy: &str| Endpoint {
        network: NetworkSettings {
            proxy: Some(proxy.to_owned()),
            ..NetworkSettings::default()
        },
        ..endpoint(base_url)
    };
    let address = proxy.base_url();
    let far = Transport::new(through("http://far.invalid/v1", &address));
    let answered = far.post("chat/completions", Vec::new()).await;
    assert_eq!(answered.map(|incoming| incoming.status).ok(), Some(200));
    // No server listens at this address. The error names it, so the request did not use the proxy.
    let told = failure(through("http://127.0.0.1:9/v1", &address)).await;
    assert!(told.contains("127.0.0.1:9"), "{told}");
    let told = failure(through("http://far.invalid/v1", "no address")).await;
    assert!(told.contains("network.proxy"), "{told}");
}

#[tokio::test]
async fn where_a_variable_may_name_a_proxy_a_near_host_is_looked_at_in_no_other_way() {
    for has_proxy_variables in [true, false] {
        let near = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = near.local_addr().unwrap().port();
        let (count, mut counted) = tokio::sync::watch::channel(0);
        tokio::spawn(async move {
            while near.accept().await.is_ok() {
                count.send_modify(|count| *count += 1);
            }
        });
        let told = failure(Endpoint {
            network: NetworkSettings {
                has_proxy_variables,
                ..NetworkSettings::default()
            },
            ..endpoint(&format!("http://0.0.0.0:{port}/v1"))
        })
        .await;
        // The first connection is the request. A second one would be the diagnosis.
        assert_eq!(*counted.borrow_and_update() == 1, has_proxy_variables, "{told}");
    }
}

#[tokio::test]
async fn who_is_to_be_reached_through_a_proxy_is_looked_at_in_no_other_way() {
    let near = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    near.set_nonblocking(true).unwrap();
    let port = near.local_addr().unwrap().port();
    // The address is another name of this machine, so the proxy applies. No proxy listens at its address.
    let told = failure(Endpoint {
        network: NetworkSettings {
            proxy: Some("http://127.0.0.1:9".to_owned()),
            ..NetworkSettings::default()
        },
        ..endpoint(&format!("http://0.0.0.0:{port}/v1"))
    })
    .await;
    assert!(near.accept().is_err(), "{told}");
}
