/* SPDX-License-Identifier: MIT
 *
 * What the library asks of <stdlib.h>, in WebAssembly; heap.c has it.
 */
#ifndef TOOLWIRE_WASM_STDLIB_H
#define TOOLWIRE_WASM_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *realloc(void *pointer, size_t size);
void free(void *pointer);

#endif
