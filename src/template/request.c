/* SPDX-License-Identifier: MIT
 *
 * A request as the variables of a template: as transformers gives them, in the
 * form that this template takes.
 */
#include "template/library/json_text.h"
#include "template/loaded.h"

const char *const tw_reasoning_names[TW_REASONING_NAMES] = {
    "reasoning_content", "reasoning", "thinking"};

typedef struct giving {
    const tw_template_facts *facts;
    bool own;
    tw_machine *machine;
    const tw_conversation *conversation;
} giving;

static void put(const giving *work, tw_item dict, const tw_string *key,
                tw_item value)
{
    tw_dict_put(&work->machine->arena, dict.of.dict, tw_item_string(key),
                value);
}

static const tw_string *key_of(const giving *work, const tw_value *member)
{
    return tw_string_of_key(&work->machine->arena, member);
}

/* ---- calls -------------------------------------------------------------- */

/* An object, or its JSON text where the template wants that. */
static tw_item arguments_of(giving *work, const tw_call *call)
{
    tw_machine *machine = work->machine;
    const bool text = tw_value_is_a(call->given, TW_VALUE_STRING);
    if (work->facts->arguments_as_text && text && call->given->size > 0) {
        return tw_item_string(tw_json_guarded(
            machine, tw_string_of_value(&machine->arena, call->given)));
    }
    const tw_item object = call->arguments != NULL
                               ? tw_item_of_value(machine, call->arguments)
                               : tw_item_dict(&machine->arena, 0);
    if (!work->facts->arguments_as_text) {
        return object;
    }
    const tw_json_layout layout = {
        .comma = tw_string_word(&machine->arena, ", "),
        .colon = tw_string_word(&machine->arena, ": ")};
    return tw_json_text(machine, object, &layout);
}

/* What is given of |at|: where that is an id that several calls of a message
 * had, templates of ours are given the one in its place. */
static const tw_value *id_of(const giving *work, const tw_value *at,
                             const tw_value *own_id, const tw_value *id)
{
    return work->own && at == own_id && id != NULL ? id : at;
}

/* An object that holds `arguments`, or what holds it. */
static tw_item call_of(giving *work, const tw_value *value,
                       const tw_call *call)
{
    tw_machine *machine = work->machine;
    tw_item dict = tw_item_dict(&machine->arena, tw_value_length(value));
    dict = work->own ? tw_item_from(machine, dict, value) : dict;
    for (const tw_value *at = value->first; at != NULL; at = at->next) {
        const bool holds =
            at->kind == TW_VALUE_OBJECT && tw_value_has_key(at, "function");
        const tw_string *key = at == call->name
                                   ? tw_string_word(&machine->arena, "name")
                                   : key_of(work, at);
        put(work, dict, key,
            value == call->name->parent && tw_value_has_key(at, "arguments")
                ? arguments_of(work, call)
            : holds ? call_of(work, at, call)
                    : tw_item_of_value(
                          machine, id_of(work, at, call->own_id, call->id)));
    }
    const bool text = call->given != NULL && call->arguments != NULL &&
                      call->given->kind == TW_VALUE_STRING;
    if (work->facts->reads_own && text && value == call->name->parent) {
        put(work, dict, tw_string_word(&machine->arena, "toolwire_text"),
            tw_item_string(tw_json_guarded(
                machine, tw_string_of_value(&machine->arena, call->given))));
    }
    return dict;
}

/* A call without its wrapper, in one: templates know no other.  Those that
 * tell of losses tell the two apart. */
static tw_item wrapped_call_of(giving *work, const tw_call *call)
{
    tw_arena *arena = &work->machine->arena;
    tw_item inner = call_of(work, call->value, call);
    const tw_value *value = call->value;
    if (work->facts->tells_losses || call->name->parent != value) {
        return inner;
    }
    tw_item dict = tw_item_dict(arena, 3);
    dict.origin = inner.origin;
    const tw_value *id = tw_value_member(value, "id");
    if (id != NULL) {
        put(work, dict, key_of(work, id),
            tw_item_of_value(work->machine,
                             id_of(work, id, call->own_id, call->id)));
    }
    put(work, dict, tw_string_word(arena, "type"),
        tw_word(work->machine, "function"));
    put(work, dict, tw_string_word(arena, "function"), inner);
    return dict;
}

/* The calls that stand in |at|, a list or its JSON text. */
static tw_item calls_of(giving *work, const tw_message *message,
                        const tw_value *at)
{
    tw_arena *arena = &work->machine->arena;
    tw_item list = tw_item_list(arena, TW_ITEM_LIST, message->call_count);
    list = work->own ? tw_item_from(work->machine, list, at) : list;
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(work->conversation, message, i);
        tw_list_add(arena, list.of.list, wrapped_call_of(work, call));
    }
    return list;
}

/* ---- messages ----------------------------------------------------------- */

/* The name under which the template reads what stands under |member|, or
 * |member|'s own. */
static const tw_string *reasoning_key(const giving *work,
                                      const tw_value *member)
{
    size_t own = 0;
    size_t read = 0;
    for (size_t i = TW_REASONING_NAMES; i-- > 0;) {
        own = tw_value_has_key(member, tw_reasoning_names[i]) ? i : own;
        read = (work->facts->reasoning & 1U << i) != 0 ? i : read;
    }
    /* The first name is the one that transformers documents: a template that
     * does not read that is given no more than by transformers. */
    const bool renamed = own > 0 && work->facts->reasoning != 0 &&
                         (work->facts->reasoning & 1U << own) == 0;
    return renamed ? tw_string_word(&work->machine->arena,
                                    tw_reasoning_names[read])
                   : key_of(work, member);
}

/* A role that everybody knows is no data: `<|assistant|>` that a template puts
 * together is not forged. */
static tw_item role_of(const giving *work, const tw_message *message)
{
    tw_machine *machine = work->machine;
    const tw_value *name = message->role_name;
    if (message->role == TW_ROLE_DEVELOPER && work->facts->no_developer) {
        return tw_word(machine, "system");
    }
    if (message->role == TW_ROLE_OTHER) {
        return tw_item_of_value(machine, name);
    }
    return tw_item_from(
        machine,
        tw_item_string(tw_string_of(&machine->arena, name->text, name->size)),
        name);
}

/* Does |message| have its calls in the member |at|? */
static bool holds_calls(const tw_message *message, const tw_value *at)
{
    return message->role == TW_ROLE_ASSISTANT &&
           tw_value_has_key(at, "tool_calls") &&
           ((at->kind == TW_VALUE_ARRAY &&
             tw_value_length(at) == message->call_count) ||
            (at->kind == TW_VALUE_STRING && at->size > 0));
}

/* What templates of ours are given in addition: a `function_call` of OpenAI's
 * first days as a call, and with a result the call that has its id. */
static void give_more(giving *work, const tw_message *message, tw_item dict)
{
    const tw_conversation *conversation = work->conversation;
    tw_arena *arena = &work->machine->arena;
    const tw_value *legacy = tw_value_member(message->value, "function_call");
    const tw_call *answered =
        message->role == TW_ROLE_TOOL && work->facts->reads_own
            ? tw_conversation_answered(
                  conversation,
                  (size_t)(message - tw_message_at(conversation, 0)))
            : NULL;
    if (answered != NULL) {
        put(work, dict, tw_string_word(arena, "toolwire_call"),
            call_of(work, answered->value, answered));
    }
    if (legacy != NULL && message->call_count == 1 &&
        tw_call_of(conversation, message, 0)->value == legacy) {
        put(work, dict, tw_string_word(arena, "tool_calls"),
            calls_of(work, message, NULL));
    }
}

static tw_item message_of(giving *work, const tw_message *message)
{
    tw_machine *machine = work->machine;
    const tw_value *value = message->value;
    const tw_item dict = tw_item_from(
        machine, tw_item_dict(&machine->arena, tw_value_length(value)), value);
    if (tw_works(machine)) {
        dict.of.dict->turn = value->index + 1;
    }
    for (const tw_value *at = value->first; at != NULL; at = at->next) {
        tw_item item;
        if (tw_value_has_key(at, "content") && message->content != NULL) {
            item = tw_item_of_value(machine, message->content);
        } else if (holds_calls(message, at)) {
            item = calls_of(work, message, at);
        } else if (at == message->role_name) {
            item = role_of(work, message);
        } else {
            item = tw_item_of_value(
                machine, id_of(work, at, message->own_id, message->id));
        }
        put(work, dict,
            at == message->reasoning ? reasoning_key(work, at)
                                     : key_of(work, at),
            item);
    }
    if (work->own) {
        give_more(work, message, dict);
    }
    return dict;
}

static tw_item messages_of(giving *work)
{
    const size_t count = tw_message_count(work->conversation);
    const tw_item list =
        tw_item_list(&work->machine->arena, TW_ITEM_LIST, count);
    for (size_t i = 0; i < count && tw_works(work->machine); i++) {
        tw_list_add(&work->machine->arena, list.of.list,
                    message_of(work, tw_message_at(work->conversation, i)));
    }
    return list;
}

/* ---- all ---------------------------------------------------------------- */

static void give_members(tw_machine *machine, const tw_value *object)
{
    for (const tw_value *at = object != NULL ? object->first : NULL;
         at != NULL; at = at->next) {
        tw_rendering_give_sized(machine, at->key, at->key_size,
                                tw_item_of_value(machine, at));
    }
}

/* `bos_token` and its like. */
static void give_tokens(tw_machine *machine, const tw_value *config)
{
    static const char end[] = "_token";
    const size_t size = sizeof end - 1;
    for (const tw_value *at = config != NULL ? config->first : NULL;
         at != NULL; at = at->next) {
        const tw_value *text = tw_token_text(at);
        if (text != NULL && at->key_size > size &&
            memcmp(at->key + at->key_size - size, end, size) == 0) {
            tw_rendering_give_sized(
                machine, at->key, at->key_size,
                tw_item_string(
                    tw_string_of(&machine->arena, text->text, text->size)));
        }
    }
}

/* A list of the request that is there and not empty, or None; nothing is made
 * of one that the template does not name. */
static void give_list(tw_machine *machine, const char *name,
                      const tw_value *list)
{
    const bool given =
        tw_value_is_a(list, TW_VALUE_ARRAY) && list->first != NULL &&
        tw_program_name(machine->program, name, strlen(name)) != SIZE_MAX;
    tw_rendering_give(machine, name,
                      given ? tw_item_of_value(machine, list) : tw_none());
}

void tw_template_give(const struct tw_template *template_,
                      tw_rendering *rendering,
                      const tw_conversation *conversation)
{
    tw_machine *machine = &rendering->machine;
    giving work = {&template_->facts, template_->own, machine, conversation};
    const tw_value *effort = tw_value_member(conversation->root, TW_EFFORT);
    give_tokens(machine, template_->config.root);
    if (effort != NULL) {
        tw_rendering_give(machine, TW_EFFORT,
                          tw_item_of_value(machine, effort));
    }
    give_members(machine, conversation->settings);
    give_members(machine, conversation->overrides);
    effort = tw_conversation_setting(conversation, TW_EFFORT);
    if (template_->own && effort != NULL) { /* null is no setting there */
        tw_rendering_give(machine, TW_EFFORT,
                          tw_item_of_value(machine, effort));
    }
    if (machine->format != NULL) { /* one template may write several */
        tw_rendering_give(machine, "toolwire_format",
                          tw_word(machine, machine->format));
    }
    tw_rendering_give(machine, "messages", messages_of(&work));
    give_list(machine, "tools", conversation->tools);
    give_list(machine, "documents",
              tw_value_member(conversation->root, "documents"));
    tw_rendering_give(machine, "add_generation_prompt",
                      tw_item_bool(conversation->generation_prompt));
}
