// SPDX-License-Identifier: MIT

package toolwire

/*
#include "toolwire.h"
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// A Segment is either one marker of the template, or all text up to the next.
type Segment struct {
	Control bool
	Text    string
}

// A Report is of what was lost, or written otherwise than it came.
type Report struct {
	Name, Path, Message string
}

func reportOf(its *C.tw_error) Report {
	row := &Error{Detail: int(its.detail)}
	return Report{row.DetailName(), C.GoString(its.path), C.GoString(its.message)}
}

// Options of encoders; toolwire.h tells their values.
const (
	GenerationPrompt Option = C.TW_OPTION_GENERATION_PROMPT
	ControlText      Option = C.TW_OPTION_CONTROL_TEXT
	PythonNumbers    Option = C.TW_OPTION_PYTHON_NUMBERS
	Loss             Option = C.TW_OPTION_LOSS
	Ids              Option = C.TW_OPTION_IDS

	SampledLast        Option = C.TW_OPTION_SAMPLED_LAST
	SampledNoReasoning Option = C.TW_OPTION_SAMPLED_NO_REASONING
	SampledByWeight    Option = C.TW_OPTION_SAMPLED_BY_WEIGHT
)

// What becomes of text that holds a marker, for ControlText, and of what has no
// place, for Loss.
const (
	ControlTextReject = C.TW_CONTROL_TEXT_REJECT
	ControlTextAllow  = C.TW_CONTROL_TEXT_ALLOW
	ControlTextBreak  = C.TW_CONTROL_TEXT_BREAK
	LossReport        = C.TW_LOSS_POLICY_REPORT
	LossRefuse        = C.TW_LOSS_POLICY_REFUSE
	LossIgnore        = C.TW_LOSS_POLICY_IGNORE
)

// What becomes of ids of calls and of their results, for Ids: an id that the
// target cannot hold is an error; that one and each that repeats gets another;
// all do.
const (
	KeepIds = C.TW_IDS_KEEP
	MapIds  = C.TW_IDS_MAP
	MakeIds = C.TW_IDS_MAKE
)

// An Encoder writes one request after another.
type Encoder struct {
	handle *C.tw_encoder
	// Both outlive the encoder.
	format    *Format
	template_ *Template
}

// NewEncoder makes an encoder.
func NewEncoder(format *Format) (*Encoder, error) {
	if format == nil {
		return nil, errFormat
	}
	return newEncoder(C.tw_encoder_new(format.handle, nil), format, nil)
}

func newEncoder(handle *C.tw_encoder, format *Format, template_ *Template) (*Encoder, error) {
	if handle == nil {
		return nil, errMemory
	}
	encoder := &Encoder{handle, format, template_}
	runtime.SetFinalizer(encoder, (*Encoder).Close)
	return encoder, nil
}

// Close frees the encoder; a second one does nothing.
func (e *Encoder) Close() {
	C.tw_encoder_free(e.handle)
	e.handle = nil
	runtime.SetFinalizer(e, nil)
}

func (e *Encoder) check(result C.int) error {
	return errorOf(result, C.tw_encoder_error(e.handle))
}

// Set sets an option, which is kept over requests.
func (e *Encoder) Set(option Option, value int64) error {
	defer runtime.KeepAlive(e)
	if e.handle == nil {
		return errClosed
	}
	return e.check(C.tw_encoder_set(e.handle, C.tw_option(option), C.int64_t(value)))
}

// whole is the text that run gives.
func (e *Encoder) whole(run func(text **C.char, size *C.size_t) C.int) (string, error) {
	defer runtime.KeepAlive(e)
	if e.handle == nil {
		return "", errClosed
	}
	var text *C.char
	var size C.size_t
	if err := e.check(run(&text, &size)); err != nil {
		return "", err
	}
	return textOf(text, size), nil
}

// Encode gives the prompt of an OpenAI request.
func (e *Encoder) Encode(request string) (string, error) {
	return e.whole(func(text **C.char, size *C.size_t) C.int {
		return C.tw_encode(e.handle, pointer(request), C.size_t(len(request)), text, size)
	})
}

// Completion gives what the model would have written for an assistant's
// message.
func (e *Encoder) Completion(message string) (string, error) {
	return e.whole(func(text **C.char, size *C.size_t) C.int {
		return C.tw_encode_completion(e.handle, pointer(message), C.size_t(len(message)),
			text, size)
	})
}

// Extend gives what to append to a prompt behind a turn of the model's: of a
// record {"prompt", "completion", "messages", "new", "tools"}.  An error that
// is TW_ERROR_UNSTABLE has the path of the message with which the template
// changes what stands before.
func (e *Encoder) Extend(record string) (string, error) {
	return e.whole(func(text **C.char, size *C.size_t) C.int {
		return C.tw_encoder_extend(e.handle, pointer(record), C.size_t(len(record)),
			text, size)
	})
}

// Segments gives the prompt so that no text of a user becomes a marker.
func (e *Encoder) Segments(request string) ([]Segment, error) {
	defer runtime.KeepAlive(e)
	if e.handle == nil {
		return nil, errClosed
	}
	err := e.check(C.tw_encoder_request(e.handle, pointer(request),
		C.size_t(len(request))))
	if err != nil {
		return nil, err
	}
	var found []Segment
	var segment *C.tw_segment
	for C.tw_encoder_next(e.handle, &segment) == 1 {
		found = append(found, Segment{segment.control == 1,
			textOf(segment.data, segment.size)})
	}
	return found, nil
}

// Reports says what of the last request was lost, or written otherwise.
func (e *Encoder) Reports() []Report {
	defer runtime.KeepAlive(e)
	var found []Report
	var row *C.tw_error
	for e.handle != nil && C.tw_encoder_report(e.handle, C.size_t(len(found)), &row) == 1 {
		found = append(found, reportOf(row))
	}
	return found
}

// Options and texts of converters; toolwire.h tells their values.
const (
	UnitCompletion  Option = C.TW_OPTION_UNIT_COMPLETION
	ArgumentsObject Option = C.TW_OPTION_ARGUMENTS_OBJECT

	Field       TextOption = C.TW_TEXT_FIELD
	Messages    TextOption = C.TW_TEXT_MESSAGES
	PromptField TextOption = C.TW_TEXT_PROMPT_FIELD
	FinishField TextOption = C.TW_TEXT_FINISH_FIELD
)

// A Converter turns one record after another.
type Converter struct {
	handle *C.tw_converter
	// These outlive the converter.
	uses      [3]*Format
	template_ *Template
}

// noWay says why no converter leads from the one to the other.
func noWay(from, to any) error {
	names := [2]string{}
	for i, end := range []any{from, to} {
		switch its := end.(type) {
		case *Format:
			names[i] = its.Name()
		case string:
			names[i] = its
			if _, err := FindFormat(its); err != nil && !isShape(its) && its != "message" &&
				its != "report" {
				var shapes []string
				for _, shape := range Shapes() {
					shapes = append(shapes, shape.Name)
				}
				return fmt.Errorf("%w; shapes are %s", err, strings.Join(shapes, ", "))
			}
		}
	}
	return argument("no way leads from '%s' to '%s': \"message\" and \"report\" are made of a "+
		"format's text, and what is read only is no target", names[0], names[1])
}

// NewConverter converts between ends, of which each is a *Format or the name
// of a shape of records, "message" or "report".
func NewConverter(from, to any) (*Converter, error) {
	var formats [2]*Format
	var handles [2]*C.tw_format
	var names [2]*C.char
	for i, end := range []any{from, to} {
		switch its := end.(type) {
		case *Format:
			if its == nil {
				return nil, errFormat
			}
			formats[i], handles[i] = its, its.handle
		case string:
			names[i] = C.CString(its)
			defer C.free(unsafe.Pointer(names[i]))
		default:
			return nil, argument("an end is a *Format or a name, not %T", end)
		}
	}
	handle := C.tw_converter_between(handles[0], names[0], handles[1], names[1], nil)
	if handle == nil {
		return nil, noWay(from, to)
	}
	converter := &Converter{handle, [3]*Format{formats[0], formats[1]}, nil}
	runtime.SetFinalizer(converter, (*Converter).Close)
	return converter, nil
}

// Close frees the converter; a second one does nothing.
func (c *Converter) Close() {
	C.tw_converter_free(c.handle)
	c.handle = nil
	runtime.SetFinalizer(c, nil)
}

// Set sets an option of a decoder, a writer, an encoder or a converter.
func (c *Converter) Set(option Option, value int64) error {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return errClosed
	}
	return c.check(C.tw_converter_set(c.handle, C.tw_option(option), C.int64_t(value)))
}

// SetTools says which tools were declared, a JSON array.
func (c *Converter) SetTools(json string) error {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return errClosed
	}
	return c.check(C.tw_converter_set_tools(c.handle, pointer(json), C.size_t(len(json))))
}

// SetPrompt gives the end of the prompt of every record's text, which tells
// where the text begins.
func (c *Converter) SetPrompt(tail string) error {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return errClosed
	}
	return c.check(C.tw_converter_set_prompt(c.handle, pointer(tail), C.size_t(len(tail))))
}

// SetFinish says why every record's text ended; else the record may say it.
func (c *Converter) SetFinish(finish Finish) error {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return errClosed
	}
	return c.check(C.tw_converter_set_finish(c.handle, C.tw_finish(finish)))
}

// SetTemplate says that transcripts are what the template writes: see
// Template.DecodeTranscript.
func (c *Converter) SetTemplate(template_ *Template) error {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return errClosed
	}
	if template_ == nil {
		return errTemplate
	}
	c.template_ = template_
	return c.check(C.tw_converter_set_template(c.handle, template_.handle))
}

// SetWire says in which format a model wrote the text of assistants in records
// of a shape: calls are read out of it.  It comes before options.
func (c *Converter) SetWire(wire *Format) error {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return errClosed
	}
	if wire == nil {
		return errFormat
	}
	err := c.check(C.tw_converter_set_wire(c.handle, wire.handle))
	if err == nil {
		c.uses[2] = wire
	}
	return err
}

// SetText sets a text.
func (c *Converter) SetText(text TextOption, value string) error {
	return c.setText(C.tw_text(text), value)
}

func (c *Converter) setText(which C.tw_text, text string) error {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return errClosed
	}
	return c.check(C.tw_converter_set_text(c.handle, which, pointer(text),
		C.size_t(len(text))))
}

// SetSettings says which chat_template_kwargs, a JSON object, the template's
// prompts were made with.  SetTemplate comes first.
func (c *Converter) SetSettings(json string) error {
	return c.setText(C.TW_TEXT_SETTINGS, json)
}

// SetNow says which time the template's prompts show, as
// "2026-11-25T12:00:00".  SetTemplate comes first.
func (c *Converter) SetNow(time string) error {
	return c.setText(C.TW_TEXT_NOW, time)
}

func (c *Converter) check(result C.int) error {
	return errorOf(result, C.tw_converter_error(c.handle))
}

// whole is the text that run gives.
func (c *Converter) whole(run func(out **C.char, size *C.size_t) C.int) (string, error) {
	defer runtime.KeepAlive(c)
	if c.handle == nil {
		return "", errClosed
	}
	var out *C.char
	var size C.size_t
	if err := c.check(run(&out, &size)); err != nil {
		return "", err
	}
	return textOf(out, size), nil
}

// Record turns one JSON record.
func (c *Converter) Record(record string) (string, error) {
	return c.whole(func(out **C.char, size *C.size_t) C.int {
		return C.tw_converter_record(c.handle, pointer(record), C.size_t(len(record)),
			out, size)
	})
}

// Text turns text that is not wrapped in JSON.
func (c *Converter) Text(text string) (string, error) {
	return c.whole(func(out **C.char, size *C.size_t) C.int {
		return C.tw_converter_text(c.handle, pointer(text), C.size_t(len(text)), out, size)
	})
}

// Transcript reads a whole conversation, as {"messages", "tools"}.  The
// converter is from a format to "openai".
func (c *Converter) Transcript(text string) (string, error) {
	return c.whole(func(out **C.char, size *C.size_t) C.int {
		return C.tw_decode_transcript(c.handle, pointer(text), C.size_t(len(text)), out, size)
	})
}

// Reports says what of the last record was lost, or written otherwise.
func (c *Converter) Reports() []Report {
	defer runtime.KeepAlive(c)
	var found []Report
	var row *C.tw_error
	for c.handle != nil && C.tw_converter_report(c.handle, C.size_t(len(found)), &row) == 1 {
		found = append(found, reportOf(row))
	}
	return found
}

// Decode gives the OpenAI message of a whole completion, as JSON.
func Decode(text string, format *Format) (string, error) {
	converter, err := NewConverter(format, "message")
	if err != nil {
		return "", err
	}
	defer converter.Close()
	return converter.Text(text)
}

// Encode gives the prompt of an OpenAI request.
func Encode(request string, format *Format) (string, error) {
	encoder, err := NewEncoder(format)
	if err != nil {
		return "", err
	}
	defer encoder.Close()
	return encoder.Encode(request)
}
