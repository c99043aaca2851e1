// SPDX-License-Identifier: MIT
//! Records from one form to another.

use std::{ffi::CString, fmt, ptr};

use toolwire_sys as sys;

use crate::{
    encoder::reports, format::is_shape, raw, shapes, Error, Finish, Format, Report, Result,
    Template,
};

/// One end of a converter.
#[derive(Clone, Debug)]
pub enum End {
    /// A wire format.
    Format(Format),
    /// A shape of records by its name, "message" or "report".
    Named(String),
}

impl From<&str> for End {
    /// A shape of records; a format must be said as one.
    fn from(name: &str) -> End {
        End::Named(name.to_owned())
    }
}

impl From<&Format> for End {
    fn from(format: &Format) -> End {
        End::Format(format.clone())
    }
}

impl fmt::Display for End {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Format(format) => to.write_str(format.name()),
            End::Named(name) => write!(to, "{name:?}"),
        }
    }
}

/// Options of a converter alone, each with what it takes and its default; it
/// takes those of a decoder, a writer and an encoder, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConverterOption {
    /// `bool`: a format's text is what the model wrote last, not the whole
    /// conversation (false).
    UnitCompletion = 70,
    /// `bool`: to "openai", arguments are objects, not strings (false).
    ArgumentsObject = 71,
}

raw::numbers!(u32: ConverterOption);

/// Where in a record something stands ("a.b"), each with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConverterText {
    /// The text ("text").
    Field = 5,
    /// The list of messages of "openai" ("messages").
    Messages = 10,
    /// The end of the text's prompt ("prompt"; "": nowhere).
    PromptField = 12,
    /// Why the text ended, in an API's words ("finish_reason"; "": nowhere).
    FinishField = 13,
}

/// Turns one record after another.
pub struct Converter {
    handle: *mut sys::tw_converter,
    _ends: (End, End), // their formats outlive the converter
    _wire: Option<Format>,
    _template: Option<Template>,
}

// One object, one thread at a time.
unsafe impl Send for Converter {}

impl Drop for Converter {
    fn drop(&mut self) {
        unsafe { sys::tw_converter_free(self.handle) }
    }
}

struct Said {
    format: *const sys::tw_format,
    name: Option<CString>,
}

fn say(end: &End) -> Result<Said> {
    Ok(match end {
        End::Format(format) => Said { format: format.handle(), name: None },
        End::Named(name) => Said {
            format: ptr::null(),
            name: Some(
                CString::new(name.as_str()).map_err(|_| Error::argument("a name with a NUL"))?,
            ),
        },
    })
}

fn name_of(said: &Said) -> *const std::ffi::c_char {
    said.name.as_ref().map_or(ptr::null(), |name| name.as_ptr())
}

/// Why no converter leads from the one to the other.
fn no_way(from: &End, to: &End) -> Error {
    for end in [from, to] {
        match end {
            End::Named(name) if name != "message" && name != "report" && !is_shape(name) => {
                if let Err(unknown) = Format::find(name) {
                    let shapes: Vec<_> = shapes().map(|shape| shape.name).collect();
                    let shapes = shapes.join(", ");
                    return Error::argument(&format!("{}; shapes are {shapes}", unknown.message));
                }
            }
            _ => {}
        }
    }
    Error::argument(&format!(
        "no way leads from {from} to {to}: \"message\" and \"report\" are made of a format's \
         text, and what is read only is no target"
    ))
}

type Turn = unsafe extern "C" fn(
    *mut sys::tw_converter,
    *const std::ffi::c_char,
    usize,
    *mut *const std::ffi::c_char,
    *mut usize,
) -> i32;

impl Converter {
    /// From a format to "message" or "report"; from a format or a shape to
    /// another.
    ///
    /// # Errors
    /// There is no such way, or no memory.
    pub fn new(from: impl Into<End>, to: impl Into<End>) -> Result<Converter> {
        let ends = (from.into(), to.into());
        let (from, to) = (say(&ends.0)?, say(&ends.1)?);
        let handle = unsafe {
            sys::tw_converter_between(
                from.format,
                name_of(&from),
                to.format,
                name_of(&to),
                ptr::null(),
            )
        };
        if handle.is_null() {
            return Err(no_way(&ends.0, &ends.1));
        }
        Ok(Converter { handle, _ends: ends, _wire: None, _template: None })
    }

    fn check(&self, result: i32) -> Result<()> {
        if result >= 0 {
            return Ok(());
        }
        Err(unsafe { Error::of(result, sys::tw_converter_error(self.handle)) })
    }

    /// Sets an option: a [`ConverterOption`], or one of a decoder, a writer or an
    /// encoder.
    ///
    /// # Errors
    /// It has no such option, or a value is out of range.
    pub fn set(&mut self, option: impl Into<u32>, value: impl Into<i64>) -> Result<()> {
        let result =
            unsafe { sys::tw_converter_set(self.handle, option.into(), value.into()) };
        self.check(result)
    }

    /// Says where in a record something stands.
    ///
    /// # Errors
    /// The converter reads no such text; no memory.
    pub fn set_text(&mut self, which: ConverterText, path: &str) -> Result<()> {
        self.set_its(which as u32, path)
    }

    /// The format of the text that assistants have in records of a shape.
    ///
    /// # Errors
    /// Neither end has such text, or it is set.
    pub fn set_wire(&mut self, wire: &Format) -> Result<()> {
        let result = unsafe { sys::tw_converter_set_wire(self.handle, wire.handle()) };
        self.check(result)?;
        self._wire = Some(wire.clone());
        Ok(())
    }

    /// The tools that were declared, a JSON array.
    ///
    /// # Errors
    /// No list of tools.
    pub fn set_tools(&mut self, json: &str) -> Result<()> {
        let data = json.as_bytes();
        let result =
            unsafe { sys::tw_converter_set_tools(self.handle, raw::pointer(data), data.len()) };
        self.check(result)
    }

    /// The end of the prompt of every record's text, which tells where the
    /// text begins.
    ///
    /// # Errors
    /// The converter reads no text of a format; no memory.
    pub fn set_prompt(&mut self, tail: impl AsRef<[u8]>) -> Result<()> {
        let tail = tail.as_ref();
        let result =
            unsafe { sys::tw_converter_set_prompt(self.handle, raw::pointer(tail), tail.len()) };
        self.check(result)
    }

    /// Why every record's text ended; else the record may say it.
    ///
    /// # Errors
    /// The converter reads no text of a format.
    pub fn set_finish(&mut self, finish: Finish) -> Result<()> {
        let result = unsafe { sys::tw_converter_set_finish(self.handle, finish as u32) };
        self.check(result)
    }

    /// Transcripts are what |template| writes: see
    /// [`Template::decode_transcript`].
    ///
    /// # Errors
    /// The converter is not from a format to "openai"; no memory.
    pub fn set_template(&mut self, template: &Template) -> Result<()> {
        let result = unsafe { sys::tw_converter_set_template(self.handle, template.handle()) };
        self.check(result)?;
        self._template = Some(template.clone());
        Ok(())
    }

    /// The chat_template_kwargs that the template's prompts were made with, a
    /// JSON object.
    ///
    /// # Errors
    /// No JSON object; no template is set.
    pub fn set_settings(&mut self, json: &str) -> Result<()> {
        self.set_its(6, json)
    }

    /// The time that the template's prompts show, as "2026-11-25T12:00:00".
    ///
    /// # Errors
    /// No such time; no template is set.
    pub fn set_now(&mut self, time: &str) -> Result<()> {
        self.set_its(14, time)
    }

    fn set_its(&mut self, which: u32, text: &str) -> Result<()> {
        let data = text.as_bytes();
        let result = unsafe {
            sys::tw_converter_set_text(self.handle, which, raw::pointer(data), data.len())
        };
        self.check(result)
    }

    fn turn(&mut self, function: Turn, data: &[u8]) -> Result<String> {
        let mut out = ptr::null();
        let mut size = 0;
        let result =
            unsafe { function(self.handle, raw::pointer(data), data.len(), &mut out, &mut size) };
        self.check(result)?;
        Ok(raw::text(unsafe { raw::bytes(out, size) }))
    }

    /// One JSON record in, one out.
    ///
    /// # Errors
    /// The record is none of its shape; the converter takes the next one.
    pub fn record(&mut self, record: &str) -> Result<String> {
        self.turn(sys::tw_converter_record, record.as_bytes())
    }

    /// The same for text that is not wrapped in JSON.
    ///
    /// # Errors
    /// As [`Converter::record`].
    pub fn text(&mut self, text: impl AsRef<[u8]>) -> Result<String> {
        self.turn(sys::tw_converter_text, text.as_ref())
    }

    /// A whole conversation as {"messages", "tools"}; the converter is from a
    /// format to "openai".
    ///
    /// # Errors
    /// Of the format no prompts are read; else as [`Converter::record`].
    pub fn transcript(&mut self, text: impl AsRef<[u8]>) -> Result<String> {
        self.turn(sys::tw_decode_transcript, text.as_ref())
    }

    /// What of the last record was lost, or written otherwise.
    pub fn reports(&mut self) -> Vec<Report> {
        reports(|i, row| unsafe { sys::tw_converter_report(self.handle, i, row) })
    }
}

/// The OpenAI message of a whole completion, as JSON.
///
/// # Errors
/// No memory, or a limit was passed.
pub fn decode(text: impl AsRef<[u8]>, format: &Format) -> Result<String> {
    Converter::new(format, "message")?.text(text)
}

/// One record of a shape as a record of another.
///
/// # Errors
/// As [`Converter::record`].
pub fn convert(record: &str, from: impl Into<End>, to: impl Into<End>) -> Result<String> {
    Converter::new(from, to)?.record(record)
}
