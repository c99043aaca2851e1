// SPDX-License-Identifier: MIT
//! What `toolwire.h` declares, as it is there.  The header is the manual; the
//! crate `toolwire` is the safe way to use it.

#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};

macro_rules! opaque {
    ($($name:ident)*) => {$(
        /// Known to the library alone.
        #[repr(C)]
        pub struct $name {
            _data: [u8; 0],
            _pin: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
        }
    )*};
}

opaque!(tw_format tw_decoder tw_writer tw_encoder tw_converter tw_record_shape);
opaque!(tw_template tw_detection tw_grammar);

/// `tw_error`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_error {
    pub code: i32,
    pub detail: i32,
    pub offset: u64,
    pub message: *const c_char,
    pub path: *const c_char,
}

/// `tw_format_error`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_format_error {
    pub code: i32,
    pub offset: u64,
    pub message: [c_char; 320],
}

/// `tw_marker`.
#[repr(C)]
pub struct tw_marker {
    pub text: *const c_char,
    pub size: usize,
    pub role: u32,
    pub token: u8,
    pub literal: u8,
    pub stop: u8,
    pub decoded: u8,
}

/// `tw_setting`.
#[repr(C)]
pub struct tw_setting {
    pub name: *const c_char,
    pub type_: *const c_char,
    pub about: *const c_char,
}

/// `tw_event`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_event {
    pub kind: u32,
    pub index: u32,
    pub code: u32,
    pub flags: u32,
    pub data: *const c_char,
    pub size: usize,
    pub id: *const c_char,
    pub id_size: usize,
    pub offset: u64,
    pub span: u64,
}

/// `tw_diagnostic`.
#[repr(C)]
pub struct tw_diagnostic {
    pub code: u32,
    pub warning: u32,
    pub name: *const c_char,
    pub text: *const c_char,
}

/// `tw_loss`.
#[repr(C)]
pub struct tw_loss {
    pub code: u32,
    pub kind: u32,
    pub severity: u32,
    pub name: *const c_char,
    pub text: *const c_char,
}

/// `tw_segment`.
#[repr(C)]
pub struct tw_segment {
    pub control: u32,
    pub data: *const c_char,
    pub size: usize,
}

/// `tw_template_source`.
#[repr(C)]
pub struct tw_template_source {
    pub text: *const c_char,
    pub size: usize,
    pub config: *const c_char,
    pub config_size: usize,
    pub name: *const c_char,
}

/// `tw_span`.
#[repr(C)]
pub struct tw_span {
    pub start: u64,
    pub end: u64,
    pub message: i64,
    pub part: *const c_char,
    pub sampled: u32,
}

/// `tw_grammar_options`.
#[repr(C)]
pub struct tw_grammar_options {
    pub target: u32,
    pub start: u32,
    pub choice: *const c_char,
    pub parallel: c_int,
    pub wider: c_int,
    pub special_tokens: *const c_char,
    pub special_size: usize,
}

extern "C" {
    pub fn tw_version() -> *const c_char;
    pub fn tw_error_name(code: i32) -> *const c_char;

    pub fn tw_format_find(name: *const c_char) -> *const tw_format;
    pub fn tw_format_at(i: usize) -> *const tw_format;
    pub fn tw_format_name(format: *const tw_format) -> *const c_char;
    pub fn tw_format_about(format: *const tw_format) -> *const c_char;
    pub fn tw_format_alias(format: *const tw_format) -> *const c_char;
    pub fn tw_format_model(format: *const tw_format, i: usize) -> *const c_char;
    pub fn tw_format_near(name: *const c_char, i: usize) -> *const c_char;
    pub fn tw_format_has_prompts(format: *const tw_format) -> c_int;
    pub fn tw_format_marker(
        format: *const tw_format,
        i: usize,
        marker: *mut *const tw_marker,
    ) -> c_int;
    pub fn tw_format_setting(
        format: *const tw_format,
        i: usize,
        setting: *mut *const tw_setting,
    ) -> c_int;
    pub fn tw_format_load(
        json: *const c_char,
        size: usize,
        allocator: *const c_void,
        format: *mut *mut tw_format,
        error: *mut tw_format_error,
    ) -> c_int;
    pub fn tw_format_describe(format: *const tw_format, json: *mut c_char, room: usize) -> usize;
    pub fn tw_format_free(format: *mut tw_format);

    pub fn tw_diagnostic_get(code: u32) -> *const tw_diagnostic;
    pub fn tw_loss_get(code: u32) -> *const tw_loss;

    pub fn tw_decoder_new(format: *const tw_format, allocator: *const c_void) -> *mut tw_decoder;
    pub fn tw_decoder_set(decoder: *mut tw_decoder, option: u32, value: i64) -> c_int;
    pub fn tw_decoder_set_text(
        decoder: *mut tw_decoder,
        text: u32,
        data: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_decoder_set_tools(
        decoder: *mut tw_decoder,
        json: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_decoder_set_prompt(
        decoder: *mut tw_decoder,
        tail: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_decoder_feed(
        decoder: *mut tw_decoder,
        data: *const c_char,
        size: usize,
        mark: u32,
    ) -> c_int;
    pub fn tw_decoder_finish(decoder: *mut tw_decoder, finish: u32) -> c_int;
    pub fn tw_decoder_next(decoder: *mut tw_decoder, event: *mut *const tw_event) -> c_int;
    pub fn tw_decoder_reset(decoder: *mut tw_decoder);
    pub fn tw_decoder_free(decoder: *mut tw_decoder);
    pub fn tw_decoder_error(decoder: *const tw_decoder) -> *const tw_error;

    pub fn tw_writer_new(shape: u32, allocator: *const c_void) -> *mut tw_writer;
    pub fn tw_writer_set(writer: *mut tw_writer, option: u32, value: i64) -> c_int;
    pub fn tw_writer_set_text(
        writer: *mut tw_writer,
        text: u32,
        data: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_writer_event(writer: *mut tw_writer, event: *const tw_event) -> c_int;
    pub fn tw_writer_error(writer: *const tw_writer) -> *const tw_error;
    pub fn tw_writer_fail(writer: *mut tw_writer, error: *const tw_error) -> c_int;
    pub fn tw_writer_take(
        writer: *mut tw_writer,
        line: *mut *const c_char,
        size: *mut usize,
    ) -> c_int;
    pub fn tw_writer_reset(writer: *mut tw_writer);
    pub fn tw_writer_free(writer: *mut tw_writer);

    pub fn tw_encoder_new(format: *const tw_format, allocator: *const c_void) -> *mut tw_encoder;
    pub fn tw_encoder_set(encoder: *mut tw_encoder, option: u32, value: i64) -> c_int;
    pub fn tw_encoder_set_text(
        encoder: *mut tw_encoder,
        text: u32,
        data: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_encoder_request(
        encoder: *mut tw_encoder,
        json: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_encoder_next(encoder: *mut tw_encoder, segment: *mut *const tw_segment) -> c_int;
    pub fn tw_encoder_report(
        encoder: *mut tw_encoder,
        i: usize,
        report: *mut *const tw_error,
    ) -> c_int;
    pub fn tw_encoder_error(encoder: *const tw_encoder) -> *const tw_error;
    pub fn tw_encoder_free(encoder: *mut tw_encoder);
    pub fn tw_encode(
        encoder: *mut tw_encoder,
        json: *const c_char,
        size: usize,
        text: *mut *const c_char,
        text_size: *mut usize,
    ) -> c_int;
    pub fn tw_encode_completion(
        encoder: *mut tw_encoder,
        json: *const c_char,
        size: usize,
        text: *mut *const c_char,
        text_size: *mut usize,
    ) -> c_int;

    pub fn tw_record_shape_at(i: usize) -> *const tw_record_shape;
    pub fn tw_record_shape_name(shape: *const tw_record_shape) -> *const c_char;
    pub fn tw_record_shape_about(shape: *const tw_record_shape) -> *const c_char;

    pub fn tw_converter_between(
        from_format: *const tw_format,
        from: *const c_char,
        to_format: *const tw_format,
        to: *const c_char,
        allocator: *const c_void,
    ) -> *mut tw_converter;
    pub fn tw_converter_set(converter: *mut tw_converter, option: u32, value: i64) -> c_int;
    pub fn tw_converter_set_text(
        converter: *mut tw_converter,
        text: u32,
        data: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_converter_set_wire(converter: *mut tw_converter, wire: *const tw_format) -> c_int;
    pub fn tw_converter_set_template(
        converter: *mut tw_converter,
        template: *const tw_template,
    ) -> c_int;
    pub fn tw_decode_transcript(
        converter: *mut tw_converter,
        text: *const c_char,
        size: usize,
        json: *mut *const c_char,
        json_size: *mut usize,
    ) -> c_int;
    pub fn tw_converter_set_tools(
        converter: *mut tw_converter,
        json: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_converter_set_prompt(
        converter: *mut tw_converter,
        tail: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn tw_converter_set_finish(converter: *mut tw_converter, finish: u32) -> c_int;
    pub fn tw_converter_record(
        converter: *mut tw_converter,
        record: *const c_char,
        size: usize,
        out: *mut *const c_char,
        out_size: *mut usize,
    ) -> c_int;
    pub fn tw_converter_text(
        converter: *mut tw_converter,
        text: *const c_char,
        size: usize,
        out: *mut *const c_char,
        out_size: *mut usize,
    ) -> c_int;
    pub fn tw_converter_report(
        converter: *mut tw_converter,
        i: usize,
        report: *mut *const tw_error,
    ) -> c_int;
    pub fn tw_converter_error(converter: *const tw_converter) -> *const tw_error;
    pub fn tw_converter_free(converter: *mut tw_converter);

    pub fn tw_template_load(
        source: *const tw_template_source,
        allocator: *const c_void,
        template: *mut *mut tw_template,
        error: *mut tw_format_error,
    ) -> c_int;
    pub fn tw_template_free(template: *mut tw_template);
    pub fn tw_template_detect(
        template: *const tw_template,
        allocator: *const c_void,
    ) -> *mut tw_detection;
    pub fn tw_detection_format(detection: *const tw_detection) -> *const tw_format;
    pub fn tw_detection_other(detection: *const tw_detection, i: usize) -> *const tw_format;
    pub fn tw_detection_starts_in_reasoning(detection: *const tw_detection) -> c_int;
    pub fn tw_detection_free(detection: *mut tw_detection);
    pub fn tw_encoder_new_template(
        template: *const tw_template,
        format: *const tw_format,
        allocator: *const c_void,
    ) -> *mut tw_encoder;
    pub fn tw_encoder_span(encoder: *mut tw_encoder, i: usize, span: *mut *const tw_span) -> c_int;
    pub fn tw_encoder_extend(
        encoder: *mut tw_encoder,
        json: *const c_char,
        size: usize,
        append: *mut *const c_char,
        append_size: *mut usize,
    ) -> c_int;

    pub fn tw_grammar_make(
        format: *const tw_format,
        tools: *const c_char,
        size: usize,
        options: *const tw_grammar_options,
        allocator: *const c_void,
        grammar: *mut *mut tw_grammar,
        error: *mut tw_format_error,
    ) -> c_int;
    pub fn tw_grammar_text(grammar: *const tw_grammar, size: *mut usize) -> *const c_char;
    pub fn tw_grammar_free(grammar: *mut tw_grammar);
    pub fn tw_words_for_model(
        message: *const c_char,
        size: usize,
        tools: *const c_char,
        tools_size: usize,
        form: u32,
        allocator: *const c_void,
        text: *mut c_char,
        room: usize,
        text_size: *mut usize,
    ) -> c_int;
}
