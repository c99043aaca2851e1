/* SPDX-License-Identifier: MIT
 *
 * The shapes by number and by name: those that a record may be of, then those
 * that are made of these: `exchange` and `auto`.
 */
#include "records/sessions/session.h"
#include "records/shapes.h"

const tw_record_shape *tw_record_shape_at(size_t i)
{
    static const tw_record_shape *const of_others[] = {&tw_exchange_shape,
                                                       &tw_auto_shape};
    size_t count = 0;
    while (count < i && tw_record_known_shape_at(count) != NULL) {
        count++;
    }
    const tw_record_shape *shape = tw_record_known_shape_at(i);
    return shape == NULL && i - count < 2 ? of_others[i - count] : shape;
}

const tw_record_shape *tw_record_shape_find(const char *name)
{
    const tw_record_shape *shape = NULL;
    for (size_t i = 0; name != NULL && (shape = tw_record_shape_at(i)) != NULL;
         i++) {
        if (strcmp(shape->name, name) == 0) {
            return shape;
        }
    }
    return NULL;
}

const char *tw_record_shape_name(const tw_record_shape *shape)
{
    return shape != NULL ? shape->name : NULL;
}

int tw_record_shape_traits(const tw_record_shape *shape)
{
    return shape == NULL ? 0
                         : (shape->write == NULL ? TW_RECORD_READ_ONLY : 0) |
                               (shape->gathers ? TW_RECORD_FILE : 0);
}

int tw_record_is_file(const tw_record_shape *shape, const char *begin,
                      size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    return begin != NULL && tw_session_is_whole(shape, begin, size, &memory);
}

const char *tw_record_shape_about(const tw_record_shape *shape)
{
    return shape != NULL ? shape->about : NULL;
}
