/* SPDX-License-Identifier: MIT
 *
 * A packed file is one member behind the other (zstd: frames).  The libraries
 * unpack members; that a file ends inside one, and where, is found here.
 */
#include "cli/files/packed.h"

#include <stdlib.h>
#include <string.h>

#ifdef TOOLWIRE_ZLIB
#include <zlib.h>
#endif
#ifdef TOOLWIRE_ZSTD
#include <zstd.h>
#endif

/* At least as much as an input reads at first. */
enum { PACKED_SIZE = 64 * 1024 };

/* What a library did with the bytes between |begin| and |end|. */
typedef enum taken { TAKEN, TAKEN_MEMBER, TAKEN_BAD } taken;

/* One library. */
typedef struct unpacker {
    bool (*open)(cli_packed *);
    void (*begin)(cli_packed *); /* a member */
    taken (*take)(cli_packed *, char *to, size_t size, size_t *given);
    void (*close)(cli_packed *);
    bool padded; /* zeros may stand behind a member, as tapes have them */
} unpacker;

struct cli_packed {
    const unpacker *with;
    uint64_t at;  /* packed bytes in front of |begin| */
    bool within;  /* a member */
    bool members; /* there was one */
    bool ended;
    size_t begin;
    size_t end;
    const char *fault;
#ifdef TOOLWIRE_ZLIB
    z_stream gzip;
#endif
#ifdef TOOLWIRE_ZSTD
    ZSTD_DStream *zstd;
#endif
    char bytes[PACKED_SIZE];
};

static void pass(cli_packed *packed, size_t size)
{
    packed->begin += size;
    packed->at += size;
}

/* ---- gzip --------------------------------------------------------------- */

#ifdef TOOLWIRE_ZLIB

static bool gzip_open(cli_packed *packed)
{
    enum { GZIP_ALONE = 16 };
    return inflateInit2(&packed->gzip, MAX_WBITS + GZIP_ALONE) == Z_OK;
}

static void gzip_begin(cli_packed *packed)
{
    (void)inflateReset(&packed->gzip); /* it fails without a state alone */
}

static taken gzip_take(cli_packed *packed, char *to, size_t size,
                       size_t *given)
{
    z_stream *const stream = &packed->gzip;
    const size_t there = packed->end - packed->begin;
    const uInt most = size < PACKED_SIZE ? (uInt)size : PACKED_SIZE;
    stream->next_in = (Bytef *)packed->bytes + packed->begin;
    stream->avail_in = (uInt)there;
    stream->next_out = (Bytef *)to;
    stream->avail_out = most;
    const int result = inflate(stream, Z_NO_FLUSH);
    pass(packed, there - stream->avail_in);
    *given = most - stream->avail_out;
    if (result == Z_STREAM_END) {
        return TAKEN_MEMBER;
    }
    if (result == Z_OK || result == Z_BUF_ERROR) {
        return TAKEN;
    }
    packed->fault = result == Z_MEM_ERROR ? "no memory"
                    : stream->msg != NULL ? stream->msg
                                          : "it needs a dictionary";
    return TAKEN_BAD;
}

static void gzip_close(cli_packed *packed)
{
    (void)inflateEnd(&packed->gzip);
}

#endif

/* ---- zstd --------------------------------------------------------------- */

#ifdef TOOLWIRE_ZSTD

static bool zstd_open(cli_packed *packed)
{
    packed->zstd = ZSTD_createDStream();
    return packed->zstd != NULL;
}

static void zstd_begin(cli_packed *packed)
{
    (void)ZSTD_DCtx_reset(packed->zstd, ZSTD_reset_session_only);
}

static taken zstd_take(cli_packed *packed, char *to, size_t size,
                       size_t *given)
{
    ZSTD_inBuffer in = {packed->bytes + packed->begin,
                        packed->end - packed->begin, 0};
    ZSTD_outBuffer out = {to, size, 0};
    const size_t result = ZSTD_decompressStream(packed->zstd, &out, &in);
    pass(packed, in.pos);
    *given = out.pos;
    if (ZSTD_isError(result)) {
        packed->fault = ZSTD_getErrorName(result);
        return TAKEN_BAD;
    }
    return result == 0 ? TAKEN_MEMBER : TAKEN;
}

static void zstd_close(cli_packed *packed)
{
    (void)ZSTD_freeDStream(packed->zstd);
}

#endif

/* ---- both --------------------------------------------------------------- */

static const unpacker unpackers[] = {
    [CLI_PLAIN] = {NULL, NULL, NULL, NULL, false},
#ifdef TOOLWIRE_ZLIB
    [CLI_GZIP] = {gzip_open, gzip_begin, gzip_take, gzip_close, true},
#endif
#ifdef TOOLWIRE_ZSTD
    [CLI_ZSTD] = {zstd_open, zstd_begin, zstd_take, zstd_close, false},
#endif
};

bool cli_packing_known(cli_packing packing)
{
    return (size_t)packing < sizeof unpackers / sizeof *unpackers &&
           unpackers[packing].open != NULL;
}

cli_packed *cli_packed_new(cli_packing packing)
{
    cli_packed *packed = NULL;
    if (cli_packing_known(packing)) {
        packed = calloc(1, sizeof *packed);
    }
    if (packed != NULL) {
        packed->with = &unpackers[packing];
        if (!packed->with->open(packed)) {
            free(packed);
            packed = NULL;
        }
    }
    return packed;
}

void cli_packed_free(cli_packed *packed)
{
    if (packed != NULL) {
        packed->with->close(packed);
        free(packed);
    }
}

/* Between members.  false: nothing more is there yet. */
static bool begin_member(cli_packed *packed)
{
    while (packed->members && packed->with->padded &&
           packed->begin < packed->end &&
           packed->bytes[packed->begin] == '\0') {
        pass(packed, 1);
    }
    if (packed->begin == packed->end) {
        return false;
    }
    packed->with->begin(packed);
    packed->within = packed->members = true;
    return true;
}

/* What a library holds back is asked for before there must be more bytes. */
cli_unpacked cli_packed_take(cli_packed *packed, char *to, size_t size,
                             size_t *given)
{
    *given = 0;
    while (packed->fault == NULL) {
        if (!packed->within && !begin_member(packed)) {
            return packed->ended ? CLI_UNPACKED_END : CLI_UNPACKED_HUNGRY;
        }
        const size_t before = packed->begin;
        const taken step = packed->with->take(packed, to, size, given);
        packed->within = step != TAKEN_MEMBER;
        if (*given > 0) {
            return CLI_UNPACKED_SOME;
        }
        if (step != TAKEN || packed->begin > before) {
            continue;
        }
        if (!packed->ended) {
            return CLI_UNPACKED_HUNGRY;
        }
        packed->fault = "it is cut off";
    }
    return CLI_UNPACKED_BAD;
}

char *cli_packed_room(cli_packed *packed, size_t *size)
{
    packed->end -= packed->begin;
    memmove(packed->bytes, packed->bytes + packed->begin, packed->end);
    packed->begin = 0;
    *size = PACKED_SIZE - packed->end;
    return packed->bytes + packed->end;
}

void cli_packed_add(cli_packed *packed, size_t size)
{
    packed->end += size;
    packed->ended = size == 0;
}

const char *cli_packed_fault(const cli_packed *packed, uint64_t *at)
{
    *at = packed->at;
    return packed->fault;
}
