/* SPDX-License-Identifier: MIT
 *
 * Names of tools, without quotes and in them.
 */
#include "core/ascii.h"
#include "core/options.h"
#include "formats/encode.h"
#include "grammars/make.h"

uint32_t tw_grammar_name(tw_grammar_maker *maker, const char *text,
                         size_t size)
{
    tw_buffer *out = &maker->text;
    bool good = true;
    out->size = 0;
    for (size_t i = 0; i < size && good; i++) {
        const bool entities = maker->description->entities != TW_ENTITIES_NONE;
        const char *entity = !entities        ? NULL
                             : text[i] == '&' ? "&amp;"
                             : text[i] == '"' ? "&quot;"
                                              : NULL;
        good =
            entity != NULL
                ? tw_buffer_append(out, maker->memory, entity, strlen(entity))
                : tw_buffer_append(out, maker->memory, text + i, 1);
    }
    if (!good) {
        tw_rules_no_memory(&maker->rules);
    }
    return tw_rule_said(&maker->rules, (const char *)out->data, out->size);
}

static bool is_blank(char c)
{
    static const char odd[] = " \t\n\v\f\r"; /* or its NUL */
    return strchr(odd, c) != NULL;
}

bool tw_grammar_is_key(const char *key, size_t size)
{
    return size > 0 && size <= TW_NAME_SIZE && !is_blank(key[0]) &&
           !is_blank(key[size - 1]);
}

bool tw_grammar_has_odd_blank(const tw_value *name)
{
    return tw_encode_has_odd_blank(name) ||
           strstr(name->text, "\xC2\x85") != NULL;
}

static bool begins_word(uint8_t c)
{
    return tw_is_letter(c) || c == '_' || c >= 0x80;
}

/* Is the name a word?  In front of an index digits are none. */
static bool is_word(const tw_pattern *pattern, const tw_value *name)
{
    bool digits = true;
    bool word = false;
    for (size_t i = 0; i < pattern->count; i++) {
        digits &= !tw_pattern_is_index(&pattern->parts[i]);
    }
    for (size_t i = 0; i < name->size; i++) {
        const uint8_t c = (uint8_t)name->text[i];
        word |= begins_word(c) || (digits && tw_is_digit(c));
    }
    return word;
}

/* The format cannot write the |name|; or no decoder takes it. */
static void refuse(tw_grammar_maker *maker, const tw_value *name, bool cannot)
{
    if (name->size > TW_NAME_SIZE) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, name,
                        "no decoder takes a name of more than 256 bytes");
    } else if (cannot) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, name,
                        "the format cannot write this name");
    }
}

void tw_grammar_check_name(tw_grammar_maker *maker, const tw_pattern *pattern,
                           const tw_value *name)
{
    const bool served =
        pattern != NULL && tw_pattern_has(pattern, TW_PATTERN_SERVER);
    refuse(maker, name,
           !tw_encode_takes_name(maker->description, name, served) ||
               !(pattern != NULL ? is_word(pattern, name)
                                 : begins_word((uint8_t)name->text[0]) &&
                                       !tw_grammar_has_odd_blank(name)));
}

/* A reader complains of a string's blanks at the ends, where it is a name. */
void tw_grammar_check_said_name(tw_grammar_maker *maker, const tw_value *name)
{
    refuse(maker, name,
           !tw_grammar_is_key(name->text, name->size) ||
               memchr(name->text, 0, name->size) != NULL);
}
