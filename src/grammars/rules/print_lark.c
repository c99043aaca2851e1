/* SPDX-License-Identifier: MIT
 *
 * Rules as llguidance's dialect of Lark.  What is a token is a terminal, whose
 * end the lexer finds by itself; free text is all text but that which holds a
 * word.
 */
#include "grammars/rules/print.h"
#include "schema/regex_code.h"

/* ---- names -------------------------------------------------------------- */

static void put_name(const tw_rule_out *out, uint32_t number)
{
    const tw_rule *rule = tw_rule_at(out->rules, number);
    if (number == 0) {
        tw_rule_out_text(out, "start");
        return;
    }
    for (const char *at = rule->name; *at != 0; at++) {
        const char upper = (char)(*at >= 'a' && *at <= 'z' ? *at - 32 : *at);
        const char c = *at == '-' ? '_' : rule->token ? upper : *at;
        tw_rule_out_sized(out, &c, 1);
    }
    tw_rule_out_text(out, "_");
    tw_rule_out_number(out, number);
}

/* ---- characters --------------------------------------------------------- */

static void put_words(const tw_rule_out *out, const char *text, size_t size)
{
    tw_rule_out_text(out, "\"");
    for (size_t i = 0; i < size; i++) {
        const uint8_t c = (uint8_t)text[i];
        if (c == '"' || c == '\\') {
            tw_rule_out_text(out, "\\");
            tw_rule_out_sized(out, text + i, 1);
        } else if (c == '\n') {
            tw_rule_out_text(out, "\\n");
        } else if (c < 0x20 || c == 0x7F) {
            tw_rule_out_text(out, "\\u");
            tw_rule_out_hex(out, c, 4);
        } else {
            tw_rule_out_sized(out, text + i, 1);
        }
    }
    tw_rule_out_text(out, "\"");
}

/* A character of a regular expression between slashes. */
static void put_plain(const tw_rule_out *out, uint32_t point)
{
    static const char special[] = "\\^$.|?*+()[]{}/-&~\"#<>";
    if (point == '\n') {
        tw_rule_out_text(out, "\\n");
    } else if (point < 0x20 || point == 0x7F ||
               (point >= 0x80 && point < 0xA0) || point >= 0xFFFE ||
               point == 0xFEFF || point == 0x2028 || point == 0x2029) {
        tw_rule_out_text(out, "\\x{");
        tw_rule_out_hex(out, point, 6);
        tw_rule_out_text(out, "}");
    } else if (point < 0x80 && strchr(special, (char)point) != NULL) {
        tw_rule_out_text(out, "\\x");
        tw_rule_out_hex(out, point, 2);
    } else {
        tw_rule_out_point(out, point);
    }
}

static void put_set(const tw_rule_out *out, const tw_rule_node *node)
{
    const tw_rule_range *ranges = tw_rule_ranges(out->rules, node);
    tw_rule_out_text(out, node->c != 0 ? "/[^" : "/[");
    for (uint32_t i = 0; i < node->b; i++) {
        put_plain(out, ranges[i].least);
        if (ranges[i].most > ranges[i].least) {
            tw_rule_out_text(out, "-");
            put_plain(out, ranges[i].most);
        }
    }
    tw_rule_out_text(out, "]/");
}

static void put_free_name(const tw_rule_out *out, uint32_t free)
{
    tw_rule_out_text(out, "FREE_");
    tw_rule_out_number(out, free);
}

static void put_free(const tw_rule_out *out, uint32_t number)
{
    /* Brackets begin nothing else, since the lexer would not go back. */
    static const char *const looks[] = {
        " & ~/-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+\\-]?[0-9]+)?/",
        " & ~/\\[(?s:.*)/", " & ~/\\{(?s:.*)/", " & ~/-?(0|[1-9][0-9]*)/"};
    const tw_rule_free *free = tw_rule_free_at(out->rules, number);
    put_free_name(out, number);
    tw_rule_out_text(out, free->quote == 0 ? ": /(?s:.*)/"
                          : free->quote == '"'
                              ? ": /[^\\x00-\\x1f\\x22\\x5c]*/"
                              : ": /[^\\x00-\\x1f\\x27\\x5c]*/");
    for (uint32_t i = 0; i < free->count; i++) {
        const char *text = tw_rule_word(out->rules, free, i);
        const char *end = text + strlen(text);
        tw_rule_out_text(out, i == 0 ? " & ~/(?s:.*)(" : "|");
        while (text < end) {
            size_t bytes;
            put_plain(out, tw_regex_point(text, end, &bytes));
            text += bytes;
        }
    }
    tw_rule_out_text(out, free->count > 0 ? ")(?s:.*)/" : "");
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if ((free->looks >> i & 1) != 0) {
            tw_rule_out_text(out, looks[i]);
        }
    }
    tw_rule_out_text(out, "\n");
}

/* ---- nodes -------------------------------------------------------------- */

static void put_node(const tw_rule_out *out, uint32_t number, size_t depth);

static void put_repeat(const tw_rule_out *out, const tw_rule_node *node,
                       size_t depth)
{
    const bool alone =
        tw_rule_node_at(out->rules, node->first)->kind == TW_RULE_CALL;
    tw_rule_out_text(out, alone ? "" : "(");
    put_node(out, node->first, depth + 1);
    tw_rule_out_text(out, alone ? "" : ")");
    tw_rule_out_times(out, node);
}

static void put_node(const tw_rule_out *out, uint32_t number, size_t depth)
{
    const tw_rules *rules = out->rules;
    const tw_rule_node *node = tw_rule_node_at(rules, number);
    const bool alone = node->first == node->last;
    if (depth > TW_RULE_DEPTH) {
        out->rules->code = TW_ERROR_LIMIT;
        return;
    }
    switch (node->kind) {
    case TW_RULE_WORDS: tw_rule_out_words(out, node, put_words); break;
    case TW_RULE_SET: put_set(out, node); break;
    case TW_RULE_FREE: put_free_name(out, node->a); break;
    case TW_RULE_CALL: put_name(out, node->a); break;
    case TW_RULE_REPEAT: put_repeat(out, node, depth); break;
    default:
        tw_rule_out_text(out, alone ? "" : "(");
        tw_rule_out_parts(out, node, depth, put_node);
        tw_rule_out_text(out, alone ? "" : ")");
        break;
    }
}

void tw_rules_print_lark(tw_rules *rules, tw_buffer *text)
{
    static const tw_rule_style style = {"// ", ": ", put_name, put_node,
                                        put_free};
    const tw_rule_out out = {rules, text};
    tw_rule_out_all(&out, &style);
}
