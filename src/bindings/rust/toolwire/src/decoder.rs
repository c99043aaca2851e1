// SPDX-License-Identifier: MIT
//! From bytes to events.

use std::{marker::PhantomData, ptr};

use toolwire_sys as sys;

use crate::{raw, Error, Event, EventReader, Finish, Format, Result};

/// What the caller knows of fed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Text as it is: markers are found in it.
    Unknown = 0,
    /// Ordinary tokens: no marker, whatever it looks like.
    Text = 1,
    /// Exactly one whole marker of the format.
    Control = 2,
}

/// Options of a decoder, each with what it takes and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecoderOption {
    /// `bool`: the first deviation is an error (false).
    Strict = 1,
    /// `bool`: the prompt ended inside reasoning (false).
    StartReasoning = 2,
    /// `bool`: a call in reasoning that never ends counts (true).
    CallsInReasoning = 3,
    /// `bool`: reads Harmony whose markers were stripped (false).
    RecoverStripped = 4,
    /// `bool`: [`crate::What::Unparsed`] has its text (false).
    KeepRaw = 5,
    /// `bool`: there are [`crate::What::Framing`] events (false).
    Framing = 6,
    /// A number: that of the first made-up id (0).
    FirstCall = 7,
    /// [`Untyped`]: a value between tags whose type no tool says (String).
    Untyped = 8,
    /// [`Validate`]: whether calls are compared with their tool's schema (No).
    Validate = 9,
    /// Levels of arguments (128, at most 10000).
    LimitDepth = 10,
    /// Bytes of a name (256, at most 1000).
    LimitName = 11,
    /// Bytes of a call's arguments as JSON (16 MiB).
    LimitArguments = 12,
    /// Calls in a message (1024).
    LimitCalls = 13,
    /// Bytes in a message; 0: no limit (0).
    LimitInput = 14,
}

/// What a value between tags is where no tool says its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untyped {
    /// A string.
    String = 0,
    /// JSON, if the value is some.
    Json = 1,
}

/// Whether calls are compared with their tool's schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validate {
    /// They are not.
    No = 0,
    /// What does not fit is a diagnostic.
    Report = 1,
    /// What does not fit is an error.
    Refuse = 2,
    /// A value that one lossless reading makes fit is read so, each with a
    /// diagnostic; what else does not fit is one.
    Mend = 3,
}

raw::numbers!(i64: Untyped, Validate);
raw::numbers!(u32: DecoderOption);

/// Reads one output after another.
pub struct Decoder {
    handle: *mut sys::tw_decoder,
    _format: Format, // outlives the decoder
}

// One object, one thread at a time.
unsafe impl Send for Decoder {}

impl Drop for Decoder {
    fn drop(&mut self) {
        unsafe { sys::tw_decoder_free(self.handle) }
    }
}

impl Decoder {
    /// A decoder for completions of |format|.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new(format: &Format) -> Result<Decoder> {
        let handle = unsafe { sys::tw_decoder_new(format.handle(), ptr::null()) };
        if handle.is_null() {
            return Err(Error::memory());
        }
        Ok(Decoder { handle, _format: format.clone() })
    }

    fn check(&self, result: i32) -> Result<()> {
        if result >= 0 {
            return Ok(());
        }
        Err(unsafe { Error::of(result, sys::tw_decoder_error(self.handle)) })
    }

    /// Sets an option, which is kept over resets.
    ///
    /// # Errors
    /// A value out of range, or a message that was begun.
    pub fn set(&mut self, option: DecoderOption, value: impl Into<i64>) -> Result<()> {
        let result = unsafe { sys::tw_decoder_set(self.handle, option as u32, value.into()) };
        self.check(result)
    }

    /// What made-up ids of calls begin with; "call_".
    ///
    /// # Errors
    /// A message that was begun; no memory.
    pub fn set_call_id_prefix(&mut self, prefix: &str) -> Result<()> {
        let data = prefix.as_bytes();
        let result =
            unsafe { sys::tw_decoder_set_text(self.handle, 1, raw::pointer(data), data.len()) };
        self.check(result)
    }

    /// The request's tool_choice: "auto", "none" (a call is the text that the
    /// model wrote), "required" or a tool's name.  What was asked for and did
    /// not come is the diagnostic `tool_choice_unmet`.
    ///
    /// # Errors
    /// A message that was begun; no memory.
    pub fn set_tool_choice(&mut self, choice: &str) -> Result<()> {
        let data = choice.as_bytes();
        let result =
            unsafe { sys::tw_decoder_set_text(self.handle, 15, raw::pointer(data), data.len()) };
        self.check(result)
    }

    /// The tools that were declared, a JSON array.
    ///
    /// # Errors
    /// No list of tools, or a message that was begun.
    pub fn set_tools(&mut self, json: &str) -> Result<()> {
        let result = unsafe {
            sys::tw_decoder_set_tools(self.handle, raw::pointer(json.as_bytes()), json.len())
        };
        self.check(result)
    }

    /// The end of the prompt, which tells where the output begins.
    ///
    /// # Errors
    /// A message that was begun.
    pub fn set_prompt(&mut self, tail: impl AsRef<[u8]>) -> Result<()> {
        let tail = tail.as_ref();
        let result =
            unsafe { sys::tw_decoder_set_prompt(self.handle, raw::pointer(tail), tail.len()) };
        self.check(result)
    }

    /// The events of the next bytes; any cut is fine.  What of the iterator is
    /// not read when it is dropped is lost.
    ///
    /// # Errors
    /// The output was finished, or the error that sticks until reset.
    pub fn events<'a, T>(&'a mut self, data: &'a T) -> Result<Events<'a>>
    where
        T: AsRef<[u8]> + ?Sized,
    {
        self.marked(data, Mark::Unknown)
    }

    /// The same for bytes of which is known what they are.
    ///
    /// # Errors
    /// As [`Decoder::events`]; bytes marked as a marker that are none.
    pub fn marked<'a, T>(&'a mut self, data: &'a T, mark: Mark) -> Result<Events<'a>>
    where
        T: AsRef<[u8]> + ?Sized,
    {
        let data = data.as_ref();
        let result = unsafe {
            sys::tw_decoder_feed(self.handle, raw::pointer(data), data.len(), mark as u32)
        };
        self.check(result)?;
        Ok(Events { decoder: self, over: false, _data: PhantomData })
    }

    /// The last events; the output is over.
    ///
    /// # Errors
    /// It was finished already.
    pub fn finish(&mut self, finish: Finish) -> Result<Events<'_>> {
        let result = unsafe { sys::tw_decoder_finish(self.handle, finish as u32) };
        self.check(result)?;
        Ok(Events { decoder: self, over: false, _data: PhantomData })
    }

    /// Ready for the next message; options and tools stay.
    pub fn reset(&mut self) {
        unsafe { sys::tw_decoder_reset(self.handle) }
    }

    /// All events of what |reader| gives, up to its end.
    pub fn read<R: std::io::Read>(&mut self, reader: R) -> EventReader<'_, R> {
        EventReader::new(self, reader)
    }

    /// The next event as C has it, which lives until the next call.
    pub(crate) fn next_raw(&mut self) -> Result<Option<*const sys::tw_event>> {
        let mut event = ptr::null();
        let result = unsafe { sys::tw_decoder_next(self.handle, &mut event) };
        self.check(result)?;
        Ok((result == 1).then_some(event))
    }
}

/// The events of some bytes.
#[must_use = "events that are not read are lost"]
pub struct Events<'a> {
    decoder: &'a mut Decoder,
    over: bool,
    // C borrows the bytes until it has said that there is no more.  Whoever
    // forgets the iterator leaves a decoder that takes no more before reset.
    _data: PhantomData<&'a [u8]>,
}

impl Events<'_> {
    pub(crate) fn next_raw(&mut self) -> Option<Result<*const sys::tw_event>> {
        if self.over {
            return None;
        }
        let next = self.decoder.next_raw();
        self.over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

impl Iterator for Events<'_> {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_raw()?.map(|event| unsafe { Event::copy(event) }))
    }
}

impl Drop for Events<'_> {
    fn drop(&mut self) {
        while self.next_raw().is_some() {}
    }
}
