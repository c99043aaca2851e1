/* SPDX-License-Identifier: MIT
 *
 * JSON text, appended to a buffer.  false: no memory; what was appended
 * before stays.
 */
#ifndef TOOLWIRE_JSON_WRITE_H
#define TOOLWIRE_JSON_WRITE_H

#include "core/memory.h"

enum { TW_JSON_ESCAPE_SIZE = 6 };

/* A table of 256: the letter of the escape of two bytes that a byte needs, or
 * 0.  Who needs it has it as a constant of its own file, whose address takes
 * no load. */
#define TW_JSON_ESCAPE_LETTERS                                                \
    {                                                                         \
        ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', \
        ['\r'] = 'r', ['\t'] = 't'                                            \
    }

/* The shortest escape of |c| in |out|, which has room for
 * TW_JSON_ESCAPE_SIZE; 0 if a string holds |c| as it is. */
size_t tw_json_escape(uint8_t c, char *out);

/* What stands between the quotes of a string that means |data|. */
bool tw_json_write_text(tw_buffer *out, const tw_memory *memory,
                        const char *data, size_t size);
/* A whole string that means the UTF-8 text |data|, behind which
 * TW_TEXT_PADDING bytes can be read, whatever they are. */
enum { TW_TEXT_PADDING = 16 };
bool tw_json_write_padded(tw_buffer *out, const tw_memory *memory,
                          const char *data, size_t size);
/* tw_json_write_text() of any bytes: each ill-formed part becomes U+FFFD. */
bool tw_json_write_raw(tw_buffer *out, const tw_memory *memory,
                       const char *data, size_t size);
/* A whole string of any bytes. */
bool tw_json_write_string(tw_buffer *out, const tw_memory *memory,
                          const char *data, size_t size);
/* Text of a tree that keeps halves of surrogate pairs: each becomes its escape
 * again, and all else stands as it is or, |as_text|, as in a JSON string. */
bool tw_json_escape_halves(tw_buffer *out, const tw_memory *memory,
                           const char *data, size_t size, bool as_text);
/* A whole string of such text. */
bool tw_json_write_halves(tw_buffer *out, const tw_memory *memory,
                          const char *data, size_t size);
/* Puts U+FFFD in the place of each half, which is as long.  Returns where the
 * first one stood, + 1; 0: there is none. */
size_t tw_replace_halves(char *data, size_t size);
/* Is |replaced|, as long, what this makes of |data|? */
bool tw_is_replaced(const char *data, const char *replaced, size_t size);
/* Puts one ill-formed part of UTF-8, which is as long, in the place of each
 * half: decoders replace and report it. */
void tw_spoil_halves(char *data, size_t size);
bool tw_json_write_number(tw_buffer *out, const tw_memory *memory,
                          uint64_t number);

#endif
