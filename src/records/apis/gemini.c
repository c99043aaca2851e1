/* SPDX-License-Identifier: MIT
 *
 * Gemini's shape: {"contents", "systemInstruction", "tools", "candidates"},
 * whose contents have parts.  This file reads it; gemini_write.c writes it.
 */
#include "json/blocks.h"
#include "records/apis/choice.h"
#include "records/apis/gemini_halves.h"

/* Clients that dump their objects write null for what is not there. */
static const tw_value *member(const tw_value *object, const char *key)
{
    const tw_value *found = tw_value_member(object, key);
    return found != NULL && found->kind != TW_VALUE_NULL ? found : NULL;
}

/* A member under its name or its twin in snake case. */
static const tw_value *either(const tw_value *object, const char *camel,
                              const char *snake)
{
    const tw_value *found = member(object, camel);
    return found != NULL ? found : member(object, snake);
}

static const tw_value *use_either(const tw_value *record, const char *camel,
                                  const char *snake)
{
    const tw_value *found = tw_use_member(record, camel);
    return found != NULL ? found : tw_use_member(record, snake);
}

/* What Google's clients take in a `config` beside the contents. */
static const tw_value *use_setting(const tw_value *record, const char *camel,
                                   const char *snake)
{
    const tw_value *found = use_either(record, camel, snake);
    const tw_value *config = tw_value_member(record, "config");
    return found != NULL ? found : use_either(config, camel, snake);
}

/* Of a content, or of a list of parts that stands for one. */
static const tw_value *parts_of(const tw_value *content)
{
    const tw_value *parts = content->kind == TW_VALUE_ARRAY
                                ? content
                                : tw_value_member(content, "parts");
    return tw_value_is_a(parts, TW_VALUE_ARRAY) ? parts->first : NULL;
}

static const tw_value *call_of(const tw_value *part)
{
    return either(part, "functionCall", "function_call");
}

static const tw_value *result_of(const tw_value *part)
{
    return tw_value_if(either(part, "functionResponse", "function_response"),
                       TW_VALUE_OBJECT);
}

/* The image that a part is. */
static const tw_value *data_of(const tw_value *part)
{
    const tw_value *data = either(part, "inlineData", "inline_data");
    const tw_value *type = either(data, "mimeType", "mime_type");
    const tw_value *bytes = tw_value_member(data, "data");
    return tw_value_begins(type, "image/") &&
                   tw_value_is_a(bytes, TW_VALUE_STRING)
               ? data
               : NULL;
}

static bool is_thought(const tw_value *part)
{
    const tw_value *thought = tw_value_member(part, "thought");
    return tw_value_is_a(thought, TW_VALUE_TRUE);
}

/* The signature of a part; NULL: it has none. */
static const tw_value *signature_of(const tw_value *part)
{
    const tw_value *signature =
        either(part, "thoughtSignature", "thought_signature");
    return tw_has_text(signature) ? signature : NULL;
}

/* Has the part a signature and nothing that is signed?  Such a part is an
 * empty text. */
static bool is_bare_signature(const tw_value *part)
{
    const tw_value *signature = signature_of(part);
    const tw_value *at = signature != NULL ? part->first : NULL;
    while (at != NULL && (at == signature || at->kind == TW_VALUE_NULL)) {
        at = at->next;
    }
    return signature != NULL && at == NULL;
}

/* Is the part one of a content of OpenAI's? */
static bool is_content(const tw_value *part)
{
    return !is_thought(part) &&
           (tw_part_text(part) != NULL || data_of(part) != NULL ||
            is_bare_signature(part));
}

/* Whose parts these are. */
typedef enum speaker { MODEL, USER, SYSTEM } speaker;

/* Is this member what was read of the part?  A part has one thing; of two the
 * other one is lost. */
static bool is_read(const tw_value *part, const tw_value *member, speaker who)
{
    const bool text = tw_part_text(part) != NULL;
    return member->used || (member == tw_part_text(part)) ||
           (member == call_of(part) && who == MODEL) ||
           (member == result_of(part) && who == USER) ||
           (member == data_of(part) && !text && !is_thought(part)) ||
           (tw_value_has_key(member, "thought") &&
            (is_thought(part) ? text : member->kind == TW_VALUE_FALSE));
}

/* What a part has beside what was read of it. */
static void lose_others(tw_recoder *recoder, const tw_value *part, speaker who)
{
    static const char *const things[] = {"text",
                                         "inlineData",
                                         "inline_data",
                                         "functionResponse",
                                         "function_response",
                                         NULL};
    static const char *const calls[] = {"functionCall", "function_call", NULL};
    const tw_value *at = part->kind == TW_VALUE_OBJECT ? part->first : NULL;
    for (; at != NULL; at = at->next) {
        if (!is_read(part, at, who) && !tw_value_is_void(at)) {
            tw_losses_add(&recoder->losses,
                          tw_value_is_named(at, things) ? TW_LOSS_PART_NOT_TEXT
                          : tw_value_is_named(at, calls)
                              ? TW_LOSS_CALL_DROPPED
                              : tw_loss_of_member(at),
                          at, 0, NULL);
        }
    }
}

/* Google's own API for OpenAI's messages has a signature in what it signs, a
 * call or a message, and refuses the conversation without it.  Of several
 * parts of a message each but the last has its own. */
static void read_signature(tw_recoder *recoder, tw_value *signed_value,
                           const tw_value *part)
{
    const tw_value *signature = signature_of(part);
    if (signature == NULL) {
        return;
    }
    tw_use(signature);
    tw_value *extra = tw_read_part(recoder, signed_value, "extra_content",
                                   TW_VALUE_OBJECT, signature);
    tw_read_member(
        recoder,
        tw_read_part(recoder, extra, "google", TW_VALUE_OBJECT, signature),
        "thought_signature", signature);
}

/* ---- contents ----------------------------------------------------------- */

static void read_part(tw_recoder *recoder, tw_value *content,
                      const tw_value *part)
{
    static const char *const known[] = {"mimeType", "mime_type", "data", NULL};
    const tw_value *text = tw_part_text(part);
    const tw_value *data = data_of(part);
    if (text != NULL) {
        tw_read_text_part(recoder, content, part, text);
    } else if (data == NULL) {
        tw_value *made =
            tw_read_part(recoder, content, NULL, TW_VALUE_OBJECT, part);
        tw_make_word(&recoder->made, made, "type", "text");
        tw_make_word(&recoder->made, made, "text", "");
    } else {
        tw_read_data_url(recoder, tw_read_image_part(recoder, content, part),
                         either(data, "mimeType", "mime_type"),
                         tw_value_member(data, "data"));
        tw_losses_add_members(&recoder->losses, data, known);
    }
}

/* |last| is the model's part whose signature is the message's, or NULL. */
static void read_content(tw_recoder *recoder, tw_value *message,
                         const tw_value *content, bool null,
                         const tw_value *last)
{
    const tw_value *parts = tw_value_member(content, "parts");
    tw_value *made =
        tw_read_part(recoder, message, "content", TW_VALUE_ARRAY, content);
    if (content->kind == TW_VALUE_OBJECT
            ? !tw_value_is_a(parts, TW_VALUE_ARRAY) && tw_value_is_true(parts)
            : !tw_value_is_a(content, TW_VALUE_ARRAY) &&
                  tw_value_is_true(content)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
    for (const tw_value *at = parts_of(content); at != NULL; at = at->next) {
        if (is_content(at)) {
            read_part(recoder, made, at);
            if (last != NULL && at != last && made != NULL) {
                read_signature(recoder, made->last, at);
            }
        }
    }
    tw_read_end_content(made, null);
}

static bool is_said_thought(const tw_value *part)
{
    return is_thought(part) && tw_part_text(part) != NULL;
}

/* As they are, to Gemini.  Elsewhere they are one text, and what signs the
 * last of them has a place where nothing is said behind it. */
static void read_thoughts(tw_recoder *recoder, tw_value *message,
                          const tw_value *content, bool says)
{
    tw_joint all = {{0}, 0, NULL, 0};
    const tw_value *last = NULL;
    tw_value *kept = NULL;
    for (const tw_value *at = parts_of(content); at != NULL; at = at->next) {
        if (!is_said_thought(at)) {
            continue;
        }
        last = at;
        if (!tw_gemini_keeps(recoder)) {
            tw_joint_add(&all, recoder, tw_part_text(at));
            continue;
        }
        kept = kept != NULL ? kept
                            : tw_read_part(recoder, message, TW_GEMINI_THOUGHT,
                                           TW_VALUE_ARRAY, at);
        tw_read_member(recoder, kept, NULL, at);
    }
    tw_read_reasoning(recoder, message, &all);
    if (last != NULL && kept == NULL && !says) {
        read_signature(recoder, message, last);
    }
}

static void read_call(tw_recoder *recoder, tw_value *message,
                      const tw_value *part)
{
    static const char *const known[] = {"id", "name", "args", NULL};
    const tw_value *call = call_of(part);
    const tw_value *name = member(call, "name");
    const tw_value *id = member(call, "id");
    const tw_value *arguments = member(call, "args");
    read_signature(recoder,
                   tw_read_call(recoder, message, call,
                                tw_value_is_a(id, TW_VALUE_STRING) ? id : NULL,
                                name, arguments),
                   part);
    tw_losses_add_members(&recoder->losses, call, known);
}

/* Parts that have no place, what the others have beside that, and the order of
 * those behind a call. */
static void judge_parts(tw_recoder *recoder, const tw_value *content,
                        speaker who)
{
    const bool model = who == MODEL;
    bool calls = false;
    bool answers = false;
    for (const tw_value *at = parts_of(content); at != NULL; at = at->next) {
        const bool call = model && call_of(at) != NULL;
        const bool result = who == USER && result_of(at) != NULL;
        const bool thought = model && is_said_thought(at);
        const bool said = is_content(at) || thought;
        const bool empty =
            tw_part_text(at) != NULL && tw_part_text(at)->size == 0;
        if (!call && !result && !said) {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
            continue;
        }
        if (!thought || !tw_gemini_keeps(recoder)) {
            lose_others(recoder, at, who);
        }
        if (said && calls && !empty) {
            tw_recoder_report_loss(recoder, TW_LOSS_CALL_ORDER, at, NULL);
        } else if (thought && answers && !empty) {
            tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_MOVED, at,
                                   "Reasoning comes first.");
        }
        calls |= call;
        answers |= is_content(at) && !empty;
    }
}

/* The last of the parts that become the content. */
static const tw_value *last_said(const tw_value *content)
{
    const tw_value *last = NULL;
    for (const tw_value *at = parts_of(content); at != NULL; at = at->next) {
        last = is_content(at) ? at : last;
    }
    return last;
}

static void read_model(tw_recoder *recoder, const tw_value *content)
{
    tw_value *message = tw_read_message(recoder, "assistant", content);
    const tw_value *last = last_said(content);
    if (last != NULL) {
        read_signature(recoder, message, last);
    }
    read_content(recoder, message, content, true, last);
    read_thoughts(recoder, message, content, last != NULL);
    for (const tw_value *at = parts_of(content); at != NULL; at = at->next) {
        if (call_of(at) != NULL) {
            read_call(recoder, message, at);
        }
    }
    judge_parts(recoder, content, MODEL);
}

/* {"result": text} alone is that text, all else is JSON text.  Agents write
 * {"output": text}. */
static void read_result(tw_recoder *recoder, const tw_value *part)
{
    static const char *const known[] = {"id", "name", "response", NULL};
    const tw_value *result = result_of(part);
    const tw_value *id = member(result, "id");
    const tw_value *name = member(result, "name");
    const tw_value *response = member(result, "response");
    const tw_value *output = tw_recoder_reads_session(recoder)
                                 ? tw_value_member(response, "output")
                                 : NULL;
    const tw_value *text =
        output != NULL ? output : tw_value_member(response, "result");
    tw_value *message = tw_read_message(recoder, "tool", result);
    if (id != NULL) {
        tw_read_member(recoder, message, "tool_call_id", id);
    }
    if (name != NULL) {
        tw_read_member(recoder, message, "name", name);
    }
    if (tw_value_is_a(text, TW_VALUE_STRING) &&
        response->first == response->last) {
        tw_read_member(recoder, message, "content", text);
    } else if (response != NULL) {
        tw_read_packed(recoder, message, "content", response);
    } else {
        tw_make_word(&recoder->made, message, "content", "");
    }
    tw_losses_add_members(&recoder->losses, result, known);
}

/* Results stand in front of what the user says. */
static void read_user(tw_recoder *recoder, const tw_value *content)
{
    bool some = false;
    bool results = false;
    for (const tw_value *at = parts_of(content); at != NULL; at = at->next) {
        if (result_of(at) != NULL) {
            if (some) {
                tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_MOVED, at,
                                       "Results come first.");
            }
            read_result(recoder, at);
            results = true;
        }
        some |= is_content(at);
    }
    if (some || !results) {
        read_content(recoder, tw_read_message(recoder, "user", content),
                     content, false, NULL);
    }
    judge_parts(recoder, content, USER);
}

static const char *const of_content[] = {"\"role", "parts", NULL};

static void read_turn(tw_recoder *recoder, const tw_value *content)
{
    const tw_value *role = tw_value_member(content, "role");
    if (content->kind == TW_VALUE_STRING) {
        tw_read_text(recoder, "user", content, content);
        return;
    }
    if (tw_value_is(role, "model")) {
        read_model(recoder, content);
    } else if (role == NULL || tw_value_is(role, "user") ||
               tw_value_is(role, "function")) {
        read_user(recoder, content);
    } else {
        tw_recoder_leave_out(recoder, TW_LOSS_MESSAGE_DROPPED, role,
                             "the role is not known");
    }
    tw_losses_add_members(&recoder->losses, content, of_content);
}

/* ---- tools -------------------------------------------------------------- */

/* Types in capitals, as Gemini's own schemas have them, in small letters. */
static void lower_types(tw_recoder *recoder, tw_value *schema)
{
    tw_value *at = schema;
    for (; at != NULL; at = tw_value_after(at, schema)) {
        if (at->kind == TW_VALUE_STRING && tw_value_has_key(at, "type")) {
            char *text = (char *)(uintptr_t)tw_tree_keep(&recoder->made,
                                                         at->text, at->size);
            for (size_t i = 0; text != NULL && i < at->size; i++) {
                const bool capital = text[i] >= 'A' && text[i] <= 'Z';
                text[i] = (char)(text[i] + (capital ? 'a' - 'A' : 0));
            }
            at->text = text != NULL ? text : at->text;
        }
    }
}

static void read_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const known[] = {"name",
                                        "description",
                                        "parametersJsonSchema",
                                        "parameters",
                                        "parameters_json_schema",
                                        NULL};
    const tw_value *name = member(tool, "name");
    const tw_value *about = member(tool, "description");
    const tw_value *schema =
        either(tool, "parametersJsonSchema", "parameters_json_schema");
    const tw_value *own = member(tool, "parameters");
    tw_value *function = tw_read_tool(recoder, tool);
    if (name != NULL) {
        tw_read_member(recoder, function, "name", name);
    }
    if (about != NULL) {
        tw_read_member(recoder, function, "description", about);
    }
    if (schema != NULL || own != NULL) {
        tw_value *made = tw_make_copy(&recoder->made, function, "parameters",
                                      schema != NULL ? schema : own);
        if (schema == NULL) {
            lower_types(recoder, made);
        }
    }
    tw_losses_add_members(&recoder->losses, tool, known);
}

static void read_tools(tw_recoder *recoder, const tw_value *tools)
{
    static const char *const known[] = {"[functionDeclarations",
                                        "[function_declarations", NULL};
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        const tw_value *list =
            either(at, "functionDeclarations", "function_declarations");
        const tw_value *tool = list != NULL ? list->first : NULL;
        if (list == NULL) {
            tw_recoder_report_loss(
                recoder, TW_LOSS_TOOL_DROPPED, at,
                "The target has no place for a server's tool.");
            continue;
        }
        for (; tool != NULL; tool = tool->next) {
            read_tool(recoder, tool);
        }
        tw_losses_add_members(&recoder->losses, at, known);
    }
}

/* ---- which tool is to be called ----------------------------------------- */

/* The only name in the list; NULL: there are none, or more. */
static const tw_value *only_name(const tw_value *names)
{
    const tw_value *name =
        tw_value_is_a(names, TW_VALUE_ARRAY) && names->first == names->last
            ? names->first
            : NULL;
    return tw_value_is_a(name, TW_VALUE_STRING) ? name : NULL;
}

/* {"functionCallingConfig": {"mode", "allowedFunctionNames"}} */
static void read_config(tw_recoder *recoder, const tw_value *config)
{
    static const char *const known[] = {"{functionCallingConfig",
                                        "{function_calling_config", NULL};
    static const char *const inside[] = {"mode", NULL};
    static const char *const named[] = {"mode", "allowedFunctionNames",
                                        "allowed_function_names", NULL};
    const tw_value *calling =
        either(config, "functionCallingConfig", "function_calling_config");
    const tw_value *mode = tw_value_member(calling, "mode");
    const tw_value *name = only_name(
        either(calling, "allowedFunctionNames", "allowed_function_names"));
    const bool names = tw_value_is(mode, "ANY") && name != NULL;
    if (names) {
        tw_read_choice_name(recoder, name);
    } else if (calling != NULL && calling->kind != TW_VALUE_NULL &&
               !tw_read_choice_word(recoder, mode, TW_CHOICE_GEMINI)) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, calling, NULL);
        calling = NULL;
    }
    if (calling != NULL) {
        tw_losses_add_members(&recoder->losses, calling,
                              names ? named : inside);
    }
    tw_losses_add_members(&recoder->losses, config, known);
}

/* ---- records ------------------------------------------------------------ */

static void read_system(tw_recoder *recoder, const tw_value *system)
{
    if (system->kind == TW_VALUE_STRING) {
        tw_read_text(recoder, "system", system, system);
        return;
    }
    read_content(recoder, tw_read_message(recoder, "system", system), system,
                 false, NULL);
    judge_parts(recoder, system, SYSTEM);
    if (system->kind == TW_VALUE_OBJECT) { /* it may be the parts alone */
        tw_losses_add_members(&recoder->losses, system, of_content);
    }
}

/* The content of the first candidate; the others stay. */
static void read_candidate(tw_recoder *recoder, const tw_value *candidates)
{
    const tw_value *candidate = candidates->first;
    const tw_value *content =
        candidate != NULL ? tw_use_member(candidate, "content") : NULL;
    if (content != NULL) {
        const tw_value *role = tw_value_member(content, "role");
        read_model(recoder, content);
        tw_losses_add_members(&recoder->losses, content, of_content);
        if (tw_has_text(role) && !tw_value_is(role, "model")) {
            tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED, role, NULL);
        }
    } else if (tw_value_is_a(candidate, TW_VALUE_OBJECT)) {
        /* The candidate's `finishReason`, which stays, says why nothing came.
         */
        tw_make(&recoder->made,
                tw_read_message(recoder, "assistant", candidate), "content",
                TW_VALUE_NULL);
    } else {
        tw_recoder_refuse(recoder, candidates, "there is no candidate");
    }
}

/* A list of contents; or, as clients take them, a content, a text, or a list
 * of parts, which are one. */
static bool is_contents(const tw_value *contents)
{
    return tw_value_is_a(contents, TW_VALUE_ARRAY) ||
           contents->kind == TW_VALUE_STRING ||
           tw_value_member(contents, "parts") != NULL;
}

static void read_contents(tw_recoder *recoder, const tw_value *contents)
{
    bool parts = contents->first != NULL;
    for (const tw_value *at = contents->first; at != NULL; at = at->next) {
        parts &= tw_value_member(at, "parts") == NULL &&
                 tw_value_member(at, "role") == NULL;
    }
    if (!tw_value_is_a(contents, TW_VALUE_ARRAY)) {
        read_turn(recoder, contents);
    } else if (parts) {
        read_user(recoder, contents);
    } else {
        for (const tw_value *at = contents->first; at != NULL; at = at->next) {
            read_turn(recoder, at);
        }
    }
}

const tw_value *tw_gemini_read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *system =
        use_setting(record, "systemInstruction", "system_instruction");
    const tw_value *contents = tw_use_member(record, "contents");
    const tw_value *candidates = tw_value_member(record, "candidates");
    const tw_value *tools = use_setting(record, "tools", "tools");
    const bool chooses = recoder->to != NULL && recoder->to->choices != NULL;
    const tw_value *config =
        chooses ? use_setting(record, "toolConfig", "tool_config") : NULL;
    if (contents != NULL ? !is_contents(contents) : candidates == NULL) {
        tw_recoder_refuse(recoder, record,
                          "`contents` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    if (system != NULL && system->kind != TW_VALUE_NULL) {
        read_system(recoder, system);
    }
    if (contents != NULL) {
        read_contents(recoder, contents);
    }
    if (tw_value_is_a(candidates, TW_VALUE_ARRAY)) {
        read_candidate(recoder, candidates);
    }
    if (tw_value_is_a(tools, TW_VALUE_ARRAY)) {
        read_tools(recoder, tools);
    } else if (tw_value_is_true(tools)) {
        tw_recoder_refuse(recoder, tools, "`tools` is not a list");
    }
    if (tw_gemini_stays(recoder)) {
        return recoder->request;
    }
    if (tw_value_is_a(config, TW_VALUE_OBJECT)) {
        read_config(recoder, config);
    } else if (tw_value_is_true(config)) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, config, NULL);
    }
    return recoder->request;
}

static const char *const members[] = {"contents", "systemInstruction", "tools",
                                      NULL};
static const char *const choices[] = {"toolConfig", NULL};

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(
        tw_has_list_of(record, "contents", "parts") ||
        tw_has_list_of(record, "candidates", "content") ||
        tw_has_list_of(record, "candidates", "finishReason") ||
        either(record, "systemInstruction", "system_instruction") != NULL);
}

const tw_record_shape tw_gemini_shape = {
    .name = "gemini",
    .about = "{\"contents\", \"systemInstruction\", \"tools\", "
             "\"candidates\"}",
    .members = members,
    .choices = choices,
    .takes_parts = true,
    .names_results = true,
    .fits = fits,
    .read = tw_gemini_read,
    .write = tw_gemini_write,
};
