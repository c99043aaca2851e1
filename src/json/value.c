/* SPDX-License-Identifier: MIT
 *
 * Members found, ordered and reached by a path.
 */
#include "json/value.h"

#include "core/ascii.h"
#include "core/sort.h"

const tw_value *tw_value_find(const tw_value *object, uint64_t mark,
                              const char *key, size_t key_size)
{
    if (object == NULL || (object->marks & mark) == 0) {
        return NULL;
    }
    const tw_value *found = NULL;
    const char first = key_size > 0 ? key[0] : 0;
    for (const tw_value *member = object->first; member != NULL;
         member = member->next) {
        if (member->key_size == key_size && member->key[0] == first &&
            memcmp(member->key, key, key_size) == 0) {
            found = member;
        }
    }
    return found;
}

/* ---- order -------------------------------------------------------------- */

static bool is_before(const void *context, const void *left, const void *right)
{
    const tw_value *const *one = left;
    const tw_value *const *other = right;
    (void)context;
    return tw_bytes_order((*one)->key, (*one)->key_size, (*other)->key,
                          (*other)->key_size) < 0;
}

static bool is_sorted(const tw_value *object)
{
    const tw_value *at = object->first;
    while (at->next != NULL && !is_before(NULL, &at->next, &at)) {
        at = at->next;
    }
    return at->next == NULL;
}

/* |members| has room for them twice. */
static void link_sorted(tw_value *object, tw_value **members, size_t count)
{
    tw_sort_items(members, members + count, count, sizeof *members, is_before,
                  NULL);
    for (size_t i = 0; i < count; i++) {
        members[i]->next = i + 1 < count ? members[i + 1] : NULL;
    }
    object->first = members[0];
    object->last = members[count - 1];
}

static bool sort_members(tw_value *object, const tw_memory *memory)
{
    tw_buffer members = {0};
    bool good = true;
    for (tw_value *at = object->first; at != NULL && good; at = at->next) {
        good = tw_buffer_append(&members, memory, &at, sizeof at);
    }
    good = good && tw_buffer_reserve(&members, memory, members.size);
    if (good) {
        link_sorted(object, (tw_value **)(void *)members.data,
                    members.size / sizeof(tw_value *));
    }
    tw_buffer_free(&members, memory);
    return good;
}

bool tw_value_sort(const tw_value *value, const tw_memory *memory, bool *moved)
{
    const tw_value *at = value;
    *moved = false;
    for (; at != NULL; at = tw_value_after(at, value)) {
        if (at->kind == TW_VALUE_OBJECT && at->first != NULL &&
            !is_sorted(at)) {
            *moved = true;
            if (!sort_members(at->first->parent, memory)) {
                return false;
            }
        }
    }
    return true;
}

const tw_value *tw_value_at(const tw_value *value, const char *path,
                            size_t size)
{
    while (value != NULL) {
        const char *dot = memchr(path, '.', size);
        const size_t part = dot != NULL ? (size_t)(dot - path) : size;
        value = tw_value_member_sized(value, path, part);
        if (dot == NULL) {
            break;
        }
        path += part + 1;
        size -= part + 1;
    }
    return value;
}

/* The element of a list whose number |part| is; NULL: there is none. */
static const tw_value *element(const tw_value *list, const char *part,
                               size_t size)
{
    const tw_value *at = size > 0 && size < 10 ? list->first : NULL;
    size_t number = 0;
    for (size_t i = 0; i < size && at != NULL; i++) {
        at = tw_is_digit(part[i]) ? at : NULL;
        number = 10 * number + (size_t)(part[i] - '0');
    }
    while (at != NULL && at->index < number) {
        at = at->next;
    }
    return at;
}

const tw_value *tw_value_part(const tw_value *value, const char *part,
                              size_t size)
{
    return value->kind == TW_VALUE_ARRAY
               ? element(value, part, size)
               : tw_value_member_sized(value, part, size);
}

const tw_value *tw_value_reach(const tw_value *value, const char *path,
                               const tw_value **deepest)
{
    const tw_value *last = value;
    for (bool more = true; more && value != NULL;) {
        const size_t size = strcspn(path, ".");
        last = value;
        value = tw_value_part(value, path, size);
        more = path[size] != '\0';
        path += size + (more ? 1 : 0);
    }
    if (deepest != NULL) {
        *deepest = value != NULL ? value : last;
    }
    return value;
}
