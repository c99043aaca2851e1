/* SPDX-License-Identifier: MIT
 *
 * What a model is told of its calls that cannot be run: what was wrong, where,
 * and what was expected, in words that need no knowledge of this library.
 */
#include "core/diagnostics.h"
#include "events/tools.h"
#include "json/dump.h"
#include "messages/segments.h"
#include "schema/schema.h"

/* How much of a value, a list or a text is quoted. */
enum { QUOTED_SIZE = 120, RAW_SIZE = 200, FAULTS_TOLD = 8 };

typedef struct tw_telling {
    const tw_memory *memory;
    tw_words_form form;
    tw_tree tools;
    tw_tree value; /* the arguments of a call */
    tw_schema checker;
    tw_buffer room;
    tw_json_out text; /* of one call */
    tw_json_out out;  /* the list of messages */
} tw_telling;

static bool has_words(const tw_value *value)
{
    return tw_value_is_a(value, TW_VALUE_STRING) && value->size > 0;
}

/* ---- pieces ------------------------------------------------------------- */

static void say(tw_telling *words, const char *text)
{
    tw_json_put(&words->text, text);
}

/* Whole characters of it, as many as |most| bytes hold. */
static void say_start(tw_telling *words, const char *text, size_t size,
                      size_t most)
{
    size_t shown = size;
    if (size > most) {
        shown = most;
        while (shown > 0 && ((uint8_t)text[shown] & 0xC0) == 0x80) {
            shown--;
        }
    }
    const size_t begin = words->text.out.size;
    tw_json_put_text(&words->text, text, shown);
    say(words, shown < size ? "..." : "");
    /* One paragraph: what breaks a line is a blank in it. */
    for (size_t i = begin; i < words->text.out.size; i++) {
        uint8_t *at = words->text.out.data + i;
        *at = *at < ' ' ? ' ' : *at;
    }
}

static void say_value(tw_telling *words, const tw_value *value)
{
    words->room.size = 0;
    if (!tw_value_dump(&words->room, words->memory, value, &tw_dump_spaced)) {
        words->text.failed = true;
        return;
    }
    say_start(words, (const char *)words->room.data, words->room.size,
              QUOTED_SIZE);
}

/* `a.b[0]`, or `a.b` where b is what is missing. */
static void say_path(tw_telling *words, const tw_value *where,
                     const tw_value *missing)
{
    tw_buffer *path = &words->room;
    path->size = 0;
    const bool good =
        tw_value_path(path, words->memory, where) &&
        (missing == NULL ||
         ((path->size == 0 || tw_buffer_append(path, words->memory, ".", 1)) &&
          tw_buffer_append(path, words->memory, missing->text,
                           missing->size)));
    words->text.failed |= !good;
    if (path->size == 0) {
        say(words, "the arguments as a whole");
        return;
    }
    say(words, "`");
    tw_json_put_text(&words->text, (const char *)path->data, path->size);
    say(words, "`");
}

/* `one`, `two` ... of names. */
static void say_name(tw_telling *words, const char *name, size_t size,
                     bool first)
{
    say(words, first ? "`" : ", `");
    tw_json_put_text(&words->text, name, size);
    say(words, "`");
}

/* ---- what a schema asked for -------------------------------------------- */

typedef struct asked_word {
    const char *keyword;
    const char *words;
    const char *behind;
} asked_word;

static const asked_word asked_words[] = {
    {"enum", "has to be one of ", ""},
    {"const", "has to be ", ""},
    {"minimum", "has to be at least ", ""},
    {"maximum", "has to be at most ", ""},
    {"exclusiveMinimum", "has to be more than ", ""},
    {"exclusiveMaximum", "has to be less than ", ""},
    {"multipleOf", "has to be a multiple of ", ""},
    {"minLength", "has to have at least ", " characters"},
    {"maxLength", "has to have at most ", " characters"},
    {"minItems", "has to have at least ", " elements"},
    {"maxItems", "has to have at most ", " elements"},
    {"minProperties", "has to have at least ", " members"},
    {"maxProperties", "has to have at most ", " members"},
    {"pattern", "has to match the regular expression ", ""},
    {"uniqueItems", "has the same element twice, which is not allowed", NULL},
    {"not", "must not fit ", ""},
    {"anyOf", "has to fit one of ", ""},
    {"oneOf", "has to fit exactly one of ", ""},
    {"dependentRequired", "lacks what another member requires: ", ""},
};

static void say_types(tw_telling *words, const tw_value *type)
{
    say(words, "has to be of type ");
    if (type->kind != TW_VALUE_ARRAY) {
        tw_json_put_text(&words->text, type->text, type->size);
        return;
    }
    for (const tw_value *one = type->first; one != NULL; one = one->next) {
        say(words, one != type->first ? " or " : "");
        tw_json_put_text(&words->text, one->text, one->size);
    }
}

/* What the keyword asks of a value. */
static void say_asked(tw_telling *words, const tw_value *keyword)
{
    if (keyword != NULL && tw_value_has_key(keyword, "type")) {
        say_types(words, keyword);
        return;
    }
    for (size_t i = 0;
         keyword != NULL && i < sizeof asked_words / sizeof *asked_words;
         i++) {
        const asked_word *row = &asked_words[i];
        if (tw_value_has_key(keyword, row->keyword)) {
            say(words, row->words);
            if (row->behind != NULL) {
                say_value(words, keyword);
                say(words, row->behind);
            }
            return;
        }
    }
    say(words, "is not allowed there by the tool's schema");
}

/* The names that an object may have. */
static void say_known_names(tw_telling *words, const tw_value *schema)
{
    const tw_value *listed = tw_value_member(schema, "properties");
    const tw_value *one = listed != NULL ? listed->first : NULL;
    if (one == NULL) {
        return;
    }
    say(words, "; it may have ");
    for (; one != NULL && one->index < FAULTS_TOLD; one = one->next) {
        say_name(words, one->key, one->key_size, one->index == 0);
    }
    say(words, one != NULL ? ", ..." : "");
}

static void say_fault(tw_telling *words, const tw_schema_fault *fault)
{
    const tw_value *keyword = fault->keyword;
    say(words, " ");
    if (fault->code == TW_DIAGNOSTIC_MISSING_PARAMETER) {
        say_path(words, fault->where, fault->missing);
        say(words, " is required and was missing");
    } else if (fault->code == TW_DIAGNOSTIC_UNKNOWN_PARAMETER) {
        say_path(words, fault->where, NULL);
        say(words, " is not a parameter of the tool");
        say_known_names(words, keyword != NULL ? keyword->parent : NULL);
    } else {
        say_path(words, fault->where, NULL);
        say(words, " ");
        say_asked(words, keyword);
        say(words, ", but was ");
        say_value(words, fault->where);
    }
    say(words, ".");
}

/* ---- calls -------------------------------------------------------------- */

static const tw_value *find_tool(const tw_telling *words, const tw_value *name)
{
    const tw_value *one =
        words->tools.root != NULL ? words->tools.root->first : NULL;
    while (one != NULL && !tw_value_is_same_text(tw_tool_name(one), name)) {
        one = one->next;
    }
    return one;
}

static void say_tools(tw_telling *words)
{
    const tw_value *one = words->tools.root->first;
    say(words, one == NULL ? " There are no tools." : " The tools are ");
    for (; one != NULL; one = one->next) {
        const tw_value *name = tw_tool_name(one);
        if (name != NULL) {
            say_name(words, name->text, name->size, one->index == 0);
        }
    }
    say(words, words->tools.root->first != NULL ? "." : "");
}

static bool is_told(const tw_schema_fault *fault)
{
    return !tw_diagnostic_is_of_schema(fault->code);
}

/* What of the arguments does not fit; false: all does. */
static bool say_faults(tw_telling *words, const tw_value *schema)
{
    tw_schema *checker = &words->checker;
    size_t count = 0;
    tw_schema_begin(checker);
    if (tw_schema_check(checker, schema, words->value.root)) {
        return false;
    }
    for (size_t i = 0; i < tw_schema_fault_count(checker); i++) {
        const tw_schema_fault *fault = tw_schema_fault_at(checker, i);
        if (is_told(fault) && count++ < FAULTS_TOLD) {
            say_fault(words, fault);
        }
    }
    say(words, count > FAULTS_TOLD ? " More values do not fit." : "");
    return count > 0;
}

/* Begins what is said of a call. */
static void begin_words(tw_telling *words, const tw_value *name)
{
    words->text.out.size = 0;
    say(words, "Your call");
    if (name != NULL) {
        say(words, " of `");
        tw_json_put_text(&words->text, name->text, name->size);
        say(words, "`");
    }
    say(words, " was not run.");
}

/* |id| NULL: the call has none, and a user says it. */
static void put_words(tw_telling *words, const tw_value *id)
{
    tw_json_out *out = &words->out;
    if (words->form == TW_WORDS_TEXT) {
        tw_json_put_text(out, (const char *)words->text.out.data,
                         words->text.out.size);
        tw_json_put(out, "\n");
        return;
    }
    tw_json_put(out, out->out.size > 1 ? "," : "");
    if (id != NULL) {
        tw_json_put(out, "{\"role\":\"tool\",\"tool_call_id\":");
        tw_json_put_value(out, id);
    } else {
        tw_json_put(out, "{\"role\":\"user\"");
    }
    tw_json_put(out, ",\"content\":");
    tw_json_put_halves(out, (const char *)words->text.out.data,
                       words->text.out.size);
    tw_json_put(out, "}");
}

/* A call that was read. */
static void judge_call(tw_telling *words, const tw_value *call)
{
    const tw_value *function = tw_value_member(call, "function");
    const tw_value *name = tw_value_member(function, "name");
    const tw_value *given = tw_value_member(function, "arguments");
    const tw_value *id = tw_value_member(call, "id");
    if (!tw_value_is_a(name, TW_VALUE_STRING) || words->tools.root == NULL) {
        return;
    }
    const tw_value *tool = find_tool(words, name);
    const tw_value *schema = tool != NULL ? tw_tool_schema(tool) : NULL;
    begin_words(words, name);
    if (tool == NULL) {
        say(words, " There is no tool of this name.");
        say_tools(words);
        put_words(words, id);
        return;
    }
    int read = TW_OK;
    const char *text = "{}";
    size_t size = 2;
    if (tw_value_is_a(given, TW_VALUE_STRING)) {
        text = given->text;
        size = given->size;
    } else if (given != NULL) {
        words->room.size = 0;
        words->text.failed |= !tw_value_dump(&words->room, words->memory,
                                             given, &tw_dump_compact);
        text = (const char *)words->room.data;
        size = words->room.size;
    }
    if (!words->text.failed) {
        read = tw_tree_read(&words->value, text, size, false);
        words->text.failed |= read == TW_ERROR_MEMORY;
    }
    if (read == TW_ERROR_JSON) {
        say(words, " Its arguments have to be one JSON object, but were ");
        say_start(words, text, size, RAW_SIZE);
        say(words, " Call the tool again with arguments that are JSON.");
        put_words(words, id);
    } else if (!words->text.failed && schema != NULL &&
               say_faults(words, schema)) {
        say(words, " Call the tool again with arguments that fit.");
        put_words(words, id);
    }
}

/* ---- blocks that are no calls ------------------------------------------- */

static const struct {
    const char *code;
    const char *words;
} block_words[] = {
    {"truncated_call", "It ended before it was complete."},
    {"empty_call", "It holds no call."},
    {"no_name", "It does not say which tool is to be called."},
    {"bad_name", "The name of the tool holds a character that no name has."},
    {"arguments_not_object",
     "Its arguments have to be one object with the names and values of the "
     "parameters."},
    {"duplicate_call_key",
     "It gives its name or its arguments twice; give each of them once."},
    {"no_key", "A value in its arguments has no name."},
    {"no_value", "A name in its arguments has no value."},
    {"no_comma", "Something stands between two of its arguments that does not "
                 "belong there."},
    {"inner_quote", "A quote inside a text has to be escaped."},
    {"unclosed_quote", "A text in its arguments is not closed."},
    {"unbalanced_text", "The brackets in its arguments do not match."},
    {"arguments_go_on", "More arguments stand behind the end of the first."},
    {"unknown_head", "It does not begin as a call does: the name of the tool, "
                     "then its arguments."},
    {"limit_depth", "Its arguments are nested too deeply."},
    {"limit_name", "The name of the tool is too long."},
    {"limit_arguments", "Its arguments are too long; give less at a time."},
    {"limit_calls", "There are too many calls in one message."},
    {"limit_lookahead", "A value in its arguments is too long to be read."},
    {"not_a_literal", "Its values have to be plain values: texts, numbers, "
                      "true, false, null, lists or objects; no expressions "
                      "and no variables."},
    {"positional_argument", "Each argument needs the name of its parameter."},
    {"unpacking", "Each argument needs the name of its parameter."},
    {"many_keys", "An object of a call has one key alone, the tool's name."},
    {"limit_number", "A number in its arguments is too long."},
};

/* The JSON in a block.  What could be a marker of a format is not quoted: the
 * text goes into a prompt. */
static void say_inside(tw_telling *words, const tw_value *text)
{
    static const char *const marks[] = {"<", "\xEF\xBD\x9C", "[TOOL", "[ARGS"};
    const char *begin = memchr(text->text, '{', text->size);
    const char *end = text->text + text->size;
    if (begin == NULL) {
        return;
    }
    for (const char *at = end; at > begin; at--) {
        if (at[-1] == '}') {
            end = at;
            break;
        }
    }
    const size_t size = (size_t)(end - begin);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t length = strlen(marks[i]);
        for (size_t k = 0; k + length <= size; k++) {
            if (memcmp(begin + k, marks[i], length) == 0) {
                return;
            }
        }
    }
    say(words, " You wrote: ");
    say_start(words, begin, size, RAW_SIZE);
}

static void judge_block(tw_telling *words, const tw_value *block)
{
    const tw_value *name = tw_value_member(block, "name");
    const tw_value *reason = tw_value_member(block, "reason");
    const tw_value *text = tw_value_member(block, "text");
    const char *why = "Its arguments could not be read: they are not well "
                      "formed.";
    for (size_t i = 0; i < sizeof block_words / sizeof *block_words; i++) {
        why = tw_value_is(reason, block_words[i].code) ? block_words[i].words
                                                       : why;
    }
    begin_words(words, has_words(name) ? name : NULL);
    say(words, " ");
    say(words, why);
    if (has_words(text)) {
        say_inside(words, text);
    }
    say(words, " Write the whole call again, as your other calls are "
               "written.");
    put_words(words, NULL);
}

/* ---- a message ---------------------------------------------------------- */

static void judge_message(tw_telling *words, const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    const tw_value *own = tw_value_member(message, "toolwire");
    const tw_value *blocks =
        own != NULL ? tw_value_member(own, "unparsed") : NULL;
    const tw_value *one = calls != NULL ? calls->first : NULL;
    const bool list = words->form == TW_WORDS_MESSAGES;
    tw_json_put(&words->out, list ? "[" : "");
    for (; one != NULL; one = one->next) {
        judge_call(words, one);
    }
    one = blocks != NULL ? blocks->first : NULL;
    for (; one != NULL; one = one->next) {
        judge_block(words, one);
    }
    tw_json_put(&words->out, list ? "]" : "");
}

/* Of a chat completion it is that of the first choice. */
static const tw_value *message_of(const tw_value *root)
{
    const tw_value *choices = tw_value_member(root, "choices");
    const tw_value *message =
        choices != NULL ? tw_value_member(choices->first, "message") : NULL;
    return message != NULL ? message : root;
}

static int read_both(tw_telling *words, tw_tree *message, const char *json,
                     size_t size, const char *tools, size_t tools_size)
{
    const tw_value *where;
    int result = tw_tree_read(message, json, size, false);
    if (result != TW_OK || tools == NULL) {
        words->tools.root = NULL;
        return result;
    }
    tw_tools names;
    tw_tools_init(&names, words->memory);
    result = tw_tools_read(&names, &words->tools, tools, tools_size, &where);
    tw_tools_free(&names);
    return result;
}

int tw_words_for_model(const char *message, size_t size, const char *tools,
                       size_t tools_size, tw_words_form form,
                       const tw_allocator *allocator, char *out, size_t room,
                       size_t *out_size)
{
    const tw_memory memory = tw_memory_from(allocator);
    tw_telling words = {.memory = &memory,
                        .form = form,
                        .text = {.memory = &memory},
                        .out = {.memory = &memory}};
    tw_tree tree;
    if (message == NULL || (tools == NULL && tools_size > 0) ||
        (out == NULL && room > 0) || out_size == NULL ||
        (unsigned)form > TW_WORDS_MESSAGES) {
        return TW_ERROR_ARGUMENT;
    }
    *out_size = 0;
    tw_tree_init(&tree, &memory);
    tw_tree_init(&words.tools, &memory);
    tw_tree_init(&words.value, &memory);
    tree.keeps_lone = words.value.keeps_lone = true;
    tw_schema_init(&words.checker, &memory);
    int result = read_both(&words, &tree, message, size, tools, tools_size);
    if (result == TW_OK && tree.root->kind != TW_VALUE_OBJECT) {
        result = TW_ERROR_SCHEMA;
    }
    if (result == TW_OK) {
        judge_message(&words, message_of(tree.root));
        result = words.text.failed || words.out.failed || words.checker.failed
                     ? TW_ERROR_MEMORY
                     : TW_OK;
    }
    if (result == TW_OK) {
        const size_t whole = words.out.out.size;
        *out_size = whole;
        if (whole > 0 && whole <= room) {
            memcpy(out, words.out.out.data, whole);
        }
    }
    tw_buffer_free(&words.text.out, &memory);
    tw_buffer_free(&words.out.out, &memory);
    tw_buffer_free(&words.room, &memory);
    tw_schema_free(&words.checker);
    tw_tree_free(&words.value);
    tw_tree_free(&words.tools);
    tw_tree_free(&tree);
    return result;
}
