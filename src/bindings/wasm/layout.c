/* SPDX-License-Identifier: MIT
 *
 * The places of members that JavaScript reads in the instance's memory
 * (../node/src/memory.mjs has the same numbers).  This compiles or it does
 * not; there is no code in it.
 */
#include "toolwire.h"

#define PLACE(type, member, place)                    \
    _Static_assert(offsetof(type, member) == (place), \
                   #type "." #member " is not at " #place)

PLACE(tw_event, type, 0);
PLACE(tw_event, index, 4);
PLACE(tw_event, code, 8);
PLACE(tw_event, flags, 12);
PLACE(tw_event, data, 16);
PLACE(tw_event, size, 20);
PLACE(tw_event, id, 24);
PLACE(tw_event, id_size, 28);
PLACE(tw_event, offset, 32);
PLACE(tw_event, span, 40);
_Static_assert(sizeof(tw_event) == 48, "tw_event has 48 bytes");

PLACE(tw_error, code, 0);
PLACE(tw_error, detail, 4);
PLACE(tw_error, offset, 8);
PLACE(tw_error, message, 16);
PLACE(tw_error, path, 20);
_Static_assert(sizeof(tw_error) == 24, "tw_error has 24 bytes");

PLACE(tw_format_error, code, 0);
PLACE(tw_format_error, offset, 8);
PLACE(tw_format_error, message, 16);
_Static_assert(sizeof(tw_format_error) == 336,
               "tw_format_error has 336 bytes");

PLACE(tw_segment, control, 0);
PLACE(tw_segment, data, 4);
PLACE(tw_segment, size, 8);

PLACE(tw_template_source, text, 0);
PLACE(tw_template_source, size, 4);
PLACE(tw_template_source, config, 8);
PLACE(tw_template_source, config_size, 12);
PLACE(tw_template_source, name, 16);
_Static_assert(sizeof(tw_template_source) == 20,
               "tw_template_source has 20 bytes");

PLACE(tw_grammar_options, target, 0);
PLACE(tw_grammar_options, start, 4);
PLACE(tw_grammar_options, choice, 8);
PLACE(tw_grammar_options, parallel, 12);
PLACE(tw_grammar_options, wider, 16);
PLACE(tw_grammar_options, special_tokens, 20);
PLACE(tw_grammar_options, special_size, 24);
_Static_assert(sizeof(tw_grammar_options) <= 32,
               "tw_grammar_options has no more than 32 bytes");

PLACE(tw_span, start, 0);
PLACE(tw_span, end, 8);
PLACE(tw_span, message, 16);
PLACE(tw_span, part, 24);
PLACE(tw_span, sampled, 28);

PLACE(tw_marker, text, 0);
PLACE(tw_marker, size, 4);
PLACE(tw_marker, role, 8);
PLACE(tw_marker, token, 12);
PLACE(tw_marker, literal, 13);
PLACE(tw_marker, stop, 14);
PLACE(tw_marker, decoded, 15);

PLACE(tw_setting, name, 0);
PLACE(tw_setting, type, 4);
PLACE(tw_setting, about, 8);

PLACE(tw_diagnostic, code, 0);
PLACE(tw_diagnostic, warning, 4);
PLACE(tw_diagnostic, name, 8);
PLACE(tw_diagnostic, text, 12);

PLACE(tw_loss, code, 0);
PLACE(tw_loss, kind, 4);
PLACE(tw_loss, severity, 8);
PLACE(tw_loss, name, 12);
PLACE(tw_loss, text, 16);
