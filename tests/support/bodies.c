/* SPDX-License-Identifier: MIT
 *
 * The notations: JSON objects, tags, Gemma's and Harmony's, each a list of
 * texts with holes.
 */
#include "bodies.h"

#include "formats.h"

/* Octal, since no digit may follow an escape in hexadecimal. */
#define OPEN "\021"
#define CLOSE "\022"
#define THINK "\023"
#define THINK_END "\024"
#define QUOTE "\025"
#define HEADER "\026"
#define ARGS "\027" /* between header and body */
#define END "\030"
#define TURN "\031"
#define STOP "\037"

const char *const json_words[] = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "\\n",
    "\\\"",
    "\\'",
    "\\d",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\u12",
    "true",
    "false",
    "null",
    "True",
    "None",
    "NaN",
    "tru",
    "1",
    "-",
    "0",
    "12.5e-7",
    "007",
    "1.",
    " ",
    "\n",
    "\t",
    "\r\n",
    "\x0b",
    "\xC2\xA0",
    "\xEF\xBB\xBF",
    "\xE2\x80\x8B",
    "\xC3\xA9",
    "\xC3",
    "\xE2\x82",
    "\xFF",
    "\xF0\x9F\x98\x80",
    "\xED\xA0\x80",
    "\x01",
    "\"a\"",
    "\"b\": 2",
    "\"a\": 1",
    "{\"a\": 1}",
    "{{",
    "}}",
    ",}",
    ",]",
    "x",
    "word ",
    "<",
    "<|",
    "{}",
    "[]",
    "\"\"",
    "\"{\\\"a\\\": 1}\"",
    "\"{\\\"a\\\": [1, ",
    "'k'",
    "// c",
    NULL,
};

/* ---- markers around strings --------------------------------------------- */

static const char *const quoted_words[] = {
    QUOTE,
    "<",
    "<|",
    "call:f{",
    "call:f",
    "call:",
    "f{",
    ":g{",
    "call:a.b-c:d{",
    "call:f(",
    "thought\n",
    "thought",
    "a:",
    "b:",
    "key:",
    "k=",
    "full name:",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ",",
    ":",
    "=",
    "\"",
    "'",
    "`",
    "\\",
    "\\n",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\'",
    "\\\"",
    "1",
    "-2.5",
    "007",
    "true",
    "null",
    "None",
    "nil",
    "False",
    "x",
    "word two",
    " ",
    "\n",
    "\t",
    "\r\n",
    "  ",
    "\xC3\xA9",
    "\xC3",
    "\xA9",
    "\xE2\x82",
    "\xF0\x9F\x98\x80",
    "\xFF",
    "\xED\xA0\x80",
    "http://x",
    "// c",
    ".",
    "-",
    "_",
    "\x01",
    "model\n",
    "}}",
    "]]",
    "{{",
    "{\"a\":1}",
    NULL,
};

static const char *const quoted_texts[] = {
    OPEN "call:f{a:1}" CLOSE,
    OPEN "call:f{a:" QUOTE "x, y" QUOTE ",b:[1,2]}" CLOSE,
    OPEN "call:f{",
    OPEN "call:f{a:",
    OPEN "call:f{a:" QUOTE,
    OPEN "call:f{a:[",
    OPEN "call:g{m:{k:true,l:null},s:" QUOTE "}]" QUOTE "}" CLOSE,
    "}" CLOSE,
    QUOTE "}" CLOSE,
    QUOTE ",b:" QUOTE,
    ",b:" QUOTE "y" QUOTE,
    THINK "thought\nthinking " THINK_END,
    THINK "thought\n",
    "Hello there. ",
    "call:f{a:1}",
    OPEN "call:f{\"a\": \"b\", 'c': 'd', e:`f`}" CLOSE,
    OPEN "call:f(a:x y,b=2)" CLOSE,
    "a:Lyon, France" QUOTE ",b:5",
    "[red" QUOTE "," QUOTE "blue" QUOTE "]",
    QUOTE "code }],path:" QUOTE "f.txt" QUOTE,
    OPEN "call:f{a:5}call:g{b:" QUOTE "s" QUOTE "}" CLOSE,
    OPEN "call:f{a:x y} , call:g(b:1)" CLOSE,
    "}call:g{",
    OPEN "call:f{" QUOTE "{\"a\":1}" QUOTE "}" CLOSE,
    OPEN "call:f{null}" CLOSE,
    OPEN "call:f" CLOSE,
    OPEN "call:f{\"{\\\"a\\\": \\\"x\n\\d\\\"}\"}" CLOSE,
    OPEN "call:f{'{\"a\": 1}'}" CLOSE,
    OPEN "call:f{\"{\\\"a\\\":\n1}\"}" CLOSE,
    OPEN "call:f{a:\"x\" http://y, b=//z, c:/d}" CLOSE,
    OPEN "call:f{a:" QUOTE "x" QUOTE " see http://y, b: 1" CLOSE,
    NULL,
};

static const char *const quoted_alphabet[] = {
    OPEN, CLOSE, QUOTE, "call:f{",         "a:",      ",",  "}",  "[",
    "1",  "x",   " ",   THINK "thought\n", THINK_END, STOP, NULL,
};

static const body quoted = {quoted_words, quoted_texts, quoted_alphabet, false,
                            true};

/* ---- objects that hold name and arguments ------------------------------- */

static const char *const enveloped_words[] = {
    "<function=",
    "<function=f>",
    "</function>",
    "<parameter=",
    "<parameter=a>",
    "</parameter>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "\"name\"",
    "\"name\": \"f\"",
    "\"name\": \"g\"",
    "\"name\": \"\"",
    "\"name\": 1",
    "\"arguments\"",
    "\"arguments\": {",
    "\"arguments\": {}",
    "\"arguments\": \"",
    "\"arguments\": null",
    "\"arguments\": [1]",
    "\"parameters\": {}",
    "\"args\": {\"a\": 1}",
    "\"x\": {\"a\": 1}",
    "\"function\": {",
    "\"function\": \"f\"",
    "\"id\": \"c9\"",
    "\"type\": \"function\"",
    "\"Name\": \"f\"",
    "\"x\": [1, {\"name\": \"no\"}]",
    "```json\n",
    "```",
    "\n```\n",
    "Calling: ",
    "f",
    "f\n",
    ">",
    "<x>",
    "\n\n",
    ", ",
    OPEN "[",
    "]" CLOSE,
    NULL,
};

static const char *const enveloped_texts[] = {
    OPEN "\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n" CLOSE,
    OPEN "\n{\"arguments\": {\"a\": 1}, \"name\": \"f\"}\n" CLOSE,
    OPEN "\n{\"name\": \"f\", \"arguments\": {",
    OPEN "\n{\"name\": \"f\", \"arguments\": ",
    OPEN "\n{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 1}\"}\n" CLOSE,
    OPEN "\n{'name': 'f', 'arguments': {'a': True}}\n" CLOSE,
    OPEN "\n{\"type\": \"function\", \"function\": {\"name\": \"f\", "
         "\"arguments\": {}}}\n" CLOSE,
    OPEN "\n[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", "
         "\"arguments\": {}}]\n" CLOSE,
    OPEN "\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n" CLOSE,
    OPEN "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n" CLOSE,
    "{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n" CLOSE,
    "{\"name\": \"f\", \"arguments\": {\"a\": 1}}",
    "\n" CLOSE,
    "}}\n" CLOSE,
    "}\n" CLOSE "\n",
    THINK "\nhm\n" THINK_END "\n\n",
    THINK "\n",
    "Hello.\n",
    OPEN "\nCalling: {\"name\": \"f\"}\n" CLOSE,
    OPEN "\n```json\n{\"name\": \"f\", \"arguments\": {}}\n```\n" CLOSE,
    OPEN "[{\"name\": \"f\", \"arguments\": {\"a\": 1}}]" CLOSE,
    (OPEN "[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", "
          "\"arguments\": {\"b\": \"]\"}}]" CLOSE),
    OPEN "[{\"name\": \"f\", \"arguments\": {",
    OPEN "[{{\"name\": \"f\", \"arguments\": {}}}]" CLOSE,
    OPEN "{\"name\": \"f\", \"arguments\": {}}" CLOSE,
    OPEN "[]" CLOSE,
    OPEN "[{'name': 'f', 'arguments': {'a': True}}",
    "[{\"name\": \"f\", \"arguments\": {}}]" CLOSE,
    "}]" CLOSE "\n" STOP "\n",
    ", {\"name\": \"g\", \"arguments\": {}}]" CLOSE,
    "\n" THINK_END "\n\n",
    "Hello. \n\n",
    "\n" STOP "\n",
    NULL,
};

static const char *const enveloped_alphabet[] = {
    OPEN,
    CLOSE,
    "[",
    "]",
    "{\"name\": \"f\"",
    ", ",
    "\"arguments\": {}",
    "\"arguments\": {\"a\": \"",
    "\"",
    "}",
    THINK,
    THINK_END,
    STOP,
    "x",
    NULL,
};

static const body enveloped = {enveloped_words, enveloped_texts,
                               enveloped_alphabet, true, true};

/* ---- a name in front of the arguments ----------------------------------- */

static const char *const named_words[] = {
    OPEN "f", HEADER "abcDEF123", ARGS "{", "</", "[", "f",
    "g.h-i",  "caf\xC3\xA9",      "  ",     "}",  "]", NULL,
};

static const char *const named_texts[] = {
    OPEN "f" ARGS "{\"a\": 1}",
    OPEN "f" HEADER "abcDEF123" ARGS "{\"a\": [1, {}], \"b\": \"]\"}",
    OPEN "f{\"a\": 1}",
    OPEN "f" ARGS "{{\"a\": {}}}",
    OPEN "f" ARGS,
    OPEN "f" ARGS "\"{\\\"a\\\": 1}\"",
    OPEN "f" ARGS "{\"a\": \"",
    OPEN "f" ARGS "{'a': True, 'b': [1, ",
    OPEN " [{\"name\": \"f\", \"arguments\": {}}]",
    THINK "hm" THINK_END,
    THINK "hm",
    "Hello. ",
    STOP,
    "\"}" OPEN "g" ARGS "{}",
    NULL,
};

static const char *const named_alphabet[] = {
    OPEN, "f", HEADER, ARGS,  "{",       "\"a\": ", "\"", "}",
    "[",  "]", STOP,   THINK, THINK_END, " ",       NULL,
};

static const body named = {named_words, named_texts, named_alphabet, true,
                           false};

/* ---- messages with headers ---------------------------------------------- */

static const char *const headed_words[] = {
    "<|c",
    "assistant",
    "user",
    "system",
    "tool",
    "python",
    "functions.f",
    "functions.",
    "functions",
    " to=",
    "to=functions.f",
    " to=functions.g ",
    " to=python",
    " to=assistant",
    " to=user",
    "to=f",
    "analysis",
    "commentary",
    "final",
    "Final",
    "comment",
    " json",
    " code",
    "json",
    "assistant to=functions.f",
    TURN "assistant",
    TURN "user" ARGS,
    "functions.f to=assistant",
    HEADER "final" ARGS,
    HEADER "analysis" ARGS,
    "  ",
    "Hi. ",
    " 364 ",
    "\xE2\x80\x8B",
    "??",
    ".",
    "assistantfinal",
    "assistantcommentary to=functions.fjson",
    "analysisHm.",
    NULL,
};

static const char *const headed_texts[] = {
    HEADER "final" ARGS "It is 9." STOP,
    HEADER "analysis" ARGS "Hm." END,
    TURN "assistant" HEADER "final" ARGS "Yes." STOP,
    TURN "assistant" HEADER "commentary" ARGS "Plan." END,
    HEADER "commentary to=functions.f <|constrain|>json" ARGS
           "{\"a\": 1}" CLOSE,
    TURN "assistant" HEADER "commentary to=functions.f <|constrain|>json" ARGS
         "{\"a\": 1}" CLOSE,
    HEADER "commentary to=functions.f <|constrain|>json" ARGS,
    " to=functions.f" HEADER "commentary json" ARGS "{\"a\": [1, ",
    HEADER "analysis to=python code" ARGS "print(1)" CLOSE,
    TURN "functions.f to=assistant" HEADER "commentary" ARGS "{}" END,
    HEADER "commentary to=functions.f json" ARGS "\"{\\\"a\\\": 1}\"" CLOSE,
    "{\"a\": 1}" CLOSE,
    "{\"a\": \"x <",
    HEADER "commentary to=functions.f json" ARGS "{\"a\": \"x" CLOSE
           "y\", \"b\": \"" END TURN "assistant" HEADER "final" ARGS
           "z" STOP "\"}" CLOSE,
    "{\"a\": \"" TURN "assistant" HEADER "final" ARGS "x",
    CLOSE "\", \"b\": \"x",
    END TURN "assistant",
    ARGS "{",
    "analysisNeed it.assistantfinalYes.",
    "assistantcommentary to=functions.fjson{\"a\": 1}",
    NULL,
};

static const char *const headed_alphabet[] = {
    TURN,  "assistant", HEADER, "final", "commentary", " to=functions.f",
    ARGS,  CLOSE,       END,    STOP,    "{}",         "{\"a\": \"",
    "\"}", "x",         NULL,
};

static const body headed = {headed_words, headed_texts, headed_alphabet, true,
                            true};

/* ---- which -------------------------------------------------------------- */

const body *body_of(const tw_format *format)
{
    if (format_reads(format, TW_MARKER_STRING)) {
        return &quoted;
    }
    if (!format_reads(format, TW_MARKER_CALL_OPEN)) {
        return &headed;
    }
    return format_reads(format, TW_MARKER_BODY) ? &named : &enveloped;
}
