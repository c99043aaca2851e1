/* SPDX-License-Identifier: MIT
 *
 * Mistral: marks (checks/marks.h).
 */
#include "checks/marks.h"

/* No call is without its marker. */
static const marked_text bare[] = {
    {"mistral", "text[f[ARGS]{}]", {T("f"), C("[ARGS]"), T("{}")}},
};

Test(marks, mistral_bare_calls)
{
    check_marks(bare, sizeof bare / sizeof *bare, false);
}
