// SPDX-License-Identifier: MIT

package toolwire

/*
#include "toolwire.h"
#include <stdlib.h>
*/
import "C"

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"unsafe"
)

// An API is whose stream is written.
type API int

// OpenAI's Chat Completions and Responses, Anthropic's Messages.
const (
	Chat      API = C.TW_SHAPE_CHUNKS
	Responses API = C.TW_SHAPE_RESPONSES
	Anthropic API = C.TW_SHAPE_ANTHROPIC
)

// Options of streams; toolwire.h tells their values.
const (
	HoldCalls        Option = C.TW_OPTION_HOLD_CALLS
	CustomFunction   Option = C.TW_OPTION_CUSTOM_FUNCTION
	Created          Option = C.TW_OPTION_CREATED
	Choice           Option = C.TW_OPTION_CHOICE
	JoinChunks       Option = C.TW_OPTION_JOIN_CHUNKS
	SSE              Option = C.TW_OPTION_SSE
	ReasoningSummary Option = C.TW_OPTION_REASONING_SUMMARY
)

// Texts of streams; toolwire.h tells what they are.
const (
	ReasoningKey      TextOption = C.TW_TEXT_REASONING_KEY
	ID                TextOption = C.TW_TEXT_ID
	Model             TextOption = C.TW_TEXT_MODEL
	SystemFingerprint TextOption = C.TW_TEXT_SYSTEM_FINGERPRINT
	FinishReason      TextOption = C.TW_TEXT_FINISH_REASON
	Usage             TextOption = C.TW_TEXT_USAGE
	StopSequence      TextOption = C.TW_TEXT_STOP_SEQUENCE
)

// A Stream takes bytes and gives the lines of an API's stream.
type Stream struct {
	decoder *Decoder
	handle  *C.tw_writer
}

// NewStream makes a stream of what decoder reads; both are closed together.
func NewStream(decoder *Decoder, api API) (*Stream, error) {
	if decoder == nil || decoder.handle == nil {
		return nil, errors.New("toolwire: the decoder is nil or closed: NewDecoder makes one")
	}
	if api < Chat || api > Anthropic {
		return nil, argument("an API is Chat, Responses or Anthropic, not %d", int(api))
	}
	handle := C.tw_writer_new(C.tw_shape(api), nil)
	if handle == nil {
		return nil, errMemory
	}
	stream := &Stream{decoder, handle}
	runtime.SetFinalizer(stream, (*Stream).free)
	return stream, nil
}

func (s *Stream) free() {
	C.tw_writer_free(s.handle)
	s.handle = nil
	runtime.SetFinalizer(s, nil)
}

// Close frees the stream and its decoder; a second one does nothing.
func (s *Stream) Close() {
	s.free()
	s.decoder.Close()
}

// Set sets an option before the first bytes.
func (s *Stream) Set(option Option, value int64) error {
	defer runtime.KeepAlive(s)
	if s.handle == nil {
		return errClosed
	}
	return refusal(C.tw_writer_set(s.handle, C.tw_option(option), C.int64_t(value)))
}

// SetText sets a text.
func (s *Stream) SetText(text TextOption, value string) error {
	defer runtime.KeepAlive(s)
	if s.handle == nil {
		return errClosed
	}
	return refusal(C.tw_writer_set_text(s.handle, C.tw_text(text), pointer(value),
		C.size_t(len(value))))
}

func (s *Stream) take() []string {
	defer runtime.KeepAlive(s)
	var lines []string
	var line *C.char
	var size C.size_t
	for C.tw_writer_take(s.handle, &line, &size) == 1 {
		lines = append(lines, textOf(line, size))
	}
	return lines
}

// Fail breaks the stream off with the API's error event and what cause says,
// for when what feeds it failed, and gives the last lines.
func (s *Stream) Fail(cause error) []string {
	defer runtime.KeepAlive(s)
	if s.handle == nil {
		return nil
	}
	its := &Error{Code: C.TW_ERROR_STATE, Message: "the stream broke off"}
	if cause != nil && !errors.As(cause, &its) {
		its.Message = cause.Error()
	}
	message := C.CString(its.Message)
	defer C.free(unsafe.Pointer(message))
	row := (*C.tw_error)(C.calloc(1, C.sizeof_tw_error))
	defer C.free(unsafe.Pointer(row))
	row.code, row.detail = C.int32_t(its.Code), C.int32_t(its.Detail)
	row.offset, row.message = C.uint64_t(its.Offset), message
	C.tw_writer_fail(s.handle, row)
	return s.take()
}

func (s *Stream) drain(begun C.int) ([]string, error) {
	defer runtime.KeepAlive(s)
	if err := s.decoder.check(begun); err != nil {
		return nil, err
	}
	defer s.decoder.rest()
	for {
		event, err := s.decoder.next()
		if err != nil {
			return s.Fail(err), err
		}
		if event == nil {
			return s.take(), nil
		}
		if err := refusal(C.tw_writer_event(s.handle, event)); err != nil {
			return s.take(), err
		}
	}
}

// Push gives the lines of the next bytes.  With an error of the decoder come
// the last ones, which end in the API's error event.
func (s *Stream) Push(piece string) ([]string, error) {
	return s.PushMarked(piece, MarkUnknown)
}

// PushMarked is Push for bytes of which is known what they are.
func (s *Stream) PushMarked(piece string, mark Mark) ([]string, error) {
	if s.handle == nil {
		return nil, errClosed
	}
	d := s.decoder
	return s.drain(C.tw_decoder_feed(d.handle, d.hold(piece), C.size_t(len(piece)),
		C.tw_mark(mark)))
}

// Finish gives the last lines.
func (s *Stream) Finish(finish Finish) ([]string, error) {
	if s.handle == nil {
		return nil, errClosed
	}
	return s.drain(C.tw_decoder_finish(s.decoder.handle, C.tw_finish(finish)))
}

// Reset makes ready for the next message; options stay.
func (s *Stream) Reset() {
	defer runtime.KeepAlive(s)
	s.decoder.Reset()
	C.tw_writer_reset(s.handle)
}

// Copy reads all that reader has, and writes each line, with a line feed, as
// it comes; a server-sent event (SSE) is whole and stays as it is.  A writer
// that holds back, as an http.ResponseWriter does, is flushed.  If reader
// fails, the stream ends with the API's error event.
func (s *Stream) Copy(to io.Writer, reader io.Reader) error {
	return s.CopyContext(context.Background(), to, reader)
}

// CopyContext is Copy that ends, as if reader had failed, at the next piece
// behind the end of the context.
func (s *Stream) CopyContext(its context.Context, to io.Writer, reader io.Reader) error {
	piece := make([]byte, 8192)
	for {
		size, failed := reader.Read(piece)
		if its.Err() != nil {
			size, failed = 0, its.Err()
		}
		lines, err := s.Push(string(piece[:size]))
		if err == nil && failed == io.EOF {
			var last []string
			last, err = s.Finish(Stop)
			lines = append(lines, last...)
		} else if err == nil && failed != nil {
			lines, err = append(lines, s.Fail(failed)...), failed
		}
		for _, line := range lines {
			if !strings.HasSuffix(line, "\n") {
				line += "\n"
			}
			if _, wrong := io.WriteString(to, line); wrong != nil {
				return wrong
			}
		}
		if held, ok := to.(interface{ Flush() }); ok && len(lines) > 0 {
			held.Flush()
		}
		if err != nil || failed == io.EOF {
			return err
		}
	}
}
