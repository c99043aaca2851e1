// SPDX-License-Identifier: MIT
//! From conversations to prompts and completions.

use std::ptr;

use toolwire_sys as sys;

use crate::{raw, Error, Format, Result};

/// Options of an encoder; `toolwire.h` tells their values and defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum EncoderOption {
    GenerationPrompt = 50,
    ControlText = 51,
    PythonNumbers = 52,
    Loss = 53,
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
    _format: Format, // outlives the encoder
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
        if handle.is_null() {
            return Err(Error::memory());
        }
        Ok(Encoder { handle, _format: format.clone() })
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
    pub fn set(&mut self, option: EncoderOption, value: i64) -> Result<()> {
        let result = unsafe { sys::tw_encoder_set(self.handle, option as u32, value) };
        self.check(result)
    }

    /// A JSON object whose members take the place of the request's
    /// chat_template_kwargs.
    ///
    /// # Errors
    /// No JSON object.
    pub fn set_settings(&mut self, json: &str) -> Result<()> {
        let data = json.as_bytes();
        let result =
            unsafe { sys::tw_encoder_set_text(self.handle, 6, raw::pointer(data), data.len()) };
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
