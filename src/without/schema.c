/* SPDX-License-Identifier: MIT
 *
 * Where a build leaves schemas out: tools are kept for their names and types,
 * and validation is refused, so that nothing else is ever asked.
 */
#include "decode/validate.h"

void tw_validation_init(tw_validation *validation, const tw_memory *memory)
{
    memset(validation, 0, sizeof *validation);
    validation->memory = memory;
    tw_tree_init(&validation->tools, memory);
    tw_tools_init(&validation->names, memory);
}

void tw_validation_free(tw_validation *validation)
{
    tw_tree_free(&validation->tools);
    tw_tools_free(&validation->names);
}

void tw_validation_reset(tw_validation *validation)
{
    validation->held = NULL;
}

const char *tw_validation_set_policy(tw_validation *validation,
                                     uint32_t policy)
{
    (void)validation;
    return policy == TW_VALIDATE_NO ? NULL : "schemas are not in this build";
}

int tw_validation_set_tools(tw_validation *validation, const char *json,
                            size_t size, const tw_value **where)
{
    tw_tree_begin(&validation->tools, false);
    tw_tools_clear(&validation->names);
    validation->tools.root = NULL;
    return json == NULL ? TW_OK
                        : tw_tools_read(&validation->names, &validation->tools,
                                        json, size, where);
}

/* ---- asked of no call, since the policy stays TW_VALIDATE_NO ------------ */

bool tw_validation_see(tw_validation *validation, const tw_event *event)
{
    (void)validation;
    (void)event;
    return true;
}

bool tw_validation_check(tw_validation *validation)
{
    (void)validation;
    return true;
}

uint32_t tw_validation_refused(const tw_validation *validation,
                               const char **path)
{
    (void)validation;
    *path = "";
    return 0;
}

const tw_event *tw_validation_pass(tw_validation *validation,
                                   const tw_event *event)
{
    (void)validation;
    return event;
}

const tw_event *tw_validation_take(tw_validation *validation)
{
    (void)validation;
    return NULL;
}
