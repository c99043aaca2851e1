/* SPDX-License-Identifier: MIT
 *
 * Nested elements, a mark in front of each tag: what a container holds is read
 * first, and becomes JSON when all of it is there.
 */
#include "naive_frame.h"

#include <stdlib.h>
#include <string.h>

enum { CONTAINERS = TYPE_ARRAY | TYPE_OBJECT | TYPE_ANY };

typedef struct nested_call {
    frame_reader *reader;
    const char *mark;
    const naive_tree *tool; /* as it was declared, or NULL */
    const naive_tree *root; /* the schema of all arguments */
    const struct nested_children *given;
    size_t streamed;        /* values that went out as they came */
    const char *failure;    /* NULL: none so far */
    size_t at;              /* what comes next */
} nested_call;

typedef struct nested_tag {
    bool marked, valid, cut, close;
    naive_bytes key;
    size_t size;
} nested_tag;

/* An element, or a text in a list. */
typedef struct nested_child {
    naive_bytes key, raw, json;
    frame_schemas schemas;
    size_t from;
    bool held;    /* |raw| is not JSON yet */
    bool movable; /* others of its name make a list of both */
    bool again;   /* it is in one that began before */
} nested_child;

typedef struct nested_children {
    nested_child *all;
    size_t count;
} nested_children;

static bool fail(nested_call *call, const char *reason)
{
    call->failure = call->failure ? call->failure : reason;
    return false;
}

/* --- tags -------------------------------------------------------------- */

static nested_tag tag_at(const nested_call *call, size_t at)
{
    const frame_reader *reader = call->reader;
    nested_tag tag = {.marked = *call->mark &&
                                frame_starts(reader, at, call->mark)};
    size_t to = at + strlen(call->mark), key;

    tag.cut = frame_is_cut(reader, at, call->mark);
    if (tag.cut || !frame_starts(reader, at, call->mark))
        return tag;
    if (to == reader->size) {
        tag.cut = true;
        return tag;
    }
    if (reader->text[to++] != '<')
        return tag;
    tag.close = to < reader->size && reader->text[to] == '/';
    key = to += tag.close;
    while (to < reader->size && reader->text[to] &&
           !frame_among("<>\r\n", reader->text[to]))
        to++;
    if (to - key > FRAME_NAME)
        return tag;
    tag.cut = to == reader->size;
    tag.valid = !tag.cut && reader->text[to] == '>' && to > key &&
                reader->text[key] != '/';
    naive_add(&tag.key, reader->text + key, to - key);
    tag.size = to + 1 - at;
    return tag;
}

static bool is_key(const naive_bytes *key, const naive_bytes *other)
{
    return key->size == other->size &&
           memcmp(key->data, other->data, key->size) == 0;
}

static bool is_blank(const naive_bytes *text)
{
    size_t at = 0;

    while (at < text->size && frame_is_blank(text->data[at]))
        at++;
    return at == text->size;
}

/* --- JSON -------------------------------------------------------------- */

static unsigned types_of(const nested_call *call, const frame_schemas *schemas)
{
    return frame_schemas_types(schemas, call->root);
}

static bool convert(nested_call *call, nested_child *child,
                    const frame_schemas *schemas)
{
    unsigned types = types_of(call, schemas);

    if (types == 0)
        types = call->reader->options->untyped_json ? TYPE_STRING | TYPE_ANY
                                                    : TYPE_STRING;
    child->held = false;
    naive_add(&child->json, "", 0);
    if (is_blank(&child->raw) && types & CONTAINERS && !(types & TYPE_STRING))
        naive_add_text(&child->json, types & TYPE_ARRAY ? "[]" : "{}");
    else if (!frame_convert(call->reader, types, &child->raw, child->from,
                            &child->json))
        return fail(call, "malformed_value");
    return true;
}

static frame_schemas items_of(const nested_call *call,
                              const frame_schemas *schemas)
{
    return types_of(call, schemas)
               ? frame_schemas_part(schemas, call->root, NULL)
               : *schemas;
}

/* Children of one name in a row, from |i| on, as a list. */
static size_t write_list(nested_call *call, nested_children *children,
                         size_t i, naive_bytes *out)
{
    size_t first = i;

    naive_add_text(out, "[");
    do {
        nested_child *child = &children->all[i];
        frame_schemas items = items_of(call, &child->schemas);

        if (child->held)
            convert(call, child, &items);
        naive_add_text(out, i > first ? "," : "");
        naive_add(out, child->json.data, child->json.size);
        i++;
    } while (i < children->count && children->all[i].again);
    naive_add_text(out, "]");
    return i;
}

static void write_container(nested_call *call, nested_children *children,
                            bool list, naive_bytes *out)
{
    naive_add_text(out, list ? "[" : "{");
    for (size_t i = 0; i < children->count;) {
        nested_child *child = &children->all[i];

        naive_add_text(out, i ? "," : "");
        if (!list) {
            frame_add_json_string(out, child->key.data, child->key.size);
            naive_add_text(out, ":");
        }
        if (i + 1 < children->count && children->all[i + 1].again) {
            i = write_list(call, children, i, out);
            continue;
        }
        if (child->held)
            convert(call, child, &child->schemas);
        naive_add(out, child->json.data, child->json.size);
        i++;
    }
    naive_add_text(out, list ? "]" : "}");
}

static void release(nested_children *children)
{
    for (size_t i = 0; i < children->count; i++) {
        naive_release(&children->all[i].key);
        naive_release(&children->all[i].raw);
        naive_release(&children->all[i].json);
    }
    free(children->all);
}

static nested_child *add(nested_children *children)
{
    children->all = naive_grow(children->all,
                               (children->count + 1) * sizeof *children->all);
    children->all[children->count] = (nested_child){0};
    return &children->all[children->count++];
}

/* --- reading ----------------------------------------------------------- */

static bool read_child(nested_call *call, const nested_child *parent,
                       size_t depth, nested_child *child);

/* A text in a list, in front of a tag. */
static void add_text(nested_call *call, const nested_child *container,
                     nested_children *children, size_t from, size_t to)
{
    nested_child *child = add(children);

    while (to > from && frame_is_blank(call->reader->text[to - 1]))
        to--;
    child->from = from;
    child->schemas = frame_schemas_part(&container->schemas, call->root, NULL);
    naive_add(&child->raw, call->reader->text + from, to - from);
    convert(call, child, &child->schemas);
}

/* Up to the next tag, be it cut, or to the end. */
static size_t next_tag(const nested_call *call, size_t at)
{
    for (; at < call->reader->size; at++) {
        nested_tag tag = tag_at(call, at);
        const bool found = tag.marked || tag.valid || tag.cut;

        naive_release(&tag.key);
        if (found)
            break;
    }
    return at;
}

/* The tag opens one more. */
static bool open_child(nested_call *call, const nested_child *container,
                       bool list, size_t depth, nested_children *children,
                       const nested_tag *tag)
{
    nested_child made = {0};
    nested_child *last =
        children->count ? &children->all[children->count - 1] : NULL;

    naive_add(&made.key, tag->key.data, tag->key.size);
    made.schemas = frame_schemas_part(&container->schemas, call->root,
                                      list ? NULL : tag->key.data);
    made.again = !list && last && is_key(&last->key, &tag->key) &&
                 (last->again || last->held || last->movable);
    if (made.again)
        made.schemas = items_of(call, &made.schemas);
    call->at += tag->size;
    made.from = call->at;
    *add(children) = made;
    return read_child(call, container, depth + 1,
                      &children->all[children->count - 1]);
}

/* What stands in |container| from |call->at| on, up to its close. */
static bool read_children(nested_call *call, const nested_child *container,
                          bool list, size_t depth, nested_children *children)
{
    frame_reader *reader = call->reader;

    for (;;) {
        size_t at = call->at = frame_skip(reader, call->at);
        nested_tag tag = tag_at(call, at);
        bool good = true, over = false;

        if (at == reader->size || tag.cut) {
            good = fail(call, "truncated_call");
            call->at = reader->size;
        } else if (tag.valid && !tag.close) {
            good = open_child(call, container, list, depth, children, &tag);
        } else if (tag.valid) {
            over = is_key(&tag.key, &container->key);
            good = over || fail(call, "syntax_error");
            call->at += over ? tag.size : 0;
        } else if (tag.marked || !list) {
            good = fail(call, "syntax_error");
        } else {
            call->at = next_tag(call, at);
            add_text(call, container, children, at, call->at);
        }
        naive_release(&tag.key);
        if (over || !good || call->failure)
            return good && !call->failure;
    }
}

/* --- a value without its close ----------------------------------------- */

static bool call_begins(const nested_call *call, size_t at)
{
    return frame_section_open_at(call->reader, at) ||
           frame_call_open_at(call->reader, at);
}

/* Is the parameter that the tag opens still to come? */
static bool is_due(const nested_call *call, const nested_tag *tag)
{
    const naive_tree *declared = naive_tree_get(
        naive_tree_get(call->root, "properties"), tag->key.data);

    for (size_t i = 0; i < call->given->count; i++)
        if (is_key(&call->given->all[i].key, &tag->key))
            declared = NULL;
    return !call->tool || declared;
}

static bool ends_output(const nested_call *call, size_t at)
{
    frame_reader *reader = call->reader;
    const char *close =
        frame_section_close_at(reader, at = frame_skip(reader, at));

    at = frame_skip(reader, at + (close ? strlen(close) : 0));
    return at == reader->size || frame_stop_at(reader, at);
}

/* A tag at |at|, in a value that begins at |from|, where no call stands. */
static bool ends_value(const nested_call *call, size_t depth, size_t from,
                       size_t at, const nested_tag *tag)
{
    const char *close = frame_call_close_at(call->reader, at);

    if (!*call->mark || depth != 1 || !tag->valid)
        return false;
    return close ? ends_output(call, at + strlen(close))
                 : !tag->close && at > from && !call_begins(call, at) &&
                       is_due(call, tag);
}

/* The value's close without its mark. */
static bool is_bare_close(const nested_call *call, const naive_bytes *key,
                          size_t at)
{
    const frame_reader *reader = call->reader;

    return *call->mark && reader->size - at >= key->size + 3 &&
           memcmp(reader->text + at, "</", 2) == 0 &&
           memcmp(reader->text + at + 2, key->data, key->size) == 0 &&
           reader->text[at + 2 + key->size] == '>';
}

/* What begins or ends a call, or half of a tag. */
static bool is_doubtful(const nested_call *call, const naive_bytes *key,
                        size_t at, const nested_tag *tag)
{
    if (is_bare_close(call, key, at) || (tag->marked && !tag->valid))
        return true;
    return tag->valid &&
           (call_begins(call, at) || frame_call_close_at(call->reader, at) ||
            frame_section_close_at(call->reader, at));
}

/* Its text goes on to its own close, whatever stands in it. */
static bool read_stream(nested_call *call, nested_child *child, size_t depth,
                        unsigned types, size_t from, size_t search)
{
    frame_reader *reader = call->reader;
    size_t nest = 0;
    bool doubt = false;

    call->streamed++;
    for (size_t at = search; at < reader->size; at++) {
        nested_tag tag = tag_at(call, at);
        const bool own = tag.valid && is_key(&tag.key, &child->key);
        const bool over = own && tag.close && nest == 0;
        const bool ends = !own && nest == 0 && !doubt &&
                          ends_value(call, depth, child->from, at, &tag);

        if (own && tag.close)
            nest -= !over;
        else if (own)
            nest += *call->mark && at > child->from;
        doubt |= !own && is_doubtful(call, &child->key, at, &tag);
        naive_release(&tag.key);
        if (!over && !ends)
            continue;
        if (ends)
            frame_diagnose(reader, "missing_value_close", at);
        naive_add(&child->raw, reader->text + from, at - from);
        call->at = at + (over ? tag.size : 0);
        return frame_convert(reader, types, &child->raw, from, &child->json) ||
               fail(call, "malformed_value");
    }
    call->at = reader->size;
    return fail(call, "truncated_call");
}

static bool become_container(nested_call *call, nested_child *child,
                             unsigned types, size_t depth,
                             const nested_tag *tag, size_t at)
{
    nested_children children = {0};
    bool array = types & TYPE_ARRAY, object = types & TYPE_OBJECT;
    bool list = array != object ? array : strcmp(tag->key.data, "item") == 0;
    const size_t streamed = call->streamed;
    naive_bytes front = {0};
    bool good = true;

    naive_add(&front, call->reader->text + call->at, at - call->at);
    if (!is_blank(&front) && !list)
        good = fail(call, "syntax_error");
    else if (!is_blank(&front))
        add_text(call, child, &children, frame_skip(call->reader, call->at),
                 at);
    call->at = at;
    good = good && read_children(call, child, list, depth, &children);
    if (good)
        write_container(call, &children, list, &child->json);
    child->movable = types == 0 && call->streamed == streamed;
    naive_release(&front);
    release(&children);
    return good && !call->failure;
}

/* A list or object with nothing in it, and the close of its container. */
static bool is_left_open(const nested_child *parent, size_t depth,
                         unsigned types, const naive_bytes *text,
                         const nested_tag *tag)
{
    types &= ~(unsigned)TYPE_NULL;
    return depth > 1 && is_blank(text) &&
           (types == TYPE_ARRAY || types == TYPE_OBJECT) &&
           is_key(&parent->key, &tag->key);
}

static bool is_blank_at(const frame_reader *reader, size_t from, size_t to)
{
    while (from < to && frame_is_blank(reader->text[from]))
        from++;
    return from == to;
}

static bool has_bare_close(const nested_call *call, const nested_child *child,
                           size_t from, size_t to)
{
    while (from < to && !is_bare_close(call, &child->key, from))
        from++;
    return from < to;
}

/* Its text is known; others of its name may follow. */
static void hold_or_convert(nested_call *call, const nested_child *parent,
                            unsigned types, nested_child *child)
{
    child->held = !child->again && parent->key.data != NULL &&
                  (types == 0 || types & TYPE_ARRAY);
    if (!child->held)
        convert(call, child, &child->schemas);
}

/* The value of |child| begins at |call->at|. */
static bool read_child(nested_call *call, const nested_child *parent,
                       size_t depth, nested_child *child)
{
    frame_reader *reader = call->reader;
    const size_t from = call->at;
    const unsigned types = types_of(call, &child->schemas);
    const unsigned others =
        TYPE_STRING | TYPE_NUMBER | TYPE_INTEGER | TYPE_BOOLEAN;
    const size_t at = next_tag(call, from);
    const size_t inner = frame_skip(reader, from);
    nested_tag tag = tag_at(call, at);
    bool good;

    naive_add(&child->json, "", 0);
    if (types & TYPE_STRING && !(types & CONTAINERS)) {
        good = read_stream(call, child, depth, types, from, from);
    } else if (types && !(types & others) && types != TYPE_NULL &&
               inner < reader->size &&
               frame_among("{[", reader->text[inner])) {
        good = read_stream(call, child, depth, types, inner, inner);
    } else if (at - from > FRAME_HELD) {
        good = read_stream(call, child, depth, TYPE_STRING, from, at);
    } else if (at == reader->size || tag.cut) {
        good = fail(call, "truncated_call");
        call->at = reader->size;
    } else if ((!types || types & TYPE_STRING) && call_begins(call, at)) {
        good = read_stream(call, child, depth, TYPE_STRING, from, at);
    } else if (!is_blank_at(reader, from, at) &&
               !has_bare_close(call, child, from, at) &&
               ends_value(call, depth, from, at, &tag)) {
        frame_diagnose(reader, "missing_value_close", at);
        naive_add(&child->raw, reader->text + from, at - from);
        call->at = at;
        hold_or_convert(call, parent, types, child);
        good = !call->failure;
    } else if (!tag.valid) {
        good = fail(call, "syntax_error");
        call->at = at;
    } else if (!tag.close) {
        good = become_container(call, child, types, depth, &tag, at);
    } else {
        bool own = is_key(&tag.key, &child->key);

        naive_add(&child->raw, reader->text + from, at - from);
        call->at = at + (own ? tag.size : 0);
        good = own ||
               is_left_open(parent, depth, types, &child->raw, &tag) ||
               fail(call, "syntax_error");
        if (good)
            hold_or_convert(call, parent, types, child);
        good = good && !call->failure;
    }
    naive_release(&tag.key);
    return good;
}

/* --- the call ---------------------------------------------------------- */

/* The tag is a marker of the format. */
static bool is_marker(frame_reader *reader, size_t at, const nested_tag *tag)
{
    const char *section = frame_section_open_at(reader, at);
    const char *call = frame_call_open_at(reader, at);

    return (section && strlen(section) >= tag->size) ||
           (call && (strlen(call) >= tag->size ||
                     frame_is_blank(reader->text[at + strlen(call)])));
}

static void give_up(nested_call *call, const frame_head *head, size_t start)
{
    frame_reader *reader = call->reader;
    const char *close;

    frame_diagnose(reader, call->failure, call->at);
    reader->at = frame_bad_end(reader, call->at);
    close = frame_call_close_at(reader, reader->at);
    if (close)
        reader->at += strlen(close);
    frame_unparsed(reader, start, reader->at, call->failure,
                   &head->match.holes[HOLE_NAME]);
}

/* What is no element at |call->at|: is it the end of the call? */
static bool ends_call(nested_call *call, const frame_head *head, bool filled,
                      bool cut)
{
    frame_reader *reader = call->reader;
    const size_t at = call->at;
    const char *closer = frame_closer(head->call, 0);
    bool section = frame_section_close_at(reader, at) != NULL;
    bool marker = frame_stop_at(reader, at) ||
                  frame_section_open_at(reader, at) ||
                  frame_call_open_at(reader, at);

    if (at == reader->size && filled && !reader->options->length)
        return true;
    if (at == reader->size || cut || frame_cut_marker_at(reader, at)) {
        call->at = reader->size;
        return fail(call, "truncated_call");
    }
    return frame_starts(reader, at, closer) || section ||
           (marker && filled) ||
           fail(call, marker ? "truncated_call" : "syntax_error");
}

static bool begin(nested_call *call, const frame_head *head)
{
    frame_reader *reader = call->reader;
    const naive_bytes *name = &head->match.holes[HOLE_NAME];
    const naive_tree *tool = frame_tool(reader, name);

    call->at = head->body;
    if (name->size == 0 || name->size > FRAME_NAME)
        return fail(call, name->size ? "limit_name" : "no_name");
    reader->message->begun++;
    if (frame_has_tools(reader) && !tool)
        frame_diagnose(reader, "undeclared_tool", head->body);
    call->tool = tool;
    call->root = naive_tree_get(tool, "parameters");
    return true;
}

void frame_read_elements(frame_reader *reader, frame_head *head, size_t start)
{
    nested_call call = {.reader = reader,
                        .mark =
                            head->call->parts[head->call->hole].text.data};
    nested_child all = {0};
    nested_children children = {0};
    bool more = begin(&call, head);
    naive_bytes id = {0};

    call.given = &children;

    naive_add(&all.key, "", 0);
    if (call.root)
        all.schemas = (frame_schemas){{call.root}, 1};
    while (more) {
        nested_tag tag = tag_at(&call, call.at = frame_skip(reader, call.at));

        if (tag.valid && !tag.close && !is_marker(reader, call.at, &tag)) {
            more = open_child(&call, &all, false, 0, &children, &tag) &&
                   !call.failure;
        } else {
            ends_call(&call, head, children.count > 0, tag.cut);
            more = false;
        }
        naive_release(&tag.key);
    }
    if (!call.failure)
        write_container(&call, &children, false, &all.json);
    if (call.failure) {
        give_up(&call, head, start);
    } else {
        frame_id_of(reader->format, head, &id);
        frame_add_call(reader, &head->match.holes[HOLE_NAME], &id, &all.json);
        reader->at = call.at;
        frame_read_tail(reader, head->call);
    }
    naive_release(&id);
    naive_release(&all.key);
    naive_release(&all.json);
    release(&children);
}
