/* SPDX-License-Identifier: MIT
 *
 * What the library asks of <string.h>, in WebAssembly; string.c has it.
 */
#ifndef TOOLWIRE_WASM_STRING_H
#define TOOLWIRE_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
void *memchr(const void *text, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
char *strchr(const char *text, int byte);
size_t strspn(const char *text, const char *these);
size_t strcspn(const char *text, const char *these);
char *strstr(const char *text, const char *part);

#endif
