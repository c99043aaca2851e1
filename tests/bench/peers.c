/* SPDX-License-Identifier: MIT
 *
 * memcpy, memchr and json-c on the same bytes, and a decoder that finds
 * nothing.
 */
#include "peers.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "nothing.h"
#include "text.h"

void peer_memcpy(void *context)
{
    static char *copy;
    static size_t room;
    const peer_text *its = context;
    if (its->size > room) {
        room = its->size;
        copy = need(realloc(copy, room));
        memset(copy, 1, room);
    }
    memcpy(copy, its->data, its->size);
    /* So that the copy is not left out. */
    *(volatile char *)&copy[its->size / 2];
}

void peer_memchr(void *context)
{
    peer_text *its = context;
    const char *at = its->data;
    const char *end = at + its->size;
    while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        at++;
    }
}

void peer_json_c(void *context)
{
    enum { MOST_DEPTH = 200 };
    peer_text *its = context;
    json_tokener *tokener = need(json_tokener_new_ex(MOST_DEPTH));
    json_object *tree = NULL;
    for (size_t at = 0; at < its->size && tree == NULL;) {
        const size_t left = its->size - at;
        const size_t size =
            its->delta == 0 || its->delta > left ? left : its->delta;
        tree = json_tokener_parse_ex(tokener, its->data + at, (int)size);
        if (tree == NULL &&
            json_tokener_get_error(tokener) != json_tokener_continue) {
            break;
        }
        at += size;
    }
    its->failed = tree == NULL;
    json_object_put(tree);
    json_tokener_free(tokener);
}

void peer_nothing(void *context)
{
    const peer_text *its = context;
    nothing state = {0};
    const tw_event *event;
    size_t out = 0;
    for (size_t at = 0; at < its->size;) {
        const size_t left = its->size - at;
        const size_t size =
            its->delta == 0 || its->delta > left ? left : its->delta;
        nothing_feed(&state, its->data + at, size);
        while (nothing_next(&state, &event) == 1) {
            out += event->size;
        }
        at += size;
    }
    *(volatile size_t *)&out = out; /* so that it is not left out */
}
