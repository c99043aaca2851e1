/* SPDX-License-Identifier: MIT
 *
 * What a call's arguments are asked, and what is told of it.
 */
#include "decode/validate.h"

#include "core/diagnostics.h"
#include "core/sort.h"
#include "events/tools.h"
#include "messages/segments.h"

typedef struct fault {
    uint32_t code;
    bool refused; /* the schema forbids it */
    size_t path;  /* where in |paths| */
} fault;

void tw_validation_init(tw_validation *validation, const tw_memory *memory)
{
    memset(validation, 0, sizeof *validation);
    validation->memory = memory;
    tw_tree_init(&validation->tools, memory);
    tw_tools_init(&validation->names, memory);
    tw_tree_init(&validation->value, memory);
    validation->value.keeps_lone = true;
    tw_schema_init(&validation->checker, memory);
    tw_mend_init(&validation->mend, memory, &validation->checker,
                 &validation->arguments);
}

void tw_validation_free(tw_validation *validation)
{
    const tw_memory *memory = validation->memory;
    tw_tree_free(&validation->tools);
    tw_tools_free(&validation->names);
    tw_tree_free(&validation->value);
    tw_schema_free(&validation->checker);
    tw_mend_free(&validation->mend);
    tw_buffer_free(&validation->arguments, memory);
    tw_buffer_free(&validation->faults, memory);
    tw_buffer_free(&validation->paths, memory);
    tw_buffer_free(&validation->path, memory);
    tw_buffer_free(&validation->said, memory);
}

static void begin_call(tw_validation *validation)
{
    validation->arguments.size = validation->faults.size = 0;
    validation->paths.size = 0;
    validation->next_fault = validation->given = 0;
    validation->held = NULL;
    tw_mend_begin(&validation->mend, NULL);
    validation->schema = NULL;
    validation->undeclared = false;
    validation->checked = false;
    validation->fits = true;
}

void tw_validation_reset(tw_validation *validation)
{
    begin_call(validation);
    validation->said.size = 0;
    validation->unchecked = false;
    tw_schema_begin(&validation->checker);
}

const char *tw_validation_set_policy(tw_validation *validation,
                                     uint32_t policy)
{
    validation->policy = policy;
    return NULL;
}

bool tw_validation_use_tools(tw_validation *validation, const tw_value *list)
{
    tw_schema_forget(&validation->checker);
    tw_tree_begin(&validation->tools, false);
    tw_tools_clear(&validation->names);
    validation->tools.root = (tw_value *)(uintptr_t)list;
    return list == NULL ||
           tw_tools_set(&validation->names, list, NULL) != TW_ERROR_MEMORY;
}

int tw_validation_set_tools(tw_validation *validation, const char *json,
                            size_t size, const tw_value **where)
{
    tw_validation_use_tools(validation, NULL);
    return json == NULL ? TW_OK
                        : tw_tools_read(&validation->names, &validation->tools,
                                        json, size, where);
}

/* ---- faults ------------------------------------------------------------- */

static bool add_text(tw_validation *validation, const char *text, size_t size)
{
    return tw_buffer_append(&validation->paths, validation->memory, text,
                            size);
}

/* `a.b[0]`, or `a.b` where b is what is missing; false: no memory. */
static bool make_path(tw_validation *validation, const tw_value *where,
                      const tw_value *missing)
{
    const tw_memory *memory = validation->memory;
    tw_buffer *path = &validation->path;
    path->size = 0;
    return (where == NULL || tw_value_path(path, memory, where)) &&
           (missing == NULL ||
            ((path->size == 0 || tw_buffer_append(path, memory, ".", 1)) &&
             tw_buffer_append(path, memory, missing->text, missing->size)));
}

/* Behind the path, which is in |paths| from |path| on. */
static bool end_fault(tw_validation *validation, uint32_t code, bool refused,
                      size_t path)
{
    const fault fresh = {code, refused, path};
    return add_text(validation, "", 1) &&
           tw_buffer_append(&validation->faults, validation->memory, &fresh,
                            sizeof fresh);
}

/* The path of a part of the schema begins with `tools`: that list is
 * a whole text, or a member of that name. */
static bool add_fault(tw_validation *validation, uint32_t code, bool refused,
                      const tw_value *where, const tw_value *missing)
{
    static const char tools[] = "tools";
    const size_t begin = validation->paths.size;
    const bool keyword = tw_diagnostic_is_of_schema(code) &&
                         validation->tools.root->parent == NULL;
    return make_path(validation, where, missing) &&
           (!keyword || add_text(validation, tools, sizeof tools - 1)) &&
           add_text(validation, (const char *)validation->path.data,
                    validation->path.size) &&
           end_fault(validation, code, refused, begin);
}

/* What was mended is told first. */
static bool add_mended(tw_validation *validation)
{
    const tw_buffer *paths = &validation->mend.paths;
    bool good = true;
    for (size_t at = 0; at < paths->size && good;) {
        const char *path = (const char *)paths->data + at;
        const size_t size = strlen(path);
        const size_t begin = validation->paths.size;
        good = add_text(validation, path, size) &&
               end_fault(validation, TW_DIAGNOSTIC_PARAMETER_MENDED, false,
                         begin);
        at += size + 1;
    }
    return good;
}

/* Was it said of this message, or too much? */
static bool is_said(const tw_validation *validation, const tw_value *part)
{
    enum { MOST = 1024 };
    const tw_value *const *list =
        (const tw_value *const *)(const void *)validation->said.data;
    const size_t count = validation->said.size / sizeof *list;
    size_t i = 0;
    while (i < count && list[i] != part) {
        i++;
    }
    return i < count || count >= MOST;
}

/* Of a part of a schema.  A call that could not be checked to its end is none
 * that fits. */
static bool add_skipped(tw_validation *validation, uint32_t code,
                        const tw_value *part)
{
    const bool refused = code == TW_DIAGNOSTIC_SCHEMA_LIMIT &&
                         validation->policy == TW_VALIDATE_REFUSE;
    if (!refused && is_said(validation, part)) {
        return true;
    }
    return tw_buffer_append(&validation->said, validation->memory, &part,
                            sizeof part) &&
           add_fault(validation, code, refused, part, NULL);
}

static bool take_faults(tw_validation *validation)
{
    const tw_schema *checker = &validation->checker;
    bool good = true;
    for (size_t i = 0; i < tw_schema_fault_count(checker) && good; i++) {
        const tw_schema_fault *one = tw_schema_fault_at(checker, i);
        good = tw_diagnostic_is_of_schema(one->code)
                   ? add_skipped(validation, one->code, one->where)
                   : add_fault(validation, one->code, true, one->where,
                               one->missing);
    }
    return good;
}

/* A schema that lists properties, and no other way to have some, means these;
 * draft 2020-12 allows others nevertheless. */
static bool add_unknown(tw_validation *validation, const tw_value *schema)
{
    static const char *const open[] = {"additionalProperties",
                                       "patternProperties",
                                       "unevaluatedProperties",
                                       "propertyNames",
                                       "allOf",
                                       "anyOf",
                                       "oneOf",
                                       "if",
                                       "dependentSchemas",
                                       "$ref",
                                       "$dynamicRef",
                                       NULL};
    const tw_value *listed = tw_value_member(schema, "properties");
    const tw_value *one = tw_value_is_a(listed, TW_VALUE_OBJECT)
                              ? validation->value.root->first
                              : NULL;
    bool good = true;
    size_t count = 0;
    for (const tw_value *at = schema->first; at != NULL; at = at->next) {
        one = tw_value_is_named(at, open) ? NULL : one;
    }
    for (; one != NULL && good && count < TW_SCHEMA_FAULTS; one = one->next) {
        if (tw_value_member_sized(listed, one->key, one->key_size) == NULL) {
            good = add_fault(validation, TW_DIAGNOSTIC_UNKNOWN_PARAMETER,
                             false, one, NULL);
            count++;
        }
    }
    return good;
}

/* ---- a call ------------------------------------------------------------- */

bool tw_validation_check(tw_validation *validation)
{
    if (validation->checked ||
        (validation->schema == NULL && !validation->undeclared)) {
        return true;
    }
    if (validation->undeclared) {
        validation->checked = true;
        return add_fault(validation, TW_DIAGNOSTIC_UNDECLARED_TOOL, true, NULL,
                         NULL);
    }
    const tw_buffer *text = &validation->arguments;
    const tw_value *schema = validation->schema;
    validation->checked = true;
    if (!add_mended(validation)) {
        return false;
    }
    const int read = tw_tree_read(&validation->value, (const char *)text->data,
                                  text->size, false);
    if (read != TW_OK) { /* deeper than a tree may be */
        return read != TW_ERROR_MEMORY &&
               add_skipped(validation, TW_DIAGNOSTIC_SCHEMA_LIMIT, schema);
    }
    validation->fits =
        tw_schema_check(&validation->checker, schema, validation->value.root);
    return !validation->checker.failed && take_faults(validation) &&
           (schema->kind != TW_VALUE_OBJECT ||
            add_unknown(validation, schema));
}

static const tw_value *find_schema(const tw_validation *validation,
                                   const char *name, size_t size)
{
    const tw_tool *tool = tw_tools_find(&validation->names, name, size);
    const tw_value *schema = tool != NULL ? tool->schema : NULL;
    return tw_value_is_a(schema, TW_VALUE_NULL) ? NULL : schema;
}

/* Nobody is to think that calls were checked. */
static bool say_unchecked(tw_validation *validation)
{
    if (validation->tools.root != NULL || validation->unchecked) {
        return true;
    }
    validation->unchecked = true;
    return add_fault(validation, TW_DIAGNOSTIC_UNCHECKED_CALL, false, NULL,
                     NULL);
}

/* An undeclared tool is reported wherever the list is known.  Here one is a
 * fault only where calls that do not fit are refused. */
static bool is_refused(const tw_validation *validation, const tw_event *event)
{
    return validation->policy == TW_VALIDATE_REFUSE &&
           validation->tools.root != NULL &&
           (event->flags & TW_EVENT_CUSTOM) == 0 &&
           tw_tools_find(&validation->names, event->data, event->size) == NULL;
}

static bool is_mending(const tw_validation *validation)
{
    return validation->policy == TW_VALIDATE_MEND &&
           validation->schema != NULL;
}

/* A piece that begins with what was held has the offset of the run of pieces
 * that it ends: where these are cut is not to be seen. */
static void place_piece(tw_validation *validation, const tw_event *event)
{
    const bool runs = event->type == TW_EVENT_CALL_ARGUMENTS;
    const bool held = validation->arguments.size > validation->given;
    if (runs && !validation->runs) {
        validation->run = event->offset;
        validation->out = false;
    }
    validation->runs = runs;
    validation->piece.offset =
        runs && (!held || validation->out) ? event->offset : validation->run;
}

bool tw_validation_see(tw_validation *validation, const tw_event *event)
{
    place_piece(validation, event);
    switch (event->type) {
    case TW_EVENT_CALL_BEGIN:
        begin_call(validation);
        validation->index = event->index;
        validation->offset = event->offset;
        validation->undeclared = is_refused(validation, event);
        validation->schema =
            (event->flags & TW_EVENT_CUSTOM) == 0
                ? find_schema(validation, event->data, event->size)
                : NULL;
        if (is_mending(validation)) {
            tw_mend_begin(&validation->mend, validation->schema);
        }
        return true;
    case TW_EVENT_CALL_ARGUMENTS:
        return validation->schema == NULL ||
               tw_mend_take(&validation->mend, event->data, event->size);
    case TW_EVENT_CALL_END:
        if (event->code == TW_CALL_COMPLETE) {
            validation->held = event;
            return say_unchecked(validation) &&
                   tw_validation_check(validation);
        }
        validation->held = is_mending(validation) ? event : NULL;
        return true;
    default: return true;
    }
}

static const fault *fault_at(const tw_validation *validation, size_t i)
{
    return i < validation->faults.size / sizeof(fault)
               ? (const fault *)(const void *)validation->faults.data + i
               : NULL;
}

uint32_t tw_validation_refused(const tw_validation *validation,
                               const char **path)
{
    const fault *one;
    for (size_t i = 0; (one = fault_at(validation, i)) != NULL; i++) {
        if (one->refused && validation->policy == TW_VALIDATE_REFUSE) {
            *path = (const char *)validation->paths.data + one->path;
            return one->code;
        }
    }
    return 0;
}

/* The next |size| bytes of the arguments. */
static const tw_event *next_piece(tw_validation *validation, size_t size)
{
    const tw_event piece = {.type = TW_EVENT_CALL_ARGUMENTS,
                            .index = validation->index,
                            .data = (const char *)validation->arguments.data +
                                    validation->given,
                            .size = size,
                            .offset = validation->piece.offset};
    validation->given += size;
    validation->piece = piece;
    validation->out = true;
    return &validation->piece;
}

const tw_event *tw_validation_pass(tw_validation *validation,
                                   const tw_event *event)
{
    if (event->type != TW_EVENT_CALL_ARGUMENTS || !is_mending(validation)) {
        return event;
    }
    const size_t ready = tw_mend_ready(&validation->mend) - validation->given;
    return ready > 0 ? next_piece(validation, ready) : NULL;
}

const tw_event *tw_validation_take(tw_validation *validation)
{
    const size_t rest = validation->arguments.size - validation->given;
    if (validation->held != NULL && is_mending(validation) && rest > 0) {
        return next_piece(validation, rest); /* a call that ends early */
    }
    const tw_event *held = validation->held;
    const fault *one =
        held != NULL ? fault_at(validation, validation->next_fault) : NULL;
    if (one == NULL) {
        validation->held = NULL;
        return held;
    }
    validation->next_fault++;
    const tw_diagnostic *row = tw_diagnostic_get(one->code);
    const char *path = (const char *)validation->paths.data + one->path;
    const bool placed = one->code != TW_DIAGNOSTIC_UNCHECKED_CALL;
    const tw_event event = {.type = TW_EVENT_DIAGNOSTIC,
                            .index = validation->index,
                            .code = one->code,
                            .flags = TW_EVENT_WARNING,
                            .data = row->name,
                            .size = strlen(row->name),
                            .id = placed ? path : NULL,
                            .id_size = placed ? strlen(path) : 0,
                            .offset = validation->offset};
    validation->event = event;
    return &validation->event;
}
