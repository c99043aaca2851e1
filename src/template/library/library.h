/* SPDX-License-Identifier: MIT
 *
 * What templates can call by name: filters, tests, global functions, and the
 * methods of values.  Each has a number, by which a program names it.
 */
#ifndef TOOLWIRE_TEMPLATE_LIBRARY_H
#define TOOLWIRE_TEMPLATE_LIBRARY_H

#include "template/machine/machine.h"

/* SIZE_MAX: there is none. */
size_t tw_filter_find(const char *name, size_t size);
size_t tw_test_find(const char *name, size_t size);
/* A method that a value of its kind has. */
size_t tw_method_find(tw_item self, const tw_string *name);
tw_item tw_filter_call(tw_machine *machine, size_t filter, tw_item item,
                       const tw_passed *arguments);
bool tw_test_call(tw_machine *machine, size_t test, tw_item item,
                  const tw_passed *arguments);
tw_item tw_method_call(tw_machine *machine, tw_item self, size_t method,
                       const tw_passed *arguments);
tw_item tw_function_call(tw_machine *machine, size_t function,
                         const tw_passed *arguments);

/* Does the sandbox hide the method, since it changes its value? */
bool tw_method_is_unsafe(size_t method);
/* Has anything a method of this name, or may it be one that is hidden? */
bool tw_method_is_name(const char *name, size_t size);

/* The global functions by their numbers; NULL behind the last one. */
const char *tw_function_name(size_t function);

#endif
