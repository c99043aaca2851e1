/* SPDX-License-Identifier: MIT
 *
 * Mistral: its scanner by itself.
 */
#include <criterion/criterion.h>

#include "formats/mistral.h"

/* Of nothing a scanner wants more, if there is more to come. */
Test(scanners, mistral_nothing)
{
    const uint8_t *at = (const uint8_t *)"";
    size_t size = 9;
    cr_expect_eq(tw_mistral_scan_marker(at, at, false, &size),
                 TW_MISTRAL_MORE);
    cr_expect_eq(size, 9);
    cr_expect_eq(tw_mistral_scan_marker(at, at, true, &size), TW_MISTRAL_NONE);
    cr_expect_eq(size, 0);
}
