// SPDX-License-Identifier: MIT
//! A server of OpenAI's chat completions, with a made-up model.
//!
//!     cargo run --example server -- 8000
//!     curl -N localhost:8000/v1/chat/completions -d '{"messages":
//!         [{"role": "user", "content": "Tide at Brest?"}],
//!         "tools": [{"type": "function", "function": {"name": "tide"}}]}'
//!
//! It shows what belongs to a real one: the prompt in segments, one stream a
//! request, and why the output ended.  The model calls the first tool with the
//! user's words, some letters a token.

use std::{
    env,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use serde_json::{json, Value};
use toolwire::{Api, Decoder, Encoder, Finish, Format, Stream, WriterOption, WriterText};

const LARGEST: usize = 1 << 20;

type Failure = Box<dyn std::error::Error>;

fn body(client: &mut BufReader<TcpStream>) -> Result<Vec<u8>, Failure> {
    let mut size = 0;
    loop {
        let mut line = String::new();
        client.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                size = value.trim().parse()?;
            }
        }
    }
    if size > LARGEST {
        return Err("the request is too long".into());
    }
    let mut bytes = vec![0; size];
    client.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// What the model writes.
fn answer(request: &Value) -> String {
    let words = request["messages"].as_array().and_then(|all| all.last());
    let words = words.map_or("", |last| last["content"].as_str().unwrap_or(""));
    match request["tools"][0]["function"]["name"].as_str() {
        Some(name) => format!(
            "I look it up.\n<tool_call>\n{}\n</tool_call>",
            json!({"name": name, "arguments": {"question": words}})
        ),
        None => format!("It is: {words}"),
    }
}

fn serve(client: TcpStream, format: &Format) -> Result<(), Failure> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut client = client;
    let text = String::from_utf8(body(&mut reader)?)?;
    let request: Value = serde_json::from_str(&text)?;
    // A tokenizer gets the text segments with special tokens off, so that
    // nothing a user writes is one.
    let prompt = match Encoder::new(format)?.segments(&text) {
        Ok(prompt) => prompt,
        Err(error) => {
            let why = json!({"error": {"message": error.to_string(), "param": error.path}});
            write!(client, "HTTP/1.1 400 Bad Request\r\n\r\n{why}")?;
            return Ok(());
        }
    };
    let mut decoder = Decoder::new(format)?;
    if request["tools"].is_array() {
        decoder.set_tools(&request["tools"].to_string())?;
    }
    let tail: String = prompt.iter().map(|segment| segment.text.as_str()).collect();
    decoder.set_prompt(tail.as_bytes())?;
    let mut stream = Stream::new(decoder, Api::Chat)?;
    stream.set(WriterOption::Sse, 1)?;
    stream.set_text(WriterText::Model, "made-up")?;
    write!(client, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")?;
    for token in answer(&request).as_bytes().chunks(4) {
        for line in stream.push(token)? {
            write!(client, "{line}")?;
        }
    }
    for line in stream.finish(Finish::Stop)? {
        write!(client, "{line}")?;
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let port: u16 = env::args().nth(1).map_or(Ok(8000), |port| port.parse())?;
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    println!("listening on {}", listener.local_addr()?);
    let format = Format::find("hermes/qwen3")?;
    for client in listener.incoming() {
        let (client, format) = (client?, format.clone());
        thread::spawn(move || {
            if let Err(error) = serve(client, &format) {
                eprintln!("{error}");
            }
        });
    }
    Ok(())
}
