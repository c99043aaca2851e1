/* SPDX-License-Identifier: MIT
 *
 * Calls and values as a description writes them.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_FRAME_WRITE_H
#define TOOLWIRE_TESTS_NAIVE_FRAME_WRITE_H

#include "naive_frame.h"

typedef struct frame_call_view {
    const char *name, *id, *raw; /* |raw|: arguments or input as given */
    size_t index;
    bool custom;
    bool given;           /* the arguments were given as text */
    naive_tree arguments; /* an object */
} frame_call_view;

/* The calls of an OpenAI message; free with frame_release_calls. */
frame_call_view *frame_view_calls(const frame_description *,
                                  const naive_tree *calls, size_t *count);
void frame_release_calls(frame_call_view *, size_t count);

/* JSON in the description's style, |depth| levels deep. */
void frame_write_arguments(const frame_description *, const frame_call_view *,
                           size_t depth, naive_bytes *out);
void frame_write_object(const frame_description *, const frame_call_view *,
                        size_t depth, naive_bytes *out);
void frame_write_list(const frame_description *, const frame_call_view *calls,
                      size_t count, bool keyed, naive_bytes *out);
void frame_write_json(const naive_tree *, naive_bytes *out);
/* A value that is no string, in the style of `values`. */
void frame_write_value(const frame_description *, const naive_tree *,
                       naive_bytes *out);
void frame_write_python(const frame_description *,
                        const frame_call_view *calls, size_t count,
                        frame_hole body, naive_bytes *out);
void frame_write_gemma(const naive_tree *, const char *quote,
                       naive_bytes *out);

#endif
