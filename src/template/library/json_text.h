/* SPDX-License-Identifier: MIT
 *
 * json.dumps() of a template's values.
 */
#ifndef TOOLWIRE_TEMPLATE_JSON_TEXT_H
#define TOOLWIRE_TEMPLATE_JSON_TEXT_H

#include "template/machine/machine.h"

typedef struct tw_json_layout {
    bool ascii;              /* ensure_ascii */
    bool sorted;             /* sort_keys */
    const tw_string *indent; /* of one level, or NULL: all in one line */
    const tw_string *comma;
    const tw_string *colon;
} tw_json_layout;

/* What Python cannot write is an error of the machine. */
tw_item tw_json_text(tw_machine *machine, tw_item item,
                     const tw_json_layout *layout);
/* JSON text of the request: a marker in it gets an escape. */
const tw_string *tw_json_guarded(tw_machine *machine, const tw_string *json);
/* The value of a JSON text, or an error of the machine. */
tw_item tw_json_value(tw_machine *machine, const tw_string *text);
/* What templates see of a tree's value. */
tw_item tw_item_of_value(tw_machine *machine, const tw_value *value);

#endif
