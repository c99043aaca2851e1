/* SPDX-License-Identifier: MIT
 *
 * Glaive's second version: {"system", "chat"}, two texts.  The first has the
 * tools as JSON behind its prose, the second has turns that begin with role
 * words.
 */
#include "core/skip.h"
#include "messages/transcript_reader.h"
#include "records/records.h"

static tw_cursor trim(tw_cursor text)
{
    while (text.at < text.end && tw_is_ws(*text.at)) {
        text.at++;
    }
    while (text.at < text.end && tw_is_ws(text.end[-1])) {
        text.end--;
    }
    return text;
}

static const char call_mark[] = "<functioncall>";

/* Goes behind the first mark of a call; false: there is none. */
static bool skip_to_call(tw_cursor *text)
{
    for (; text->at < text->end; text->at++) {
        if (tw_cursor_skip(text, call_mark)) {
            return true;
        }
    }
    return false;
}

/* Of |source|, whose path it has. */
static tw_value *make_text(tw_recoder *recoder, tw_value *parent,
                           const char *key, tw_cursor text,
                           const tw_value *source)
{
    tw_value *made = tw_make_text(&recoder->made, parent, key, text.at,
                                  (size_t)(text.end - text.at));
    if (made != NULL) {
        made->origin = source;
        made->lone = source->lone; /* it may have some */
    }
    return made;
}

/* ---- the system's text -------------------------------------------------- */

/* The end of the object that begins at |text|; NULL: it has none. */
static const char *object_end(tw_cursor text)
{
    size_t depth = 0;
    bool string = false;
    for (const char *at = text.at; at < text.end; at++) {
        if (string) {
            string = *at != '"';
            at += *at == '\\';
        } else if (*at == '"') {
            string = true;
        } else if (*at == '{') {
            depth++;
        } else if (*at == '}' && --depth == 0) {
            return at + 1;
        }
    }
    return NULL;
}

/* A JSON text that is a part of |source|. */
static const tw_value *read_json(tw_recoder *recoder, const char *data,
                                 size_t size, const tw_value *source)
{
    const int result = tw_tree_read_more(&recoder->texts, data, size);
    recoder->json_out.failed |= result == TW_ERROR_MEMORY;
    if (result != TW_OK) {
        return NULL;
    }
    recoder->texts.root->parent = (tw_value *)(uintptr_t)source;
    return recoder->texts.root;
}

/* Where the tools begin: at a line with a brace. */
static const char *find_tools(tw_cursor text)
{
    const char *at = text.at;
    while (at < text.end && *at != '{') {
        at = memchr(at, '\n', (size_t)(text.end - at));
        at = at != NULL ? at + 1 : text.end;
    }
    return at;
}

static void read_tools(tw_recoder *recoder, tw_cursor text,
                       const tw_value *source)
{
    static const char *const type[] = {"type", NULL};
    for (text = trim(text); text.at < text.end; text = trim(text)) {
        const char *end = *text.at == '{' ? object_end(text) : NULL;
        const tw_value *tool =
            end != NULL
                ? read_json(recoder, text.at, (size_t)(end - text.at), source)
                : NULL;
        if (tool == NULL) {
            tw_recoder_refuse(recoder, source, "a tool is not JSON");
            return;
        }
        tw_make_others(&recoder->made, tw_read_tool(recoder, tool), tool,
                       type);
        text.at = end;
    }
}

static void read_system(tw_recoder *recoder, const tw_value *system)
{
    tw_cursor text = {system->text, system->text + system->size};
    tw_cursor_skip(&text, "SYSTEM:");
    const char *tools = find_tools(text);
    const tw_cursor prose = trim((tw_cursor){text.at, tools});
    if (prose.at < prose.end) {
        make_text(recoder, tw_read_message(recoder, "system", system),
                  "content", prose, system);
    }
    read_tools(recoder, (tw_cursor){tools, text.end}, system);
}

/* ---- the chat ----------------------------------------------------------- */

typedef enum who { NOBODY, USER, ASSISTANT, RESULT } who;

static const char stop[] = "<|endoftext|>";

/* Takes away what an assistant's turn ends with. */
static bool drop_stop(tw_cursor *text)
{
    *text = trim(*text);
    const bool has = tw_cursor_strip_end(text, stop);
    *text = trim(*text);
    return has;
}

/* Whose word stands here; *text goes behind it.  |shorter|: it is `A:`. */
static who skip_word(tw_cursor *text, bool *shorter)
{
    *shorter = tw_cursor_skip(text, "A:");
    return *shorter || tw_cursor_skip(text, "ASSISTANT:") ? ASSISTANT
           : tw_cursor_skip(text, "USER:")                ? USER
           : tw_cursor_skip(text, "FUNCTION RESPONSE:")   ? RESULT
                                                          : NOBODY;
}

/* The next line with a word; of a short one, behind two empty lines. */
static const char *next_word(tw_cursor text, bool *shorter)
{
    const char *at = text.at;
    while ((at = memchr(at, '\n', (size_t)(text.end - at))) != NULL) {
        tw_cursor next = {++at, text.end};
        const bool apart =
            at - text.at >= 3 && memcmp(at - 3, "\n\n\n", 3) == 0;
        if (skip_word(&next, shorter) != NOBODY && (apart || !*shorter)) {
            return at;
        }
    }
    *shorter = false;
    return text.end;
}

/* Copies of the data have `A:` for the assistant, which many texts have at the
 * start of a line, too.  It counts where it ends as an assistant's turn does
 * before another word comes, and is no part of an assistant's turn. */
static bool counts(tw_cursor text, who before)
{
    bool shorter;
    tw_cursor turn = {text.at, next_word(text, &shorter)};
    return before != ASSISTANT && drop_stop(&turn);
}

/* Whose turn begins the chat or a turn's end; *text goes behind the word. */
static who begin_turn(tw_cursor *text, who before)
{
    bool shorter;
    const tw_cursor whole = *text;
    const who author = skip_word(text, &shorter);
    return shorter && !counts(whole, before) ? NOBODY : author;
}

/* Where the next turn begins behind one of |author|. */
static const char *turn_end(tw_cursor text, who author)
{
    bool shorter;
    const char *at = next_word(text, &shorter);
    while (shorter && !counts((tw_cursor){at, text.end}, author)) {
        at = next_word((tw_cursor){at, text.end}, &shorter);
    }
    return at;
}

/* The arguments in single quotes are a string: |json| is what JSON has. */
static void requote(tw_json_out *json, tw_cursor call)
{
    static const char key[] = "\"arguments\":";
    tw_cursor rest = call;
    while (rest.at < rest.end && !tw_cursor_skip(&rest, key)) {
        rest.at++;
    }
    const tw_cursor behind = trim(rest);
    const char *last = behind.end;
    while (last > behind.at && last[-1] != '\'') {
        last--;
    }
    if (behind.at >= behind.end || *behind.at != '\'' ||
        last - behind.at < 2) {
        tw_json_put_text(json, call.at, (size_t)(call.end - call.at));
        return;
    }
    tw_json_put_text(json, call.at, (size_t)(behind.at - call.at));
    tw_json_put_string(json, behind.at + 1, (size_t)(last - behind.at - 2));
    tw_json_put_text(json, last, (size_t)(behind.end - last));
}

static void read_call(tw_recoder *recoder, tw_value *message, tw_cursor text,
                      const tw_value *chat)
{
    static const char close[] = "</functioncall>";
    enum { CLOSE = sizeof close - 1 };
    tw_json_out json = {.memory = recoder->memory};
    text = trim(text);
    if ((size_t)(text.end - text.at) >= CLOSE &&
        memcmp(text.end - CLOSE, close, CLOSE) == 0) {
        text = trim((tw_cursor){text.at, text.end - CLOSE});
    }
    requote(&json, text);
    const tw_value *call =
        json.failed ? NULL
                    : read_json(recoder, (const char *)json.out.data,
                                json.out.size, chat);
    if (call != NULL) {
        tw_read_described(recoder, message, call);
    } else {
        recoder->json_out.failed |= json.failed;
        tw_recoder_refuse(recoder, chat, "a call is not JSON");
    }
    tw_buffer_free(&json.out, recoder->memory);
}

static void read_assistant(tw_recoder *recoder, tw_cursor text,
                           const tw_value *chat)
{
    drop_stop(&text);
    tw_cursor call = text;
    const bool calls = skip_to_call(&call);
    const tw_cursor prose =
        calls ? trim((tw_cursor){text.at, call.at - (sizeof call_mark - 1)})
              : text;
    tw_value *message = tw_read_message(recoder, "assistant", chat);
    if (prose.at < prose.end || !calls) {
        make_text(recoder, message, "content", prose, chat);
    } else {
        tw_make(&recoder->made, message, "content", TW_VALUE_NULL);
    }
    if (calls) {
        read_call(recoder, message, call, chat);
    }
}

static void read_chat(tw_recoder *recoder, const tw_value *chat)
{
    tw_cursor text = trim((tw_cursor){chat->text, chat->text + chat->size});
    who author = NOBODY;
    while (text.at < text.end) {
        author = begin_turn(&text, author);
        const char *end = turn_end(text, author);
        const tw_cursor said = trim((tw_cursor){text.at, end});
        switch (author) {
        case USER:
            make_text(recoder, tw_read_message(recoder, "user", chat),
                      "content", said, chat);
            break;
        case ASSISTANT: read_assistant(recoder, said, chat); break;
        case RESULT:
            make_text(recoder, tw_read_message(recoder, "tool", chat),
                      "content", said, chat);
            break;
        default:
            tw_recoder_refuse(recoder, chat,
                              "text stands in front of the first turn");
            break;
        }
        text.at = end;
    }
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *system = tw_use_member(record, "system");
    const tw_value *chat = tw_use_member(record, "chat");
    if (chat == NULL) {
        chat = tw_use_member(record, "sample");
    }
    if (!tw_value_is_a(chat, TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, chat != NULL ? chat : record,
                          "`chat` is missing or is no text");
        return NULL;
    }
    tw_read_begin(recoder, record);
    if (tw_has_text(system)) {
        read_system(recoder, system);
    } else {
        tw_read_system(recoder, system);
    }
    read_chat(recoder, chat);
    return recoder->request;
}

/* ---- writing ------------------------------------------------------------ */

/* Would the text read back as something else? */
static const char *forgery_in(tw_cursor text, const char *word, who author)
{
    if (turn_end(text, author) != text.end) {
        return "a line begins as a turn of the shape does";
    }
    if (strcmp(word, "SYSTEM:") == 0 && find_tools(text) != text.end) {
        return "a line begins as a tool of the shape does";
    }
    return strcmp(word, "ASSISTANT:") == 0 && skip_to_call(&text)
               ? "the text has the mark of a call"
               : NULL;
}

/* The texts of a content behind a role word. */
static void put_said(tw_recoder *recoder, tw_json_out *chat, const char *word,
                     who author, const tw_value *content)
{
    static const tw_value nothing = {.text = ""};
    const bool text = tw_value_is_a(content, TW_VALUE_STRING);
    const tw_value *said = text ? content : &nothing;
    if (content != NULL && !text) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
    tw_cursor whole = {said->text, said->text + said->size};
    const char *forgery = forgery_in(whole, word, author);
    if (forgery != NULL) {
        tw_recoder_refuse(recoder, content, forgery);
    }
    const tw_cursor inner = trim(whole);
    if (inner.end - inner.at != whole.end - whole.at) {
        tw_recoder_report_loss(recoder, TW_LOSS_OUTER_WHITESPACE, content,
                               NULL);
    }
    tw_json_put(chat, word);
    tw_json_put(chat, " ");
    tw_json_put_text(chat, said->text, said->size);
}

static void put_call(tw_recoder *recoder, tw_json_out *chat,
                     const tw_call *call, const tw_message *message)
{
    if (call->input != NULL || message->call_count > 1) {
        tw_recoder_refuse(recoder, call->value,
                          "the shape has one call of a function in a turn");
        return;
    }
    tw_json_put(chat, "<functioncall> {\"name\": ");
    tw_json_put_value(chat, call->name);
    tw_json_put(chat, ", \"arguments\": '");
    if (call->arguments == NULL) {
        tw_json_put(chat, "{}");
    } else {
        chat->failed |= !tw_value_dump(&chat->out, chat->memory,
                                       call->arguments, &tw_dump_spaced);
    }
    tw_json_put(chat, "'}");
    if (call->id != NULL && !tw_id_is_counted(call->id, 0) &&
        !tw_id_is_counted(call->id, message->first_call)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_ID, call->id, NULL);
    }
}

static void put_turn(tw_recoder *recoder, tw_json_out *chat,
                     const tw_conversation *conversation, size_t i,
                     tw_open_calls *calls)
{
    const tw_message *message = tw_message_at(conversation, i);
    tw_open_calls_of(message, calls);
    switch (message->role) {
    case TW_ROLE_USER:
        put_said(recoder, chat, "USER:", USER, message->content);
        break;
    case TW_ROLE_ASSISTANT:
        put_said(recoder, chat, "ASSISTANT:", ASSISTANT, message->content);
        if (message->call_count > 0) {
            tw_json_put(chat, tw_has_text(message->content) ? " " : "");
            put_call(recoder, chat, tw_call_of(conversation, message, 0),
                     message);
        }
        tw_json_put(chat, " <|endoftext|>");
        break;
    case TW_ROLE_TOOL:
        put_said(recoder, chat, "FUNCTION RESPONSE:", RESULT,
                 message->content);
        tw_report_next_result(recoder, conversation, i, calls);
        break;
    default:
        tw_recoder_refuse(recoder, message->role_name,
                          "the role has no place behind the first message");
        break;
    }
    tw_json_put(chat, "\n\n\n");
}

static void put_system(tw_recoder *recoder, tw_json_out *system,
                       const tw_message *head, const tw_value *tools)
{
    if (head != NULL) {
        put_said(recoder, system, "SYSTEM:", NOBODY, head->content);
        tw_json_put(system, "\n");
        tw_report_lost_developer(recoder, head);
    }
    const tw_value *at = tools != NULL ? tools->first : NULL;
    for (; at != NULL; at = at->next) {
        tw_json_put(system, "\n");
        system->failed |=
            system->failed ||
            !tw_value_dump(&system->out, system->memory, tw_tool_function(at),
                           &tw_dump_spaced);
        tw_json_put(system, "\n");
        tw_report_lost_wrapper(recoder, at);
    }
}

static void put_text(tw_recoder *recoder, const char *key, bool first,
                     tw_json_out *text)
{
    tw_json_put_key(&recoder->json_out, key, first);
    tw_json_put_halves(&recoder->json_out, (const char *)text->out.data,
                       text->out.size);
    recoder->json_out.failed |= text->failed;
    tw_buffer_free(&text->out, recoder->memory);
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    const size_t count = tw_message_count(conversation);
    const tw_message *head = count > 0 ? tw_message_at(conversation, 0) : NULL;
    const bool has_head = head != NULL && tw_message_is_system(head);
    tw_json_out system = {.memory = recoder->memory};
    tw_json_out chat = {.memory = recoder->memory};
    tw_open_calls calls = {0, 0};
    put_system(recoder, &system, has_head ? head : NULL, conversation->tools);
    for (size_t i = has_head ? 1 : 0; i < count; i++) {
        put_turn(recoder, &chat, conversation, i, &calls);
    }
    put_text(recoder, "system", true, &system);
    put_text(recoder, "chat", false, &chat);
    tw_report_lost_reasoning(recoder, conversation);
    tw_report_unread(recoder, conversation, none);
}

static const char *const members[] = {"system", "chat", NULL};

static tw_fit fits(const tw_value *record)
{
    const tw_value *chat = tw_value_member(record, "chat");
    const tw_value *text =
        chat != NULL ? chat : tw_value_member(record, "sample");
    if (!tw_value_is_a(text, TW_VALUE_STRING)) {
        return TW_FIT_NONE;
    }
    tw_cursor said = trim((tw_cursor){text->text, text->text + text->size});
    return tw_fit_well(begin_turn(&said, NOBODY) != NOBODY);
}

const tw_record_shape tw_glaive_shape = {
    .name = "glaive",
    .about = "{\"system\", \"chat\"}, texts with role words",
    .members = members,
    .fits = fits,
    .read = read,
    .write = write,
};
