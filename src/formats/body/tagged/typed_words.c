/* SPDX-License-Identifier: MIT
 *
 * Python's words for JSON's, where a template or a model writes them.
 */
#include "formats/body/tagged/typed.h"

#include <string.h>

static const tw_word_pair words[] = {{"True", "true", TW_TYPE_BOOLEAN},
                                     {"False", "false", TW_TYPE_BOOLEAN},
                                     {"None", "null", TW_TYPE_NULL}};

bool tw_typed_is_python(const tw_typed *value)
{
    return value->format->values == TW_VALUES_STR ||
           value->format->values == TW_VALUES_REPR;
}

bool tw_typed_reads_words(const tw_typed *value)
{
    return tw_typed_is_python(value) || (value->types & TW_TYPE_ANY) != 0;
}

bool tw_typed_may_be_word(const tw_typed *value, const uint8_t *text,
                          size_t size)
{
    bool may = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        may |= (value->types & words[i].type) != 0 &&
               size <= strlen(words[i].python) &&
               memcmp(words[i].python, text, size) == 0;
    }
    return may && tw_typed_reads_words(value);
}

const tw_word_pair *tw_word_pair_of(const uint8_t *text, size_t size)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i].python) == size &&
            memcmp(words[i].python, text, size) == 0) {
            return &words[i];
        }
    }
    return NULL;
}
