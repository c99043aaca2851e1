/* SPDX-License-Identifier: MIT
 *
 * Findings that are alike: each is counted, and shown once.
 */
#ifndef TOOLWIRE_KIT_GROUPS_H
#define TOOLWIRE_KIT_GROUPS_H

#include "kit/case.h"

typedef struct kit_group {
    kit_finding finding;
    uint64_t count;              /* of cases */
    uint64_t found[KIT_CLASSES]; /* by their classes */
    unsigned tried;              /* were made small, */
    unsigned shown;              /* of which so many were new */
} kit_group;

typedef struct kit_groups {
    const tw_memory *memory;
    tw_buffer all;   /* kit_group's */
    tw_buffer looks; /* uint64_t's: of all that were shown or looked at */
} kit_groups;

void kit_groups_free(kit_groups *groups);
size_t kit_groups_count(const kit_groups *groups);
kit_group *kit_groups_at(const kit_groups *groups, size_t i);
/* Counts a finding: its group, which lives until the next one.  NULL: no
 * memory. */
kit_group *kit_groups_add(kit_groups *groups, const kit_finding *finding,
                          const kit_case *one);
/* Is another case of the group worth the time that making it small takes?  If
 * so, the next one of its class and slip is not. */
bool kit_group_wants(kit_groups *groups, kit_group *group,
                     const kit_case *one);
/* Notes that |one| was made small, if there is none that looks alike: true. */
bool kit_groups_is_new(kit_groups *groups, kit_group *group,
                       const kit_case *one);

#endif
