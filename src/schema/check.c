/* SPDX-License-Identifier: MIT
 *
 * Schemas that ask for others: a stack of frames, and the keywords of each in
 * turn.
 */
#include "core/diagnostics.h"
#include "schema/steps.h"

enum {
    WORK_MOST = 1 << 23 /* steps: whatever schemas refer to */
};

void tw_schema_init(tw_schema *schema, const tw_memory *memory)
{
    memset(schema, 0, sizeof *schema);
    schema->memory = memory;
    tw_tree_init(&schema->made, memory);
    tw_schema_begin(schema);
}

void tw_schema_begin(tw_schema *schema)
{
    schema->work = WORK_MOST;
}

void tw_schema_forget(tw_schema *schema)
{
    tw_schema_free_patterns(schema);
}

void tw_schema_free(tw_schema *schema)
{
    const tw_memory *memory = schema->memory;
    tw_schema_free_patterns(schema);
    tw_buffer_free(&schema->frames, memory);
    tw_buffer_free(&schema->faults, memory);
    tw_buffer_free(&schema->patterns, memory);
    tw_buffer_free(&schema->pairs, memory);
    tw_buffer_free(&schema->marks, memory);
    tw_buffer_free(&schema->applied, memory);
    tw_tree_free(&schema->made);
    tw_match_room_free(&schema->room, memory);
}

/* ---- frames ------------------------------------------------------------- */

static tw_schema_frame *top(const tw_schema *schema)
{
    return (tw_schema_frame *)(void *)(schema->frames.data +
                                       schema->frames.size) -
           1;
}

static const tw_keyword_row *find(const tw_keyword_row *rows,
                                  const tw_value *member)
{
    while (rows->name != NULL && !tw_value_has_key(member, rows->name)) {
        rows++;
    }
    return rows->name != NULL ? rows : NULL;
}

static const tw_keyword_row *row_of(const tw_value *member)
{
    const tw_keyword_row *row = find(tw_schema_assertions, member);
    return row != NULL ? row : find(tw_schema_applicators, member);
}

/* True: it asks for a part. */
static bool run(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_keyword_row *row = row_of(frame->keyword);
    return row != NULL &&
           (frame->begun || tw_schema_is(schema, row->kind, frame->keyword)) &&
           row->run != NULL && row->run(schema, frame);
}

static void step(tw_schema *schema)
{
    tw_schema_frame *frame = top(schema);
    if (frame->keyword == NULL || (frame->quiet && !frame->fits)) {
        schema->result = frame->fits;
        schema->marks.size = frame->marks;
        schema->applied.size = frame->applied;
        schema->frames.size -= sizeof *frame;
        return;
    }
    if (run(schema, frame)) {
        return;
    }
    frame->keyword = frame->keyword->next;
    frame->part = frame->other = NULL;
    frame->count = 0;
    frame->begun = false;
}

bool tw_schema_check(tw_schema *schema, const tw_value *what,
                     const tw_value *value)
{
    return tw_schema_check_part(schema, what, what, value);
}

bool tw_schema_check_part(tw_schema *schema, const tw_value *root,
                          const tw_value *what, const tw_value *value)
{
    schema->root = root;
    schema->frames.size = schema->faults.size = 0;
    schema->marks.size = schema->applied.size = 0;
    schema->failed = schema->abandoned = false;
    schema->result = true;
    tw_tree_begin(&schema->made, false);
    if (tw_schema_is(schema, TW_KEYWORD_SCHEMA, what)) {
        tw_schema_push(schema, what, value, false);
    }
    while (schema->frames.size > 0 && !schema->failed && !schema->abandoned) {
        if (tw_schema_work(schema, 1)) {
            step(schema);
        }
    }
    schema->failed |= schema->made.error == TW_ERROR_MEMORY;
    /* What is told is so, though not all was looked at; what was asked last
     * says nothing of the whole. */
    schema->result |= schema->abandoned;
    for (size_t i = 0; schema->abandoned && i < tw_schema_fault_count(schema);
         i++) {
        schema->result =
            schema->result &&
            tw_diagnostic_is_of_schema(tw_schema_fault_at(schema, i)->code);
    }
    return schema->result && !schema->failed;
}
