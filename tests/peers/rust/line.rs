// SPDX-License-Identifier: MIT
//! What the adapters in Rust share.  native_peer.py writes a question on a
//! line, already cut into deltas; the answer is a line: a message or an error,
//! and how long the parser took.
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::io::BufRead;

pub type Answer<T = ()> = Result<T, String>;

#[allow(dead_code)]
#[derive(serde::Deserialize)]
pub struct Question {
    /// Each delta, or the whole text.
    pub deltas: Vec<String>,
    /// Does the output go on with reasoning that the prompt opened?
    pub start: bool,
    /// Does it begin with reasoning, in this way or with a marker?
    pub opens: bool,
    /// Does it begin with the end of reasoning?
    pub closes: bool,
    /// Did a token limit end it?
    pub cut_short: bool,
    pub tools: Vec<Value>,
    budget: Option<f64>,
}

/// Deltas, put together as a client does.
#[derive(Default)]
pub struct Message {
    content: String,
    reasoning: String,
    pub calls: BTreeMap<usize, (String, String)>,
}

impl Message {
    pub fn text(&mut self, text: &str) {
        self.content.push_str(text);
    }

    pub fn reasoning(&mut self, text: &str) {
        self.reasoning.push_str(text);
    }

    pub fn call(&mut self, index: usize, name: &str, arguments: &str) {
        let call = self.calls.entry(index).or_default();
        call.0.push_str(name);
        call.1.push_str(arguments);
    }

    fn whole(self) -> Value {
        let mut message = json!({"role": "assistant", "content": null});
        if !self.content.is_empty() {
            message["content"] = json!(self.content);
        }
        if !self.reasoning.is_empty() {
            message["reasoning_content"] = json!(self.reasoning);
        }
        if !self.calls.is_empty() {
            message["tool_calls"] = self
                .calls
                .into_values()
                .map(|(name, arguments)| {
                    json!({"type": "function",
                           "function": {"name": name, "arguments": arguments}})
                })
                .collect();
        }
        message
    }
}

/// The processor's time of this thread.
#[derive(Default)]
pub struct Clock {
    seconds: f64,
    deltas: usize,
    budget: f64,
}

fn now() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

impl Clock {
    /// Gives each delta to |feed| until that says no or the budget is spent,
    /// and then runs |finish|.  Asking for the time costs as much as a delta.
    pub fn run<P>(
        &mut self,
        question: &Question,
        parser: &mut P,
        mut feed: impl FnMut(&mut P, &str) -> Answer<bool>,
        finish: impl FnOnce(&mut P) -> Answer,
    ) -> Answer {
        let start = now();
        let mut said = Ok(());
        for (i, delta) in question.deltas.iter().enumerate() {
            self.deltas += 1;
            match feed(parser, delta) {
                Ok(true) => {}
                Ok(false) => break,
                Err(why) => {
                    said = Err(why);
                    break;
                }
            }
            if i % 64 == 63 && now() - start > self.budget {
                break;
            }
        }
        let said = said.and_then(|()| finish(parser));
        self.seconds += now() - start;
        said
    }
}

/// Answers each line of standard input.  What begins with reasoning is left to
/// parsers that |reasons|.
pub fn serve(reasons: bool, answer: impl Fn(&Question, &mut Clock) -> Answer<Message>) {
    for asked in std::io::stdin().lock().lines() {
        let question: Question = serde_json::from_str(&asked.unwrap()).unwrap();
        if question.opens && !reasons {
            println!("{}", json!({"skip": "no reasoning parser"}));
            continue;
        }
        let mut clock = Clock {
            budget: question.budget.unwrap_or(f64::INFINITY),
            ..Clock::default()
        };
        let mut said = match answer(&question, &mut clock) {
            Ok(message) => json!({"message": message.whole()}),
            Err(why) => json!({"error": why}),
        };
        said["seconds"] = json!(clock.seconds);
        said["deltas"] = json!(clock.deltas);
        println!("{said}");
    }
}

pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The command's arguments behind the way.
#[allow(dead_code)]
pub fn argument(number: usize) -> Option<String> {
    std::env::args().nth(2 + number)
}

/// A tool's name and its parameters.
#[allow(dead_code)]
pub fn function(tool: &Value) -> (String, Option<Value>) {
    let its = &tool["function"];
    let name = its["name"].as_str().unwrap_or_default();
    (name.to_string(), its.get("parameters").cloned())
}
