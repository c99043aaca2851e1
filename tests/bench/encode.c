/* SPDX-License-Identifier: MIT
 *
 * Runs the encoder over lines of requests, and json-c's parser over the same
 * lines.
 */
#include "encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "peers.h"
#include "requests.h"

enum { MADE, REAL, SETS };
static const char *const set_names[SETS] = {"made", "real"};

typedef struct encoding {
    const lines *its;
    tw_encoder *encoder;
    size_t failed, out;
} encoding;

static lines sets[SETS];
static encoding encodings[SETS][FORMATS];

static size_t line_size(const char *at, const char *end)
{
    return (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at);
}

static void encode_all(void *context)
{
    encoding *run = context;
    const char *at = run->its->bytes.data;
    const char *end = at + run->its->bytes.size;
    run->failed = run->out = 0;
    while (at < end) {
        const size_t size = line_size(at, end);
        const char *made;
        size_t made_size;
        if (tw_encode(run->encoder, at, size, &made, &made_size) == TW_OK) {
            run->out += made_size;
        } else {
            run->failed++;
        }
        at += size + 1;
    }
}

static void read_all(void *context)
{
    const lines *its = context;
    const char *at = its->bytes.data;
    const char *end = at + its->bytes.size;
    while (at < end) {
        peer_text one = {at, line_size(at, end), 0, false};
        peer_json_c(&one);
        at += one.size + 1;
    }
}

static void add_set(int set)
{
    char name[NAME_SIZE];
    lines *its = &sets[set];
    snprintf(name, sizeof name, "encode/%s/json-c", set_names[set]);
    task_add(name, read_all, its, its->bytes.size, its->count);
    for (int format = 0; format < FORMATS; format++) {
        encoding *run = &encodings[set][format];
        run->its = its;
        run->encoder =
            need(tw_encoder_new(tw_format_find(format_names[format]), NULL));
        snprintf(name, sizeof name, "encode/%s/%s", set_names[set],
                 format_names[format]);
        task_add(name, encode_all, run, its->bytes.size, its->count);
    }
}

void encode_add(void)
{
    make_requests(&sets[MADE], 300);
    add_set(MADE);
    if (real_requests(&sets[REAL], 0)) {
        add_set(REAL);
    } else {
        fprintf(stderr, "\n*** SKIPPED: TOOLWIRE_DATA is not set: no real "
                        "requests are encoded ***\n\n");
    }
}

int encode_end(void)
{
    int bad = 0;
    for (int i = 0; i < SETS * FORMATS; i++) {
        encoding *run = &encodings[i / FORMATS][i % FORMATS];
        if (run->failed > 0) {
            fprintf(stderr, "%s: %zu of %zu %s requests are refused for %s\n",
                    i < FORMATS ? "WRONG" : "Noted", run->failed,
                    run->its->count, set_names[i / FORMATS],
                    format_names[i % FORMATS]);
        }
        /* A real one may hold text that would forge a marker. */
        bad += i < FORMATS
                   ? run->failed > 0
                   : run->its != NULL && run->failed * 100 > run->its->count;
        tw_encoder_free(run->encoder);
    }
    for (int set = 0; set < SETS; set++) {
        text_free(&sets[set].bytes);
    }
    return bad;
}
