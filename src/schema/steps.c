/* SPDX-License-Identifier: MIT
 *
 * What keywords say to the check: faults, what is not read, and what they ask.
 */
#include "schema/steps.h"

enum { FRAMES_MOST = 2048 };

/* ---- what keywords say -------------------------------------------------- */

static void add_fault(tw_schema *schema, tw_schema_fault fault)
{
    if (tw_schema_fault_count(schema) < TW_SCHEMA_FAULTS) {
        schema->failed |= !tw_buffer_append(&schema->faults, schema->memory,
                                            &fault, sizeof fault);
    }
}

void tw_schema_fault_here(tw_schema *schema, tw_schema_frame *frame,
                          uint32_t code, const tw_value *where,
                          const tw_value *missing)
{
    const tw_schema_fault fault = {code, where, missing, frame->keyword};
    frame->fits = false;
    if (!frame->quiet) {
        add_fault(schema, fault);
    }
}

void tw_schema_skip(tw_schema *schema, uint32_t code, const tw_value *part)
{
    const tw_schema_fault fault = {code, part, NULL, part};
    /* What was abandoned was not looked at to its end; and faults have room
     * behind what is not read. */
    if ((schema->abandoned && code != TW_DIAGNOSTIC_SCHEMA_LIMIT) ||
        tw_schema_fault_count(schema) >= TW_SCHEMA_FAULTS / 2) {
        return;
    }
    for (size_t i = 0; i < tw_schema_fault_count(schema); i++) {
        if (tw_schema_fault_at(schema, i)->where == part) {
            return;
        }
    }
    add_fault(schema, fault);
}

static void abandon(tw_schema *schema)
{
    if (!schema->abandoned) {
        schema->abandoned = true;
        tw_schema_skip(schema, TW_DIAGNOSTIC_SCHEMA_LIMIT, schema->root);
    }
}

bool tw_schema_work(tw_schema *schema, uint64_t work)
{
    if (work > schema->work) {
        abandon(schema);
        return false;
    }
    schema->work -= work;
    return true;
}

/* ---- frames ------------------------------------------------------------- */

void tw_schema_push(tw_schema *schema, const tw_value *what,
                    const tw_value *value, bool quiet)
{
    const tw_schema_frame frame = {
        .schema = what,
        .value = value,
        .keyword = what->kind == TW_VALUE_OBJECT ? what->first : NULL,
        .marks = schema->marks.size,
        .applied = schema->applied.size,
        .quiet = quiet,
        .fits = what->kind != TW_VALUE_FALSE};
    if (schema->frames.size / sizeof frame == FRAMES_MOST) {
        abandon(schema);
    } else {
        schema->failed |= !tw_buffer_append(&schema->frames, schema->memory,
                                            &frame, sizeof frame);
    }
    if (!frame.fits && !quiet) {
        const tw_schema_fault fault = {TW_DIAGNOSTIC_PARAMETER_RULE, value,
                                       NULL, NULL};
        add_fault(schema, fault);
    }
}

bool tw_schema_ask(tw_schema *schema, const tw_schema_frame *frame,
                   const tw_value *what, const tw_value *value, bool quiet)
{
    tw_schema_push(schema, what, value, quiet || frame->quiet);
    return true;
}
