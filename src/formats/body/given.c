/* SPDX-License-Identifier: MIT
 *
 * Keys that are remembered to tell whether one comes twice.
 */
#include "formats/body/given.h"

enum { MOST = 64 };

bool tw_given_has(const tw_given *given, const char *key, size_t size)
{
    bool found = false;
    for (size_t at = 0; at < given->keys.size && !found;) {
        uint16_t kept;
        memcpy(&kept, given->keys.data + at, sizeof kept);
        at += sizeof kept;
        found = kept == (uint16_t)size &&
                (kept == 0 || /* a key may be empty */
                 memcmp(given->keys.data + at, key, kept) == 0);
        at += kept;
    }
    return found;
}

bool tw_given_before(tw_given *given, const tw_memory *memory, const char *key,
                     size_t size, bool *failed)
{
    const uint16_t length = (uint16_t)size;
    const bool found = tw_given_has(given, key, size);
    if (!found && given->count < MOST) {
        given->count++;
        *failed = !tw_buffer_append(&given->keys, memory, &length,
                                    sizeof length) ||
                  !tw_buffer_append(&given->keys, memory, key, size);
    }
    return found;
}
