// SPDX-License-Identifier: MIT
//! What a decoder says.

use toolwire_sys as sys;

use crate::raw;

/// Why an output is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Nobody says why.
    Unknown = 0,
    /// The model stopped by itself.
    Stop = 1,
    /// A token limit stopped it: a call that is open is incomplete.
    Length = 2,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallStatus {
    /// It may be run.
    Complete,
    /// The output ended inside it.
    Incomplete,
    /// It is beyond the repairs that are safe.
    Malformed,
}

/// One thing that a decoder found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Where its first byte stands in the output.
    pub offset: u64,
    /// How many bytes of the output it accounts for.
    pub span: u64,
    /// What it is.
    pub what: What,
}

/// What an event is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A piece of what the user sees.
    Text {
        /// The segment's number: a new one begins a new segment.
        segment: u32,
        /// The piece.
        data: String,
    },
    /// A piece of the reasoning.
    Reasoning {
        /// The segment's number.
        segment: u32,
        /// The piece.
        data: String,
    },
    /// A call begins.
    CallBegin {
        /// Counts from 0.
        index: u32,
        /// The tool's name.
        name: String,
        /// From the wire, or made by the library.
        id: String,
        /// The tool takes free text, not JSON.
        custom: bool,
    },
    /// A piece of a call's arguments.  The brace that closes them comes only
    /// if the call is complete.
    CallArguments {
        /// The call's.
        index: u32,
        /// JSON text, or free text of a custom tool.
        data: String,
    },
    /// A call ends.
    CallEnd {
        /// The call's.
        index: u32,
        /// Whether it may be run.
        status: CallStatus,
    },
    /// A block that is no usable call.
    Unparsed {
        /// Its call's, if one had begun.
        index: Option<u32>,
        /// The diagnostic that says why.
        reason: &'static str,
        /// The call's name, if known.
        name: String,
        /// The block as it was on the wire, with [`DecoderOption::KeepRaw`].
        ///
        /// [`DecoderOption::KeepRaw`]: crate::DecoderOption::KeepRaw
        raw: Vec<u8>,
    },
    /// A deviation, which was repaired, or a warning.
    Diagnostic {
        /// Its name; `toolwire explain NAME` explains it.
        name: &'static str,
        /// The bytes of the event's span were dropped.
        dropped: bool,
        /// No deviation: strict mode does not refuse it.
        warning: bool,
        /// Of `foreign_marker` the format's name, of a schema's the path.
        about: String,
    },
    /// Markers and framing blanks, with [`DecoderOption::Framing`].
    ///
    /// [`DecoderOption::Framing`]: crate::DecoderOption::Framing
    Framing,
    /// The last one.
    End {
        /// What `finish` was given.
        finish: Finish,
    },
}

fn diagnostic(code: u32) -> &'static str {
    unsafe { sys::tw_diagnostic_get(code).as_ref() }.map_or("", |row| raw::constant(row.name))
}

impl Event {
    /// A copy of C's, which lives until the next call.
    ///
    /// # Safety
    /// |event| is what `tw_decoder_next()` just gave.
    pub(crate) unsafe fn copy(event: *const sys::tw_event) -> Event {
        let its = unsafe { &*event };
        let data = unsafe { raw::bytes(its.data, its.size) };
        let id = raw::text(unsafe { raw::bytes(its.id, its.id_size) });
        let index = its.index;
        let what = match its.kind {
            1 => What::Text { segment: index, data: raw::text(data) },
            2 => What::Reasoning { segment: index, data: raw::text(data) },
            3 => What::CallBegin {
                index,
                name: raw::text(data),
                id,
                custom: its.flags & 1 != 0,
            },
            4 => What::CallArguments { index, data: raw::text(data) },
            5 => What::CallEnd {
                index,
                status: match its.code {
                    1 => CallStatus::Complete,
                    2 => CallStatus::Incomplete,
                    _ => CallStatus::Malformed,
                },
            },
            6 => What::Unparsed {
                index: (index != u32::MAX).then_some(index),
                reason: diagnostic(its.code),
                name: id,
                raw: data.to_vec(),
            },
            7 => What::Diagnostic {
                name: diagnostic(its.code),
                dropped: its.flags & 2 != 0,
                warning: its.flags & 4 != 0,
                about: id,
            },
            8 => What::Framing,
            _ => What::End {
                finish: match its.code {
                    1 => Finish::Stop,
                    2 => Finish::Length,
                    _ => Finish::Unknown,
                },
            },
        };
        Event { offset: its.offset, span: its.span, what }
    }
}
