/* SPDX-License-Identifier: MIT
 *
 * Logs are written to files, programs run on them, and wait4() tells their
 * processor time.
 */
#define _DEFAULT_SOURCE /* wait4() */

#include "command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "requests.h"

enum { LOG_SIZE = 8 * MEGABYTE, MOST_JOBS = 64, MOST_WORDS = 10 };

typedef struct job {
    char name[NAME_SIZE];
    const char *words[MOST_WORDS];
    const char *file;
    size_t size;
    bool wall;       /* by the clock on the wall */
    bool may_refuse; /* exit code 1: a record would forge a marker */
    double seconds[MOST_RUNS];
} job;

static job jobs[MOST_JOBS];
static size_t job_count;
static char folder[4096];

static job *job_add(const char *set, const char *log, const char *what,
                    const char *file, size_t size)
{
    job *its = &jobs[job_count++];
    snprintf(its->name, NAME_SIZE, "command/%s/%s/%s", set, log, what);
    its->file = file;
    its->size = size;
    return its;
}

static void job_words(job *its, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL && i + 1 < MOST_WORDS; i++) {
        its->words[i] = words[i];
    }
}

/* ---- running them ------------------------------------------------------- */

static double seconds_between(struct timespec a, struct timespec b)
{
    return (double)(b.tv_sec - a.tv_sec) +
           (double)(b.tv_nsec - a.tv_nsec) / 1e9;
}

static double seconds_used(const struct rusage *its)
{
    return (double)(its->ru_utime.tv_sec + its->ru_stime.tv_sec) +
           (double)(its->ru_utime.tv_usec + its->ru_stime.tv_usec) / 1e6;
}

/* In the child. */
static void become(const job *its)
{
    const int in = open(its->file, O_RDONLY);
    const int out = open("/dev/null", O_WRONLY);
    if (in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 &&
        dup2(out, 2) == 2) {
        /* execvp() does not change the words. */
        execvp(its->words[0], (char *const *)(void *)its->words);
    }
    _exit(127);
}

/* Negative: it failed. */
static double job_run(const job *its)
{
    struct timespec begin;
    struct timespec end;
    struct rusage usage;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const pid_t child = fork();
    if (child == 0) {
        become(its);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child ||
        !WIFEXITED(status) || WEXITSTATUS(status) > its->may_refuse) {
        return -1;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return its->wall ? seconds_between(begin, end) : seconds_used(&usage);
}

/* ---- which -------------------------------------------------------------- */

static char *write_file(const char *name, const lines *its)
{
    const size_t room = strlen(folder) + strlen(name) + 2;
    char *path = need(malloc(room));
    snprintf(path, room, "%s/%s", folder, name);
    FILE *file = need(fopen(path, "wb"));
    if (fwrite(its->bytes.data, 1, its->bytes.size, file) != its->bytes.size ||
        fclose(file) != 0) {
        perror(path);
        exit(2);
    }
    return path;
}

static void add_log(const char *set, int format, const lines *its)
{
    const char *name = format_names[format];
    char file[NAME_SIZE];
    snprintf(file, sizeof file, "%s-%s", set, name);
    const char *path = write_file(file, its);
    const size_t size = its->bytes.size;
    job_words(
        job_add(set, name, "decode", path, size),
        (const char *[]){TOOLWIRE, "decode", "-f", name, "--jsonl", NULL});
    job_words(job_add(set, name, "convert", path, size),
              (const char *[]){TOOLWIRE, "convert", "-f", name, "-t", "openai",
                               "--unit", "completion", NULL});
    job_words(job_add(set, name, "jq", path, size),
              (const char *[]){"jq", "-c", ".", NULL});
    job_words(
        job_add(set, name, "python", path, size),
        (const char *[]){"python3", BENCH_FOLDER "/filter.py", name, NULL});
    const char *one[] = {TOOLWIRE, "convert", "-f",         name, "-t",
                         "openai", "--unit",  "completion", NULL};
    const char *two[] = {TOOLWIRE, "convert", "-f",         name,  "-t",
                         "openai", "--unit",  "completion", "-j2", NULL};
    job *wall = job_add(set, name, "wall-1", path, size);
    job_words(wall, one);
    wall->wall = true;
    wall = job_add(set, name, "wall-2", path, size);
    job_words(wall, two);
    wall->wall = true;
}

static void add_requests(const char *set, const lines *its)
{
    char file[NAME_SIZE];
    snprintf(file, sizeof file, "%s-requests", set);
    const char *path = write_file(file, its);
    for (int format = 0; format < FORMATS; format++) {
        job *one = job_add(set, "requests", format_names[format], path,
                           its->bytes.size);
        one->may_refuse = strcmp(set, "real") == 0;
        job_words(one, (const char *[]){TOOLWIRE, "convert", "-f", "openai",
                                        "-t", format_names[format], NULL});
    }
    job_words(job_add(set, "requests", "jq", path, its->bytes.size),
              (const char *[]){"jq", "-c", ".", NULL});
}

static void add_all(void)
{
    for (int format = 0; format < FORMATS; format++) {
        lines made = {0};
        lines real = {0};
        make_log(&made, format, LOG_SIZE);
        add_log("made", format, &made);
        if (real_log(&real, format, LOG_SIZE)) {
            add_log("real", format, &real);
        }
        text_free(&made.bytes);
        text_free(&real.bytes);
    }
    lines made = {0};
    lines real = {0};
    make_requests(&made, 2000);
    add_requests("made", &made);
    if (real_requests(&real, LOG_SIZE)) {
        add_requests("real", &real);
    } else {
        fprintf(stderr, "\n*** SKIPPED: TOOLWIRE_DATA is not set: the command "
                        "reads no real logs ***\n\n");
    }
    text_free(&made.bytes);
    text_free(&real.bytes);
}

static void remove_files(void)
{
    for (size_t i = 0; i < job_count; i++) {
        if (i == 0 || jobs[i].file != jobs[i - 1].file) {
            unlink(jobs[i].file);
            free((char *)jobs[i].file);
        }
    }
    rmdir(folder);
}

int command_run(int runs)
{
    const char *parent = getenv("TMPDIR");
    int bad = 0;
    snprintf(folder, sizeof folder, "%s/toolwire-bench-XXXXXX",
             parent != NULL && *parent != 0 ? parent : P_tmpdir);
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    add_all();
    for (int run = 0; run < runs; run++) {
        for (size_t i = 0; i < job_count; i++) {
            jobs[i].seconds[run] = job_run(&jobs[i]);
            if (jobs[i].seconds[run] < 0 && run == 0) {
                fprintf(stderr, "WRONG: %s failed: %s\n", jobs[i].name,
                        jobs[i].words[0]);
                bad++;
            }
        }
    }
    for (size_t i = 0; i < job_count; i++) {
        figure_set((double)jobs[i].size / median_of(jobs[i].seconds, runs) /
                       1e6,
                   "MB/s", "%s", jobs[i].name);
    }
    remove_files();
    return bad;
}
