//! Sends one streamed chat request and prints the answer: `floor-request URL STORE PROMPT`.
//!
//! The prompt is durable before the request, and the answer before the end.

use std::io::Write;
use std::path::Path;

use benchdog_floor::Failure;
use benchdog_floor::chat::Chat;
use benchdog_floor::store::Store;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, store, prompt] = arguments.as_slice() else {
        return Err("usage: floor-request URL STORE PROMPT".into());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut store = Store::open(Path::new(store))?;
    store.append(prompt.as_bytes())?;
    let mut chat = Chat::new(url)?;
    chat.say(prompt);
    let mut answer = String::new();
    runtime.block_on(chat.ask(|text| answer.push_str(text)))?;
    store.append(answer.as_bytes())?;
    std::io::stdout().write_all(answer.as_bytes())?;
    Ok(())
}
