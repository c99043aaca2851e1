// SPDX-License-Identifier: MIT
//! What the crate promises beside the bytes.

use std::thread;

use toolwire::{
    CallStatus, Converter, ConverterOption, ConverterText, Decoder, DecoderOption, Encoder,
    EncoderOption, Finish, Format, Ids, Loss, Mark, Stream, Untyped, Validate, What,
};

const CALL: &str = "<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"at\": \"Brest\"}}\n</tool_call>";

fn decoder() -> Decoder {
    Decoder::new(&Format::find("hermes").unwrap()).unwrap()
}

fn all(decoder: &mut Decoder, pieces: &[&[u8]]) -> Vec<What> {
    let mut found = Vec::new();
    for piece in pieces {
        found.extend(decoder.events(piece).unwrap().map(|event| event.unwrap().what));
    }
    found.extend(decoder.finish(Finish::Stop).unwrap().map(|event| event.unwrap().what));
    found
}

#[test]
fn a_call_in_pieces() {
    let mut decoder = decoder();
    for size in 1..CALL.len() {
        let pieces: Vec<_> = CALL.as_bytes().chunks(size).collect();
        let found = all(&mut decoder, &pieces);
        let arguments: String = found
            .iter()
            .filter_map(|what| match what {
                What::CallArguments { data, .. } => Some(data.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(arguments, "{\"at\": \"Brest\"}");
        assert!(found.contains(&What::CallEnd { index: 0, status: CallStatus::Complete }));
        decoder.reset();
    }
}

#[test]
fn a_reader() {
    let mut decoder = decoder();
    let events: Result<Vec<_>, _> = decoder.read(CALL.as_bytes()).collect();
    assert_eq!(events.unwrap().last().unwrap().what, What::End { finish: Finish::Stop });
}

#[test]
fn what_is_not_read_is_let_go() {
    let mut decoder = decoder();
    drop(decoder.events(CALL.as_bytes()).unwrap());
    let piece = CALL.to_owned();
    decoder.events(piece.as_bytes()).unwrap().next();
    drop(piece);
    assert!(decoder.finish(Finish::Stop).unwrap().count() > 0);
    assert_eq!(decoder.finish(Finish::Stop).err().unwrap().name(), "TW_ERROR_STATE");
    decoder.reset();
    // Forgotten, not dropped: nothing more is taken before reset.
    std::mem::forget(decoder.events(b"text").unwrap());
    assert_eq!(decoder.events(b"x").err().unwrap().name(), "TW_ERROR_STATE");
    decoder.reset();
    assert!(decoder.events(b"x").is_ok());
}

#[test]
fn errors_say_where() {
    let mut decoder = decoder();
    decoder.set(DecoderOption::Strict, 1).unwrap();
    let odd = "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1,}}</tool_call>";
    let error = decoder.events(odd.as_bytes()).unwrap().find_map(Result::err).unwrap();
    assert_eq!(error.name(), "TW_ERROR_DEVIATION");
    assert_eq!(error.detail_name(), Some("trailing_comma"));
    assert_eq!(error.offset, 45);
    let error = decoder.set(DecoderOption::LimitDepth, 0).err().unwrap();
    assert!(!error.to_string().is_empty());
    let error = Format::load(r#"{"format": 1, "call": "<c>{nme}</c>"}"#).err().unwrap();
    assert!(error.message.contains("call"), "{error}");
    decoder.reset();
    let error = decoder.marked(b"<tool", Mark::Control).err().unwrap();
    assert_eq!(error.name(), "TW_ERROR_ARGUMENT");
}

#[test]
fn a_format_of_ones_own_outlives_its_name() {
    let described = Format::find("hermes").unwrap().describe().unwrap();
    let format = Format::load(&described).unwrap();
    let mut decoder = Decoder::new(&format).unwrap();
    drop(format);
    let found = thread::spawn(move || all(&mut decoder, &[CALL.as_bytes()])).join().unwrap();
    assert!(found.contains(&What::CallEnd { index: 0, status: CallStatus::Complete }));
}

#[test]
fn a_stream_breaks_off_with_an_error_event() {
    let mut decoder = decoder();
    decoder.set(DecoderOption::LimitInput, 4).unwrap();
    let mut stream = Stream::new(decoder, toolwire::Api::Chat).unwrap();
    let lines = stream.push(b"more than four").unwrap();
    assert!(lines.last().unwrap().contains("error"), "{lines:?}");
    assert_eq!(stream.push(b"x").err().unwrap().name(), "TW_ERROR_LIMIT");
    stream.reset();
    assert!(stream.push(b"ab").is_ok());
}

#[test]
fn a_stream_breaks_off_when_its_source_does() {
    let mut stream = Stream::new(decoder(), toolwire::Api::Chat).unwrap();
    stream.set(toolwire::WriterOption::Sse, true).unwrap();
    stream.push(b"Hi.").unwrap();
    let lines = stream.fail("the engine went away").unwrap();
    assert!(lines.iter().any(|line| line.contains("the engine went away")), "{lines:?}");
    assert!(stream.fail("again").is_err());
}

#[test]
fn calls_that_were_not_asked_for_are_text() {
    let mut decoder = decoder();
    decoder.set_tool_choice("none").unwrap();
    let found = all(&mut decoder, &[CALL.as_bytes()]);
    assert!(found.iter().all(|what| !matches!(what, What::CallBegin { .. })), "{found:?}");
    assert!(found.iter().any(|what| matches!(what, What::Text { .. })), "{found:?}");
}

#[test]
fn arguments_are_mended_where_one_lossless_reading_fits() {
    let mut decoder = decoder();
    decoder.set(DecoderOption::Validate, Validate::Mend).unwrap();
    let tools = r#"[{"name": "tide", "parameters": {"properties": {"at": {"type": "integer"}}}}]"#;
    decoder.set_tools(tools).unwrap();
    let text = CALL.replace("\"Brest\"", "\"5\"");
    let found = all(&mut decoder, &[text.as_bytes()]);
    let arguments: String = found
        .iter()
        .filter_map(|what| match what {
            What::CallArguments { data, .. } => Some(data.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(arguments, "{\"at\": 5}");
}

#[test]
fn ids_that_a_target_cannot_hold_are_made_fit() {
    let request = r#"{"messages": [{"role": "user", "content": "Tide?"},
        {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
            "function": {"name": "tide", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "high"}]}"#;
    let mut encoder = Encoder::new(&Format::find("mistral/v7").unwrap()).unwrap();
    assert!(encoder.encode(request).is_err());
    encoder.set(EncoderOption::Ids, Ids::Map).unwrap();
    assert!(!encoder.encode(request).unwrap().contains("call_1"));
    assert!(encoder.reports().iter().any(|one| one.name == "id_replaced"));
}

#[test]
fn formats_and_shapes() {
    assert!(Format::all().count() > 70);
    assert!(Format::find("no\0name").is_err());
    assert!(Format::find("hermse").unwrap_err().message.contains("did you mean hermes"));
    assert!(Format::all().all(|format| Format::find(format.name()).is_ok()));
    let hermes = Format::find("hermes").unwrap();
    assert!(hermes.has_prompts() && !hermes.about().is_empty());
    assert!(hermes.markers().any(|marker| marker.text() == "<tool_call>" && marker.is_decoded()));
    assert!(hermes.settings().any(|one| one.name == "enable_thinking" && one.takes == "boolean"));
    assert!(toolwire::shapes().any(|shape| shape.name == "openai"));
    assert!(!toolwire::version().is_empty());
}

#[test]
fn events_in_front_of_an_error_come_first() {
    let text = b"Hi there. <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>";
    let mut decoder = decoder();
    decoder.set(DecoderOption::LimitInput, 53).unwrap();
    let events: Vec<_> = decoder.read(&text[..]).collect();
    let found: Vec<_> = events.iter().flatten().map(|event| &event.what).collect();
    assert!(found.iter().any(|what| matches!(what, What::CallBegin { .. })), "{found:?}");
    assert_eq!(found.len(), events.len() - 1);
    assert!(events.last().unwrap().is_err());
}

#[test]
fn text_is_taken_as_it_comes() {
    let mut stream = Stream::new(decoder(), toolwire::Api::Chat).unwrap();
    assert!(!stream.push("Hi.").unwrap().is_empty());
    assert!(!stream.push(String::from("Hi.")).unwrap().is_empty());
    let mut decoder = decoder();
    decoder.set_prompt("<|im_start|>assistant\n").unwrap();
    assert_eq!(decoder.events("Hi.").unwrap().count(), 1);
    assert_eq!(decoder.events(&String::from("Hi.")).unwrap().count(), 1);
}

#[test]
fn a_log_of_completions() {
    let mut converter = Converter::new(&Format::find("hermes").unwrap(), "openai").unwrap();
    converter.set(ConverterOption::UnitCompletion, true).unwrap();
    converter.set(ConverterOption::ArgumentsObject, true).unwrap();
    converter.set(DecoderOption::Untyped, Untyped::String).unwrap();
    converter.set(EncoderOption::Loss, Loss::Refuse).unwrap();
    converter.set_text(ConverterText::Field, "output").unwrap();
    let record = r#"{"output":"<tool_call>{\"name\":\"now\"}</tool_call>"}"#;
    let made = converter.record(record).unwrap();
    assert!(made.contains(r#""arguments":{}"#), "{made}");
    converter.set_prompt("<|im_start|>assistant\n<think>\n").unwrap();
    let made = converter.record(r#"{"output":"Hm"}"#).unwrap();
    assert!(made.contains(r#""reasoning_content":"Hm""#), "{made}");
}

#[test]
fn converters_know_why_texts_ended() {
    let mut converter = Converter::new(&Format::find("mistral").unwrap(), "message").unwrap();
    for (finish, wanted) in
        [(Finish::Length, "truncated_call"), (Finish::Stop, r#""{\"a\":1}""#)]
    {
        converter.set_finish(finish).unwrap();
        let made = converter.text(r#"[TOOL_CALLS]f[ARGS]{"a":1"#).unwrap();
        assert!(made.contains(wanted), "{made}");
    }
}
