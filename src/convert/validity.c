/* SPDX-License-Identifier: MIT
 *
 * A conversation's calls go through the validation of decoders one by one, as
 * events.
 */
#include "convert/validity.h"

#include "core/diagnostics.h"
#include "events/tools.h"
#include "json/dump.h"
#include "json/make.h"
#include "messages/segments.h"

void tw_validity_init(tw_validity *validity, const tw_memory *memory)
{
    memset(validity, 0, sizeof *validity);
    tw_validation_init(&validity->validation, memory);
}

void tw_validity_free(tw_validity *validity)
{
    const tw_memory *memory = validity->validation.memory;
    tw_validation_free(&validity->validation);
    tw_buffer_free(&validity->text, memory);
    tw_buffer_free(&validity->path, memory);
    tw_buffer_free(&validity->own_tools, memory);
    tw_buffer_free(&validity->next_tools, memory);
}

int tw_validity_set_tools(tw_validity *validity, const char *json, size_t size,
                          const tw_value **where)
{
    tw_validation *validation = &validity->validation;
    const int result = tw_validation_set_tools(validation, json, size, where);
    validity->given = result == TW_OK && json != NULL;
    if (!validity->given) {
        tw_validation_use_tools(validation, NULL);
    }
    return result;
}

/* ---- tools of a record -------------------------------------------------- */

void tw_validity_next(tw_validity *validity)
{
    validity->has_tools = false;
}

void tw_validity_forget(tw_validity *validity)
{
    validity->told = false;
    validity->own_tools.size = 0;
}

/* What is no list of tools declares none. */
static bool give_tools(tw_validity *validity, tw_decoder *decoder)
{
    const tw_buffer *own = &validity->own_tools;
    const int result = tw_decoder_set_tools(
        decoder, own->size > 0 ? (const char *)own->data : NULL, own->size);
    validity->told = result == TW_OK && own->size > 0;
    if (result == TW_ERROR_MEMORY) {
        validity->own_tools.size = 0;
    }
    return result != TW_ERROR_MEMORY;
}

bool tw_validity_declare(tw_validity *validity, tw_decoder *decoder,
                         const tw_value *tools)
{
    tw_buffer *own = &validity->own_tools;
    tw_buffer *next = &validity->next_tools;
    if (validity->given ||
        (validity->has_tools && validity->declared == tools)) {
        return true;
    }
    next->size = 0;
    if (tw_value_is_a(tools, TW_VALUE_ARRAY) &&
        !tw_value_dump(next, validity->validation.memory, tools,
                       &tw_dump_compact)) {
        return false;
    }
    validity->has_tools = true;
    validity->declared = tools;
    if (next->size == own->size &&
        (own->size == 0 || memcmp(next->data, own->data, own->size) == 0)) {
        return true;
    }
    const tw_buffer before = *own;
    *own = *next;
    *next = before;
    return give_tools(validity, decoder);
}

/* ---- notes -------------------------------------------------------------- */

/* The path of |where|, and the one that goes on behind it. */
static bool make_path(tw_validity *validity, const tw_value *where,
                      const char *path)
{
    const tw_memory *memory = validity->validation.memory;
    tw_buffer *out = &validity->path;
    out->size = 0;
    return tw_value_path(out, memory, where) &&
           (*path == '\0' || *path == '[' || out->size == 0 ||
            tw_buffer_append(out, memory, ".", 1)) &&
           tw_buffer_append(out, memory, path, strlen(path) + 1);
}

static const tw_value *arguments_of(const tw_call *call)
{
    return call->given != NULL ? call->given : call->value;
}

/* |path| NULL: there is none. */
static bool note_code(tw_validity *validity, uint32_t code,
                      const tw_value *where, const char *path,
                      tw_validity_note *note, void *context)
{
    tw_event event = {.type = TW_EVENT_DIAGNOSTIC,
                      .code = code,
                      .flags = TW_EVENT_WARNING,
                      .id = path};
    if (path != NULL && !tw_diagnostic_is_of_schema(code)) {
        if (!make_path(validity, where, path)) {
            return false;
        }
        event.id = (const char *)validity->path.data;
    }
    event.id_size = event.id != NULL ? strlen(event.id) : 0;
    return note(context, &event);
}

/* ---- calls -------------------------------------------------------------- */

/* The arguments as text, which lives until those of the next call. */
static bool find_text(tw_validity *validity, const tw_call *call,
                      tw_event *event)
{
    const tw_value *arguments = call->arguments;
    const bool spelled =
        arguments != NULL && tw_value_is_a(call->given, TW_VALUE_STRING);
    tw_buffer *text = &validity->text;
    text->size = 0;
    if (spelled) {
        event->data = call->given->text;
        event->size = call->given->size;
        return true;
    }
    const bool good =
        arguments != NULL
            ? tw_value_dump(text, validity->validation.memory, arguments,
                            &tw_dump_compact)
            : tw_buffer_append(text, validity->validation.memory, "{}", 2);
    event->data = (const char *)text->data;
    event->size = text->size;
    return good;
}

/* What fits takes the place of the call's arguments, in the tree as well,
 * which is the converter's own: an encoder reads it again.  False: no memory.
 */
static bool replace_arguments(tw_conversation *conversation, tw_call *call,
                              const tw_buffer *text)
{
    tw_value *given = (tw_value *)(uintptr_t)call->given;
    tw_tree *tree = &conversation->arguments;
    tw_value *fresh =
        tw_make_text(tree, NULL, NULL, (const char *)text->data, text->size);
    if (fresh == NULL) {
        return false;
    }
    fresh->origin = given;
    if (tw_tree_read_inner(tree, fresh, false, NULL) != TW_OK) {
        return false;
    }
    if (given->kind == TW_VALUE_STRING) {
        given->text = fresh->text;
        given->size = fresh->size;
        call->arguments = call->arguments == given ? given : tree->root;
    } else {
        given->first = tree->root->first;
        given->last = tree->root->last;
        for (tw_value *at = given->first; at != NULL; at = at->next) {
            at->parent = given;
        }
    }
    return true;
}

static int check_call(tw_validity *validity, tw_conversation *conversation,
                      size_t i, tw_validity_note *note, void *context)
{
    tw_call *call = (tw_call *)(void *)conversation->calls.data + i;
    tw_validation *validation = &validity->validation;
    const tw_event begin = {.type = TW_EVENT_CALL_BEGIN,
                            .data = call->name->text,
                            .size = call->name->size};
    tw_event arguments = {.type = TW_EVENT_CALL_ARGUMENTS};
    const tw_event end = {.type = TW_EVENT_CALL_END, .code = TW_CALL_COMPLETE};
    const tw_event *event;
    const char *path;
    const bool undeclared = validation->tools.root != NULL &&
                            tw_tools_find(&validation->names, call->name->text,
                                          call->name->size) == NULL;
    const bool said =
        validity->told && call->given != NULL && call->given->decoded;
    const bool noted =
        undeclared && !said && validation->policy != TW_VALIDATE_REFUSE;
    if ((noted && !note_code(validity, TW_DIAGNOSTIC_UNDECLARED_TOOL,
                             call->name, "", note, context)) ||
        !find_text(validity, call, &arguments) ||
        !tw_validation_see(validation, &begin) ||
        !tw_validation_see(validation, &arguments) ||
        !tw_validation_see(validation, &end)) {
        return TW_ERROR_MEMORY;
    }
    validity->refused = tw_validation_refused(validation, &path);
    if (validity->refused != 0) {
        const tw_value *where = tw_diagnostic_is_of_schema(validity->refused)
                                    ? NULL
                                : undeclared ? call->name
                                             : arguments_of(call);
        return make_path(validity, where, path) ? TW_ERROR_DEVIATION
                                                : TW_ERROR_MEMORY;
    }
    while ((event = tw_validation_take(validation)) != NULL && event != &end) {
        /* Arguments that waited for a mend come back, too. */
        if (event->type == TW_EVENT_DIAGNOSTIC &&
            !note_code(validity, event->code, arguments_of(call), event->id,
                       note, context)) {
            return TW_ERROR_MEMORY;
        }
    }
    return validation->mend.paths.size == 0 ||
                   replace_arguments(conversation, call,
                                     &validation->arguments)
               ? TW_OK
               : TW_ERROR_MEMORY;
}

int tw_validity_check(tw_validity *validity, tw_conversation *conversation,
                      tw_validity_note *note, void *context)
{
    const size_t count = conversation->calls.size / sizeof(tw_call);
    int result = TW_OK;
    tw_validation_reset(&validity->validation);
    if (!validity->given &&
        !tw_validation_use_tools(&validity->validation, conversation->tools)) {
        return TW_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count && result == TW_OK; i++) {
        const tw_call *call = tw_conversation_call(conversation, i);
        const bool decoded = call->given != NULL && call->given->decoded;
        if (call->input == NULL && !(decoded && validity->skips_decoded)) {
            result = check_call(validity, conversation, i, note, context);
        }
    }
    return result;
}
