// SPDX-License-Identifier: MIT
//! dynamo-parsers-v2: one parser for reasoning, text and calls.
//!
//! Use: peer stream FAMILY [response]
//! response: where nothing opens reasoning, the parser is told that the prompt
//! opened the answer; it would begin inside reasoning.
mod line;
use dynamo_parsers_v2::{
    create_unified_parser_for_family, Tool, UnifiedParserEvent, UnifiedParserInit,
    UnifiedParserOutput, UnifiedParserStartingState,
};
use line::{text, Answer, Clock, Message, Question};
use std::collections::BTreeSet;

#[derive(Default)]
struct Taken {
    message: Message,
    complete: BTreeSet<usize>,
}

fn take(taken: &mut Taken, output: &mut UnifiedParserOutput) {
    for event in output.events.drain(..) {
        match event {
            UnifiedParserEvent::Text(piece) => taken.message.text(&piece),
            UnifiedParserEvent::Reasoning(piece) => taken.message.reasoning(&piece),
            UnifiedParserEvent::ToolCall(call) => {
                let name = call.name.unwrap_or_default();
                taken.message.call(call.tool_index, &name, &call.arguments);
                if call.complete {
                    taken.complete.insert(call.tool_index);
                }
            }
            _ => {}
        }
    }
}

fn answer(question: &Question, clock: &mut Clock) -> Answer<Message> {
    let tools: Vec<Tool> = question
        .tools
        .iter()
        .map(line::function)
        .map(|(name, parameters)| Tool {
            name,
            description: None,
            parameters: parameters.unwrap_or_default(),
            strict: None,
        })
        .collect();
    let family = line::argument(0).unwrap_or_default();
    let mut parser = create_unified_parser_for_family(&family, &tools).map_err(text)?;
    parser
        .initialize_request(UnifiedParserInit {
            starting_state: if question.start {
                UnifiedParserStartingState::Reasoning
            } else if line::argument(1).is_some() && !question.opens {
                UnifiedParserStartingState::Response
            } else {
                UnifiedParserStartingState::None
            },
            ..UnifiedParserInit::default()
        })
        .map_err(text)?;
    let mut taken = Taken::default();
    let mut output = UnifiedParserOutput::default();
    clock.run(
        question,
        &mut parser,
        |parser, delta| {
            parser.parse_into(delta, &mut output).map_err(text)?;
            take(&mut taken, &mut output);
            Ok(true)
        },
        |_| Ok(()),
    )?;
    let mut rest = if question.cut_short {
        parser.finish()
    } else {
        parser.finish_at_eos()
    }
    .map_err(text)?;
    take(&mut taken, &mut rest);
    // assemble() leaves out what is not complete.
    taken
        .message
        .calls
        .retain(|index, _| taken.complete.contains(index));
    Ok(taken.message)
}

fn main() {
    line::serve(true, answer);
}
