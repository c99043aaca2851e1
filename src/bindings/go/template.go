// SPDX-License-Identifier: MIT

package toolwire

/*
#include "toolwire.h"
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

var errTemplate = errors.New("toolwire: the template is nil: LoadTemplate makes one")

// A Template is a chat template, as Hugging Face's models have them.  It may be
// shared.
type Template struct {
	handle *C.tw_template
}

// LoadTemplate makes one of Jinja, or of JSON whose `chat_template` it is.
// config is tokenizer_config.json, for its special tokens, or ""; name says
// which of several templates, or "".  The error says line and column.
func LoadTemplate(text, config, name string) (*Template, error) {
	// C may not be handed what points to Go's memory.
	var source C.tw_template_source
	for _, one := range []struct {
		from string
		to   **C.char
	}{{text, &source.text}, {config, &source.config}, {name, &source.name}} {
		if one.from != "" || one.to == &source.text {
			*one.to = C.CString(one.from)
			defer C.free(unsafe.Pointer(*one.to))
		}
	}
	source.size = C.size_t(len(text))
	source.config_size = C.size_t(len(config))
	var why C.tw_format_error
	var handle *C.tw_template
	code := C.tw_template_load(&source, nil, &handle, &why)
	if handle == nil {
		return nil, placeOf(code, &why)
	}
	template_ := &Template{handle}
	// Whatever uses the template holds it.
	runtime.SetFinalizer(template_, func(its *Template) {
		C.tw_template_free(its.handle)
	})
	return template_, nil
}

// NewTemplateEncoder makes an encoder of any request that the template takes.
// No text of a request holds a marker of the format; nil: what looks like a
// token in the template.
func NewTemplateEncoder(template_ *Template, format *Format) (*Encoder, error) {
	defer runtime.KeepAlive(template_)
	if template_ == nil {
		return nil, errTemplate
	}
	var handle *C.tw_format
	if format != nil {
		handle = format.handle
	}
	return newEncoder(C.tw_encoder_new_template(template_.handle, handle, nil), format,
		template_)
}

// SetSettings sets a JSON object, whose members take the place of the request's
// chat_template_kwargs.
func (e *Encoder) SetSettings(json string) error {
	return e.setText(C.TW_TEXT_SETTINGS, json)
}

// SetNow sets the time that a template reads, as "2026-11-25T12:00:00"; without
// it that is the machine's.
func (e *Encoder) SetNow(time string) error {
	return e.setText(C.TW_TEXT_NOW, time)
}

func (e *Encoder) setText(which C.tw_text, text string) error {
	defer runtime.KeepAlive(e)
	if e.handle == nil {
		return errClosed
	}
	return e.check(C.tw_encoder_set_text(e.handle, which, pointer(text),
		C.size_t(len(text))))
}

// A Span says whose the bytes [Start, End) of a prompt are.
type Span struct {
	Start, End int
	Message    int // from 0; -1: no message's
	Part       string
	Sampled    bool // the model would have written them
}

// Spans gives the prompt of a template, and spans of it, in order and without a
// gap.
func (e *Encoder) Spans(request string) (string, []Span, error) {
	defer runtime.KeepAlive(e)
	text, err := e.Encode(request)
	if err != nil {
		return "", nil, err
	}
	var found []Span
	var row *C.tw_span
	for {
		result := C.tw_encoder_span(e.handle, C.size_t(len(found)), &row)
		if err := e.check(result); err != nil {
			return "", nil, err
		}
		if result == 0 {
			return text, found, nil
		}
		found = append(found, Span{int(row.start), int(row.end), int(row.message),
			C.GoString(row.part), row.sampled == 1})
	}
}

// A Detection says in which format a template writes calls.
type Detection struct {
	Format            *Format // nil: no format reads them
	StartsInReasoning bool    // the generation prompt ends inside reasoning
	Others            []*Format
}

// Detect renders small conversations, which takes some hundredths of a second.
func (t *Template) Detect() (*Detection, error) {
	defer runtime.KeepAlive(t)
	its := C.tw_template_detect(t.handle, nil)
	if its == nil {
		return nil, errMemory
	}
	defer C.tw_detection_free(its)
	found := &Detection{Format: builtIn(C.tw_detection_format(its)),
		StartsInReasoning: C.tw_detection_starts_in_reasoning(its) == 1}
	for {
		other := builtIn(C.tw_detection_other(its, C.size_t(len(found.Others))))
		if other == nil {
			return found, nil
		}
		found.Others = append(found.Others, other)
	}
}

// DecodeTranscript reads {"messages"} of a whole conversation that the template
// wrote, as JSON.  The format reads the model's own turns; nil: the one that the
// template tells.  What was read is written again: an error, if that is another
// text.  For tools, settings or another day than today there is
// Converter.SetTemplate.
func (t *Template) DecodeTranscript(text string, format *Format) (string, error) {
	if format == nil {
		found, err := t.Detect()
		if err != nil {
			return "", err
		}
		if format = found.Format; format == nil {
			return "", argument("no format that is built in reads what this template " +
				"writes: name one")
		}
	}
	converter, err := NewConverter(format, "openai")
	if err != nil {
		return "", err
	}
	defer converter.Close()
	if err := converter.SetTemplate(t); err != nil {
		return "", err
	}
	return converter.Transcript(text)
}
