/* SPDX-License-Identifier: MIT
 *
 * The arguments of one call whose wire form is JSON: on their way to the
 * sink, held until the call's name is known, unwrapped if they stand in a
 * string.
 */
#ifndef TOOLWIRE_FORMATS_ARGUMENTS_H
#define TOOLWIRE_FORMATS_ARGUMENTS_H

#include "json/machine.h"
#include "events/sink.h"

typedef struct tw_arguments {
    tw_sink *sink;
    const tw_memory *memory;
    bool begun; /* the call has begun: pieces go out */
    uint32_t index;
    tw_buffer early; /* pieces that came before the name */
    uint64_t early_at;
    bool closed; /* the closing brace came; it is kept back */
    uint64_t closed_at;
    uint32_t fail; /* LIMIT_ARGUMENTS, at ... */
    uint64_t fail_at;
    /* Arguments that stand in a string. */
    tw_json inner;
    tw_buffer hold; /* decoded bytes that no lexeme was made of yet */
    tw_buffer map;  /* uint64_t: where each of them stands on the wire */
    bool may_begin; /* the caller wants to begin the call at the first
                       piece: reading stops behind it */
    bool seen;      /* something that is not blank */
    bool whole;     /* the object is complete */
    bool bad;       /* it is not one object */
} tw_arguments;

void tw_arguments_init(tw_arguments *arguments, const tw_memory *memory,
                       tw_sink *sink);
void tw_arguments_free(tw_arguments *arguments);
/* Ready for the next call. */
void tw_arguments_reset(tw_arguments *arguments);
/* The call has begun: what was held goes out. */
void tw_arguments_begin(tw_arguments *arguments, uint32_t index);
/* A piece of JSON text, from the window or |copied|. */
void tw_arguments_text(tw_arguments *arguments, const char *data, size_t size,
                       uint64_t offset, bool copied);
/* The brace that closes the object stands at |offset|. */
void tw_arguments_close(tw_arguments *arguments, uint64_t offset);
/* Delivers that brace, if it came, for a call that is complete. */
void tw_arguments_finish(tw_arguments *arguments);

typedef enum tw_unwrapped {
    TW_UNWRAPPED_OBJECT,
    TW_UNWRAPPED_NOTHING, /* only blanks */
    TW_UNWRAPPED_OTHER    /* anything but one object */
} tw_unwrapped;

/* A string begins; |step| is a piece of it, at |offset|; it ends. */
void tw_arguments_string(tw_arguments *arguments);
void tw_arguments_string_piece(tw_arguments *arguments,
                               const tw_json_step *step, uint64_t offset);
/* The string is cut off: what is held of it counts as it stands. */
void tw_arguments_string_cut(tw_arguments *arguments);
tw_unwrapped tw_arguments_string_end(tw_arguments *arguments, uint64_t offset);

#endif
