/* SPDX-License-Identifier: MIT
 *
 * Where a path leads: links are followed, before anything is opened.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/paths.h"

enum { MOST_LINKS = 40 }; /* as many as the kernel follows */

bool cli_path_is_standard(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

bool cli_path_is_folder(const char *path)
{
    struct stat its;
    return stat(path, &its) == 0 && S_ISDIR(its.st_mode);
}

/* ---- links -------------------------------------------------------------- */

size_t cli_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Writes |name| over |target| from |at| on. */
static bool put_name(char target[PATH_MAX], size_t at, const char *name,
                     size_t size)
{
    if (size >= PATH_MAX - at) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(target + at, name, size);
    target[at + size] = '\0';
    return true;
}

bool cli_path_follow(const char *path, char target[PATH_MAX])
{
    char link[PATH_MAX];
    if (!put_name(target, 0, path, strlen(path))) {
        return false;
    }
    for (int i = 0; i < MOST_LINKS; i++) {
        const ssize_t size = readlink(target, link, sizeof link);
        if (size < 0) { /* no link, or nothing is there */
            return errno == EINVAL || errno == ENOENT;
        }
        if (!put_name(target, link[0] == '/' ? 0 : cli_path_folder(target),
                      link, (size_t)size)) {
            return false;
        }
    }
    errno = ELOOP;
    return false;
}
