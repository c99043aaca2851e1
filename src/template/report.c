/* SPDX-License-Identifier: MIT
 *
 * What of a request is not in the prompt: each text that says something to the
 * model is looked for among the origins of what was written.
 */
#include "core/sort.h"
#include "template/loaded.h"
#include "template/values/unicode.h"

typedef struct looking {
    const tw_run *runs; /* sorted by what they are of, and where; its key is
                           in front, as in most texts */
    size_t count;
    const tw_value *const *told; /* ids that calls lose, sorted by text */
    size_t told_count;
    bool own;
    bool makes_ids;
    bool no_reasoning; /* the template reads none */
    tw_losses *losses;
} looking;

static bool run_before(const void *context, const void *left,
                       const void *right)
{
    const tw_run *a = left;
    const tw_run *b = right;
    (void)context;
    return a->of != b->of ? (uintptr_t)a->of < (uintptr_t)b->of
                          : (a->from ^ TW_RUN_KEY) < (b->from ^ TW_RUN_KEY);
}

/* The first run of |of| from |from| on. */
static size_t first_of(const looking *work, const tw_value *of, uint64_t from)
{
    const tw_run wanted = {0, 0, of, from};
    tw_halves halves = {.high = work->count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves,
                       run_before(NULL, &work->runs[halves.middle], &wanted));
    }
    return halves.low;
}

static bool is_blank(const tw_value *text, size_t begin, size_t end)
{
    const char *limit = text->text + end;
    size_t size;
    for (const char *at = text->text + begin; at < limit; at += size) {
        if (!tw_point_is_space(tw_point_at(at, limit, &size))) {
            return false;
        }
    }
    return true;
}

typedef enum written {
    WHOLE,
    STRIPPED, /* white space at its ends is missing */
    PARTLY,
    NOWHERE
} written;

static written is_written(const looking *work, const tw_value *text)
{
    size_t at = first_of(work, text, 0);
    size_t done = 0; /* what stands before was written or is blank */
    written how = WHOLE;
    if (at == work->count || work->runs[at].of != text) {
        return NOWHERE;
    }
    for (; at < work->count && work->runs[at].of == text; at++) {
        const size_t from = (size_t)work->runs[at].from;
        const size_t size = work->runs[at].end - work->runs[at].begin;
        if (from > done) {
            const bool blank =
                from <= text->size && is_blank(text, done, from);
            how = blank && done == 0 && how == WHOLE ? STRIPPED
                  : blank                            ? how
                                                     : PARTLY;
        }
        done = from + size > done ? from + size : done;
    }
    if (done < text->size && how != PARTLY) {
        how = is_blank(text, done, text->size) ? STRIPPED : PARTLY;
    }
    return how;
}

/* |whole_code|: the loss of a text that is not there. */
static void look_for(const looking *work, const tw_value *text,
                     uint32_t whole_code)
{
    if (!tw_value_is_a(text, TW_VALUE_STRING) || text->size == 0 ||
        is_blank(text, 0, text->size)) {
        return;
    }
    switch (is_written(work, text)) {
    case STRIPPED:
        tw_losses_add(work->losses, TW_LOSS_OUTER_WHITESPACE, text, 0, NULL);
        break;
    case PARTLY:
        tw_losses_add(work->losses, whole_code, text, 0,
                      "a part of this text is not in the prompt");
        break;
    case NOWHERE:
        tw_losses_add(work->losses, whole_code, text, 0, NULL);
        break;
    case WHOLE: break;
    }
}

/* Is something of |value| in the prompt, a key included? */
static bool shows(const looking *work, const tw_value *value)
{
    const size_t at = first_of(work, value, TW_RUN_KEY);
    if (at < work->count && work->runs[at].of == value) {
        return true;
    }
    for (const tw_value *part = value->first; part != NULL;
         part = part->next) {
        if (shows(work, part)) {
            return true;
        }
    }
    return false;
}

/* Each value of arguments. */
static void look_for_values(const looking *work, const tw_value *value)
{
    if (tw_value_is_container(value)) {
        for (const tw_value *part = value->first; part != NULL;
             part = part->next) {
            look_for_values(work, part);
        }
        return;
    }
    if (value->kind == TW_VALUE_STRING) {
        look_for(work, value, TW_LOSS_CALL_FORM);
    } else if (value->kind == TW_VALUE_NUMBER &&
               is_written(work, value) == NOWHERE) {
        tw_losses_add(work->losses, TW_LOSS_CALL_FORM, value, 0, NULL);
    }
}

static void look_for_call(const looking *work, const tw_call *call)
{
    const tw_value *given = call->given;
    if (call->name->size > 0 && is_written(work, call->name) == NOWHERE) {
        tw_losses_add(work->losses, TW_LOSS_CALL_DROPPED, call->value, 0,
                      NULL);
        return;
    }
    if (tw_value_is_a(given, TW_VALUE_STRING) &&
        is_written(work, given) != NOWHERE) {
        return; /* as its text */
    }
    if (call->arguments != NULL) {
        look_for_values(work, call->arguments);
    }
}

static void look_for_content(const looking *work, const tw_value *content)
{
    if (content == NULL || content->kind == TW_VALUE_STRING) {
        look_for(work, content, TW_LOSS_CONTENT_DROPPED);
        return;
    }
    if (work->own && !tw_value_is_void(content) && !shows(work, content)) {
        tw_losses_add(work->losses, TW_LOSS_CONTENT_NOT_TEXT, content, 0,
                      NULL);
        return;
    }
    for (const tw_value *part = content->first; part != NULL;
         part = part->next) {
        const tw_value *text = tw_part_text(part);
        if (text != NULL) {
            look_for(work, text, TW_LOSS_CONTENT_DROPPED);
        } else if (work->own && !shows(work, part)) {
            tw_losses_add(work->losses, TW_LOSS_PART_NOT_TEXT, part, 0, NULL);
        }
    }
}

/* ---- what decoders of our own formats tell apart ------------------------ */

/* A text of the model's that is nothing but blanks does not read back. */
static void report_blank(const looking *work, const tw_value *text,
                         uint32_t nowhere_code)
{
    if (tw_value_is_a(text, TW_VALUE_STRING) && text->size > 0 &&
        is_blank(text, 0, text->size)) {
        tw_losses_add(
            work->losses,
            shows(work, text) ? TW_LOSS_OUTER_WHITESPACE : nowhere_code, text,
            0, "The text is white space alone, which does not read back.");
    }
}

/* Was it told that the call loses this id? */
static bool is_call_told(const looking *work, const tw_value *id)
{
    tw_halves halves = {.high = work->told_count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves,
                       tw_value_order(work->told[halves.middle], id) < 0);
    }
    return halves.low < work->told_count &&
           tw_value_order(work->told[halves.low], id) == 0;
}

/* How often the prompt shows where |text| begins. */
static size_t times_shown(const looking *work, const tw_value *text)
{
    size_t at = first_of(work, text, 0);
    size_t times = 0;
    for (; at < work->count && work->runs[at].of == text &&
           work->runs[at].from == 0;
         at++) {
        times++;
    }
    return times;
}

/* Calls, and the results behind them. */
typedef struct answering {
    const tw_conversation *conversation;
    const tw_message *asking; /* NULL: no calls stand in front */
    size_t first;             /* the first result */
} answering;

static const tw_value *name_at(const answering *its, size_t call)
{
    return tw_call_of(its->conversation, its->asking, call)->name;
}

/* Which call the message answers by its id; SIZE_MAX: none. */
static size_t call_of(const answering *its, const tw_message *result)
{
    for (size_t i = 0; i < its->asking->call_count; i++) {
        if (tw_value_is_same_text(
                tw_call_of(its->conversation, its->asking, i)->id,
                result->id)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Which call of a |name| the result |i| reads back as an answer to: the next
 * one that no result in front of it says it answers. */
static size_t read_by_name(const answering *its, const tw_value *name,
                           size_t i)
{
    size_t skipped = 0;
    for (size_t at = its->first; at < i; at++) {
        const size_t call = call_of(its, tw_message_at(its->conversation, at));
        skipped += call != SIZE_MAX &&
                   tw_value_is_same_text(name_at(its, call), name);
    }
    for (size_t call = 0; call < its->asking->call_count; call++) {
        if (tw_value_is_same_text(name_at(its, call), name) &&
            skipped-- == 0) {
            return call;
        }
    }
    return SIZE_MAX;
}

/* The call that a result answers by its id, SIZE_MAX: nobody says; and the one
 * that the result reads back as an answer to. */
typedef struct answered {
    size_t call;
    size_t as;
} answered;

/* A result whose id is not shown reads back as that of the next call, or of
 * the next one of its name, where its turn shows that. */
static answered find_answered(const looking *work, const answering *its,
                              size_t i)
{
    enum { CALLS_MOST = 64 };
    const tw_message *result = tw_message_at(its->conversation, i);
    answered found = {SIZE_MAX, i - its->first};
    if (its->asking == NULL || its->asking->call_count > CALLS_MOST ||
        found.as >= CALLS_MOST || result->id == NULL ||
        shows(work, result->id)) {
        return found;
    }
    found.call = call_of(its, result);
    if (found.call == SIZE_MAX) {
        return found;
    }
    const tw_value *name = name_at(its, found.call);
    if ((result->name != NULL && shows(work, result->name)) ||
        times_shown(work, name) > 1) {
        found.as = read_by_name(its, name, i);
    }
    return found;
}

/* Where a prompt does not show them, results are known by the id that is made
 * for the call, or by their place among those that follow each other. */
static void report_result(const looking *work, const tw_message *message,
                          size_t number)
{
    if (message->id != NULL && !shows(work, message->id) &&
        (work->makes_ids ? is_call_told(work, message->id)
                         : !tw_id_is_counted(message->id, number))) {
        tw_losses_add(work->losses, TW_LOSS_CALL_ID, message->id, 0, NULL);
    }
}

static void report_own(const looking *work, const tw_message *message,
                       bool no_developer)
{
    if (message->role == TW_ROLE_TOOL && message->name != NULL &&
        !shows(work, message->name)) {
        tw_losses_add(work->losses, TW_LOSS_RESULT_NAME, message->name, 0,
                      NULL);
    } else if (message->role == TW_ROLE_DEVELOPER && no_developer) {
        tw_losses_add(work->losses, TW_LOSS_ROLE_CHANGED, message->role_name,
                      0, "The role reads back as `system`.");
    }
}

/* |told|: the template tells of its own losses. */
static void look_for_own(const looking *work, bool told, bool no_developer,
                         const tw_conversation *conversation)
{
    answering its = {.conversation = conversation};
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const bool result = message->role == TW_ROLE_TOOL;
        const answered found =
            result ? find_answered(work, &its, i) : (answered){SIZE_MAX, 0};
        if (found.call != SIZE_MAX && found.as != found.call) {
            tw_losses_add(work->losses, TW_LOSS_RESULT_MISPLACED, message->id,
                          0, NULL);
        } else if (result && !told) {
            report_result(work, message, found.as);
        }
        if (!told) {
            report_own(work, message, no_developer);
        }
        if (!result) {
            its.asking = message->call_count > 0 ? message : NULL;
            its.first = i + 1;
        }
    }
}

static void look_for_calls(const looking *work,
                           const tw_conversation *conversation, size_t i)
{
    const tw_message *message = tw_message_at(conversation, i);
    for (size_t c = 0; c < message->call_count; c++) {
        look_for_call(work, tw_call_of(conversation, message, c));
    }
}

static void look_for_message(const looking *work,
                             const tw_conversation *conversation, size_t i)
{
    const tw_message *message = tw_message_at(conversation, i);
    const bool last = i + 1 == tw_message_count(conversation);
    const uint32_t thought = last || work->no_reasoning
                                 ? TW_LOSS_REASONING_DROPPED
                                 : TW_LOSS_OLD_REASONING;
    look_for_content(work, message->content);
    look_for(work, message->reasoning, thought);
    if (work->own && message->role == TW_ROLE_ASSISTANT) {
        report_blank(work, message->content, TW_LOSS_OUTER_WHITESPACE);
        report_blank(work, message->reasoning,
                     last && !work->no_reasoning ? TW_LOSS_OUTER_WHITESPACE
                                                 : thought);
    }
    look_for_calls(work, conversation, i);
}

static void look_for_tools(const looking *work, const tw_value *tools)
{
    for (const tw_value *tool = tools != NULL ? tools->first : NULL;
         tool != NULL; tool = tool->next) {
        const tw_value *function = tw_tool_function(tool);
        const tw_value *name =
            function != NULL ? tw_value_member(function, "name") : NULL;
        const tw_value *about = tw_value_member(function, "description");
        if (name != NULL && is_written(work, name) == NOWHERE) {
            tw_losses_add(work->losses, TW_LOSS_TOOL_DROPPED, tool, 0, NULL);
        } else if (tw_value_is_a(about, TW_VALUE_STRING) && about->size > 0 &&
                   is_written(work, about) == NOWHERE) {
            tw_losses_add(work->losses, TW_LOSS_TOOL_PART, about, 0, NULL);
        }
    }
}

/* A setting that the template does not name changes nothing, nor does one
 * whose name is the request's. */
static void look_for_settings(const struct tw_template *template_,
                              const tw_value *settings, tw_losses *losses)
{
    static const char *const own[] = {"add_generation_prompt", "documents",
                                      "messages", "tools", NULL};
    for (const tw_value *at = settings != NULL ? settings->first : NULL;
         at != NULL; at = at->next) {
        if (tw_value_is_named(at, own)) {
            tw_losses_add(
                losses, TW_LOSS_MEMBER_DROPPED, at, 0,
                "A member of the request, beside its `messages`, and "
                "no setting.");
        } else if (tw_program_name(&template_->program, at->key,
                                   at->key_size) == SIZE_MAX) {
            tw_losses_add(losses, TW_LOSS_MEMBER_DROPPED, at, 0,
                          "the template has no setting of this name");
        }
    }
}

/* Settings that stand beside the messages, where no template looks. */
static void look_for_misplaced(const tw_conversation *conversation,
                               tw_losses *losses)
{
    static const char *const names[] = {"enable_thinking", "preserve_thinking",
                                        NULL};
    const tw_value *root = conversation->root;
    for (const tw_value *at = root != NULL ? root->first : NULL; at != NULL;
         at = at->next) {
        if (at->kind != TW_VALUE_NULL && tw_value_is_named(at, names)) {
            tw_losses_add(losses, TW_LOSS_MEMBER_DROPPED, at, 0,
                          "A template's settings stand in "
                          "`chat_template_kwargs`; here nobody reads it.");
        }
    }
}

static void report(const looking *work, const struct tw_template *template_,
                   const tw_conversation *conversation, tw_report_for whom)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        if (whom == TW_REPORT_CALLS) {
            look_for_calls(work, conversation, i);
        } else {
            look_for_message(work, conversation, i);
        }
    }
    if (whom != TW_REPORT_CALLS) {
        look_for_tools(work, conversation->tools);
    }
    if (whom != TW_REPORT_ANY) {
        look_for_own(work, whom == TW_REPORT_CALLS,
                     template_->facts.no_developer, conversation);
    }
}

/* ---- what is looked up -------------------------------------------------- */

/* The ids of calls in the losses until now; false: no memory. */
static bool collect_told(const tw_losses *losses, tw_buffer *told)
{
    bool good = true;
    for (size_t i = 0; i < tw_losses_count(losses) && good; i++) {
        const tw_lost *lost = tw_losses_at(losses, i);
        good = lost->code != TW_LOSS_CALL_ID ||
               tw_buffer_append(told, losses->memory, &lost->where,
                                sizeof lost->where);
    }
    return good;
}

static bool told_before(const void *context, const void *left,
                        const void *right)
{
    const tw_value *const *a = left;
    const tw_value *const *b = right;
    (void)context;
    return tw_value_order(*a, *b) < 0;
}

/* Sorts items of |size| bytes; false: no memory. */
static bool sort(tw_buffer *items, const tw_memory *memory, size_t size,
                 tw_item_before *before)
{
    const size_t used = items->size;
    const bool good = tw_buffer_reserve(items, memory, used + 1);
    if (good) {
        tw_sort_items(items->data, items->data + used, used / size, size,
                      before, NULL);
    }
    return good;
}

void tw_template_report(const struct tw_template *template_,
                        const tw_rendering *rendering,
                        const tw_conversation *conversation,
                        tw_report_for whom, tw_losses *losses)
{
    const tw_memory *memory = &template_->memory;
    const tw_buffer *origins = &rendering->text.runs;
    tw_buffer runs = {0};
    tw_buffer told = {0};
    if (tw_buffer_append(&runs, memory, origins->data, origins->size) &&
        sort(&runs, memory, sizeof(tw_run), run_before) &&
        collect_told(losses, &told) &&
        sort(&told, memory, sizeof(const tw_value *), told_before)) {
        const looking work = {
            .runs = (const tw_run *)(const void *)runs.data,
            .count = runs.size / sizeof(tw_run),
            .told = (const tw_value *const *)(const void *)told.data,
            .told_count = told.size / sizeof(const tw_value *),
            .own = whom != TW_REPORT_ANY,
            .makes_ids = whom == TW_REPORT_OWN_IDS,
            .no_reasoning = template_->facts.reasoning == 0,
            .losses = losses};
        report(&work, template_, conversation, whom);
    } else {
        losses->failed = true;
    }
    tw_buffer_free(&told, losses->memory);
    tw_buffer_free(&runs, memory);
}

void tw_template_report_settings(const struct tw_template *template_,
                                 const tw_conversation *conversation,
                                 tw_losses *losses)
{
    look_for_misplaced(conversation, losses);
    look_for_settings(template_, conversation->settings, losses);
    look_for_settings(template_, conversation->overrides, losses);
}
