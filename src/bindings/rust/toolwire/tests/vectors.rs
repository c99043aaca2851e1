// SPDX-License-Identifier: MIT
//! The list that all bindings read alike: tests/conformance/vectors.jsonl, or
//! the file that TOOLWIRE_VECTORS names.

use std::{env, fs};

use serde_json::Value;
use toolwire::{Api, Converter, Decoder, Encoder, End, Error, Finish, Format, Stream};

fn word<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("{key} of {row}"))
}

fn format(row: &Value) -> Format {
    Format::find(word(row, "format")).expect("a format")
}

fn end(name: &str) -> End {
    match toolwire::shapes().any(|shape| shape.name == name) || name == "auto" {
        true => End::from(name),
        false => End::from(&Format::find(name).expect("a format or a shape")),
    }
}

fn stream(row: &Value) -> Result<String, Error> {
    let api = match word(row, "api") {
        "chunks" => Api::Chat,
        "responses" => Api::Responses,
        _ => Api::Anthropic,
    };
    let mut stream = Stream::new(Decoder::new(&format(row))?, api)?;
    let mut lines = Vec::new();
    let piece = row["piece"].as_u64().expect("a size") as usize;
    for piece in word(row, "input").as_bytes().chunks(piece) {
        lines.extend(stream.push(piece)?);
    }
    lines.extend(stream.finish(Finish::Stop)?);
    Ok(lines.join("\n"))
}

fn run(row: &Value) -> Result<String, Error> {
    let input = word(row, "input");
    match word(row, "do") {
        "decode" => toolwire::decode(input.as_bytes(), &format(row)),
        "stream" => stream(row),
        "encode" => Encoder::new(&format(row))?.encode(input),
        "completion" => Encoder::new(&format(row))?.completion(input),
        _ => Converter::new(end(word(row, "from")), end(word(row, "to")))?.record(input),
    }
}

#[test]
fn each() {
    let path = env::var("TOOLWIRE_VECTORS").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../tests/conformance/vectors.jsonl").into()
    });
    let text = fs::read_to_string(path).expect("the list");
    let mut count = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("JSON");
        match run(&row) {
            Ok(text) => assert_eq!(text, word(&row, "expect"), "{}", row["id"]),
            Err(error) => assert_eq!(error.name(), word(&row, "error"), "{}", row["id"]),
        }
        count += 1;
    }
    assert!(count > 400);
    println!("{count} vectors");
}
