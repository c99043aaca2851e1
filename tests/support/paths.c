/* SPDX-License-Identifier: MIT
 *
 * A set of paths that answers for paths above and below them, too.
 */
#include "paths.h"

#include <stdlib.h>
#include <string.h>

void add_path(paths *to, const char *path)
{
    if (has_path(to, path)) {
        return;
    }
    char *copy = to->count < PATHS ? strdup(path) : NULL;
    if (copy == NULL) {
        abort();
    }
    to->all[to->count++] = copy;
}

bool has_path(const paths *in, const char *path)
{
    for (size_t i = 0; i < in->count; i++) {
        if (strcmp(in->all[i], path) == 0) {
            return true;
        }
    }
    return false;
}

void free_paths(paths *them)
{
    while (them->count > 0) {
        free(them->all[--them->count]);
    }
}

bool path_holds(const char *path, const char *other)
{
    const size_t size = strlen(path);
    return strncmp(path, other, size) == 0 &&
           (other[size] == 0 || other[size] == '.' || other[size] == '[');
}

bool has_path_around(const paths *in, const char *path)
{
    for (size_t i = 0; i < in->count; i++) {
        if (path_holds(in->all[i], path)) {
            return true;
        }
    }
    return false;
}

bool has_path_in(const paths *in, const char *path)
{
    for (size_t i = 0; i < in->count; i++) {
        if (path_holds(path, in->all[i])) {
            return true;
        }
    }
    return false;
}
