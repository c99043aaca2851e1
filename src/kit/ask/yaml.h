/* SPDX-License-Identifier: MIT
 *
 * YAML as fixtures of parsers have it, made JSON.
 */
#ifndef TOOLWIRE_KIT_YAML_H
#define TOOLWIRE_KIT_YAML_H

#include "json/dump.h"

typedef struct kit_yaml_error {
    const char *why;
    size_t line;   /* from 1 */
    size_t column; /* from 1, in bytes */
} kit_yaml_error;

/* Writes the one document of |text| as JSON.  What is known: mappings,
 * sequences, plain, quoted and block scalars, anchors and aliases, flow
 * collections and comments.  Tags, directives, merge keys, keys that are no
 * scalars and further documents are not.  False: |*error| says what is wrong,
 * or |failed| of the output is set. */
bool kit_yaml_read(tw_json_out *out, const char *text, size_t size,
                   kit_yaml_error *error);

#endif
