/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target over the files and folders given: under any compiler,
 * without libFuzzer.  Where the target aborts, the file's name is the last
 * line on stderr.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *current = "";
static unsigned long files, failed;

static void name_it(int number)
{
    static const char words[] = "replay: aborted on ";
    if (write(2, words, sizeof words - 1) < 0 ||
        write(2, current, strlen(current)) < 0 || write(2, "\n", 1) < 0) {
        _exit(2);
    }
    signal(number, SIG_DFL);
}

static void cannot(const char *path)
{
    perror(path);
    failed++;
}

static void replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (file == NULL || data == NULL || fread(data, 1, size, file) != size) {
        cannot(path);
    } else {
        current = path;
        LLVMFuzzerTestOneInput(data, size);
        files++;
    }
    if (file != NULL) {
        fclose(file);
    }
    free(data);
}

static void replay(const char *path);

static void replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    char inner[PATH_SIZE];
    if (folder == NULL) {
        cannot(path);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        const int size =
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && size < PATH_SIZE) {
            replay(inner);
        }
    }
    closedir(folder);
}

static void replay(const char *path)
{
    struct stat its;
    if (stat(path, &its) != 0) {
        cannot(path);
    } else if (S_ISDIR(its.st_mode)) {
        replay_folder(path);
    } else {
        replay_file(path, (size_t)its.st_size);
    }
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fprintf(stderr, "usage: %s FILE-OR-FOLDER...\n", arguments[0]);
        return 2;
    }
    signal(SIGABRT, name_it);
    for (int i = 1; i < count; i++) {
        replay(arguments[i]);
    }
    printf("%lu passed, %lu failed\n", files, failed + (files == 0));
    return failed > 0 || files == 0;
}
