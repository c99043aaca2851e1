/* SPDX-License-Identifier: MIT
 *
 * A word inside a string of a container that stands between tags.
 */
#include "naive_frame.h"

#include <string.h>

/* Is a string in this quote, open at |at|, closed behind it?  The next quote
 * ends it if what follows is JSON; where none comes soon the string goes on. */
static bool is_closed(const frame_reader *reader, char quote, size_t at)
{
    const size_t from = at;

    while (at < reader->size && reader->text[at] != quote)
        at += reader->text[at] == '\\' ? 2 : 1;
    if (at < reader->size)
        at = frame_skip(reader, at + 1);
    if ((at < reader->size ? at : reader->size) - from >= FRAME_DELIMITER)
        return true;
    return at < reader->size && frame_among(",:}]", reader->text[at]);
}

bool frame_is_quoted(const frame_reader *reader, unsigned types, size_t begin,
                     size_t at, bool is_word)
{
    naive_message scratch = {.has_content = false};
    naive_reader json = {.message = &scratch,
                         .text = reader->text,
                         .at = frame_skip(reader, begin),
                         .limit = at};
    bool open;

    if (json.at >= at || !frame_streams(reader, types, reader->text[json.at]))
        return false;
    open = !naive_read_value(&json) && json.outcome == NAIVE_STOPPED &&
           json.in_string;
    naive_message_release(&scratch);
    return open && (!is_word || is_closed(reader, json.quote, at));
}
