/* SPDX-License-Identifier: MIT
 *
 * Sets of JSON paths, as reports spell them.
 */
#ifndef TOOLWIRE_TESTS_PATHS_H
#define TOOLWIRE_TESTS_PATHS_H

#include <stdbool.h>
#include <stddef.h>

enum { PATHS = 4096, PATH_SIZE = 4096 };

typedef struct paths {
    char *all[PATHS];
    size_t count;
} paths;

void add_path(paths *, const char *path);
bool has_path(const paths *, const char *path);
void free_paths(paths *);
/* Is |path| the other, or around it? */
bool path_holds(const char *path, const char *other);
/* Is one of these |path|, or around it? */
bool has_path_around(const paths *, const char *path);
/* Is one of these |path|, or in it? */
bool has_path_in(const paths *, const char *path);

#endif
