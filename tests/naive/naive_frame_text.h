/* SPDX-License-Identifier: MIT
 *
 * What the readers of text and of reasoning share.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_FRAME_TEXT_H
#define TOOLWIRE_TESTS_NAIVE_FRAME_TEXT_H

#include "naive_frame.h"

/* --- naive_frame_edges.c --- */

/* Takes |layout| off that end of text[*begin, *end), as far as it is there. */
void frame_strip_front(const frame_reader *, const char *layout, size_t *begin,
                       size_t end);
void frame_strip_back(const frame_reader *, const char *layout, size_t begin,
                      size_t *end);
/* All white space off both ends, but no run of more than 256 bytes. */
void frame_trim(const frame_reader *, size_t *begin, size_t *end);
/* The stop |word| at |at|: what follows is dropped. */
void frame_end_message(frame_reader *, const char *word, size_t at);

/* --- naive_frame_open.c --- */

/* The longest pattern that opens at |at|; |*end| is behind its markers. */
const frame_pattern *frame_opened_by(const frame_reader *,
                                     const frame_patterns *, size_t at,
                                     size_t *end);
/* The pattern with the longest close that stands at |at|. */
const frame_pattern *frame_closed_by(const frame_reader *,
                                     const frame_patterns *, size_t at);
/* Markers that the template writes before its stop: how long they are. */
size_t frame_end_marker_at(const frame_reader *, size_t at);
bool frame_opens_call(frame_reader *, size_t at);

/* --- naive_frame_channel.c --- */

/* |first|: nothing but white space of its segment stands in front. */
bool frame_is_quoted_call(frame_reader *, size_t at, bool first);
size_t frame_stray_end(frame_reader *, size_t at);
size_t frame_unread_end(frame_reader *, const frame_pattern *, size_t at);

/* --- naive_frame_reasoning.c --- */

/* From |reader->begin|. */
void frame_read_reasoning(frame_reader *);
/* At a close of |pattern|. */
void frame_close_reasoning(frame_reader *, size_t at,
                           const frame_pattern *pattern);

#endif
