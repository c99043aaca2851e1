/* SPDX-License-Identifier: MIT
 *
 * The patterns of a schema, each of which is read once.
 */
#include "schema/steps.h"

typedef struct known {
    const char *text; /* in the schema, which tells them apart */
    tw_regex pattern;
    bool read;
} known;

static size_t count_of(const tw_schema *schema)
{
    return schema->patterns.size / sizeof(known);
}

static known *known_at(const tw_schema *schema, size_t i)
{
    return (known *)(void *)schema->patterns.data + i;
}

/* The search is work, too: |*work| grows by its steps. */
static const known *find(tw_schema *schema, const char *text, size_t size,
                         uint64_t *work)
{
    for (size_t i = 0; i < count_of(schema); i++) {
        ++*work;
        if (known_at(schema, i)->text == text) {
            return known_at(schema, i);
        }
    }
    known fresh = {.text = text};
    fresh.read = tw_regex_read(&fresh.pattern, schema->memory, text, size);
    if (fresh.pattern.failed ||
        !tw_buffer_append(&schema->patterns, schema->memory, &fresh,
                          sizeof fresh)) {
        tw_regex_free(&fresh.pattern);
        schema->failed = true;
        return NULL;
    }
    return known_at(schema, count_of(schema) - 1);
}

bool tw_schema_matches(tw_schema *schema, const char *pattern,
                       size_t pattern_size, const tw_value *keyword,
                       const tw_value *text, bool if_unread)
{
    uint64_t work = 1;
    bool failed = false;
    const known *found = find(schema, pattern, pattern_size, &work);
    if (found == NULL || !found->read) {
        if (found != NULL) {
            tw_schema_skip(schema, TW_DIAGNOSTIC_SCHEMA_UNREAD, keyword);
        }
        return if_unread;
    }
    const bool is = tw_regex_matches(&found->pattern, &schema->room,
                                     text->text, text->size, &work, &failed);
    schema->failed |= failed;
    return !tw_schema_work(schema, work / 16) || is;
}

bool tw_schema_matches_key(tw_schema *schema, const tw_value *pattern,
                           const tw_value *member, bool if_unread)
{
    const tw_value name = {.kind = TW_VALUE_STRING,
                           .text = member->key,
                           .size = member->key_size};
    return tw_schema_matches(schema, pattern->key, pattern->key_size, pattern,
                             &name, if_unread);
}

void tw_schema_free_patterns(tw_schema *schema)
{
    for (size_t i = 0; i < count_of(schema); i++) {
        tw_regex_free(&known_at(schema, i)->pattern);
    }
    schema->patterns.size = 0;
}
