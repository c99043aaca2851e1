/* SPDX-License-Identifier: MIT */
#include "records/records.h"

#include <string.h>

const tw_record_shape *tw_record_shape_find(const char *name)
{
    static const tw_record_shape *const shapes[] = {
        &tw_openai_shape, &tw_sharegpt_shape, &tw_anthropic_shape};
    for (size_t i = 0; name != NULL && i < 3; i++) {
        if (strcmp(shapes[i]->name, name) == 0) {
            return shapes[i];
        }
    }
    return NULL;
}

void tw_recoder_refuse(tw_recoder *recoder, const tw_value *where,
                       const char *message)
{
    if (recoder->code == TW_OK) {
        recoder->code = TW_ERROR_SCHEMA;
        recoder->where = where;
        recoder->message = message;
    }
}

void tw_recoder_lose(tw_recoder *recoder, const tw_value *where,
                     const char *message)
{
    const tw_loss loss = {where, message};
    if (!tw_buffer_append(&recoder->losses, recoder->memory, &loss,
                          sizeof loss)) {
        recoder->jotter.failed = true;
    }
}

static bool holds(const tw_record_shape *shape, const tw_value *member)
{
    for (const char *const *name = shape->members; *name != NULL; name++) {
        if (member->key_size == strlen(*name) &&
            memcmp(member->key, *name, member->key_size) == 0) {
            return true;
        }
    }
    return false;
}

void tw_jot_others(tw_jotter *jotter, const tw_value *record,
                   const tw_record_shape *shape, bool first)
{
    if (record->kind != TW_VALUE_OBJECT) {
        return;
    }
    for (const tw_value *at = record->first; at != NULL; at = at->next) {
        if (!holds(shape, at)) {
            tw_jot_member(jotter, at, first);
            first = false;
        }
    }
}

/* ---- contents ----------------------------------------------------------- */

void tw_jot_content(tw_recoder *recoder, const tw_value *content)
{
    tw_jotter *jotter = &recoder->jotter;
    tw_buffer text = {0};
    const tw_value *part = NULL;
    if (content != NULL && content->kind == TW_VALUE_STRING) {
        tw_jot_value(jotter, content);
        return;
    }
    if (content != NULL && content->kind == TW_VALUE_ARRAY) {
        part = content->first;
    } else if (content != NULL) {
        tw_recoder_lose(recoder, content, "a content that is no text");
    }
    for (; part != NULL; part = part->next) {
        const tw_value *piece = part->kind == TW_VALUE_STRING
                                    ? part
                                    : tw_value_member(part, "text");
        if (piece == NULL || piece->kind != TW_VALUE_STRING) {
            tw_recoder_lose(recoder, part, "a part that is no text");
        } else if (!tw_buffer_append(&text, recoder->memory, piece->text,
                                     piece->size)) {
            jotter->failed = true;
        }
    }
    tw_jot_string(jotter, (const char *)text.data, text.size);
    tw_buffer_free(&text, recoder->memory);
}

/* ---- tools and calls ---------------------------------------------------- */

void tw_jot_tool(tw_jotter *jotter, const tw_value *tool)
{
    const bool wrapped = tw_value_member(tool, "function") != NULL ||
                         tw_value_member(tool, "custom") != NULL;
    tw_jot(jotter, wrapped ? "" : "{\"type\":\"function\",\"function\":");
    tw_jot_value(jotter, tool);
    tw_jot(jotter, wrapped ? "" : "}");
}

void tw_jot_call_id(tw_jotter *jotter, size_t number)
{
    tw_jot(jotter, "\"call_");
    tw_jot_number(jotter, number);
    tw_jot(jotter, "\"");
}

void tw_jot_call(tw_recoder *recoder, const tw_value *id, size_t number,
                 const tw_value *name, const tw_value *arguments)
{
    tw_jotter *jotter = &recoder->jotter;
    tw_jot(jotter, "{\"id\":");
    if (id != NULL) {
        tw_jot_value(jotter, id);
    } else {
        tw_jot_call_id(jotter, number);
    }
    tw_jot(jotter, ",\"type\":\"function\",\"function\":{\"name\":");
    tw_jot_value(jotter, name);
    tw_jot(jotter, ",\"arguments\":");
    if (arguments == NULL) {
        tw_jot(jotter, recoder->arguments_object ? "{}" : "\"{}\"");
    } else if (recoder->arguments_object) {
        tw_jot_value(jotter, arguments);
    } else {
        tw_jot_packed(jotter, arguments, &tw_dump_spaced);
    }
    tw_jot(jotter, "}}");
}
