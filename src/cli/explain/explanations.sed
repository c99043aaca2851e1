# SPDX-License-Identifier: MIT
#
# Makes C of explanations.txt: sed -E -f.  A remedy with a name is a macro.
1i\
#include <stddef.h>\
\
#include "cli/explain/explanations.h"\
\
const cli_explanation cli_explanations[] = {
/^#/d
/^$/d
s/[\"]/\\&/g
s/^([A-Za-z0-9_]+): (.*)/    {"\1", "\2",/
s/^\$ (.*)/     "\1",/
s/^> (.*)/     "\1"},/
s/^=([a-z]+)$/     remedy_\1},/
s/^=([a-z]+) (.*)/#define remedy_\1 "\2"/
$a\
    {NULL, "", "", ""}};
