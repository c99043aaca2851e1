/* SPDX-License-Identifier: MIT
 *
 * Harmony: its scanner by itself.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "formats/harmony/harmony.h"

/* Of nothing a scanner wants more, if there is more to come. */
Test(scanners, harmony_nothing)
{
    const uint8_t *at = (const uint8_t *)"";
    size_t size = 9;
    cr_expect_eq(tw_harmony_scan_marker(at, at, false, &size),
                 TW_HARMONY_MORE);
    cr_expect_eq(size, 9);
    cr_expect_eq(tw_harmony_scan_marker(at, at, true, &size), TW_HARMONY_NONE);
    cr_expect_eq(size, 0);
}

/* The table, the scanner and what grammars are told name one set of tokens. */
Test(scanners, harmony_tokens_are_spelled_alike)
{
    const tw_format *format = tw_format_find("harmony");
    for (size_t i = 0; i < tw_harmony_marker_count; i++) {
        const tw_marker *marker = &tw_harmony_markers[i];
        const uint8_t *at = (const uint8_t *)marker->text;
        size_t size = 0;
        cr_expect_eq(
            tw_harmony_scan_marker(at, at + marker->size, true, &size),
            (tw_harmony_marker)(TW_HARMONY_START + i));
        cr_expect_eq(size, marker->size, "%s", marker->text);
        cr_expect_not_null(strstr(format->canonical, marker->text), "%s",
                           marker->text);
    }
}
