/* SPDX-License-Identifier: MIT
 *
 * The names of cases' classes, and what a case holds.
 */
#include "kit/case.h"

#include <string.h>

static const struct {
    const char *name;
    kit_accept accept;
} classes[KIT_CLASSES] = {
    {"legal", KIT_EXACT},     {"rare", KIT_EXACT},
    {"typo", KIT_OR_LESS},    {"truncated", KIT_PREFIX},
    {"injection", KIT_EXACT}, {"encoding", KIT_NO_FORGERY},
    {"depth", KIT_OR_LESS},   {"long", KIT_EXACT},
    {"reuse", KIT_EXACT},     {"interleaved", KIT_EXACT},
};

const char *kit_class_name(kit_class kind)
{
    return classes[kind].name;
}

kit_class kit_class_find(const char *name)
{
    int kind = 0;
    while (kind < KIT_CLASSES && strcmp(classes[kind].name, name) != 0) {
        kind++;
    }
    return (kit_class)kind;
}

kit_accept kit_class_accept(kit_class kind)
{
    return classes[kind].accept;
}

static const char *const accepts[] = {"exact", "or_less", "prefix",
                                      "no_forgery"};

const char *kit_accept_name(kit_accept accept)
{
    return accepts[accept];
}

bool kit_accept_find(const char *name, kit_accept *accept)
{
    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
        if (strcmp(name, accepts[i]) == 0) {
            *accept = (kit_accept)i;
            return true;
        }
    }
    return false;
}

void kit_case_init(kit_case *one)
{
    memset(one, 0, sizeof *one);
}

static void turn_free(kit_turn *turn, const tw_memory *memory)
{
    tw_buffer_free(&turn->message, memory);
    tw_buffer_free(&turn->tools, memory);
    tw_buffer_free(&turn->due.spoken, memory);
    kit_wire_free(&turn->wire, memory);
}

void kit_case_free(kit_case *one, const tw_memory *memory)
{
    turn_free(&one->its, memory);
    turn_free(&one->other, memory);
}
