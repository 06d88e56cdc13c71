//! A real HTTP model server on a loopback port, in a thread with a runtime of its own.
//!
//! It answers chat requests with what the test scripted, in order or by what the request says, and remembers every body.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use futures::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Response, server::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::api::Api;
use super::reply::{self, Reply, Step};
use super::request::{Request, assert_append_only};
use super::{PATIENCE, Watched};

/// The model every test works with.
pub const MODEL: &str = "kit-model";
/// Its window.
pub const CONTEXT: u64 = 65_536;

type Body = UnsyncBoxBody<Bytes, io::Error>;
type Matches = Box<dyn Fn(&Request) -> bool + Send>;
type Answers = Box<dyn FnMut(&Request) -> Option<Reply> + Send>;

#[derive(Default)]
struct Seen {
    script: VecDeque<Reply>,
    special: Vec<(Matches, Reply)>,
    model: Option<Answers>,
    requests: Vec<Request>,
    /// Requests whose answer the client did not wait for.
    abandoned: Vec<usize>,
    /// Paths asked for that are not a chat request.
    other: Vec<String>,
}

pub struct Server {
    address: SocketAddr,
    seen: Arc<Watched<Seen>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Self {
        let seen = Arc::new(Watched::new(Seen::default()));
        let (stop, stopped) = oneshot::channel();
        let (told, address) = std::sync::mpsc::channel();
        let shared = Arc::clone(&seen);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime for the model server");
            runtime.block_on(async {
                let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a loopback port");
                told.send(listener.local_addr().expect("a bound address"))
                    .expect("the test waits");
                tokio::select! {
                    () = accept(listener, shared) => {}
                    _ = stopped => {}
                }
            });
        });
        Self {
            address: address.recv().expect("the model server starts"),
            seen,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Replies for the next requests, in order.
    pub fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.seen.change(|seen| seen.script.extend(replies));
    }

    /// A reply for every request that matches, whatever the script says.
    pub fn when(&self, matches: impl Fn(&Request) -> bool + Send + 'static, reply: Reply) {
        self.seen.change(|seen| seen.special.push((Box::new(matches), reply)));
    }

    /// A model that answers by what it reads, where nothing else was said.
    pub fn model(&self, answers: impl FnMut(&Request) -> Option<Reply> + Send + 'static) {
        self.seen.change(|seen| seen.model = Some(Box::new(answers)));
    }

    pub fn requests(&self) -> Vec<Request> {
        self.seen.look().requests.clone()
    }

    /// Paths that were asked for beside chat requests.
    pub fn other_paths(&self) -> Vec<String> {
        self.seen.look().other.clone()
    }

    /// Waits for the request with this number, from 1.
    pub fn request(&self, number: usize) -> Request {
        let found = self.seen.wait(PATIENCE, |seen| seen.requests.get(number - 1).cloned());
        found.unwrap_or_else(|seen| {
            panic!(
                "request {number} never came; the server saw {} of them",
                seen.requests.len()
            )
        })
    }

    /// Waits until the client has closed the connection of this request before its answer ended.
    pub fn wait_abandoned(&self, number: usize) {
        let gone = self
            .seen
            .wait(PATIENCE, |seen| seen.abandoned.contains(&number).then_some(()));
        assert!(gone.is_ok(), "the client never let go of request {number}");
    }

    /// Every request is well formed and a byte prefix of the next.
    pub fn assert_append_only(&self) {
        let requests = self.requests();
        requests.iter().for_each(Request::assert_well_formed);
        assert_append_only(&requests);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn accept(listener: TcpListener, seen: Arc<Watched<Seen>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let seen = Arc::clone(&seen);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&seen), request));
            // A client that goes away, or a reply that cuts the connection, ends it with an error: that is the point.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(seen: Arc<Watched<Seen>>, request: hyper::Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let path = request.uri().path().to_owned();
    let headers = request
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let body = match request.into_body().collect().await {
        Ok(body) => body.to_bytes(),
        Err(_) => Bytes::new(),
    };
    let Some(api) = Api::at(&path) else {
        seen.change(|seen| seen.other.push(path.clone()));
        return Ok(page(&path));
    };
    let raw = String::from_utf8_lossy(&body).into_owned();
    let (number, reply) = seen.change(|seen| {
        let request = Request::of(api, seen.requests.len() + 1, headers, raw);
        let special = seen.special.iter().find(|(matches, _)| matches(&request));
        let special = special.map(|(_, reply)| reply.clone());
        let reply = special.or_else(|| seen.script.pop_front());
        let reply = reply.or_else(|| seen.model.as_mut().and_then(|model| model(&request)));
        let number = request.number;
        seen.requests.push(request);
        (number, reply)
    });
    // 400 is never tried again, so a test that scripted too little fails at once and says why.
    let reply =
        reply.unwrap_or_else(|| reply::status(400, &format!("the test scripted no reply for request {number}")));
    let watch = Watch {
        seen,
        number,
        finished: false,
    };
    if reply.mute {
        let _watch = watch;
        return std::future::pending().await;
    }
    let mut response = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    Ok(response
        .body(stream_of(api, reply.steps, watch))
        .expect("a status and headers that are valid"))
}

/// Notices when the client lets go of an answer before its end: hyper then drops the body.
struct Watch {
    seen: Arc<Watched<Seen>>,
    number: usize,
    finished: bool,
}

impl Watch {
    fn finish(&mut self) {
        self.finished = true;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.finished {
            let number = self.number;
            self.seen.change(|seen| seen.abandoned.push(number));
        }
    }
}

fn stream_of(api: Api, steps: Vec<Step>, watch: Watch) -> Body {
    let body = stream::unfold((steps.into_iter(), watch), move |(mut steps, mut watch)| async move {
        loop {
            // Lets hyper write out what it has, so that a cut loses nothing that came before it.
            tokio::task::yield_now().await;
            match steps.next() {
                None => {
                    watch.finish();
                    return None;
                }
                Some(Step::Said(said)) => {
                    let bytes = api.written(&said);
                    return Some((Ok(Frame::data(Bytes::from(bytes))), (steps, watch)));
                }
                Some(Step::Bytes(bytes)) => {
                    return Some((Ok(Frame::data(Bytes::from(bytes))), (steps, watch)));
                }
                Some(Step::Gate(gate)) => gate.pass().await,
                Some(Step::Cut) => {
                    watch.finish();
                    return Some((Err(io::ErrorKind::ConnectionReset.into()), (steps, watch)));
                }
                Some(Step::Silence) => std::future::pending().await,
            }
        }
    });
    StreamBody::new(body).boxed_unsync()
}

/// What is there beside chat requests.
fn page(path: &str) -> Response<Body> {
    let (status, body) = match path {
        "/v1/models" => (
            200,
            json!({"object": "list", "data": [{"id": MODEL, "object": "model", "max_model_len": CONTEXT}]}),
        ),
        _ => (404, json!({"error": {"message": format!("there is no {path} here")}})),
    };
    let body = Full::new(Bytes::from(body.to_string())).map_err(|never| match never {});
    Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(body.boxed_unsync())
        .expect("a fixed page")
}
