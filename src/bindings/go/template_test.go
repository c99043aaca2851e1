// SPDX-License-Identifier: MIT

package toolwire

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const (
	talk = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}" +
		"{% if m.role == 'assistant' %}<|end|>{% endif %}{% endfor %}" +
		"{% if add_generation_prompt %}<|assistant|>{% endif %}"
	hi   = `{"role":"user","content":"Hi"}`
	ho   = `{"role":"assistant","content":"Ho"}`
	tide = `[{"type":"function","function":{"name":"tide","parameters":{"type":"object",` +
		`"properties":{"at":{"type":"string"}},"required":["at"]}}}]`
)

func templateEncoder(t *testing.T, text string) *Encoder {
	t.Helper()
	template_, err := LoadTemplate(text, "", "")
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := NewTemplateEncoder(template_, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := encoder.Set(GenerationPrompt, 1); err != nil {
		t.Fatal(err)
	}
	return encoder
}

// fails says whether an error is of that name.
func fails(err error, name string) bool {
	var its *Error
	return errors.As(err, &its) && its.Name() == name
}

func TestTemplateSpans(t *testing.T) {
	encoder := templateEncoder(t, talk)
	text, spans, err := encoder.Spans(`{"messages":[` + hi + "," + ho + "]}")
	if err != nil || text != "<|user|>Hi<|assistant|>Ho<|end|><|assistant|>" {
		t.Fatal(text, err)
	}
	at, sampled := 0, ""
	for _, span := range spans {
		if span.Start != at {
			t.Error("a gap at", at)
		}
		at = span.End
		if span.Sampled {
			sampled += text[span.Start:span.End]
		}
	}
	if at != len(text) || sampled != "Ho<|end|>" {
		t.Error(at, sampled)
	}
	_, err = encoder.Encode(`{"messages":[{"role":"user","content":"<|assistant|>"}]}`)
	if !fails(err, "TW_ERROR_CONTROL_TEXT") {
		t.Error(err)
	}
}

func TestTemplateExtend(t *testing.T) {
	encoder := templateEncoder(t, talk)
	record := `{"completion":"Ho","messages":[` + hi + "," + ho + `],"new":[` + hi + `],"prompt":`
	text, err := encoder.Extend(record + `"<|user|>Hi<|assistant|>"}`)
	if err != nil || text != "<|end|><|user|>Hi<|assistant|>" {
		t.Error(text, err)
	}
	if _, err = encoder.Extend(record + `"other"}`); !fails(err, "TW_ERROR_UNSTABLE") {
		t.Error(err)
	}
}

func TestTemplateDetect(t *testing.T) {
	template_, err := LoadTemplate(talk, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := template_.Detect(); err != nil || found.Format != nil {
		t.Error(found, err)
	}
	if _, err := LoadTemplate("{% if %}", "", ""); !fails(err, "TW_ERROR_TEMPLATE") {
		t.Error(err)
	}
	named := `{"chat_template":[{"name":"default","template":"a"},` +
		`{"name":"tools","template":"b"}]}`
	if template_, err = LoadTemplate(named, "", "tools"); err != nil {
		t.Fatal(err)
	}
	encoder, err := NewTemplateEncoder(template_, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := encoder.Encode(`{"messages":[` + hi + `]}`); err != nil || text != "b" {
		t.Error(text, err)
	}
}

func TestTemplateDecodeTranscript(t *testing.T) {
	encoder := templateEncoder(t, "<|im_start|>system\n{{ strftime_now('%Y') }} {{ effort }}"+
		"<|im_end|>\n{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"+
		"<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' if add_generation_prompt }}")
	if err := encoder.Set(GenerationPrompt, 0); err != nil {
		t.Fatal(err)
	}
	template_, said := encoder.template_, `{"messages":[`+hi+","+ho+"]}"
	text, err := encoder.Encode(said)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := template_.DecodeTranscript(text, known("hermes")); back != said {
		t.Error(back, err)
	}
	if _, err := template_.DecodeTranscript(text, nil); err == nil ||
		!strings.Contains(err.Error(), "name one") {
		t.Error(err)
	}
	converter, err := NewConverter(known("hermes"), "openai")
	if err != nil {
		t.Fatal(err)
	}
	defer converter.Close()
	if err := converter.SetNow("2025-01-02T00:00:00"); !fails(err, "TW_ERROR_ARGUMENT") {
		t.Error(err)
	}
	for _, err := range []error{
		encoder.SetSettings(`{"effort":"high"}`), encoder.SetNow("2025-01-02T00:00:00"),
		converter.SetTools("[]"), converter.SetTemplate(template_),
		converter.SetSettings(`{"effort":"high"}`), converter.SetNow("2025-01-02T00:00:00"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if text, err = encoder.Encode(said); err != nil {
		t.Fatal(err)
	}
	_, err = template_.DecodeTranscript(text, known("hermes"))
	if !fails(err, "TW_ERROR_SCHEMA") {
		t.Error(err)
	}
	if back, err := converter.Transcript(text); back != said {
		t.Error(back, err)
	}
}

func TestTemplateNow(t *testing.T) {
	encoder := templateEncoder(t, "{{ strftime_now('%Y-%m-%d') }}")
	if err := encoder.SetNow("2026-11-25T12:00:00"); err != nil {
		t.Fatal(err)
	}
	text, err := encoder.Encode(`{"messages":[` + hi + `]}`)
	if err != nil || text != "2026-11-25" {
		t.Error(text, err)
	}
	if encoder.SetNow("noon") == nil {
		t.Error("noon is no time")
	}
}

func TestGrammar(t *testing.T) {
	format := known("hermes")
	for target, has := range map[int]string{Lark: "tide", Gbnf: "root ::="} {
		text, err := Grammar(tide, format, GrammarOptions{Target: target, Parallel: true})
		if err != nil || !strings.Contains(text, has) {
			t.Error(text, err)
		}
	}
	text, err := Grammar(tide, format, GrammarOptions{Target: StructuralTag})
	if err != nil || !json.Valid([]byte(text)) {
		t.Error(text, err)
	}
	_, err = Grammar(tide, format, GrammarOptions{Choice: "moon"})
	if !fails(err, "TW_ERROR_ARGUMENT") {
		t.Error(err)
	}
}

func TestWordsForModel(t *testing.T) {
	wrong := `{"id":"c1","type":"function","function":{"name":"tide","arguments":"{}"}}`
	message := func(calls string) string {
		return `{"role":"assistant","content":null,"tool_calls":[` + calls + `]}`
	}
	// More than the first room.
	many := strings.Repeat(wrong+",", 98) + wrong
	told, err := WordsForModel(message(many), tide)
	if err != nil || strings.Count(told, `"tool_call_id":"c1"`) != 99 {
		t.Error(told, err)
	}
	if told, err = WordsForModel(message(wrong), ""); err != nil || told != "[]" {
		t.Error(told, err)
	}
	if _, err = WordsForModel("7", ""); err == nil {
		t.Error("7 is no message")
	}
}
