/* SPDX-License-Identifier: MIT
 *
 * What tw_format_warning() doubts of a description: each doubt alone, and
 * beside it what is as near and is none.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "loading.h"

#define REST ",\"turn\":\"<m>\",\"stops\":\"<stop>\",\"end\":\"<stop>\"}"
#define EXAMPLE \
    ",\"example\":\"<c>{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}</c>\""
#define OBJECT "\"call\":\"<c>{object}</c>\""
#define TAGS(behind)                                                 \
    "\"call\":\"<c={name}>{arguments}" behind "</c>\",\"argument\":" \
    "\"<p={key}>{value}</p>\",\"example\":\"<c=f><p=a>x</p></c>\""

/* The first words of the only doubt; NULL: there is none. */
static const struct {
    const char *description;
    const char *doubt;
} rows[] = {
    {OBJECT EXAMPLE REST, NULL},
    {OBJECT REST, "example: missing"},
    {OBJECT EXAMPLE ",\"turn\":\"<m>\"}", "stops: missing"},
    {OBJECT EXAMPLE ",\"stops\":\"<stop>\",\"end\":\"<stop>\"}",
     "turn: missing"},
    {"\"call\":\"{object}\",\"calls_alone\":true,\"example\":"
     "\"{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}\"" REST,
     "call: one begins without a marker"},
    {"\"call\":\"\\n{object}\",\"calls_alone\":true,\"example\":"
     "\"{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}\"" REST,
     "call: one begins without a marker"},
    {"\"call\":\"<c>{object}</c>\",\"loose\":{\"call\":\"{object}</"
     "c>\"}" EXAMPLE REST,
     NULL},
    {"\"call\":\"\\n<c>{object}</c>\"" EXAMPLE REST, NULL},
    {"\"reasoning\":\"{text}</t>\"," OBJECT
     ",\"example\":\"x</t><c>{\\\"name\\\":"
     "\\\"f\\\",\\\"arguments\\\":{}}</c>\"" REST,
     "reasoning: the output begins inside it"},
    {"\"reasoning\":\"<t>{text}</t>\"," OBJECT EXAMPLE REST, NULL},
    {"\"call\":\"<<{object}</c>\",\"example\":"
     "\"<<{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}</c>\"" REST,
     "a marker that opens a call or reasoning is shorter"},
    {"\"call\":\"<<<{object}</c>\",\"example\":"
     "\"<<<{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}</c>\"" REST,
     NULL},
    {"\"call\":\"<<{object}</c>\",\"tokens\":[\"<<\"],\"example\":"
     "\"<<{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}</c>\"" REST,
     NULL},
    {"\"call\":\"<c>{object}]\",\"example\":"
     "\"<c>{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}]\"" REST,
     "a marker is one byte that JSON may hold"},
    {"\"call\":\"<c>{object}>\",\"example\":"
     "\"<c>{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}>\"" REST,
     NULL},
    {"\"between\":\" and \"," OBJECT EXAMPLE REST, "between: it is neither"},
    {"\"between\":\",\\n\"," OBJECT EXAMPLE REST, NULL},
    {"\"between\":\"<and>\",\"tokens\":[\"<x>\",\"<and>\"]," OBJECT EXAMPLE
         REST,
     NULL},
    {OBJECT EXAMPLE
     ",\"turn\":\"<m>\",\"stops\":[\"<stop>\",\"<eos>\"],\"end\":\"\\n\"}",
     "end: it holds none of the stops"},
    {OBJECT EXAMPLE ",\"turn\":\"<m>\",\"stops\":[\"<stop>\",\"<eos>\"],"
                    "\"end\":\"<eos>\\n\"}",
     NULL},
    {"\"argument\":\"<p={key}>{value}</p>\"," OBJECT EXAMPLE REST,
     "argument: no call has {arguments}"},
    {"\"values\":\"repr\"," OBJECT EXAMPLE REST, "values: no call has values"},
    {"\"values\":\"repr\",\"call\":\"<c>{python}</c>\",\"example\":"
     "\"<c>[f(a='x')]</c>\"" REST,
     NULL},
    {TAGS("") REST, NULL},
    {TAGS("{skip}") REST, "call: {skip} behind {arguments}"},
};

Test(doubts, each_is_told_alone)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char json[600] = "{\"format\":1,";
        strcat(json, rows[i].description);
        tw_format *format = loaded_from(json);
        const char *first = tw_format_warning(format, 0);
        if (rows[i].doubt == NULL) {
            cr_expect_null(first, "%s: %s", json, first);
        } else {
            cr_assert_not_null(first, "%s", json);
            cr_expect_eq(strncmp(first, rows[i].doubt, strlen(rows[i].doubt)),
                         0, "%s: %s", json, first);
            cr_expect_null(tw_format_warning(format, 1), "%s: %s", json,
                           tw_format_warning(format, 1));
        }
        tw_format_free(format);
    }
}

/* All that can be doubted of one, in the order of the table. */
Test(doubts, are_told_in_their_order)
{
    static const char *const words[] = {"example: missing", "stops: missing",
                                        "turn: missing", "call: one begins"};
    static const char json[] =
        "{\"format\":1,\"call\":\"{object}\",\"calls_alone\":true}";
    tw_format *format = loaded_from(json);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *doubt = tw_format_warning(format, i);
        cr_assert_not_null(doubt);
        cr_expect_eq(strncmp(doubt, words[i], strlen(words[i])), 0, "%s",
                     doubt);
    }
    cr_expect_null(tw_format_warning(format, sizeof words / sizeof *words));
    tw_format_free(format);
}
