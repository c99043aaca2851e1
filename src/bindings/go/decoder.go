// SPDX-License-Identifier: MIT

package toolwire

/*
#include "toolwire.h"
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"io"
	"iter"
	"runtime"
	"unsafe"
)

// A Finish says why an output is over.
type Finish int

// Nobody says why; the model stopped by itself; a token limit stopped it.
const (
	Unknown Finish = C.TW_FINISH_UNKNOWN
	Stop    Finish = C.TW_FINISH_STOP
	Length  Finish = C.TW_FINISH_LENGTH
)

// A Mark says what the caller knows of fed bytes.
type Mark int

// Text as it is; ordinary tokens, in which no marker is; exactly one marker.
const (
	MarkUnknown Mark = C.TW_MARK_UNKNOWN
	MarkText    Mark = C.TW_MARK_TEXT
	MarkControl Mark = C.TW_MARK_CONTROL
)

// A Kind is an event's.
type Kind int

// toolwire.h tells of each what its members mean.
const (
	Text          Kind = C.TW_EVENT_TEXT
	Reasoning     Kind = C.TW_EVENT_REASONING
	CallBegin     Kind = C.TW_EVENT_CALL_BEGIN
	CallArguments Kind = C.TW_EVENT_CALL_ARGUMENTS
	CallEnd       Kind = C.TW_EVENT_CALL_END
	Unparsed      Kind = C.TW_EVENT_UNPARSED
	Diagnostic    Kind = C.TW_EVENT_DIAGNOSTIC
	Framing       Kind = C.TW_EVENT_FRAMING
	End           Kind = C.TW_EVENT_END
)

var kinds = [...]string{"", "text", "reasoning", "call_begin", "call_arguments",
	"call_end", "unparsed", "diagnostic", "framing", "end"}

// String is the name that all bindings have for it: "call_begin".
func (k Kind) String() string {
	if k < Text || k > End {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kinds[k]
}

// What became of a call: the Code of its CallEnd.
const (
	Complete   = C.TW_CALL_COMPLETE
	Incomplete = C.TW_CALL_INCOMPLETE
	Malformed  = C.TW_CALL_MALFORMED
)

// An Event is one thing that a decoder found.
type Event struct {
	Kind         Kind
	Index        uint32 // the segment's or the call's number
	Code         int    // CallEnd, End, Unparsed, Diagnostic: see there
	Data         string // text, a name, arguments, or a block as it was
	ID           string // CallBegin: the call's; Unparsed: its name
	Custom       bool   // CallBegin: the tool takes free text, not JSON
	Dropped      bool   // Diagnostic: Span bytes were dropped
	Warning      bool   // Diagnostic: no deviation
	Offset, Span uint64
}

// Name is a diagnostic's, or why a block is unparsed; else "".
func (e *Event) Name() string {
	if e.Kind != Diagnostic && e.Kind != Unparsed {
		return ""
	}
	if row := C.tw_diagnostic_get(C.uint32_t(e.Code)); row != nil {
		return C.GoString(row.name)
	}
	return ""
}

func copyEvent(its *C.tw_event) Event {
	return Event{
		Kind: Kind(its._type), Index: uint32(its.index), Code: int(its.code),
		Data: textOf(its.data, its.size), ID: textOf(its.id, its.id_size),
		Custom:  its.flags&C.TW_EVENT_CUSTOM != 0,
		Dropped: its.flags&C.TW_EVENT_DROPPED != 0,
		Warning: its.flags&C.TW_EVENT_WARNING != 0,
		Offset:  uint64(its.offset), Span: uint64(its.span),
	}
}

// A Decoder reads one output after another.
type Decoder struct {
	handle *C.tw_decoder
	format *Format        // outlives the decoder
	piece  unsafe.Pointer // C's copy of what is fed
	room   int
	// The sequences that were made, and the last that was read.
	made, read int
}

// NewDecoder makes a decoder for completions.  Close frees it; so does the
// collector, later.
func NewDecoder(format *Format) (*Decoder, error) {
	if format == nil {
		return nil, errFormat
	}
	handle := C.tw_decoder_new(format.handle, nil)
	if handle == nil {
		return nil, errMemory
	}
	decoder := &Decoder{handle: handle, format: format}
	runtime.SetFinalizer(decoder, (*Decoder).Close)
	return decoder, nil
}

// Close frees the decoder; a second one does nothing.
func (d *Decoder) Close() {
	C.tw_decoder_free(d.handle)
	C.free(d.piece)
	d.handle, d.piece, d.room = nil, nil, 0
	runtime.SetFinalizer(d, nil)
}

func (d *Decoder) check(result C.int) error {
	defer runtime.KeepAlive(d)
	if d.handle == nil {
		return errClosed
	}
	return errorOf(result, C.tw_decoder_error(d.handle))
}

// An Option is set by a number, 1 for yes; a TextOption by a text.
type (
	Option     int
	TextOption int
)

// Options of decoders; toolwire.h tells their values.
const (
	Strict           Option = C.TW_OPTION_STRICT
	StartReasoning   Option = C.TW_OPTION_START_REASONING
	CallsInReasoning Option = C.TW_OPTION_CALLS_IN_REASONING
	RecoverStripped  Option = C.TW_OPTION_RECOVER_STRIPPED
	KeepRaw          Option = C.TW_OPTION_KEEP_RAW
	WithFraming      Option = C.TW_OPTION_FRAMING
	FirstCall        Option = C.TW_OPTION_FIRST_CALL
	Untyped          Option = C.TW_OPTION_UNTYPED
	Validate         Option = C.TW_OPTION_VALIDATE
	LimitDepth       Option = C.TW_OPTION_LIMIT_DEPTH
	LimitName        Option = C.TW_OPTION_LIMIT_NAME
	LimitArguments   Option = C.TW_OPTION_LIMIT_ARGUMENTS
	LimitCalls       Option = C.TW_OPTION_LIMIT_CALLS
	LimitInput       Option = C.TW_OPTION_LIMIT_INPUT
)

// Whether calls are compared with their tool's schema, for Validate: what does
// not fit is nothing, a diagnostic, an error; or a value that one lossless
// reading makes fit is read so, with a diagnostic.
const (
	ValidateNo     = C.TW_VALIDATE_NO
	ValidateReport = C.TW_VALIDATE_REPORT
	ValidateRefuse = C.TW_VALIDATE_REFUSE
	ValidateMend   = C.TW_VALIDATE_MEND
)

// What a value between tags is where no tool says its type, for Untyped.
const (
	UntypedString = C.TW_UNTYPED_STRING
	UntypedJSON   = C.TW_UNTYPED_JSON
)

// Set sets an option, which is kept over resets.
func (d *Decoder) Set(option Option, value int64) error {
	defer runtime.KeepAlive(d)
	return d.check(C.tw_decoder_set(d.handle, C.tw_option(option), C.int64_t(value)))
}

// SetCallIDPrefix says what made-up ids of calls begin with, "call_" if nothing
// else is said.
func (d *Decoder) SetCallIDPrefix(prefix string) error {
	return d.setText(C.TW_TEXT_CALL_ID_PREFIX, prefix)
}

// SetToolChoice says what the request's tool_choice is: "auto", "none" (a call
// is the text that the model wrote), "required" or a tool's name.  What was
// asked for and did not come is the diagnostic tool_choice_unmet.
func (d *Decoder) SetToolChoice(choice string) error {
	return d.setText(C.TW_TEXT_TOOL_CHOICE, choice)
}

func (d *Decoder) setText(which C.tw_text, text string) error {
	defer runtime.KeepAlive(d)
	return d.check(C.tw_decoder_set_text(d.handle, which, pointer(text),
		C.size_t(len(text))))
}

// SetTools says which tools were declared, a JSON array.
func (d *Decoder) SetTools(json string) error {
	defer runtime.KeepAlive(d)
	return d.check(C.tw_decoder_set_tools(d.handle, pointer(json), C.size_t(len(json))))
}

// SetPrompt gives the end of the prompt, which tells where the output begins.
func (d *Decoder) SetPrompt(tail string) error {
	defer runtime.KeepAlive(d)
	return d.check(C.tw_decoder_set_prompt(d.handle, pointer(tail), C.size_t(len(tail))))
}

// Reset makes ready for the next message; options and tools stay.
func (d *Decoder) Reset() {
	defer runtime.KeepAlive(d)
	C.tw_decoder_reset(d.handle)
	d.read = d.made
}

// hold copies a piece to where C may keep a pointer to it.
func (d *Decoder) hold(piece string) *C.char {
	if len(piece) > d.room {
		C.free(d.piece)
		d.room = 2 * len(piece)
		d.piece = C.malloc(C.size_t(d.room)) // never nil: cgo's malloc aborts
	}
	if len(piece) > 0 {
		copy(unsafe.Slice((*byte)(d.piece), d.room), piece)
	}
	return (*C.char)(d.piece)
}

// next gives C's next event, which lives until the next call; nil: none.
func (d *Decoder) next() (*C.tw_event, error) {
	var event *C.tw_event
	result := C.tw_decoder_next(d.handle, &event)
	if result == 1 {
		return event, nil
	}
	return nil, d.check(result)
}

// rest lets go of what nobody asks for.
func (d *Decoder) rest() {
	for d.handle != nil {
		if event, err := d.next(); event == nil || err != nil {
			return
		}
	}
}

// events yields what C has; what a loop leaves is let go.
func (d *Decoder) events(begin func() C.int) iter.Seq2[Event, error] {
	d.made++
	its := d.made
	return func(yield func(Event, error) bool) {
		if its > d.read+1 {
			yield(Event{}, errUnread)
			return
		}
		d.read = max(d.read, its)
		if err := d.check(begin()); err != nil {
			yield(Event{}, err)
			return
		}
		defer d.rest()
		for {
			event, err := d.next()
			if err != nil {
				yield(Event{}, err)
				return
			}
			if event == nil || !yield(copyEvent(event), nil) {
				return
			}
		}
	}
}

// Feed gives the events of the next bytes; any cut is fine.  The bytes are fed
// when the sequence is read, and each reading feeds them.  A sequence that is
// not read is an error of the next one.
func (d *Decoder) Feed(piece string) iter.Seq2[Event, error] {
	return d.FeedMarked(piece, MarkUnknown)
}

// FeedMarked is Feed for bytes of which is known what they are.
func (d *Decoder) FeedMarked(piece string, mark Mark) iter.Seq2[Event, error] {
	return d.events(func() C.int {
		if d.handle == nil {
			return C.TW_ERROR_STATE
		}
		return C.tw_decoder_feed(d.handle, d.hold(piece), C.size_t(len(piece)),
			C.tw_mark(mark))
	})
}

// Finish says that the output is over, and gives the last events.
func (d *Decoder) Finish(finish Finish) iter.Seq2[Event, error] {
	return d.events(func() C.int {
		return C.tw_decoder_finish(d.handle, C.tw_finish(finish))
	})
}

// Read gives the events of all that reader has, up to its end, which is a Stop.
func (d *Decoder) Read(reader io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		piece := make([]byte, 8192)
		for {
			size, failed := reader.Read(piece)
			for event, err := range d.Feed(string(piece[:size])) {
				if !yield(event, err) || err != nil {
					return
				}
			}
			if failed == io.EOF {
				d.Finish(Stop)(yield)
				return
			}
			if failed != nil {
				yield(Event{}, failed)
				return
			}
		}
	}
}
