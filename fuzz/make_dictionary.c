/* SPDX-License-Identifier: MIT
 *
 * Writes the dictionary of all fuzz targets: the markers of all formats, and
 * what stands between them.
 *
 *     make_dictionary FILE
 */
#include <stdio.h>
#include <string.h>

#include "support/fragments.h"

/* Of chat templates. */
static const char *const template_words[] = {"{{",
                                             "}}",
                                             "{%",
                                             "%}",
                                             "{%-",
                                             "-%}",
                                             "{#",
                                             "#}",
                                             "{% if ",
                                             "{% else %}",
                                             "{% endif %}",
                                             "{% for ",
                                             "{% endfor %}",
                                             "{% set ",
                                             "{% macro ",
                                             "{% endmacro %}",
                                             "namespace(",
                                             "loop.",
                                             "recursive",
                                             "range(",
                                             "dict(",
                                             "cycler(",
                                             "messages",
                                             "tools",
                                             "content",
                                             " | ",
                                             " ~ ",
                                             " ** ",
                                             " // ",
                                             " == ",
                                             " in ",
                                             " is ",
                                             "[::-1]",
                                             "map(",
                                             "select(",
                                             "tojson",
                                             "format(",
                                             "groupby(",
                                             "sort",
                                             "unique",
                                             "join",
                                             "replace(",
                                             "split(",
                                             "strip(",
                                             "upper",
                                             "title",
                                             "escape",
                                             "round(",
                                             "wordwrap(",
                                             "striptags",
                                             "from_json",
                                             "1e308",
                                             "9223372036854775807"};

/* libFuzzer takes no longer word. */
enum { LONGEST = 64, MOST_WORDS = 1 << 14 };

typedef struct dictionary {
    FILE *out;
    const char *words[MOST_WORDS];
    size_t count;
} dictionary;

static bool is_known(const dictionary *all, const char *word)
{
    size_t i = 0;
    while (i < all->count && strcmp(all->words[i], word) != 0) {
        i++;
    }
    return i < all->count;
}

static void write_word(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != 0; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool plain = c > 32 && c < 127 && c != '"' && c != '\\';
        fprintf(out, plain ? "%c" : "\\x%02x", c);
    }
    fputs("\"\n", out);
}

static void add_words(dictionary *all, const char *const *words,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strlen(words[i]) <= LONGEST && all->count < MOST_WORDS &&
            !is_known(all, words[i])) {
            write_word(all->out, words[i]);
            all->words[all->count++] = words[i];
        }
    }
}

int main(int count, char **arguments)
{
    static dictionary all;
    const fragments *set;
    all.out = count == 2 ? fopen(arguments[1], "wb") : NULL;
    if (all.out == NULL) {
        fprintf(stderr, "usage: make_dictionary FILE\n");
        return 2;
    }
    for (size_t i = 0; (set = fragments_at(i)) != NULL; i++) {
        add_words(&all, set->parts, set->part_count);
        add_words(&all, set->texts, set->text_count);
    }
    add_words(&all, template_words,
              sizeof template_words / sizeof *template_words);
    return fclose(all.out) != 0;
}
