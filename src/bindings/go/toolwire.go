// SPDX-License-Identifier: MIT

// Package toolwire turns what language models write when they call tools into
// OpenAI's JSON, while it streams, and conversations back into the exact text.
//
//	decoder, err := toolwire.NewDecoder(format)
//	defer decoder.Close()
//	for event, err := range decoder.Feed(piece) {
//		...
//	}
//	for event, err := range decoder.Finish(toolwire.Stop) {
//		...
//	}
//
// The work is done by the C library, which has no state of its own.  An object
// is used by one goroutine at a time; any number of objects side by side.
// Formats may be shared.
package toolwire

/*
#cgo CFLAGS: -std=c11 -O2 -DNDEBUG -I${SRCDIR}/csrc
#include "toolwire.h"
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// An Error is what the library refuses, and where.
type Error struct {
	Code    int    // one of TW_ERROR_*, below 0
	Detail  int    // of a deviation its diagnostic, of a loss its code; else 0
	Offset  uint64 // in bytes from the start of the input
	Message string
	Path    string // where in a JSON record, or ""
}

// Name is the code's, such as "TW_ERROR_LIMIT".
func (e *Error) Name() string {
	return C.GoString(C.tw_error_name(C.int32_t(e.Code)))
}

// DetailName is the name of the deviation or loss that Detail is, or "".
func (e *Error) DetailName() string {
	if row := C.tw_diagnostic_get(C.uint32_t(e.Detail)); row != nil {
		return C.GoString(row.name)
	}
	if row := C.tw_loss_get(C.uint32_t(e.Detail)); row != nil {
		return C.GoString(row.name)
	}
	return ""
}

func (e *Error) Error() string {
	path := ""
	if e.Path != "" {
		path = " (" + e.Path + ")"
	}
	return fmt.Sprintf("%s at %d%s: %s", e.Name(), e.Offset, path, e.Message)
}

var (
	errMemory = &Error{Code: C.TW_ERROR_MEMORY, Message: "no memory"}
	errClosed = errors.New("toolwire: the object is closed: make another one")
	errUnread = &Error{Code: C.TW_ERROR_STATE, Message: "the events of an earlier Feed " +
		"were not read, so its bytes are not fed: range over each, or Reset"}
	errFormat = errors.New("toolwire: the format is nil: FindFormat says why there is none")
)

func errorOf(code C.int, its *C.tw_error) error {
	if code >= 0 {
		return nil
	}
	made := &Error{
		Code: int(code), Detail: int(its.detail), Offset: uint64(its.offset),
		Message: C.GoString(its.message), Path: C.GoString(its.path),
	}
	if code == C.TW_ERROR_CONTROL_TEXT {
		made.Message += " (the option ControlText: ControlTextBreak, ControlTextAllow)"
	}
	return made
}

// refusal is what a writer refuses: C says no more than the code.
func refusal(code C.int) error {
	message := "no memory"
	switch {
	case code >= 0:
		return nil
	case code == C.TW_ERROR_ARGUMENT:
		message = "the stream's API takes no such option or text, or not this value"
	case code == C.TW_ERROR_STATE:
		message = "the stream has begun or is over: set this before the first bytes, " +
			"or Reset"
	case code == C.TW_ERROR_JSON:
		message = "the usage is no JSON object"
	}
	return &Error{Code: int(code), Message: message}
}

func argument(format string, values ...any) error {
	return &Error{Code: C.TW_ERROR_ARGUMENT, Message: fmt.Sprintf(format, values...)}
}

// placeOf is where a text does not load.
func placeOf(code C.int, its *C.tw_format_error) error {
	return &Error{Code: int(code), Offset: uint64(its.offset),
		Message: C.GoString(&its.message[0])}
}

// Whatever reads what C has of an object keeps the object (runtime.KeepAlive):
// the collector may free it at its last use in Go, while C is at work.

// pointer is C's to the text, which stays Go's for the time of a call.
func pointer(text string) *C.char {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(text)))
}

func textOf(data *C.char, size C.size_t) string {
	if size == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size)))
}

// Version is that of the C library, "MAJOR.MINOR.PATCH".
func Version() string { return C.GoString(C.tw_version()) }

// A Format is a dialect of a wire format, such as "hermes/qwen3".
type Format struct {
	handle *C.tw_format
}

// FindFormat looks for a format by name, or by that of a model
// ("Qwen/Qwen3-8B").  The error says what may be meant.
func FindFormat(name string) (*Format, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	if found := builtIn(C.tw_format_find(text)); found != nil {
		return found, nil
	}
	meant := "Formats lists them"
	if near := Near(name); isShape(name) {
		meant = "a shape of records, which a Converter takes"
	} else if strings.HasSuffix(name, ".json") {
		meant = "LoadFormat takes the text of a description"
	} else if len(near) > 0 {
		meant = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return nil, argument("there is no format '%s' (%s)", name, meant)
}

// Near lists the names that are near one that is unknown.
func Near(name string) []string {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return constants(func(i C.size_t) *C.char {
		return C.tw_format_near(text, i)
	})
}

// constants are the texts of a function that takes 0, 1, ...
func constants(at func(C.size_t) *C.char) []string {
	var found []string
	for {
		text := at(C.size_t(len(found)))
		if text == nil {
			return found
		}
		found = append(found, C.GoString(text))
	}
}

func builtIn(handle *C.tw_format) *Format {
	if handle == nil {
		return nil
	}
	return &Format{handle}
}

// Formats lists all that are built in.
func Formats() []*Format {
	var found []*Format
	for {
		format := builtIn(C.tw_format_at(C.size_t(len(found))))
		if format == nil {
			return found
		}
		found = append(found, format)
	}
}

// LoadFormat makes a format of a description (docs/describing.md), or of
// Hugging Face's response_template.  The error says the place, and what is
// wrong there.
func LoadFormat(description string) (*Format, error) {
	var why C.tw_format_error
	var handle *C.tw_format
	code := C.tw_format_load(pointer(description), C.size_t(len(description)),
		nil, &handle, &why)
	if handle == nil {
		return nil, placeOf(code, &why)
	}
	format := &Format{handle}
	// Whatever uses the format holds it.
	runtime.SetFinalizer(format, func(its *Format) {
		C.tw_format_free(its.handle)
	})
	return format, nil
}

// Name is the canonical one.
func (f *Format) Name() string {
	defer runtime.KeepAlive(f)
	return C.GoString(C.tw_format_name(f.handle))
}

// About is one line on what it is.
func (f *Format) About() string {
	defer runtime.KeepAlive(f)
	return C.GoString(C.tw_format_about(f.handle))
}

// Alias is a shorter name, such as "hermes", or empty.
func (f *Format) Alias() string {
	defer runtime.KeepAlive(f)
	return C.GoString(C.tw_format_alias(f.handle))
}

// Models lists the models that write it.
func (f *Format) Models() []string {
	defer runtime.KeepAlive(f)
	return constants(func(i C.size_t) *C.char {
		return C.tw_format_model(f.handle, i)
	})
}

// HasPrompts says whether prompts are written; else completions only.
func (f *Format) HasPrompts() bool {
	defer runtime.KeepAlive(f)
	return C.tw_format_has_prompts(f.handle) == 1
}

// Describe is the description as JSON, or "" for formats that are programs.
func (f *Format) Describe() string {
	size := C.tw_format_describe(f.handle, nil, 0)
	if size == 0 {
		return ""
	}
	json := make([]byte, int(size))
	C.tw_format_describe(f.handle, (*C.char)(unsafe.Pointer(&json[0])), size)
	runtime.KeepAlive(f)
	return string(json)
}

// A Marker is a byte string that structures the wire.
type Marker struct {
	Text    string
	Token   bool // one token of the vocabulary, which a server must preserve
	Stop    bool // generation ends at it
	Decoded bool // structure in a completion; else in prompts only
}

// Markers lists what a server must preserve, stop at, trigger on.
func (f *Format) Markers() []Marker {
	var found []Marker
	var row *C.tw_marker
	for C.tw_format_marker(f.handle, C.size_t(len(found)), &row) == 1 {
		found = append(found, Marker{textOf(row.text, row.size),
			row.token == 1, row.stop == 1, row.decoded == 1})
	}
	runtime.KeepAlive(f)
	return found
}

// A Setting is what of a request changes the prompt: a member of its
// chat_template_kwargs.
type Setting struct {
	Name  string
	Type  string // "boolean", "string" or "array"
	About string
}

// Settings lists those that the format's prompts know.
func (f *Format) Settings() []Setting {
	defer runtime.KeepAlive(f)
	var found []Setting
	var row *C.tw_setting
	for C.tw_format_setting(f.handle, C.size_t(len(found)), &row) == 1 {
		found = append(found, Setting{C.GoString(row.name),
			C.GoString(row._type), C.GoString(row.about)})
	}
	return found
}

// A Shape is one of JSON records.
type Shape struct {
	Name, About string
}

func isShape(name string) bool {
	for _, shape := range Shapes() {
		if shape.Name == name {
			return true
		}
	}
	return false
}

// Shapes lists all shapes of records.
func Shapes() []Shape {
	var found []Shape
	for {
		shape := C.tw_record_shape_at(C.size_t(len(found)))
		if shape == nil {
			return found
		}
		found = append(found, Shape{C.GoString(C.tw_record_shape_name(shape)),
			C.GoString(C.tw_record_shape_about(shape))})
	}
}
