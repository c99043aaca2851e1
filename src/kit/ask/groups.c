/* SPDX-License-Identifier: MIT
 *
 * A group is a verdict and what differs.  Of one group, cases look alike if
 * their wires are the same but for words and numbers.
 */
#include "kit/ask/groups.h"

#include <string.h>

#include "core/ascii.h"

/* Of one group; and so many are made small for that. */
enum { SHOWN = 3, TRIED = 24 };

void kit_groups_free(kit_groups *groups)
{
    tw_buffer_free(&groups->all, groups->memory);
    tw_buffer_free(&groups->looks, groups->memory);
}

size_t kit_groups_count(const kit_groups *groups)
{
    return groups->all.size / sizeof(kit_group);
}

kit_group *kit_groups_at(const kit_groups *groups, size_t i)
{
    return (kit_group *)(void *)groups->all.data + i;
}

kit_group *kit_groups_add(kit_groups *groups, const kit_finding *finding,
                          const kit_case *one)
{
    const size_t count = kit_groups_count(groups);
    kit_group *its = NULL;
    for (size_t i = 0; i < count && its == NULL; i++) {
        kit_group *at = kit_groups_at(groups, i);
        its = at->finding.verdict == finding->verdict &&
                      strcmp(at->finding.what, finding->what) == 0
                  ? at
                  : NULL;
    }
    if (its == NULL) {
        const kit_group new_one = {.finding = *finding};
        if (!tw_buffer_append(&groups->all, groups->memory, &new_one,
                              sizeof new_one)) {
            return NULL;
        }
        its = kit_groups_at(groups, count);
    }
    its->count++;
    its->found[one->kind]++;
    return its;
}

/* ---- looks -------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

static uint8_t look_of(uint8_t c)
{
    const bool word = tw_is_letter(c) || c == '_' || c >= 0x80;
    return word ? 'a' : tw_is_digit(c) ? '0' : c;
}

/* Of a finding and a cause: a class and a slip. */
static uint64_t cause_of(const kit_finding *finding, const kit_case *one)
{
    const char *slip = one->slip != NULL ? one->slip : "";
    const uint8_t words[] = {(uint8_t)finding->verdict, (uint8_t)one->kind};
    uint64_t hash = mix(UINT64_C(0xCBF29CE484222325), words, sizeof words);
    hash = mix(hash, finding->what, strlen(finding->what) + 1);
    return mix(hash, slip, strlen(slip));
}

static uint64_t look(const kit_finding *finding, const kit_case *one)
{
    const tw_buffer *bytes = &one->its.wire.bytes;
    uint64_t hash = mix(UINT64_C(0xCBF29CE484222325), finding->what,
                        strlen(finding->what) + 1);
    uint8_t before = 0;
    hash = (hash ^ (uint64_t)finding->verdict) * UINT64_C(0x100000001B3);
    for (size_t i = 0; i < bytes->size; i++) {
        const uint8_t c = look_of(bytes->data[i]);
        if (c != before || (c != 'a' && c != '0')) {
            hash = mix(hash, &c, 1);
        }
        before = c;
    }
    return hash;
}

static bool has_look(const kit_groups *groups, uint64_t hash)
{
    bool found = false;
    for (size_t at = 0; at < groups->looks.size && !found; at += sizeof hash) {
        found = memcmp(groups->looks.data + at, &hash, sizeof hash) == 0;
    }
    return found;
}

bool kit_group_wants(kit_groups *groups, kit_group *group, const kit_case *one)
{
    const uint64_t hash = cause_of(&group->finding, one);
    const bool wanted = group->tried < TRIED &&
                        (group->shown < SHOWN || one->slip != NULL) &&
                        !has_look(groups, hash);
    if (wanted) {
        group->tried++;
        tw_buffer_append(&groups->looks, groups->memory, &hash, sizeof hash);
    }
    return wanted;
}

bool kit_groups_is_new(kit_groups *groups, kit_group *group,
                       const kit_case *one)
{
    const uint64_t hash = look(&group->finding, one);
    const bool is_new =
        !has_look(groups, hash) && (group->shown < SHOWN || one->slip != NULL);
    if (is_new) {
        group->shown++;
        tw_buffer_append(&groups->looks, groups->memory, &hash, sizeof hash);
    }
    return is_new;
}
