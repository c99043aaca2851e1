/* SPDX-License-Identifier: MIT
 *
 * The first bytes of archives and of texts that are not UTF-8, and what to say
 * of them.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/files/foreign.h"
#include "cli/files/io.h"
#include "cli/files/paths.h"
#include "cli/files/print.h"

#define BYTES(literal) literal, sizeof(literal) - 1
#define A_LINE_EACH ", where each line is to be a record"
#define OLD_JQ " (jq before 1.7 rounds numbers)"
#define UTF_16 "UTF-16, where UTF-8 is due"
#define UTF_32 "UTF-32, where UTF-8 is due"

/* One that another one begins with stands behind it. */
static const cli_foreign rows[] = {
    {NULL, NULL, BYTES("\xEF\xBB\xBF"), false, CLI_PLAIN},
    {"compressed by gzip", "zcat", BYTES("\x1F\x8B\x08"), false, CLI_GZIP},
    {"compressed by zstd", "zstdcat", BYTES("\x28\xB5\x2F\xFD"), false,
     CLI_ZSTD},
    {"compressed by bzip2", "bzcat", BYTES("BZh?1AY&SY"), false, CLI_PLAIN},
    {"compressed by xz", "xzcat",
     BYTES("\xFD"
           "7zXZ\0"),
     false, CLI_PLAIN},
    {"a ZIP archive", "unzip -p", BYTES("PK\x03\x04"), false, CLI_PLAIN},
    {"a Parquet file",
     "python3 -c \"import pandas, sys; pandas.read_parquet(sys.argv[1])"
     ".to_json(sys.stdout, orient='records', lines=True)\"",
     BYTES("PAR1"), true, CLI_PLAIN},
    {UTF_32, "iconv -f UTF-32 -t UTF-8", BYTES("\xFF\xFE\0\0"), false,
     CLI_PLAIN},
    {UTF_32, "iconv -f UTF-32 -t UTF-8", BYTES("\0\0\xFE\xFF"), false,
     CLI_PLAIN},
    {UTF_16, "iconv -f UTF-16 -t UTF-8", BYTES("\xFF\xFE?\0"), false,
     CLI_PLAIN},
    {UTF_16, "iconv -f UTF-16 -t UTF-8", BYTES("\xFE\xFF\0?"), false,
     CLI_PLAIN},
    {UTF_32, "iconv -f UTF-32LE -t UTF-8", BYTES("?\0\0\0"), true, CLI_PLAIN},
    {UTF_32, "iconv -f UTF-32BE -t UTF-8", BYTES("\0\0\0?"), true, CLI_PLAIN},
    {UTF_16, "iconv -f UTF-16LE -t UTF-8", BYTES("?\0"), true, CLI_PLAIN},
    {UTF_16, "iconv -f UTF-16BE -t UTF-8", BYTES("\0?"), true, CLI_PLAIN},
};

static bool begins(const cli_foreign *row, const char *data, size_t size)
{
    for (size_t i = 0; i < size && i < row->size; i++) {
        const bool any = row->bytes[i] == '?' && data[i] != '\0';
        if (!any && data[i] != row->bytes[i]) {
            return false;
        }
    }
    return true;
}

/* A tar archive, whose mark stands so far behind that nobody waits for it. */
static const cli_foreign *find_tar(const char *data, size_t size)
{
    enum { PLACE = 257 };
    static const char mark[] = "ustar";
    static const cli_foreign tar = {"a tar archive", "tar -xOf", NULL, 0,
                                    false,           CLI_PLAIN};
    return size >= PLACE + sizeof mark &&
                   memcmp(data + PLACE, mark, sizeof mark - 1) == 0
               ? &tar
               : NULL;
}

bool cli_foreign_look(const char *data, size_t size, bool ended, bool json,
                      const cli_foreign **found)
{
    *found = find_tar(data, size);
    if (*found != NULL) {
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cli_foreign *row = &rows[i];
        if ((row->json && !json) || !begins(row, data, size)) {
            continue;
        }
        if (size >= row->size) {
            *found = row;
            return true;
        }
        if (!ended) {
            return false;
        }
    }
    return true;
}

static bool is_one_of(const char *set, char c)
{
    return c != '\0' && strchr(set, c) != NULL;
}

#define A_TABLE "a table, where each line is to be a JSON record"
#define TABLE_REMEDY(delimiter)                                               \
    "python3 -c \"import csv, json, sys; [print(json.dumps(row)) for row in " \
    "csv.DictReader(open(*sys.argv[1:] or [0]), delimiter='" delimiter        \
    "')]\""

/* Is the line names with |mark| between them, the first of a table?  Each is a
 * word, or quoted. */
static bool is_head_of_table(const char *line, size_t size, char mark)
{
    size_t names = 0;
    size_t at = 0;
    for (; at < size; at++, names++) {
        const size_t begin = at;
        const bool quoted = line[at] == '"';
        for (at += quoted; at < size && line[at] != (quoted ? '"' : mark);
             at++) {
            if (!quoted && is_one_of("{}[]<>\": ", line[at])) {
                return false;
            }
        }
        at += quoted;
        if (at == begin || (at < size && line[at] != mark)) {
            return false;
        }
    }
    return names > 1;
}

const cli_foreign *cli_foreign_line(const char *line, size_t size)
{
    static const cli_foreign array = {"one JSON array" A_LINE_EACH OLD_JQ,
                                      "jq -c '.[]'",
                                      NULL,
                                      0,
                                      true,
                                      CLI_PLAIN};
    static const cli_foreign commas = {
        A_TABLE " (CSV)", TABLE_REMEDY(","), NULL, 0, true, CLI_PLAIN};
    static const cli_foreign tabs = {
        A_TABLE " (TSV)", TABLE_REMEDY("\\t"), NULL, 0, true, CLI_PLAIN};
    static const cli_foreign object = {
        "JSON over several lines" A_LINE_EACH OLD_JQ,
        "jq -c .",
        NULL,
        0,
        true,
        CLI_PLAIN};
    while (size > 0 && is_one_of(" \t\r", line[size - 1])) {
        size--;
    }
    /* A record that is cut off or spoiled will hardly end like this. */
    if (size > 0 && line[0] == '[' && is_one_of("[{,", line[size - 1])) {
        return &array;
    }
    return size == 1 && line[0] == '{'          ? &object
           : is_head_of_table(line, size, ',')  ? &commas
           : is_head_of_table(line, size, '\t') ? &tabs
                                                : NULL;
}

void cli_foreign_say(const cli_foreign *found, const char *name)
{
    const bool standard = cli_path_is_standard(name);
    cli_say("%s: this is %s: read it by `%s%s%s | toolwire ...`", name,
            found->what, found->remedy, standard ? "" : " ",
            standard ? "" : name);
}
