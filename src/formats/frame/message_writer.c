/* SPDX-License-Identifier: MIT
 *
 * What the parts of the message writer share.
 */
#include "formats/frame/message_writer.h"

void tw_message_put_words(tw_message_writer *writer, const char *words)
{
    const size_t size = strlen(words);
    const size_t skip = writer->skip < size ? writer->skip : size;
    writer->skip -= skip;
    tw_out(writer->out, words + skip);
}

const tw_pattern *tw_message_canonical(const tw_patterns *patterns)
{
    const bool some = patterns->count > 0 && !patterns->all[0].loose;
    return some ? patterns->all : NULL;
}
