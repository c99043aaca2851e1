/* SPDX-License-Identifier: MIT
 *
 * Lines of a session, gathered to a record.
 */
#include "records/sessions/session.h"
#include "records/shapes.h"

static const tw_record_shape *const session_shapes[] = {
    &tw_qwen_code_shape,  &tw_claude_code_shape, &tw_codex_shape,
    &tw_gemini_cli_shape, &tw_pi_shape,          &tw_messages_shape};

/* ---- lines -------------------------------------------------------------- */

const tw_record_shape *tw_session_shape(const tw_value *line)
{
    for (size_t i = 0; i < sizeof session_shapes / sizeof *session_shapes;
         i++) {
        if (session_shapes[i]->is_line(line)) {
            return session_shapes[i];
        }
    }
    return NULL;
}

/* The next line that is not blank; *at is behind it then.  False: that was the
 * last. */
static bool next_line(const char **at, const char *end, const char **line,
                      size_t *size)
{
    while (*at < end) {
        const char *feed = memchr(*at, '\n', (size_t)(end - *at));
        const char *stop = feed != NULL ? feed : end;
        *line = *at;
        *size = (size_t)(stop - *at);
        *at = feed != NULL ? feed + 1 : end;
        for (size_t i = 0; i < *size; i++) {
            if (memchr(" \t\r", (*line)[i], 3) == NULL) {
                return true;
            }
        }
    }
    return false;
}

/* Do the first lines tell that it is one?  Or TW_ERROR_MEMORY.  A list of
 * lines is one if nothing stands behind it. */
static int begins_session(const char *text, size_t size,
                          const tw_memory *memory)
{
    enum { LOOKED_AT = 8 };
    const char *end = text + size;
    const char *at = text;
    const char *line;
    size_t line_size;
    int is = 0;
    tw_tree tree;
    tw_tree_init(&tree, memory);
    for (size_t i = 0;
         i < LOOKED_AT && is == 0 && next_line(&at, end, &line, &line_size);
         i++) {
        const int read = tw_tree_read(&tree, line, line_size, false);
        const bool list =
            read == TW_OK && tree.root->kind == TW_VALUE_ARRAY && i == 0;
        is = read == TW_ERROR_MEMORY ? read
             : read != TW_OK         ? 0
             : !list                 ? tw_session_shape(tree.root) != NULL
             : at < end              ? 0
                        : tw_session_shape(tree.root->first) != NULL;
    }
    tw_tree_free(&tree);
    return is;
}

/* Does |text| begin with a brace on a line of its own, and have this |name|?
 */
static bool is_document(const char *text, size_t size, const char *name)
{
    const size_t name_size = strlen(name);
    const char *at = text;
    const char *line;
    size_t line_size;
    if (!next_line(&at, text + size, &line, &line_size) || *line != '{') {
        return false;
    }
    for (size_t i = 1; i < line_size; i++) {
        if (memchr(" \t\r", line[i], 3) == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i + name_size <= size; i++) {
        if (memcmp(text + i, name, name_size) == 0) {
            return true;
        }
    }
    return false;
}

/* Gemini CLI's were documents once. */
static int is_session(const char *text, size_t size, const tw_memory *memory)
{
    const int begins = begins_session(text, size, memory);
    return begins != 0 ? begins : is_document(text, size, "\"projectHash\"");
}

bool tw_session_is_whole(const tw_record_shape *shape, const char *text,
                         size_t size, const tw_memory *memory)
{
    const bool found = shape == &tw_auto_shape;
    return shape != NULL && (shape->gathers ||
                             ((found || shape == &tw_atif_shape) &&
                              is_document(text, size, "\"ATIF-v")) ||
                             (found && is_session(text, size, memory) > 0));
}

int tw_session_gathers(const tw_record_shape *shape, const char *text,
                       size_t size, const tw_memory *memory)
{
    if (shape == NULL || shape->gathers) {
        return shape != NULL;
    }
    return shape == &tw_auto_shape && size > 0 &&
                   (*text == '[' || memchr(text, '\n', size) != NULL)
               ? is_session(text, size, memory)
               : 0;
}

/* What the whole session has, of the first line that says it. */
static void keep(tw_tree *tree, tw_value *record, const char *key,
                 const tw_value *value)
{
    if (tw_value_is_a(value, TW_VALUE_STRING) && value->size > 0 &&
        tw_value_member(record, key) == NULL) {
        tw_value *made =
            tw_make_text(tree, record, key, value->text, value->size);
        if (made != NULL) {
            made->origin = value;
        }
    }
}

static void keep_of_line(tw_tree *tree, tw_value *record, const tw_value *line)
{
    const tw_value *payload = tw_value_member(line, "payload");
    const tw_value *data = tw_value_member(line, "data");
    const tw_value *message = tw_value_member(line, "message");
    keep(tree, record, "session_id", tw_value_member(line, "sessionId"));
    keep(tree, record, "session_id", tw_value_member(line, "session_id"));
    keep(tree, record, "session_id", tw_value_member(data, "sessionId"));
    if (tw_value_is(tw_value_member(line, "type"), "session_meta")) {
        keep(tree, record, "session_id", tw_value_member(payload, "id"));
    }
    if (tw_value_begins(tw_value_member(line, "type"), "session")) {
        keep(tree, record, "session_id", tw_value_member(line, "id"));
    }
    if (!tw_value_is(tw_value_member(message, "model"), "<synthetic>")) {
        keep(tree, record, "model", tw_value_member(message, "model"));
    }
    keep(tree, record, "model", tw_value_member(payload, "model"));
    if (tw_value_is(tw_value_member(line, "type"), "gemini") ||
        tw_session_has_parts(line)) {
        keep(tree, record, "model", tw_value_member(line, "model"));
    }
}

/* All of it may be one JSON text: a list of lines, or a document that is
 * broken into lines. */
static bool read_whole(tw_tree *tree, tw_value *lines, const char *text,
                       size_t size)
{
    if (tw_tree_read_more(tree, text, size) != TW_OK) {
        tree->error = tree->error == TW_ERROR_JSON ? TW_OK : tree->error;
        return false;
    }
    if (tree->root->kind != TW_VALUE_ARRAY) {
        tw_value_link(lines, tree->root);
        return true;
    }
    lines->first = tree->root->first;
    lines->last = tree->root->last;
    for (tw_value *at = lines->first; at != NULL; at = at->next) {
        at->parent = lines;
    }
    return true;
}

/* One that is no JSON is a string.  NULL: no memory. */
static tw_value *read_line(tw_tree *tree, const char *line, size_t size)
{
    const int result = tw_tree_read_more(tree, line, size);
    if (result == TW_ERROR_JSON) {
        tree->error = TW_OK;
        return tw_make_any(tree, NULL, NULL, line, size);
    }
    return result == TW_OK ? tree->root : NULL;
}

static int read_lines(tw_tree *tree, tw_value *lines, const char *text,
                      size_t size)
{
    const char *at = text;
    const char *line;
    size_t line_size;
    if (read_whole(tree, lines, text, size)) {
        return TW_OK;
    }
    while (tree->error == TW_OK &&
           next_line(&at, text + size, &line, &line_size)) {
        tw_value *read = read_line(tree, line, line_size);
        if (read == NULL) {
            return TW_ERROR_MEMORY;
        }
        tw_value_link(lines, read);
    }
    return tree->error;
}

int tw_session_gather(tw_tree *tree, const char *text, size_t size)
{
    tw_tree_begin(tree, false);
    tw_value *record = tw_make(tree, NULL, NULL, TW_VALUE_OBJECT);
    tw_value *lines = tw_make(tree, record, "lines", TW_VALUE_ARRAY);
    if (record == NULL || lines == NULL) {
        return TW_ERROR_MEMORY;
    }
    const int result = read_lines(tree, lines, text, size);
    for (const tw_value *at = lines->first; at != NULL && result == TW_OK;
         at = at->next) {
        keep_of_line(tree, record, at);
    }
    tree->root = record;
    return result != TW_OK ? result : tree->error;
}
