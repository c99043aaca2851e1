/* SPDX-License-Identifier: MIT
 *
 * time() of a WebAssembly instance.  A module without imports has no clock: the
 * host tells the time before a template may ask for it.
 */
#include <stddef.h>
#include <time.h>

static time_t told;

__attribute__((visibility("default"))) void tw_wasm_set_time(double seconds);

/* |seconds| since 1970; a number that is none, or no such time, is 0. */
void tw_wasm_set_time(double seconds)
{
    told = seconds > 0 && seconds < 1e15 ? (time_t)seconds : 0;
}

time_t time(time_t *now)
{
    if (now != NULL) {
        *now = told;
    }
    return told;
}
