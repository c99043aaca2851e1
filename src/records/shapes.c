/* SPDX-License-Identifier: MIT
 *
 * The shapes of records: a row each.
 */
#include "records/records.h"

static const tw_record_shape *const shapes[] = {
    &tw_openai_shape, &tw_sharegpt_shape, &tw_anthropic_shape};

const tw_record_shape *tw_record_shape_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof shapes / sizeof *shapes;
         i++) {
        if (strcmp(shapes[i]->name, name) == 0) {
            return shapes[i];
        }
    }
    return NULL;
}
