/* SPDX-License-Identifier: MIT
 *
 * Nemotron: its scanner by itself.
 */
#include <criterion/criterion.h>

#include "formats/nemotron.h"

/* Of nothing a scanner wants more, if there is more to come. */
Test(scanners, nemotron_nothing)
{
    const uint8_t *at = (const uint8_t *)"";
    size_t size = 9;
    cr_expect_eq(tw_nemotron_scan_tag(at, at, false, &size), TW_HERMES_MORE);
    cr_expect_eq(size, 9);
    cr_expect_eq(tw_nemotron_scan_tag(at, at, true, &size), TW_HERMES_NONE);
    cr_expect_eq(size, 0);
}
