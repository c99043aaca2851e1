/* SPDX-License-Identifier: MIT
 *
 * What the library asks of <time.h>, in WebAssembly; clock.c has it.
 */
#ifndef TOOLWIRE_WASM_TIME_H
#define TOOLWIRE_WASM_TIME_H

typedef long long time_t;

time_t time(time_t *now);

#endif
