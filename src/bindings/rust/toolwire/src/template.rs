// SPDX-License-Identifier: MIT
//! Chat templates: what writes a model's own prompts.

use std::{ffi::CString, ptr, sync::Arc};

use toolwire_sys as sys;

use crate::{raw, Converter, Error, Format, Result};

struct Loaded(*mut sys::tw_template);

// A template is constant.
unsafe impl Send for Loaded {}
unsafe impl Sync for Loaded {}

impl Drop for Loaded {
    fn drop(&mut self) {
        unsafe { sys::tw_template_free(self.0) }
    }
}

/// A chat template, as Hugging Face's models have them.
#[derive(Clone)]
pub struct Template(Arc<Loaded>);

/// In which format a template writes calls.
pub struct Detection {
    /// None: no format reads them.
    pub format: Option<Format>,
    /// The generation prompt ends inside reasoning.
    pub starts_in_reasoning: bool,
    /// Other formats that read a call and a text.
    pub others: Vec<Format>,
}

impl Template {
    /// Of Jinja, or of JSON whose `chat_template` it is.
    ///
    /// # Errors
    /// Line and column, and what is wrong there.
    pub fn load(text: &str) -> Result<Template> {
        Self::load_with(text, None, None)
    }

    /// With |config|, tokenizer_config.json, for its special tokens; |name| says
    /// which of several templates.
    ///
    /// # Errors
    /// As [`Template::load`].
    pub fn load_with(text: &str, config: Option<&str>, name: Option<&str>) -> Result<Template> {
        let name = name
            .map(CString::new)
            .transpose()
            .map_err(|_| Error::argument("a template's name has no NUL"))?;
        let source = sys::tw_template_source {
            text: raw::pointer(text.as_bytes()),
            size: text.len(),
            config: config.map_or(ptr::null(), |one| raw::pointer(one.as_bytes())),
            config_size: config.map_or(0, str::len),
            name: name.as_ref().map_or(ptr::null(), |one| one.as_ptr()),
        };
        let mut handle = ptr::null_mut();
        let mut why = Error::place();
        let code =
            unsafe { sys::tw_template_load(&source, ptr::null(), &mut handle, &mut why) };
        if handle.is_null() {
            return Err(Error::at(code, &why));
        }
        Ok(Template(Arc::new(Loaded(handle))))
    }

    /// The format in which the template writes calls.  Takes some hundredths of
    /// a second.
    ///
    /// # Errors
    /// There is no memory.
    pub fn detect(&self) -> Result<Detection> {
        let found = unsafe { sys::tw_template_detect(self.handle(), ptr::null()) };
        if found.is_null() {
            return Err(Error::memory());
        }
        let made = Detection {
            format: Format::built_in(unsafe { sys::tw_detection_format(found) }),
            starts_in_reasoning: unsafe { sys::tw_detection_starts_in_reasoning(found) } == 1,
            others: (0..)
                .map_while(|i| Format::built_in(unsafe { sys::tw_detection_other(found, i) }))
                .collect(),
        };
        unsafe { sys::tw_detection_free(found) };
        Ok(made)
    }

    /// {"messages"} of a whole conversation that the template wrote, as JSON;
    /// |format| reads the model's own turns, or None: the one that the template
    /// tells.  What was read is written again: an error, if that is another
    /// text.  For tools, settings or another day than today there is
    /// [`Converter::set_template`].
    ///
    /// # Errors
    /// The template does not write that; no format is told.
    pub fn decode_transcript(
        &self,
        text: impl AsRef<[u8]>,
        format: Option<&Format>,
    ) -> Result<String> {
        let told = if format.is_none() { self.detect()?.format } else { None };
        let format = format.or(told.as_ref()).ok_or_else(|| {
            Error::argument(
                "no format that is built in reads what this template writes: name one",
            )
        })?;
        let mut converter = Converter::new(format, "openai")?;
        converter.set_template(self)?;
        converter.transcript(text)
    }

    pub(crate) fn handle(&self) -> *const sys::tw_template {
        self.0 .0
    }
}
