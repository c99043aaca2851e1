/* SPDX-License-Identifier: MIT
 *
 * What is written to a name that ends in .gz or .zst is packed on its way.
 */
#include "cli/files/pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef TOOLWIRE_ZLIB
#include <limits.h>
#include <zlib.h>
#endif
#ifdef TOOLWIRE_ZSTD
#include <zstd.h>
#endif

enum { PACKED_SIZE = 64 * 1024 };

/* One library. */
typedef struct library {
    const char *end; /* of a name */
    const char *program;
    bool (*open)(cli_packer *); /* NULL: it is not built in */
    size_t (*take)(cli_packer *);
    void (*close)(cli_packer *);
} library;

struct cli_packer {
    const library *with;
    const char *text;
    size_t size;
    bool last;
    bool ended; /* the last byte is packed */
    bool failed;
#ifdef TOOLWIRE_ZLIB
    z_stream gzip;
#endif
#ifdef TOOLWIRE_ZSTD
    ZSTD_CStream *zstd;
#endif
    char bytes[PACKED_SIZE];
};

/* ---- gzip --------------------------------------------------------------- */

#ifdef TOOLWIRE_ZLIB

static bool gzip_open(cli_packer *packer)
{
    enum { GZIP_ALONE = 16, MEMORY_LEVEL = 8 };
    return deflateInit2(&packer->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                        MAX_WBITS + GZIP_ALONE, MEMORY_LEVEL,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

static size_t gzip_take(cli_packer *packer)
{
    z_stream *const stream = &packer->gzip;
    const uInt there = packer->size < UINT_MAX ? (uInt)packer->size : UINT_MAX;
    const bool last = packer->last && there == packer->size;
    stream->next_in = (Bytef *)(uintptr_t)packer->text;
    stream->avail_in = there;
    stream->next_out = (Bytef *)packer->bytes;
    stream->avail_out = PACKED_SIZE;
    const int result = deflate(stream, last ? Z_FINISH : Z_NO_FLUSH);
    packer->text += there - stream->avail_in;
    packer->size -= there - stream->avail_in;
    packer->ended = result == Z_STREAM_END;
    packer->failed = result == Z_STREAM_ERROR;
    return PACKED_SIZE - stream->avail_out;
}

static void gzip_close(cli_packer *packer)
{
    (void)deflateEnd(&packer->gzip);
}

#endif

/* ---- zstd --------------------------------------------------------------- */

#ifdef TOOLWIRE_ZSTD

static bool zstd_open(cli_packer *packer)
{
    packer->zstd = ZSTD_createCStream();
    return packer->zstd != NULL;
}

static size_t zstd_take(cli_packer *packer)
{
    ZSTD_inBuffer in = {packer->text, packer->size, 0};
    ZSTD_outBuffer out = {packer->bytes, PACKED_SIZE, 0};
    const size_t left = ZSTD_compressStream2(
        packer->zstd, &out, &in, packer->last ? ZSTD_e_end : ZSTD_e_continue);
    packer->text += in.pos;
    packer->size -= in.pos;
    packer->failed = ZSTD_isError(left);
    packer->ended = packer->last && left == 0;
    return packer->failed ? 0 : out.pos;
}

static void zstd_close(cli_packer *packer)
{
    (void)ZSTD_freeCStream(packer->zstd);
}

#endif

/* ---- all ---------------------------------------------------------------- */

static const library libraries[] = {
#ifdef TOOLWIRE_ZLIB
    {".gz", "gzip", gzip_open, gzip_take, gzip_close},
#else
    {".gz", "gzip", NULL, NULL, NULL},
#endif
#ifdef TOOLWIRE_ZSTD
    {".zst", "zstd", zstd_open, zstd_take, zstd_close},
#else
    {".zst", "zstd", NULL, NULL, NULL},
#endif
    {".bz2", "bzip2", NULL, NULL, NULL},
    {".xz", "xz", NULL, NULL, NULL},
};

static const library *find(const char *path)
{
    const char *end = path != NULL ? strrchr(path, '.') : NULL;
    for (size_t i = 0; end != NULL && i < sizeof libraries / sizeof *libraries;
         i++) {
        if (strcmp(end, libraries[i].end) == 0) {
            return &libraries[i];
        }
    }
    return NULL;
}

const char *cli_pack_program(const char *path)
{
    const library *found = find(path);
    return found != NULL ? found->program : NULL;
}

bool cli_packs(const char *path)
{
    const library *found = find(path);
    return found != NULL && found->open != NULL;
}

cli_packer *cli_packer_new(const char *path)
{
    cli_packer *packer = calloc(1, sizeof *packer);
    if (packer != NULL) {
        packer->with = find(path);
        if (!packer->with->open(packer)) {
            free(packer);
            packer = NULL;
        }
    }
    return packer;
}

void cli_packer_free(cli_packer *packer)
{
    if (packer != NULL) {
        packer->with->close(packer);
        free(packer);
    }
}

void cli_packer_add(cli_packer *packer, const void *text, size_t size,
                    bool last)
{
    packer->text = text;
    packer->size = size;
    packer->last = last;
}

size_t cli_packer_take(cli_packer *packer, const char **packed)
{
    size_t given = 0;
    while (given == 0 && !packer->failed && !packer->ended &&
           (packer->size > 0 || packer->last)) {
        given = packer->with->take(packer);
    }
    *packed = packer->bytes;
    return given;
}

bool cli_packer_failed(const cli_packer *packer)
{
    return packer->failed;
}
