/* SPDX-License-Identifier: MIT
 *
 * The string functions that the library calls.  Copies are instructions of
 * WebAssembly (bulk memory); the rest is rarely asked for more than a few
 * bytes, and is written to be small.
 */
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return __builtin_memcpy(to, from, size);
}

void *memmove(void *to, const void *from, size_t size)
{
    return __builtin_memmove(to, from, size);
}

void *memset(void *to, int byte, size_t size)
{
    return __builtin_memset(to, byte, size);
}

void *memchr(const void *text, int byte, size_t size)
{
    const unsigned char *at = text;
    while (size > 0 && *at != (unsigned char)byte) {
        at++;
        size--;
    }
    return size > 0 ? (void *)at : NULL;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *one = a;
    const unsigned char *other = b;
    while (size > 0 && *one == *other) {
        one++;
        other++;
        size--;
    }
    return size > 0 ? *one - *other : 0;
}

size_t strlen(const char *text)
{
    size_t size = 0;
    while (text[size] != '\0') {
        size++;
    }
    return size;
}

int strncmp(const char *a, const char *b, size_t size)
{
    while (size > 0 && *a == *b && *a != '\0') {
        a++;
        b++;
        size--;
    }
    return size > 0 ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, (size_t)-1);
}

char *strchr(const char *text, int byte)
{
    return memchr(text, byte, strlen(text) + 1);
}

size_t strcspn(const char *text, const char *these)
{
    size_t size = 0;
    while (strchr(these, text[size]) == NULL) {
        size++;
    }
    return size;
}

size_t strspn(const char *text, const char *these)
{
    size_t size = 0;
    while (text[size] != '\0' && strchr(these, text[size]) != NULL) {
        size++;
    }
    return size;
}

char *strstr(const char *text, const char *part)
{
    const size_t size = strlen(part);
    while (strncmp(text, part, size) != 0) {
        if (*text++ == '\0') {
            return NULL;
        }
    }
    return (char *)text;
}
