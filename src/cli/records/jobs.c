/* SPDX-License-Identifier: MIT
 *
 * Many records at a time.  The main thread reads batches and gives them to
 * the workers in turn; it takes back what they made in the same order, so
 * that the output is that of one thread.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/records/convert.h"
#include "cli/records/records.h"
#include "cli/files/print.h"
#include "cli/records/session.h"
#include "cli/files/signals.h"

enum { BATCH_RECORDS = 64, BATCH_BYTES = 1 << 18, MOST_JOBS = 256 };

typedef enum phase { IDLE, GIVEN, DONE, OVER } phase;

typedef struct worker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    phase phase;
    bool started;
    const cli_options *options;
    cli_reader reader;
    convert_state state; /* its outputs only collect */
    cli_messages messages;
    bool bad;
    /* The batch: records, whose bytes lie in |bytes| one behind the other. */
    cli_source sources[BATCH_RECORDS];
    size_t count;
    cli_output bytes;
} worker;

/* ---- a worker ----------------------------------------------------------- */

static void run_batch(worker *me)
{
    const char *at = me->bytes.buffer;
    if (me->bytes.failed) { /* not all of it is there */
        return;
    }
    for (size_t i = 0; i < me->count; i++) {
        cli_source *source = &me->sources[i];
        source->data = at;
        at += source->size;
        if (cli_record_run(me->options, &me->reader, source, &me->messages,
                           cli_convert_answer, &me->state)) {
            me->bad = true;
        }
    }
}

static void *work(void *context)
{
    worker *me = context;
    pthread_mutex_lock(&me->mutex);
    while (me->phase != OVER) {
        if (me->phase == GIVEN) {
            pthread_mutex_unlock(&me->mutex);
            run_batch(me);
            pthread_mutex_lock(&me->mutex);
            me->phase = DONE;
            pthread_cond_broadcast(&me->changed);
        } else {
            pthread_cond_wait(&me->changed, &me->mutex);
        }
    }
    pthread_mutex_unlock(&me->mutex);
    return NULL;
}

static bool start(worker *one, const cli_options *options,
                  const convert_state *all)
{
    one->options = options;
    cli_output_collect(&one->bytes);
    cli_messages_collect(&one->messages, options);
    cli_output_collect(&one->state.output);
    cli_output_collect(&one->state.rejects);
    cli_output_collect(&one->state.report);
    one->state.has_rejects = all->has_rejects;
    one->state.has_report = all->has_report;
    if (cli_make_converter(options, options->to, &one->reader.converter) !=
        CLI_FINE) {
        one->reader.converter = NULL;
        return false;
    }
    pthread_mutex_init(&one->mutex, NULL);
    pthread_cond_init(&one->changed, NULL);
    one->started = pthread_create(&one->thread, NULL, work, one) == 0;
    if (!one->started) {
        cli_say("%s: a thread cannot be started", options->command->name);
    }
    return one->started;
}

static void stop(worker *one)
{
    if (one->started) {
        pthread_mutex_lock(&one->mutex);
        one->phase = OVER;
        pthread_cond_broadcast(&one->changed);
        pthread_mutex_unlock(&one->mutex);
        pthread_join(one->thread, NULL);
        pthread_cond_destroy(&one->changed);
        pthread_mutex_destroy(&one->mutex);
    }
    tw_converter_free(one->reader.converter);
    cli_output_drop(&one->bytes);
    cli_messages_drop(&one->messages);
    cli_output_drop(&one->state.output);
    cli_output_drop(&one->state.rejects);
    cli_output_drop(&one->state.report);
}

/* ---- the main thread ---------------------------------------------------- */

typedef struct crew {
    worker *workers;
    size_t size;
    size_t next; /* who gets the batch being read */
    convert_state *all;
    cli_messages messages;
    bool bad; /* a record of the file */
} crew;

/* Waits until |one| is done, and takes what it made. */
static void collect(crew *team, worker *one)
{
    pthread_mutex_lock(&one->mutex);
    while (one->phase == GIVEN) {
        pthread_cond_wait(&one->changed, &one->mutex);
    }
    one->phase = IDLE;
    pthread_mutex_unlock(&one->mutex);
    cli_messages_pour(&team->messages, &one->messages);
    cli_convert_add(team->all, &one->state);
    one->bytes.size = one->count = 0;
    team->all->output.failed |= one->bytes.failed;
    team->bad |= one->bad;
    one->bad = false;
}

/* Gives the batch to its worker; the next one's is taken back. */
static void give(crew *team)
{
    worker *one = &team->workers[team->next];
    if (one->count == 0) {
        return;
    }
    pthread_mutex_lock(&one->mutex);
    one->phase = GIVEN;
    pthread_cond_broadcast(&one->changed);
    pthread_mutex_unlock(&one->mutex);
    team->next = (team->next + 1) % team->size;
    collect(team, &team->workers[team->next]);
}

static void add(crew *team, const cli_input *input, const char *data,
                size_t size)
{
    worker *one = &team->workers[team->next];
    const cli_source source = {input->name, input->line, NULL, size, NULL};
    one->sources[one->count++] = source;
    cli_put(&one->bytes, data, size);
    if (one->count == BATCH_RECORDS || one->bytes.size >= BATCH_BYTES) {
        give(team);
    }
}

static void collect_all(crew *team)
{
    give(team);
    for (size_t i = 0; i < team->size; i++) {
        collect(team, &team->workers[(team->next + i) % team->size]);
    }
}

/* A file is passed on as it is read, when all before it is done. */
static void pass_on(crew *team, const cli_options *options, cli_input *input,
                    const char *data, size_t size)
{
    const cli_reader reader = {NULL, NULL}; /* nothing is to be converted */
    const cli_source source = {input->name, input->line, data, size, input};
    collect_all(team);
    cli_record_run(options, &reader, &source, &team->messages,
                   cli_convert_answer, team->all);
    team->bad = true;
}

static int read_file(crew *team, const cli_options *options, const char *path)
{
    cli_input input;
    cli_read got;
    const char *data;
    size_t size;
    const int opened =
        cli_input_open(&input, path, CLI_INPUT_RECORDS, options->max_record);
    if (opened != CLI_FINE) {
        return opened;
    }
    team->bad = false;
    input.shape = cli_record_shape(options);
    while ((got = cli_input_record(&input, NULL, &data, &size)) > 0 &&
           !team->all->output.failed) {
        if (got == CLI_READ_RECORD) {
            add(team, &input, data, size);
        } else {
            pass_on(team, options, &input, data, size);
        }
    }
    collect_all(team); /* the name of the file goes with it */
    cli_records_left(options, &input, got);
    cli_input_close(&input);
    const int result = team->all->output.failed ? CLI_IO : cli_input_code(got);
    return result == CLI_FINE && team->bad ? CLI_BAD : result;
}

int cli_convert_jobs(const cli_options *options, tw_converter *converter,
                     convert_state *all)
{
    const int count = options->operand_count;
    cli_files files = {.worst = CLI_FINE};
    crew team = {.all = all};
    team.size = options->jobs < MOST_JOBS ? options->jobs : MOST_JOBS;
    team.workers = calloc(team.size, sizeof *team.workers);
    (void)converter; /* each worker has its own */
    cli_messages_init(&team.messages, options);
    bool ready = team.workers != NULL;
    if (!ready) {
        cli_say("%s: no memory", options->command->name);
    }
    sigset_t before;
    cli_signals_block(&before); /* the main thread takes them */
    for (size_t i = 0; i < team.size && ready; i++) {
        ready = start(&team.workers[i], options, all);
    }
    cli_signals_restore(&before);
    while (ready && files.count < (count > 0 ? count : 1) && !files.over) {
        const char *path = count > 0 ? options->operands[files.count] : NULL;
        cli_files_add(&files, options, read_file(&team, options, path),
                      &all->output);
    }
    cli_messages_end(&team.messages);
    for (size_t i = 0; team.workers != NULL && i < team.size; i++) {
        stop(&team.workers[i]);
    }
    free(team.workers);
    /* Nothing was read: nothing is to be replaced. */
    return ready ? cli_files_result(&files) : CLI_IO;
}
