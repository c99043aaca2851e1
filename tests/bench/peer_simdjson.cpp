/* SPDX-License-Identifier: MIT
 *
 * simdjson on the same bytes.
 */
#include "peers.h"

#include <simdjson.h>

/* Its parser keeps its memory, as our decoder does. */
extern "C" void peer_simdjson(void *context)
{
    static simdjson::dom::parser parser;
    peer_text *its = static_cast<peer_text *>(context);
    simdjson::dom::element tree;
    its->failed = parser.parse(its->data, its->size, false).get(tree) !=
                  simdjson::SUCCESS;
}
