/* SPDX-License-Identifier: MIT
 *
 * What the readers of all shapes make conversations of, and what they have
 * used of a record.
 */
#include "json/write.h"
#include "records/records.h"

/* With what stands behind all texts. */
static const char no_text[TW_TEXT_PADDING];

void tw_recoder_refuse(tw_recoder *recoder, const tw_value *where,
                       const char *message)
{
    if (recoder->code == TW_OK) {
        recoder->code = TW_ERROR_SCHEMA;
        recoder->where = where;
        recoder->message = message;
    }
}

bool tw_recoder_reads_session(const tw_recoder *recoder)
{
    return recoder->from != NULL && recoder->from->gathers;
}

void tw_recoder_leave_out(tw_recoder *recoder, uint32_t loss,
                          const tw_value *where, const char *message)
{
    if (tw_recoder_reads_session(recoder)) {
        tw_recoder_report_loss(recoder, loss, where, message);
    } else {
        tw_recoder_refuse(recoder, where, message);
    }
}

void tw_recoder_refuse_made(tw_recoder *recoder, const tw_value *where,
                            tw_json_out *message)
{
    const tw_buffer *text = &message->out;
    const tw_value *made = tw_make_text(&recoder->made, NULL, NULL,
                                        (const char *)text->data, text->size);
    recoder->json_out.failed |= message->failed || made == NULL;
    tw_recoder_refuse(recoder, where, made != NULL ? made->text : "no memory");
    tw_buffer_free(&message->out, recoder->memory);
}

void tw_recoder_report_loss(tw_recoder *recoder, uint32_t code,
                            const tw_value *where, const char *message)
{
    tw_losses_add(&recoder->losses, code, where, 0, message);
}

/* ---- what speaks for a shape -------------------------------------------- */

bool tw_has_list_of(const tw_value *object, const char *name, const char *key)
{
    const tw_value *list = tw_value_member(object, name);
    return tw_value_is_a(list, TW_VALUE_ARRAY) &&
           tw_value_member(list->first, key) != NULL;
}

bool tw_is_same_value(tw_recoder *recoder, const tw_value *left,
                      const tw_value *right)
{
    tw_buffer texts[2] = {{0}, {0}};
    recoder->json_out.failed |=
        !tw_value_dump(&texts[0], recoder->memory, left, &tw_dump_compact) ||
        !tw_value_dump(&texts[1], recoder->memory, right, &tw_dump_compact);
    const bool same = !recoder->json_out.failed &&
                      tw_bytes_same(texts[0].data, texts[0].size,
                                    texts[1].data, texts[1].size);
    tw_buffer_free(&texts[0], recoder->memory);
    tw_buffer_free(&texts[1], recoder->memory);
    return same;
}

/* ---- what was used ------------------------------------------------------ */

/* Trees are made to be read by all; their marks are the recoder's. */
static tw_value *marked(const tw_value *value)
{
    return (tw_value *)(uintptr_t)value;
}

static bool is_all_used(const tw_value *holder)
{
    const tw_value *at = holder->first;
    while (at != NULL && at->used) {
        at = at->next;
    }
    return at == NULL;
}

void tw_use(const tw_value *value)
{
    tw_value *at = marked(value);
    at->used = true;
    while (at->parent != NULL && at->parent->parent != NULL &&
           is_all_used(at->parent)) {
        at = at->parent;
        at->used = true;
    }
    for (at = at->parent; at != NULL; at = at->parent) {
        at->partly_used = true;
    }
}

const tw_value *tw_use_member(const tw_value *object, const char *key)
{
    const tw_value *found = tw_value_member(object, key);
    if (found == NULL) {
        return NULL;
    }
    tw_use(found); /* one of the same name in front of it is not read */
    return found;
}

/* What is left of a value that was used in part; an element that was used
 * keeps its place. */
static void put_left(tw_json_out *json_out, const tw_value *value)
{
    const tw_value *at = value->first;
    const tw_value *holder = value;
    bool first = true;
    tw_json_put(json_out, value->kind == TW_VALUE_ARRAY ? "[" : "{");
    while (holder != NULL) {
        const bool listed = holder->kind == TW_VALUE_ARRAY;
        if (at == NULL) {
            tw_json_put(json_out, listed ? "]" : "}");
            at = holder->next;
            holder = holder != value ? holder->parent : NULL;
            first = false;
            continue;
        }
        if (listed || !at->used) {
            tw_json_put(json_out, first ? "" : ",");
            first = false;
        }
        if (!at->used && !listed) {
            tw_json_put_member_key(json_out, at);
        }
        if (at->used) {
            tw_json_put(json_out, listed ? "{}" : "");
        } else if (at->partly_used) {
            tw_json_put(json_out, at->kind == TW_VALUE_ARRAY ? "[" : "{");
            holder = at;
            at = at->first;
            first = true;
            continue;
        } else {
            tw_json_put_value(json_out, at);
        }
        at = at->next;
    }
}

bool tw_json_put_unused(tw_recoder *recoder, const tw_value *object,
                        const char *const *taken, bool first)
{
    tw_json_out *json_out = &recoder->json_out;
    if (!tw_value_is_a(object, TW_VALUE_OBJECT)) {
        return first;
    }
    for (const tw_value *at = object->first; at != NULL; at = at->next) {
        if (at->used) {
            continue;
        }
        if (tw_value_is_named(at, taken)) {
            tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_REPLACED, at, NULL);
            continue;
        }
        tw_json_put(json_out, first ? "" : ",");
        tw_json_put_member_key(json_out, at);
        if (at->partly_used) {
            put_left(json_out, at);
        } else {
            tw_json_put_value(json_out, at);
        }
        first = false;
    }
    return first;
}

void tw_recoder_lose_unused(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *at = record != NULL ? record->first : NULL;
    while (at != NULL) {
        if (!at->used && !at->partly_used && !tw_value_is_void(at)) {
            const bool says = tw_value_member(at, "message") != NULL ||
                              tw_value_member(at, "content") != NULL;
            tw_recoder_report_loss(recoder,
                                   says ? TW_LOSS_CONTENT_DROPPED
                                        : TW_LOSS_MEMBER_DROPPED,
                                   at, NULL);
        } else if (!at->used) {
            at = tw_value_after(at, record);
            continue;
        }
        at = tw_value_past(at, record);
    }
}

void tw_recoder_lose_once(tw_recoder *recoder, const tw_value *where,
                          const char *name, size_t name_size)
{
    static const char no_place[] =
        "It is the log's own, and left out, here and wherever it stands.";
    tw_buffer *names = &recoder->left_out;
    for (size_t at = 0; at < names->size;) {
        size_t size;
        memcpy(&size, names->data + at, sizeof size);
        at += sizeof size;
        if (size == name_size &&
            memcmp(names->data + at, name, name_size) == 0) {
            return;
        }
        at += size;
    }
    tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, where, no_place);
    if (names->size < 8192) {
        const bool room = tw_buffer_reserve(names, recoder->memory,
                                            sizeof name_size + name_size);
        recoder->json_out.failed |=
            !room ||
            !tw_buffer_append(names, recoder->memory, &name_size,
                              sizeof name_size) ||
            !tw_buffer_append(names, recoder->memory, name, name_size);
    }
}

void tw_recoder_lose_others(tw_recoder *recoder, const tw_value *object,
                            const char *const *known)
{
    const tw_value *at = object != NULL ? object->first : NULL;
    for (; at != NULL; at = at->next) {
        if (!tw_losses_is_known(at, known) && !tw_value_is_void(at) &&
            at->kind != TW_VALUE_FALSE) {
            tw_recoder_lose_once(recoder, at, at->key, at->key_size);
        }
    }
}

void tw_json_put_left(tw_recoder *recoder, const tw_value *object,
                      const char *const *taken)
{
    if (object != NULL && !object->used) {
        tw_json_put_unused(recoder, object, taken, false);
        tw_use(object);
    }
}

/* ---- messages ----------------------------------------------------------- */

void tw_read_begin(tw_recoder *recoder, const tw_value *record)
{
    tw_tree *made = &recoder->made;
    recoder->request = tw_make(made, NULL, NULL, TW_VALUE_OBJECT);
    if (recoder->request != NULL) {
        recoder->request->origin = record;
    }
    recoder->messages =
        tw_make(made, recoder->request, "messages", TW_VALUE_ARRAY);
    recoder->tools = NULL;
}

tw_value *tw_read_part(tw_recoder *recoder, tw_value *parent, const char *key,
                       tw_value_kind kind, const tw_value *source)
{
    tw_value *part = tw_make(&recoder->made, parent, key, kind);
    if (part != NULL && source != NULL) {
        part->origin = source;
    }
    return part;
}

tw_value *tw_read_message(tw_recoder *recoder, const char *role,
                          const tw_value *source)
{
    tw_value *message = tw_read_part(recoder, recoder->messages, NULL,
                                     TW_VALUE_OBJECT, source);
    tw_value *made = tw_make_word(&recoder->made, message, "role", role);
    const tw_value *own = tw_value_member(source, "role");
    if (made != NULL && own != NULL) {
        made->origin = own;
    }
    return message;
}

void tw_read_member(tw_recoder *recoder, tw_value *parent, const char *key,
                    const tw_value *source)
{
    tw_make_copy(&recoder->made, parent, key, source);
}

tw_value *tw_read_text(tw_recoder *recoder, const char *role,
                       const tw_value *source, const tw_value *content)
{
    tw_value *message = tw_read_message(recoder, role, source);
    tw_read_member(recoder, message, "content", content);
    return message;
}

void tw_read_text_part(tw_recoder *recoder, tw_value *content,
                       const tw_value *source, const tw_value *text)
{
    tw_value *part =
        tw_read_part(recoder, content, NULL, TW_VALUE_OBJECT, source);
    tw_make_word(&recoder->made, part, "type", "text");
    tw_read_member(recoder, part, "text", text);
}

tw_value *tw_read_image_part(tw_recoder *recoder, tw_value *content,
                             const tw_value *source)
{
    tw_value *part =
        tw_read_part(recoder, content, NULL, TW_VALUE_OBJECT, source);
    tw_make_word(&recoder->made, part, "type", "image_url");
    return tw_make(&recoder->made, part, "image_url", TW_VALUE_OBJECT);
}

void tw_read_data_url(tw_recoder *recoder, tw_value *image,
                      const tw_value *type, const tw_value *data)
{
    static const char front[] = "data:";
    static const char mark[] = ";base64,";
    const tw_memory *memory = recoder->memory;
    tw_buffer text = {0};
    recoder->json_out.failed |=
        !tw_buffer_append(&text, memory, front, sizeof front - 1) ||
        !tw_buffer_append(&text, memory, type->text, type->size) ||
        !tw_buffer_append(&text, memory, mark, sizeof mark - 1) ||
        !tw_buffer_append(&text, memory, data->text, data->size);
    tw_value *url = tw_make_text(&recoder->made, image, "url",
                                 (const char *)text.data, text.size);
    if (url != NULL && type->lone > 0) {
        url->lone = sizeof front - 1 + type->lone;
    } else if (url != NULL && data->lone > 0) {
        url->lone = text.size - data->size + data->lone;
    }
    tw_buffer_free(&text, memory);
}

void tw_read_packed(tw_recoder *recoder, tw_value *parent, const char *key,
                    const tw_value *value)
{
    tw_buffer text = {0};
    recoder->json_out.failed |=
        !tw_value_dump(&text, recoder->memory, value, &tw_dump_spaced);
    tw_value *made = tw_make_text(&recoder->made, parent, key,
                                  (const char *)text.data, text.size);
    if (made != NULL) {
        made->origin = value;
    }
    tw_buffer_free(&text, recoder->memory);
}

void tw_read_end_content(tw_value *content, bool null)
{
    const tw_value *only = content != NULL && content->first == content->last
                               ? content->first
                               : NULL;
    const tw_value *text = tw_value_member(only, "text");
    if (text != NULL &&
        (only->last != text || text->kind != TW_VALUE_STRING)) {
        return; /* the part says more, or no text */
    }
    if (content == NULL || (content->first != NULL && text == NULL)) {
        return;
    }
    content->kind = text == NULL && null ? TW_VALUE_NULL : TW_VALUE_STRING;
    content->text = text != NULL ? text->text : no_text;
    content->size = text != NULL ? text->size : 0;
    content->lone = text != NULL ? text->lone : 0;
    content->first = content->last = NULL;
}

void tw_joint_add(tw_joint *joint, tw_recoder *recoder, const tw_value *text)
{
    static const char gap[] = "\n\n";
    if (text->size == 0) {
        return;
    }
    if (joint->count == 1) {
        tw_losses_add_joined(&recoder->losses, joint->first, joint->first);
    }
    if (joint->count > 0) {
        tw_losses_add_joined(&recoder->losses, text, joint->first);
    } else {
        joint->first = text;
    }
    recoder->json_out.failed |=
        !tw_buffer_append(&joint->text, recoder->memory, gap,
                          joint->count > 0 ? sizeof gap - 1 : 0);
    if (joint->lone == 0 && text->lone > 0) {
        joint->lone = joint->text.size + text->lone;
    }
    recoder->json_out.failed |= !tw_buffer_append(
        &joint->text, recoder->memory, text->text, text->size);
    joint->count++;
}

void tw_read_reasoning(tw_recoder *recoder, tw_value *message, tw_joint *joint)
{
    tw_value *text =
        joint->count > 0
            ? tw_make_text(&recoder->made, message, "reasoning_content",
                           (const char *)joint->text.data, joint->text.size)
            : NULL;
    if (text != NULL) {
        text->origin = joint->first;
        text->lone = joint->lone;
    }
    tw_buffer_free(&joint->text, recoder->memory);
}

/* ---- calls -------------------------------------------------------------- */

/* The wrapper of a call, an object named |type|, to be filled. */
static tw_value *add_call(tw_recoder *recoder, tw_value *message,
                          const tw_value *source, const tw_value *id,
                          const char *type)
{
    tw_tree *made = &recoder->made;
    tw_value *list = marked(tw_value_member(message, "tool_calls"));
    if (list == NULL) {
        list = tw_make(made, message, "tool_calls", TW_VALUE_ARRAY);
    }
    tw_value *call =
        tw_read_part(recoder, list, NULL, TW_VALUE_OBJECT, source);
    if (id != NULL) {
        tw_read_member(recoder, call, "id", id);
    }
    tw_make_word(made, call, "type", type);
    return tw_make(made, call, type, TW_VALUE_OBJECT);
}

/* Its name.  A call without one is left out of a session at the end, when
 * what answers it is known: session_calls.c. */
static void read_name(tw_recoder *recoder, const tw_value *source,
                      tw_value *call, const tw_value *name)
{
    static const tw_value nameless = {.kind = TW_VALUE_STRING,
                                      .text = no_text};
    const bool named = tw_value_is_a(name, TW_VALUE_STRING);
    if (!named && !tw_recoder_reads_session(recoder)) {
        tw_recoder_refuse(recoder, source, "the call has no name");
    }
    tw_read_member(recoder, call, "name", named ? name : &nameless);
}

tw_value *tw_read_call(tw_recoder *recoder, tw_value *message,
                       const tw_value *source, const tw_value *id,
                       const tw_value *name, const tw_value *arguments)
{
    tw_value *function = add_call(recoder, message, source, id, "function");
    read_name(recoder, source, function, name);
    if (arguments != NULL) {
        tw_read_member(recoder, function, "arguments", arguments);
    }
    return function != NULL ? function->parent : NULL;
}

void tw_read_custom_call(tw_recoder *recoder, tw_value *message,
                         const tw_value *source, const tw_value *id,
                         const tw_value *name, const tw_value *input)
{
    tw_value *custom = add_call(recoder, message, source, id, "custom");
    static const tw_value none = {.kind = TW_VALUE_NULL};
    read_name(recoder, source, custom, name);
    tw_read_member(recoder, custom, "input", input != NULL ? input : &none);
}

void tw_read_described(tw_recoder *recoder, tw_value *message,
                       const tw_value *call)
{
    static const char *const known[] = {"name", "arguments", NULL};
    static const char *const others[] = {"name", "parameters", NULL};
    const tw_value *name = tw_value_member(call, "name");
    const tw_value *arguments = tw_value_member(call, "arguments");
    const bool usual = arguments != NULL;
    tw_read_call(recoder, message, call, NULL, name,
                 usual ? arguments : tw_value_member(call, "parameters"));
    tw_losses_add_members(&recoder->losses, call, usual ? known : others);
}

void tw_read_calls_text(tw_recoder *recoder, tw_value *message,
                        const tw_value *text)
{
    bool repaired;
    const int result =
        tw_tree_read_inner(&recoder->texts, text, true, &repaired);
    const tw_value *root = recoder->texts.root;
    if (result != TW_OK) {
        recoder->json_out.failed |= result == TW_ERROR_MEMORY;
        tw_recoder_refuse(recoder, text, "the call is not JSON");
        return;
    }
    if (repaired) {
        tw_recoder_report_loss(
            recoder, TW_LOSS_ARGUMENTS_SPELLING, text,
            "The text of the call was no JSON; it is repaired.");
    }
    if (root->kind != TW_VALUE_ARRAY) {
        tw_read_described(recoder, message, root);
        return;
    }
    if (root->first == NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_FORM, text,
                               "The list of calls is empty.");
    }
    for (const tw_value *at = root->first; at != NULL; at = at->next) {
        tw_read_described(recoder, message, at);
    }
}

/* ---- tools -------------------------------------------------------------- */

/* A tool to be filled. */
static tw_value *add_tool(tw_recoder *recoder, const tw_value *source)
{
    if (recoder->tools == NULL) {
        recoder->tools =
            tw_make(&recoder->made, recoder->request, "tools", TW_VALUE_ARRAY);
    }
    return tw_read_part(recoder, recoder->tools, NULL, TW_VALUE_OBJECT,
                        source);
}

tw_value *tw_read_tool(tw_recoder *recoder, const tw_value *source)
{
    tw_value *tool = add_tool(recoder, source);
    tw_make_word(&recoder->made, tool, "type", "function");
    return tw_make(&recoder->made, tool, "function", TW_VALUE_OBJECT);
}

void tw_read_custom_tool(tw_recoder *recoder, const tw_value *source)
{
    static const char *const type[] = {"type", NULL};
    tw_value *tool = add_tool(recoder, source);
    tw_make_word(&recoder->made, tool, "type", "custom");
    tw_make_others(&recoder->made,
                   tw_make(&recoder->made, tool, "custom", TW_VALUE_OBJECT),
                   source, type);
}

const tw_value *tw_read_inner(tw_recoder *recoder, const tw_value *value)
{
    if (value->kind != TW_VALUE_STRING || value->size == 0) {
        return value;
    }
    const int result = tw_tree_read_inner(&recoder->texts, value, false, NULL);
    recoder->json_out.failed |= result == TW_ERROR_MEMORY;
    return result == TW_OK ? recoder->texts.root : NULL;
}

/* Is the tool the inside of one that was taken out of its wrapper? */
static bool is_bare(const tw_value *tool)
{
    const tw_value *type = tw_value_member(tool, "type");
    return tw_value_member(tool, "function") == NULL &&
           tw_value_member(tool, "custom") == NULL &&
           (type == NULL || tw_value_is(type, "function"));
}

void tw_read_tools(tw_recoder *recoder, const tw_value *tools)
{
    static const char *const type[] = {"type", NULL};
    static const char *const none[] = {NULL};
    const tw_value *list = tw_read_inner(recoder, tools);
    if (list == NULL ||
        (list->kind != TW_VALUE_ARRAY && list->kind != TW_VALUE_NULL &&
         list->kind != TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, tools, "`tools` is not a list");
        return;
    }
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        const bool bare = is_bare(at);
        tw_make_others(&recoder->made,
                       bare ? tw_read_tool(recoder, at)
                            : add_tool(recoder, at),
                       at, bare ? type : none);
    }
}

/* ---- two outputs -------------------------------------------------------- */

void tw_read_list(tw_recoder *recoder, tw_value *list, const char *role,
                  const tw_value *source, const tw_value *from)
{
    if (source->kind == TW_VALUE_STRING) {
        tw_value *message =
            tw_read_part(recoder, list, NULL, TW_VALUE_OBJECT, source);
        tw_make_word(&recoder->made, message, "role", role);
        tw_read_member(recoder, message, "content", source);
    } else if (source->kind == TW_VALUE_ARRAY) {
        for (; from != NULL; from = from->next) {
            tw_read_member(recoder, list, NULL, from);
        }
    } else {
        tw_recoder_refuse(recoder, source, "neither messages nor text");
    }
}

void tw_read_side(tw_recoder *recoder, const char *key, const tw_value *source,
                  const tw_value *from)
{
    tw_value *list =
        tw_read_part(recoder, recoder->request, key, TW_VALUE_ARRAY, source);
    tw_read_list(recoder, list, "assistant", source, from);
    if (list != NULL && tw_value_member(list->first, "role") == NULL) {
        tw_recoder_refuse(recoder, source,
                          "the output is no message with a role");
    }
}

bool tw_is_side(const tw_value *record, const char *key)
{
    const tw_value *side = tw_value_member(record, key);
    return tw_has_list_of(record, key, "role") ||
           tw_value_is_a(side, TW_VALUE_STRING);
}

bool tw_has_sides(const tw_value *record)
{
    return tw_is_side(record, "chosen") && tw_is_side(record, "rejected");
}
