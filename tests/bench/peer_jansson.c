/* SPDX-License-Identifier: MIT
 *
 * A file of its own: its names are json-c's, too.
 */
#include "peers.h"

#include <jansson.h>

void peer_jansson(void *context)
{
    peer_text *its = context;
    json_error_t error;
    json_t *tree = json_loadb(its->data, its->size, 0, &error);
    its->failed = tree == NULL;
    json_decref(tree);
}
