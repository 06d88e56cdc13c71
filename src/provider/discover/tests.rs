//! Tests of the search for servers, with servers that answer, that refuse and that hang.

use super::{FoundServer, search};
use benchdog_domain::agent::Readiness;
use benchdog_testing::model_server::{Answer, ModelServer, Step};

#[tokio::test]
async fn servers_that_list_models_need_a_key_or_load_one_are_found_in_order_and_get_no_key() {
    let list = |id: &str| Answer::new(200, format!("{{\"data\":[{{\"id\":\"{id}\"}}]}}"));
    let first = ModelServer::start(vec![list("one")]).await;
    let page = ModelServer::start(vec![Answer::new(200, "<html><title>Grafana</title></html>")]).await;
    let locked = ModelServer::start(vec![Answer::new(401, "")]).await;
    let stuck = ModelServer::start(vec![Answer::new(200, "{\"data\":[").then(Step::Hold)]).await;
    let last = ModelServer::start(vec![list("two")]).await;
    let loading = "{\"error\":{\"code\":503,\"message\":\"Loading model\",\"type\":\"unavailable_error\"}}";
    let loading = ModelServer::start(vec![Answer::new(503, loading)]).await;
    let closed = std::net::TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let found = search(&[
        first.port,
        closed,
        page.port,
        locked.port,
        stuck.port,
        loading.port,
        last.port,
    ])
    .await;
    let id = |server: &FoundServer| server.models.first().map(|model| model.id.clone());
    let seen: Vec<_> = found
        .iter()
        .map(|found| (found.base_url.clone(), found.readiness, id(found)))
        .collect();
    assert_eq!(
        seen,
        [
            (first.base_url(), Readiness::Ready, Some("one".to_owned())),
            (locked.base_url(), Readiness::NeedsKey, None),
            (loading.base_url(), Readiness::Loading, None),
            (last.base_url(), Readiness::Ready, Some("two".to_owned())),
        ]
    );
    assert_eq!(first.asked()[0].path, "/v1/models");
    assert_eq!(first.asked()[0].header("authorization"), None);
}
