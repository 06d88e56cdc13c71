//! A server for embeddings with both APIs. Its vectors count the words of two meanings.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    Answers,
    Fails(u16),
}

pub struct EmbeddingServer {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<(String, Value)>>>,
}

impl EmbeddingServer {
    pub fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        // The thread ends with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                std::thread::spawn(move || serve(stream, behaviour, &seen));
            }
        });
        Self { address, requests }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn take_requests(&self) -> Vec<(String, Vec<String>)> {
        let requests = std::mem::take(&mut *self.requests.lock().expect("no panic"));
        let texts = |body: &Value| body["input"].as_array().into_iter().flatten().map(text).collect();
        requests
            .iter()
            .map(|(path, body)| (path.clone(), texts(body)))
            .collect()
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Answers the requests of one connection until it ends.
fn serve(stream: TcpStream, behaviour: Behaviour, seen: &Mutex<Vec<(String, Value)>>) {
    let mut writer = stream.try_clone().expect("a second handle");
    let mut reader = BufReader::new(stream);
    while let Some((path, body)) = read(&mut reader) {
        let (status, answer) = match behaviour {
            Behaviour::Answers => (200, answer(&path, &body)),
            Behaviour::Fails(status) => (status, json!({"error": "the model crashed"})),
        };
        seen.lock().expect("no panic").push((path, body));
        let answer = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status} Any\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        if writer.write_all(format!("{head}{answer}").as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.split_once(':') else {
            break;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).unwrap_or_default()))
}

fn answer(path: &str, body: &Value) -> Value {
    let count = |text: &str, words: [&str; 2]| words.iter().map(|word| text.matches(word).count()).sum::<usize>();
    let vector = |value: &Value| {
        let text = text(value);
        json!([count(&text, ["pause", "sleep"]), count(&text, ["draw", "paint"]), 1])
    };
    let vectors: Vec<Value> = body["input"].as_array().into_iter().flatten().map(vector).collect();
    match path {
        "/api/embed" => json!({"embeddings": vectors}),
        _ => json!({"data": vectors.iter().map(|vector| json!({"embedding": vector})).collect::<Vec<_>>()}),
    }
}
