/* SPDX-License-Identifier: MIT
 *
 * What a decoder makes of each byte of a completion: what it is, what was said
 * of it, the calls.
 */
#ifndef TOOLWIRE_CLI_INSPECT_WIRE_H
#define TOOLWIRE_CLI_INSPECT_WIRE_H

#include "cli/files/io.h"
#include "toolwire.h"

/* What a byte is. */
typedef enum cli_kind {
    CLI_KIND_UNREAD, /* behind an error */
    CLI_KIND_STRUCTURE,
    CLI_KIND_MARKER,
    CLI_KIND_TEXT,
    CLI_KIND_REASONING,
    CLI_KIND_NAME,
    CLI_KIND_ARGUMENTS,
    CLI_KIND_DROPPED,
    CLI_KIND_UNPARSED,
    CLI_KINDS
} cli_kind;

/* What was said of a place. */
typedef struct cli_note {
    uint64_t offset;
    uint64_t span; /* 0: of no byte alone */
    size_t number; /* in the order in which it was said */
    bool warning;
    const char *name; /* of the code */
    const char *text;
    int64_t code;
    /* What is meant, in the wire's |texts|: a format, a path, of an error a
     * diagnostic. */
    size_t detail;
    size_t detail_size;
} cli_note;

/* A call.  Its name and id stand in the wire's |texts|, one behind the other,
 * its arguments in |arguments|. */
typedef struct cli_call {
    size_t name, id, id_end;
    size_t arguments, end;
    uint64_t offset;
    uint64_t behind; /* its last byte */
    uint32_t status; /* a tw_call_status; 0: an error came first */
    bool custom;
} cli_call;

typedef struct cli_wire {
    const char *data;
    size_t size;
    uint8_t *kinds; /* of each byte */
    cli_output texts;
    cli_output arguments;
    cli_note *notes; /* by their places */
    size_t note_count, note_room;
    cli_call *calls;
    size_t call_count, call_room;
    size_t unparsed;
    size_t placed; /* so far it is known where a call's arguments stand */
    bool failed;   /* no memory */
} cli_wire;

/* Reads all of |data|, which lives as long as the wire, by a decoder that was
 * made with TW_OPTION_FRAMING. */
void cli_wire_read(cli_wire *wire, const tw_format *format,
                   tw_decoder *decoder, tw_finish finish, const char *data,
                   size_t size);
void cli_wire_drop(cli_wire *wire);
/* What stands there in the wire's |texts| or |arguments|. */
const char *cli_wire_text(const cli_output *output, size_t at);

#endif
