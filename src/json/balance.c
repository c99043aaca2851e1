/* SPDX-License-Identifier: MIT
 *
 * Brackets and strings of an element that is skipped.
 */
#include "json/balance.h"

#include <string.h>

#include "core/skip.h"
#include "json/machine_state.h"

void tw_balance_start(tw_balance *its)
{
    its->depth = 0;
    its->quote = 0;
    its->last = ',';
    its->escaped = false;
    its->flat = true;
}

bool tw_balance_go_on(tw_balance *its, const tw_json *json)
{
    const bool due = json->state == VALUE || json->state == KEY ||
                     json->state == FIRST_ELEMENT || json->state == FIRST_KEY;
    const bool behind =
        json->state == COLON || (json->state == AFTER && json->quote != 0);
    tw_balance_start(its);
    its->flat = false;
    its->last = due ? ',' : behind ? '"' : 0;
    if (json->levels.size > TW_BALANCE_DEPTH || json->levels.size == 0) {
        return false;
    }
    for (size_t i = 0; i < json->levels.size; i++) {
        its->closers[i] = (json->levels.data[i] & OBJECT) != 0 ? '}' : ']';
    }
    its->depth = json->levels.size;
    /* Of doubled braces nothing tells which are missing. */
    return json->state != STRING && !json->doubled;
}

static bool is_one_of(uint8_t c, const char *bytes, size_t count)
{
    return memchr(bytes, c, count) != NULL;
}

/* A byte of a string. */
static void read_string(tw_balance *its, uint8_t c)
{
    const bool ends = c == its->quote && !its->escaped;
    its->escaped = c == '\\' && !its->escaped;
    its->quote = ends ? 0 : its->quote;
    its->last = '"';
}

static bool may_quote(const tw_balance *its, uint8_t c)
{
    return c == '"' || (c == '\'' && is_one_of(its->last, "{[,:", 4));
}

/* A byte between strings that is no white space. */
static tw_balanced read_token(tw_balance *its, uint8_t c)
{
    if (its->last == '"' && !is_one_of(c, ",:}]", 4)) {
        return TW_BALANCE_LOST;
    }
    if (may_quote(its, c)) {
        its->quote = c;
        return TW_BALANCE_OPEN;
    }
    if (c == '{' || c == '[') {
        if (its->depth == TW_BALANCE_DEPTH) {
            return TW_BALANCE_LOST;
        }
        its->closers[its->depth++] = c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
        if (its->depth == 0 || its->closers[--its->depth] != c) {
            return TW_BALANCE_LOST;
        }
    }
    its->last = c;
    return its->depth > 0 || its->flat ? TW_BALANCE_OPEN : TW_BALANCE_ENDED;
}

tw_balanced tw_balance_run(tw_balance *its, const uint8_t **at,
                           const uint8_t *limit)
{
    tw_balanced found = TW_BALANCE_OPEN;
    for (; *at < limit && found == TW_BALANCE_OPEN; ++*at) {
        const uint8_t c = **at;
        if (its->quote != 0) {
            read_string(its, c);
        } else if (its->flat && its->depth == 0 && (c == ',' || c == ']')) {
            return TW_BALANCE_ENDED;
        } else if (!tw_is_ws(c)) {
            found = read_token(its, c);
        }
    }
    return found;
}
