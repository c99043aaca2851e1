// SPDX-License-Identifier: MIT
//! What C hands out, as slices and texts.

use std::ffi::{c_char, CStr};

/// A text that C never frees and that is ASCII; "" for NULL.
pub(crate) fn constant(text: *const c_char) -> &'static str {
    if text.is_null() {
        return "";
    }
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}

/// A text of C's, ended by a NUL, or None for NULL.
pub(crate) fn copy(text: *const c_char) -> Option<String> {
    (!text.is_null()).then(|| {
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    })
}

/// The bytes at |data|.
///
/// # Safety
/// |data| is NULL, or |size| bytes stand there for as long as 'a.
pub(crate) unsafe fn bytes<'a>(data: *const c_char, size: usize) -> &'a [u8] {
    if data.is_null() || size == 0 {
        return &[];
    }
    unsafe { std::slice::from_raw_parts(data.cast(), size) }
}

/// The library writes UTF-8 where it says text; what it keeps of the wire as
/// it was may be anything.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn pointer(bytes: &[u8]) -> *const c_char {
    bytes.as_ptr().cast()
}

/// Enums of C's numbers are numbers.
macro_rules! numbers {
    ($to:ty: $($from:ty),*) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> $to {
                value as $to
            }
        }
    )*};
}
pub(crate) use numbers;
