// SPDX-License-Identifier: MIT
//! SMG's tool and reasoning parsers, in the order of its chat server.
//!
//! Use: peer stream|whole TOOL-PARSER [REASONING-PARSER]
mod line;
use futures::executor::block_on;
use line::{text, Answer, Clock, Message, Question};
use openai_protocol::common::Tool;
use reasoning_parser::ReasoningParser;
use tool_parser::types::ToolCallItem;
use tool_parser::ToolParser;

struct Parsers {
    tool: Box<dyn ToolParser>,
    reasoning: Option<Box<dyn ReasoningParser>>,
    tools: Vec<Tool>,
    message: Message,
}

impl Parsers {
    fn new(question: &Question) -> Answer<Parsers> {
        let tools = question
            .tools
            .iter()
            .map(|tool| serde_json::from_value(tool.clone()).map_err(text));
        let name = line::argument(0).unwrap_or_default();
        let tool = tool_parser::ParserFactory::new()
            .registry()
            .create_parser(&name);
        let mut reasoning = None;
        if let Some(name) = line::argument(1) {
            let made = reasoning_parser::ParserFactory::new()
                .registry()
                .create_parser(&name);
            let mut parser = made.expect("a reasoning parser");
            if question.start || question.closes {
                parser.mark_reasoning_started();
                parser.mark_think_start_stripped();
            }
            reasoning = Some(parser);
        }
        Ok(Parsers {
            tool: tool.expect("a tool parser"),
            reasoning,
            tools: tools.collect::<Answer<Vec<Tool>>>()?,
            message: Message::default(),
        })
    }

    fn take(&mut self, calls: Vec<ToolCallItem>) {
        for call in calls {
            let name = call.name.unwrap_or_default();
            self.message.call(call.tool_index, &name, &call.parameters);
        }
    }

    /// The server logs what the parser refuses, and goes on.
    fn normal(&mut self, delta: &str) {
        if let Ok(said) = block_on(self.tool.parse_incremental(delta, &self.tools)) {
            self.message.text(&said.normal_text);
            self.take(said.calls);
        }
    }

    fn feed(&mut self, delta: &str) -> Answer<bool> {
        match &mut self.reasoning {
            None => self.normal(delta),
            Some(parser) => {
                let split = parser
                    .parse_reasoning_streaming_incremental(delta)
                    .map_err(text)?;
                self.message.reasoning(&split.reasoning_text);
                if !split.normal_text.is_empty() {
                    self.normal(&split.normal_text);
                }
            }
        }
        Ok(true)
    }

    fn finish(&mut self) -> Answer {
        if let Some(parser) = &mut self.reasoning {
            let rest = parser.flush().map_err(text)?;
            self.message.reasoning(&rest.reasoning_text);
            if !rest.normal_text.is_empty() {
                self.normal(&rest.normal_text);
            }
        }
        let rest = self.tool.take_unstreamed_normal_text();
        self.message.text(&rest);
        for call in self.tool.get_unstreamed_tool_args().unwrap_or_default() {
            self.message.call(call.tool_index, "", &call.parameters);
        }
        Ok(())
    }

    fn whole(&mut self, delta: &str) -> Answer<bool> {
        let mut normal = delta.to_string();
        if let Some(parser) = &mut self.reasoning {
            let split = parser.detect_and_parse_reasoning(delta).map_err(text)?;
            self.message.reasoning(&split.reasoning_text);
            normal = split.normal_text;
        }
        match block_on(self.tool.parse_complete_with_tools(&normal, &self.tools)) {
            Ok((rest, calls)) => {
                self.message.text(&rest);
                for (index, call) in calls.iter().enumerate() {
                    self.message
                        .call(index, &call.function.name, &call.function.arguments);
                }
            }
            Err(_) => self.message.text(&normal),
        }
        Ok(true)
    }
}

fn answer(question: &Question, clock: &mut Clock) -> Answer<Message> {
    let mut parsers = Parsers::new(question)?;
    if std::env::args().nth(1).as_deref() == Some("whole") {
        clock.run(question, &mut parsers, Parsers::whole, |_| Ok(()))?;
    } else {
        clock.run(question, &mut parsers, Parsers::feed, Parsers::finish)?;
    }
    Ok(parsers.message)
}

fn main() {
    line::serve(line::argument(1).is_some(), answer);
}
