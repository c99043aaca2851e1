/* SPDX-License-Identifier: MIT
 *
 * A description's JSON becomes the structs that decoder and encoder read.  An
 * error names its place in the document: the key, the number in a list, the
 * byte of a pattern.
 */
#include <stddef.h>
#include <string.h>

#include "formats/description.h"
#include "formats/language/load_state.h"

/* A file that holds a template may hold much else. */
enum { DOCUMENT_SIZE = 64 << 10, FILE_SIZE = 16 << 20 };

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

/* Which of |words|, of which an empty one cannot be given. */
static uint8_t word_of(tw_loader *loader, const tw_value *value,
                       const char *const *words)
{
    for (uint8_t i = 0; words[i] != NULL; i++) {
        if (words[i][0] != 0 && tw_value_is(value, words[i])) {
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
                     const char **two)
{
    const size_t count = count_of(value);
    if (count == 0 || count > 2) {
        refuse(loader, "one text, or one for text and one for calls");
        return;
    }
    const tw_value *at = first_of(loader, value);
    two[0] = text_of(loader, at);
    at = count == 2 ? next_of(loader, at) : at;
    two[1] = text_of(loader, at);
    loader->listed = false;
}

static void read_id(tw_loader *loader, const tw_value *value)
{
    tw_description *d = &loader->to->description;
    d->nine = tw_value_is(value, "nine");
    if (!d->nine) {
        add_patterns(loader, &d->id, value);
    }
}

/* The version that is known. */
static void read_version(tw_loader *loader, const tw_value *value)
{
    if (value->kind != TW_VALUE_NUMBER || value->size != 1 ||
        value->text[0] != '1') {
        refuse(loader, "1 is the version that is known");
    }
}

static void read_loose(tw_loader *loader, const tw_value *value);

static void read_flag(tw_loader *loader, const tw_value *value, bool *flag)
{
    if (value->kind != TW_VALUE_TRUE && value->kind != TW_VALUE_FALSE) {
        refuse(loader, "true or false is due");
    }
    *flag = value->kind == TW_VALUE_TRUE;
}

static void read_words(tw_loader *loader, const tw_value *value,
                       const char *const *words, uint8_t *bits)
{
    for (const tw_value *at = first_of(loader, value); at != NULL;
         at = next_of(loader, at)) {
        *bits |= (uint8_t)(1 << word_of(loader, at, words));
    }
    loader->listed = false;
}

static void read_member(tw_loader *loader, const tw_key *key,
                        const tw_value *value)
{
    void *at = (uint8_t *)&loader->to->description + key->at;
    loader->key = key->name;
    loader->key_size = strlen(loader->key);
    loader->listed = loader->in_pattern = false;
    switch (key->kind) {
    case TW_KEY_VERSION: read_version(loader, value); break;
    case TW_KEY_TEXT: *(const char **)at = text_of(loader, value); break;
    case TW_KEY_TEXTS:
        *(const char *const **)at = texts_of(loader, value);
        break;
    case TW_KEY_PATTERNS: add_patterns(loader, at, value); break;
    case TW_KEY_LOOSE: read_loose(loader, value); break;
    case TW_KEY_TWO: read_two(loader, value, at); break;
    case TW_KEY_ID_KIND: read_id(loader, value); break;
    case TW_KEY_WORD:
        *(uint8_t *)at = word_of(loader, value, key->words);
        break;
    case TW_KEY_WORDS: read_words(loader, value, key->words, at); break;
    default: read_flag(loader, value, at); break;
    }
}

static bool is_key(const tw_value *member, bool loose)
{
    bool found = false;
    for (size_t i = 0; i < TW_KEY_COUNT; i++) {
        found |= tw_value_has_key(member, tw_keys[i].name) &&
                 (!loose || tw_keys[i].kind == TW_KEY_PATTERNS);
    }
    return found;
}

static bool is_tokens(const tw_key *key)
{
    return strcmp(key->name, "tokens") == 0;
}

/* Reads the member that is the |i|-th key, if the object has it. */
static void read_key(tw_loader *loader, const tw_value *object, size_t i)
{
    const tw_value *member = tw_value_member(object, tw_keys[i].name);
    if (member != NULL && loader->to->error == TW_OK) {
        read_member(loader, &tw_keys[i], member);
    }
}

/* Reads the members of |object| in the order of the table, but the tokens
 * first: patterns are split at them. */
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
    const tw_value *id = tw_value_member(object, "id_key");
    const tw_value *name = tw_value_member(object, "name_key");
    loader->to->description.id_first |=
        id != NULL && name != NULL && id->index < name->index;
    for (size_t i = 0; i < TW_KEY_COUNT; i++) {
        if (is_tokens(&tw_keys[i])) {
            read_key(loader, object, i);
        }
    }
    for (size_t i = 0; i < TW_KEY_COUNT; i++) {
        if (!is_tokens(&tw_keys[i])) {
            read_key(loader, object, i);
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

void tw_description_defaults(tw_description *d)
{
    static const char *const none[] = {NULL};
    static const char *const name_keys[] = {"name", NULL};
    static const char *const argument_keys[] = {"arguments", NULL};
    memset(d, 0, sizeof *d);
    d->name = d->alias = d->about = d->example = "";
    d->between = d->gap = d->no_reasoning = d->no_text = "";
    d->no_reasoning_of_call = "";
    d->end = d->end_of_call = d->raw_name = d->suffix = "";
    d->models = d->turns = d->stops = d->tokens = d->id_keys = none;
    d->name_keys = name_keys;
    d->argument_keys = argument_keys;
}

static void read_document(tw_loader *loader, const tw_value *root)
{
    loader->key = "";
    loader->key_size = 0;
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
        tw_load_join(loader);
    }
    if (loader->to->error == TW_OK) {
        tw_load_derive(loader);
        tw_load_check(loader);
        tw_load_words(loader);
    }
    if (loader->to->error == TW_OK) {
        tw_load_markers(loader);
        tw_load_tags(loader);
        tw_load_heads(loader);
    }
}

/* A document that is none, but holds what becomes one. */
static void read_imported(tw_loader *loader, const tw_value *root,
                          const tw_value *template)
{
    tw_buffer json = {NULL, 0, 0};
    tw_tree tree;
    tw_load_import(loader, root, template, &json);
    tw_tree_init(&tree, loader->to->memory);
    if (loader->to->error == TW_OK) {
        loader->imported = true;
        loader->to->error =
            tw_tree_read(&tree, (const char *)json.data, json.size, false);
    }
    if (loader->to->error == TW_OK) {
        read_document(loader, tree.root);
    }
    tw_tree_free(&tree);
    tw_buffer_free(&json, loader->to->memory);
}

/* Does the value hold two templates?  Which of them counts, no rule says. */
static bool holds_two(const tw_value *root)
{
    static const char key[] = "response_template";
    const tw_value *last =
        root->kind == TW_VALUE_OBJECT ? tw_value_member(root, key) : NULL;
    const tw_value *first = last != NULL ? root->first : NULL;
    while (first != last && !tw_value_has_key(first, key)) {
        first = first->next;
    }
    return first != last;
}

static void read_text(tw_loader *loader, tw_tree *tree, const char *json,
                      size_t size)
{
    tw_loaded *loaded = loader->to;
    if (size > FILE_SIZE) {
        refuse(loader, "the document is longer than 16 MiB");
        return;
    }
    loaded->error = tw_tree_read(tree, json, size, false);
    loaded->offset = tree->offset;
    if (loaded->error != TW_OK) {
        static const char bad[] = "not JSON here (which has no comments, and "
                                  "no comma behind the last of a list)";
        static const char empty[] = "the document is empty";
        static const char none[] =
            "not JSON, which a description is (no name or path of one)";
        const bool begins = memchr("{[ \t\r\n", size > 0 ? json[0] : 'x', 6);
        const char *said = size == 0 ? empty : begins ? bad : none;
        memcpy(loaded->message, said, strlen(said) + 1);
        return;
    }
    const tw_value *template = tw_load_template(tree->root);
    if (holds_two(tree->root)) {
        refuse(loader, "response_template: the key stands twice");
    } else if (template != NULL) {
        read_imported(loader, tree->root, template);
    } else if (size > DOCUMENT_SIZE) {
        refuse(loader, "the document is longer than 64 KiB");
    } else {
        read_document(loader, tree->root);
    }
}

int tw_description_load(tw_loaded *loaded, const tw_memory *memory,
                        const char *json, size_t size)
{
    tw_loader loader = {.to = loaded, .key = ""};
    tw_tree tree;
    memset(loaded, 0, sizeof *loaded);
    loaded->memory = memory;
    tw_description_defaults(&loaded->description);
    tw_tree_init(&tree, memory);
    read_text(&loader, &tree, json, size);
    tw_tree_free(&tree);
    if (loaded->error != TW_OK) {
        tw_description_free(loaded);
    }
    return loaded->error;
}
