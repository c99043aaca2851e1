/* SPDX-License-Identifier: MIT
 *
 * Harmony: its scanner by itself.
 */
#include <criterion/criterion.h>

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
