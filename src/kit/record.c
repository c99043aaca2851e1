/* SPDX-License-Identifier: MIT
 *
 * A record's JSON is read, and the text found in it.
 */
#include "kit/record.h"

#include <string.h>

#include "json/dump.h"

void kit_record_init(kit_record *record)
{
    record->memory = tw_memory_from(NULL);
    record->next = NULL;
    record->first = (tw_buffer){NULL, 0, 0};
    tw_tree_init(&record->tree, &record->memory);
}

void kit_record_free(kit_record *record)
{
    tw_tree_free(&record->tree);
    tw_buffer_free(&record->first, &record->memory);
}

const char *const kit_record_no_text = "no text in the field";

const char *kit_record_read(kit_record *record, const char *json, size_t size,
                            const char *field, const char **text,
                            size_t *text_size)
{
    const int result = tw_tree_read(&record->tree, json, size, false);
    if (result != TW_OK) {
        return result == TW_ERROR_MEMORY ? "no memory" : "not JSON";
    }
    const tw_value *value = record->tree.root;
    if (value->kind == TW_VALUE_OBJECT) {
        value = tw_value_reach(value, field, NULL);
    }
    if (!tw_value_is_a(value, TW_VALUE_STRING)) {
        return kit_record_no_text;
    }
    *text = value->text;
    *text_size = value->size;
    return NULL;
}

/* A call in JSON may stand on a line, too: that has a name. */
static const char *field_of(kit_record *record, const char *line, size_t size)
{
    static const char *const fields[] = {"text",   "completion", "response",
                                         "output", "raw",        NULL};
    const int result = tw_tree_read(&record->tree, line, size, false);
    const tw_value *root = result == TW_OK ? record->tree.root : NULL;
    if (!tw_value_is_a(root, TW_VALUE_OBJECT) ||
        tw_value_member(root, "name") != NULL) {
        return NULL;
    }
    for (size_t i = 0; fields[i] != NULL; i++) {
        const tw_value *text = tw_value_member(root, fields[i]);
        if (tw_value_is_a(text, TW_VALUE_STRING)) {
            return fields[i];
        }
    }
    return NULL;
}

const char *kit_record_field(kit_record *record, const char *lines,
                             size_t size)
{
    enum { LOOKED_AT = 8 };
    const char *end = lines + size, *field = NULL;
    for (int i = 0; i < LOOKED_AT && lines < end && *lines == '{'; i++) {
        const char *feed = memchr(lines, '\n', (size_t)(end - lines));
        const char *stop = feed != NULL ? feed : end;
        const char *its = field_of(record, lines, (size_t)(stop - lines));
        if (its == NULL || (field != NULL && its != field)) {
            return NULL;
        }
        field = its;
        lines = stop + (feed != NULL);
    }
    /* Only blank lines may follow fewer. */
    return lines == end || strchr("{\r\n", *lines) != NULL ? field : NULL;
}

bool kit_record_first(kit_record *record, const char *json, size_t size,
                      const char **first, size_t *first_size)
{
    const tw_value *root = NULL;
    if (size > 0 && json[0] == '[' &&
        tw_tree_read(&record->tree, json, size, false) == TW_OK) {
        root = record->tree.root;
    }
    record->first.size = 0;
    if (root == NULL || !tw_value_is_a(root->first, TW_VALUE_OBJECT) ||
        !tw_value_dump(&record->first, &record->memory, root->first,
                       &tw_dump_compact)) {
        return false;
    }
    *first = (const char *)record->first.data;
    *first_size = record->first.size;
    return true;
}

bool kit_record_open(kit_record *record, const char *json, size_t size)
{
    const int result = tw_tree_read(&record->tree, json, size, false);
    const tw_value *messages =
        result == TW_OK ? tw_value_member(record->tree.root, "messages")
                        : NULL;
    record->next = messages != NULL ? messages->first : NULL;
    return messages != NULL;
}

bool kit_record_next_answer(kit_record *record, const char **text,
                            size_t *text_size)
{
    const tw_value *said = NULL;
    for (; record->next != NULL && said == NULL;
         record->next = record->next->next) {
        const tw_value *message = record->next;
        const tw_value *content = tw_value_member(message, "content");
        if (tw_value_is(tw_value_member(message, "role"), "assistant") &&
            tw_value_member(message, "tool_calls") == NULL &&
            tw_value_is_a(content, TW_VALUE_STRING)) {
            said = content;
        }
    }
    if (said != NULL) {
        *text = said->text;
        *text_size = said->size;
    }
    return said != NULL;
}
