/* SPDX-License-Identifier: MIT
 *
 * What the library asks of <stdlib.h>, in WebAssembly; heap.c and search.c
 * have it.
 */
#ifndef TOOLWIRE_WASM_STDLIB_H
#define TOOLWIRE_WASM_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *realloc(void *pointer, size_t size);
void free(void *pointer);
void *bsearch(const void *key, const void *list, size_t count, size_t size,
              int (*compare)(const void *, const void *));

#endif
