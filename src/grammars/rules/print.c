/* SPDX-License-Identifier: MIT
 *
 * What the printers share.
 */
#include "grammars/rules/print.h"

#include "core/ascii.h"
#include "core/utf8.h"
#include "json/escape.h"

void tw_rule_out_sized(const tw_rule_out *out, const char *text, size_t size)
{
    if (out->rules->code == TW_OK &&
        !tw_buffer_append(out->text, out->rules->memory, text, size)) {
        tw_rules_no_memory(out->rules);
    }
}

void tw_rule_out_number(const tw_rule_out *out, uint32_t number)
{
    char digits[TW_DIGITS];
    const char *at = tw_spell(digits + sizeof digits, number);
    tw_rule_out_sized(out, at, (size_t)(digits + sizeof digits - at));
}

void tw_rule_out_point(const tw_rule_out *out, uint32_t point)
{
    char bytes[4];
    tw_rule_out_sized(out, bytes, tw_point_put(bytes, point));
}

void tw_rule_out_hex(const tw_rule_out *out, uint32_t point, unsigned digits)
{
    static const char names[] = "0123456789ABCDEF";
    char text[8];
    for (unsigned i = digits; i > 0; i--) {
        text[i - 1] = names[point & 0xF];
        point >>= 4;
    }
    tw_rule_out_sized(out, text, digits);
}

void tw_rule_out_parts(const tw_rule_out *out, const tw_rule_node *node,
                       size_t depth, tw_rule_putter *put)
{
    const bool choice = node->kind == TW_RULE_CHOICE;
    if (node->first == 0) {
        tw_rule_out_text(out, "\"\"");
    }
    for (uint32_t at = node->first; at != 0;) {
        tw_rule_out_text(out, at == node->first ? "" : choice ? " | " : " ");
        put(out, at, depth + 1);
        at = tw_rule_node_at(out->rules, at)->next;
    }
}

void tw_rule_out_times(const tw_rule_out *out, const tw_rule_node *node)
{
    if (node->c == TW_RULE_ENDLESS && node->b <= 1) {
        tw_rule_out_text(out, node->b == 0 ? "*" : "+");
    } else if (node->b == 0 && node->c == 1) {
        tw_rule_out_text(out, "?");
    } else {
        tw_rule_out_text(out, "{");
        tw_rule_out_number(out, node->b);
        if (node->c != node->b) {
            tw_rule_out_text(out, ",");
        }
        if (node->c != node->b && node->c != TW_RULE_ENDLESS) {
            tw_rule_out_number(out, node->c);
        }
        tw_rule_out_text(out, "}");
    }
}

/* What is said of a rule, behind |mark|, on lines of its own. */
static void put_about(const tw_rule_out *out, const tw_rule *rule,
                      const char *mark)
{
    if (rule->about != 0) {
        const char *text = tw_rule_text(out->rules, rule->about);
        tw_rule_out_text(out, mark);
        for (const char *end; (end = strchr(text, '\n')) != NULL;) {
            tw_rule_out_sized(out, text, (size_t)(end - text));
            tw_rule_out_text(out, "\n");
            tw_rule_out_text(out, end[1] != 0 ? mark : "");
            text = end + 1;
        }
    }
}

void tw_rule_out_gbnf_point(const tw_rule_out *out, uint32_t point,
                            const char *special)
{
    if (point == '\n') {
        tw_rule_out_text(out, "\\n");
    } else if (point == '\r') {
        tw_rule_out_text(out, "\\r");
    } else if (point == '\t') {
        tw_rule_out_text(out, "\\t");
    } else if (point < 0x20 || point == 0x7F) {
        tw_rule_out_text(out, "\\x");
        tw_rule_out_hex(out, point, 2);
    } else if (point < 0x80 && strchr(special, (char)point) != NULL) {
        tw_rule_out_text(out, "\\");
        tw_rule_out_point(out, point);
    } else if (point < 0xFFFE && point != 0xFEFF &&
               (point < 0x80 || point >= 0xA0)) {
        tw_rule_out_point(out, point);
    } else {
        tw_rule_out_text(out, "\\U");
        tw_rule_out_hex(out, point, 8);
    }
}

void tw_rule_out_gbnf_set(const tw_rule_out *out, const tw_rule_range *ranges,
                          size_t count, bool others)
{
    static const char special[] = "\\]^-[";
    tw_rule_out_text(out, others ? "[^" : "[");
    for (size_t i = 0; i < count; i++) {
        tw_rule_out_gbnf_point(out, ranges[i].least, special);
        if (ranges[i].most > ranges[i].least) {
            tw_rule_out_text(out, "-");
            tw_rule_out_gbnf_point(out, ranges[i].most, special);
        }
    }
    tw_rule_out_text(out, "]");
}

void tw_rule_out_all(const tw_rule_out *out, const tw_rule_style *style)
{
    tw_rules *rules = out->rules;
    for (uint32_t i = 0; i < tw_rules_count(rules); i++) {
        const tw_rule *rule = tw_rule_at(rules, i);
        if (!rule->used) {
            continue;
        }
        const tw_rule_node *body = tw_rule_node_at(rules, rule->body);
        put_about(out, rule, style->about);
        style->put_name(out, i);
        tw_rule_out_text(out, style->is);
        if (body->kind == TW_RULE_SEQUENCE || body->kind == TW_RULE_CHOICE) {
            tw_rule_out_parts(out, body, 0, style->put_node);
        } else {
            style->put_node(out, rule->body, 0);
        }
        tw_rule_out_text(out, "\n");
    }
    for (uint32_t i = 0; i < rules->frees.size / sizeof(tw_rule_free); i++) {
        if (tw_rule_free_at(rules, i)->used) {
            style->put_free(out, i);
        }
    }
}
