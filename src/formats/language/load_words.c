/* SPDX-License-Identifier: MIT
 *
 * The words that an encoder writes where a message has nothing to say must
 * not be read as something that it says.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/language/load_state.h"

static void refuse(tw_loader *loader, const char *key, const char *sentence)
{
    loader->key = key;
    loader->key_size = strlen(key);
    loader->in_pattern = loader->listed = loader->loose = false;
    tw_load_refuse(loader, sentence, "", 0, "");
}

static const char *behind_blanks(const char *at)
{
    while (tw_is_ws((uint8_t)*at)) {
        at++;
    }
    return at;
}

/* ---- the end of a message ----------------------------------------------- */

/* What stands behind the first stop in |words|; NULL: none stands there. */
static const char *behind_stop(const tw_description *d, const char *words)
{
    const char *first = NULL;
    size_t size = 0;
    for (size_t i = 0; d->stops[i] != NULL; i++) {
        const char *found = strstr(words, d->stops[i]);
        const size_t length = strlen(d->stops[i]);
        if (found != NULL && (first == NULL || found < first ||
                              (found == first && length > size))) {
            first = found;
            size = length;
        }
    }
    return first != NULL ? first + size : NULL;
}

static void check_end(tw_loader *loader, const char *words)
{
    if (behind_blanks(words)[0] == 0) {
        return;
    }
    const char *behind = behind_stop(&loader->to->description, words);
    if (behind == NULL) {
        refuse(loader, "end", "no stop stands in it: it reads as text");
    } else if (behind_blanks(behind)[0] != 0) {
        refuse(loader, "end", "behind its stop nothing is read");
    }
}

/* ---- in the place of a text --------------------------------------------- */

/* Are |words| the literals of the pattern from |part| on, white space aside?
 */
static bool is_written_as(const tw_pattern *pattern, size_t part,
                          const char *words)
{
    words = behind_blanks(words);
    for (; part < pattern->count; part++) {
        const bool literal = pattern->parts[part].kind == TW_PATTERN_LITERAL;
        const char *at = literal ? pattern->parts[part].text : "";
        for (at = behind_blanks(at); *at != 0 && *at == *words;
             at = behind_blanks(at + 1)) {
            words = behind_blanks(words + 1);
        }
        if (*at != 0) {
            return false;
        }
    }
    return *words == 0;
}

/* Words for no text are blank, or one of the patterns with nothing in it;
 * those for no reasoning may be its close alone, of what the prompt opened. */
static void check_empty(tw_loader *loader, const char *key,
                        const tw_patterns *patterns, const char *words,
                        bool close)
{
    bool good = behind_blanks(words)[0] == 0;
    for (size_t i = 0; i < patterns->count && !good; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        good = is_written_as(pattern, 0, words) ||
               (close && is_written_as(pattern, pattern->hole, words));
    }
    if (!good) {
        refuse(loader, key, "no pattern with an empty text: it is read");
    }
}

void tw_load_words(tw_loader *loader)
{
    const tw_description *d = &loader->to->description;
    check_end(loader, d->end);
    check_end(loader, d->end_of_call);
    check_empty(loader, "no_reasoning", &d->reasoning, d->no_reasoning, true);
    check_empty(loader, "no_reasoning", &d->reasoning, d->no_reasoning_of_call,
                true);
    check_empty(loader, "no_text", &d->text, d->no_text, false);
}
