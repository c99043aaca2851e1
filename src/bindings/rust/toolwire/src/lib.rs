// SPDX-License-Identifier: MIT
//! From what language models write when they call tools to OpenAI's JSON, while
//! it streams, and back.
//!
//! ```
//! use toolwire::{Decoder, Finish, Format, What};
//!
//! let format = Format::find("hermes")?;
//! let mut decoder = Decoder::new(&format)?;
//! let mut arguments = String::new();
//! for piece in ["<tool_call>{\"name\": \"tide\", \"arg", "uments\": {}}</tool_call>"] {
//!     for event in decoder.events(piece)? {
//!         if let What::CallArguments { data, .. } = event?.what {
//!             arguments.push_str(&data);
//!         }
//!     }
//! }
//! for event in decoder.finish(Finish::Stop)? {
//!     event?;
//! }
//! assert_eq!(arguments, "{}");
//! # Ok::<(), toolwire::Error>(())
//! ```
//!
//! The work is done by the C library, which has no state of its own: an object
//! may go to another thread, and is used by one at a time.  Nothing here
//! panics, and no panic of a caller's passes through C.

#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod convert;
mod decoder;
mod encoder;
mod error;
mod event;
mod format;
mod grammar;
#[cfg(feature = "async")]
mod asynchronous;
mod raw;
mod read;
mod stream;
mod template;

#[cfg(feature = "async")]
pub use asynchronous::AsyncEvents;
pub use convert::{convert, decode, Converter, ConverterOption, ConverterText, End};
pub use decoder::{Decoder, DecoderOption, Events, Mark, Untyped, Validate};
pub use encoder::{
    encode, encode_completion, ControlText, Encoder, EncoderOption, Ids, Loss, Report, Segment,
    Span,
};
pub use error::{Error, Result};
pub use event::{CallStatus, Event, Finish, What};
pub use format::{shapes, Format, Marker, Setting, Shape};
pub use grammar::{grammar, words_for_model, GrammarOptions, GrammarStart, GrammarTarget};
pub use read::EventReader;
pub use stream::{Api, Stream, WriterOption, WriterText};
pub use template::{Detection, Template};

/// The version of the C library, as "MAJOR.MINOR.PATCH".
pub fn version() -> &'static str {
    raw::constant(unsafe { toolwire_sys::tw_version() })
}
