// SPDX-License-Identifier: MIT

// A server of OpenAI's chat completions, with a made-up model.
//
//	go run ./examples/server localhost:8000
//	curl -N localhost:8000/v1/chat/completions -d '{"messages":
//	    [{"role": "user", "content": "Tide at Brest?"}],
//	    "tools": [{"type": "function", "function": {"name": "tide"}}]}'
//
// It shows what belongs to a real one: the prompt in segments, one stream a
// request, why the output ended, and a client that goes away.  The model calls
// the first tool with the user's words, some letters a token.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"toolwire"
)

const largest = 1 << 20

type request struct {
	Messages []struct{ Content string }
	Tools    []json.RawMessage
}

// answer is what the model writes.
func answer(its *request) string {
	words := its.Messages[len(its.Messages)-1].Content
	if len(its.Tools) == 0 {
		return "It is: " + words
	}
	var tool struct{ Function struct{ Name string } }
	_ = json.Unmarshal(its.Tools[0], &tool)
	call, _ := json.Marshal(map[string]any{"name": tool.Function.Name,
		"arguments": map[string]string{"question": words}})
	return "I look it up.\n<tool_call>\n" + string(call) + "\n</tool_call>"
}

// prompt is the text for the model.  A tokenizer gets the text segments with
// special tokens off, so that nothing a user writes is one.
func prompt(format *toolwire.Format, body string) (string, error) {
	encoder, err := toolwire.NewEncoder(format)
	if err != nil {
		return "", err
	}
	defer encoder.Close()
	segments, err := encoder.Segments(body)
	var text strings.Builder
	for _, segment := range segments {
		text.WriteString(segment.Text)
	}
	return text.String(), err
}

func open(format *toolwire.Format, its *request, prompt string) (*toolwire.Stream, error) {
	decoder, err := toolwire.NewDecoder(format)
	if err != nil {
		return nil, err
	}
	stream, err := toolwire.NewStream(decoder, toolwire.Chat)
	if err != nil {
		decoder.Close()
		return nil, err
	}
	tools, _ := json.Marshal(its.Tools)
	if len(its.Tools) > 0 {
		err = decoder.SetTools(string(tools))
	}
	err = errors.Join(err, decoder.SetPrompt(prompt), stream.Set(toolwire.SSE, 1),
		stream.SetText(toolwire.Model, "made-up"))
	if err != nil {
		stream.Close()
		return nil, err
	}
	return stream, nil
}

func serve(format *toolwire.Format, to http.ResponseWriter, from *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(to, from.Body, largest))
	if err != nil {
		return err
	}
	its := &request{}
	if err := json.Unmarshal(body, its); err != nil {
		return err
	}
	text, err := prompt(format, string(body))
	if err != nil {
		return err
	}
	if len(its.Messages) == 0 {
		return errors.New("no messages")
	}
	stream, err := open(format, its, text)
	if err != nil {
		return err
	}
	defer stream.Close()
	to.Header().Set("Content-Type", "text/event-stream")
	written := answer(its)
	for at := 0; at < len(written) && from.Context().Err() == nil; at += 4 {
		lines, err := stream.Push(written[at:min(at+4, len(written))])
		for _, line := range lines {
			_, _ = io.WriteString(to, line)
		}
		if err != nil {
			return nil // the client has the error event
		}
		http.NewResponseController(to).Flush()
	}
	lines, _ := stream.Finish(toolwire.Stop)
	for _, line := range lines {
		_, _ = io.WriteString(to, line)
	}
	return nil
}

func main() {
	format, err := toolwire.FindFormat("hermes/qwen3")
	if err != nil {
		log.Fatal(err)
	}
	address := "localhost:8000"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	log.Print("listening on ", address)
	log.Fatal(http.ListenAndServe(address, http.HandlerFunc(
		func(to http.ResponseWriter, from *http.Request) {
			if err := serve(format, to, from); err != nil {
				http.Error(to, err.Error(), http.StatusBadRequest)
			}
		})))
}
