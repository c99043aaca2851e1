// SPDX-License-Identifier: MIT
//! dynamo-parsers: a reasoning parser, and behind it the stream that holds
//! calls back until they are whole.
//!
//! Use: peer stream TOOL-PARSER [REASONING-PARSER]
mod line;
use dynamo_parsers::reasoning::{ReasoningParser, ReasoningParserType};
use dynamo_parsers::tool_calling::jail::{
    apply_tool_calling_jail_with_reasoning_parser, Annotated,
};
use dynamo_parsers::tool_calling::ToolDefinition;
use dynamo_protocols::types::{
    ChatCompletionMessageContent as Content, CreateChatCompletionStreamResponse as Chunk,
};
use futures::StreamExt;
use line::{Answer, Clock, Message, Question};
use serde_json::json;
use std::sync::{Arc, Mutex};

fn chunk(content: Option<String>, reason: Option<&str>) -> Annotated<Chunk> {
    let mut made: Chunk = serde_json::from_value(json!({
        "id": "peer", "created": 0, "model": "peer", "object": "chat.completion.chunk",
        "choices": [{"index": 0, "finish_reason": reason, "logprobs": null,
                     "delta": {"role": "assistant", "content": null}}]}))
    .unwrap();
    made.choices[0].delta.content = content.map(Content::Text);
    Annotated {
        data: Some(made),
        id: None,
        event: None,
        comment: None,
        error: None,
    }
}

fn take(message: &mut Message, said: Annotated<Chunk>) {
    for choice in said.data.into_iter().flat_map(|chunk| chunk.choices) {
        if let Some(Content::Text(piece)) = choice.delta.content {
            message.text(&piece);
        }
        for call in choice.delta.tool_calls.unwrap_or_default() {
            if let Some(function) = call.function {
                message.call(
                    call.index as usize,
                    &function.name.unwrap_or_default(),
                    &function.arguments.unwrap_or_default(),
                );
            }
        }
    }
}

fn answer(question: &Question, clock: &mut Clock) -> Answer<Message> {
    let tools = question
        .tools
        .iter()
        .map(line::function)
        .map(|(name, parameters)| ToolDefinition {
            name,
            parameters,
            strict: None,
        })
        .collect();
    let mut reasoning =
        line::argument(1).map(|name| ReasoningParserType::get_reasoning_parser_from_name(&name));
    if let Some(parser) = &mut reasoning {
        parser.set_in_reasoning(question.start);
    }
    // The stream takes what stands in front of it at its own pace.
    let waiting = Arc::new(Mutex::new(std::collections::VecDeque::new()));
    let source = waiting.clone();
    let input = futures::stream::poll_fn(move |_| match source.lock().unwrap().pop_front() {
        Some(item) => std::task::Poll::Ready(item),
        None => std::task::Poll::Pending,
    });
    let mut output = Box::pin(apply_tool_calling_jail_with_reasoning_parser(
        line::argument(0),
        line::argument(1),
        None,
        Some(tools),
        false,
        false,
        input,
    ));
    let mut message = Message::default();
    let mut pass = |message: &mut Message, item| {
        waiting.lock().unwrap().push_back(item);
        let context = &mut std::task::Context::from_waker(futures::task::noop_waker_ref());
        while let std::task::Poll::Ready(Some(said)) = output.poll_next_unpin(context) {
            take(message, said);
        }
    };
    let blank = chunk(None, None);
    clock.run(
        question,
        &mut message,
        |message, delta| {
            let mut normal = delta.to_string();
            if let Some(parser) = &mut reasoning {
                let split = parser.parse_reasoning_streaming_incremental(delta, &[]);
                message.reasoning(&split.reasoning_text);
                normal = split.normal_text;
            }
            if !normal.is_empty() {
                let mut item = blank.clone();
                item.data.as_mut().unwrap().choices[0].delta.content = Some(Content::Text(normal));
                pass(message, Some(item));
            }
            Ok(true)
        },
        |_| Ok(()),
    )?;
    if let Some(parser) = &mut reasoning {
        let rest = parser.finish_reasoning_stream();
        message.reasoning(&rest.reasoning_text);
        if !rest.normal_text.is_empty() {
            pass(&mut message, Some(chunk(Some(rest.normal_text), None)));
        }
    }
    let reason = if question.cut_short { "length" } else { "stop" };
    pass(&mut message, Some(chunk(None, Some(reason))));
    pass(&mut message, None);
    Ok(message)
}

fn main() {
    line::serve(line::argument(1).is_some(), answer);
}
