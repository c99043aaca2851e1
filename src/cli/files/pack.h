/* SPDX-License-Identifier: MIT
 *
 * Outputs that are compressed, as the ends of their names say.  Each packing
 * needs its library where the command is built.
 */
#ifndef TOOLWIRE_CLI_FILES_PACK_H
#define TOOLWIRE_CLI_FILES_PACK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_packer cli_packer;

/* The program that packs as the name's end says; NULL: the name has no such
 * end. */
const char *cli_pack_program(const char *path);
/* Is a file of this name packed here? */
bool cli_packs(const char *path);

/* The packer for a name for which cli_packs() holds.  NULL: no memory. */
cli_packer *cli_packer_new(const char *path);
void cli_packer_free(cli_packer *packer);
/* The next |size| bytes of text; |last|: there are no more, and it is called
 * until nothing is given. */
void cli_packer_add(cli_packer *packer, const void *text, size_t size,
                    bool last);
/* The next packed bytes, which live until the next call; 0: text is due, or
 * all is packed. */
size_t cli_packer_take(cli_packer *packer, const char **packed);
/* Had a library no memory? */
bool cli_packer_failed(const cli_packer *packer);

#endif
