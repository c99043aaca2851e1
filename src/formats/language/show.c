/* SPDX-License-Identifier: MIT
 *
 * A description as JSON again, which loads back to the same one.  What stands
 * at its default is left out.
 */
#include <string.h>

#include "formats/language/load_state.h"
#include "json/write.h"

/* Where the text goes: no more than there is room for, and all is counted. */
typedef struct shower {
    char *out;
    size_t room;
    size_t size;
    size_t members;     /* of the object that is open */
    const char *indent; /* in front of each */
} shower;

static void put(shower *show, const char *text, size_t size)
{
    const size_t left = show->size < show->room ? show->room - show->size : 0;
    if (left > 0 && size > 0) {
        memcpy(show->out + show->size, text, size < left ? size : left);
    }
    show->size += size;
}

static void put_text(shower *show, const char *text)
{
    put(show, text, strlen(text));
}

/* How many bytes at |text| are what a terminal takes for a command, and JSON
 * may hold: DEL, or C1 in UTF-8. */
static size_t command_at(const char *text)
{
    const uint8_t first = (uint8_t)text[0], next = (uint8_t)text[1];
    const bool is_c1 = first == 0xC2 && next >= 0x80 && next < 0xA0;
    return first == 0x7F ? 1 : is_c1 ? 2 : 0;
}

static void put_command(shower *show, uint8_t byte)
{
    static const char hex[] = "0123456789abcdef";
    const char escape[] = {'\\', 'u', '0', '0', hex[byte >> 4],
                           hex[byte & 15]};
    put(show, escape, sizeof escape);
}

/* What stands between the quotes of a string; braces are doubled where it is
 * in a pattern. */
static void put_inside(shower *show, const char *text, bool in_pattern)
{
    char escape[TW_JSON_ESCAPE_SIZE];
    for (; *text != 0; text++) {
        const size_t command = command_at(text);
        if (command > 0) {
            text += command - 1;
            put_command(show, (uint8_t)*text);
            continue;
        }
        const size_t size = tw_json_escape((uint8_t)*text, escape);
        put(show, text, in_pattern && (*text == '{' || *text == '}'));
        put(show, size > 0 ? escape : text, size > 0 ? size : 1);
    }
}

static void put_string(shower *show, const char *text)
{
    put_text(show, "\"");
    put_inside(show, text, false);
    put_text(show, "\"");
}

static void put_key(shower *show, const char *key)
{
    put_text(show, show->members++ > 0 ? "," : "");
    put_text(show, show->indent);
    put_string(show, key);
    put_text(show, ": ");
}

static void put_texts(shower *show, const char *const *texts)
{
    const bool many = texts[0] != NULL && texts[1] != NULL;
    put_text(show, many ? "[" : "");
    for (size_t i = 0; texts[i] != NULL; i++) {
        put_text(show, i > 0 ? ", " : "");
        put_string(show, texts[i]);
    }
    put_text(show, many ? "]" : "");
}

static void put_pattern(shower *show, const tw_pattern *pattern)
{
    put_text(show, "\"");
    for (size_t i = 0; i < pattern->count; i++) {
        const tw_part *part = &pattern->parts[i];
        if (part->kind == TW_PATTERN_LITERAL ||
            part->kind == TW_PATTERN_LAYOUT) {
            put_inside(show, part->text, true);
        } else {
            put_text(show, "{");
            put_text(show, tw_hole_name(part->kind));
            put_inside(show, part->text, false);
            put_text(show, "}");
        }
    }
    put_text(show, "\"");
}

/* The member of those patterns that are |loose|, or are not; none of none. */
static void put_patterns(shower *show, const char *key,
                         const tw_patterns *patterns, bool loose)
{
    size_t count = 0;
    for (size_t i = 0; i < patterns->count; i++) {
        count += patterns->all[i].loose == loose;
    }
    if (count == 0) {
        return;
    }
    put_key(show, key);
    put_text(show, count > 1 ? "[" : "");
    for (size_t i = 0, put = 0; i < patterns->count; i++) {
        if (patterns->all[i].loose == loose) {
            put_text(show, put++ > 0 ? ", " : "");
            put_pattern(show, &patterns->all[i]);
        }
    }
    put_text(show, count > 1 ? "]" : "");
}

/* ---- members ------------------------------------------------------------ */

static const void *member_of(const tw_description *d, const tw_key *key)
{
    return (const uint8_t *)d + key->at;
}

static bool is_same(const char *const *texts, const char *const *others)
{
    while (*texts != NULL && *others != NULL && strcmp(*texts, *others) == 0) {
        texts++;
        others++;
    }
    return *texts == NULL && *others == NULL;
}

static bool has_loose(const tw_description *d)
{
    bool found = false;
    for (size_t i = 0; i < TW_KEY_COUNT; i++) {
        const tw_patterns *patterns = member_of(d, &tw_keys[i]);
        found |= tw_keys[i].kind == TW_KEY_PATTERNS && patterns->count > 0 &&
                 patterns->all[patterns->count - 1].loose;
    }
    return found;
}

static void put_loose(shower *show, const tw_description *d)
{
    const size_t members = show->members + 1;
    const char *indent = show->indent;
    if (!has_loose(d)) {
        return;
    }
    put_key(show, "loose");
    put_text(show, "{");
    show->members = 0;
    show->indent = "\n    ";
    for (size_t i = 0; i < TW_KEY_COUNT; i++) {
        if (tw_keys[i].kind == TW_KEY_PATTERNS) {
            put_patterns(show, tw_keys[i].name, member_of(d, &tw_keys[i]),
                         true);
        }
    }
    show->members = members;
    show->indent = indent;
    put_text(show, indent);
    put_text(show, "}");
}

static void put_two(shower *show, const char *key, const char *const *two)
{
    const bool same = strcmp(two[0], two[1]) == 0;
    const char *const texts[] = {two[0], same ? NULL : two[1], NULL};
    if (two[0][0] != 0 || two[1][0] != 0) {
        put_key(show, key);
        put_texts(show, texts);
    }
}

static void put_words(shower *show, const tw_key *key, uint8_t bits)
{
    const char *texts[9];
    size_t count = 0;
    for (size_t i = 0; key->words[i] != NULL; i++) {
        if ((bits >> i & 1) != 0) {
            texts[count++] = key->words[i];
        }
    }
    texts[count] = NULL;
    if (count > 0) {
        put_key(show, key->name);
        put_texts(show, texts);
    }
}

static const char *const *texts_of(const tw_description *d, const tw_key *key)
{
    return *(const char *const *const *)member_of(d, key);
}

/* Which of the keys of name and id stands first says which is written first.
 */
static void put_list(shower *show, const tw_description *d,
                     const tw_description *defaults, const tw_key *key)
{
    const char *const *texts = texts_of(d, key);
    const bool is_name = texts == d->name_keys;
    const bool is_told = d->id_first && (is_name || texts == d->id_keys);
    if (is_name && is_told) {
        put_key(show, "id_key");
        put_texts(show, d->id_keys);
    }
    if (is_told ? is_name : !is_same(texts, texts_of(defaults, key))) {
        put_key(show, key->name);
        put_texts(show, texts);
    }
}

static void put_member(shower *show, const tw_description *d,
                       const tw_description *defaults, const tw_key *key)
{
    const void *at = member_of(d, key);
    const char *text = "";
    switch (key->kind) {
    case TW_KEY_VERSION:
        put_key(show, key->name);
        put_text(show, "1");
        break;
    case TW_KEY_TEXT: text = *(const char *const *)at; break;
    case TW_KEY_TEXTS: put_list(show, d, defaults, key); break;
    case TW_KEY_PATTERNS: put_patterns(show, key->name, at, false); break;
    case TW_KEY_LOOSE: put_loose(show, d); break;
    case TW_KEY_TWO: put_two(show, key->name, at); break;
    case TW_KEY_ID_KIND:
        text = d->nine ? "nine" : "";
        put_patterns(show, key->name, at, false);
        break;
    case TW_KEY_WORD: text = key->words[*(const uint8_t *)at]; break;
    case TW_KEY_WORDS: put_words(show, key, *(const uint8_t *)at); break;
    default:
        if (*(const bool *)at) {
            put_key(show, key->name);
            put_text(show, "true");
        }
        break;
    }
    const bool is_default =
        key->kind == TW_KEY_WORD
            ? *(const uint8_t *)at ==
                  *(const uint8_t *)member_of(defaults, key)
            : text[0] == 0;
    if (!is_default) {
        put_key(show, key->name);
        put_string(show, text);
    }
}

size_t tw_description_show(const tw_description *d, char *out, size_t room)
{
    shower show = {out, room, 0, 0, "\n  "};
    tw_description defaults;
    tw_description_defaults(&defaults);
    put_text(&show, "{");
    for (size_t i = 0; i < TW_KEY_COUNT; i++) {
        put_member(&show, d, &defaults, &tw_keys[i]);
    }
    put_text(&show, "\n}\n");
    return show.size;
}
