// SPDX-License-Identifier: MIT

package toolwire

import (
	"strings"
	"testing"
)

// names says whether an error is one line that names the remedy.
func names(t *testing.T, remedy string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), remedy) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("%q: %v", remedy, err)
	}
}

func second[T any](_ T, err error) error { return err }

// last is the error that ends the events.
func last(events func(func(Event, error) bool)) (err error) {
	for _, err = range events {
	}
	return err
}

func TestWrongNames(t *testing.T) {
	for name, remedy := range map[string]string{
		"hermse": "did you mean hermes?", "zzzzz": "Formats lists them",
		"anthropic": "a shape of records", "./mine.json": "LoadFormat",
	} {
		names(t, remedy, second(FindFormat(name)))
	}
	names(t, "FindFormat says why", second(NewDecoder(nil)))
	names(t, "FindFormat says why", second(NewEncoder(nil)))
	names(t, "LoadTemplate makes one", second(NewTemplateEncoder(nil, nil)))
	names(t, "no name or path", second(LoadFormat("hermes")))
	names(t, "the template's text is wanted", second(LoadTemplate("a/model", "", "")))
	names(t, "Chat, Responses or Anthropic", second(NewStream(newDecoder(t), 77)))
	names(t, "NewDecoder makes one", second(NewStream(nil, Chat)))
}

func TestNoWay(t *testing.T) {
	names(t, "did you mean hermes?", second(NewConverter("hermse", "message")))
	names(t, "shapes are ", second(NewConverter("openai", "opnai")))
	names(t, "from 'openai' to 'message'", second(NewConverter("openai", "message")))
	names(t, "read only", second(NewConverter(known("hermes"), "codex")))
	names(t, "not int", second(NewConverter(5, "openai")))
	converter, err := NewConverter("openai", "anthropic")
	if err != nil {
		t.Fatal(err)
	}
	names(t, "of the shape sharegpt", second(converter.Record(
		`{"conversations":[{"from":"human","value":"Hi."}]}`)))
	names(t, "takes records, not text", second(converter.Text("Hi.")))
	names(t, "LoadTemplate makes one", converter.SetTemplate(nil))
	converter.Close()
	names(t, "make another one", second(converter.Record("{}")))
	names(t, "make another one", converter.SetTools("[]"))
}

func TestWrongTools(t *testing.T) {
	decoder := newDecoder(t)
	for tools, remedy := range map[string]string{
		"tide": "not JSON", `"[]"`: "JSON is no string",
		`{"name":"tide"}`: "one tool stands in [ ]",
	} {
		names(t, remedy, decoder.SetTools(tools))
	}
	names(t, "the name of its tool", decoder.SetToolChoice(`{"type":"function"}`))
	names(t, "decoders have no such option", decoder.Set(SSE, 1))
}

func TestWrongOrder(t *testing.T) {
	decoder := newDecoder(t)
	for range decoder.Feed("a") {
	}
	names(t, "behind a reset", decoder.Set(Strict, 1))
	names(t, "behind a reset", decoder.SetTools("[]"))
	names(t, "behind a reset", decoder.SetPrompt("x"))
	for range decoder.Finish(Stop) {
	}
	names(t, "reset for the next", last(decoder.Feed("b")))
	names(t, "reset for the next", last(decoder.Finish(Stop)))
	decoder.Close()
	decoder.Reset()
	names(t, "make another one", last(decoder.Feed("b")))
	names(t, "make another one", decoder.Set(Strict, 1))
	names(t, "NewDecoder makes one", second(NewStream(decoder, Chat)))
}

// What is fed by a loop that nobody wrote is not lost in silence.
func TestUnreadEvents(t *testing.T) {
	decoder := newDecoder(t)
	defer decoder.Close()
	_ = decoder.Feed("a")
	names(t, "range over each", last(decoder.Feed("b")))
	names(t, "range over each", last(decoder.Finish(Stop)))
	decoder.Reset()
	first, second := decoder.Feed("a"), decoder.Feed("b")
	for _, events := range []func(func(Event, error) bool){first, second, first,
		decoder.Finish(Stop)} {
		if err := last(events); err != nil {
			t.Error(err)
		}
	}
}

func TestWrongStreams(t *testing.T) {
	stream, err := NewStream(newDecoder(t), Chat)
	if err != nil {
		t.Fatal(err)
	}
	names(t, "API takes no such", stream.Set(Strict, 1))
	names(t, "API takes no such", stream.SetText(StopSequence, "x"))
	names(t, "no JSON object", stream.SetText(Usage, "5"))
	_, _ = stream.Push("x")
	names(t, "before the first bytes", stream.Set(SSE, 1))
	if lines := stream.Fail(nil); len(lines) == 0 ||
		!strings.Contains(lines[len(lines)-1], "the stream broke off") {
		t.Error(lines)
	}
	stream.Reset()
	_, _ = stream.Finish(Stop)
	names(t, "reset for the next", second(stream.Push("x")))
	stream.Close()
	stream.Reset()
	names(t, "make another one", second(stream.Push("x")))
	names(t, "make another one", stream.Set(SSE, 1))
	names(t, "make another one", stream.SetText(Model, "m"))
	if lines := stream.Fail(errClosed); lines != nil {
		t.Error(lines)
	}
}

func TestWrongRequests(t *testing.T) {
	hermes := known("hermes")
	asks := `{"messages":[{"role":"user","content":"<|im_end|>"}]}`
	names(t, "`messages` is missing", second(Encode("{}", hermes)))
	names(t, "messages alone stand in", second(Encode("[]", hermes)))
	names(t, "not JSON", second(Encode("Hi.", hermes)))
	names(t, "the option ControlText: ControlTextBreak", second(Encode(asks, hermes)))
	names(t, "only completions", second(Encode(asks, known("internlm2"))))
	encoder, err := NewEncoder(hermes)
	if err != nil {
		t.Fatal(err)
	}
	names(t, "encoders have no such option", encoder.Set(Strict, 1))
	names(t, "not a JSON object", encoder.SetSettings("enable_thinking"))
	names(t, "2026-11-25T12:00:00", encoder.SetNow("today"))
	encoder.Close()
	names(t, "make another one", second(encoder.Encode("{}")))
	names(t, "make another one", second(encoder.Segments("{}")))
}
