/* SPDX-License-Identifier: MIT
 *
 * Compressed inputs, unpacked as they come.  Each packing needs its library
 * where the command is built; without the library the packing is not known.
 */
#ifndef TOOLWIRE_CLI_FILES_PACKED_H
#define TOOLWIRE_CLI_FILES_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_packing { CLI_PLAIN, CLI_GZIP, CLI_ZSTD } cli_packing;

typedef enum cli_unpacked {
    CLI_UNPACKED_SOME,   /* text was given */
    CLI_UNPACKED_HUNGRY, /* packed bytes are due: cli_packed_add() */
    CLI_UNPACKED_END,    /* all is unpacked */
    CLI_UNPACKED_BAD     /* cli_packed_fault() says why */
} cli_unpacked;

typedef struct cli_packed cli_packed;

bool cli_packing_known(cli_packing packing);

/* NULL: no memory, or the packing is not known. */
cli_packed *cli_packed_new(cli_packing packing);
void cli_packed_free(cli_packed *packed);

/* The next text, *given bytes of it, at most |size|. */
cli_unpacked cli_packed_take(cli_packed *packed, char *to, size_t size,
                             size_t *given);
/* Where the next packed bytes go, and how many have room.  There is room once
 * the reader is HUNGRY. */
char *cli_packed_room(cli_packed *packed, size_t *size);
/* |size| bytes were put there; 0: the file has ended. */
void cli_packed_add(cli_packed *packed, size_t size);

/* What is wrong, and how many packed bytes are sound in front of that place. */
const char *cli_packed_fault(const cli_packed *packed, uint64_t *at);

#endif
