/* SPDX-License-Identifier: MIT
 *
 * Values between tags, and in elements.
 */
#include "events/tools.h"
#include "grammars/make.h"

/* ---- tags --------------------------------------------------------------- */

static const tw_rule_tag *tag_for(const tw_grammar_maker *maker, bool string)
{
    return string ? &maker->string_tag : &maker->other_tag;
}

static uint32_t words_of(tw_grammar_maker *maker, const tw_part *part,
                         const char *type)
{
    switch (part->kind) {
    case TW_PATTERN_LITERAL: return tw_rule_words(&maker->rules, part->text);
    case TW_PATTERN_LAYOUT: return tw_grammar_layout(maker, part->text);
    case TW_PATTERN_TYPE: return tw_rule_words(&maker->rules, type);
    default: return 0;
    }
}

/* Parts [from, to) of the pattern of an argument. */
static void add_parts(tw_grammar_maker *maker, uint32_t node,
                      const tw_pattern *pattern, size_t from, size_t to,
                      const char *type)
{
    for (size_t i = from; i < to; i++) {
        tw_rule_add(&maker->rules, node,
                    words_of(maker, &pattern->parts[i], type));
    }
}

static size_t key_in(const tw_pattern *pattern)
{
    size_t i = 0;
    while (i < pattern->hole && pattern->parts[i].kind != TW_PATTERN_KEY) {
        i++;
    }
    return i;
}

/* Behind the key, up to the value, with the |layout| in front of it or not;
 * 0: no pattern takes such values. */
static uint32_t in_front(tw_grammar_maker *maker, const tw_value *of,
                         const tw_rule_tag *tag, const char *type, bool layout)
{
    if (tag->pattern == NULL) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, of,
                        "the format cannot write such a value");
        return 0;
    }
    const uint32_t node =
        tw_rule_put(&maker->rules, TW_RULE_SEQUENCE, 0, 0, 0);
    const tw_pattern *pattern = tag->pattern;
    const bool last =
        pattern->hole > 0 &&
        pattern->parts[pattern->hole - 1].kind == TW_PATTERN_LAYOUT;
    add_parts(maker, node, pattern, key_in(pattern) + 1,
              pattern->hole - (last && !layout ? 1U : 0U), type);
    return node;
}

/* Where text may stand as well, a lexer tells by what closes the value that it
 * is none: so that is part of the token.  Beside one that is counted, all of
 * it is, since the token of the text begins with the layout in front. */
static bool is_told_by_close(const tw_grammar_maker *maker, const char *type)
{
    const unsigned beside = strcmp(type, "string") == 0
                                ? TW_APART_BOUNDED
                                : TW_APART_BOUNDED | TW_APART_LOOKS;
    return (maker->apart & beside) != 0 && strcmp(type, "array") != 0 &&
           strcmp(type, "object") != 0;
}

uint32_t tw_grammar_between(tw_grammar_maker *maker, const tw_value *of,
                            uint32_t value, const char *type)
{
    if (is_told_by_close(maker, type)) {
        return tw_grammar_tagged_string(maker, of, value);
    }
    const tw_rule_tag *tag = tag_for(maker, strcmp(type, "string") == 0);
    const uint32_t node = in_front(maker, of, tag, type, true);
    if (node != 0) {
        tw_rule_add(&maker->rules, node, value);
        add_parts(maker, node, tag->pattern, tag->pattern->hole + 1U,
                  tag->pattern->count, type);
    }
    return node;
}

uint32_t tw_grammar_cdata(tw_grammar_maker *maker, uint32_t text)
{
    tw_rules *rules = &maker->rules;
    return tw_rule_sequence(rules, tw_rule_words(rules, TW_CDATA_OPEN), text,
                            tw_rule_words(rules, TW_CDATA_CLOSE), 0);
}

/* Text up to what closes it. */
uint32_t tw_grammar_tagged_text(tw_grammar_maker *maker, const tw_value *of)
{
    tw_rules *rules = &maker->rules;
    const tw_rule_tag *tag = &maker->string_tag;
    const unsigned looks = tw_grammar_looks(maker, of);
    const uint32_t plain = tw_rule_free_text(
        rules, tw_rule_free_without(rules, tag->free, looks));
    const bool cdata = (maker->description->quirks & TW_QUIRK_CDATA) != 0;
    const uint32_t in_cdata =
        cdata ? tw_rule_free_text(
                    rules, tw_rule_free_without(rules, maker->cdata, looks))
              : 0;
    const uint32_t either =
        cdata ? tw_rule_choice(rules, plain, tw_grammar_cdata(maker, in_cdata),
                               0)
              : plain;
    if (looks != 0) {
        return tw_grammar_tagged_string(maker, of, either);
    }
    const uint32_t node = in_front(maker, of, tag, "string", true);
    if (node == 0) {
        return 0;
    }
    const tw_pattern *pattern = tag->pattern;
    size_t close = pattern->hole + 1U;
    while (close < pattern->count &&
           pattern->parts[close].kind != TW_PATTERN_LITERAL) {
        close++;
    }
    const uint32_t text =
        tw_rule_sequence(rules, either,
                         close < pattern->count
                             ? tw_rule_words(rules, pattern->parts[close].text)
                             : 0,
                         0, 0);
    tw_rule_add(rules, node, tw_rule_of(rules, "text", true, text));
    if (close < pattern->count) {
        add_parts(maker, node, pattern, close + 1, pattern->count, "string");
    }
    return node;
}

uint32_t tw_grammar_tagged_string(tw_grammar_maker *maker, const tw_value *of,
                                  uint32_t string)
{
    tw_rules *rules = &maker->rules;
    const tw_rule_tag *tag = &maker->string_tag;
    const uint32_t node = in_front(maker, of, tag, "string", false);
    if (node == 0) {
        return 0;
    }
    const tw_pattern *pattern = tag->pattern;
    const uint32_t token = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    size_t close = pattern->hole + 1U;
    /* Layout is due: without it, white space of the string would be layout. */
    if (pattern->parts[pattern->hole - 1].kind == TW_PATTERN_LAYOUT) {
        tw_rule_add(
            rules, token,
            tw_rule_words(rules, pattern->parts[pattern->hole - 1].text));
    }
    tw_rule_add(rules, token, string);
    while (close < pattern->count &&
           pattern->parts[close].kind == TW_PATTERN_LAYOUT) {
        tw_rule_add(rules, token,
                    tw_rule_words(rules, pattern->parts[close++].text));
    }
    if (close < pattern->count) {
        tw_rule_add(rules, token,
                    tw_rule_words(rules, pattern->parts[close++].text));
    }
    tw_rule_add(rules, node, tw_rule_of(rules, "string", true, token));
    add_parts(maker, node, pattern, close, pattern->count, "string");
    return node;
}

/* ---- what is read ------------------------------------------------------- */

static unsigned types_read(const tw_grammar_maker *maker,
                           const tw_value *schema)
{
    size_t work = TW_KNOWN_WORK;
    return tw_known_types(schema, maker->schema.root, &work);
}

/* Is one of the choices a string of any kind? */
static bool takes_any_text(tw_grammar_maker *maker, const tw_value *schema)
{
    static const char *const bounds[] = {"minLength", "maxLength", "pattern",
                                         "enum",      "const",     NULL};
    const tw_value *choices = tw_keyword_of(schema, "anyOf");
    bool any = types_read(maker, schema) == 0 ||
               (types_read(maker, schema) & TW_TYPE_STRING) != 0;
    if (choices != NULL) {
        any = false;
        for (const tw_value *at = choices->first; at != NULL && !any;
             at = at->next) {
            any = tw_keyword_of(at, "anyOf") == NULL &&
                  takes_any_text(maker, at);
        }
        return any;
    }
    for (const tw_value *at = schema->kind == TW_VALUE_OBJECT ? schema->first
                                                              : NULL;
         at != NULL && any; at = at->next) {
        any = !tw_value_is_named(at, bounds) && !tw_value_has_key(at, "$ref");
    }
    return any;
}

/* Python's brackets are read where nothing else may stand; else they are
 * text. */
void tw_grammar_check_brackets(tw_grammar_maker *maker, const tw_value *schema)
{
    enum { BRACKETS = TW_TYPE_ARRAY | TW_TYPE_OBJECT };
    const unsigned types = types_read(maker, schema);
    if (maker->description->values == TW_VALUES_REPR &&
        (types & BRACKETS) != 0 && (types & ~(unsigned)BRACKETS) != 0 &&
        ((types & TW_TYPE_STRING) == 0 || !takes_any_text(maker, schema))) {
        tw_grammar_cannot(maker, schema,
                          "the format's brackets are not read beside values "
                          "without");
    }
}

/* ---- elements ----------------------------------------------------------- */

static uint32_t tag_words(tw_grammar_maker *maker, const char *open)
{
    tw_buffer *text = &maker->text;
    text->size = 0;
    if (!tw_buffer_append(text, maker->memory, maker->mark,
                          strlen(maker->mark)) ||
        !tw_buffer_append(text, maker->memory, open, strlen(open)) ||
        !tw_buffer_append(text, maker->memory, maker->tag, maker->tag_size) ||
        !tw_buffer_append(text, maker->memory, ">", 1)) {
        tw_rules_no_memory(&maker->rules);
        return 0;
    }
    return tw_rule_sized(&maker->rules, (const char *)text->data, text->size);
}

uint32_t tw_grammar_element(tw_grammar_maker *maker, uint32_t value)
{
    return tw_rule_sequence(&maker->rules, tag_words(maker, "<"), value,
                            tag_words(maker, "</"), 0);
}

/* What closes it is a part of the token. */
uint32_t tw_grammar_element_string(tw_grammar_maker *maker, const tw_value *of,
                                   uint32_t string)
{
    tw_rules *rules = &maker->rules;
    const uint32_t text =
        string != 0
            ? string
            : tw_rule_free_text(
                  rules, tw_rule_free_without(rules, maker->element_free,
                                              tw_grammar_looks(maker, of)));
    const uint32_t token = tw_rule_of(
        rules, "text", true,
        tw_rule_sequence(rules, text, tag_words(maker, "</"), 0, 0));
    return tw_rule_sequence(rules, tag_words(maker, "<"), token, 0, 0);
}
