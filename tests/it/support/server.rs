//! An HTTP model server on a loopback port, in a thread with a separate runtime.
//!
//! Answers chat requests from the test's script or by their content, and records every body.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Response, server::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

use super::api::Api;
use super::body::{Body, Watch, stream_of};
use super::page::page;
use super::reply::{self, Reply};
use super::request::{Request, assert_append_only};
use super::{PATIENCE, Watched, tls};

pub const MODEL: &str = "kit-model";
pub const CONTEXT: u64 = 65_536;

type Matches = Box<dyn Fn(&Request) -> bool + Send>;
type Answers = Box<dyn FnMut(&Request) -> Option<Reply> + Send>;

#[derive(Default)]
struct Seen {
    /// Context window in the model list. `None` stands for `CONTEXT`.
    window: Option<u64>,
    pages: BTreeMap<String, Value>,
    refused: BTreeMap<String, (u16, String)>,
    script: VecDeque<Reply>,
    special: Vec<(Matches, Reply)>,
    model: Option<Answers>,
    requests: Vec<Request>,
    /// Numbers of requests whose client disconnected before the end.
    abandoned: Vec<usize>,
    other: Vec<(String, String)>,
}

pub struct Server {
    address: SocketAddr,
    is_secure: bool,
    seen: Arc<Watched<Seen>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Self {
        Self::start_with(0, None)
    }

    pub fn start_at(port: u16) -> Self {
        Self::start_with(port, None)
    }

    /// Starts a TLS server with the certificates and key of a file in `tests/data/tls`.
    pub fn secure(file: &str) -> Self {
        Self::start_with(0, Some(tls::acceptor(file)))
    }

    fn start_with(port: u16, secured: Option<TlsAcceptor>) -> Self {
        let is_secure = secured.is_some();
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
                let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("a loopback port");
                told.send(listener.local_addr().expect("a bound address"))
                    .expect("the test waits");
                tokio::select! {
                    () = accept(listener, secured, shared) => {}
                    _ = stopped => {}
                }
            });
        });
        Self {
            address: address.recv().expect("the model server starts"),
            is_secure,
            seen,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn base_url(&self) -> String {
        let scheme = if self.is_secure { "https" } else { "http" };
        format!("{scheme}://{}/v1", self.address)
    }

    pub fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.seen.change(|seen| seen.script.extend(replies));
    }

    /// Answers every matching request. Takes precedence over the script.
    pub fn when(&self, matches: impl Fn(&Request) -> bool + Send + 'static, reply: Reply) {
        self.seen.change(|seen| seen.special.push((Box::new(matches), reply)));
    }

    /// Answers by content if nothing else matches.
    pub fn model(&self, answers: impl FnMut(&Request) -> Option<Reply> + Send + 'static) {
        self.seen.change(|seen| seen.model = Some(Box::new(answers)));
    }

    pub fn tells_window(&self, tokens: u64) {
        self.seen.change(|seen| seen.window = Some(tokens));
    }

    pub fn requests(&self) -> Vec<Request> {
        self.seen.look().requests.clone()
    }

    /// Serves an additional page, such as `/api/show`.
    pub fn page(&self, path: &str, page: Value) {
        self.seen.change(|seen| seen.pages.insert(path.to_owned(), page));
    }

    pub fn refuse(&self, path: &str, status: u16, message: &str) {
        let refused = (status, message.to_owned());
        self.seen.change(|seen| seen.refused.insert(path.to_owned(), refused));
    }

    /// Returns and removes the requests so far, because those of a long session exceed memory.
    pub fn take_requests(&self) -> Vec<Request> {
        self.seen.change(|seen| std::mem::take(&mut seen.requests))
    }

    pub fn other_paths(&self) -> Vec<String> {
        let seen = self.seen.look();
        seen.other.iter().map(|(path, _)| path.clone()).collect()
    }

    /// Waits for a request at the path. Returns its body.
    pub fn asked_at(&self, path: &str) -> String {
        let found = self.seen.wait(PATIENCE, |seen| {
            let asked = seen.other.iter().find(|(asked, _)| asked == path);
            asked.map(|(_, body)| body.clone())
        });
        found.unwrap_or_else(|seen| panic!("nobody asked for {path}: {:?}", seen.other))
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

    pub fn wait_abandoned(&self, number: usize) {
        let gone = self
            .seen
            .wait(PATIENCE, |seen| seen.abandoned.contains(&number).then_some(()));
        assert!(gone.is_ok(), "the client never let go of request {number}");
    }

    pub fn is_abandoned(&self, number: usize) -> bool {
        self.seen.look().abandoned.contains(&number)
    }

    /// Checks that every request is well formed, and a byte prefix of the next.
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

async fn accept(listener: TcpListener, secured: Option<TlsAcceptor>, seen: Arc<Watched<Seen>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let (seen, secured) = (Arc::clone(&seen), secured.clone());
        tokio::spawn(async move {
            match secured {
                None => serve(stream, seen).await,
                // A client that does not trust the certificate disconnects.
                Some(secured) => {
                    if let Ok(stream) = secured.accept(stream).await {
                        serve(stream, seen).await;
                    }
                }
            }
        });
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, seen: Arc<Watched<Seen>>) {
    let service = service_fn(move |request| answer(Arc::clone(&seen), request));
    // Ignore the error of a disconnect or of a reply that breaks the connection.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
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
        let sent = String::from_utf8_lossy(&body).into_owned();
        let (told, window, refused) = seen.change(|seen| {
            let told = seen.pages.get(&path).cloned();
            seen.other.push((path.clone(), sent));
            (told, seen.window.unwrap_or(CONTEXT), seen.refused.get(&path).cloned())
        });
        return Ok(page(&path, told, window, refused));
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
    // Status 400 is never retried, so a test with too few replies fails at once with the reason.
    let reply =
        reply.unwrap_or_else(|| reply::status(400, &format!("the test scripted no reply for request {number}")));
    let watch = Watch::of(move || seen.change(|seen| seen.abandoned.push(number)));
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
