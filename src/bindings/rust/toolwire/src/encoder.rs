// SPDX-License-Identifier: MIT
//! From conversations to prompts and completions.

use std::ptr;

use toolwire_sys as sys;

use crate::{raw, Error, Format, Result, Template};

/// Options of an encoder, each with what it takes and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncoderOption {
    /// `bool`: the prompt ends with the head of the assistant's turn (as the
    /// request says).
    GenerationPrompt = 50,
    /// [`ControlText`]: what becomes of text that holds a marker (Reject).
    ControlText = 51,
    /// `bool`: numbers as Python writes them, 1e3 as 1000.0 (false).
    PythonNumbers = 52,
    /// [`Loss`]: what becomes of what has no place (Report).
    Loss = 53,
    /// `bool`: of spans the last turn alone is sampled (false).
    SampledLast = 54,
    /// `bool`: of spans reasoning is not sampled (false).
    SampledNoReasoning = 55,
    /// `bool`: of spans no message is sampled whose "weight" is 0 (false).
    SampledByWeight = 56,
    /// [`Ids`]: ids of calls and of their results (Keep).
    Ids = 57,
}

/// What becomes of a user's text that holds a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlText {
    /// It is an error.
    Reject = 0,
    /// It is written as it is, which is unsafe.
    Allow = 1,
    /// The marker is broken by a character that is not seen, and reported.
    Break = 2,
}

/// What becomes of what the target has no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It is left out and reported.
    Report = 0,
    /// It is an error, but for a detail.
    Refuse = 1,
    /// It is left out.
    Ignore = 2,
}

/// What becomes of ids of calls and of their results: of
/// [`EncoderOption::Ids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    /// One that the target cannot hold is an error.
    Keep = 0,
    /// One that the target cannot hold, or that repeats, gets another.
    Map = 1,
    /// All get others.
    Make = 2,
}

raw::numbers!(i64: ControlText, Ids, Loss);
raw::numbers!(u32: EncoderOption);

/// Whose some bytes of a prompt are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The bytes, from the prompt's begin.
    pub range: std::ops::Range<usize>,
    /// The message, from 0; None: no message's.
    pub message: Option<usize>,
    /// What of the message: "head", "text", "call", ...
    pub part: &'static str,
    /// The model would have written them.
    pub sampled: bool,
}

/// Either one marker of the template, or all text up to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// A marker: the one token of its vocabulary.
    pub control: bool,
    /// Its text.
    pub text: String,
}

/// What was lost, or written otherwise than it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its name; `toolwire explain NAME` explains it.
    pub name: &'static str,
    /// Where in the request.
    pub path: String,
    /// What is written of it.
    pub message: String,
}

/// The reports that |ask| has, from 0 on.
pub(crate) fn reports(
    mut ask: impl FnMut(usize, *mut *const sys::tw_error) -> i32,
) -> Vec<Report> {
    let mut found = Vec::new();
    let mut row = ptr::null();
    while ask(found.len(), &mut row) == 1 {
        let error = unsafe { Error::of(0, row) };
        found.push(Report {
            name: error.detail_name().unwrap_or(""),
            path: error.path.unwrap_or_default(),
            message: error.message,
        });
    }
    found
}

/// Writes one request after another.
pub struct Encoder {
    handle: *mut sys::tw_encoder,
    // Both outlive the encoder.
    _format: Option<Format>,
    _template: Option<Template>,
}

// One object, one thread at a time.
unsafe impl Send for Encoder {}

impl Drop for Encoder {
    fn drop(&mut self) {
        unsafe { sys::tw_encoder_free(self.handle) }
    }
}

type Whole = unsafe extern "C" fn(
    *mut sys::tw_encoder,
    *const std::ffi::c_char,
    usize,
    *mut *const std::ffi::c_char,
    *mut usize,
) -> i32;

impl Encoder {
    /// An encoder for |format|.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new(format: &Format) -> Result<Encoder> {
        let handle = unsafe { sys::tw_encoder_new(format.handle(), ptr::null()) };
        Self::of(handle, Some(format), None)
    }

    /// An encoder of any request that |template| takes; no text of a request
    /// holds a marker of |format|, or None: what looks like a token in the
    /// template.
    ///
    /// # Errors
    /// There is no memory.
    pub fn with_template(template: &Template, format: Option<&Format>) -> Result<Encoder> {
        let its = format.map_or(ptr::null(), Format::handle);
        let handle = unsafe { sys::tw_encoder_new_template(template.handle(), its, ptr::null()) };
        Self::of(handle, format, Some(template))
    }

    fn of(
        handle: *mut sys::tw_encoder,
        format: Option<&Format>,
        template: Option<&Template>,
    ) -> Result<Encoder> {
        if handle.is_null() {
            return Err(Error::memory());
        }
        Ok(Encoder { handle, _format: format.cloned(), _template: template.cloned() })
    }

    fn check(&self, result: i32) -> Result<()> {
        if result >= 0 {
            return Ok(());
        }
        Err(unsafe { Error::of(result, sys::tw_encoder_error(self.handle)) })
    }

    /// Sets an option, which is kept over requests.
    ///
    /// # Errors
    /// A value out of range.
    pub fn set(&mut self, option: EncoderOption, value: impl Into<i64>) -> Result<()> {
        let result = unsafe { sys::tw_encoder_set(self.handle, option as u32, value.into()) };
        self.check(result)
    }

    /// A JSON object whose members take the place of the request's
    /// chat_template_kwargs.
    ///
    /// # Errors
    /// No JSON object.
    pub fn set_settings(&mut self, json: &str) -> Result<()> {
        self.set_text(6, json)
    }

    /// The time that a template reads, as "2026-11-25T12:00:00"; without it the
    /// machine's.
    ///
    /// # Errors
    /// No such time.
    pub fn set_now(&mut self, time: &str) -> Result<()> {
        self.set_text(14, time)
    }

    fn set_text(&mut self, which: u32, text: &str) -> Result<()> {
        let data = text.as_bytes();
        let result =
            unsafe { sys::tw_encoder_set_text(self.handle, which, raw::pointer(data), data.len()) };
        self.check(result)
    }

    fn whole(&mut self, function: Whole, json: &str) -> Result<String> {
        let mut text = ptr::null();
        let mut size = 0;
        let data = json.as_bytes();
        let result =
            unsafe { function(self.handle, raw::pointer(data), data.len(), &mut text, &mut size) };
        self.check(result)?;
        Ok(raw::text(unsafe { raw::bytes(text, size) }))
    }

    /// The prompt of an OpenAI request.
    ///
    /// # Errors
    /// The request is no request, holds a marker as text, or what the format
    /// has no place for.
    pub fn encode(&mut self, request: &str) -> Result<String> {
        self.whole(sys::tw_encode, request)
    }

    /// What the model would have written for an assistant's message.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn completion(&mut self, message: &str) -> Result<String> {
        self.whole(sys::tw_encode_completion, message)
    }

    /// The prompt in segments, so that no text of a user becomes a marker.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn segments(&mut self, request: &str) -> Result<Vec<Segment>> {
        let data = request.as_bytes();
        let result =
            unsafe { sys::tw_encoder_request(self.handle, raw::pointer(data), data.len()) };
        self.check(result)?;
        let mut found = Vec::new();
        let mut segment = ptr::null();
        while unsafe { sys::tw_encoder_next(self.handle, &mut segment) } == 1 {
            let its = unsafe { &*segment };
            found.push(Segment {
                control: its.control == 1,
                text: raw::text(unsafe { raw::bytes(its.data, its.size) }),
            });
        }
        Ok(found)
    }

    /// The prompt of a template, and whose each byte of it is: spans in order
    /// and without a gap.
    ///
    /// # Errors
    /// As [`Encoder::encode`]; no template writes the prompt.
    pub fn spans(&mut self, request: &str) -> Result<(String, Vec<Span>)> {
        let text = self.encode(request)?;
        let mut found = Vec::new();
        let mut row = ptr::null();
        loop {
            let result = unsafe { sys::tw_encoder_span(self.handle, found.len(), &mut row) };
            self.check(result)?;
            if result == 0 {
                return Ok((text, found));
            }
            let its = unsafe { &*row };
            found.push(Span {
                range: its.start as usize..its.end as usize,
                message: usize::try_from(its.message).ok(),
                part: raw::constant(its.part),
                sampled: its.sampled == 1,
            });
        }
    }

    /// What to append to a prompt behind a turn of the model's: of a record
    /// {"prompt", "completion", "messages", "new", "tools"}.
    ///
    /// # Errors
    /// The template changes what stands before (the name is
    /// TW_ERROR_UNSTABLE, and the path names the message); else as
    /// [`Encoder::encode`].
    pub fn extend(&mut self, record: &str) -> Result<String> {
        self.whole(sys::tw_encoder_extend, record)
    }

    /// What of the last request was lost, or written otherwise.
    pub fn reports(&mut self) -> Vec<Report> {
        reports(|i, row| unsafe { sys::tw_encoder_report(self.handle, i, row) })
    }
}

/// The prompt of an OpenAI request.
///
/// # Errors
/// As [`Encoder::encode`].
pub fn encode(request: &str, format: &Format) -> Result<String> {
    Encoder::new(format)?.encode(request)
}

/// What the model would have written for an assistant's message.
///
/// # Errors
/// As [`Encoder::encode`].
pub fn encode_completion(message: &str, format: &Format) -> Result<String> {
    Encoder::new(format)?.completion(message)
}
