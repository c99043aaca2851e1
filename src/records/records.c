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

void tw_recoder_lose(tw_recoder *recoder, uint32_t code, const tw_value *where,
                     const char *message)
{
    tw_losses_add(&recoder->losses, code, where, 0, message);
}

/* A dotted path is held by the member that it begins with. */
static bool is_held(const tw_value *member, const char *const *names)
{
    for (const char *const *name = names; *name != NULL; name++) {
        const size_t size = strcspn(*name, ".");
        if (member->key_size == size &&
            (size == 0 || memcmp(member->key, *name, size) == 0)) {
            return true;
        }
    }
    return false;
}

void tw_jot_others(tw_recoder *recoder, const tw_value *record,
                   const char *const *used, const char *const *taken,
                   bool first)
{
    if (record->kind != TW_VALUE_OBJECT) {
        return;
    }
    for (const tw_value *at = record->first; at != NULL; at = at->next) {
        if (is_held(at, used)) {
            continue;
        }
        if (is_held(at, taken)) {
            tw_recoder_lose(recoder, TW_LOSS_MEMBER_REPLACED, at, NULL);
        } else {
            tw_jot_member(&recoder->jotter, at, first);
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
        tw_recoder_lose(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                        "a content that is no text");
    }
    for (; part != NULL; part = part->next) {
        const tw_value *piece = part->kind == TW_VALUE_STRING
                                    ? part
                                    : tw_value_member(part, "text");
        if (piece == NULL || piece->kind != TW_VALUE_STRING) {
            tw_recoder_lose(recoder, TW_LOSS_PART_NOT_TEXT, part,
                            "a part that is no text");
        } else if (!tw_buffer_append(&text, recoder->memory, piece->text,
                                     piece->size)) {
            jotter->failed = true;
        }
    }
    tw_jot_halves(jotter, (const char *)text.data, text.size);
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

/* Up to the arguments. */
static void begin_call(tw_jotter *jotter, const tw_value *id, size_t number,
                       const tw_value *name)
{
    tw_jot(jotter, "{\"id\":");
    if (id != NULL) {
        tw_jot_value(jotter, id);
    } else {
        tw_jot_call_id(jotter, number);
    }
    tw_jot(jotter, ",\"type\":\"function\",\"function\":{\"name\":");
    tw_jot_value(jotter, name);
    tw_jot(jotter, ",\"arguments\":");
}

void tw_jot_call(tw_recoder *recoder, const tw_value *id, size_t number,
                 const tw_value *name, const tw_value *arguments)
{
    tw_jotter *jotter = &recoder->jotter;
    begin_call(jotter, id, number, name);
    if (arguments == NULL) {
        tw_jot(jotter, recoder->arguments_object ? "{}" : "\"{}\"");
    } else if (recoder->arguments_object) {
        tw_jot_value(jotter, arguments);
    } else {
        tw_jot_packed(jotter, arguments, &tw_dump_spaced);
    }
    tw_jot(jotter, "}}");
}

void tw_jot_call_as_it_is(tw_jotter *jotter, const tw_value *id, size_t number,
                          const tw_value *name, const tw_value *arguments)
{
    begin_call(jotter, id, number, name);
    tw_jot_value(jotter, arguments);
    tw_jot(jotter, "}}");
}

void tw_jot_result_id(tw_jotter *jotter, size_t number, size_t calls)
{
    tw_jot_call_id(jotter, number < calls || calls == 0 ? number : calls - 1);
}

static void jot_described(tw_recoder *recoder, const tw_value *text,
                          const tw_value *call, size_t number)
{
    tw_jotter *jotter = &recoder->jotter;
    const tw_value *name = tw_value_member(call, "name");
    const tw_value *arguments = tw_value_member(call, "arguments");
    if (arguments == NULL) {
        arguments = tw_value_member(call, "parameters");
    }
    if (name == NULL || name->kind != TW_VALUE_STRING) {
        tw_recoder_refuse(recoder, text, "a call without a name");
        return;
    }
    tw_jot(jotter, number > 0 ? "," : "");
    if (arguments != NULL && arguments->kind == TW_VALUE_STRING) {
        tw_jot_call_as_it_is(jotter, NULL, number, name, arguments);
    } else {
        tw_jot_call(recoder, NULL, number, name, arguments);
    }
}

void tw_jot_calls_text(tw_recoder *recoder, const tw_value *text,
                       size_t *count)
{
    tw_tree tree;
    tw_tree_init(&tree, recoder->memory);
    tree.keeps_lone = true;
    const int result = tw_tree_read(&tree, text->text, text->size, true);
    if (result != TW_OK) {
        recoder->jotter.failed |= result == TW_ERROR_MEMORY;
        tw_recoder_refuse(recoder, text, "a call that is not JSON");
    } else if (tree.root->kind == TW_VALUE_ARRAY) {
        for (const tw_value *at = tree.root->first; at != NULL;
             at = at->next) {
            jot_described(recoder, text, at, (*count)++);
        }
    } else {
        jot_described(recoder, text, tree.root, (*count)++);
    }
    tw_tree_free(&tree);
}

void tw_jot_tools(tw_recoder *recoder, const tw_value *tools)
{
    tw_tree tree;
    tw_tree_init(&tree, recoder->memory);
    tree.keeps_lone = true;
    const tw_value *list = tools;
    if (tools->kind == TW_VALUE_STRING && tools->size > 0) {
        const int result =
            tw_tree_read(&tree, tools->text, tools->size, false);
        recoder->jotter.failed |= result == TW_ERROR_MEMORY;
        list = result == TW_OK ? tree.root : NULL;
    }
    if (list == NULL ||
        (list->kind != TW_VALUE_ARRAY && list->kind != TW_VALUE_NULL &&
         list->kind != TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, tools, "the tools are no list");
    } else if (list->first != NULL) {
        tw_jot(&recoder->jotter, ",\"tools\":[");
        for (const tw_value *at = list->first; at != NULL; at = at->next) {
            tw_jot_tool(&recoder->jotter, at);
            tw_jot(&recoder->jotter, at->next != NULL ? "," : "");
        }
        tw_jot(&recoder->jotter, "]");
    }
    tw_tree_free(&tree);
}
