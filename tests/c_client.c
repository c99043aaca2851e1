/* SPDX-License-Identifier: MIT
 *
 * A program that uses the public header and nothing else, as C11 and as
 * C++17.  It decodes a completion from stdin, fed in pieces, and prints
 * chunks as they come and the message at the end.
 * Use: c_client FORMAT PIECE [message], which is the message alone
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toolwire.h>

static int fail(const char *what)
{
    fprintf(stderr, "c_client: %s\n", what);
    return EXIT_FAILURE;
}

static void print_lines(tw_writer *writer)
{
    const char *line;
    size_t size;
    while (tw_writer_take(writer, &line, &size) == 1) {
        fwrite(line, 1, size, stdout);
        putchar('\n');
    }
}

/* Every event there is goes to both writers, if there are two. */
static int drain(tw_decoder *decoder, tw_writer *chunks, tw_writer *message)
{
    const tw_event *event;
    int result;
    while ((result = tw_decoder_next(decoder, &event)) == 1) {
        if ((chunks != NULL && tw_writer_event(chunks, event) != TW_OK) ||
            tw_writer_event(message, event) != TW_OK) {
            return fail("no memory");
        }
        if (chunks != NULL) {
            print_lines(chunks);
        }
    }
    return result == 0 ? EXIT_SUCCESS
                       : fail(tw_decoder_error(decoder)->message);
}

static int decode(tw_decoder *decoder, tw_writer *chunks, tw_writer *message,
                  size_t piece)
{
    static char bytes[4096];
    size_t size;
    if (piece > sizeof bytes) {
        piece = sizeof bytes;
    }
    while ((size = fread(bytes, 1, piece, stdin)) > 0) {
        if (tw_decoder_feed(decoder, bytes, size, TW_MARK_UNKNOWN) != TW_OK) {
            return fail(tw_decoder_error(decoder)->message);
        }
        if (drain(decoder, chunks, message) != EXIT_SUCCESS) {
            return EXIT_FAILURE;
        }
    }
    if (ferror(stdin)) {
        return fail("stdin cannot be read");
    }
    if (tw_decoder_finish(decoder, TW_FINISH_STOP) != TW_OK) {
        return fail(tw_decoder_error(decoder)->message);
    }
    if (drain(decoder, chunks, message) != EXIT_SUCCESS) {
        return EXIT_FAILURE;
    }
    print_lines(message);
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    const int alone = count == 4 && strcmp(arguments[3], "message") == 0;
    const int piece = count == 3 || alone ? atoi(arguments[2]) : 0;
    if (piece <= 0) {
        return fail("use: c_client FORMAT PIECE [message]");
    }
    const tw_format *format = tw_format_find(arguments[1]);
    if (format == NULL) {
        return fail("unknown format");
    }
    int result = EXIT_FAILURE;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_writer *chunks = alone ? NULL : tw_writer_new(TW_SHAPE_CHUNKS, NULL);
    tw_writer *message = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    if (decoder == NULL || (chunks == NULL && !alone) || message == NULL ||
        tw_writer_set(message, TW_OPTION_CUSTOM_FUNCTION, 1) != TW_OK ||
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1) != TW_OK) {
        fail("no memory");
    } else {
        result = decode(decoder, chunks, message, (size_t)piece);
    }
    tw_writer_free(message);
    tw_writer_free(chunks);
    tw_decoder_free(decoder);
    return result;
}
