// SPDX-License-Identifier: MIT

// Ollama's built-in parsers for the line protocol of `toolwire test`.
//
// Use: peer stream PARSER
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/parsers"
)

const broken = 70

var names = []string{"f", "get_tide", "now", "search", "write_file"}

type question struct {
	ID     string          `json:"id"`
	Format string          `json:"format"`
	Start  string          `json:"start"`
	Chunks [][]byte        `json:"chunks"`
	Stop   *int            `json:"stop"`
	Beside json.RawMessage `json:"beside"`
	Tools  json.RawMessage `json:"tools"`
	Budget float64         `json:"budget"`
}

type marker struct {
	Text  string `json:"text"`
	Role  string `json:"role"`
	Stop  bool   `json:"stop"`
	Token bool   `json:"token"`
}

type function struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

type call struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type message struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	Reasoning string `json:"reasoning_content,omitempty"`
	Calls     []call `json:"tool_calls,omitempty"`
}

type answer struct {
	ID      string   `json:"id"`
	Skip    string   `json:"skip,omitempty"`
	Message *message `json:"message,omitempty"`
	Error   string   `json:"error,omitempty"`
	Seconds float64  `json:"seconds"`
	Deltas  int      `json:"deltas"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(broken)
	}
}

// The markers of each format, the longest first.
func readMarkers() map[string][]marker {
	file, err := os.ReadFile(os.Getenv("PEERS_MARKERS"))
	check(err)
	all := map[string][]marker{}
	for _, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		var format struct {
			Name    string
			Markers []marker
		}
		check(json.Unmarshal([]byte(line), &format))
		sort.SliceStable(format.Markers, func(i, j int) bool {
			return len(format.Markers[i].Text) > len(format.Markers[j].Text)
		})
		all[format.Name] = format.Markers
	}
	return all
}

func tools(asked json.RawMessage) []api.Tool {
	var made []api.Tool
	if len(asked) > 0 {
		check(json.Unmarshal(asked, &made))
		return made
	}
	for _, name := range names {
		var tool api.Tool
		check(json.Unmarshal([]byte(`{"type":"function","function":{"name":"`+
			name+`","parameters":{"type":"object","properties":{}}}}`), &tool))
		made = append(made, tool)
	}
	return made
}

// The end of the token that begins at |at|: a marker, or a character.
func tokenEnd(text string, at int, markers []marker) int {
	for _, m := range markers {
		if m.Token && strings.HasPrefix(text[at:], m.Text) {
			return at + len(m.Text)
		}
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return at + size
}

// A token a delta, or by the cuts, of which one inside a token moves behind it.
func deltas(chunks [][]byte, text string, markers []marker) []string {
	var made []string
	cut := 0
	next := 0
	begin := 0
	for at := 0; at < len(text); {
		at = tokenEnd(text, at, markers)
		for next < len(chunks) && cut < at {
			cut += len(chunks[next])
			next++
		}
		if len(chunks) == 1 || at >= cut || at == len(text) {
			made = append(made, text[begin:at])
			begin = at
		}
	}
	return made
}

func withoutStop(text string, markers []marker) string {
	bare := strings.TrimRight(text, "\n")
	for _, m := range markers {
		if m.Stop && strings.HasSuffix(bare, m.Text) {
			return strings.TrimSuffix(bare, m.Text)
		}
	}
	return text
}

// Does it begin with reasoning, or inside it?
func reasons(q question, text string, markers []marker) bool {
	for _, m := range markers {
		if m.Role == "reasoning_open" &&
			strings.HasPrefix(strings.TrimLeft(text, "\n "), m.Text) {
			return true
		}
	}
	return q.Start != ""
}

func used() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Sec) + float64(usage.Stime.Sec) +
		float64(usage.Utime.Usec+usage.Stime.Usec)/1e6
}

func parse(q question, markers []marker) (said answer) {
	said.ID = q.ID
	var all []byte
	for _, chunk := range q.Chunks {
		all = append(all, chunk...)
	}
	var text string
	if q.Stop != nil {
		text = string(all[:*q.Stop])
	} else {
		text = withoutStop(string(all), markers)
	}
	parts := deltas(q.Chunks, text, markers)
	parser := parsers.ParserForName(os.Args[2])
	if !parser.HasThinkingSupport() && reasons(q, text, markers) {
		said.Skip = "no reasoning parser"
		return said
	}
	if q.Beside != nil { // Each request has a parser of its own.
		said.Skip = "one stream at a time"
		return said
	}
	think := &api.ThinkValue{Value: parser.HasThinkingSupport()}
	parser.Init(tools(q.Tools), nil, think)
	made := &message{Role: "assistant"}
	start := used()
	defer func() {
		said.Seconds = used() - start
		if why := recover(); why != nil {
			said.Error = fmt.Sprint("panic: ", why)
		}
	}()
	for i := 0; i <= len(parts); i++ {
		part := ""
		if i < len(parts) {
			part = string([]rune(parts[i])) // U+FFFD for each bad byte
		}
		content, thinking, calls, err := parser.Add(part, i == len(parts))
		if err != nil {
			said.Error = err.Error()
			return said
		}
		made.Content += content
		made.Reasoning += thinking
		for _, one := range calls {
			made.Calls = append(made.Calls, call{"function",
				function{one.Function.Name, one.Function.Arguments}})
		}
		said.Deltas++
		if q.Budget > 0 && i%64 == 0 && used()-start > q.Budget {
			break
		}
	}
	said.Message = made
	return said
}

func main() {
	if parsers.ParserForName(os.Args[2]) == nil {
		check(fmt.Errorf("no such parser: %s", os.Args[2]))
	}
	all := readMarkers()
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		check(json.Unmarshal(line, &q))
		check(out.Encode(parse(q, all[q.Format])))
	}
}
