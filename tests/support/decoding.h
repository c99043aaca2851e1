/* SPDX-License-Identifier: MIT
 *
 * Decoding a text or marked pieces of it, and the events in one line.
 */
#ifndef TOOLWIRE_TESTS_DECODING_H
#define TOOLWIRE_TESTS_DECODING_H

#include "../naive/naive.h"
#include "events.h"

/* With framing and raw text. */
tw_decoder *decoder_of(const char *format);
/* |chunk| 0: whole. */
void decode(event_log *, tw_decoder *, const char *text, size_t size,
            size_t chunk);

typedef struct marked {
    tw_mark mark;
    const char *text;
} marked;

/* CONTROL pieces are fed whole, the others |chunk| bytes at a time. */
void decode_marked(event_log *, tw_decoder *, const marked *, size_t count,
                   size_t chunk);

/* The events without framing and END, in words such as
 *     reasoning[hm] text[Hi] call[f call_0] args[{"a":1}] complete
 *     diag[trailing_comma@22] drop[stray_text@9+3]
 *     unparsed[truncated_call@30+8 f] error[-11@22]
 * without the |args| of calls that ended badly. */
naive_bytes log_words(const event_log *);
/* Does log_words() give |words|?  If not, prints both. */
bool log_is(const event_log *, const char *words);

#endif
