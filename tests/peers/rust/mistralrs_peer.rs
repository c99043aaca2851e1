// SPDX-License-Identifier: MIT
//! mistral.rs: its tool parser and its reasoning parser of tags, compiled from
//! the crate's source without the engine, which is stubbed.  The loop is
//! written after pipeline/sampling.rs: where a call is whole, generation ends.
//!
//! Use: peer stream [think|channel]
#![allow(dead_code, unused_imports, unexpected_cfgs)]
extern crate self as candle_core;
extern crate self as mistralrs_mcp;
mod line;
use line::{text, Answer, Clock, Message, Question};

// ---- what the sources want of the engine ------------------------------------

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
pub enum Error {
    Msg(String),
}

impl Error {
    pub fn msg(why: impl std::fmt::Display) -> Error {
        Error::Msg(why.to_string())
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Error::Msg(why) = self;
        out.write_str(why)
    }
}

impl std::error::Error for Error {}

pub trait Pipeline {}
struct NoPipeline;
impl Pipeline for NoPipeline {}

#[derive(Clone, Debug, serde::Serialize)]
pub struct CalledFunction {
    pub name: String,
    pub arguments: String,
}

pub type Tool = serde_json::Value;
pub type ToolCallback = dyn Fn(&CalledFunction) -> anyhow::Result<String> + Send + Sync;
pub type ToolCallbackWithTool = std::sync::Arc<ToolCallback>;

pub trait ReasoningParser: Send + Sync {
    fn process_bytes(&mut self, bytes: &[u8]);
    fn finalize(&mut self);
    fn get_content_delta(&mut self) -> Option<String>;
    fn get_reasoning_delta(&mut self) -> Option<String>;
    fn content(&self) -> Option<String>;
    fn reasoning_content(&self) -> Option<String>;
}

#[path = "../sources/mistralrs-core/src/reasoning_parsers/tag_based.rs"]
mod tag_based;
#[path = "../sources/mistralrs-core/src/tools/mod.rs"]
mod tools;

use tag_based::TagReasoningContext;
use tools::{parse_text_tools, ToolCallingMatcher, ToolChoice};

// ---- the loop ----------------------------------------------------------------

struct Sequence {
    completion: String,
    sent: usize,
    matcher: std::sync::Arc<ToolCallingMatcher>,
    reasoning: Option<TagReasoningContext>,
    message: Message,
}

impl Sequence {
    fn new(question: &Question) -> Answer<Sequence> {
        Ok(Sequence {
            completion: String::new(),
            sent: 0,
            matcher: ToolCallingMatcher::new(ToolChoice::Auto)
                .map_err(text)?
                .into(),
            reasoning: match (line::argument(0).as_deref(), question.start) {
                (Some("channel"), _) => Some(TagReasoningContext::new_gemma_channel()),
                (Some(_), true) => Some(TagReasoningContext::new_in_think_block()),
                (Some(_), false) => Some(TagReasoningContext::new_think_tags()),
                (None, _) => None,
            },
            message: Message::default(),
        })
    }

    /// What was not sent yet.
    fn peek(&self) -> &str {
        let rest = &self.completion[self.sent..];
        if self.sent == 0 {
            rest.trim_start()
        } else {
            rest
        }
    }

    /// Says whether generation goes on.
    fn step(&mut self, delta: &str, last: bool) -> Answer<bool> {
        self.completion.push_str(delta);
        if let Some(parser) = &mut self.reasoning {
            parser.process_bytes(delta.as_bytes());
        }
        let asked = self.matcher.prefix_could_be_tool(&NoPipeline, self.peek());
        let (possible, complete) = asked.map_err(text)?;
        let matcher = Some(self.matcher.clone());
        let parsed = parse_text_tools(&NoPipeline, self.peek(), matcher);
        let done = last || (complete && matches!(parsed, Ok((None, _))));
        if possible && !complete && !done {
            return Ok(true);
        }
        let (content, calls) = parsed.map_err(text)?;
        let content = content.map(str::to_string);
        self.sent = self.completion.len();
        match &mut self.reasoning {
            Some(parser) => {
                if done {
                    parser.finalize();
                }
                self.message
                    .text(&parser.get_content_delta().unwrap_or_default());
                self.message
                    .reasoning(&parser.get_reasoning_delta().unwrap_or_default());
            }
            None => self.message.text(&content.unwrap_or_default()),
        }
        for call in &calls {
            self.message
                .call(call.index, &call.function.name, &call.function.arguments);
        }
        Ok(!done && calls.is_empty())
    }
}

fn answer(question: &Question, clock: &mut Clock) -> Answer<Message> {
    let mut sequence = Sequence::new(question)?;
    let mut goes_on = true;
    clock.run(
        question,
        &mut sequence,
        |sequence, delta| {
            goes_on = sequence.step(delta, false)?;
            Ok(goes_on)
        },
        |_| Ok(()),
    )?;
    if goes_on {
        sequence.step("", true)?;
    }
    Ok(sequence.message)
}

fn main() {
    line::serve(line::argument(0).is_some(), answer);
}
