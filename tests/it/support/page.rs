//! Answers of the model server to requests other than chat.

use http_body_util::{BodyExt, Full};
use hyper::Response;
use hyper::body::Bytes;
use serde_json::{Value, json};

use super::body::Body;
use super::server::MODEL;

pub(super) fn page(path: &str, told: Option<Value>, window: u64, refused: Option<(u16, String)>) -> Response<Body> {
    if let Some((status, message)) = refused {
        let body = json!({"error": {"message": message}});
        return answered(status, &body);
    }
    let (status, body) = match (told, path) {
        (Some(told), _) => (200, told),
        (None, "/v1/models") => (
            200,
            json!({"object": "list", "data": [{"id": MODEL, "object": "model", "max_model_len": window}]}),
        ),
        (None, _) => (404, json!({"error": {"message": format!("there is no {path} here")}})),
    };
    answered(status, &body)
}

fn answered(status: u16, body: &Value) -> Response<Body> {
    let body = Full::new(Bytes::from(body.to_string())).map_err(|never| match never {});
    Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(body.boxed_unsync())
        .expect("a fixed page")
}
