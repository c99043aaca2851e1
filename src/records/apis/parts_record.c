/* SPDX-License-Identifier: MIT
 *
 * Records with messages of parts: where the messages, what the system says and
 * the tools stand.
 */
#include "records/apis/choice.h"
#include "records/apis/parts_halves.h"

/* ---- tools -------------------------------------------------------------- */

/* {"toolSpec":{"name","description","inputSchema":{"json"}}}. */
static void read_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const around[] = {"toolSpec", NULL};
    static const char *const schema[] = {"inputSchema", NULL};
    static const char *const object[] = {"{inputSchema", NULL};
    static const char *const inside[] = {"json", NULL};
    const tw_value *spec = tw_value_member(tool, "toolSpec");
    const tw_value *holder = tw_value_member(spec, "inputSchema");
    const tw_value *input = tw_value_member(holder, "json");
    if (spec == NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_TOOL_DROPPED, tool, NULL);
        return;
    }
    tw_value *function = tw_read_tool(recoder, tool);
    tw_make_others(&recoder->made, function, spec, schema);
    if (input != NULL) {
        tw_read_member(recoder, function, "parameters", input);
    }
    if (holder != NULL) {
        tw_losses_add_member(&recoder->losses, holder, object);
        tw_losses_add_members(&recoder->losses, holder, inside);
    }
    tw_losses_add_members(&recoder->losses, tool, around);
}

static void read_choice(tw_recoder *recoder, const tw_value *choice)
{
    static const char *const known[] = {"{auto", "{any", "{tool", NULL};
    static const char *const inside[] = {"name", NULL};
    const tw_value *only = choice->first;
    const tw_value *name = tw_value_member(only, "name");
    const tw_value word = {.kind = TW_VALUE_STRING,
                           .text = only != NULL ? only->key : "",
                           .origin = choice,
                           .size = only != NULL ? only->key_size : 0};
    if (only != NULL && tw_value_has_key(only, "tool") && name != NULL) {
        tw_read_choice_name(recoder, name);
    } else if (!tw_read_choice_word(recoder, &word, TW_CHOICE_ANTHROPIC)) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, choice, NULL);
    }
    tw_losses_add_members(&recoder->losses, choice, known);
    if (only != NULL) {
        tw_losses_add_members(&recoder->losses, only, inside);
    }
}

static void read_config(tw_recoder *recoder, const tw_value *config)
{
    const tw_value *tools =
        tw_value_if(tw_value_member(config, "tools"), TW_VALUE_ARRAY);
    const bool chooses = recoder->to != NULL && recoder->to->choices != NULL;
    const tw_value *choice =
        chooses ? tw_use_member(config, "toolChoice") : NULL;
    const tw_value *at = tools != NULL ? tools->first : NULL;
    for (; at != NULL; at = at->next) {
        read_tool(recoder, at);
    }
    if (tools != NULL) {
        tw_use(tools);
    }
    if (choice != NULL) {
        read_choice(recoder, choice);
    }
}

/* What the system is told may have the tools. */
static void read_tools_of(tw_recoder *recoder, const tw_value *message)
{
    for (size_t i = 0; i < TW_SAID_HOLDERS && recoder->tools == NULL; i++) {
        const tw_value *holder = tw_said_turn_holder(message, i);
        if (tw_has_list_of(holder, "tools", "function") ||
            tw_has_list_of(holder, "tools", "name")) {
            tw_read_tools(recoder, tw_value_member(holder, "tools"));
        }
    }
}

/* ---- records ------------------------------------------------------------ */

/* |lists[0]| is OpenAI's, too. */
static const char *const lists[] = {"messages", "conversation", "history",
                                    "events",   "steps",        NULL};

/* Of OpenTelemetry's spans, whose events are others. */
static const char *const span_lists[] = {"gen_ai.input.messages",
                                         "gen_ai.output.messages", NULL};

/* A span has them under its attributes. */
static const tw_value *named(const tw_value *record, const char *name)
{
    const tw_value *own = tw_value_member(record, name);
    return own != NULL
               ? own
               : tw_value_member(tw_value_member(record, "attributes"), name);
}

static bool is_span(const tw_value *record)
{
    return named(record, span_lists[0]) != NULL ||
           named(record, span_lists[1]) != NULL;
}

/* named(), which is used. */
static const tw_value *use_named(const tw_value *record, const char *name)
{
    const tw_value *found = named(record, name);
    if (found != NULL) {
        tw_use(found);
    }
    return found;
}

static void read_messages(tw_recoder *recoder, const tw_value *list)
{
    const tw_value *read = list != NULL ? tw_read_inner(recoder, list) : NULL;
    if (tw_value_is_a(read, TW_VALUE_ARRAY)) {
        tw_parts_read_messages(recoder, read);
        read_tools_of(recoder, read->first);
    } else if (list != NULL) {
        tw_recoder_refuse(recoder, list, "it is no list of messages");
    }
}

/* What the system says stands apart. */
static void read_system(tw_recoder *recoder, const tw_value *system)
{
    const tw_value *read =
        system != NULL ? tw_read_inner(recoder, system) : NULL;
    if (tw_value_is_a(read, TW_VALUE_ARRAY)) {
        tw_parts_read_system(recoder, read);
    } else {
        tw_read_system(recoder, system);
    }
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    static const char *const systems[] = {"system",
                                          "gen_ai.system_instructions", NULL};
    static const char *const tools[] = {"tools", "gen_ai.tool.definitions",
                                        NULL};
    const tw_value *output = tw_value_member(record, "output");
    const tw_value *answer = tw_value_member(output, "message");
    tw_read_begin(recoder, record);
    for (const char *const *name = systems; *name != NULL; name++) {
        read_system(recoder, use_named(record, *name));
    }
    for (const char *const *name = is_span(record) ? span_lists : lists;
         *name != NULL; name++) {
        read_messages(recoder, use_named(record, *name));
    }
    if (answer != NULL) {
        tw_use(answer);
        tw_parts_read_messages(recoder, answer);
    }
    for (const char *const *name = tools; *name != NULL; name++) {
        const tw_value *list = use_named(record, *name);
        if (list != NULL) {
            tw_read_tools(recoder, list);
        }
    }
    read_config(recoder, tw_value_member(record, "toolConfig"));
    return recoder->request;
}

/* Most are OpenAI's. */
static bool is_plain(const tw_value *message)
{
    return tw_value_member(message, "role") != NULL &&
           tw_value_member(message, "parts") == NULL &&
           (tw_has_text(tw_value_member(message, "content")) ||
            tw_value_member(message, "tool_calls") != NULL);
}

/* Has a message parts in such words?  |plain|: texts without a type. */
static bool is_own(const tw_value *message, bool plain)
{
    tw_said_turn turn = {.content = tw_value_member(message, "parts")};
    if (is_plain(message)) {
        return false;
    }
    const bool known = tw_said_turn_find(&turn, message);
    const tw_value *first = tw_value_is_a(turn.content, TW_VALUE_ARRAY)
                                ? turn.content->first
                                : NULL;
    const bool content =
        first != NULL && tw_value_has_key(turn.content, "content");
    return (known && turn.event) ||
           tw_said_is_content(turn.content, plain && content) ||
           (first != NULL && !content &&
            (tw_value_member(first, "type") != NULL ||
             tw_value_member(first, "part_kind") != NULL));
}

bool tw_parts_is_message(const tw_value *message)
{
    return is_own(message, false);
}

static bool has_own(const tw_value *record, const char *name)
{
    const tw_value *list = tw_value_member(record, name);
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    while (at != NULL && !is_own(at, true)) {
        at = at->next;
    }
    return at != NULL;
}

static tw_fit fits(const tw_value *record)
{
    const tw_value *output = tw_value_member(record, "output");
    const tw_value *system = tw_value_member(record, "system");
    const char *const *name = lists;
    while (*name != NULL && !has_own(record, *name)) {
        name++;
    }
    return tw_fit_well(*name != NULL || tw_said_is_content(system, true) ||
                       is_own(tw_value_member(output, "message"), true) ||
                       is_span(record));
}

static const char *const choices[] = {NULL};

const tw_record_shape tw_parts_shape = {
    .name = "parts",
    .about = "read only: messages of parts: Bedrock, OTel, OpenHands",
    .choices = choices,
    .fits = fits,
    .read = read,
};
