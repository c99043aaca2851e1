/* SPDX-License-Identifier: MIT
 *
 * The options of all objects, and which values they take.
 */
#ifndef TOOLWIRE_CORE_OPTIONS_H
#define TOOLWIRE_CORE_OPTIONS_H

#include "toolwire.h"

/* How long a name may be that any decoder takes; TW_OPTION_LIMIT_NAME asks for
 * another limit. */
enum { TW_NAME_SIZE = 256 };

/* NULL: it is an option, and takes the value; else what is wrong, constant
 * text.  Which object has the option is that object's to know. */
const char *tw_option_fault(tw_option option, int64_t value);

#endif
