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

/* A list of all patterns OPEN HOLE CLOSE; those that begin with {skip}, which
 * only pass over text in front of a marker, fall away. */
void tw_import_put_patterns(tw_importer *state, const char *key,
                            const char *hole)
{
    static const tw_text_piece nothing = {.size = 0};
    tw_json_out *out = &state->out;
    const tw_texts *open = state->open, *close = state->close;
    size_t put = 0;
    tw_import_put_key(state, key);
    tw_json_put(out, "[");
    for (size_t i = 0; i < open->count; i++) {
        for (size_t k = 0; k < (close->count > 0 ? close->count : 1); k++) {
            const tw_text_piece *end =
                close->count > 0 ? &close->all[k] : &nothing;
            char text[3 * TW_TEXT_PIECE];
            const size_t hole_size = strlen(hole);
            if (begins_with_skip(&open->all[i])) {
                continue;
            }
            memcpy(text, open->all[i].text, open->all[i].size);
            memcpy(text + open->all[i].size, hole, hole_size);
            memcpy(text + open->all[i].size + hole_size, end->text, end->size);
            tw_json_put(out, put++ > 0 ? "," : "");
            tw_json_put_string(out, text,
                               open->all[i].size + hole_size + end->size);
        }
    }
    tw_json_put(out, "]");
    if (put == 0) {
        tw_import_refuse(state, "it begins without a marker");
    }
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
