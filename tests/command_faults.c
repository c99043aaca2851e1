/* SPDX-License-Identifier: MIT
 *
 * The command, with every call to the system failing in turn: memory, reads,
 * writes, files, processes and threads.  It is the command's own objects,
 * linked so that these calls come here first (the linker's --wrap).
 *
 * What must hold: it ends with one of its exit codes; with that of a good run
 * only if it wrote the same; else it said why; no temporary file stays, and
 * what -o names is the old file or the new one.
 */
#define _DEFAULT_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_scenarios.h"

/* ---- what fails --------------------------------------------------------- */

typedef enum group {
    MEMORY,  /* malloc, calloc, realloc, strdup */
    READ,    /* read */
    WRITE,   /* write, but to stderr */
    FILES,   /* open, mkstemp, fchmod, rename, readlink, close */
    PROCESS, /* fork, pipe, socketpair, pthread_create */
    PEER,    /* execl, in the child, and send: the parser is gone */
    WAITING  /* poll, pselect, send, waitpid */
} group;

typedef struct fault {
    const char *name;
    group group;
    int error;     /* errno, or 0 */
    bool for_ever; /* this call and all behind it */
    bool quiet;    /* nobody may notice */
    bool half;     /* not an error: a part of it is done */
    int signal;    /* it comes before a read or write, and before a file's
                      error or behind what was done with one */
} fault;

static const fault faults[] = {
    {"memory once", MEMORY, ENOMEM, false, false, false, 0},
    {"memory for ever", MEMORY, ENOMEM, true, false, false, 0},
    {"read", READ, EIO, false, false, false, 0},
    {"read interrupted", READ, EINTR, false, true, false, 0},
    {"read would block", READ, EAGAIN, false, true, false, 0},
    {"read stopped by SIGTERM", READ, EINTR, false, false, false, SIGTERM},
    {"read short", READ, 0, true, true, true, 0},
    {"write", WRITE, EIO, false, false, false, 0},
    {"write for ever", WRITE, ENOSPC, true, false, false, 0},
    {"write interrupted", WRITE, EINTR, false, true, false, 0},
    {"write would block", WRITE, EAGAIN, false, true, false, 0},
    {"write short", WRITE, 0, false, true, true, 0},
    {"write and SIGTERM", WRITE, 0, false, false, false, SIGTERM},
    {"files", FILES, EIO, false, false, false, 0},
    {"files, then SIGTERM", FILES, 0, false, false, false, SIGTERM},
    {"files stopped by SIGTERM", FILES, EINTR, false, false, false, SIGTERM},
    {"process", PROCESS, EAGAIN, false, false, false, 0},
    {"process for ever", PROCESS, EAGAIN, true, false, false, 0},
    {"peer", PEER, EPIPE, false, false, false, 0},
    {"waiting interrupted", WAITING, EINTR, false, true, false, 0},
};

/* Across fork(): what the child counts. */
typedef struct counts {
    atomic_size_t calls;
    atomic_size_t failed;
} counts;

static counts *shared;
static const fault *armed; /* NULL: all is well */
static size_t fail_at;
static pid_t command; /* not what it starts */

void __gcov_dump(void) __attribute__((weak));

/* Processes that end in an odd way have no other chance to say what ran. */
static void dump_coverage(void)
{
    armed = NULL;
    if (__gcov_dump != NULL) {
        __gcov_dump();
    }
}

static bool fails(group asked)
{
    if (armed == NULL || armed->group != asked) {
        return false;
    }
    const size_t call = atomic_fetch_add(&shared->calls, 1) + 1;
    const bool now = armed->for_ever ? call >= fail_at : call == fail_at;
    if (now) {
        atomic_fetch_add(&shared->failed, 1);
        errno = armed->error;
    }
    return now;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
ssize_t __real_read(int file, void *data, size_t size);
ssize_t __real_write(int file, const void *data, size_t size);
int __real_open(const char *path, int flags, ...);
int __real_mkstemp(char *name);
int __real_fchmod(int file, mode_t mode);
int __real_rename(const char *from, const char *to);
ssize_t __real_readlink(const char *path, char *target, size_t size);
int __real_close(int file);
pid_t __real_fork(void);
int __real_pipe(int *files);
int __real_socketpair(int domain, int type, int protocol, int *files);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how,
                          void *(*work)(void *), void *context);
int __real_poll(struct pollfd *files, nfds_t count, int patience);
int __real_pselect(int count, fd_set *in, fd_set *out, fd_set *other,
                   const struct timespec *patience, const sigset_t *kept);
ssize_t __real_send(int file, const void *data, size_t size, int flags);
pid_t __real_waitpid(pid_t process, int *status, int flags);
int __real_raise(int number);
_Noreturn void __real__exit(int status);
int __real_main(int count, char **arguments);

void *__wrap_malloc(size_t size)
{
    return fails(MEMORY) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails(MEMORY) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails(MEMORY) ? NULL : __real_realloc(block, size);
}

char *__wrap_strdup(const char *text)
{
    return fails(MEMORY) ? NULL : __real_strdup(text);
}

ssize_t __wrap_read(int file, void *data, size_t size)
{
    if (fails(READ)) {
        if (armed->signal != 0) {
            __real_raise(armed->signal);
            errno = armed->error;
        }
        return armed->half ? __real_read(file, data, (size + 1) / 2) : -1;
    }
    return __real_read(file, data, size);
}

ssize_t __wrap_write(int file, const void *data, size_t size)
{
    if (file != STDERR_FILENO && fails(WRITE)) {
        if (armed->signal != 0) {
            __real_raise(armed->signal);
        }
        return armed->half ? __real_write(file, data, (size + 1) / 2) : -1;
    }
    return __real_write(file, data, size);
}

/* A signal comes to the command, not to what it starts. */
static bool is_signalled(void)
{
    const bool now = getpid() == command && fails(FILES);
    if (now) {
        __real_raise(armed->signal);
    }
    return now;
}

/* FILES: a call fails, or ... */
static bool is_refused(void)
{
    if (armed == NULL || armed->error == 0) {
        return false;
    }
    const bool now = armed->signal != 0 ? is_signalled() : fails(FILES);
    if (now) {
        errno = armed->error;
    }
    return now;
}

/* ... a signal comes as soon as it is done. */
static int signalled(int result)
{
    if (armed != NULL && armed->error == 0 && armed->signal != 0) {
        is_signalled();
    }
    return result;
}

int __wrap_open(const char *path, int flags, ...)
{
    return is_refused() ? -1 : signalled(__real_open(path, flags));
}

int __wrap_mkstemp(char *name)
{
    return is_refused() ? -1 : signalled(__real_mkstemp(name));
}

int __wrap_fchmod(int file, mode_t mode)
{
    return is_refused() ? -1 : signalled(__real_fchmod(file, mode));
}

int __wrap_rename(const char *from, const char *to)
{
    return is_refused() ? -1 : signalled(__real_rename(from, to));
}

ssize_t __wrap_readlink(const char *path, char *target, size_t size)
{
    return is_refused() ? -1 : __real_readlink(path, target, size);
}

int __wrap_close(int file)
{
    const int result = __real_close(file);
    return is_refused() ? -1 : signalled(result);
}

pid_t __wrap_fork(void)
{
    return fails(PROCESS) ? -1 : __real_fork();
}

int __wrap_pipe(int *files)
{
    return fails(PROCESS) ? -1 : __real_pipe(files);
}

int __wrap_socketpair(int domain, int type, int protocol, int *files)
{
    return fails(PROCESS) ? -1
                          : __real_socketpair(domain, type, protocol, files);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how,
                          void *(*work)(void *), void *context)
{
    return fails(PROCESS) ? EAGAIN
                          : __real_pthread_create(thread, how, work, context);
}

/* The kit's only: execl(path, "sh", "-c", command, NULL). */
int __wrap_execl(const char *path, const char *first, ...)
{
    char words[2][4096];
    va_list more;
    if (fails(PEER)) {
        return -1;
    }
    va_start(more, first);
    for (int i = 0; i < 2; i++) {
        snprintf(words[i], sizeof words[i], "%s", va_arg(more, const char *));
    }
    va_end(more);
    dump_coverage();
    char name[] = "sh";
    char *const arguments[] = {name, words[0], words[1], NULL};
    return execv(path, arguments);
}

int __wrap_poll(struct pollfd *files, nfds_t count, int patience)
{
    return fails(WAITING) ? -1 : __real_poll(files, count, patience);
}

int __wrap_pselect(int count, fd_set *in, fd_set *out, fd_set *other,
                   const struct timespec *patience, const sigset_t *kept)
{
    return fails(WAITING)
               ? -1
               : __real_pselect(count, in, out, other, patience, kept);
}

ssize_t __wrap_send(int file, const void *data, size_t size, int flags)
{
    if (fails(WAITING)) {
        return -1;
    }
    if (fails(PEER)) {
        shutdown(file, SHUT_RDWR); /* it ends, as one that is gone has */
        return -1;
    }
    return __real_send(file, data, size, flags);
}

pid_t __wrap_waitpid(pid_t process, int *status, int flags)
{
    return fails(WAITING) ? -1 : __real_waitpid(process, status, flags);
}

int __wrap_raise(int number)
{
    dump_coverage();
    return __real_raise(number);
}

_Noreturn void __wrap__exit(int status)
{
    dump_coverage();
    __real__exit(status);
}

/* zlib's, whose memory does not come by the calls above. */
int __real_inflateInit2_(void *stream, int bits, const char *version, int size)
    __attribute__((weak));
int __wrap_inflateInit2_(void *stream, int bits, const char *version,
                         int size);
int __wrap_inflateInit2_(void *stream, int bits, const char *version, int size)
{
    enum { NO_MEMORY = -4 };
    return fails(MEMORY) ? NO_MEMORY
                         : __real_inflateInit2_(stream, bits, version, size);
}

enum { SCENARIOS = sizeof scenarios / sizeof *scenarios, WORDS = 32 };

static const char tools[] = "[{\"name\":\"f\"}]";
static const char old[] = "old\n";
static const char *const written[] = {"stdout", "out", "report", "rejects"};

enum { WRITTEN = sizeof written / sizeof *written };

typedef struct text {
    char *data;
    size_t size;
} text;

typedef struct outcome {
    int status; /* as waitpid() gives it */
    text files[WRITTEN];
    text messages;
} outcome;

static size_t passed;
static size_t failed;

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static text read_text(const char *name)
{
    struct stat about;
    text all = {NULL, 0};
    FILE *file = fopen(name, "rb");
    if (file == NULL || fstat(fileno(file), &about) != 0) {
        give_up(name);
    }
    all.data = malloc((size_t)about.st_size + 1);
    if (all.data == NULL) {
        give_up(name);
    }
    all.size = fread(all.data, 1, (size_t)about.st_size, file);
    all.data[all.size] = '\0';
    fclose(file);
    return all;
}

static void write_text(const char *name, const char *data)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fputs(data, file) < 0 || fclose(file) != 0) {
        give_up(name);
    }
}

static void drop(outcome *one)
{
    for (size_t i = 0; i < WRITTEN; i++) {
        free(one->files[i].data);
    }
    free(one->messages.data);
}

static bool same_text(const text *a, const text *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* ---- a run -------------------------------------------------------------- */

static void redirect(int to, const char *name, int flags)
{
    const int file = __real_open(name, flags, 0600);
    if (file < 0 || dup2(file, to) < 0) {
        give_up(name);
    }
    close(file);
}

static _Noreturn void be_the_command(const scenario *one, const fault *what)
{
    char name[] = "toolwire";
    char line[512];
    char *words[WORDS] = {name};
    int count = 1;
    snprintf(line, sizeof line, "%s", one->words);
    for (char *word = strtok(line, " "); word != NULL && count + 1 < WORDS;
         word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    redirect(STDIN_FILENO, "in", O_RDONLY);
    redirect(STDOUT_FILENO, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
    armed = what;
    command = getpid();
    const int status = __real_main(count, words);
    armed = NULL;
    exit(status);
}

static outcome run(const scenario *one, const fault *what, size_t at)
{
    outcome done = {0};
    write_text("in", one->input);
    for (size_t i = 1; i < WRITTEN; i++) {
        write_text(written[i], old);
    }
    atomic_store(&shared->calls, 0);
    atomic_store(&shared->failed, 0);
    fail_at = at;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        be_the_command(one, what);
    }
    if (child < 0 || waitpid(child, &done.status, 0) != child) {
        give_up("fork");
    }
    for (size_t i = 0; i < WRITTEN; i++) {
        done.files[i] = read_text(written[i]);
    }
    done.messages = read_text("stderr");
    return done;
}

/* A temporary file that is still there. */
static bool litters(void)
{
    const struct dirent *entry;
    bool found = false;
    DIR *folder = opendir(".");
    if (folder == NULL) {
        give_up("opendir");
    }
    while ((entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, ".toolwire.", 10) == 0) {
            found = true;
            unlink(entry->d_name);
        }
    }
    closedir(folder);
    return found;
}

static size_t lines_of(const text *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->size; i++) {
        count += all->data[i] == '\n';
    }
    return count;
}

/* The path of a report is made when it is asked for: without memory there is
 * none, but the report is. */
static bool same_files(const outcome *a, const outcome *b, const fault *what)
{
    bool same = true;
    for (size_t i = 0; i < WRITTEN; i++) {
        const bool report = what->group == MEMORY && i == 2;
        same =
            same && (report ? lines_of(&a->files[i]) == lines_of(&b->files[i])
                            : same_text(&a->files[i], &b->files[i]));
    }
    return same;
}

/* The file of -o is never half a file. */
static bool whole(const outcome *one)
{
    const text *out = &one->files[1];
    return out->size == 0 || out->data[out->size - 1] == '\n';
}

/* NULL, or what is wrong. */
static const char *judge(const outcome *good, const outcome *done,
                         const fault *what)
{
    if (litters()) {
        return "a temporary file stays";
    }
    if (what->signal != 0) {
        return !WIFSIGNALED(done->status) ||
                       WTERMSIG(done->status) != what->signal
                   ? "it survives the signal"
               : !whole(done) ? "half a file"
                              : NULL;
    }
    if (!WIFEXITED(done->status) || WEXITSTATUS(done->status) > 3) {
        return "it does not end as it should";
    }
    if (done->status == good->status && same_files(good, done, what) &&
        (!what->quiet || same_text(&good->messages, &done->messages))) {
        return NULL;
    }
    if (what->group == PEER) {
        return WEXITSTATUS(done->status) == 1 ? NULL : "it is no finding";
    }
    if (what->quiet) {
        return "it is seen";
    }
    if (WEXITSTATUS(done->status) == 0) {
        return "exit code 0, and something else is written";
    }
    if (done->messages.size == 0 ||
        done->messages.data[done->messages.size - 1] != '\n') {
        return "nothing is said";
    }
    return whole(done) ? NULL : "half a file";
}

/* False: there are not so many calls. */
static bool try_fault(const scenario *one, const outcome *good,
                      const fault *what, size_t at)
{
    outcome done = run(one, what, at);
    const bool happened = atomic_load(&shared->failed) > 0;
    const char *wrong = judge(good, &done, what);
    if (!happened && what->signal != 0) {
        wrong = NULL;
    }
    if (wrong != NULL) {
        failed++;
        fprintf(stderr, "%s, call %zu of: toolwire %s: %s\n    %.300s\n",
                what->name, at, one->words, wrong, done.messages.data);
    }
    passed += happened && wrong == NULL;
    drop(&done);
    return happened;
}

/* Of the calls one in |share| fails, from the |first| on. */
static void try_all(const scenario *one, size_t share, size_t first)
{
    outcome good = run(one, NULL, 0);
    if (!WIFEXITED(good.status) || WEXITSTATUS(good.status) > 1) {
        failed++;
        fprintf(stderr, "toolwire %s: %.300s\n", one->words,
                good.messages.data);
    }
    /* The kit asks some hundred questions, which ask for the same again. */
    enum { EACH = 40 };
    const bool kit = strncmp(one->words, "test ", 5) == 0 ||
                     strncmp(one->words, "gen ", 4) == 0;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        for (size_t at = 1 + (first + i) % share;
             try_fault(one, &good, &faults[i], at);) {
            at += kit && at > EACH ? at / 4 * share : share;
        }
    }
    drop(&good);
}

/* Use: command_faults [SHARE [NUMBER]]: one in SHARE of the calls fails, of
 * one scenario or of all. */
int __wrap_main(int count, char **arguments)
{
    char folder[] = P_tmpdir "/command_faults.XXXXXX";
    char line[64];
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || mkdtemp(folder) == NULL ||
        chdir(folder) != 0) {
        give_up("a folder to work in");
    }
    write_text("tools", tools);
    const size_t share = count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    const size_t only =
        count > 2 ? strtoul(arguments[2], NULL, 10) : SCENARIOS;
    if (share == 0) {
        give_up("a share");
    }
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (only == SCENARIOS || only == i) {
            try_all(&scenarios[i], share, i);
        }
    }
    snprintf(line, sizeof line, "rm -rf %s", folder);
    if (system(line) != 0) {
        give_up(line);
    }
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
