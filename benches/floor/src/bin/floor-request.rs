//! Sends one streamed chat request and prints the answer: `floor-request URL PROMPT`.

use std::io::Write;

use benchdog_floor::Failure;
use benchdog_floor::chat::Chat;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, prompt] = arguments.as_slice() else {
        return Err("usage: floor-request URL PROMPT".into());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut chat = Chat::new(url)?;
    chat.say(prompt);
    let mut answer = String::new();
    runtime.block_on(chat.ask(|text| answer.push_str(text)))?;
    std::io::stdout().write_all(answer.as_bytes())?;
    Ok(())
}
