/* SPDX-License-Identifier: MIT
 *
 * Records of a shape, among texts that may be of a format.
 */
#ifndef TOOLWIRE_CLI_SHAPED_H
#define TOOLWIRE_CLI_SHAPED_H

#include "cli/records/detection.h"
#include "cli/records/records.h"
#include "kit/record.h"

typedef struct cli_shaped {
    const char *shape; /* NULL: there are no records */
    const char *other; /* of a later record; NULL: all are of one */
    size_t records;
    size_t refused; /* of these: not of any shape, or wrong */
} cli_shaped;

/* Is |text| a record, or does it have one a line?  Then what assistants say in
 * the first of them is put to |found|. */
bool cli_shaped_read(cli_shaped *shaped, cli_detection *found,
                     const char *text, size_t size, size_t most);
/* Is |text| a JSON array whose first element is a record? */
bool cli_shaped_array(kit_record *record, const char *text, size_t size);
#define CLI_SHAPED_ARRAY                                                \
    "this is one JSON array of records: `jq -c '.[]'` makes a line of " \
    "each (jq before 1.7 rounds numbers)"
/* Says that what is read as one text is a log, if it is: all its records are
 * made one message. */
void cli_shaped_say(const cli_options *options, const cli_source *source);

#endif
