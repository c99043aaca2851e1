/* SPDX-License-Identifier: MIT
 *
 * A format by its name, by the name of a model, and by what is near.
 */
#include <string.h>

#include "core/ascii.h"
#include "core/near.h"
#include "formats/format.h"

/* ---- models ------------------------------------------------------------- */

const char *tw_format_model(const tw_format *format, size_t i)
{
    if (format == NULL) {
        return NULL;
    }
    if (format->loaded) {
        const char *const *models = format->description->models;
        while (i > 0 && *models != NULL) {
            models++;
            i--;
        }
        return *models;
    }
    const char *at = format->models;
    for (; i > 0 && *at != 0; i--) {
        at += strlen(at) + 1;
    }
    return *at != 0 ? at : NULL;
}

const char *tw_format_alias(const tw_format *format)
{
    return format != NULL ? format->alias : NULL;
}

/* ---- words of a model's name -------------------------------------------- */

typedef struct word {
    const char *at;
    size_t size;
} word;

static bool is_letter(char c)
{
    return (tw_lower(c) >= 'a' && tw_lower(c) <= 'z') ||
           (unsigned char)c >= 0x80;
}

static bool is_word_byte(char c)
{
    return is_letter(c) || tw_is_digit(c);
}

/* The next word at |text|, letters or a number with its points: `Qwen3.5-4B`
 * has four.  Returns what stands behind it; its size is 0 behind the last. */
static const char *next_word(const char *text, word *found)
{
    while (*text != 0 && !is_word_byte(*text)) {
        text++;
    }
    found->at = text;
    const bool digits = tw_is_digit(*text);
    while (digits
               ? tw_is_digit(*text) || (*text == '.' && tw_is_digit(text[1]))
               : is_letter(*text)) {
        text++;
    }
    found->size = (size_t)(text - found->at);
    return text;
}

static bool same_word(const word *a, const word *b)
{
    bool same = a->size == b->size;
    for (size_t i = 0; same && i < a->size; i++) {
        same = tw_lower(a->at[i]) == tw_lower(b->at[i]);
    }
    return same;
}

/* How many words |model| has, if they stand at |text| one behind another;
 * else 0. */
static size_t words_at(const char *text, const char *model)
{
    word mine, its;
    size_t count = 0;
    for (;;) {
        model = next_word(model, &mine);
        text = next_word(text, &its);
        if (mine.size == 0) {
            return count;
        }
        if (!same_word(&mine, &its)) {
            return 0;
        }
        count++;
    }
}

/* The most words of one of the format's models that stand at |text|. */
static size_t most_words(const tw_format *format, const char *text)
{
    const char *model;
    size_t most = 0;
    for (size_t i = 0; (model = tw_format_model(format, i)) != NULL; i++) {
        const size_t count = words_at(text, model);
        most = count > most ? count : most;
    }
    return most;
}

/* The format of which most words stand in |name|, a model's with its owner in
 * front and whatever behind: the first one's, where two have as many. */
static const tw_format *find_model(const char *name)
{
    const tw_format *best = NULL;
    size_t most = 0;
    word at;
    for (const char *behind = next_word(name, &at); at.size > 0;
         behind = next_word(behind, &at)) {
        for (const tw_format *format = tw_format_next(NULL); format != NULL;
             format = tw_format_next(format)) {
            const size_t count = most_words(format, at.at);
            best = count > most ? format : best;
            most = count > most ? count : most;
        }
    }
    return best;
}

/* ---- by name ------------------------------------------------------------ */

enum { NAME_MOST = 256 };

const tw_format *tw_format_find(const char *name)
{
    if (name == NULL || strlen(name) > NAME_MOST) {
        return NULL;
    }
    for (const tw_format *format = tw_format_next(NULL); format != NULL;
         format = tw_format_next(format)) {
        if (strcmp(format->name, name) == 0 ||
            (format->alias != NULL && strcmp(format->alias, name) == 0)) {
            return format;
        }
    }
    const size_t size = strlen(name);
    return size > 0 && is_word_byte(name[0]) && is_word_byte(name[size - 1])
               ? find_model(name)
               : NULL;
}

/* ---- what is near ------------------------------------------------------- */

static bool is_near_model(const tw_format *format, const char *name)
{
    const char *model;
    bool near = false;
    for (size_t i = 0; (model = tw_format_model(format, i)) != NULL; i++) {
        near |= tw_is_near(name, model, strlen(model));
    }
    return near;
}

/* The |*i|-th of the names that are near, counted down; |told|: those of which
 * it is only said, which are a part of it, or whose model's is near. */
static const char *find_near(const char *name, size_t *i, bool told)
{
    for (const tw_format *format = tw_format_next(NULL); format != NULL;
         format = tw_format_next(format)) {
        const char *const both[] = {format->alias, format->name};
        for (size_t n = 0; n < 2; n++) {
            const bool near =
                both[n] != NULL &&
                (told ? tw_is_told(both[n], name) ||
                            (n == 1 && (tw_is_told(name, format->about) ||
                                        is_near_model(format, name)))
                      : tw_is_near(name, both[n], strlen(both[n])));
            if (near && (*i)-- == 0) {
                return both[n];
            }
        }
    }
    return NULL;
}

const char *tw_format_near(const char *name, size_t i)
{
    size_t left = i;
    const char *found = name != NULL ? find_near(name, &left, false) : NULL;
    const bool none = name != NULL && found == NULL && left == i;
    return none ? find_near(name, &left, true) : found;
}

int tw_format_setting(const tw_format *format, size_t i,
                      const tw_setting **setting)
{
    const tw_own_prompt *prompt = format != NULL ? format->prompt : NULL;
    const tw_setting *at = format == NULL             ? NULL
                           : format->settings != NULL ? format->settings
                           : prompt != NULL           ? prompt->settings
                                                      : NULL;
    while (at != NULL && at->name != NULL && i > 0) {
        at++;
        i--;
    }
    if (at == NULL || at->name == NULL || setting == NULL) {
        return 0;
    }
    *setting = at;
    return 1;
}
