/* SPDX-License-Identifier: MIT
 *
 * Does a call in Python's form begin here?
 */
#ifndef TOOLWIRE_FORMATS_BODY_PYTHON_HEAD_H
#define TOOLWIRE_FORMATS_BODY_PYTHON_HEAD_H

#include "formats/body/body.h"
#include "formats/body/python/scan.h"

/* NAME, white space, `(`; or the same behind `print(`, where NAME is a tool. */
typedef struct tw_python_callee {
    tw_body_opens opens;
    size_t name_at; /* behind what stands in front: 0, or `print(` */
    size_t name_size;
    const uint8_t *behind; /* the parenthesis; IS_CUT: where the input ends */
} tw_python_callee;

tw_python_callee tw_python_callee_at(const tw_body *body, const uint8_t *at);
/* Is the callee NAME.call, as built-in tools are called, or a declared tool
 * with its arguments?  |at| is where the callee begins. */
tw_body_opens tw_python_one_call(const tw_body *body,
                                 const tw_python_callee *callee,
                                 const uint8_t *at);
/* The size of `.call` at the name's end, or 0. */
size_t tw_python_suffix(const uint8_t *name, size_t size);
/* A keyword's name: how many bytes it has, 0 if it is none; |*more|: the
 * window ends there. */
size_t tw_python_key_size(const tw_window *window, const uint8_t *at,
                          bool *more);

tw_body_opens tw_python_opens(const tw_body *body, const tw_body_head *head,
                              const uint8_t *at);

#endif
