/* SPDX-License-Identifier: MIT
 *
 * The shapes of records: a row each.
 */
#include "records/records.h"

#define TW_RECORD_SHAPES(X) \
    X(openai)               \
    X(huggingface)          \
    X(chat_completion)      \
    X(batch)                \
    X(responses)            \
    X(anthropic)            \
    X(gemini)               \
    X(sharegpt)             \
    X(xlam)                 \
    X(glaive)               \
    X(alpaca)               \
    X(trajectory)           \
    X(preference)           \
    X(trl)                  \
    X(auto)

#define DECLARED(name) extern const tw_record_shape tw_##name##_shape;
#define ROW(name) &tw_##name##_shape,

TW_RECORD_SHAPES(DECLARED)
static const tw_record_shape *const shapes[] = {TW_RECORD_SHAPES(ROW) NULL};

const tw_record_shape *tw_record_shape_at(size_t i)
{
    return i < sizeof shapes / sizeof *shapes ? shapes[i] : NULL;
}

const tw_record_shape *tw_record_shape_find(const char *name)
{
    for (size_t i = 0; name != NULL && shapes[i] != NULL; i++) {
        if (strcmp(shapes[i]->name, name) == 0) {
            return shapes[i];
        }
    }
    return NULL;
}

const char *tw_record_shape_name(const tw_record_shape *shape)
{
    return shape != NULL ? shape->name : NULL;
}

const char *tw_record_shape_about(const tw_record_shape *shape)
{
    return shape != NULL ? shape->about : NULL;
}
