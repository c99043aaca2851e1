/* SPDX-License-Identifier: MIT
 *
 * Calls as rules: the canonical patterns of a description, with each tool's
 * name and arguments in their holes.
 */
#include "formats/name_bytes.h"
#include "grammars/make.h"
#include "json/write.h"
#include "messages/pytext.h"

enum { ID_MOST = 64, NINE = 9 };

/* ---- ids ---------------------------------------------------------------- */

static uint32_t index_of(tw_grammar_maker *maker, bool from_1)
{
    static const tw_rule_range first[] = {{'1', '9'}};
    static const tw_rule_range more[] = {{'0', '9'}};
    tw_rules *rules = &maker->rules;
    const uint32_t number = tw_rule_sequence(
        rules, tw_rule_set(rules, first, 1, false),
        tw_rule_repeat(rules, tw_rule_set(rules, more, 1, false), 0, 5), 0, 0);
    return from_1
               ? number
               : tw_rule_choice(rules, tw_rule_words(rules, "0"), number, 0);
}

static uint32_t id_of(tw_grammar_maker *maker, const tw_value *name)
{
    static const tw_rule_range letters[] = {
        {'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}, {'-', '-'}};
    tw_rules *rules = &maker->rules;
    const tw_patterns *made = &maker->description->id;
    const uint32_t node = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    if (made->count == 0) {
        const bool nine = maker->description->nine;
        return tw_rule_repeat(rules,
                              tw_rule_set(rules, letters, nine ? 3 : 5, false),
                              nine ? NINE : 1, nine ? NINE : ID_MOST);
    }
    for (size_t i = 0; i < made->all[0].count; i++) {
        const tw_part *part = &made->all[0].parts[i];
        tw_rule_add(rules, node,
                    part->kind == TW_PATTERN_NAME
                        ? tw_rule_said(rules, name->text, name->size)
                    : tw_pattern_is_index(part)
                        ? index_of(maker, part->kind != TW_PATTERN_INDEX)
                        : tw_rule_words(rules, part->text));
    }
    return node;
}

/* ---- calls as JSON ------------------------------------------------------ */

static tw_notation_kind json_of(const tw_grammar_maker *maker)
{
    const bool python = maker->description->json == TW_JSON_PYTHON;
    return python ? TW_NOTATION_PYTHON : TW_NOTATION_JSON;
}

/* The string as it is written.  |text| may be a description's, behind which
 * nothing can be read: a dump wants TW_TEXT_PADDING bytes there. */
static bool dump(tw_grammar_maker *maker, const char *text, size_t size,
                 const tw_dump_style *style)
{
    static const char padding[TW_TEXT_PADDING] = {0};
    tw_buffer copy = {0};
    bool good =
        tw_buffer_append(&copy, maker->memory, text, size) &&
        tw_buffer_append(&copy, maker->memory, padding, sizeof padding);
    const tw_value value = {.kind = TW_VALUE_STRING,
                            .text = (const char *)copy.data,
                            .size = size};
    maker->text.size = 0;
    good = good && tw_value_dump(&maker->text, maker->memory, &value, style);
    tw_buffer_free(&copy, maker->memory);
    return good;
}

/* A string in quotes, and `: ` behind it where it is a key. */
static uint32_t quoted(tw_grammar_maker *maker, const char *text, size_t size,
                       bool key)
{
    const bool python = json_of(maker) == TW_NOTATION_PYTHON;
    if (!dump(maker, text, size,
              python ? tw_grammar_python(maker) : &tw_dump_spaced) ||
        !tw_buffer_append(&maker->text, maker->memory, ":", key)) {
        tw_rules_no_memory(&maker->rules);
        return 0;
    }
    const uint32_t words = tw_rule_said(
        &maker->rules, (const char *)maker->text.data, maker->text.size);
    return key ? tw_rule_sequence(
                     &maker->rules, words,
                     tw_rule_maybe(&maker->rules,
                                   tw_rule_words(&maker->rules, " ")),
                     0, 0)
               : words;
}

static uint32_t key_words(tw_grammar_maker *maker, const char *key)
{
    return quoted(maker, key, strlen(key), true);
}

/* The member for the id, with its comma; 0: there is none. */
static uint32_t id_member(tw_grammar_maker *maker, const tw_value *name)
{
    tw_rules *rules = &maker->rules;
    const tw_description *description = maker->description;
    const char *key = description->id_keys[0];
    if (key == NULL) {
        return 0;
    }
    const char *quote = json_of(maker) == TW_NOTATION_PYTHON ? "'" : "\"";
    const uint32_t node = tw_rule_sequence(
        rules, key_words(maker, key), tw_rule_words(rules, quote),
        id_of(maker, name), tw_rule_words(rules, quote));
    const uint32_t comma = tw_grammar_comma(maker, json_of(maker));
    const uint32_t part = description->id_first
                              ? tw_rule_sequence(rules, node, comma, 0, 0)
                              : tw_rule_sequence(rules, comma, node, 0, 0);
    return description->id.count > 0 ? part : tw_rule_maybe(rules, part);
}

static uint32_t json_arguments(tw_grammar_maker *maker, const tw_value *schema)
{
    return tw_grammar_json_arguments(maker, schema, json_of(maker));
}

/* {"name": NAME, "arguments": ARGUMENTS} */
static uint32_t json_object(tw_grammar_maker *maker, const tw_value *name,
                            const tw_value *schema)
{
    tw_rules *rules = &maker->rules;
    const tw_description *description = maker->description;
    const uint32_t id = id_member(maker, name);
    const uint32_t node = tw_rule_sequence(
        rules, tw_rule_words(rules, "{"), tw_grammar_line(maker),
        description->id_first ? id : 0,
        key_words(maker, description->name_keys[0]));
    tw_rule_add(rules, node, quoted(maker, name->text, name->size, false));
    tw_rule_add(rules, node, tw_grammar_comma(maker, json_of(maker)));
    tw_rule_add(rules, node, key_words(maker, description->argument_keys[0]));
    tw_rule_add(rules, node, json_arguments(maker, schema));
    tw_rule_add(rules, node, description->id_first ? 0 : id);
    tw_rule_add(rules, node, tw_grammar_line(maker));
    tw_rule_add(rules, node, tw_rule_words(rules, "}"));
    return node;
}

static uint32_t json_keyed(tw_grammar_maker *maker, const tw_value *name,
                           const tw_value *schema)
{
    tw_rules *rules = &maker->rules;
    const uint32_t node = tw_rule_sequence(
        rules, tw_rule_words(rules, "{"), tw_grammar_line(maker),
        quoted(maker, name->text, name->size, true),
        json_arguments(maker, schema));
    tw_rule_add(rules, node, tw_grammar_line(maker));
    tw_rule_add(rules, node, tw_rule_words(rules, "}"));
    return node;
}

/* ---- calls in other notations ------------------------------------------- */

static tw_notation_kind python_of(const tw_grammar_maker *maker)
{
    switch (maker->description->values) {
    case TW_VALUES_JSON: return TW_NOTATION_STRINGS;
    case TW_VALUES_MIXED: return TW_NOTATION_MIXED;
    default: return TW_NOTATION_PYTHON;
    }
}

static uint32_t python_call(tw_grammar_maker *maker, const tw_value *name,
                            const tw_value *schema, uint8_t kind)
{
    tw_rules *rules = &maker->rules;
    schema = tw_grammar_arguments(maker, schema, true);
    tw_grammar_check_name(maker, NULL, name);
    return tw_rule_sequence(
        rules, tw_rule_said(rules, name->text, name->size),
        tw_rule_words(rules, kind == TW_PATTERN_PYTHON_CALL ? ".call(" : "("),
        tw_grammar_members(maker, schema, python_of(maker)),
        tw_rule_words(rules, ")"));
}

/* A key in a tag ends where the tag goes on, and quotes are none of it. */
static void check_key(tw_grammar_maker *maker, const tw_value *member)
{
    const uint8_t *key = (const uint8_t *)member->key;
    size_t size = member->key_size;
    bool good =
        tw_grammar_is_key(member->key, size) && !tw_name_unquote(&key, &size);
    for (size_t i = 0; i < member->key_size; i++) {
        good &= strchr("<>\n\r", member->key[i]) == NULL;
        good &= member->key[i] != '"' ||
                maker->description->entities != TW_ENTITIES_NONE;
    }
    if (!good) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, member,
                        "the format cannot write this key");
    }
}

/* The arguments between tags, in the order in which they are declared. */
static uint32_t tagged_arguments(tw_grammar_maker *maker,
                                 const tw_value *schema)
{
    tw_rules *rules = &maker->rules;
    schema = tw_grammar_arguments(maker, schema, false);
    const tw_pattern *pattern = maker->string_tag.pattern;
    const tw_value *properties = tw_keyword_of(schema, "properties");
    const tw_value *required = tw_keyword_of(schema, "required");
    const uint32_t all = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    const tw_value *at =
        tw_value_is_a(properties, TW_VALUE_OBJECT) ? properties->first : NULL;
    const tw_value *due = required != NULL ? required->first : NULL;
    const bool line = (maker->description->quirks & TW_QUIRK_EMPTY_LINE) != 0;
    tw_rule_add(rules, all, line ? tw_grammar_layout(maker, "\n") : 0);
    for (; at != NULL; at = at->next) {
        const uint32_t one = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
        for (size_t i = 0; i < pattern->hole; i++) {
            const tw_part *part = &pattern->parts[i];
            if (part->kind == TW_PATTERN_KEY) {
                check_key(maker, at);
                tw_rule_add(rules, one,
                            tw_grammar_name(maker, at->key, at->key_size));
                break;
            }
            tw_rule_add(rules, one, tw_grammar_layout(maker, part->text));
        }
        maker->apart = tw_grammar_apart(maker, at);
        tw_rule_add(rules, one,
                    tw_grammar_value(maker, at, TW_NOTATION_TAGGED));
        /* Required names stand in the order of properties, mostly. */
        const tw_value *found = due;
        bool needed = false;
        for (size_t turn = 0; turn < 2 && !needed && required != NULL;
             turn++) {
            for (; found != NULL && !needed; found = found->next) {
                needed = found->kind == TW_VALUE_STRING &&
                         found->size == at->key_size &&
                         memcmp(found->text, at->key, at->key_size) == 0;
                due = needed ? found->next : due;
            }
            found = required->first;
        }
        tw_rule_add(rules, all, needed ? one : tw_rule_maybe(rules, one));
    }
    return all;
}

/* The arguments of one call. */
static uint32_t arguments_of(tw_grammar_maker *maker, const tw_part *hole,
                             const tw_value *schema)
{
    if (hole->kind == TW_PATTERN_GEMMA) {
        maker->quote = hole->text;
        return schema == NULL
                   ? tw_rule_words(&maker->rules, "{}")
                   : tw_grammar_object(
                         maker, tw_grammar_arguments(maker, schema, true),
                         TW_NOTATION_GEMMA);
    }
    if (hole->kind == TW_PATTERN_ARGUMENTS &&
        maker->description->argument.count > 0) {
        return tagged_arguments(maker, schema);
    }
    if (hole->kind == TW_PATTERN_ELEMENTS) {
        return tw_grammar_elements(
            maker, tw_grammar_arguments(maker, schema, false), true);
    }
    return json_arguments(maker, schema);
}

/* A call, or one of several in a list. */
static uint32_t body_of_call(tw_grammar_maker *maker, const tw_part *hole,
                             const tw_value *name, const tw_value *schema)
{
    switch (hole->kind) {
    case TW_PATTERN_OBJECT:
    case TW_PATTERN_LIST:
    case TW_PATTERN_LIST_LINES:
        tw_grammar_check_said_name(maker, name);
        return json_object(maker, name, schema);
    case TW_PATTERN_KEYED:
        tw_grammar_check_said_name(maker, name);
        return json_keyed(maker, name, schema);
    case TW_PATTERN_PYTHON:
    case TW_PATTERN_PYTHON_LINES:
    case TW_PATTERN_PYTHON_CALL:
        return python_call(maker, name, schema, hole->kind);
    default: return arguments_of(maker, hole, schema);
    }
}

/* ---- tools -------------------------------------------------------------- */

static bool is_chosen(const tw_grammar_maker *maker, const tw_value *name)
{
    const char *choice = maker->options->choice;
    return choice == NULL || strcmp(choice, "auto") == 0 ||
           strcmp(choice, "required") == 0 || tw_value_is(name, choice);
}

/* The next tool of those that may be called, from |tool| on, or NULL. */
static const tw_value *chosen_from(const tw_grammar_maker *maker,
                                   const tw_value *tool)
{
    while (tool != NULL && !is_chosen(maker, tw_tool_name(tool))) {
        tool = tool->next;
    }
    return tool;
}

/* Is part |i| layout between a name, or a word, and a word? */
static bool keeps_apart(const tw_pattern *pattern, size_t i)
{
    const tw_part *before = i > 0 ? &pattern->parts[i - 1] : NULL;
    const tw_part *behind =
        i + 1U < pattern->count ? &pattern->parts[i + 1] : NULL;
    const bool word =
        before != NULL &&
        (before->kind != TW_PATTERN_LITERAL ||
         tw_is_bare_name_byte((uint8_t)before->text[before->size - 1]));
    return word && behind != NULL && behind->kind == TW_PATTERN_LITERAL &&
           tw_is_bare_name_byte((uint8_t)behind->text[0]);
}

/* Parts [from, to) of a pattern for one tool. */
static void add_parts(tw_grammar_maker *maker, uint32_t node,
                      const tw_pattern *pattern, size_t from, size_t to,
                      const tw_value *tool)
{
    tw_rules *rules = &maker->rules;
    const tw_value *name = tw_tool_name(tool);
    const bool served = tw_pattern_has(pattern, TW_PATTERN_SERVER);
    const size_t server = served ? tw_name_server(name->text, name->size) : 0;
    for (size_t i = from; i < to; i++) {
        const tw_part *part = &pattern->parts[i];
        uint32_t added = 0;
        switch (part->kind) {
        case TW_PATTERN_LITERAL:
            added = tw_rule_words(rules, part->text);
            break;
        case TW_PATTERN_LAYOUT:
            added = keeps_apart(pattern, i)
                        ? tw_rule_words(rules, part->text)
                        : tw_grammar_layout(maker, part->text);
            break;
        case TW_PATTERN_NAME:
            tw_grammar_check_name(maker, pattern, name);
            added = tw_grammar_name(
                maker, name->text + (server > 0 ? server + 1 : 0),
                name->size - (server > 0 ? server + 1 : 0));
            break;
        case TW_PATTERN_SERVER:
            added = server > 0 ? tw_grammar_name(maker, name->text, server)
                               : tw_rule_words(rules, part->text);
            break;
        case TW_PATTERN_SKIP:
            tw_grammar_check_name(maker, pattern, name);
            added = i < pattern->hole
                        ? tw_grammar_name(maker, name->text, name->size)
                        : 0;
            break;
        case TW_PATTERN_ID: added = id_of(maker, name); break;
        case TW_PATTERN_INDEX: added = index_of(maker, false); break;
        case TW_PATTERN_INDEX_FROM_1: added = index_of(maker, true); break;
        default:
            added = body_of_call(maker, part, name, tw_tool_schema(tool));
            break;
        }
        tw_rule_add(rules, node, added);
    }
}

/* References are those of this tool's schema from now on.  What is not
 * declared is no parameter, but where nothing is. */
static void begin_tool(tw_grammar_maker *maker, const tw_value *tool)
{
    const tw_value *schema = tw_tool_schema(tool);
    maker->schema.root = schema;
    if (schema != NULL && schema->kind > TW_VALUE_TRUE &&
        schema->kind < TW_VALUE_OBJECT) {
        tw_grammar_cannot(maker, schema,
                          "a JSON Schema is an object, and no text of one");
    }
    if (tw_keyword_of(schema, "$ref") != NULL) {
        schema = tw_grammar_resolve(maker, schema);
    }
    if (maker->string_tag.pattern != NULL ||
        tw_keyword_of(schema, "properties") != NULL) {
        tw_grammar_check_required(maker, schema);
    }
}

/* The tool's call, |one|, becomes one of the choice. */
static void add_tool(tw_grammar_maker *maker, uint32_t choice,
                     const tw_value *tool, uint32_t one)
{
    const tw_grammar_tool called = {
        tool, tw_rule_of(&maker->rules, "call", false, one)};
    tw_rule_add(&maker->rules, choice, called.call);
    if (!tw_buffer_append(&maker->called, maker->memory, &called,
                          sizeof called)) {
        tw_rules_no_memory(&maker->rules);
    }
    tw_grammar_fill(maker);
}

/* A choice of the tools, each with the parts [from, to). */
static uint32_t tools_in(tw_grammar_maker *maker, const tw_pattern *pattern,
                         size_t from, size_t to)
{
    tw_rules *rules = &maker->rules;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const tw_value *tool = chosen_from(maker, maker->tools->first);
    for (; tool != NULL; tool = chosen_from(maker, tool->next)) {
        const uint32_t one = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
        begin_tool(maker, tool);
        add_parts(maker, one, pattern, from, to, tool);
        add_tool(maker, choice, tool, one);
    }
    return tw_rule_of(rules, "tool", false, choice);
}

/* |one| and, if that may be, more, with |between| in between. */
static uint32_t one_or_more(tw_grammar_maker *maker, uint32_t one,
                            uint32_t between, uint32_t again)
{
    tw_rules *rules = &maker->rules;
    if (!maker->options->parallel) {
        return one;
    }
    const uint32_t more =
        tw_rule_repeat(rules, tw_rule_sequence(rules, between, again, 0, 0), 0,
                       TW_RULE_ENDLESS);
    return tw_rule_sequence(rules, one, more, 0, 0);
}

/* ---- patterns ----------------------------------------------------------- */

/* The list of a pattern that holds all calls. */
static uint32_t list_in(tw_grammar_maker *maker, const tw_pattern *pattern)
{
    tw_rules *rules = &maker->rules;
    const uint8_t kind = tw_pattern_hole(pattern)->kind;
    const bool lines =
        kind == TW_PATTERN_LIST_LINES || kind == TW_PATTERN_PYTHON_LINES;
    const uint32_t tool =
        tools_in(maker, pattern, pattern->hole, pattern->hole + 1U);
    const tw_rule_node *node = tw_rule_node_at(rules, tool);
    const uint32_t number = rules->code == TW_OK ? node->a : 0;
    const uint32_t between =
        lines ? tw_rule_words(rules, "\n")
              : tw_grammar_comma(maker, kind == TW_PATTERN_PYTHON
                                            ? TW_NOTATION_PYTHON
                                            : json_of(maker));
    const uint32_t all =
        one_or_more(maker, tool, between, tw_rule_call(rules, number));
    const uint32_t list =
        tw_rule_sequence(rules, lines ? 0 : tw_rule_words(rules, "["),
                         tw_grammar_line(maker), all, tw_grammar_line(maker));
    tw_rule_add(rules, list, lines ? 0 : tw_rule_words(rules, "]"));
    return list;
}

/* The parts of one call from |from| on. */
static uint32_t call_from(tw_grammar_maker *maker, const tw_pattern *pattern,
                          size_t from)
{
    if (!tw_part_holds_calls(tw_pattern_hole(pattern)->kind)) {
        return tools_in(maker, pattern, from, pattern->count);
    }
    const uint32_t node =
        tw_rule_put(&maker->rules, TW_RULE_SEQUENCE, 0, 0, 0);
    tw_grammar_add_parts(maker, node, pattern, from, pattern->hole);
    tw_rule_add(&maker->rules, node, list_in(maker, pattern));
    tw_grammar_add_parts(maker, node, pattern, pattern->hole + 1U,
                         pattern->count);
    return tw_rule_of(&maker->rules, "list", false, node);
}

/* What begins a pattern: |*from| is the first part behind it. */
static void open_of(const tw_pattern *pattern, tw_grammar_calls *calls,
                    size_t *from)
{
    const size_t first = pattern->first;
    calls->front = first > 0 ? pattern->parts[0].text : "";
    calls->open_size = tw_grammar_run(pattern, first, calls->open, from);
}

static uint32_t call_node(tw_grammar_maker *maker, uint32_t call)
{
    return maker->rules.code == TW_OK
               ? tw_rule_call(&maker->rules,
                              tw_rule_node_at(&maker->rules, call)->a)
               : 0;
}

/* Calls that stand alone, one behind the other. */
static void calls_alone(tw_grammar_maker *maker, const tw_pattern *pattern,
                        tw_grammar_calls *calls)
{
    tw_rules *rules = &maker->rules;
    size_t from;
    open_of(pattern, calls, &from);
    const uint32_t one = call_from(maker, pattern, from);
    if (tw_part_holds_calls(tw_pattern_hole(pattern)->kind)) {
        calls->rest = one;
        return;
    }
    const uint32_t between = tw_rule_sequence(
        rules, tw_grammar_layout(maker, maker->description->between),
        tw_grammar_layout(maker, calls->front),
        tw_rule_sized(rules, calls->open, calls->open_size), 0);
    calls->rest = one_or_more(maker, one, between, call_node(maker, one));
}

/* Calls in a section, or each in one of its own. */
static void calls_in(tw_grammar_maker *maker, const tw_pattern *around,
                     const tw_pattern *pattern, tw_grammar_calls *calls)
{
    tw_rules *rules = &maker->rules;
    const bool each = tw_pattern_hole(around)->kind == TW_PATTERN_CALL ||
                      tw_pattern_has(around, TW_PATTERN_SKIP);
    const bool list = tw_part_holds_calls(tw_pattern_hole(pattern)->kind);
    size_t from;
    open_of(around, calls, &from);
    const uint32_t node = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    if (tw_pattern_has(around, TW_PATTERN_SKIP)) {
        /* The header names the call's tool: both are of one choice. */
        const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
        const tw_value *tool = chosen_from(maker, maker->tools->first);
        for (; tool != NULL; tool = chosen_from(maker, tool->next)) {
            const uint32_t one = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
            begin_tool(maker, tool);
            add_parts(maker, one, around, from, around->hole, tool);
            add_parts(maker, one, pattern, 0, pattern->count, tool);
            add_tool(maker, choice, tool, one);
        }
        tw_rule_add(rules, node, choice);
    } else {
        const uint32_t one = call_from(maker, pattern, 0);
        const uint32_t between =
            tw_grammar_layout(maker, maker->description->between);
        tw_grammar_add_parts(maker, node, around, from, around->hole);
        tw_rule_add(rules, node,
                    each || list ? one
                                 : one_or_more(maker, one, between,
                                               call_node(maker, one)));
    }
    tw_grammar_add_parts(maker, node, around, around->hole + 1U,
                         around->count);
    calls->rest = tw_rule_of(rules, "calls", false, node);
    if (each) {
        const uint32_t between = tw_rule_sequence(
            rules, tw_grammar_layout(maker, maker->description->between),
            tw_grammar_layout(maker, calls->front),
            tw_rule_sized(rules, calls->open, calls->open_size), 0);
        calls->rest = one_or_more(maker, calls->rest, between,
                                  call_node(maker, calls->rest));
    }
}

bool tw_grammar_calls_of(tw_grammar_maker *maker, size_t i,
                         tw_grammar_calls *calls)
{
    const tw_description *description = maker->description;
    const tw_pattern *pattern = &description->call.all[i];
    const tw_pattern *around =
        description->calls.count > 0 && !description->calls.all[0].loose
            ? &description->calls.all[0]
            : NULL;
    if (pattern->loose || tw_pattern_hole(pattern)->kind == TW_PATTERN_RAW) {
        return false;
    }
    if (around != NULL) {
        calls_in(maker, around, pattern, calls);
    } else {
        calls_alone(maker, pattern, calls);
    }
    return true;
}
