// SPDX-License-Identifier: MIT
//! toolwire itself, the events of its Rust package, to have its times beside
//! the others'.
//!
//! Use: peer stream FORMAT
mod line;
use line::{text, Answer, Clock, Message, Question};
use toolwire::{CallStatus, Decoder, DecoderOption, Event, Finish, Format, What};

fn take(message: &mut Message, event: Event) {
    match event.what {
        What::Text { data, .. } => message.text(&data),
        What::Reasoning { data, .. } => message.reasoning(&data),
        What::CallBegin { index, name, .. } => message.call(index as usize, &name, ""),
        What::CallArguments { index, data } => message.call(index as usize, "", &data),
        What::CallEnd { index, status } if status != CallStatus::Complete => {
            message.calls.remove(&(index as usize));
        }
        _ => {}
    }
}

fn answer(question: &Question, clock: &mut Clock) -> Answer<Message> {
    let format = Format::find(&line::argument(0).unwrap_or_default()).map_err(text)?;
    let mut decoder = Decoder::new(&format).map_err(text)?;
    let tools = serde_json::to_string(&question.tools).map_err(text)?;
    decoder.set_tools(&tools).map_err(text)?;
    decoder
        .set(DecoderOption::StartReasoning, question.start)
        .map_err(text)?;
    let mut message = Message::default();
    clock.run(
        question,
        &mut message,
        |message, delta| {
            for event in decoder.events(delta.as_bytes()).map_err(text)? {
                take(message, event.map_err(text)?);
            }
            Ok(true)
        },
        |_| Ok(()),
    )?;
    let reason = if question.cut_short {
        Finish::Length
    } else {
        Finish::Stop
    };
    for event in decoder.finish(reason).map_err(text)? {
        take(&mut message, event.map_err(text)?);
    }
    Ok(message)
}

fn main() {
    line::serve(true, answer);
}
