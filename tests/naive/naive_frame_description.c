/* SPDX-License-Identifier: MIT
 *
 * A description: one JSON object becomes patterns and words.
 */
#include "naive_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char problem[256];

static bool fail(const char *where, const char *what)
{
    snprintf(problem, sizeof problem, "%s: %s", where, what);
    return false;
}

/* --- patterns: text with holes ----------------------------------------- */

static const char *const hole_names[HOLE_COUNT] = {
    "",           "name",           "id",          "index",      "skip",       "server",
    "arguments",  "arguments:json", "object",      "list",       "list:lines", "keyed",
    "python",     "python:lines",   "python:call", "raw",        "gemma",
    "elements",
    "key",        "type",           "value",       "value:text", "value:json",
    "value:trim", "value:guess",    "calls",       "call",       "text",
    "text:line",  "text:trim",       "text:json",
    "unread"};

static frame_hole hole_of(const char *name, size_t size)
{
    if (size == 7 && memcmp(name, "index:1", 7) == 0)
        return HOLE_INDEX;
    for (int i = 1; i < HOLE_COUNT; i++)
        if (strlen(hole_names[i]) == size &&
            memcmp(hole_names[i], name, size) == 0)
            return (frame_hole)i;
    return HOLE_NONE;
}

static frame_part *add_part(frame_pattern *pattern, frame_kind kind)
{
    pattern->parts = naive_grow(pattern->parts,
                                (pattern->count + 1) * sizeof *pattern->parts);
    pattern->parts[pattern->count] = (frame_part){.kind = kind};
    return &pattern->parts[pattern->count++];
}

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* How many bytes of a token stand at |at|; the longest counts. */
static size_t token_at(const frame_description *format, const char *at)
{
    size_t longest = 0;

    for (size_t i = 0; i < format->tokens.count; i++) {
        size_t size = strlen(format->tokens.items[i]);

        if (size > longest && strncmp(at, format->tokens.items[i], size) == 0)
            longest = size;
    }
    return longest;
}

/* With |alone|, one behind `<` or `</` does not count: it is a tag's. */
static bool token_ends_at(const frame_description *format, const char *begin,
                          const char *at, bool alone)
{
    for (size_t i = 0; i < format->tokens.count; i++) {
        size_t size = strlen(format->tokens.items[i]);
        size_t left = (size_t)(at - begin);

        if (left >= size &&
            strncmp(at - size, format->tokens.items[i], size) == 0 &&
            !(alone && left > size && strchr("</", at[-(long)size - 1])))
            return true;
    }
    return false;
}

/* The blank behind the name of a tag that a name stands in: `<function `. */
static bool is_in_tag(const naive_bytes *run, const char *at)
{
    const char *word = run->data + 1;

    while ((*word >= 'a' && *word <= 'z') || (*word >= 'A' && *word <= 'Z'))
        word++;
    return run->data[0] == '<' && word > run->data + 1 && at == word &&
           strcmp(at, " ") == 0;
}

/* A run without holes: markers, and the layout between them.  White space is
 * layout at the edges (all runs end at a hole or at the pattern's end), beside
 * a token, and where it has a line feed. */
static void add_run(const frame_description *format, frame_pattern *pattern,
                    const naive_bytes *run, bool named)
{
    const char *begin = run->data, *end = run->data + run->size;
    naive_bytes marker = {0};

    for (const char *at = begin; at < end;) {
        const char *behind = at;
        bool layout;

        while (behind < end && is_white(*behind))
            behind++;
        layout = behind > at && (at == begin || behind == end ||
                                 memchr(at, '\n', (size_t)(behind - at)) ||
                                 token_ends_at(format, begin, at, true) ||
                                 token_at(format, behind)) &&
                 !(named && is_in_tag(run, at));
        if (!layout && marker.size && token_at(format, at) &&
            (token_ends_at(format, begin, at, false) || at[-1] == '>')) {
            add_part(pattern, FRAME_MARKER)->text = marker;
            marker = (naive_bytes){0};
        }
        if (layout) {
            if (marker.size)
                add_part(pattern, FRAME_MARKER)->text = marker;
            marker = (naive_bytes){0};
            naive_add(&add_part(pattern, FRAME_LAYOUT)->text, at,
                      (size_t)(behind - at));
            at = behind;
        } else {
            naive_add(&marker, at++, 1);
        }
    }
    if (marker.size)
        add_part(pattern, FRAME_MARKER)->text = marker;
}

/* --- tags: <invoke name="{name}"> -------------------------------------- */

static bool ends_with(const naive_bytes *bytes, const char *word)
{
    size_t size = strlen(word);

    return bytes->size >= size &&
           memcmp(bytes->data + bytes->size - size, word, size) == 0;
}

/* NAME=" or NAME="VALUE" at |*at|; both end at |*at|. */
static bool read_attribute(const char **at, frame_attribute *out)
{
    const char *name = *at + strspn(*at, " "), *equals = strstr(name, "=\"");
    const char *close;

    if (name == *at || !equals || memchr(name, ' ', (size_t)(equals - name)))
        return false;
    *out = (frame_attribute){0};
    naive_add(&out->name, name, (size_t)(equals - name));
    close = strchr(equals + 2, '"');
    *at = close ? close + 1 : equals + strlen(equals);
    if (close)
        naive_add(&out->value, equals + 2, (size_t)(close - equals - 2));
    return true;
}

/* Where attributes begin: a word with =" behind it, a blank in front. */
static const char *attributes_of(const frame_part *part)
{
    const char *at = strstr(part->text.data, "=\"");

    while (at && at > part->text.data && *at != ' ')
        at--;
    return at && *at == ' ' ? at : NULL;
}

/* Parts [i ...]: marker that ends with ="  hole  marker that begins with ".
 * They become one tag; returns how many parts it took. */
static size_t make_tag(const frame_pattern *from, size_t i, frame_part *tag)
{
    const frame_part *part = &from->parts[i];
    const char *at = attributes_of(part);
    size_t taken = 1;

    *tag = (frame_part){.kind = FRAME_TAG};
    naive_add(&tag->text, part->text.data, (size_t)(at - part->text.data));
    for (;;) {
        while (tag->attribute_count < 4 && *at == ' ' &&
               read_attribute(&at, &tag->attributes[tag->attribute_count]))
            tag->attribute_count++;
        if (*at || i + taken + 1 >= from->count ||
            from->parts[i + taken].kind != FRAME_HOLE ||
            !ends_with(&from->parts[i + taken - 1].text, "=\""))
            break;
        tag->attributes[tag->attribute_count - 1].hole =
            from->parts[i + taken].hole;
        naive_add(&tag->attributes[tag->attribute_count - 1].value,
                  from->parts[i + taken].text.data,
                  from->parts[i + taken].text.size);
        at = from->parts[i + taken + 1].text.data + 1;
        taken += 2;
    }
    naive_add_text(&tag->end, at);
    return taken;
}

static bool begins_tag(const frame_pattern *pattern, size_t i)
{
    const frame_part *part = &pattern->parts[i];

    return i + 2 < pattern->count && part->kind == FRAME_MARKER &&
           ends_with(&part->text, "=\"") && attributes_of(part) &&
           part[1].kind == FRAME_HOLE && part[2].kind == FRAME_MARKER &&
           part[2].text.data[0] == '"';
}

static void release_pattern(frame_pattern *pattern)
{
    for (size_t i = 0; i < pattern->count; i++) {
        frame_part *part = &pattern->parts[i];

        naive_release(&part->text);
        naive_release(&part->end);
        for (size_t a = 0; a < part->attribute_count; a++) {
            naive_release(&part->attributes[a].name);
            naive_release(&part->attributes[a].value);
        }
    }
    free(pattern->parts);
    *pattern = (frame_pattern){0};
}

static void join_tags(frame_pattern *pattern)
{
    frame_pattern joined = {.loose = pattern->loose};

    for (size_t i = 0; i < pattern->count;) {
        if (begins_tag(pattern, i)) {
            frame_part tag;

            i += make_tag(pattern, i, &tag);
            *add_part(&joined, FRAME_TAG) = tag;
        } else {
            frame_part *part = add_part(&joined, pattern->parts[i].kind);

            part->hole = pattern->parts[i].hole;
            part->text = pattern->parts[i].text;
            pattern->parts[i++].text = (naive_bytes){0};
        }
    }
    release_pattern(pattern);
    *pattern = joined;
}

/* --- a pattern from its text ------------------------------------------- */

static bool is_main(frame_hole hole)
{
    return (hole >= HOLE_ARGUMENTS && hole <= HOLE_ELEMENTS) ||
           hole >= HOLE_VALUE;
}

static bool read_pattern(const frame_description *format, const char *where,
                         const char *text, frame_pattern *out)
{
    naive_bytes run = {0};
    bool has_main = false;

    naive_add(&run, "", 0);
    for (const char *at = text; *at;) {
        const char *close;
        frame_hole hole;

        if ((*at == '{' || *at == '}') && at[1] == *at) {
            naive_add(&run, at, 1);
            at += 2;
            continue;
        }
        if (*at == '}')
            return fail(where, "a lone }");
        if (*at != '{') {
            naive_add(&run, at++, 1);
            continue;
        }
        close = strchr(at, '}');
        if (close && (strncmp(at, "{gemma:", 7) == 0 ||
                      strncmp(at, "{elements:", 10) == 0 ||
                      strncmp(at, "{server:", 8) == 0)) {
            const char *inner = strchr(at, ':') + 1;

            add_run(format, out, &run, false);
            naive_release(&run);
            naive_add(&run, "", 0);
            add_part(out, FRAME_HOLE)->hole = at[1] == 'g'   ? HOLE_GEMMA
                                              : at[1] == 's' ? HOLE_SERVER
                                                             : HOLE_ELEMENTS;
            naive_add(&out->parts[out->count - 1].text, inner,
                      (size_t)(close - inner));
            at = close + 1;
            continue;
        }
        hole = close ? hole_of(at + 1, (size_t)(close - at - 1)) : HOLE_NONE;
        if (hole == HOLE_NONE)
            return fail(where, "no such hole");
        add_run(format, out, &run, hole == HOLE_NAME);
        naive_release(&run);
        naive_add(&run, "", 0);
        add_part(out, FRAME_HOLE)->hole = hole;
        if (hole == HOLE_INDEX && close[-1] == '1')
            naive_add_text(&out->parts[out->count - 1].text, "1");
        at = close + 1;
    }
    add_run(format, out, &run, false);
    naive_release(&run);
    join_tags(out);
    for (size_t i = 0; i < out->count; i++) {
        if (out->parts[i].kind == FRAME_HOLE && is_main(out->parts[i].hole)) {
            out->hole = i;
            has_main = true;
        }
    }
    return has_main || fail(where, "nothing to read");
}

static bool read_patterns(const frame_description *format, const char *key,
                          const naive_tree *value, bool loose,
                          frame_patterns *out)
{
    size_t count = !value ? 0 : value->kind == NAIVE_ARRAY ? value->count : 1;

    for (size_t i = 0; i < count; i++) {
        const naive_tree *item =
            value->kind == NAIVE_ARRAY ? &value->children[i] : value;
        frame_pattern pattern = {.loose = loose};

        if (item->kind != NAIVE_STRING)
            return fail(key, "a pattern is a string");
        if (!read_pattern(format, key, item->text.data, &pattern))
            return false;
        out->items =
            naive_grow(out->items, (out->count + 1) * sizeof *out->items);
        out->items[out->count++] = pattern;
    }
    return true;
}

/* --- words ------------------------------------------------------------- */

static bool read_words(const char *key, const naive_tree *value,
                       frame_words *out)
{
    size_t count = !value ? 0 : value->kind == NAIVE_ARRAY ? value->count : 1;

    for (size_t i = 0; i < count; i++) {
        const naive_tree *item =
            value->kind == NAIVE_ARRAY ? &value->children[i] : value;

        if (item->kind != NAIVE_STRING)
            return fail(key, "a string is due");
        out->items =
            naive_grow(out->items, (out->count + 1) * sizeof *out->items);
        out->items[out->count++] = item->text.data;
    }
    return true;
}

static bool read_quirks(frame_description *format, const naive_tree *value)
{
    frame_words words = {0};
    bool known = read_words("quirks", value, &words);

    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.items[i];
        struct {
            const char *word;
            bool *flag;
        } const quirks[] = {
            {"echo", &format->echo},
            {"blank_names", &format->blank_names},
            {"calls_in_reasoning", &format->calls_in_reasoning},
            {"header_name", &format->header_name},
            {"channels", &format->channels},
            {"cdata", &format->cdata},
            {"empty_line", &format->empty_line},
            {"loose_channels", &format->loose_channels},
        };
        bool found = false;

        for (size_t q = 0; q < sizeof quirks / sizeof *quirks; q++) {
            if (strcmp(word, quirks[q].word) == 0)
                *quirks[q].flag = found = true;
        }
        known = known && (found || fail("quirks", word));
    }
    free(words.items);
    return known;
}

static bool is_known_key(const char *key)
{
    static const char *const keys[] = {
        "format",        "about",        "example",     "models", "call",
        "argument",      "calls",        "between",     "gap",    "reasoning",
        "text",          "no_reasoning", "no_text",     "loose",  "turn",
        "stops",         "end",          "tokens",      "id",     "name_key",
        "arguments_key", "id_key",       "raw_name",    "json",   "sorted",
        "values",        "entities",     "calls_alone", "quirks", "name",
        "alias",         "suffix"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static const char *word_or(const naive_tree *tree, const char *key,
                           const char *otherwise)
{
    const char *text = naive_tree_text(naive_tree_get(tree, key));

    return text ? text : otherwise;
}

static bool is_true(const naive_tree *tree, const char *key)
{
    const naive_tree *value = naive_tree_get(tree, key);

    return value && value->kind == NAIVE_TRUE;
}

static bool read_all_patterns(frame_description *format)
{
    struct {
        const char *key;
        frame_patterns *out;
    } const kinds[] = {
        {"call", &format->call},   {"argument", &format->argument},
        {"calls", &format->calls}, {"reasoning", &format->reasoning},
        {"text", &format->text},
    };
    const naive_tree *loose = naive_tree_get(&format->tree, "loose");

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *key = kinds[i].key;

        if (!read_patterns(format, key, naive_tree_get(&format->tree, key),
                           false, kinds[i].out) ||
            !read_patterns(format, key, naive_tree_get(loose, key), true,
                           kinds[i].out))
            return false;
    }
    return true;
}

static naive_bytes copy_of(const naive_bytes *bytes)
{
    naive_bytes copy = {0};

    if (bytes->data)
        naive_add(&copy, bytes->data, bytes->size);
    return copy;
}

/* The opener of an object between markers may have been stripped. */
static void add_stripped(frame_patterns *calls)
{
    frame_pattern stripped = {.loose = true, .stripped = true};
    const frame_pattern *first = calls->items;

    if (calls->count == 0 || frame_body(first) != HOLE_OBJECT)
        return;
    /* A close that is text like any other tells nothing by itself. */
    while (frame_body(first) != HOLE_OBJECT || !frame_opener(first) ||
           !frame_closer(first, 0) || frame_is_plain(frame_closer(first, 0)))
        if (++first == calls->items + calls->count)
            return;
    stripped.count = first->count - first->hole;
    stripped.parts = naive_grow(NULL, stripped.count * sizeof *stripped.parts);
    for (size_t i = 0; i < stripped.count; i++) {
        const frame_part *part = &first->parts[first->hole + i];

        stripped.parts[i] = (frame_part){.kind = part->kind,
                                         .hole = part->hole,
                                         .text = copy_of(&part->text),
                                         .end = copy_of(&part->end)};
    }
    calls->items =
        naive_grow(calls->items, (calls->count + 1) * sizeof *calls->items);
    calls->items[calls->count++] = stripped;
}

static bool read_description(frame_description *format)
{
    const naive_tree *tree = &format->tree;
    struct {
        const char *key;
        frame_words *out;
    } const words[] = {
        {"turn", &format->turn},
        {"stops", &format->stops},
        {"tokens", &format->tokens},
        {"no_reasoning", &format->no_reasoning},
        {"end", &format->end},
        {"name_key", &format->name_key},
        {"arguments_key", &format->arguments_key},
        {"id_key", &format->id_key},
    };
    const char *version;

    if (tree->kind != NAIVE_OBJECT)
        return fail("description", "an object is due");
    version = naive_tree_get(tree, "format")
                  ? naive_tree_get(tree, "format")->text.data
                  : NULL;
    if (!version || strcmp(version, "1") != 0)
        return fail("format", "1 is the version that is known");
    for (size_t i = 0; i < tree->count; i++)
        if (!is_known_key(tree->children[i].key.data))
            return fail(tree->children[i].key.data, "no such key");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!read_words(words[i].key, naive_tree_get(tree, words[i].key),
                        words[i].out))
            return false;
    format->between = word_or(tree, "between", "");
    format->gap = word_or(tree, "gap", "");
    format->no_text = word_or(tree, "no_text", "");
    format->id = word_or(tree, "id", NULL);
    format->raw_name = word_or(tree, "raw_name", "");
    format->suffix = word_or(tree, "suffix", "");
    format->json = word_or(tree, "json", "spaced");
    format->values = word_or(tree, "values", "json");
    format->entities = word_or(tree, "entities", "");
    format->example = word_or(tree, "example", NULL);
    format->sorted = is_true(tree, "sorted");
    format->calls_alone = is_true(tree, "calls_alone");
    return read_quirks(format, naive_tree_get(tree, "quirks")) &&
           read_all_patterns(format);
}

bool frame_load(const char *json, size_t size, frame_description *out,
                const char **error)
{
    *out = (frame_description){0};
    *error = problem;
    naive_add(&out->source, json, size);
    out->suffix = "";
    if (!naive_tree_read(json, size, &out->tree)) {
        naive_release(&out->source);
        return fail("description", "not JSON");
    }
    if (read_description(out)) {
        add_stripped(&out->call);
        return true;
    }
    frame_release(out);
    return false;
}

void frame_release(frame_description *format)
{
    frame_patterns *const patterns[] = {&format->call, &format->argument,
                                        &format->calls, &format->reasoning,
                                        &format->text};
    frame_words *const words[] = {
        &format->turn,          &format->stops, &format->tokens,
        &format->no_reasoning,  &format->end,   &format->name_key,
        &format->arguments_key, &format->id_key};

    naive_release(&format->source);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        for (size_t p = 0; p < patterns[i]->count; p++)
            release_pattern(&patterns[i]->items[p]);
        free(patterns[i]->items);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        free(words[i]->items);
    naive_tree_release(&format->tree);
    *format = (frame_description){0};
}

/* --- what a pattern says ----------------------------------------------- */

frame_hole frame_body(const frame_pattern *call)
{
    return call->parts[call->hole].hole;
}

bool frame_is_tagged(const frame_description *format,
                     const frame_pattern *call)
{
    return frame_body(call) == HOLE_ARGUMENTS && format->argument.count > 0;
}

const char *frame_opener(const frame_pattern *pattern)
{
    for (size_t i = 0; i < pattern->hole; i++) {
        const frame_part *part = &pattern->parts[i];

        if (part->kind == FRAME_HOLE)
            return NULL;
        if (part->kind != FRAME_LAYOUT)
            return part->text.data;
    }
    return NULL;
}

const char *frame_closer(const frame_pattern *pattern, size_t n)
{
    for (size_t i = pattern->hole + 1; i < pattern->count; i++)
        if (pattern->parts[i].kind == FRAME_MARKER && n-- == 0)
            return pattern->parts[i].text.data;
    return NULL;
}

const char *frame_layout(const frame_pattern *pattern, size_t index)
{
    return index < pattern->count && pattern->parts[index].kind == FRAME_LAYOUT
               ? pattern->parts[index].text.data
               : "";
}

bool frame_is_bare_tag(const char *marker)
{
    return marker[0] == '<' && marker[strlen(marker) - 1] == ' ';
}

bool frame_is_plain(const char *marker)
{
    return (marker[0] != '<' && marker[0] != '[' && !strstr(marker, "<|") &&
            strncmp(marker, "]<", 2) != 0) ||
           frame_is_bare_tag(marker);
}

bool frame_holds_token(const frame_description *format, const char *marker)
{
    for (size_t i = 0; i < format->tokens.count; i++)
        if (strstr(marker, format->tokens.items[i]))
            return true;
    return false;
}

bool frame_is_token(const frame_description *format, const char *marker)
{
    for (size_t i = 0; i < format->tokens.count; i++)
        if (strncmp(marker, format->tokens.items[i],
                    strlen(format->tokens.items[i])) == 0)
            return true;
    return false;
}
