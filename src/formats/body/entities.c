/* SPDX-License-Identifier: MIT
 *
 * The five entities of XML, where a format has some in values or attributes.
 */
#include "formats/body/entities.h"

#include <string.h>

#include "formats/body/opening.h"

size_t tw_entity_at(const tw_window *window, const uint8_t *at, char *byte,
                    bool *more)
{
    static const struct {
        const char *text;
        char byte;
    } entities[] = {{"&lt;", '<'},
                    {"&gt;", '>'},
                    {"&quot;", '"'},
                    {"&apos;", '\''},
                    {"&amp;", '&'}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        const size_t size = strlen(entities[i].text);
        const tw_match found = tw_text_at(window, at, entities[i].text, size);
        *byte = entities[i].byte;
        if (found == TW_MATCH_WHOLE) {
            return size;
        }
        *more |= found == TW_MATCH_MORE;
    }
    return 0;
}
