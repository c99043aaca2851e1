/* SPDX-License-Identifier: MIT
 *
 * Patterns with their holes filled, and pieces of them.
 */
#include "described.h"

#include <string.h>

#include "../naive/naive.h"
#include "bodies.h"

const char described_tools[] =
    "[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{"
    "\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{"
    "\"type\":\"integer\"},\"c\":{\"type\":[\"string\",\"null\"]},\"d\":{"
    "\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"integer\"},"
    "\"a\":{\"type\":\"string\"}}},\"e\":{\"type\":\"array\",\"items\":{"
    "\"type\":[\"integer\",\"object\"]}},\"n\":{\"type\":"
    "\"boolean\"},\"u\":{\"anyOf\":[{\"type\":\"number\"},{\"type\":"
    "\"string\"}]},\"v\":{\"enum\":[\"x\",\"y\"]}}}}},{\"type\":\"function\","
    "\"function\":{\"name\":\"g\"}},{\"type\":\"function\",\"function\":{"
    "\"name\":\"a.b\",\"parameters\":{\"type\":\"object\",\"properties\":{"
    "\"x\":{\"type\":\"number\"}}}}}]";
const char *const described_tool_names[] = {"f", "g", "a.b"};

/* ---- what fills the holes ----------------------------------------------- */

typedef struct call_filling {
    const char *name, *object, *python;
    const char *keys[3], *values[3]; /* NULL: there are no more */
} call_filling;

static const call_filling fillings[] = {
    {"f", "{\"a\": \"x\", \"b\": 1}", "a='x', b=1", {"a", "b"}, {"x", "1"}},
    {"g", "{}", "", {NULL}, {NULL}},
    {"a.b",
     "{\"x\": 1.5e3, \"y\": [\"}\", {}]}",
     "x=1.5e3, y=['}', {}]",
     {"x", "y"},
     {"1.5e3", "[\"}\", {}]"}},
    {"f",
     "{\"d\": {\"k\": null}, \"e\": [true], \"n\": false}",
     "d={'k': None}, e=[True], n=False",
     {"d", "e", "n"},
     {"{\"k\": null}", "[true]", "False"}},
    {"f",
     "{\"a\": \"two\\nlines\", \"c\": \"null\"}",
     "a=\"two\\nlines\", c=None",
     {"a", "c"},
     {"two\nlines\n", "null"}},
    {"h", "{\"a\": ", "a=", {"a", "b"}, {"", "x"}},
};
enum { FILLINGS = sizeof fillings / sizeof *fillings };

static const char *first_of(const char *const *words, const char *otherwise)
{
    return words != NULL && words[0] != NULL ? words[0] : otherwise;
}

static void add_object(naive_bytes *out, const tw_description *d,
                       const call_filling *filling)
{
    naive_add_text(out, "{\"");
    naive_add_text(out, first_of(d->name_keys, "name"));
    naive_add_text(out, "\": \"");
    naive_add_text(out, filling->name);
    naive_add_text(out, "\", \"");
    naive_add_text(out, first_of(d->argument_keys, "arguments"));
    naive_add_text(out, "\": ");
    naive_add_text(out, filling->object);
    naive_add_text(out, "}");
}

static void add_pattern(naive_bytes *out, const tw_description *d,
                        const tw_pattern *pattern, const call_filling *filling,
                        size_t which, const char *inside);

/* Between tags if the format has any. */
static void add_arguments(naive_bytes *out, const tw_description *d,
                          const call_filling *filling)
{
    if (d->argument.count == 0) {
        naive_add_text(out, filling->object);
        return;
    }
    for (size_t i = 0; i < 3 && filling->keys[i] != NULL; i++) {
        add_pattern(out, d, &d->argument.all[0], filling, i, NULL);
    }
}

static void add_element(naive_bytes *out, const char *mark, const char *key,
                        const char *value)
{
    naive_add_text(out, mark);
    naive_add_text(out, "<");
    naive_add_text(out, key);
    naive_add_text(out, ">");
    naive_add_text(out, value);
    naive_add_text(out, mark);
    naive_add_text(out, "</");
    naive_add_text(out, key);
    naive_add_text(out, ">");
}

static void add_elements(naive_bytes *out, const char *mark,
                         const call_filling *filling)
{
    for (size_t i = 0; i < 3 && filling->keys[i] != NULL; i++) {
        add_element(out, mark, filling->keys[i], filling->values[i]);
    }
}

static void add_python(naive_bytes *out, const call_filling *filling,
                       const char *before, const char *between,
                       const char *after)
{
    naive_add_text(out, before);
    naive_add_text(out, filling->name);
    naive_add_text(out, between);
    naive_add_text(out, filling->python);
    naive_add_text(out, after);
}

/* |inside| is for the holes of texts and calls, |which| for those of one
 * argument. */
static void add_part(naive_bytes *out, const tw_description *d,
                     const tw_part *part, const call_filling *filling,
                     size_t which, const char *inside)
{
    switch (part->kind) {
    case TW_PATTERN_LITERAL:
    case TW_PATTERN_LAYOUT: naive_add_text(out, part->text); break;
    case TW_PATTERN_NAME: naive_add_text(out, filling->name); break;
    case TW_PATTERN_ID: naive_add_text(out, "abcDEF123"); break;
    case TW_PATTERN_SERVER: naive_add_text(out, "s"); break;
    case TW_PATTERN_INDEX:
    case TW_PATTERN_INDEX_FROM_1: naive_add_text(out, "1"); break;
    case TW_PATTERN_OBJECT: add_object(out, d, filling); break;
    case TW_PATTERN_LIST:
        naive_add_text(out, "[");
        add_object(out, d, filling);
        naive_add_text(out, ", ");
        add_object(out, d, &fillings[1]);
        naive_add_text(out, "]");
        break;
    case TW_PATTERN_LIST_LINES:
        add_object(out, d, filling);
        naive_add_text(out, "\n");
        add_object(out, d, &fillings[1]);
        break;
    case TW_PATTERN_KEYED:
        naive_add_text(out, "{\"");
        naive_add_text(out, filling->name);
        naive_add_text(out, "\": ");
        naive_add_text(out, filling->object);
        naive_add_text(out, "}");
        break;
    case TW_PATTERN_ARGUMENTS: add_arguments(out, d, filling); break;
    case TW_PATTERN_JSON_ARGUMENTS:
        naive_add_text(out, filling->object);
        break;
    case TW_PATTERN_PYTHON: add_python(out, filling, "[", "(", ")]"); break;
    case TW_PATTERN_PYTHON_LINES:
        add_python(out, filling, "", "(", ")\ng()");
        break;
    case TW_PATTERN_PYTHON_CALL:
        add_python(out, filling, "", ".call(", ")");
        break;
    case TW_PATTERN_RAW: naive_add_text(out, "print(1)"); break;
    case TW_PATTERN_ELEMENTS: add_elements(out, part->text, filling); break;
    case TW_PATTERN_KEY: naive_add_text(out, filling->keys[which]); break;
    case TW_PATTERN_TYPE: naive_add_text(out, "string"); break;
    case TW_PATTERN_VALUE:
    case TW_PATTERN_VALUE_TEXT:
    case TW_PATTERN_VALUE_JSON:
    case TW_PATTERN_VALUE_TRIM:
    case TW_PATTERN_VALUE_GUESS:
        naive_add_text(out, filling->values[which]);
        break;
    case TW_PATTERN_TEXT_JSON:
        naive_add_text(out, "\"");
        naive_add_text(out, inside);
        naive_add_text(out, "\"");
        break;
    case TW_PATTERN_TEXT:
    case TW_PATTERN_TEXT_LINE:
    case TW_PATTERN_TEXT_TRIM:
    case TW_PATTERN_CALLS:
    case TW_PATTERN_CALL: naive_add_text(out, inside); break;
    default: break;
    }
}

static void add_pattern(naive_bytes *out, const tw_description *d,
                        const tw_pattern *pattern, const call_filling *filling,
                        size_t which, const char *inside)
{
    for (size_t i = 0; i < pattern->count; i++) {
        add_part(out, d, &pattern->parts[i], filling, which, inside);
    }
}

/* ---- lists of words ----------------------------------------------------- */

static const char *const any_words[] = {
    "f",    "g",     "a.b",      "h-1",        "a",    "b",
    "c",    " ",     "\n",       "\t",         "\r\n", "  ",
    "x",    "two w", "1",        "-2.5",       "true", "False",
    "null", "None",  "\"",       "'",          "<",    ">",
    "=",    "&lt;",  "\xC3\xA9", "\xC3",       "\xFF", "\xF0\x9F\x98\x80",
    "Hi. ", "</",    "\n\n",     "functions.", ":0",   ":",
    "|",    "[",     "]",        "{",          "}",    ",",
    NULL,
};

static const char *const python_words[] = {
    "f(",    "g(",     "a=",      "b='x'", ")",    "(",     "[f(",
    ")]",    "'''",    "\"\"\"",  "r'\\'", "0x1F", "1_000", "{'k': 1}",
    "(1,)",  "\\n",    "\\x41",   "# c",   ".5",   "1.",    "f.call(",
    "None",  "{1, 2}", "'a' 'b'", "b'x'",  "a.b(", "\\\n",  "inf",
    "a = 1", ", b=",   "f'x'",    NULL,
};

static const tw_patterns *patterns_of(const tw_description *d, size_t kind)
{
    const tw_patterns *const all[] = {&d->call, &d->calls, &d->argument,
                                      &d->reasoning, &d->text};
    return kind < sizeof all / sizeof *all ? all[kind] : NULL;
}

static bool has_body(const tw_description *d, tw_part_kind from,
                     tw_part_kind to)
{
    bool has = false;
    for (size_t i = 0; i < d->call.count; i++) {
        const uint8_t kind = tw_pattern_hole(&d->call.all[i])->kind;
        has |= kind >= from && kind <= to;
    }
    return has;
}

static void add_words(described_add *add, void *list, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++) {
        add(list, *words, strlen(*words));
    }
}

/* The text with another suffix in all its markers, if these have one. */
static bool with_suffix(const tw_description *d, const char *text,
                        const char *suffix, naive_bytes *out)
{
    const char *next = d->suffix[0] != 0 ? strstr(text, d->suffix) : NULL;
    const bool found = next != NULL;
    while (next != NULL) {
        naive_add(out, text, (size_t)(next - text));
        naive_add_text(out, suffix);
        text = next + strlen(d->suffix);
        next = strstr(text, d->suffix);
    }
    naive_add_text(out, found ? text : "");
    return found;
}

static void add_suffixed(const tw_description *d, const char *text,
                         described_add *add, void *list)
{
    static const char *const suffixes[] = {"", ":x-9"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        naive_bytes other = {0};
        if (with_suffix(d, text, suffixes[i], &other)) {
            add(list, other.data, other.size);
        }
        naive_release(&other);
    }
}

/* Their tags, and some that nest. */
static void add_tags(const char *mark, described_add *add, void *list)
{
    static const char *const keys[] = {"a", "b", "d", "e", "q", "item"};
    static const char *const values[] = {"", "x", "2", " "};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        naive_bytes inner = {0};
        naive_bytes outer = {0};
        const size_t open = strlen(mark) + strlen(keys[i]) + 2;
        add_element(&inner, mark, keys[i], values[i % 4]);
        add_element(&outer, mark, keys[(i + 3) % 6], inner.data);
        add(list, inner.data, open);
        add(list, inner.data, open);
        add(list, inner.data + inner.size - open - 1, open + 1);
        add(list, inner.data + inner.size - open - 1, open + 1);
        add(list, inner.data, inner.size);
        add(list, outer.data, outer.size);
        naive_release(&inner);
        naive_release(&outer);
    }
}

/* Literals twice, and halves of them. */
static void add_literals(const tw_description *d, described_add *add,
                         void *list)
{
    const tw_patterns *patterns;
    for (size_t kind = 0; (patterns = patterns_of(d, kind)) != NULL; kind++) {
        for (size_t i = 0; i < patterns->count; i++) {
            const tw_pattern *pattern = &patterns->all[i];
            for (size_t p = 0; p < pattern->count; p++) {
                const char *text = pattern->parts[p].text;
                if (pattern->parts[p].kind == TW_PATTERN_ELEMENTS) {
                    add_tags(text, add, list);
                }
                if (pattern->parts[p].kind == TW_PATTERN_LITERAL) {
                    add(list, text, strlen(text));
                    add(list, text, strlen(text));
                    add(list, text, strlen(text) / 2 + 1);
                    add_suffixed(d, text, add, list);
                }
            }
        }
    }
}

void described_parts(const tw_description *d, described_add *add, void *list)
{
    add_literals(d, add, list);
    add_words(add, list, d->stops);
    add_words(add, list, d->tokens);
    add_words(add, list, any_words);
    if (has_body(d, TW_PATTERN_PYTHON, TW_PATTERN_PYTHON_CALL)) {
        add_words(add, list, python_words);
    }
    if (has_body(d, TW_PATTERN_OBJECT, TW_PATTERN_JSON_ARGUMENTS)) {
        add_words(add, list, json_words);
    }
    for (size_t i = 0; i < FILLINGS; i++) {
        naive_bytes object = {0};
        add_object(&object, d, &fillings[i]);
        add(list, object.data, object.size);
        add(list, object.data, object.size - 1);
        add(list, fillings[i].object, strlen(fillings[i].object));
        naive_release(&object);
    }
}

/* ---- texts -------------------------------------------------------------- */

/* All, and a part of it, so that what is behind it follows where it may not.
 */
static void add_and_cut(const tw_description *d, described_add *add,
                        void *list, naive_bytes *text, size_t turn)
{
    static const size_t sixths[] = {6, 5, 3, 4, 2, 1};
    add(list, text->data, text->size);
    add_suffixed(d, text->data, add, list);
    add(list, text->data, text->size * sixths[turn % 6] / 6);
    naive_release(text);
}

/* Each call alone, and two in a section. */
static void add_calls(const tw_description *d, described_add *add, void *list)
{
    size_t turn = 0;
    for (size_t i = 0; i < d->call.count; i++) {
        for (size_t f = 0; f < FILLINGS; f++) {
            naive_bytes call = {0};
            naive_bytes two = {0};
            add_pattern(&call, d, &d->call.all[i], &fillings[f], 0, "");
            naive_add(&two, "", 0);
            naive_add_text(&two, call.data);
            naive_add_text(&two, d->between);
            add_pattern(&two, d, &d->call.all[i], &fillings[1], 0, "");
            for (size_t s = 0; s < d->calls.count; s++) {
                naive_bytes section = {0};
                add_pattern(&section, d, &d->calls.all[s], &fillings[f], 0,
                            (turn + s) % 2 == 0 ? call.data : two.data);
                add_and_cut(d, add, list, &section, turn + s);
            }
            add_and_cut(d, add, list, d->calls.count > 0 ? &call : &two, turn++);
            naive_release(&call);
            naive_release(&two);
        }
    }
}

void described_texts(const tw_description *d, described_add *add, void *list)
{
    static const char *const inside[] = {"Hm.", "", "Hm.\n", " \n"};
    const tw_patterns *const around[] = {&d->reasoning, &d->text};
    add_calls(d, add, list);
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < around[a]->count; i++) {
            for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
                naive_bytes text = {0};
                naive_add(&text, "", 0);
                add_pattern(&text, d, &around[a]->all[i], &fillings[0], 0,
                            inside[k]);
                add_and_cut(d, add, list, &text, k);
            }
        }
    }
    add(list, "Hello.\n", 7);
    add(list, d->end, strlen(d->end));
    add(list, d->end_of_call, strlen(d->end_of_call));
    add(list, d->gap, strlen(d->gap));
}

void described_alphabet(const tw_description *d, described_add *add,
                        void *list)
{
    static const char *const words[] = {"f", "\"", "{", "}", " ", "x", NULL};
    const tw_patterns *patterns;
    for (size_t kind = 0; (patterns = patterns_of(d, kind)) != NULL; kind++) {
        for (size_t p = 0; patterns->count > 0 && p < patterns->all[0].count;
             p++) {
            const tw_part *part = &patterns->all[0].parts[p];
            if (part->kind == TW_PATTERN_LITERAL) {
                add(list, part->text, part->size);
            }
        }
    }
    add_words(add, list, words);
    if (d->stops[0] != NULL) {
        add(list, d->stops[0], strlen(d->stops[0]));
    }
}
