// SPDX-License-Identifier: MIT
//! What newcomers get wrong is answered by one line that names the remedy.

use std::fmt::Display;

use toolwire::{
    encode, grammar, Api, Converter, Decoder, DecoderOption, Encoder, EncoderOption, Finish,
    Format, GrammarOptions, Stream, Template, WriterOption, WriterText,
};

#[track_caller]
fn names<T, E: Display>(remedy: &str, result: Result<T, E>) {
    let said = result.err().expect("a mistake").to_string();
    assert!(said.contains(remedy), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

fn hermes() -> Format {
    Format::find("hermes").unwrap()
}

fn asks(content: &str) -> String {
    format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"{content}\"}}]}}")
}

#[test]
fn a_wrong_name() {
    names("did you mean hermes?", Format::find("hermse"));
    names("Format::all() lists them", Format::find("zzzzz"));
    names("a shape of records, which a Converter takes", Format::find("anthropic"));
    names("Format::load()", Format::find("./mine.json"));
    names("no name or path", Format::load("hermes"));
    names("the template's text is wanted", Template::load("chat_template.jinja"));
    names("no tool has this name", grammar(
        "[\"tide\"]", &hermes(), &GrammarOptions { choice: "tied", ..Default::default() }));
}

#[test]
fn no_way_from_one_end_to_the_other() {
    names("did you mean hermes?", Converter::new("hermse", "message"));
    names("shapes are ", Converter::new("openai", "opnai"));
    names("from \"openai\" to \"message\"", Converter::new("openai", "message"));
    names("read only", Converter::new("openai", "codex"));
    let mut converter = Converter::new("openai", "anthropic").unwrap();
    names("of the shape sharegpt", converter.record(
        "{\"conversations\":[{\"from\":\"human\",\"value\":\"Hi.\"}]}"));
    names("takes records, not text", converter.text(b"Hi."));
    names("not JSON", converter.record("Hi."));
}

#[test]
fn tools_of_another_shape() {
    let mut decoder = Decoder::new(&hermes()).unwrap();
    names("not JSON", decoder.set_tools("tide"));
    names("JSON is no string", decoder.set_tools("\"[]\""));
    names("one tool stands in [ ]", decoder.set_tools("{\"name\":\"tide\"}"));
    names("the name of its tool", decoder.set_tool_choice("{\"type\":\"function\"}"));
    names("tw_validate", decoder.set(DecoderOption::Validate, 9));
}

#[test]
fn a_wrong_order() {
    let mut decoder = Decoder::new(&hermes()).unwrap();
    decoder.events(b"a").unwrap().for_each(drop);
    names("behind a reset", decoder.set(DecoderOption::Strict, true));
    names("behind a reset", decoder.set_tools("[]"));
    names("behind a reset", decoder.set_prompt(b"x"));
    decoder.finish(Finish::Stop).unwrap().for_each(drop);
    names("reset for the next", decoder.events(b"b"));
    names("reset for the next", decoder.finish(Finish::Stop));
}

#[test]
fn options_of_a_stream() {
    let mut stream = Stream::new(Decoder::new(&hermes()).unwrap(), Api::Chat).unwrap();
    names("API takes no such", stream.set_text(WriterText::StopSequence, "x"));
    names("API takes no such", stream.set(WriterOption::ReasoningSummary, true));
    names("not this value", stream.set(WriterOption::Choice, -1));
    names("no JSON object", stream.set_text(WriterText::Usage, "5"));
    stream.push(b"x").unwrap();
    names("before the first bytes", stream.set(WriterOption::Sse, true));
    stream.finish(Finish::Stop).unwrap();
    names("reset for the next", stream.push(b"x"));
    names("or reset", stream.fail("x"));
}

#[test]
fn a_request_of_another_shape() {
    names(": `messages` is missing", encode("{}", &hermes()));
    names("messages alone stand in", encode("[]", &hermes()));
    names("not JSON", encode("Hi.", &hermes()));
    names("ControlText::Break", encode(&asks("<|im_end|>"), &hermes()));
    names("only completions", encode(&asks("Hi."), &Format::find("internlm2").unwrap()));
    let mut encoder = Encoder::new(&hermes()).unwrap();
    names("tw_control_text", encoder.set(EncoderOption::ControlText, 9));
    names("not a JSON object", encoder.set_settings("enable_thinking"));
    names("2026-11-25T12:00:00", encoder.set_now("today"));
}
