// SPDX-License-Identifier: MIT
//! Grammars that hold a model to a format and its tools, and what a model is
//! told of calls that cannot be run.

use std::{ffi::CString, ptr};

use toolwire_sys as sys;

use crate::{raw, Error, Format, Result};

/// What reads a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrammarTarget {
    /// llguidance.
    Lark = 0,
    /// llama.cpp; XGrammar reads it as EBNF.
    Gbnf = 1,
    /// vLLM, SGLang and XGrammar: JSON.
    StructuralTag = 2,
}

/// Where a prompt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarStart {
    /// As the format's own prompts do.
    Anywhere = 0,
    /// Inside reasoning.
    Reasoning = 1,
    /// Not inside reasoning.
    Text = 2,
}

/// What a grammar allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarOptions<'a> {
    /// What reads the grammar.
    pub target: GrammarTarget,
    /// Where the prompt ended.
    pub start: GrammarStart,
    /// "auto", "required", "none", or the name of the tool to be called.
    pub choice: &'a str,
    /// There may be several calls.
    pub parallel: bool,
    /// What no grammar says is left out, and told in a comment.
    pub wider: bool,
    /// Markers of which the vocabulary has one token each, to be named by
    /// number, as JSON: {text: number}, or a tokenizer.json.
    pub special_tokens: Option<&'a str>,
}

impl Default for GrammarOptions<'_> {
    fn default() -> Self {
        GrammarOptions {
            target: GrammarTarget::Lark,
            start: GrammarStart::Anywhere,
            choice: "auto",
            parallel: true,
            wider: false,
            special_tokens: None,
        }
    }
}

/// All that a model of |format| may write where |tools|, a JSON array, are
/// declared.
///
/// # Errors
/// The place in the tools, where a schema says what no grammar can.
pub fn grammar(tools: &str, format: &Format, options: &GrammarOptions) -> Result<String> {
    let choice = CString::new(options.choice)
        .map_err(|_| Error::argument("the name of a tool has no NUL"))?;
    let its = sys::tw_grammar_options {
        target: options.target as u32,
        start: options.start as u32,
        choice: choice.as_ptr(),
        parallel: options.parallel.into(),
        wider: options.wider.into(),
        special_tokens: options
            .special_tokens
            .map_or(ptr::null(), |one| one.as_ptr().cast()),
        special_size: options.special_tokens.map_or(0, str::len),
    };
    let mut handle = ptr::null_mut();
    let mut why = Error::place();
    let code = unsafe {
        sys::tw_grammar_make(
            format.handle(),
            raw::pointer(tools.as_bytes()),
            tools.len(),
            &its,
            ptr::null(),
            &mut handle,
            &mut why,
        )
    };
    if handle.is_null() {
        return Err(Error::at(code, &why));
    }
    let mut size = 0;
    let text = unsafe { sys::tw_grammar_text(handle, &mut size) };
    let made = raw::text(unsafe { raw::bytes(text, size) });
    unsafe { sys::tw_grammar_free(handle) };
    Ok(made)
}

/// What an agent gives back to the model for each call of |message| that cannot
/// be run: a JSON list of OpenAI messages, "[]" if all can be run.  Without
/// |tools| only blocks that could not be read are spoken of.
///
/// # Errors
/// No message, or no tools.
pub fn words_for_model(message: &str, tools: Option<&str>) -> Result<String> {
    const MESSAGES: u32 = 1;
    let mut room = vec![0u8; 4096];
    loop {
        let mut needed = 0;
        let code = unsafe {
            sys::tw_words_for_model(
                raw::pointer(message.as_bytes()),
                message.len(),
                tools.map_or(ptr::null(), |one| raw::pointer(one.as_bytes())),
                tools.map_or(0, str::len),
                MESSAGES,
                ptr::null(),
                room.as_mut_ptr().cast(),
                room.len(),
                &mut needed,
            )
        };
        if code < 0 {
            return Err(Error::bare(code, "no message, or no list of tools"));
        }
        if needed <= room.len() {
            return Ok(raw::text(&room[..needed]));
        }
        room.resize(needed, 0);
    }
}
