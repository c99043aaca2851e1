/* SPDX-License-Identifier: MIT
 *
 * A call in Python's form that is none, up to its parenthesis.
 */
#ifndef TOOLWIRE_FORMATS_BODY_PYTHON_SKIP_H
#define TOOLWIRE_FORMATS_BODY_PYTHON_SKIP_H

#include "formats/body/python/value.h"

/* The value failed at the window, inside (|in_value|) or outside. */
void tw_python_skip_from(tw_python_value *value, bool in_value);
/* GOES_ON, STARVED; DONE: the parenthesis was read; BROKEN: nothing is known
 * of strings and brackets any more. */
tw_body_end tw_python_skip_step(tw_python_value *value);

#endif
