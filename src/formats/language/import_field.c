/* SPDX-License-Identifier: MIT
 *
 * What all fields of a response_template have: where errors are, the markers
 * around the field, and the patterns that become of them.
 */
#include "formats/language/import_parts.h"

#include <string.h>

const tw_capture tw_import_no_captures[1] = {{NULL, "skip"}};

void tw_import_refuse(tw_importer *state, const char *sentence)
{
    tw_load_refuse(state->loader, sentence, "", 0, "");
}

bool tw_import_failed(const tw_importer *state)
{
    return state->loader->to->error != TW_OK;
}

/* Where errors are from here on: fields.FIELD.KEY. */
void tw_import_go_to(tw_importer *state, const char *key)
{
    const char *const parts[] = {"fields.", state->field, ".", key};
    tw_text_piece place = {.size = 0};
    for (size_t i = 0; i < (key[0] != 0 ? 4 : 2); i++) {
        tw_texts_append(&place, parts[i], strlen(parts[i]));
    }
    const size_t most = sizeof state->place;
    state->loader->key_size = place.size < most ? place.size : most;
    memcpy(state->place, place.text, state->loader->key_size);
    state->loader->key = state->place;
}

const tw_value *tw_import_member(tw_importer *state, const tw_value *field,
                                 const char *key)
{
    tw_import_go_to(state, key);
    return tw_value_member(field, key);
}

/* ---- markers of a field ------------------------------------------------- */

static void add_literal(tw_importer *state, tw_texts *to,
                        const tw_value *value)
{
    if (value->kind != TW_VALUE_STRING || value->size == 0) {
        tw_import_refuse(state, "a text is due, and no empty one");
        return;
    }
    if (to->count == TW_TEXTS_MOST) {
        tw_import_refuse(state, "more than 32 alternatives");
        return;
    }
    tw_text_piece *made = &to->all[to->count++];
    bool fits = true;
    made->size = 0;
    for (size_t i = 0; i < value->size; i++) {
        const char c = value->text[i];
        fits = fits && tw_texts_append(made, &c, 1) &&
               ((c != '{' && c != '}') || tw_texts_append(made, &c, 1));
    }
    if (!fits) {
        tw_import_refuse(state, "too long");
    }
}

void tw_import_literals(tw_importer *state, tw_texts *to,
                        const tw_value *value)
{
    to->count = 0;
    to->begins = false;
    if (value->kind != TW_VALUE_ARRAY) {
        add_literal(state, to, value);
        return;
    }
    for (const tw_value *at = value->first; at != NULL; at = at->next) {
        add_literal(state, to, at);
    }
    if (to->count == 0) {
        tw_import_refuse(state, "a list of no texts");
    }
}

/* The alternatives under KEY or KEY_pattern; true: there are some. */
bool tw_import_marker(tw_importer *state, tw_texts *to, const tw_value *field,
                      const char *key, const char *pattern_key,
                      const tw_capture *captures)
{
    const tw_value *literal = tw_value_member(field, key);
    const tw_value *pattern = tw_value_member(field, pattern_key);
    to->count = 0;
    to->begins = false;
    if (literal != NULL && pattern != NULL) {
        tw_import_go_to(state, pattern_key);
        tw_import_refuse(state, "one of a text and a pattern");
    } else if (literal != NULL) {
        tw_import_go_to(state, key);
        tw_import_literals(state, to, literal);
    } else if (pattern != NULL) {
        tw_import_go_to(state, pattern_key);
        if (pattern->kind != TW_VALUE_STRING) {
            tw_import_refuse(state, "a string is due");
        } else {
            state->captured |=
                tw_load_regex(state->loader, to, pattern, captures);
        }
    }
    return literal != NULL || pattern != NULL;
}

/* ---- what is put -------------------------------------------------------- */

void tw_import_put_key(tw_importer *state, const char *key)
{
    tw_json_put_key(&state->out, key, false);
}

static bool begins_with_skip(const tw_text_piece *text)
{
    return text->size >= 6 && memcmp(text->text, "{skip}", 6) == 0;
}

static bool begins_with(const tw_text_piece *text, const tw_value *front)
{
    return text->size >= front->size &&
           memcmp(text->text, front->text, front->size) == 0;
}

/* One list of patterns under way. */
typedef struct list {
    const char *hole;
    const tw_value *front; /* stands in front of each, or NULL */
    size_t put;
} list;

/* OPEN HOLE CLOSE; those that begin with {skip}, which only pass over text in
 * front of a marker, fall away. */
static void put_pattern(tw_importer *state, list *to,
                        const tw_text_piece *open, const tw_text_piece *close)
{
    tw_text_piece made = {.size = 0};
    const bool front = to->front != NULL;
    if (begins_with_skip(open) ||
        (front && (open->size == 0 || begins_with(open, to->front)))) {
        return;
    }
    if ((front && !tw_texts_append(&made, to->front->text, to->front->size)) ||
        !tw_texts_append(&made, open->text, open->size) ||
        !tw_texts_append(&made, to->hole, strlen(to->hole)) ||
        !tw_texts_append(&made, close->text, close->size)) {
        tw_import_refuse(state, "too long");
    }
    tw_json_put(&state->out, to->put++ > 0 ? "," : "");
    tw_json_put_string(&state->out, made.text, made.size);
}

static void put_each(tw_importer *state, list *to)
{
    static const tw_text_piece nothing = {.size = 0};
    const tw_texts *open = state->open, *close = state->close;
    for (size_t i = 0; i < open->count; i++) {
        for (size_t k = 0; k < (close->count > 0 ? close->count : 1); k++) {
            put_pattern(state, to, &open->all[i],
                        close->count > 0 ? &close->all[k] : &nothing);
        }
    }
}

void tw_import_put_patterns(tw_importer *state, const char *key,
                            const char *hole)
{
    list to = {.hole = hole};
    tw_import_put_key(state, key);
    tw_json_put(&state->out, "[");
    put_each(state, &to);
    if (to.put == 0) {
        tw_import_refuse(state, "it begins without a marker");
    }
    if (state->anchor != NULL) {
        to.front = state->anchor;
        put_each(state, &to);
    }
    tw_json_put(&state->out, "]");
}

/* An alternative that is nothing is the end of the output, which ends all. */
void tw_import_drop_empty(tw_texts *texts)
{
    size_t kept = 0;
    for (size_t i = 0; i < texts->count; i++) {
        if (texts->all[i].size > 0) {
            texts->all[kept++] = texts->all[i];
        }
    }
    texts->count = kept;
}
