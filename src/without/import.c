/* SPDX-License-Identifier: MIT
 *
 * Where a build leaves imports out: a response_template is known, and refused.
 */
#include "formats/language/load_state.h"

const tw_value *tw_load_template(const tw_value *root)
{
    return root->kind == TW_VALUE_OBJECT
               ? tw_value_member(root, "response_template")
               : NULL;
}

void tw_load_import(tw_loader *loader, const tw_value *root,
                    const tw_value *template, tw_buffer *json)
{
    (void)root;
    (void)template;
    (void)json;
    tw_load_refuse(loader, "response_template: imports are not in this build",
                   "", 0, "");
}
