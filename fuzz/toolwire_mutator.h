/* SPDX-License-Identifier: MIT
 *
 * A mutator for text with tool calls, for anybody's fuzz target: one header,
 * no library, C99 or C++.  It knows where such text has structure (markers,
 * quotes, brackets, literals, escapes) and changes that, where a mutator of
 * bytes mostly makes text of no meaning.
 *
 *     #define TOOLWIRE_MUTATOR_LIBFUZZER      defines LLVMFuzzerCustomMutator
 *     #define TOOLWIRE_MUTATOR_AFL            defines afl_custom_init, _fuzz
 *                                             and _deinit (a shared library)
 *     #include "toolwire_mutator.h"
 *
 * or call toolwire_mutate() from a mutator of your own.  Inputs are the text
 * alone, or the text and TOOLWIRE_MUTATOR_TAIL bytes of parameters behind it,
 * which are left to others (0 unless defined before).
 */
#ifndef TOOLWIRE_MUTATOR_H
#define TOOLWIRE_MUTATOR_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef TOOLWIRE_MUTATOR_TAIL
#define TOOLWIRE_MUTATOR_TAIL 0
#endif

typedef struct toolwire_text {
    uint8_t *data;
    size_t size;
    size_t room;
    uint64_t state;
} toolwire_text;

static inline uint32_t toolwire_pick(toolwire_text *text, uint32_t count)
{
    text->state ^= text->state << 13;
    text->state ^= text->state >> 7;
    text->state ^= text->state << 17;
    return (uint32_t)(text->state >> 33) % count;
}

/* ---- what such text is made of ------------------------------------------ */

/* Markers of the formats that are in use, and what stands beside them. */
static const char *const toolwire_pieces[] = {
    "<|tool_call>",
    "<tool_call|>",
    "<|\"|>",
    "<|channel>thought\n",
    "<channel|>",
    "<turn|>",
    "call:f{",
    "call:",
    "<tool_call>\n",
    "\n</tool_call>",
    "<think>\n",
    "\n</think>\n\n",
    "<|im_end|>",
    "<function=f>",
    "<parameter=a>",
    "</parameter>",
    "</function>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "<|start|>assistant",
    "<|channel|>commentary",
    "<|channel|>analysis",
    "<|channel|>final",
    " to=functions.f",
    "<|constrain|>json",
    "<|message|>",
    "<|call|>",
    "<|end|>",
    "<|return|>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[CALL_ID]abcDEF123",
    "[THINK]",
    "[/THINK]",
    "</s>",
    "<TOOLCALL>[",
    "]</TOOLCALL>",
    "<SPECIAL_12>",
    "<|python_tag|>",
    "<|tool_calls_section_begin|>",
    "functools[",
    "{\"name\": \"f\", ",
    "\"arguments\": {",
    "\"arguments\": \"{\\\"a\\\": 1}\"",
    "\"parameters\": {}",
    "\"function\": {",
    "\"id\": \"c\"",
    "```json\n",
    "```",
    "{}",
    "[]",
    "\"\"",
    "{{",
    "}}",
    "]}",
    ",}",
    "\"a\": 1",
};

/* Literals, numbers and escapes: each may stand where another does. */
static const char *const toolwire_literals[] = {
    "null",
    "true",
    "false",
    "None",
    "True",
    "NaN",
    "-0",
    "1e400",
    "007",
    "0.10",
    "12345678901234567890",
    "\"",
    "'",
    "`",
    "\\\"",
    "\\n",
    "\\u00e9",
    "\\ud83d",
    "\\ud83d\\ude00",
    "\\",
    "\xC3\xA9",
    "\xC3",
    "\xF0\x9F\x98\x80",
    "\xE2\x80\xA8",
    "\xEF\xBB\xBF",
    "\xFF",
    "\r\n",
    "\n",
    " ",
    "\t",
    "\x01",
};

#define TOOLWIRE_COUNT(list) ((uint32_t)(sizeof(list) / sizeof(list)[0]))

/* ---- edits -------------------------------------------------------------- */

static inline void toolwire_cut(toolwire_text *text, size_t at, size_t size)
{
    size = size < text->size - at ? size : text->size - at;
    memmove(text->data + at, text->data + at + size, text->size - at - size);
    text->size -= size;
}

static inline void toolwire_insert(toolwire_text *text, size_t at,
                                   const char *piece, size_t size)
{
    if (size > text->room - text->size) {
        return;
    }
    memmove(text->data + at + size, text->data + at, text->size - at);
    memcpy(text->data + at, piece, size);
    text->size += size;
}

static inline int toolwire_is_structure(uint8_t c)
{
    return c != 0 && strchr("<>[]{}(),:\"'`=|\\/\n", c) != NULL;
}

/* A place where structure begins, from a random one on. */
static inline size_t toolwire_place(toolwire_text *text)
{
    size_t at = toolwire_pick(text, (uint32_t)text->size + 1);
    for (size_t i = 0; i < 64 && at < text->size; i++, at++) {
        if (toolwire_is_structure(text->data[at])) {
            break;
        }
    }
    return at < text->size ? at : text->size;
}

/* How long the token at |at| is: a marker, a quoted string, a word, a byte. */
static inline size_t toolwire_token(const toolwire_text *text, size_t at)
{
    const uint8_t *data = text->data;
    size_t end = at + 1;
    if (data[at] == '<' || data[at] == '[') {
        const uint8_t close = data[at] == '<' ? '>' : ']';
        while (end < text->size && end - at < 32 && data[end - 1] != close) {
            end++;
        }
    } else if (data[at] == '"') {
        while (end < text->size && end - at < 256 &&
               (data[end] != '"' || data[end - 1] == '\\')) {
            end++;
        }
        end += end < text->size ? 1 : 0;
    } else if (!toolwire_is_structure(data[at])) {
        while (end < text->size && !toolwire_is_structure(data[end])) {
            end++;
        }
    }
    return end - at;
}

static inline void toolwire_insert_piece(toolwire_text *text)
{
    const int literal = toolwire_pick(text, 3) == 0;
    const char *piece = literal ? toolwire_literals[toolwire_pick(
                                      text, TOOLWIRE_COUNT(toolwire_literals))]
                                : toolwire_pieces[toolwire_pick(
                                      text, TOOLWIRE_COUNT(toolwire_pieces))];
    size_t size = strlen(piece);
    if (toolwire_pick(text, 6) == 0 && size > 1) {
        size = 1 + toolwire_pick(text, (uint32_t)size - 1); /* a part of it */
    }
    toolwire_insert(text, toolwire_place(text), piece, size);
}

static inline void toolwire_copy_token(toolwire_text *text)
{
    uint8_t kept[256];
    const size_t from = toolwire_place(text);
    if (from == text->size) {
        return;
    }
    size_t size = toolwire_token(text, from);
    size = size < sizeof kept ? size : sizeof kept;
    memcpy(kept, text->data + from, size);
    toolwire_insert(text, toolwire_place(text), (const char *)kept, size);
}

static inline void toolwire_change_byte(toolwire_text *text)
{
    static const char others[] = "<>[]{}(),:\"'`=|\\/\n ";
    const size_t at = toolwire_place(text);
    if (at < text->size) {
        text->data[at] =
            (uint8_t)others[toolwire_pick(text, sizeof others - 1)];
    }
}

/* Up to three changes of the |size| bytes at |data|, which has |room| for
 * more (a size beyond it is cut to it); |seed| decides which.  Returns the new
 * size, at most |room|, which may be 0; now and then nothing has changed. */
static inline size_t toolwire_mutate(uint8_t *data, size_t size, size_t room,
                                     uint64_t seed)
{
    toolwire_text text = {data, size < room ? size : room, room,
                          (seed + 1) * UINT64_C(0x9E3779B97F4A7C15)};
    text.state += text.state == 0; /* 0 has no successor */
    toolwire_pick(&text, 2);
    for (uint32_t left = 1 + toolwire_pick(&text, 3); left > 0; left--) {
        const size_t at = toolwire_place(&text);
        switch (toolwire_pick(&text, 8)) {
        case 0:
        case 1:
        case 2: toolwire_insert_piece(&text); break;
        case 3: toolwire_copy_token(&text); break;
        case 4:
            if (at < text.size) {
                toolwire_cut(&text, at, toolwire_token(&text, at));
            }
            break;
        case 5: toolwire_change_byte(&text); break;
        case 6: /* another token in its place */
            if (at < text.size) {
                toolwire_cut(&text, at, toolwire_token(&text, at));
            }
            toolwire_insert_piece(&text);
            break;
        default: /* the output ends early */
            if (toolwire_pick(&text, 4) == 0) {
                text.size = toolwire_pick(&text, (uint32_t)text.size + 1);
            }
            break;
        }
    }
    return text.size;
}

/* The same of the text of an input, its tail kept behind it. */
static inline size_t toolwire_mutate_input(uint8_t *data, size_t size,
                                           size_t room, uint64_t seed)
{
    uint8_t tail[TOOLWIRE_MUTATOR_TAIL + 1];
    const size_t kept = TOOLWIRE_MUTATOR_TAIL;
    if (size < kept || room < kept) {
        return size < room ? size : room;
    }
    memcpy(tail, data + size - kept, kept);
    size = toolwire_mutate(data, size - kept, room - kept, seed);
    memcpy(data + size, tail, kept);
    return size + kept;
}

/* ---- engines ------------------------------------------------------------ */

#ifdef TOOLWIRE_MUTATOR_LIBFUZZER
#ifdef __cplusplus
extern "C" {
#endif
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);

/* libFuzzer's own mutators take their turn. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed)
{
    const uint64_t mixed = (uint64_t)seed * UINT64_C(0x9E3779B97F4A7C15);
    return (mixed >> 40) % 3 == 0
               ? LLVMFuzzerMutate(data, size, max_size)
               : toolwire_mutate_input(data, size, max_size, mixed);
}
#ifdef __cplusplus
}
#endif
#endif

#ifdef TOOLWIRE_MUTATOR_AFL
#ifdef __cplusplus
extern "C" {
#endif
typedef struct toolwire_afl {
    uint64_t state;
    uint8_t *data;
    size_t room;
} toolwire_afl;

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out,
                       uint8_t *other, size_t other_size, size_t max_size);
void afl_custom_deinit(void *state);

void *afl_custom_init(void *afl, unsigned int seed)
{
    toolwire_afl *its = (toolwire_afl *)calloc(1, sizeof *its);
    (void)afl;
    if (its != NULL) {
        its->state = (uint64_t)seed + 1;
    }
    return its;
}

size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out,
                       uint8_t *other, size_t other_size, size_t max_size)
{
    toolwire_afl *its = (toolwire_afl *)state;
    (void)other;
    (void)other_size;
    if (its->room < max_size) {
        uint8_t *grown = (uint8_t *)realloc(its->data, max_size);
        if (grown == NULL) {
            *out = NULL;
            return 0;
        }
        its->data = grown;
        its->room = max_size;
    }
    size = size < max_size ? size : max_size;
    memcpy(its->data, data, size);
    its->state = its->state * UINT64_C(6364136223846793005) + 1;
    *out = its->data;
    return toolwire_mutate_input(its->data, size, max_size, its->state);
}

void afl_custom_deinit(void *state)
{
    toolwire_afl *its = (toolwire_afl *)state;
    free(its->data);
    free(its);
}
#ifdef __cplusplus
}
#endif
#endif

#endif
