/* SPDX-License-Identifier: MIT
 *
 * Keys that are remembered to tell whether one comes twice.
 */
#include "formats/body/given.h"

enum { MOST = 64 };

bool tw_given_before(tw_given *given, const tw_memory *memory,
                     const char *key, size_t size, bool *failed)
{
    const uint16_t length = (uint16_t)size;
    for (size_t at = 0; at < given->keys.size;) {
        uint16_t kept;
        memcpy(&kept, given->keys.data + at, sizeof kept);
        at += sizeof kept;
        if (kept == length &&
            (length == 0 || /* a key may be empty */
             memcmp(given->keys.data + at, key, length) == 0)) {
            return true;
        }
        at += kept;
    }
    if (given->count < MOST) {
        given->count++;
        *failed = !tw_buffer_append(&given->keys, memory, &length,
                                    sizeof length) ||
                  !tw_buffer_append(&given->keys, memory, key, size);
    }
    return false;
}
