/* SPDX-License-Identifier: MIT
 *
 * The door of templates: a program is made once, and rendered as often as one
 * likes, by several threads at once, each with a rendering of its own.
 */
#ifndef TOOLWIRE_TEMPLATE_TEMPLATE_H
#define TOOLWIRE_TEMPLATE_TEMPLATE_H

#include "template/machine/machine.h"

/* The variable |name|; before the first of them tw_rendering_begin(). */
void tw_rendering_give_sized(tw_machine *machine, const char *name,
                             size_t size, tw_item item);
static inline void tw_rendering_give(tw_machine *machine, const char *name,
                                     tw_item item)
{
    tw_rendering_give_sized(machine, name, strlen(name), item);
}

/* A rendering of |program|, which it outlives; limits are those of one use. */
typedef struct tw_rendering {
    tw_memory memory;
    tw_machine machine;
    tw_builder text; /* what was written */
    uint64_t step_limit;
    size_t byte_limit;
} tw_rendering;

void tw_rendering_init(tw_rendering *rendering, const tw_program *program,
                       const tw_memory *memory);
void tw_rendering_free(tw_rendering *rendering);
/* Nothing is given, nothing is written. */
void tw_rendering_begin(tw_rendering *rendering);
/* Runs the program.  TW_OK, or what |machine.code| says: TEMPLATE (with
 * |machine.message|), LIMIT, MEMORY. */
int tw_rendering_run(tw_rendering *rendering);

#endif
