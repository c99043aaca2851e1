// SPDX-License-Identifier: MIT
//! From bytes to the stream of an API.

use std::ptr;

use toolwire_sys as sys;

use crate::{raw, Decoder, Error, Events, Finish, Mark, Result};

/// Whose stream is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// OpenAI's Chat Completions.
    Chat = 2,
    /// OpenAI's Responses.
    Responses = 3,
    /// Anthropic's Messages.
    Anthropic = 4,
}

/// Options of a stream, each with what it takes and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriterOption {
    /// `bool`: a call is sent when it is complete (false).
    HoldCalls = 30,
    /// `bool`: free text for a tool is a function call with {"input":"..."}
    /// (true).
    CustomFunction = 31,
    /// Seconds since 1970: the stream's `created` or `created_at` (0).
    Created = 32,
    /// Chat: the chunks' `choices[].index` (0).
    Choice = 33,
    /// `bool`: deltas of one piece that came together are one (false).
    JoinChunks = 34,
    /// `bool`: lines are whole server-sent events; 2: without `[DONE]` (false).
    Sse = 35,
    /// `bool`: Responses: reasoning is a summary (false).
    ReasoningSummary = 36,
}

raw::numbers!(u32: WriterOption);

/// Texts of a stream, each with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriterText {
    /// Chat: the member for reasoning ("reasoning_content").
    ReasoningKey = 2,
    /// The stream's id ("chatcmpl-0", "resp_0", "msg_0").
    Id = 3,
    /// The stream's model ("toolwire").
    Model = 4,
    /// Chat: a member of each chunk (none).
    SystemFingerprint = 7,
    /// Why the output ended, in any API's words (what the end says).
    FinishReason = 8,
    /// A JSON object of token counts (none).
    Usage = 9,
    /// Anthropic: the client's text at which the output ended (none).
    StopSequence = 11,
}

struct Writer(*mut sys::tw_writer);

// One object, one thread at a time.
unsafe impl Send for Writer {}

impl Drop for Writer {
    fn drop(&mut self) {
        unsafe { sys::tw_writer_free(self.0) }
    }
}

fn check(result: i32) -> Result<()> {
    if result >= 0 {
        return Ok(());
    }
    Err(Error::of_writer(result))
}

impl Writer {
    fn take(&mut self, lines: &mut Vec<String>) {
        let mut line = ptr::null();
        let mut size = 0;
        while unsafe { sys::tw_writer_take(self.0, &mut line, &mut size) } == 1 {
            lines.push(raw::text(unsafe { raw::bytes(line, size) }));
        }
    }

    fn drain(&mut self, mut events: Events<'_>) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        while let Some(event) = events.next_raw() {
            match event {
                Ok(event) => check(unsafe { sys::tw_writer_event(self.0, event) })?,
                Err(error) => {
                    drop(events);
                    self.fail(&error)?;
                    self.take(&mut lines);
                    return if lines.is_empty() { Err(error) } else { Ok(lines) };
                }
            }
        }
        self.take(&mut lines);
        Ok(lines)
    }

    /// The stream breaks off with the API's error event.
    fn fail(&mut self, error: &Error) -> Result<()> {
        let message = std::ffi::CString::new(error.message.as_str()).unwrap_or_default();
        let row = sys::tw_error {
            code: error.code,
            detail: error.detail,
            offset: error.offset,
            message: message.as_ptr(),
            path: ptr::null(),
        };
        check(unsafe { sys::tw_writer_fail(self.0, &row) })
    }
}

/// Bytes in, lines of an API's stream out.
pub struct Stream {
    decoder: Decoder,
    writer: Writer,
}

impl Stream {
    /// A stream of what |decoder| reads.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new(decoder: Decoder, api: Api) -> Result<Stream> {
        let writer = Writer(unsafe { sys::tw_writer_new(api as u32, ptr::null()) });
        if writer.0.is_null() {
            return Err(Error::memory());
        }
        Ok(Stream { decoder, writer })
    }

    /// The decoder, for its options between messages.
    pub fn decoder(&mut self) -> &mut Decoder {
        &mut self.decoder
    }

    /// Sets an option before the first bytes.
    ///
    /// # Errors
    /// No option of this API's, or a value out of range.
    pub fn set(&mut self, option: WriterOption, value: impl Into<i64>) -> Result<()> {
        check(unsafe { sys::tw_writer_set(self.writer.0, option as u32, value.into()) })
    }

    /// Sets a text.
    ///
    /// # Errors
    /// As [`Stream::set`]; a usage that is no JSON object.
    pub fn set_text(&mut self, text: WriterText, value: &str) -> Result<()> {
        let data = value.as_bytes();
        check(unsafe {
            sys::tw_writer_set_text(self.writer.0, text as u32, raw::pointer(data), data.len())
        })
    }

    /// The lines of the next bytes.
    ///
    /// # Errors
    /// The decoder's.  An error in the middle of a stream is written as the
    /// API's error event, and comes here with the next bytes.
    pub fn push(&mut self, data: impl AsRef<[u8]>) -> Result<Vec<String>> {
        self.push_marked(data, Mark::Unknown)
    }

    /// The same for bytes of which is known what they are.
    ///
    /// # Errors
    /// As [`Stream::push`].
    pub fn push_marked(&mut self, data: impl AsRef<[u8]>, mark: Mark) -> Result<Vec<String>> {
        self.writer.drain(self.decoder.marked(&data, mark)?)
    }

    /// The last lines.
    ///
    /// # Errors
    /// As [`Stream::push`].
    pub fn finish(&mut self, finish: Finish) -> Result<Vec<String>> {
        self.writer.drain(self.decoder.finish(finish)?)
    }

    /// Breaks the stream off with the API's error event and |message|, for when
    /// what feeds it failed, and gives the last lines.
    ///
    /// # Errors
    /// The stream is over; no memory.
    pub fn fail(&mut self, message: &str) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        self.writer.fail(&Error::bare(-2, message))?;
        self.writer.take(&mut lines);
        Ok(lines)
    }

    /// Ready for the next message; options stay.
    pub fn reset(&mut self) {
        self.decoder.reset();
        unsafe { sys::tw_writer_reset(self.writer.0) }
    }
}
