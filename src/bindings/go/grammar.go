// SPDX-License-Identifier: MIT

package toolwire

/*
#include "toolwire.h"
#include <stdlib.h>
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// What reads a grammar: llguidance; llama.cpp (XGrammar reads it as EBNF);
// vLLM, SGLang and XGrammar, as JSON.
const (
	Lark          = C.TW_GRAMMAR_LARK
	Gbnf          = C.TW_GRAMMAR_GBNF
	StructuralTag = C.TW_GRAMMAR_STRUCTURAL_TAG
)

// Where a prompt ended: as the format's own do, inside reasoning, or not.
const (
	GrammarAnywhere  = C.TW_GRAMMAR_ANYWHERE
	GrammarReasoning = C.TW_GRAMMAR_REASONING
	GrammarText      = C.TW_GRAMMAR_TEXT
)

// GrammarOptions say what a grammar allows; without any, one call for Lark.
type GrammarOptions struct {
	Target, Start int
	Choice        string // "auto" (or ""), "required", "none", or a tool's name
	Parallel      bool   // there may be several calls
	Wider         bool   // what no grammar says is left out, and told in a comment
	// Markers of which the vocabulary has one token each, to be named by
	// number, as JSON: {text: number}, or a tokenizer.json; "": none.
	SpecialTokens string
}

func flag(value bool) C.int {
	if value {
		return 1
	}
	return 0
}

// Grammar is all that a model of the format may write where the tools, a JSON
// array, are declared.  The error has the place in the tools, where a schema
// says what no grammar can.
func Grammar(tools string, format *Format, options GrammarOptions) (string, error) {
	defer runtime.KeepAlive(format)
	if format == nil {
		return "", errFormat
	}
	its := C.tw_grammar_options{
		target:   C.tw_grammar_target(options.Target),
		start:    C.tw_grammar_start(options.Start),
		parallel: flag(options.Parallel), wider: flag(options.Wider),
	}
	if options.Choice != "" {
		its.choice = C.CString(options.Choice)
		defer C.free(unsafe.Pointer(its.choice))
	}
	if options.SpecialTokens != "" {
		its.special_tokens = C.CString(options.SpecialTokens)
		its.special_size = C.size_t(len(options.SpecialTokens))
		defer C.free(unsafe.Pointer(its.special_tokens))
	}
	var why C.tw_format_error
	var made *C.tw_grammar
	code := C.tw_grammar_make(format.handle, pointer(tools), C.size_t(len(tools)), &its,
		nil, &made, &why)
	if made == nil {
		return "", placeOf(code, &why)
	}
	defer C.tw_grammar_free(made)
	var size C.size_t
	text := C.tw_grammar_text(made, &size)
	return textOf(text, size), nil
}

// WordsForModel is what an agent gives back to the model for each call of a
// message that cannot be run: a JSON list of OpenAI messages, "[]" if all can be
// run.  With tools "" only blocks that could not be read are spoken of.
func WordsForModel(message, tools string) (string, error) {
	declared := pointer(tools)
	if tools == "" {
		declared = nil
	}
	room := make([]byte, 4096)
	for {
		var needed C.size_t
		code := C.tw_words_for_model(pointer(message), C.size_t(len(message)), declared,
			C.size_t(len(tools)), C.TW_WORDS_MESSAGES, nil,
			(*C.char)(unsafe.Pointer(&room[0])), C.size_t(len(room)), &needed)
		if code < 0 {
			return "", &Error{Code: int(code), Message: "no message, or no list of tools"}
		}
		if int(needed) <= len(room) {
			return string(room[:needed]), nil
		}
		room = make([]byte, needed)
	}
}
