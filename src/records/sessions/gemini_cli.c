/* SPDX-License-Identifier: MIT
 *
 * Sessions of Gemini CLI, ~/.gemini/tmp/PROJECT/chats/session-*.jsonl: a line
 * for each message, again as it grows; in files of before 2026 one document.
 *
 *     {"sessionId":"s","projectHash":"h",...}
 *     {"id":"m1","type":"gemini","content":"Let me see.","toolCalls":[{"id",
 *      "name","args","result":[{"functionResponse":{...}}]}],"thoughts":[...]}
 *     {"$set":{...}}  {"$rewindTo":"m1"}
 */
#include "core/sort.h"
#include "records/apis/gemini_halves.h"
#include "records/sessions/session.h"
#include "records/shapes.h"

/* A message as it stands somewhere in the file, or where the user went back.
 */
typedef struct entry {
    const tw_value *value;
    const tw_value *id;   /* NULL: it has none */
    const tw_value *last; /* of the first: what the file says in the end */
    bool listed;          /* in a list of all messages */
    bool rewinds;         /* all from |id| on is taken back */
    const struct entry *first; /* where it stands before, or NULL */
} entry;

typedef struct cli_session {
    tw_recoder *recoder;
    tw_tree *made;
    tw_value *contents; /* of a record of Gemini's, in |texts| */
    tw_buffer entries;
    tw_buffer order; /* size_t: those of messages with ids, sorted by them */
    tw_buffer live;  /* const entry *: what the conversation has */
    const tw_value *answered; /* calls of the message before */
    bool good;                /* there was memory */
} cli_session;

static const char *const own_types[] = {"info", "error", "warning", NULL};

static bool is_head(const tw_value *line)
{
    return tw_value_is_a(tw_value_member(line, "sessionId"),
                         TW_VALUE_STRING) &&
           tw_value_is_a(tw_value_member(line, "projectHash"),
                         TW_VALUE_STRING);
}

static void lose(cli_session *session, uint32_t code, const tw_value *where,
                 const char *why)
{
    tw_recoder_report_loss(session->recoder, code, where, why);
}

/* ---- which messages there are ------------------------------------------- */

static entry *entry_at(const cli_session *session, size_t i)
{
    return (entry *)(void *)session->entries.data + i;
}

static void add(cli_session *session, const tw_value *message, bool listed)
{
    const tw_value *id = tw_value_member(message, "id");
    const entry fresh = {.value = message,
                         .id = tw_value_is_a(id, TW_VALUE_STRING) ? id : NULL,
                         .last = message,
                         .listed = listed};
    session->good &= tw_buffer_append(
        &session->entries, session->recoder->memory, &fresh, sizeof fresh);
}

static void add_list(cli_session *session, const tw_value *list)
{
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    for (; at != NULL; at = at->next) {
        add(session, at, true);
    }
}

static void add_line(cli_session *session, const tw_value *line)
{
    static const char *const known[] = {"messages", "sessionId", NULL};
    tw_recoder *recoder = session->recoder;
    const tw_value *set = tw_value_member(line, "$set");
    const tw_value *back = tw_value_member(line, "$rewindTo");
    if (line->kind != TW_VALUE_OBJECT) {
        lose(session, TW_LOSS_MESSAGE_DROPPED, line,
             "The line is cut off, or no JSON.");
    } else if (tw_value_is_a(back, TW_VALUE_STRING)) {
        const entry fresh = {.value = line, .id = back, .rewinds = true};
        session->good &= tw_buffer_append(&session->entries, recoder->memory,
                                          &fresh, sizeof fresh);
    } else if (set != NULL || is_head(line)) {
        const tw_value *object = set != NULL ? set : line;
        const tw_value *list = tw_value_member(object, "messages");
        add_list(session, list);
        if (set != NULL && list != NULL) {
            lose(session, TW_LOSS_MEMBER_DROPPED, list,
                 "The agent rewrote the conversation here; what is said again "
                 "stays as it was.");
        }
        tw_recoder_lose_others(recoder, object, known);
    } else {
        add(session, line, false);
    }
}

static bool is_before(const void *context, size_t left, size_t right)
{
    const cli_session *session = context;
    return tw_value_order(entry_at(session, left)->id,
                          entry_at(session, right)->id) < 0;
}

/* A message stays where it stood first, in the words of its last line: lists
 * repeat what came before. */
static void find_again(cli_session *session)
{
    const size_t count = session->entries.size / sizeof(entry);
    entry *first = NULL;
    for (size_t i = 0; i < count; i++) {
        const entry *each = entry_at(session, i);
        if (each->id != NULL && !each->rewinds) {
            session->good &= tw_buffer_append(
                &session->order, session->recoder->memory, &i, sizeof i);
        }
    }
    session->good =
        session->good &&
        tw_sort(&session->order, session->recoder->memory, is_before, session);
    for (size_t i = 0;
         session->good && i < session->order.size / sizeof(size_t); i++) {
        entry *each = entry_at(
            session, ((const size_t *)(const void *)session->order.data)[i]);
        if (first == NULL || tw_value_order(first->id, each->id) != 0) {
            first = each;
            continue;
        }
        each->first = first;
        if (!each->listed || first->listed) {
            first->last = each->value;
        }
    }
}

static const entry *live_at(const cli_session *session, size_t i)
{
    return ((const entry *const *)(const void *)session->live.data)[i];
}

/* Of a message that the conversation does not have nothing is taken. */
static void rewind_to(cli_session *session, const tw_value *id)
{
    size_t count = session->live.size / sizeof(entry *);
    bool found = false;
    while (count > 0 && !found) {
        const entry *each = live_at(session, --count);
        found = each->id != NULL && tw_value_order(each->id, id) == 0;
        lose(session, TW_LOSS_MESSAGE_DROPPED, each->last,
             "The user took it back.");
    }
    session->live.size = count * sizeof(entry *);
}

static void find_live(cli_session *session)
{
    const size_t count = session->entries.size / sizeof(entry);
    for (size_t i = 0; i < count && session->good; i++) {
        const entry *each = entry_at(session, i);
        const entry *first = each->first != NULL ? each->first : each;
        if (each->rewinds) {
            rewind_to(session, each->id);
            continue;
        }
        if (first == each) {
            session->good = tw_buffer_append(
                &session->live, session->recoder->memory, &each, sizeof each);
        }
        if (!each->listed && each->value != first->last) {
            lose(session, TW_LOSS_MEMBER_DROPPED, each->value,
                 "The file has this message again.");
        }
    }
}

/* ---- what they say ------------------------------------------------------ */

/* The parts of a content, which is there when it has some. */
static tw_value *begin_content(cli_session *session, const char *role,
                               const tw_value *source)
{
    tw_value *content = tw_make(session->made, NULL, NULL, TW_VALUE_OBJECT);
    if (content != NULL) {
        content->origin = source;
    }
    tw_make_word(session->made, content, "role", role);
    return tw_make(session->made, content, "parts", TW_VALUE_ARRAY);
}

static void end_content(cli_session *session, tw_value *parts)
{
    if (parts != NULL && parts->first != NULL && session->contents != NULL) {
        tw_value_link(session->contents, parts->parent);
    }
}

static tw_value *begin_part(cli_session *session, tw_value *parts,
                            const tw_value *source)
{
    tw_value *part = tw_make(session->made, parts, NULL, TW_VALUE_OBJECT);
    if (part != NULL) {
        part->origin = source;
    }
    return part;
}

/* The object of this name in a list's element, or NULL. */
static const tw_value *inside(const tw_value *part, const char *key)
{
    const tw_value *found = tw_value_member(part, key);
    return tw_value_is_a(found, TW_VALUE_OBJECT) ? found : NULL;
}

/* The element of a list that has this id, itself or in its member |key|.  In
 * long lists nothing is looked for but the first. */
static const tw_value *find_id(const tw_value *list, const char *key,
                               const tw_value *id)
{
    enum { MOST = 64 };
    const tw_value *at = tw_value_is_a(list, TW_VALUE_ARRAY) &&
                                 tw_value_is_a(id, TW_VALUE_STRING)
                             ? list->first
                             : NULL;
    for (size_t i = 0; at != NULL && i < MOST; i++, at = at->next) {
        const tw_value *holder = key != NULL ? inside(at, key) : at;
        const tw_value *own = tw_value_member(holder, "id");
        if (tw_value_is_a(own, TW_VALUE_STRING) &&
            tw_value_order(own, id) == 0) {
            return at;
        }
    }
    return NULL;
}

static void add_response(cli_session *session, tw_value *parts,
                         const tw_value *source, const tw_value *response,
                         const tw_value *call)
{
    static const char *const moved[] = {"id", "name", NULL};
    tw_tree *made = session->made;
    tw_value *part = begin_part(session, parts, source);
    tw_value *answer =
        tw_make(made, part, "functionResponse", TW_VALUE_OBJECT);
    const tw_value *given = tw_value_member(response, "response");
    for (size_t i = 0; moved[i] != NULL; i++) {
        const tw_value *own = tw_value_member(response, moved[i]);
        own = own != NULL ? own : tw_value_member(call, moved[i]);
        if (own != NULL) {
            tw_make_copy(made, answer, moved[i], own);
        }
    }
    if (response == NULL) {
        tw_value *object = tw_make(made, answer, "response", TW_VALUE_OBJECT);
        tw_make_copy(made, object, "result", source);
    } else if (given != NULL) {
        tw_make_copy(made, answer, "response", given);
    }
}

/* Parts of a content or of a result, which may be a text, a part or a list. */
static void add_parts(cli_session *session, tw_value *parts,
                      const tw_value *content, const tw_value *call)
{
    const bool list = tw_value_is_a(content, TW_VALUE_ARRAY);
    const tw_value *at = list ? content->first : content;
    for (; at != NULL; at = list ? at->next : NULL) {
        const tw_value *response = inside(at, "functionResponse");
        const tw_value *id = tw_value_member(response, "id");
        if (response == NULL && call == NULL &&
            tw_value_is_a(at, TW_VALUE_STRING)) {
            tw_value *part =
                list || at->size > 0 ? begin_part(session, parts, at) : NULL;
            tw_make_copy(session->made, part, "text", at);
        } else if (response == NULL && !tw_value_is_a(at, TW_VALUE_STRING)) {
            tw_make_copy(session->made, parts, NULL, at);
        } else if (call != NULL && tw_value_is_a(id, TW_VALUE_STRING) &&
                   tw_value_is_a(tw_value_member(call, "id"),
                                 TW_VALUE_STRING) &&
                   !tw_value_is_same_text(id, tw_value_member(call, "id"))) {
            lose(session, TW_LOSS_MESSAGE_DROPPED, at,
                 "It is another call's result.");
        } else if (call == NULL &&
                   tw_value_is_true(tw_value_member(
                       find_id(session->answered, NULL, id), "result"))) {
            lose(session, TW_LOSS_MEMBER_DROPPED, at,
                 "The result stands with its call, too.");
        } else {
            add_response(session, parts, at, response, call);
        }
    }
}

/* "**subject** description", as the agent gives them to the model. */
static void add_thought(cli_session *session, tw_value *parts,
                        const tw_value *thought)
{
    static const char *const known[] = {"subject", "description", NULL};
    const tw_memory *memory = session->recoder->memory;
    const tw_value *subject = tw_value_member(thought, known[0]);
    const tw_value *more = tw_value_member(thought, known[1]);
    tw_buffer text = {0};
    if (tw_has_text(subject)) {
        session->good &=
            tw_buffer_append(&text, memory, "**", 2) &&
            tw_buffer_append(&text, memory, subject->text, subject->size) &&
            tw_buffer_append(&text, memory, "** ", tw_has_text(more) ? 3 : 2);
    }
    if (tw_has_text(more)) {
        session->good &=
            tw_buffer_append(&text, memory, more->text, more->size);
    }
    tw_value *part = begin_part(session, parts, thought);
    tw_value *made = tw_make_text(session->made, part, "text",
                                  (const char *)text.data, text.size);
    tw_value *flag = tw_make(session->made, part, "thought", TW_VALUE_TRUE);
    if (made != NULL && flag != NULL) {
        made->origin = flag->origin = thought;
    }
    tw_recoder_lose_others(session->recoder, thought, known);
    tw_buffer_free(&text, memory);
}

static bool has_thoughts(const tw_value *content)
{
    const tw_value *at =
        tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
    while (at != NULL && !tw_value_is_true(tw_value_member(at, "thought"))) {
        at = at->next;
    }
    return at != NULL;
}

static void add_call(cli_session *session, tw_value *parts,
                     const tw_value *call)
{
    static const char *const said[] = {"id", "name", "args", NULL};
    static const char *const known[] = {"id", "name", "args", "result", NULL};
    tw_value *part = begin_part(session, parts, call);
    tw_value *made =
        tw_make(session->made, part, "functionCall", TW_VALUE_OBJECT);
    for (size_t i = 0; said[i] != NULL; i++) {
        const tw_value *own = tw_value_member(call, said[i]);
        if (own != NULL) {
            tw_make_copy(session->made, made, said[i], own);
        }
    }
    tw_recoder_lose_others(session->recoder, call, known);
}

static void add_results(cli_session *session, const tw_value *calls,
                        const tw_value *message)
{
    tw_value *parts = begin_content(session, "user", message);
    const tw_value *at =
        tw_value_is_a(calls, TW_VALUE_ARRAY) ? calls->first : NULL;
    for (; at != NULL; at = at->next) {
        const tw_value *result = tw_value_member(at, "result");
        if (tw_value_is_true(result)) {
            add_parts(session, parts, result, at);
        }
    }
    end_content(session, parts);
}

/* Thoughts and calls stand in the content, or else beside it. */
static void read_model(cli_session *session, const tw_value *message)
{
    static const char *const known[] = {"type",     "content",   "model",
                                        "thoughts", "toolCalls", NULL};
    static const char *const inner[] = {"type", "content", "model",
                                        "toolCalls", NULL};
    const tw_value *content = tw_value_member(message, "content");
    const tw_value *thoughts = tw_value_member(message, "thoughts");
    const tw_value *calls = tw_value_member(message, "toolCalls");
    const bool thinks = has_thoughts(content);
    tw_value *parts = begin_content(session, "model", message);
    const tw_value *at = tw_value_is_a(thoughts, TW_VALUE_ARRAY) && !thinks
                             ? thoughts->first
                             : NULL;
    for (; at != NULL; at = at->next) {
        add_thought(session, parts, at);
    }
    add_parts(session, parts, content, NULL);
    at = tw_value_is_a(calls, TW_VALUE_ARRAY) ? calls->first : NULL;
    for (; at != NULL; at = at->next) {
        if (find_id(content, "functionCall", tw_value_member(at, "id")) ==
            NULL) {
            add_call(session, parts, at);
        }
    }
    end_content(session, parts);
    add_results(session, calls, message);
    session->answered = calls;
    tw_recoder_lose_others(session->recoder, message, thinks ? inner : known);
}

static void read_message(cli_session *session, const tw_value *message)
{
    static const char *const known[] = {"type", "content", NULL};
    const tw_value *type = tw_value_member(message, "type");
    if (tw_value_is(type, "gemini")) {
        read_model(session, message);
    } else if (tw_value_is(type, "user")) {
        tw_value *parts = begin_content(session, "user", message);
        add_parts(session, parts, tw_value_member(message, "content"), NULL);
        end_content(session, parts);
        tw_recoder_lose_others(session->recoder, message, known);
    } else if (tw_value_is_a(type, TW_VALUE_STRING) &&
               (tw_value_is(type, own_types[0]) ||
                tw_value_is(type, own_types[1]) ||
                tw_value_is(type, own_types[2]))) {
        tw_recoder_lose_once(session->recoder, message, type->text,
                             type->size);
    } else {
        lose(session, TW_LOSS_MESSAGE_DROPPED, message,
             "No conversation has a line of this type.");
    }
}

/* ---- the shape ---------------------------------------------------------- */

static tw_fit fits(const tw_value *record)
{
    return is_head(record) && tw_has_list_of(record, "messages", "type")
               ? TW_FIT_WELL
               : tw_session_fit(record, is_head);
}

static void read_all(cli_session *session, const tw_value *record)
{
    const tw_memory *memory = session->recoder->memory;
    const tw_value *lines = tw_use_member(record, "lines");
    const tw_value *at =
        tw_value_is_a(lines, TW_VALUE_ARRAY) ? lines->first : NULL;
    for (; at != NULL; at = at->next) {
        add_line(session, at);
    }
    if (lines == NULL) {
        add_list(session, tw_use_member(record, "messages"));
    }
    find_again(session);
    find_live(session);
    for (size_t i = 0;
         session->good && i < session->live.size / sizeof(entry *); i++) {
        read_message(session, live_at(session, i)->last);
    }
    tw_buffer_free(&session->entries, memory);
    tw_buffer_free(&session->order, memory);
    tw_buffer_free(&session->live, memory);
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    tw_tree *texts = &recoder->texts;
    tw_value *made = tw_make(texts, NULL, NULL, TW_VALUE_OBJECT);
    cli_session session = {
        .recoder = recoder,
        .made = texts,
        .contents = tw_make(texts, made, "contents", TW_VALUE_ARRAY),
        .good = true};
    if (fits(record) == TW_FIT_NONE) {
        tw_recoder_refuse(recoder, record, "no line is one of Gemini CLI's");
        return NULL;
    }
    read_all(&session, record);
    if (!session.good || session.contents == NULL ||
        texts->error == TW_ERROR_MEMORY) {
        recoder->json_out.failed = true;
        return NULL;
    }
    return tw_session_leave_out_calls(recoder, tw_gemini_read(recoder, made));
}

const tw_record_shape tw_gemini_cli_shape = {
    .name = "gemini-cli",
    .about = "read only: a session of Gemini CLI, all lines of a file",
    .gathers = true,
    .is_line = is_head,
    .fits = fits,
    .read = read,
};
