/* SPDX-License-Identifier: MIT
 *
 * The text of a record: of a JSON string, or in an object's field.
 */
#ifndef TOOLWIRE_KIT_RECORD_H
#define TOOLWIRE_KIT_RECORD_H

#include "json/tree.h"

typedef struct kit_record {
    tw_memory memory;
    tw_tree tree;
    tw_buffer first;      /* of an array's records */
    const tw_value *next; /* message of a conversation */
} kit_record;

void kit_record_init(kit_record *record);
void kit_record_free(kit_record *record);

/* NULL, or what is wrong with it.  Dots in |field| go into objects and, with
 * a number, into lists; the text
 * lives until the next record. */
extern const char *const kit_record_no_text;
const char *kit_record_read(kit_record *record, const char *json, size_t size,
                            const char *field, const char **text,
                            size_t *text_size);
/* The usual field that holds the text of each of the first lines, where these
 * are records, one a line, and no text by themselves; else NULL. */
const char *kit_record_field(kit_record *record, const char *lines,
                             size_t size);
/* The first of a JSON array of objects, until the next one; false: the text is
 * none. */
bool kit_record_first(kit_record *record, const char *json, size_t size,
                      const char **first, size_t *first_size);
/* Reads OpenAI's record; false: it is none, or there is no memory. */
bool kit_record_open(kit_record *record, const char *json, size_t size);
/* The next text of it that an assistant says, with no calls beside it; false:
 * there are no more. */
bool kit_record_next_answer(kit_record *record, const char **text,
                            size_t *text_size);

#endif
