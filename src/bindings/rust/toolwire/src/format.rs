// SPDX-License-Identifier: MIT
//! Wire formats, built in or loaded, and shapes of records.

use std::{ffi::CString, fmt, ptr, sync::Arc};

use toolwire_sys as sys;

use crate::{raw, Error, Result};

/// Made by `tw_format_load()`, and freed with the last that uses it.
struct Loaded(*mut sys::tw_format);

// A format is constant.
unsafe impl Send for Loaded {}
unsafe impl Sync for Loaded {}

impl Drop for Loaded {
    fn drop(&mut self) {
        unsafe { sys::tw_format_free(self.0) }
    }
}

/// A dialect of a wire format, such as "hermes/qwen3".
#[derive(Clone)]
pub struct Format {
    handle: *const sys::tw_format,
    _loaded: Option<Arc<Loaded>>,
}

// A format is constant.
unsafe impl Send for Format {}
unsafe impl Sync for Format {}

impl Format {
    /// By name, "hermes" or "hermes/qwen3", or by that of a model:
    /// "Qwen/Qwen3-8B".
    ///
    /// # Errors
    /// There is none; the message names those that are near.
    pub fn find(name: &str) -> Result<Format> {
        let found = CString::new(name)
            .ok()
            .and_then(|name| Self::built_in(unsafe { sys::tw_format_find(name.as_ptr()) }));
        found.ok_or_else(|| {
            let near = Self::near(name).join(", ");
            let meant = if is_shape(name) {
                "a shape of records, which a Converter takes".to_owned()
            } else if name.ends_with(".json") {
                "Format::load() takes the text of a description".to_owned()
            } else if near.is_empty() {
                "Format::all() lists them".to_owned()
            } else {
                format!("did you mean {near}?")
            };
            Error::argument(&format!("there is no format '{name}' ({meant})"))
        })
    }

    /// The names that are near one that is unknown.
    pub fn near(name: &str) -> Vec<&'static str> {
        let Ok(name) = CString::new(name) else { return Vec::new() };
        (0..)
            .map(|i| unsafe { sys::tw_format_near(name.as_ptr(), i) })
            .take_while(|text| !text.is_null())
            .map(raw::constant)
            .collect()
    }

    pub(crate) fn built_in(handle: *const sys::tw_format) -> Option<Format> {
        (!handle.is_null()).then_some(Format { handle, _loaded: None })
    }

    /// All that are built in.
    pub fn all() -> impl Iterator<Item = Format> {
        (0..).map_while(|i| Self::built_in(unsafe { sys::tw_format_at(i) }))
    }

    /// A format of a description (docs/describing.md), or of Hugging Face's
    /// response_template.
    ///
    /// # Errors
    /// The place in the description, and what is wrong there.
    pub fn load(description: &str) -> Result<Format> {
        let mut handle = ptr::null_mut();
        let mut why = Error::place();
        let code = unsafe {
            sys::tw_format_load(
                raw::pointer(description.as_bytes()),
                description.len(),
                ptr::null(),
                &mut handle,
                &mut why,
            )
        };
        if handle.is_null() {
            return Err(Error::at(code, &why));
        }
        Ok(Format { handle, _loaded: Some(Arc::new(Loaded(handle))) })
    }

    pub(crate) fn handle(&self) -> *const sys::tw_format {
        self.handle
    }

    fn constant(&self, text: *const std::ffi::c_char) -> &str {
        raw::constant(text) // lives as long as the format
    }

    /// Its canonical name.
    pub fn name(&self) -> &str {
        self.constant(unsafe { sys::tw_format_name(self.handle) })
    }

    /// One line on what it is.
    pub fn about(&self) -> &str {
        self.constant(unsafe { sys::tw_format_about(self.handle) })
    }

    /// A shorter name, such as "hermes".
    pub fn alias(&self) -> Option<&str> {
        let text = unsafe { sys::tw_format_alias(self.handle) };
        (!text.is_null()).then(|| self.constant(text))
    }

    /// The models that write it.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        (0..)
            .map(move |i| unsafe { sys::tw_format_model(self.handle, i) })
            .take_while(|text| !text.is_null())
            .map(move |text| self.constant(text))
    }

    /// Whether prompts are written; else completions only.
    pub fn has_prompts(&self) -> bool {
        unsafe { sys::tw_format_has_prompts(self.handle) == 1 }
    }

    /// What a server must preserve, stop at, trigger on.
    pub fn markers(&self) -> impl Iterator<Item = Marker<'_>> {
        (0..).map_while(move |i| {
            let mut marker = ptr::null();
            let there = unsafe { sys::tw_format_marker(self.handle, i, &mut marker) };
            (there == 1).then(|| Marker { row: unsafe { &*marker } })
        })
    }

    /// What of a request changes the prompt: members of its
    /// `chat_template_kwargs`, or of [`crate::Encoder::set_settings`].
    pub fn settings(&self) -> impl Iterator<Item = Setting<'_>> {
        (0..).map_while(move |i| {
            let mut setting = ptr::null();
            let there = unsafe { sys::tw_format_setting(self.handle, i, &mut setting) };
            (there == 1).then(|| {
                let row: &sys::tw_setting = unsafe { &*setting };
                Setting {
                    name: self.constant(row.name),
                    takes: self.constant(row.type_),
                    about: self.constant(row.about),
                }
            })
        })
    }

    /// The description as JSON, which loads back to the same format; None for
    /// formats that are programs.
    pub fn describe(&self) -> Option<String> {
        let size = unsafe { sys::tw_format_describe(self.handle, ptr::null_mut(), 0) };
        let mut json = vec![0u8; size];
        unsafe { sys::tw_format_describe(self.handle, json.as_mut_ptr().cast(), size) };
        (size > 0).then(|| raw::text(&json))
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Format({:?})", self.name())
    }
}

/// A byte string that structures the wire.
#[derive(Clone, Copy)]
pub struct Marker<'a> {
    row: &'a sys::tw_marker,
}

impl<'a> Marker<'a> {
    /// The marker itself.
    pub fn text(&self) -> &'a str {
        raw::constant(self.row.text)
    }

    /// One token of the model's vocabulary, which a server must preserve.
    pub fn is_token(&self) -> bool {
        self.row.token == 1
    }

    /// Generation ends at it.
    pub fn is_stop(&self) -> bool {
        self.row.stop == 1
    }

    /// Structure in a completion; else in prompts only.
    pub fn is_decoded(&self) -> bool {
        self.row.decoded == 1
    }
}

/// What of a request changes a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<'a> {
    /// "enable_thinking"
    pub name: &'a str,
    /// "boolean", "string" or "array"
    pub takes: &'a str,
    /// What it changes, one line.
    pub about: &'a str,
}

/// A shape of JSON records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// "openai", "anthropic", ...
    pub name: &'static str,
    /// One line on what it reads and writes.
    pub about: &'static str,
}

pub(crate) fn is_shape(name: &str) -> bool {
    shapes().any(|shape| shape.name == name)
}

/// All shapes of records.
pub fn shapes() -> impl Iterator<Item = Shape> {
    (0..).map_while(|i| {
        let shape = unsafe { sys::tw_record_shape_at(i) };
        (!shape.is_null()).then(|| Shape {
            name: raw::constant(unsafe { sys::tw_record_shape_name(shape) }),
            about: raw::constant(unsafe { sys::tw_record_shape_about(shape) }),
        })
    })
}
