//! A scripted web server that records requests. It answers at once, in pieces, without end, or never.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::support::{PATIENCE, Watched};

#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    /// Includes the query.
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(told, _)| told.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    pub fn says(&self) -> String {
        self.json()["method"].as_str().unwrap_or_default().to_owned()
    }

    /// Parses a link like a browser.
    pub fn of_link(link: &str) -> Self {
        Self {
            method: "GET".to_owned(),
            path: link.to_owned(),
            headers: Vec::new(),
            body: String::new(),
        }
    }

    pub fn field(&self, name: &str) -> Option<String> {
        let query = self.path.split_once('?').map(|(_, query)| query);
        let form = if self.body.starts_with('{') {
            ""
        } else {
            self.body.as_str()
        };
        let mut pairs = query.into_iter().chain([form]).flat_map(|text| text.split('&'));
        pairs.find_map(|pair| {
            let (told, value) = pair.split_once('=')?;
            (told == name).then(|| {
                percent_encoding::percent_decode_str(value)
                    .decode_utf8_lossy()
                    .into_owned()
            })
        })
    }
}

#[derive(Clone)]
pub struct Said {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub then: Then,
}

/// Behaviour after the body of an answer.
#[derive(Clone)]
pub enum Then {
    End,
    Silence,
    /// Repeats the bytes with a pause.
    Again(Vec<u8>, Duration),
}

pub fn json(value: &Value) -> Said {
    status(200, value)
}

pub fn status(status: u16, value: &Value) -> Said {
    Said {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: value.to_string().into_bytes(),
        then: Then::End,
    }
}

pub fn events(text: impl Into<String>) -> Said {
    Said {
        status: 200,
        headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
        body: text.into().into_bytes(),
        then: Then::End,
    }
}

pub fn empty(status: u16) -> Said {
    Said {
        status,
        headers: Vec::new(),
        body: Vec::new(),
        then: Then::End,
    }
}

impl Said {
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn then(mut self, then: Then) -> Self {
        self.then = then;
        self
    }
}

type Answers = Box<dyn FnMut(&Asked) -> Option<Said> + Send>;

struct Seen {
    asked: Vec<Asked>,
    answers: Answers,
}

pub struct Web {
    pub address: SocketAddr,
    seen: Arc<Watched<Seen>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Web {
    /// For `None` from `answers`, the server never answers.
    pub fn start(answers: impl FnMut(&Asked) -> Option<Said> + Send + 'static) -> Self {
        let seen = Arc::new(Watched::new(Seen {
            asked: Vec::new(),
            answers: Box::new(answers),
        }));
        let (stop, stopped) = oneshot::channel();
        let (told, address) = std::sync::mpsc::channel();
        let shared = Arc::clone(&seen);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime for the web server");
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
            address: address.recv().expect("the web server starts"),
            seen,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.seen.look().asked.clone()
    }

    pub fn wait_for(&self, what: &str, is_it: impl Fn(&Asked) -> bool) -> Asked {
        let found = self
            .seen
            .wait(PATIENCE, |seen| seen.asked.iter().find(|asked| is_it(asked)).cloned());
        found.unwrap_or_else(|seen| panic!("{what} never came: {:#?}", seen.asked))
    }
}

impl Drop for Web {
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
        let seen = Arc::clone(&seen);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&seen), request));
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

type Body = UnsyncBoxBody<Bytes, io::Error>;

async fn answer(seen: Arc<Watched<Seen>>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let mut asked = Asked {
        method: request.method().to_string(),
        path: request.uri().to_string(),
        headers: request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect(),
        body: String::new(),
    };
    let body = request.into_body().collect().await;
    asked.body = body.map_or_else(
        |_| String::new(),
        |body| String::from_utf8_lossy(&body.to_bytes()).into_owned(),
    );
    let said = seen.change(|seen| {
        seen.asked.push(asked.clone());
        (seen.answers)(&asked)
    });
    let Some(said) = said else {
        return std::future::pending().await;
    };
    let mut response = Response::builder().status(said.status);
    for (name, value) in &said.headers {
        response = response.header(name, value);
    }
    let first = Some(said.body).filter(|body| !body.is_empty());
    let pieces = stream::unfold((first, said.then), |(first, then)| async move {
        if let Some(first) = first {
            return Some((Ok(Frame::data(Bytes::from(first))), (None, then)));
        }
        match &then {
            Then::End => None,
            Then::Silence => std::future::pending().await,
            Then::Again(bytes, pause) => {
                tokio::time::sleep(*pause).await;
                let bytes = Bytes::from(bytes.clone());
                Some((Ok(Frame::data(bytes)), (None, then)))
            }
        }
    });
    let body = BodyExt::boxed_unsync(StreamBody::new(pieces));
    Ok(response.body(body).expect("a status and headers that are valid"))
}

/// Opens a URL like a browser. Returns the status, or 0 without a server at the address.
pub fn opens(address: &str) -> u16 {
    use std::io::{Read, Write};
    let rest = address.strip_prefix("http://").expect("a plain address");
    let (host, target) = rest.split_once('/').expect("a path");
    let Ok(mut stream) = std::net::TcpStream::connect(host) else {
        return 0;
    };
    let asked = format!("GET /{target} HTTP/1.1\r\nhost: {host}\r\n\r\n");
    stream.write_all(asked.as_bytes()).expect("a request");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or(0)
}
