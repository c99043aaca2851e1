/* SPDX-License-Identifier: MIT
 *
 * Strict JSON as a tree, by recursive descent.
 */
#include "naive_tree.h"

#include "naive_json.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 512 };

typedef struct tree_reader {
    const char *text;
    size_t at, size, depth;
} tree_reader;

static int peek(const tree_reader *reader)
{
    return reader->at < reader->size ? (unsigned char)reader->text[reader->at]
                                     : -1;
}

static void skip_blanks(tree_reader *reader)
{
    while (peek(reader) == ' ' || peek(reader) == '\t' ||
           peek(reader) == '\r' || peek(reader) == '\n')
        reader->at++;
}

static bool eat(tree_reader *reader, const char *word)
{
    if (reader->size - reader->at < strlen(word) ||
        memcmp(reader->text + reader->at, word, strlen(word)) != 0)
        return false;
    reader->at += strlen(word);
    return true;
}

/* --- strings ----------------------------------------------------------- */

static void add_code_point(naive_bytes *out, unsigned code)
{
    char bytes[4];
    size_t size = 0;

    if (code < 0x80) {
        bytes[size++] = (char)code;
    } else if (code < 0x800) {
        bytes[size++] = (char)(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[size++] = (char)(0xE0 | code >> 12);
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3F));
    } else {
        bytes[size++] = (char)(0xF0 | code >> 18);
        bytes[size++] = (char)(0x80 | (code >> 12 & 0x3F));
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3F));
    }
    if (code >= 0x80)
        bytes[size++] = (char)(0x80 | (code & 0x3F));
    naive_add(out, bytes, size);
}

static bool read_hex(tree_reader *reader, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(reader);
        const char *digits = "0123456789abcdef";
        const char *digit;

        if (c >= 'A' && c <= 'F')
            c += 'a' - 'A';
        digit = c > 0 ? strchr(digits, c) : NULL;
        if (!digit)
            return false;
        *code = *code * 16 + (unsigned)(digit - digits);
        reader->at++;
    }
    return true;
}

/* A lone surrogate is kept in its three bytes: good enough to compare. */
static bool read_unicode(tree_reader *reader, naive_bytes *out)
{
    unsigned code, low;
    tree_reader ahead;

    if (!read_hex(reader, &code))
        return false;
    ahead = *reader;
    if (code >= 0xD800 && code < 0xDC00 && eat(&ahead, "\\u") &&
        read_hex(&ahead, &low) && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00);
        *reader = ahead;
    }
    add_code_point(out, code);
    return true;
}

static bool read_string(tree_reader *reader, naive_bytes *out)
{
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";

    naive_add(out, "", 0);
    if (!eat(reader, "\""))
        return false;
    while (peek(reader) >= 0x20) {
        char c = reader->text[reader->at++];
        const char *escape;

        if (c == '"')
            return true;
        if (c != '\\') {
            naive_add(out, &c, 1);
            continue;
        }
        if (eat(reader, "u")) {
            if (!read_unicode(reader, out))
                return false;
            continue;
        }
        escape = peek(reader) > 0 ? strchr(escapes, peek(reader)) : NULL;
        if (!escape)
            return false;
        naive_add(out, &meanings[escape - escapes], 1);
        reader->at++;
    }
    return false;
}

/* --- values ------------------------------------------------------------ */

static bool eat_digits(tree_reader *reader)
{
    size_t begin = reader->at;

    while (peek(reader) >= '0' && peek(reader) <= '9')
        reader->at++;
    return reader->at > begin;
}

static bool read_number(tree_reader *reader, naive_bytes *out)
{
    size_t begin = reader->at;

    (void)eat(reader, "-");
    if (!eat(reader, "0") && !eat_digits(reader))
        return false;
    if (eat(reader, ".") && !eat_digits(reader))
        return false;
    if (eat(reader, "e") || eat(reader, "E")) {
        if (!eat(reader, "+"))
            (void)eat(reader, "-");
        if (!eat_digits(reader))
            return false;
    }
    naive_add(out, reader->text + begin, reader->at - begin);
    return true;
}

static bool read_value(tree_reader *reader, naive_tree *out);

static naive_tree *add_child(naive_tree *tree)
{
    tree->children =
        naive_grow(tree->children, (tree->count + 1) * sizeof *tree->children);
    tree->children[tree->count] = (naive_tree){0};
    return &tree->children[tree->count++];
}

static bool read_children(tree_reader *reader, naive_tree *out,
                          const char *closer)
{
    skip_blanks(reader);
    if (eat(reader, closer))
        return true;
    for (;;) {
        naive_tree *child = add_child(out);

        skip_blanks(reader);
        if (out->kind == NAIVE_OBJECT) {
            if (!read_string(reader, &child->key))
                return false;
            skip_blanks(reader);
            if (!eat(reader, ":"))
                return false;
        }
        if (!read_value(reader, child))
            return false;
        skip_blanks(reader);
        if (eat(reader, closer))
            return true;
        if (!eat(reader, ","))
            return false;
    }
}

static bool read_value(tree_reader *reader, naive_tree *out)
{
    static const struct {
        const char *word;
        naive_kind kind;
    } words[] = {
        {"null", NAIVE_NULL}, {"false", NAIVE_FALSE}, {"true", NAIVE_TRUE}};
    bool whole;

    skip_blanks(reader);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        out->kind = words[i].kind;
        if (eat(reader, words[i].word))
            return true;
    }
    if (peek(reader) == '"') {
        out->kind = NAIVE_STRING;
        return read_string(reader, &out->text);
    }
    if (peek(reader) != '{' && peek(reader) != '[') {
        out->kind = NAIVE_NUMBER;
        return read_number(reader, &out->text);
    }
    if (++reader->depth > DEPTH_LIMIT)
        return false;
    out->kind = peek(reader) == '{' ? NAIVE_OBJECT : NAIVE_ARRAY;
    reader->at++;
    whole = read_children(reader, out, out->kind == NAIVE_OBJECT ? "}" : "]");
    reader->depth--;
    return whole;
}

bool naive_tree_read(const char *text, size_t size, naive_tree *out)
{
    tree_reader reader = {.text = text, .size = size};
    bool whole;

    *out = (naive_tree){0};
    whole = read_value(&reader, out);
    skip_blanks(&reader);
    if (whole && reader.at == size)
        return true;
    naive_tree_release(out);
    return false;
}

void naive_tree_release(naive_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        naive_tree_release(&tree->children[i]);
    free(tree->children);
    naive_release(&tree->key);
    naive_release(&tree->text);
    *tree = (naive_tree){0};
}

const naive_tree *naive_tree_get(const naive_tree *tree, const char *key)
{
    const naive_tree *found = NULL;

    if (!tree || tree->kind != NAIVE_OBJECT)
        return NULL;
    for (size_t i = 0; i < tree->count; i++)
        if (strcmp(tree->children[i].key.data, key) == 0)
            found = &tree->children[i];
    return found;
}

const char *naive_tree_text(const naive_tree *tree)
{
    return tree && tree->kind == NAIVE_STRING ? tree->text.data : NULL;
}

static bool same_bytes(const naive_bytes *a, const naive_bytes *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

bool naive_tree_same(const naive_tree *a, const naive_tree *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == NAIVE_NUMBER && !same_bytes(&a->text, &b->text))
        return strtod(a->text.data, NULL) == strtod(b->text.data, NULL);
    if (a->kind == NAIVE_STRING && !same_bytes(&a->text, &b->text))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_bytes(&a->children[i].key, &b->children[i].key) ||
            !naive_tree_same(&a->children[i], &b->children[i]))
            return false;
    return true;
}
