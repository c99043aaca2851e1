/* SPDX-License-Identifier: MIT
 *
 * What others take for the same bytes.  false: they could not be read.
 */
#ifndef TOOLWIRE_TESTS_BENCH_PEERS_H
#define TOOLWIRE_TESTS_BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_text {
    const char *data; /* simdjson reads up to 32 bytes behind |size| */
    size_t size;
    size_t delta; /* of those that take any: 0 is whole */
    bool failed;  /* the last run did */
} peer_text;

enum { PEER_PADDING = 32 };

/* Tasks; the context is a peer_text. */
void peer_memcpy(void *);
void peer_memchr(void *); /* over every `<` */
/* The calls of a decoder, which do nothing. */
void peer_nothing(void *);
void peer_json_c(void *);
void peer_jansson(void *);
void peer_simdjson(void *);

#ifdef __cplusplus
}
#endif

#endif
