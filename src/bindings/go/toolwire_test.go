// SPDX-License-Identifier: MIT

package toolwire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

const call = "<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"at\": \"Brest\"}}\n</tool_call>"

type vector struct {
	ID, Do, Format, From, To, API, Input, Error string
	Expect                                      *string
	Piece                                       int
}

func end(name string) any {
	for _, shape := range Shapes() {
		if shape.Name == name {
			return name
		}
	}
	if format := known(name); format != nil {
		return format
	}
	return name
}

// known is nil where there is none.
func known(name string) *Format {
	format, _ := FindFormat(name)
	return format
}

func stream(row *vector) (string, error) {
	decoder, err := NewDecoder(known(row.Format))
	if err != nil {
		return "", err
	}
	api := map[string]API{"chunks": Chat, "responses": Responses, "anthropic": Anthropic}
	stream, err := NewStream(decoder, api[row.API])
	if err != nil {
		return "", err
	}
	defer stream.Close()
	var all []string
	for at := 0; at < len(row.Input); at += row.Piece {
		lines, err := stream.Push(row.Input[at:min(at+row.Piece, len(row.Input))])
		if err != nil {
			return "", err
		}
		all = append(all, lines...)
	}
	lines, err := stream.Finish(Stop)
	return strings.Join(append(all, lines...), "\n"), err
}

func run(row *vector) (string, error) {
	switch row.Do {
	case "decode":
		return Decode(row.Input, known(row.Format))
	case "stream":
		return stream(row)
	case "encode":
		return Encode(row.Input, known(row.Format))
	case "completion":
		encoder, err := NewEncoder(known(row.Format))
		if err != nil {
			return "", err
		}
		defer encoder.Close()
		return encoder.Completion(row.Input)
	}
	converter, err := NewConverter(end(row.From), end(row.To))
	if err != nil {
		return "", err
	}
	defer converter.Close()
	return converter.Record(row.Input)
}

// The list that all bindings read alike.
func TestVectors(t *testing.T) {
	path := os.Getenv("TOOLWIRE_VECTORS")
	if path == "" {
		path = "../../../tests/conformance/vectors.jsonl"
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	count := 0
	for ; lines.Scan(); count++ {
		var row vector
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		got, err := run(&row)
		var its *Error
		switch {
		case row.Expect == nil && (!errors.As(err, &its) || its.Name() != row.Error):
			t.Errorf("%s %s: %v, not %s", row.Do, row.ID, err, row.Error)
		case row.Expect != nil && (err != nil || got != *row.Expect):
			t.Errorf("%s %s: %v %s", row.Do, row.ID, err, got)
		}
	}
	if lines.Err() != nil || count < 400 {
		t.Fatalf("%d vectors: %v", count, lines.Err())
	}
}

func newDecoder(t *testing.T) *Decoder {
	t.Helper()
	decoder, err := NewDecoder(known("hermes"))
	if err != nil {
		t.Fatal(err)
	}
	return decoder
}

func TestRead(t *testing.T) {
	decoder := newDecoder(t)
	defer decoder.Close()
	arguments, complete := "", false
	for event, err := range decoder.Read(iotest.OneByteReader(strings.NewReader(call))) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == CallArguments {
			arguments += event.Data
		}
		complete = complete || event.Kind == CallEnd && event.Code == Complete
	}
	if arguments != `{"at": "Brest"}` || !complete {
		t.Error(arguments, complete)
	}
	decoder.Reset()
	for _, err := range decoder.Read(iotest.ErrReader(os.ErrClosed)) {
		if !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	}
}

// What a loop leaves is let go, and the next piece is taken.
func TestLeft(t *testing.T) {
	decoder := newDecoder(t)
	defer decoder.Close()
	for range decoder.Feed("Hi" + call) {
		break
	}
	seen := false
	for event, err := range decoder.Finish(Stop) {
		seen = err == nil && event.Kind == End
	}
	if !seen {
		t.Error("no end")
	}
	for _, err := range decoder.Feed("x") {
		var its *Error
		if !errors.As(err, &its) || its.Name() != "TW_ERROR_STATE" {
			t.Error(err)
		}
	}
}

func TestErrors(t *testing.T) {
	decoder := newDecoder(t)
	if err := decoder.Set(Strict, 1); err != nil {
		t.Fatal(err)
	}
	var its *Error
	for _, err := range decoder.Feed(strings.Replace(call, `"}`, `",}`, 1)) {
		errors.As(err, &its)
	}
	if its == nil || its.Name() != "TW_ERROR_DEVIATION" || its.DetailName() != "trailing_comma" {
		t.Error(its)
	}
	if decoder.Set(LimitDepth, 0) == nil {
		t.Error("a depth of 0")
	}
	if _, err := LoadFormat(`{"format": 1, "call": "<c>{nme}</c>"}`); err == nil ||
		!strings.Contains(err.Error(), "call") {
		t.Error(err)
	}
	if _, err := NewDecoder(known("none")); err == nil {
		t.Error("no format")
	}
	if _, err := NewConverter("message", 1); err == nil {
		t.Error("no end")
	}
	decoder.Close()
	decoder.Close()
	for _, err := range decoder.Feed("x") {
		if err == nil {
			t.Error("a closed decoder takes text")
		}
	}
}

func TestFormats(t *testing.T) {
	if len(Formats()) < 70 || len(Shapes()) < 10 || Version() == "" {
		t.Error(len(Formats()), len(Shapes()), Version())
	}
	hermes := known("hermes")
	loaded, err := LoadFormat(hermes.Describe())
	if err != nil || hermes.About() == "" || !hermes.HasPrompts() || len(hermes.Markers()) == 0 {
		t.Fatal(err)
	}
	decoder, _ := NewDecoder(loaded)
	loaded = nil
	runtime.GC()
	runtime.GC()
	found := false
	for event := range decoder.Feed(call) {
		found = found || event.Kind == CallBegin && event.Data == "tide"
	}
	if !found {
		t.Error("no call")
	}
	encoder, _ := NewEncoder(hermes)
	segments, err := encoder.Segments(`{"messages":[{"role":"user","content":"x"}]}`)
	if err != nil || !segments[0].Control {
		t.Error(segments, err)
	}
}

func TestStream(t *testing.T) {
	decoder := newDecoder(t)
	_ = decoder.Set(LimitInput, 4)
	stream, _ := NewStream(decoder, Chat)
	defer stream.Close()
	lines, err := stream.Push("more than four")
	if err == nil || !strings.Contains(lines[len(lines)-1], "error") {
		t.Error(lines, err)
	}
	stream.Reset()
	if stream.Set(SSE, 1) != nil || stream.SetText(Model, "m") != nil ||
		stream.SetText(Usage, "no object") == nil {
		t.Error("options")
	}
	var out bytes.Buffer
	if err := stream.Copy(&out, strings.NewReader("abc")); err != nil ||
		!strings.HasSuffix(out.String(), "}\n\ndata: [DONE]\n\n") ||
		strings.Contains(out.String(), "\n\n\n") {
		t.Errorf("%v %q", err, out.String())
	}
	out.Reset()
	stream.Reset()
	if err := errors.Join(stream.Set(SSE, 0),
		stream.Copy(&out, strings.NewReader("abc"))); err != nil ||
		!strings.HasSuffix(out.String(), "}\n") || strings.Contains(out.String(), "\n\n") {
		t.Errorf("%v %q", err, out.String())
	}
}

// A source that fails, or a context that ends, ends the stream with an error
// event, whatever was read before.
func TestFail(t *testing.T) {
	stream, _ := NewStream(newDecoder(t), Chat)
	defer stream.Close()
	_ = stream.Set(SSE, 1)
	var out bytes.Buffer
	broken := io.MultiReader(strings.NewReader("Hi."), &failing{errors.New("the engine went away")})
	if err := stream.Copy(&out, broken); err == nil ||
		!strings.Contains(out.String(), "Hi.") ||
		!strings.Contains(out.String(), "the engine went away") {
		t.Errorf("%v %q", err, out.String())
	}
	if lines := stream.Fail(errors.New("again")); len(lines) != 0 {
		t.Error(lines)
	}
	out.Reset()
	stream.Reset()
	its, cancel := context.WithCancel(context.Background())
	cancel()
	if err := stream.CopyContext(its, &out, strings.NewReader("Hi.")); err != context.Canceled ||
		!strings.Contains(out.String(), "context canceled") {
		t.Errorf("%v %q", err, out.String())
	}
}

type failing struct{ with error }

func (f *failing) Read([]byte) (int, error) { return 0, f.with }

func TestToolChoice(t *testing.T) {
	decoder := newDecoder(t)
	defer decoder.Close()
	if err := decoder.SetToolChoice("none"); err != nil {
		t.Fatal(err)
	}
	for event, err := range decoder.Feed(call) {
		if err != nil || event.Kind != Text {
			t.Error(event, err)
		}
	}
}

func TestMend(t *testing.T) {
	decoder := newDecoder(t)
	defer decoder.Close()
	err := errors.Join(decoder.Set(Validate, ValidateMend), decoder.SetTools(
		`[{"name":"tide","parameters":{"properties":{"at":{"type":"integer"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	arguments := ""
	text := `<tool_call>{"name": "tide", "arguments": {"at": "5"}}</tool_call>`
	for event, err := range decoder.Feed(text) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == CallArguments {
			arguments += event.Data
		}
	}
	if arguments != `{"at": 5}` {
		t.Error(arguments)
	}
}

func TestIds(t *testing.T) {
	request := `{"messages":[{"role":"user","content":"Tide?"},
		{"role":"assistant","tool_calls":[{"id":"call_1","type":"function",
			"function":{"name":"tide","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"call_1","content":"high"}]}`
	encoder, err := NewEncoder(known("mistral/v7"))
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	if text, err := encoder.Encode(request); err == nil {
		t.Error(text)
	}
	if err := encoder.Set(Ids, MapIds); err != nil {
		t.Fatal(err)
	}
	text, err := encoder.Encode(request)
	if err != nil || strings.Contains(text, "call_1") {
		t.Error(text, err)
	}
	if reports := encoder.Reports(); len(reports) == 0 || reports[0].Name != "id_replaced" {
		t.Error(reports)
	}
}

func TestSettings(t *testing.T) {
	found := known("hermes").Settings()
	if len(found) != 1 || found[0].Name != "enable_thinking" || found[0].Type != "boolean" {
		t.Error(found)
	}
}

func TestKinds(t *testing.T) {
	if Text.String() != "text" || CallBegin.String() != "call_begin" ||
		fmt.Sprint(End) != "end" || Kind(0).String() != "Kind(0)" ||
		Kind(10).String() != "Kind(10)" {
		t.Error(Text, CallBegin, End, Kind(0), Kind(10))
	}
}

// What was made in front of an error comes in front of it.
func TestEventsInFrontOfAnError(t *testing.T) {
	for _, size := range []int{1, 3, 100} {
		decoder := newDecoder(t)
		_ = decoder.Set(LimitInput, 60)
		reader := strings.NewReader("Hi there. " + call)
		text, begun, failed := "", false, false
		for event, err := range decoder.Read(&chunked{reader, size}) {
			if failed {
				t.Error("an event behind an error")
			}
			failed = err != nil
			begun = begun || event.Kind == CallBegin
			if event.Kind == Text {
				text += event.Data
			}
		}
		if text != "Hi there. " || !begun || !failed {
			t.Errorf("%d: %q %v %v", size, text, begun, failed)
		}
		decoder.Close()
	}
}

// chunked reads so many bytes at a time.
type chunked struct {
	from io.Reader
	size int
}

func (c *chunked) Read(piece []byte) (int, error) {
	return c.from.Read(piece[:min(c.size, len(piece))])
}

// Objects side by side; the race detector looks on.
func TestManyAtOnce(t *testing.T) {
	format := known("hermes")
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := 0; n < 50; n++ {
				if _, err := Decode(call, format); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
}

func TestCompletionsOfLogs(t *testing.T) {
	const said = `{"output":"Hi.<tool_call>{\"name\":\"now\"}</tool_call>"}`
	converter, err := NewConverter(known("hermes"), "openai")
	if err != nil {
		t.Fatal(err)
	}
	defer converter.Close()
	if err := errors.Join(converter.Set(UnitCompletion, 1),
		converter.SetText(Field, "output"), converter.Set(ArgumentsObject, 1)); err != nil {
		t.Fatal(err)
	}
	out, err := converter.Record(said)
	if err != nil || !strings.Contains(out, `"arguments":{}`) {
		t.Errorf("%v %s", err, out)
	}
	if err := converter.SetPrompt("<|im_start|>assistant\n<think>\n"); err != nil {
		t.Fatal(err)
	}
	out, err = converter.Record(`{"output":"Hm"}`)
	if err != nil || !strings.Contains(out, `"reasoning_content":"Hm"`) {
		t.Errorf("%v %s", err, out)
	}
	shapes, err := NewConverter("openai", "anthropic")
	if err != nil {
		t.Fatal(err)
	}
	defer shapes.Close()
	names(t, "FindFormat says why", shapes.SetWire(nil))
	if err := shapes.SetWire(known("hermes")); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	out, err = shapes.Record(`{"messages":[{"role":"assistant","content":` + said[10:] + `]}`)
	if err != nil || !strings.Contains(out, `"tool_use"`) {
		t.Errorf("%v %s", err, out)
	}
}

func TestConvertersKnowWhyTextsEnded(t *testing.T) {
	converter, err := NewConverter(known("mistral"), "message")
	if err != nil {
		t.Fatal(err)
	}
	defer converter.Close()
	for finish, wanted := range map[Finish]string{
		Length: "truncated_call", Stop: `"{\"a\":1}"`} {
		if err := converter.SetFinish(finish); err != nil {
			t.Fatal(err)
		}
		out, err := converter.Text(`[TOOL_CALLS]f[ARGS]{"a":1`)
		if err != nil || !strings.Contains(out, wanted) {
			t.Errorf("%v %s", err, out)
		}
	}
}

func TestIDsBeginAsTheyAreTold(t *testing.T) {
	decoder := newDecoder(t)
	defer decoder.Close()
	if err := decoder.SetCallIDPrefix("r1_"); err != nil {
		t.Fatal(err)
	}
	for event := range decoder.Feed(call) {
		if event.Kind == CallBegin && event.ID != "r1_0" {
			t.Error(event.ID)
		}
	}
}

type flushed struct {
	strings.Builder
	sent []int
}

func (f *flushed) Flush() { f.sent = append(f.sent, f.Len()) }

// A web server's writer holds back: what came is sent before more is read.
func TestCopySendsAsItComes(t *testing.T) {
	stream, err := NewStream(newDecoder(t), Chat)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	to := &flushed{}
	if err := stream.Copy(to, iotest.OneByteReader(strings.NewReader("Hi."))); err != nil {
		t.Fatal(err)
	}
	if len(to.sent) != 4 || to.sent[3] != to.Len() {
		t.Error(to.sent, to.Len())
	}
}
