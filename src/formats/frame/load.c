/* SPDX-License-Identifier: MIT
 *
 * A description's JSON becomes the structs that decoder and encoder read.  An
 * error names its place in the document: the key, the number in a list, the
 * byte of a pattern.
 */
#include <stddef.h>
#include <string.h>

#include "formats/frame/description.h"
#include "formats/frame/load_state.h"

enum { DOCUMENT_SIZE = 64 * 1024, BLOCK_SIZE = 4096 };

/* ---- memory ------------------------------------------------------------- */

typedef struct block {
    struct block *next;
    size_t size, used;
} block;

void *tw_load_room(tw_loader *loader, size_t size)
{
    tw_loaded *to = loader->to;
    block *last = to->blocks;
    size = (size + 15) & ~(size_t)15;
    if (last == NULL || last->size - last->used < size) {
        const size_t head = (sizeof *last + 15) & ~(size_t)15;
        const size_t whole = head + (size > BLOCK_SIZE ? size : BLOCK_SIZE);
        block *fresh = tw_memory_new(to->memory, whole);
        if (fresh == NULL) {
            to->error = TW_ERROR_MEMORY;
            return NULL;
        }
        fresh->next = last;
        fresh->size = whole;
        fresh->used = head;
        to->blocks = last = fresh;
    }
    void *room = (uint8_t *)last + last->used;
    last->used += size;
    return room;
}

void tw_description_free(tw_loaded *loaded)
{
    for (block *at = loaded->blocks; at != NULL;) {
        block *next = at->next;
        tw_memory_free(loaded->memory, at, at->size);
        at = next;
    }
    loaded->blocks = NULL;
}

const char *tw_load_text(tw_loader *loader, const char *text, size_t size)
{
    char *copy = tw_load_room(loader, size + 1);
    if (copy == NULL) {
        return "";
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

/* ---- errors ------------------------------------------------------------- */

static void say(tw_loaded *loaded, const char *text, size_t size)
{
    const size_t used = strlen(loaded->message);
    const size_t left = TW_LOAD_MESSAGE - 1 - used;
    size = size < left ? size : left;
    memcpy(loaded->message + used, text, size);
    loaded->message[used + size] = 0;
}

static void say_number(tw_loaded *loaded, size_t number)
{
    char digits[20];
    char *at = digits + sizeof digits;
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    say(loaded, at, (size_t)(digits + sizeof digits - at));
}

void tw_load_refuse(tw_loader *loader, const char *sentence, const char *word,
                    size_t word_size, const char *rest)
{
    tw_loaded *to = loader->to;
    if (to->error != TW_OK) {
        return; /* the first one counts */
    }
    to->error = TW_ERROR_SCHEMA;
    to->message[0] = 0;
    if (loader->loose) {
        say(to, "loose.", 6);
    }
    say(to, loader->key, loader->key_size);
    if (loader->listed) {
        say(to, "[", 1);
        say_number(to, loader->index);
        say(to, "]", 1);
    }
    if (loader->in_pattern) {
        say(to, ": ", 2);
        say_number(to, loader->byte);
    }
    say(to, loader->key_size > 0 ? ": " : "", loader->key_size > 0 ? 2 : 0);
    say(to, sentence, strlen(sentence));
    say(to, word, word_size);
    say(to, rest, strlen(rest));
}

static void refuse(tw_loader *loader, const char *sentence)
{
    tw_load_refuse(loader, sentence, "", 0, "");
}

/* ---- values ------------------------------------------------------------- */

static const char *text_of(tw_loader *loader, const tw_value *value)
{
    if (value->kind != TW_VALUE_STRING) {
        refuse(loader, "a string is due");
        return "";
    }
    if (memchr(value->text, 0, value->size) != NULL) {
        refuse(loader, "it holds a NUL");
        return "";
    }
    return tw_load_text(loader, value->text, value->size);
}

static size_t count_of(const tw_value *value)
{
    size_t count = value->kind == TW_VALUE_ARRAY ? 0 : 1;
    if (value->kind == TW_VALUE_ARRAY) {
        for (const tw_value *at = value->first; at != NULL; at = at->next) {
            count++;
        }
    }
    return count;
}

/* The first value of one or a list of them; tw_load_next() gives the next. */
static const tw_value *first_of(tw_loader *loader, const tw_value *value)
{
    loader->listed = value->kind == TW_VALUE_ARRAY;
    loader->index = 0;
    return loader->listed ? value->first : value;
}

static const tw_value *next_of(tw_loader *loader, const tw_value *value)
{
    loader->index++;
    return loader->listed ? value->next : NULL;
}

static const char *const *texts_of(tw_loader *loader, const tw_value *value)
{
    const size_t count = count_of(value);
    const char **texts =
        tw_load_room(loader, (count + 1) * sizeof(const char *));
    size_t i = 0;
    for (const tw_value *at = first_of(loader, value);
         texts != NULL && at != NULL; at = next_of(loader, at)) {
        texts[i] = text_of(loader, at);
        if (texts[i++][0] == 0) {
            refuse(loader, "an empty text");
        }
    }
    loader->listed = false;
    return texts;
}

/* Which of |words|, a list that an empty one ends. */
static uint8_t word_of(tw_loader *loader, const tw_value *value,
                       const char *const *words)
{
    for (uint8_t i = 0; words[i] != NULL; i++) {
        if (tw_value_is(value, words[i])) {
            return i;
        }
    }
    if (value->kind == TW_VALUE_STRING) {
        tw_load_refuse(loader, "no such word: ", value->text, value->size, "");
    } else {
        refuse(loader, "a string is due");
    }
    return 0;
}

static void add_patterns(tw_loader *loader, tw_patterns *patterns,
                         const tw_value *value)
{
    const size_t count = patterns->count + count_of(value);
    if (count > TW_PATTERNS_MOST) {
        refuse(loader, "more than 32 patterns");
        return;
    }
    tw_pattern *all = tw_load_room(loader, count * sizeof(tw_pattern) + 1);
    if (all == NULL) {
        return;
    }
    if (patterns->count > 0) {
        memcpy(all, patterns->all, patterns->count * sizeof *all);
    }
    size_t i = patterns->count;
    for (const tw_value *at = first_of(loader, value); at != NULL;
         at = next_of(loader, at)) {
        if (at->kind != TW_VALUE_STRING) {
            refuse(loader, "a pattern is a string");
            return;
        }
        tw_load_pattern(loader, &all[i++], at);
    }
    loader->listed = false;
    patterns->all = all;
    patterns->count = (uint8_t)count;
}

/* ---- keys --------------------------------------------------------------- */

/* One text, or one where text stands and one where calls do. */
static void read_two(tw_loader *loader, const tw_value *value,
                     const char **text, const char **calls)
{
    const size_t count = count_of(value);
    if (count == 0 || count > 2) {
        refuse(loader, "one text, or one for text and one for calls");
        return;
    }
    const tw_value *at = first_of(loader, value);
    *text = text_of(loader, at);
    at = count == 2 ? next_of(loader, at) : at;
    *calls = text_of(loader, at);
    loader->listed = false;
}

static void read_end(tw_loader *loader, const tw_value *value)
{
    tw_description *d = &loader->to->description;
    read_two(loader, value, &d->end, &d->end_of_call);
}

static void read_no_reasoning(tw_loader *loader, const tw_value *value)
{
    tw_description *d = &loader->to->description;
    read_two(loader, value, &d->no_reasoning, &d->no_reasoning_of_call);
}

static void read_id(tw_loader *loader, const tw_value *value)
{
    tw_description *d = &loader->to->description;
    d->nine = tw_value_is(value, "nine");
    if (!d->nine) {
        add_patterns(loader, &d->id, value);
    }
}

static void read_json(tw_loader *loader, const tw_value *value)
{
    static const char *const words[] = {"spaced", "compact", "indented",
                                        "lines",  "splice",  NULL};
    loader->to->description.json = word_of(loader, value, words);
}

static bool flag_of(tw_loader *loader, const tw_value *value)
{
    if (value->kind != TW_VALUE_TRUE && value->kind != TW_VALUE_FALSE) {
        refuse(loader, "true or false is due");
    }
    return value->kind == TW_VALUE_TRUE;
}

static void read_sorted(tw_loader *loader, const tw_value *value)
{
    loader->to->description.sorted = flag_of(loader, value);
}

static void read_calls_alone(tw_loader *loader, const tw_value *value)
{
    loader->to->description.calls_alone = flag_of(loader, value);
}

static void read_quirks(tw_loader *loader, const tw_value *value)
{
    static const char *const words[] = {
        "echo",        "blank_names", "calls_in_reasoning",
        "header_name", "channels",    "cdata",
        NULL};
    tw_description *d = &loader->to->description;
    for (const tw_value *at = first_of(loader, value); at != NULL;
         at = next_of(loader, at)) {
        d->quirks |= (uint8_t)(1 << word_of(loader, at, words));
    }
    loader->listed = false;
}

static void read_values(tw_loader *loader, const tw_value *value)
{
    static const char *const words[] = {"json",  "str",   "repr",
                                        "repr2", "mixed", NULL};
    loader->to->description.values = word_of(loader, value, words);
}

static void read_entities(tw_loader *loader, const tw_value *value)
{
    static const char *const words[] = {"attributes", "all", NULL};
    loader->to->description.entities =
        (uint8_t)(word_of(loader, value, words) + 1);
}

/* The version that is known. */
static void read_format(tw_loader *loader, const tw_value *value)
{
    if (value->kind != TW_VALUE_NUMBER || value->size != 1 ||
        value->text[0] != '1') {
        refuse(loader, "1 is the version that is known");
    }
}

static void read_loose(tw_loader *loader, const tw_value *value);

enum kind { OWN, TEXT, TEXTS, PATTERNS };

#define AT(member) offsetof(tw_description, member)

static const struct {
    const char *key;
    enum kind kind;
    size_t at; /* the member that it fills */
    void (*read)(tw_loader *, const tw_value *);
} keys[] = {
    {"tokens", TEXTS, AT(tokens), NULL}, /* patterns are split at them */
    {"format", OWN, 0, read_format},
    {"name", TEXT, AT(name), NULL},
    {"alias", TEXT, AT(alias), NULL},
    {"about", TEXT, AT(about), NULL},
    {"example", TEXT, AT(example), NULL},
    {"models", TEXTS, AT(models), NULL},
    {"call", PATTERNS, AT(call), NULL},
    {"calls", PATTERNS, AT(calls), NULL},
    {"argument", PATTERNS, AT(argument), NULL},
    {"reasoning", PATTERNS, AT(reasoning), NULL},
    {"text", PATTERNS, AT(text), NULL},
    {"between", TEXT, AT(between), NULL},
    {"gap", TEXT, AT(gap), NULL},
    {"no_reasoning", OWN, 0, read_no_reasoning},
    {"no_text", TEXT, AT(no_text), NULL},
    {"turn", TEXTS, AT(turns), NULL},
    {"stops", TEXTS, AT(stops), NULL},
    {"end", OWN, 0, read_end},
    {"id", OWN, 0, read_id},
    {"name_key", TEXTS, AT(name_keys), NULL},
    {"arguments_key", TEXTS, AT(argument_keys), NULL},
    {"id_key", TEXTS, AT(id_keys), NULL},
    {"raw_name", TEXT, AT(raw_name), NULL},
    {"json", OWN, 0, read_json},
    {"sorted", OWN, 0, read_sorted},
    {"calls_alone", OWN, 0, read_calls_alone},
    {"values", OWN, 0, read_values},
    {"entities", OWN, 0, read_entities},
    {"quirks", OWN, 0, read_quirks},
    {"loose", OWN, 0, read_loose},
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static void read_member(tw_loader *loader, size_t key, const tw_value *value)
{
    uint8_t *at = (uint8_t *)&loader->to->description + keys[key].at;
    loader->key = keys[key].key;
    loader->key_size = strlen(loader->key);
    loader->listed = loader->in_pattern = false;
    switch (keys[key].kind) {
    case TEXT: *(const char **)(void *)at = text_of(loader, value); break;
    case TEXTS:
        *(const char *const **)(void *)at = texts_of(loader, value);
        break;
    case PATTERNS:
        add_patterns(loader, (tw_patterns *)(void *)at, value);
        break;
    default: keys[key].read(loader, value); break;
    }
}

static bool is_key(const tw_value *member, bool loose)
{
    bool found = false;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        found |= tw_value_has_key(member, keys[i].key) &&
                 (!loose || keys[i].kind == PATTERNS);
    }
    return found;
}

/* Reads the members of |object| in the order of the table. */
static void read_object(tw_loader *loader, const tw_value *object)
{
    for (const tw_value *at = object->first; at != NULL; at = at->next) {
        loader->key = at->key;
        loader->key_size = at->key_size;
        loader->listed = loader->in_pattern = false;
        if (!is_key(at, loader->loose)) {
            refuse(loader, "no such key");
        } else if (tw_value_find(object, object->marks, at->key,
                                 at->key_size) != at) {
            refuse(loader, "the key stands twice");
        }
    }
    for (size_t i = 0; i < KEY_COUNT && loader->to->error == TW_OK; i++) {
        const tw_value *member = tw_value_member(object, keys[i].key);
        if (member != NULL) {
            read_member(loader, i, member);
        }
    }
}

static void read_loose(tw_loader *loader, const tw_value *value)
{
    if (value->kind != TW_VALUE_OBJECT) {
        refuse(loader, "an object is due");
        return;
    }
    loader->loose = true;
    read_object(loader, value);
    loader->loose = false;
}

/* ---- all of it ---------------------------------------------------------- */

static void set_defaults(tw_description *d)
{
    static const char *const none[] = {NULL};
    static const char *const name_keys[] = {"name", NULL};
    static const char *const argument_keys[] = {"arguments", NULL};
    memset(d, 0, sizeof *d);
    d->name = d->alias = d->about = d->example = "";
    d->between = d->gap = d->no_reasoning = d->no_text = "";
    d->no_reasoning_of_call = "";
    d->end = d->end_of_call = d->raw_name = "";
    d->models = d->turns = d->stops = d->tokens = d->id_keys = none;
    d->name_keys = name_keys;
    d->argument_keys = argument_keys;
}

static void read_document(tw_loader *loader, const tw_value *root)
{
    loader->key = "";
    if (root->kind != TW_VALUE_OBJECT) {
        refuse(loader, "a description is an object");
        return;
    }
    if (tw_value_member(root, "format") == NULL) {
        loader->key = "format";
        loader->key_size = strlen(loader->key);
        refuse(loader, "missing; 1 is the version that is known");
        return;
    }
    read_object(loader, root);
    if (loader->to->error == TW_OK) {
        tw_load_check(loader);
    }
    if (loader->to->error == TW_OK) {
        tw_load_markers(loader);
    }
}

int tw_description_load(tw_loaded *loaded, const tw_memory *memory,
                        const char *json, size_t size)
{
    tw_loader loader = {.to = loaded, .key = ""};
    memset(loaded, 0, sizeof *loaded);
    loaded->memory = memory;
    set_defaults(&loaded->description);
    tw_tree tree;
    tw_tree_init(&tree, memory);
    if (size > DOCUMENT_SIZE) {
        refuse(&loader, "the document is longer than 64 KiB");
    } else {
        loaded->error = tw_tree_read(&tree, json, size, false);
        loaded->offset = tree.offset;
        if (loaded->error == TW_ERROR_JSON) {
            say(loaded, "not JSON", 8);
        }
    }
    if (loaded->error == TW_OK) {
        read_document(&loader, tree.root);
    }
    tw_tree_free(&tree);
    if (loaded->error != TW_OK) {
        tw_description_free(loaded);
    }
    return loaded->error;
}
