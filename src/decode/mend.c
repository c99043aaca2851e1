/* SPDX-License-Identifier: MIT
 *
 * Arguments go by byte for byte; a value that may change is held and judged at
 * its end.
 */
#include "decode/mend.h"

#include "core/ascii.h"
#include "events/known.h"
#include "events/tools.h"
#include "json/write.h"

enum {
    MEND_FRAMES = 64, /* containers that are deeper are held whole */
    TOLD_MOST = 256   /* a longer text tells nothing */
};

typedef struct mend_frame {
    tw_schemas schemas;
    bool object;
    size_t count; /* of elements so far */
    size_t path;  /* the size of the container's path */
} mend_frame;

void tw_mend_init(tw_mend *mend, const tw_memory *memory, tw_schema *checker,
                  tw_buffer *text)
{
    memset(mend, 0, sizeof *mend);
    mend->memory = memory;
    mend->checker = checker;
    mend->text = text;
    tw_tree_init(&mend->key, memory);
    tw_tree_init(&mend->value, memory);
    tw_tree_init(&mend->reading, memory);
    mend->value.keeps_lone = mend->reading.keeps_lone = true;
}

void tw_mend_free(tw_mend *mend)
{
    tw_buffer_free(&mend->frames, mend->memory);
    tw_buffer_free(&mend->path, mend->memory);
    tw_buffer_free(&mend->paths, mend->memory);
    tw_buffer_free(&mend->trial, mend->memory);
    tw_buffer_free(&mend->chosen, mend->memory);
    tw_tree_free(&mend->key);
    tw_tree_free(&mend->value);
    tw_tree_free(&mend->reading);
}

void tw_mend_begin(tw_mend *mend, const tw_value *schema)
{
    mend->root = schema;
    mend->schemas.all[0] = schema;
    mend->schemas.count = schema != NULL ? 1 : 0;
    mend->frames.size = mend->path.size = mend->paths.size = 0;
    mend->work = TW_KNOWN_WORK;
    mend->holds = mend->quoted = mend->escaped = false;
    mend->state = schema != NULL ? TW_MEND_VALUE : TW_MEND_DONE;
}

size_t tw_mend_ready(const tw_mend *mend)
{
    return mend->holds ? mend->begin : mend->text->size;
}

/* ---- schemas ------------------------------------------------------------ */

/* The types that all schemas allow; 0: none says, or no type is left. */
static unsigned types_of(tw_mend *mend, const tw_schemas *schemas)
{
    unsigned types = TW_TYPE_JSON;
    bool said = false;
    for (size_t i = 0; i < schemas->count; i++) {
        const unsigned own =
            tw_known_types(schemas->all[i], mend->root, &mend->work);
        const bool any = (own & TW_TYPE_NUMBER) != 0; /* an integer, too */
        types &= own == 0 ? TW_TYPE_JSON : own | (any ? TW_TYPE_INTEGER : 0U);
        said |= own != 0;
    }
    return said ? types : 0;
}

static unsigned type_of(const tw_value *value)
{
    switch (value->kind) {
    case TW_VALUE_NULL: return TW_TYPE_NULL;
    case TW_VALUE_FALSE:
    case TW_VALUE_TRUE: return TW_TYPE_BOOLEAN;
    case TW_VALUE_NUMBER: return TW_TYPE_NUMBER | TW_TYPE_INTEGER;
    case TW_VALUE_STRING: return TW_TYPE_STRING;
    case TW_VALUE_ARRAY: return TW_TYPE_ARRAY;
    default: return TW_TYPE_OBJECT;
    }
}

/* What the part in turn has to fit; asking for parts has its own share of
 * work. */
static void find_part(tw_mend *mend, const tw_schemas *whole,
                      const tw_value *key, size_t index)
{
    const uint64_t work = mend->checker->work;
    mend->checker->work = mend->work;
    tw_schema_part(mend->checker, mend->root, whole, key, index,
                   &mend->schemas);
    mend->work = (size_t)mend->checker->work;
    mend->checker->work = work;
}

/* Does the schema take every text?  Then a text need not be held. */
static bool takes_text(const tw_value *schema)
{
    static const char *const narrow[] = {
        "enum",  "const",       "pattern", "minLength", "maxLength",
        "allOf", "anyOf",       "oneOf",   "not",       "if",
        "$ref",  "$dynamicRef", NULL};
    const tw_value *type = tw_value_member(schema, "type");
    bool text = tw_value_is(type, "string");
    const tw_value *one =
        tw_value_is_a(type, TW_VALUE_ARRAY) ? type->first : NULL;
    for (; one != NULL; one = one->next) {
        text |= tw_value_is(one, "string");
    }
    for (one = schema->first; one != NULL && text; one = one->next) {
        text = !tw_value_is_named(one, narrow);
    }
    return text;
}

/* Does one way among several take any text? */
static bool takes_text_in_a_way(const tw_value *schema)
{
    static const char *const narrow[] = {
        "type",      "enum",        "const", "pattern", "minLength",
        "maxLength", "allOf",       "oneOf", "not",     "if",
        "$ref",      "$dynamicRef", NULL};
    const tw_value *ways = tw_value_member(schema, "anyOf");
    bool text = false;
    const tw_value *one = ways != NULL ? ways->first : NULL;
    for (; one != NULL && !text; one = one->next) {
        text = takes_text(one);
    }
    for (one = schema->first; one != NULL && text; one = one->next) {
        text = !tw_value_is_named(one, narrow);
    }
    return text;
}

/* ---- readings ----------------------------------------------------------- */

/* Is every text taken?  Then none needs to be held. */
static bool takes_texts(const tw_schemas *schemas)
{
    size_t i = 0;
    while (i < schemas->count && (takes_text(schemas->all[i]) ||
                                  takes_text_in_a_way(schemas->all[i]))) {
        i++;
    }
    return i == schemas->count;
}

/* Does the value fit, as far as that was seen? */
static bool fits(const tw_mend *mend, const tw_value *value)
{
    size_t i = 0;
    while (i < mend->schemas.count &&
           tw_schema_check_part(mend->checker, mend->root,
                                mend->schemas.all[i], value) &&
           !mend->checker->abandoned) {
        i++;
    }
    return i == mend->schemas.count;
}

typedef struct mend_trial {
    tw_mend *mend;
    unsigned types; /* that the schema allows */
    size_t count;   /* of readings that fit */
    bool failed;    /* no memory */
} mend_trial;

/* A reading, its JSON text. */
static void try(mend_trial *trial, const char *text, size_t size)
{
    tw_mend *mend = trial->mend;
    const int read = tw_tree_read(&mend->reading, text, size, false);
    trial->failed |= read == TW_ERROR_MEMORY;
    if (read != TW_OK || (type_of(mend->reading.root) & trial->types) == 0 ||
        !fits(mend, mend->reading.root)) {
        return;
    }
    trial->count++;
    mend->chosen.size = 0;
    trial->failed |=
        !tw_buffer_append(&mend->chosen, mend->memory, text, size);
}

/* Tries the text between two brackets or quotes. */
static void try_between(mend_trial *trial, const char *between,
                        const char *text, size_t size)
{
    tw_mend *mend = trial->mend;
    tw_buffer *room = &mend->trial;
    room->size = 0;
    trial->failed |= !tw_buffer_append(room, mend->memory, between, 1) ||
                     !tw_buffer_append(room, mend->memory, text, size) ||
                     !tw_buffer_append(room, mend->memory, between + 1, 1);
    if (!trial->failed) {
        try(trial, (const char *)room->data, room->size);
    }
}

/* What the text holds: JSON, or a word as Python has it.  Blanks may stand
 * around brackets, and nowhere else. */
static void try_content(mend_trial *trial, const tw_value *text)
{
    static const char *const words[][2] = {
        {"True", "true"}, {"False", "false"}, {"None", "null"}};
    const char *at = text->text;
    const char *end = at + text->size;
    while (at < end && tw_is_ws(*at)) {
        at++;
    }
    const bool bracket = at < end && (*at == '[' || *at == '{');
    if (at == end || *at == '"' ||
        (!bracket && (at > text->text || tw_is_ws(end[-1])))) {
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (tw_value_is(text, words[i][0])) {
            at = words[i][1];
            end = at + strlen(at);
        }
    }
    try(trial, at, (size_t)(end - at));
}

static bool is_list(const tw_value *text)
{
    size_t i = 0;
    while (i < text->size && tw_is_ws(text->text[i])) {
        i++;
    }
    return i < text->size && text->text[i] == '[';
}

/* The value as the one element of a list; of a type that is allowed by itself
 * it may be meant as it is, and the list only tells that others fit, too. */
static void try_list(mend_trial *trial, const tw_value *value,
                     const char *text, size_t size)
{
    const size_t before = trial->count;
    if ((trial->types & TW_TYPE_ARRAY) != 0) {
        try_between(trial, "[]", text, size);
    }
    if (trial->count > before && (trial->types & type_of(value)) != 0) {
        trial->count++;
    }
}

/* What the held value may mean, if it does not fit as it is.  A text that
 * begins as a list does is never put into one. */
static bool try_readings(mend_trial *trial, const tw_value *value,
                         const char *text, size_t size)
{
    switch (value->kind) {
    case TW_VALUE_STRING:
        if (value->lone == 0) {
            try_content(trial, value);
        }
        if (!is_list(value)) {
            try_list(trial, value, text, size);
        }
        break;
    case TW_VALUE_NUMBER:
        if ((trial->types & TW_TYPE_STRING) != 0) {
            try_between(trial, "\"\"", text, size);
        }
        try_list(trial, value, text, size);
        break;
    case TW_VALUE_TRUE:
    case TW_VALUE_FALSE:
    case TW_VALUE_OBJECT: try_list(trial, value, text, size); break;
    default: break;
    }
    return !trial->failed;
}

/* The held value is whole. */
static bool judge(tw_mend *mend)
{
    tw_buffer *text = mend->text;
    const char *held = (const char *)text->data + mend->begin;
    const size_t size = text->size - mend->begin;
    mend_trial trial = {mend, types_of(mend, &mend->schemas), 0, false};
    const int read = tw_tree_read(&mend->value, held, size, false);
    mend->holds = false;
    if (read != TW_OK || fits(mend, mend->value.root)) {
        return read != TW_ERROR_MEMORY && !mend->checker->failed;
    }
    if (mend->checker->abandoned) {
        return true;
    }
    if (!try_readings(&trial, mend->value.root, held, size) ||
        mend->checker->failed) {
        return false;
    }
    if (trial.count != 1) {
        return true;
    }
    text->size = mend->begin;
    return tw_buffer_append(text, mend->memory, mend->chosen.data,
                            mend->chosen.size) &&
           tw_buffer_append(&mend->paths, mend->memory, mend->path.data,
                            mend->path.size) &&
           tw_buffer_append(&mend->paths, mend->memory, "", 1);
}

/* ---- the text ----------------------------------------------------------- */

static mend_frame *top(const tw_mend *mend)
{
    return (mend_frame *)(void *)(mend->frames.data + mend->frames.size) - 1;
}

static bool enter(tw_mend *mend, bool object)
{
    const mend_frame fresh = {mend->schemas, object, 0, mend->path.size};
    mend->state = object ? TW_MEND_KEY : TW_MEND_VALUE;
    return tw_buffer_append(&mend->frames, mend->memory, &fresh, sizeof fresh);
}

/* A container that is looked into is closed. */
static void leave(tw_mend *mend)
{
    mend->path.size = top(mend)->path;
    mend->frames.size -= sizeof(mend_frame);
    mend->state = mend->frames.size > 0 ? TW_MEND_NEXT : TW_MEND_DONE;
}

/* May the value that begins with |c| have another reading that fits? */
static bool may_change(tw_mend *mend, char c)
{
    const unsigned types = types_of(mend, &mend->schemas);
    switch (c) {
    case '"':
        return (types & ~(unsigned)TW_TYPE_STRING) != 0 &&
               !takes_texts(&mend->schemas);
    case '{':
        return (types & (TW_TYPE_ARRAY | TW_TYPE_OBJECT)) == TW_TYPE_ARRAY;
    case '[': return false;
    default: return types != 0;
    }
}

/* The element that comes is the next of its list. */
static bool count_element(tw_mend *mend)
{
    char digits[TW_DIGITS + 2];
    char *const end = digits + sizeof digits;
    mend_frame *list = top(mend);
    const size_t number = list->count++;
    find_part(mend, &list->schemas, NULL, number);
    mend->path.size = list->path;
    end[-1] = ']';
    char *at = tw_spell(end - 1, number);
    *--at = '[';
    return tw_buffer_append(&mend->path, mend->memory, at, (size_t)(end - at));
}

/* The byte behind the last one of |text| begins a value. */
static bool begin_value(tw_mend *mend, char c)
{
    const bool object = c == '{';
    if (mend->frames.size > 0 && !top(mend)->object && !count_element(mend)) {
        return false;
    }
    mend->holds = mend->frames.size > 0 && may_change(mend, c);
    mend->begin = mend->text->size;
    if ((object || c == '[') && !mend->holds && mend->schemas.count > 0 &&
        mend->frames.size < MEND_FRAMES * sizeof(mend_frame)) {
        return enter(mend, object);
    }
    mend->state = TW_MEND_IN_VALUE;
    mend->quoted = c == '"';
    mend->depth = object || c == '[';
    return true;
}

/* The member that ended may be a text that tells how to read its object. */
static bool tell(tw_mend *mend, mend_frame *object)
{
    const char *text = (const char *)mend->text->data + mend->begin;
    const size_t size = mend->text->size - mend->begin;
    if (!object->object || !mend->schemas.several || *text != '"' ||
        size > TOLD_MOST) {
        return true;
    }
    const uint64_t work = mend->checker->work;
    const int read = tw_tree_read(&mend->reading, text, size, false);
    if (read == TW_OK) {
        mend->checker->work = mend->work;
        tw_schema_tell(mend->checker, mend->root, &object->schemas,
                       mend->key.root, mend->reading.root);
        mend->work = (size_t)mend->checker->work;
        mend->checker->work = work;
    }
    return read != TW_ERROR_MEMORY;
}

static bool end_value(tw_mend *mend)
{
    const bool inside = mend->frames.size > 0;
    mend->state = inside ? TW_MEND_NEXT : TW_MEND_DONE;
    return (!mend->holds || judge(mend)) && (!inside || tell(mend, top(mend)));
}

/* The key that ends here says what the next value is. */
static bool take_key(tw_mend *mend)
{
    const char *text = (const char *)mend->text->data + mend->begin;
    const int read =
        tw_tree_read(&mend->key, text, mend->text->size - mend->begin, false);
    const mend_frame *object = top(mend);
    if (read != TW_OK) {
        mend->schemas = (tw_schemas){0};
        return read != TW_ERROR_MEMORY;
    }
    const tw_value *key = mend->key.root;
    mend->path.size = object->path;
    find_part(mend, &object->schemas, key, 0);
    return (object->path == 0 ||
            tw_buffer_append(&mend->path, mend->memory, ".", 1)) &&
           tw_buffer_append(&mend->path, mend->memory, key->text, key->size);
}

/* A byte of a string; true: the last one. */
static bool ends_string(tw_mend *mend, char c)
{
    const bool ends = !mend->escaped && c == '"';
    mend->escaped = !mend->escaped && c == '\\';
    mend->quoted = !ends;
    return ends;
}

/* Does a scalar end in front of |c|? */
static bool ends_scalar(const tw_mend *mend, char c)
{
    return mend->state == TW_MEND_IN_VALUE && !mend->quoted &&
           mend->depth == 0 &&
           (c == ',' || c == '}' || c == ']' || tw_is_ws(c));
}

/* The byte of a value that was appended last; true: it ends the value. */
static bool is_last(tw_mend *mend, char c)
{
    if (mend->quoted) {
        return ends_string(mend, c) && mend->depth == 0;
    }
    switch (c) {
    case '"': mend->quoted = true; return false;
    case '{':
    case '[': mend->depth++; return false;
    case '}':
    case ']': return --mend->depth == 0;
    default: return false;
    }
}

/* The byte between values that was appended last. */
static bool between(tw_mend *mend, char c)
{
    switch (mend->state) {
    case TW_MEND_IN_KEY:
        if (!ends_string(mend, c)) {
            return true;
        }
        mend->state = TW_MEND_COLON;
        return take_key(mend);
    case TW_MEND_KEY:
        if (c == '"') {
            mend->state = TW_MEND_IN_KEY;
            mend->begin = mend->text->size - 1;
        } else if (c == '}') {
            leave(mend);
        }
        return true;
    case TW_MEND_COLON:
        mend->state = c == ':' ? TW_MEND_VALUE : TW_MEND_COLON;
        return true;
    case TW_MEND_NEXT:
        if (c == ',') {
            mend->state = top(mend)->object ? TW_MEND_KEY : TW_MEND_VALUE;
        } else if (c == '}' || c == ']') {
            leave(mend);
        }
        return true;
    default:
        if (c == ']' && mend->frames.size > 0) {
            leave(mend);
        }
        return true;
    }
}

static bool step(tw_mend *mend, char c)
{
    if (ends_scalar(mend, c) && !end_value(mend)) {
        return false;
    }
    const bool begins =
        mend->state == TW_MEND_VALUE && c != ']' && !tw_is_ws(c);
    const bool inside = mend->state == TW_MEND_IN_VALUE;
    if ((begins && !begin_value(mend, c)) ||
        !tw_buffer_append(mend->text, mend->memory, &c, 1)) {
        return false;
    }
    if (begins) {
        return true;
    }
    if (inside) {
        return !is_last(mend, c) || end_value(mend);
    }
    return between(mend, c);
}

bool tw_mend_take(tw_mend *mend, const char *data, size_t size)
{
    size_t i = 0;
    while (i < size && mend->state != TW_MEND_DONE) {
        if (!step(mend, data[i])) {
            return false;
        }
        i++;
    }
    return i == size ||
           tw_buffer_append(mend->text, mend->memory, data + i, size - i);
}
