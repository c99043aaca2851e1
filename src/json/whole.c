/* SPDX-License-Identifier: MIT
 *
 * One pass over an object without a fault: where it ends, or that the machine
 * must look.
 */
#include "json/whole.h"

#include "json/scalar.h"
#include "json/advance.h"

/* A level is a bit of a number.  The machine does not wait for what follows
 * a comma beyond many blanks. */
enum { DEPTH_LIMIT = 64, BLANKS_LIMIT = 64 };

typedef struct whole {
    const uint8_t *at;
    const uint8_t *limit;
    size_t depth, depth_limit;
    uint64_t arrays; /* the lowest bit: is the innermost level one? */
    bool due;        /* a member or element must follow */
} whole;

/* Each of these says whether it found what it looks for. */

static bool skip_blanks(whole *its)
{
    its->at = tw_behind_ws(its->at, its->limit);
    return its->at < its->limit;
}

static bool skip_string(whole *its)
{
    const uint8_t *end = tw_json_string_end(its->at + 1, its->limit);
    if (end == its->limit || *end != '"') {
        return false;
    }
    its->at = end + 1;
    return true;
}

static void close_level(whole *its)
{
    its->at++;
    its->depth--;
    its->arrays >>= 1;
    its->due = false;
}

static bool skip_open(whole *its)
{
    const bool array = *its->at == '[';
    if (its->depth == its->depth_limit) {
        return false;
    }
    its->at++;
    its->depth++;
    its->arrays = its->arrays << 1 | array;
    its->due = true;
    if (!skip_blanks(its)) {
        return false;
    }
    if (*its->at == (array ? ']' : '}')) {
        close_level(its);
    }
    return true;
}

static bool skip_key(whole *its)
{
    if (*its->at != '"' || !skip_string(its) || !skip_blanks(its) ||
        *its->at != ':') {
        return false;
    }
    its->at++;
    return skip_blanks(its);
}

static bool skip_value(whole *its)
{
    its->due = false;
    switch (*its->at) {
    case '"': return skip_string(its);
    case '{':
    case '[': return skip_open(its);
    default: break;
    }
    const uint8_t *end = tw_json_scalar_end(its->at, its->limit);
    if (end == NULL) {
        return false;
    }
    its->at = end;
    return true;
}

/* A comma or a closer. */
static bool skip_behind_value(whole *its)
{
    const bool array = (its->arrays & 1) != 0;
    if (!skip_blanks(its)) {
        return false;
    }
    if (*its->at == ',') {
        const uint8_t *comma = its->at++;
        its->due = true;
        return skip_blanks(its) && its->at - comma <= BLANKS_LIMIT;
    }
    const bool closes = *its->at == (array ? ']' : '}');
    if (closes) {
        close_level(its);
    }
    return closes;
}

const uint8_t *tw_json_whole_object(const uint8_t *at, const uint8_t *limit,
                                    size_t depth)
{
    const bool longer = limit - at > TW_JSON_WHOLE_SIZE;
    whole its = {.at = at, .limit = longer ? at + TW_JSON_WHOLE_SIZE : limit};
    its.depth_limit = depth < DEPTH_LIMIT ? depth : DEPTH_LIMIT;
    bool on = *at == '{' && skip_open(&its);
    while (on && its.depth > 0) {
        on = its.due ? ((its.arrays & 1) != 0 || skip_key(&its)) &&
                           skip_value(&its)
                     : its.at < its.limit && skip_behind_value(&its);
    }
    return on ? its.at : NULL;
}
