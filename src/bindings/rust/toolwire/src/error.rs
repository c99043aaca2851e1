// SPDX-License-Identifier: MIT
//! What the library refuses, and where.

use std::fmt;

use toolwire_sys as sys;

use crate::raw;

/// [`std::result::Result`] with the library's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// An error of the library: a code, a message, a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// One of TW_ERROR_*, a negative number; see [`Error::name`].
    pub code: i32,
    /// Of a deviation that strict mode refuses its diagnostic's code; of a
    /// loss that was refused the loss's; else 0.
    pub detail: i32,
    /// In bytes from the start of the input.
    pub offset: u64,
    /// What is wrong, in one line.
    pub message: String,
    /// Where in a JSON record, such as "messages\[2\].content".
    pub path: Option<String>,
}

const CONTROL_TEXT: i32 = -20;

impl Error {
    /// A value that cannot be taken.
    pub(crate) fn argument(message: &str) -> Self {
        Self::bare(-1, message)
    }

    pub(crate) fn memory() -> Self {
        Self::bare(-3, "no memory")
    }

    pub(crate) fn bare(code: i32, message: &str) -> Self {
        Error { code, detail: 0, offset: 0, message: message.to_owned(), path: None }
    }

    /// What a writer refuses: C says no more than the code.
    pub(crate) fn of_writer(code: i32) -> Self {
        Self::bare(
            code,
            match code {
                -1 => "the stream's API takes no such option or text, or not this value",
                -2 => "the stream has begun or is over: set this before the first bytes, or reset",
                -12 => "the usage is no JSON object",
                _ => "no memory",
            },
        )
    }

    /// Where C says the place in a text that does not load.
    pub(crate) fn place() -> sys::tw_format_error {
        sys::tw_format_error { code: 0, offset: 0, message: [0; 320] }
    }

    /// What C said there.
    pub(crate) fn at(code: i32, place: &sys::tw_format_error) -> Self {
        let message = raw::copy(place.message.as_ptr()).unwrap_or_default();
        Error { offset: place.offset, ..Self::bare(code, &message) }
    }

    /// A copy of what C says; NULL: nothing but the code is known.
    ///
    /// # Safety
    /// |error| is NULL or an error of an object that lives.
    pub(crate) unsafe fn of(code: i32, error: *const sys::tw_error) -> Self {
        if error.is_null() {
            return Self::bare(code, "the value cannot be taken");
        }
        let error = unsafe { &*error };
        let mut message = raw::copy(error.message).unwrap_or_default();
        if code == CONTROL_TEXT {
            message.push_str(" (EncoderOption::ControlText: ControlText::Break, ControlText::Allow)");
        }
        Error {
            code,
            detail: error.detail,
            offset: error.offset,
            message,
            path: raw::copy(error.path).filter(|path| !path.is_empty()),
        }
    }

    /// The code's name, "TW_ERROR_LIMIT".
    pub fn name(&self) -> &'static str {
        raw::constant(unsafe { sys::tw_error_name(self.code) })
    }

    /// The name of the deviation or loss that [`Error::detail`] is.
    pub fn detail_name(&self) -> Option<&'static str> {
        let code = u32::try_from(self.detail).ok()?;
        let diagnostic = unsafe { sys::tw_diagnostic_get(code).as_ref() };
        let loss = unsafe { sys::tw_loss_get(code).as_ref() };
        diagnostic
            .map(|row| raw::constant(row.name))
            .or(loss.map(|row| raw::constant(row.name)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} at {}", self.name(), self.offset)?;
        if let Some(path) = &self.path {
            write!(to, " ({path})")?;
        }
        write!(to, ": {}", self.message)
    }
}

impl std::error::Error for Error {}
