//! A model server for tests: HTTP on a real socket, with scripted answers and faults.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use futures::StreamExt;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::watch;

#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub enum Step {
    Send(Vec<u8>),
    Cut,
    Hold,
    Until(Arc<tokio::sync::Notify>),
}

#[derive(Debug, Clone)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

pub struct ModelServer {
    pub port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    opened: watch::Receiver<usize>,
    closed: watch::Receiver<usize>,
    accepting: tokio::task::JoinHandle<()>,
}

impl Answer {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            steps: vec![Step::Send(body.into())],
        }
    }

    pub fn text(texts: &[&str]) -> Self {
        let mut answer = Self::events(texts);
        answer.steps.push(Step::Send(
            b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n".to_vec(),
        ));
        answer
    }

    pub fn events(texts: &[&str]) -> Self {
        let event = |text: &&str| {
            let chunk =
                serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]});
            Step::Send(format!("data: {chunk}\n\n").into_bytes())
        };
        Self {
            status: 200,
            headers: Vec::new(),
            steps: texts.iter().map(event).collect(),
        }
        .header("content-type", "text/event-stream")
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    fn response(self) -> hyper::Response<http_body_util::combinators::UnsyncBoxBody<Bytes, std::io::Error>> {
        let mut builder = hyper::Response::builder().status(self.status);
        for (name, value) in self.headers {
            builder = builder.header(name, value);
        }
        let frames = futures::stream::iter(self.steps).then(|step| async {
            match step {
                Step::Send(bytes) => Ok(Frame::data(Bytes::from(bytes))),
                Step::Cut => {
                    tokio::task::yield_now().await;
                    Err(std::io::Error::other("cut"))
                }
                Step::Hold => std::future::pending().await,
                Step::Until(gate) => {
                    gate.notified().await;
                    Ok(Frame::data(Bytes::new()))
                }
            }
        });
        builder.body(BodyExt::boxed_unsync(StreamBody::new(frames))).unwrap()
    }
}

impl ModelServer {
    /// Starts a server that answers each request with the next of `answers`. Further requests get status 599.
    pub async fn start(answers: Vec<Answer>) -> Self {
        Self::serve(answers, |_| true).await
    }

    pub async fn posts(answers: Vec<Answer>) -> Self {
        Self::serve(answers, |asked| asked.method == "POST").await
    }

    async fn serve(answers: Vec<Answer>, takes: fn(&Asked) -> bool) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answers = Arc::new(Mutex::new(answers.into_iter()));
        let (opening, opened) = watch::channel(0);
        let (closing, closed) = watch::channel(0);
        let log = Arc::clone(&asked);
        let accepting = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                opening.send_modify(|count| *count += 1);
                let (log, answers, closing) = (Arc::clone(&log), Arc::clone(&answers), closing.clone());
                tokio::spawn(async move {
                    let service = service_fn(move |request: hyper::Request<Incoming>| {
                        let (log, answers) = (Arc::clone(&log), Arc::clone(&answers));
                        async move {
                            let asked = Asked::of(request).await;
                            if !takes(&asked) {
                                return Ok(Answer::new(404, "nothing is here").response());
                            }
                            log.lock().unwrap().push(asked);
                            let answer = answers.lock().unwrap().next();
                            let answer = answer.unwrap_or_else(|| Answer::new(599, "no answer is left"));
                            Ok::<_, Infallible>(answer.response())
                        }
                    });
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(socket), service)
                        .await;
                    closing.send_modify(|count| *count += 1);
                });
            }
        });
        Self {
            port,
            asked,
            opened,
            closed,
            accepting,
        }
    }

    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub fn connections(&self) -> usize {
        *self.opened.borrow()
    }

    pub async fn closed(&mut self, count: usize) {
        self.closed.wait_for(|closed| *closed >= count).await.unwrap();
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Asked {
    async fn of(request: hyper::Request<Incoming>) -> Self {
        let (head, body) = request.into_parts();
        Self {
            method: head.method.to_string(),
            path: head.uri.path().to_owned(),
            headers: head
                .headers
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
                .collect(),
            body: body
                .collect()
                .await
                .map(|body| body.to_bytes().to_vec())
                .unwrap_or_default(),
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}
