/* SPDX-License-Identifier: MIT
 *
 * Hugging Face's response_template, by itself or inside a
 * tokenizer_config.json, becomes the JSON of a description.  What no
 * description can say is refused, with the field and the construct.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/language/import_parts.h"
#include "json/dump.h"

static void go_to_top(tw_importer *state, const char *key)
{
    state->loader->key = key;
    state->loader->key_size = strlen(key);
}

/* As a string that is no pattern: braces are single in it.  White space around
 * a |stop| is framing. */
static void put_plain(tw_importer *state, const tw_text_piece *piece,
                      bool stop)
{
    const char *at = piece->text, *end = at + piece->size;
    char text[TW_TEXT_PIECE];
    size_t size = 0;
    while (stop && at < end && tw_is_ws((uint8_t)*at)) {
        at++;
    }
    while (stop && end > at && tw_is_ws((uint8_t)end[-1])) {
        end--;
    }
    for (; at < end; at++) {
        const bool brace = *at == '{' || *at == '}';
        text[size++] = *at;
        if (brace && (at + 1 == end || at[1] != *at)) {
            tw_import_refuse(state, "no group has a place here");
        }
        at += brace;
    }
    tw_json_put_string(&state->out, text, size);
}

static void put_plains(tw_importer *state, const char *key,
                       const tw_texts *texts)
{
    tw_import_put_key(state, key);
    tw_json_put(&state->out, "[");
    for (size_t i = 0; i < texts->count; i++) {
        tw_json_put(&state->out, i > 0 ? "," : "");
        put_plain(state, &texts->all[i], false);
    }
    tw_json_put(&state->out, "]");
}

/* Each is known and stands once: of two nobody can say which one counts. */
static void check_keys(tw_importer *state, const tw_value *object,
                       const char *const *known)
{
    const tw_value *at = object->first;
    for (; at != NULL && !tw_import_failed(state); at = at->next) {
        if (!tw_value_is_named(at, known)) {
            tw_load_refuse(state->loader, "no such key: ", at->key,
                           at->key_size, "");
        } else if (tw_value_find(object, object->marks, at->key,
                                 at->key_size) != at) {
            tw_load_refuse(state->loader, "the key stands twice: ", at->key,
                           at->key_size, "");
        }
    }
}

/* ---- what all fields have ----------------------------------------------- */

static void check_field(tw_importer *state, const tw_value *field)
{
    static const char *const known[] = {
        "open",      "open_pattern",   "close",    "close_pattern",
        "content",   "content_args",   "join",     "repeats",
        "transform", "transform_each", "optional", NULL};
    tw_import_go_to(state, "");
    if (field->kind != TW_VALUE_OBJECT) {
        tw_import_refuse(state, "an object is due");
        return;
    }
    check_keys(state, field, known);
    const tw_value *repeats = tw_import_member(state, field, "repeats");
    const tw_value *join = tw_import_member(state, field, "join");
    if (join != NULL && !tw_value_is_a(repeats, TW_VALUE_TRUE)) {
        tw_import_refuse(state, "it needs repeats");
    } else if (join != NULL && !tw_value_is(join, "")) {
        tw_import_refuse(
            state, "pieces stand side by side: a text between them is told "
                   "by no description");
    }
    const tw_value *optional = tw_import_member(state, field, "optional");
    if (optional != NULL && optional->kind != TW_VALUE_TRUE) {
        tw_import_refuse(
            state, "a field that must be there is told by no description");
    }
}

/* {text} or {text:trim}, of a field that is text. */
static const char *text_hole(tw_importer *state, const tw_value *field)
{
    const tw_value *content = tw_import_member(state, field, "content");
    bool strips = true;
    if (content != NULL && !tw_value_is(content, "text")) {
        tw_import_refuse(state, "text is due");
    }
    if (tw_import_member(state, field, "transform") != NULL) {
        tw_import_refuse(state, "of text it is told by no description");
    }
    const tw_value *arguments = tw_import_member(state, field, "content_args");
    for (const tw_value *at = arguments != NULL ? arguments->first : NULL;
         at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "strip")) {
            tw_load_refuse(state->loader, "no such key: ", at->key,
                           at->key_size, "");
        }
        strips = at->kind == TW_VALUE_TRUE;
    }
    return strips ? "{text:trim}" : "{text}";
}

/* A look-ahead to the close: without an opener, the output begins inside. */
static bool awaits_close(const tw_value *field)
{
    static const char *const fronts[] = {"(?=[\\s\\S]*?", "(?=.*?"};
    const tw_value *open = tw_value_member(field, "open_pattern");
    const tw_value *close = tw_value_member(field, "close_pattern");
    close = close != NULL ? close : tw_value_member(field, "close");
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        const size_t front = strlen(fronts[i]);
        if (open != NULL && close != NULL && open->kind == TW_VALUE_STRING &&
            close->kind == TW_VALUE_STRING && open->size > front + 1 &&
            memcmp(open->text, fronts[i], front) == 0 &&
            open->text[open->size - 1] == ')' &&
            close->size >= open->size - front - 1 &&
            memcmp(open->text + front, close->text, open->size - front - 1) ==
                0) {
            return tw_value_member(field, "open") == NULL;
        }
    }
    return false;
}

/* An opener that is nothing, for an output that begins inside. */
static void add_start(tw_importer *state)
{
    tw_texts *open = state->open;
    if (open->begins && open->count < TW_TEXTS_MOST) {
        open->all[open->count++].size = 0;
    }
}

static void import_reasoning(tw_importer *state, const tw_value *field)
{
    const char *hole = text_hole(state, field);
    if (awaits_close(field)) {
        state->open->count = 0;
        state->open->begins = true;
    } else if (!tw_import_marker(state, state->open, field, "open",
                                 "open_pattern", tw_import_no_captures)) {
        tw_import_go_to(state, "open");
        tw_import_refuse(state, "missing; only content takes what is left");
    }
    if (!tw_import_marker(state, state->close, field, "close", "close_pattern",
                          tw_import_no_captures)) {
        tw_import_go_to(state, "close");
        tw_import_refuse(state, "missing");
    }
    tw_import_drop_empty(state->close);
    if (!tw_import_failed(state)) {
        tw_import_go_to(state, "open");
        add_start(state);
        tw_import_put_patterns(state, "reasoning", hole);
    }
}

/* The end of the output, which a tokenizer_config.json tells beside the
 * template: transformers stops there, whatever the fields say. */
static const tw_value *eos_of(const tw_value *root, const tw_value *template)
{
    const tw_value *eos =
        root != template ? tw_value_member(root, "eos_token") : NULL;
    if (tw_value_is_a(eos, TW_VALUE_OBJECT)) { /* an AddedToken */
        eos = tw_value_member(eos, "content");
    }
    return tw_value_is_a(eos, TW_VALUE_STRING) && eos->size > 0 ? eos : NULL;
}

/* The stops of the content, and the tokenizer's. */
static void put_stops(tw_importer *state, const tw_texts *texts)
{
    const tw_value *eos = state->eos;
    bool known = eos == NULL;
    tw_import_put_key(state, "stops");
    tw_json_put(&state->out, "[");
    for (size_t i = 0; i < texts->count; i++) {
        tw_json_put(&state->out, i > 0 ? "," : "");
        put_plain(state, &texts->all[i], true);
        known |= eos != NULL && texts->all[i].size == eos->size &&
                 memcmp(texts->all[i].text, eos->text, eos->size) == 0;
    }
    if (!known) {
        tw_json_put(&state->out, texts->count > 0 ? "," : "");
        tw_json_put_string(&state->out, eos->text, eos->size);
    }
    tw_json_put(&state->out, "]");
    state->stopped = true;
}

static void import_content(tw_importer *state, const tw_value *field)
{
    const char *hole = text_hole(state, field);
    const bool wrapped =
        tw_import_marker(state, state->open, field, "open", "open_pattern",
                         tw_import_no_captures);
    tw_import_marker(state, state->close, field, "close", "close_pattern",
                     tw_import_no_captures);
    tw_import_drop_empty(state->close);
    if (tw_import_failed(state)) {
        return;
    }
    if (wrapped) {
        tw_import_put_patterns(state, "text", hole);
        return;
    }
    put_stops(state, state->close);
    tw_import_put_key(state, "text");
    tw_json_put_string(&state->out, hole, strlen(hole));
}

/* ---- the template ------------------------------------------------------- */

static const struct {
    const char *name;
    void (*import)(tw_importer *, const tw_value *);
} fields[] = {
    {"thinking", import_reasoning},          {"reasoning", import_reasoning},
    {"reasoning_content", import_reasoning}, {"content", import_content},
    {"tool_calls", tw_import_calls},
};

static void import_field(tw_importer *state, const tw_value *field)
{
    enum { COUNT = sizeof fields / sizeof fields[0] };
    size_t i = 0;
    while (i < COUNT && !tw_value_has_key(field, fields[i].name)) {
        i++;
    }
    go_to_top(state, "fields");
    if (i == COUNT) {
        tw_load_refuse(state->loader, "no message has a field ", field->key,
                       field->key_size, "");
        return;
    }
    state->field = fields[i].name;
    state->captured = false;
    check_field(state, field);
    if (!tw_import_failed(state)) {
        fields[i].import(state, field);
    }
    if (!tw_import_failed(state) && state->captured &&
        tw_value_member(field, "transform") == NULL) {
        tw_import_go_to(state, "open_pattern");
        tw_import_refuse(state, "a named group that no transform takes");
    }
}

/* The anchor is what the prompt ends with. */
static void import_anchor(tw_importer *state, const tw_value *root)
{
    const tw_value *literal = tw_value_member(root, "start_anchor");
    const tw_value *pattern = tw_value_member(root, "start_anchor_pattern");
    go_to_top(state, "start_anchor");
    if ((literal == NULL) == (pattern == NULL)) {
        tw_import_refuse(
            state, "one of start_anchor and start_anchor_pattern is due");
        return;
    }
    if (literal != NULL) {
        tw_import_literals(state, state->open, literal);
    } else if (pattern->kind == TW_VALUE_STRING) {
        go_to_top(state, "start_anchor_pattern");
        tw_load_regex(state->loader, state->open, pattern,
                      tw_import_no_captures);
    } else {
        tw_import_refuse(state, "a string is due");
    }
    if (!tw_import_failed(state)) {
        put_plains(state, "turn", state->open);
    }
}

static void check_top(tw_importer *state, const tw_value *root)
{
    static const char *const known[] = {"version",
                                        "defaults",
                                        "fields",
                                        "start_anchor",
                                        "start_anchor_pattern",
                                        NULL};
    const tw_value *version = tw_value_member(root, "version");
    const tw_value *defaults = tw_value_member(root, "defaults");
    go_to_top(state, "");
    check_keys(state, root, known);
    go_to_top(state, "version");
    if (version != NULL && (version->kind != TW_VALUE_NUMBER ||
                            version->size != 1 || version->text[0] != '1')) {
        tw_import_refuse(state, "1 is the version that is known");
    }
    go_to_top(state, "defaults");
    for (const tw_value *at = defaults != NULL ? defaults->first : NULL;
         at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "role")) {
            tw_load_refuse(state->loader, "told by no description: ", at->key,
                           at->key_size, "");
        }
    }
}

/* Where the content has a marker of its own, nothing that stands between the
 * fields is content: an anchor that comes again there is framing. */
static const tw_value *anchor_again(const tw_value *root,
                                    const tw_value *members)
{
    const tw_value *anchor = tw_value_member(root, "start_anchor");
    const tw_value *content = tw_value_member(members, "content");
    const bool marked = tw_value_is_a(content, TW_VALUE_OBJECT) &&
                        (tw_value_member(content, "open") != NULL ||
                         tw_value_member(content, "open_pattern") != NULL);
    return marked && tw_value_is_a(anchor, TW_VALUE_STRING) &&
                   anchor->size > 0 && strchr("<[", anchor->text[0]) != NULL &&
                   memchr(anchor->text, '{', anchor->size) == NULL &&
                   memchr(anchor->text, '}', anchor->size) == NULL
               ? anchor
               : NULL;
}

static void import_all(tw_importer *state, const tw_value *root)
{
    const tw_value *members = tw_value_member(root, "fields");
    check_top(state, root);
    go_to_top(state, "fields");
    if (!tw_value_is_a(members, TW_VALUE_OBJECT) || members->first == NULL) {
        tw_import_refuse(state, "missing");
        return;
    }
    state->anchor = anchor_again(root, members);
    tw_json_put(&state->out, "{\"format\":1");
    for (const tw_value *at = members->first;
         at != NULL && !tw_import_failed(state); at = at->next) {
        import_field(state, at);
    }
    if (!tw_import_failed(state)) {
        import_anchor(state, root);
    }
    state->close->count = 0;
    if (!tw_import_failed(state) && state->eos != NULL && !state->stopped) {
        put_stops(state, state->close);
    }
    tw_json_put(&state->out, "}");
}

const tw_value *tw_load_template(const tw_value *root)
{
    const tw_value *inner = root->kind == TW_VALUE_OBJECT
                                ? tw_value_member(root, "response_template")
                                : NULL;
    inner = inner != NULL ? inner : root;
    return inner->kind == TW_VALUE_OBJECT &&
                   tw_value_member(inner, "format") == NULL &&
                   tw_value_member(inner, "fields") != NULL
               ? inner
               : NULL;
}

void tw_load_import(tw_loader *loader, const tw_value *root,
                    const tw_value *template, tw_buffer *json)
{
    tw_texts *texts = tw_load_room(loader, 2 * sizeof *texts);
    tw_importer state = {.loader = loader, .eos = eos_of(root, template)};
    if (texts == NULL) {
        return;
    }
    state.open = &texts[0];
    state.close = &texts[1];
    state.out.memory = loader->to->memory;
    import_all(&state, template);
    *json = state.out.out;
    if (state.out.failed) {
        loader->to->error = TW_ERROR_MEMORY;
    }
}
