/* SPDX-License-Identifier: MIT
 *
 * What nobody reads of a request.
 */
#include "encode/unread.h"

#include <string.h>

#define ANTHROPIC                                                            \
    "Anthropic's requests have this, and no template reads it; convert the " \
    "request first (from anthropic to openai)."

#define PAIR                                                              \
    "Two outputs have no place in one prompt; only `messages` are read."

static const struct {
    const char *name;
    uint32_t code;
    const char *message; /* or NULL */
} rows[] = {
    {"system", TW_LOSS_CONTENT_DROPPED, ANTHROPIC},
    {"instructions", TW_LOSS_CONTENT_DROPPED,
     "Requests of Responses have this, and no template reads it; convert the "
     "request first (from responses to openai)."},
    {"documents", TW_LOSS_CONTENT_DROPPED, NULL},
    {"chosen", TW_LOSS_CONTENT_DROPPED, PAIR},
    {"rejected", TW_LOSS_CONTENT_DROPPED, PAIR},
    {"reasoning", TW_LOSS_MEMBER_DROPPED, NULL},
    {"thinking", TW_LOSS_MEMBER_DROPPED, NULL},
    {"verbosity", TW_LOSS_MEMBER_DROPPED, NULL},
};

static void report_member(const tw_value *member, tw_losses *losses)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (tw_value_has_key(member, rows[i].name) &&
            !tw_value_is_void(member)) {
            tw_losses_add(losses, rows[i].code, member, 0, rows[i].message);
        }
    }
}

static void report_settings(const tw_value *given, const char *const *settings,
                            tw_losses *losses)
{
    for (const tw_value *at = given != NULL ? given->first : NULL; at != NULL;
         at = at->next) {
        if (!tw_value_is_void(at) &&
            (settings == NULL || !tw_value_is_named(at, settings))) {
            tw_losses_add(losses, TW_LOSS_MEMBER_DROPPED, at, 0,
                          "The format's template reads no setting of this "
                          "name.");
        }
    }
}

/* OpenAI's own place for a setting, which a setting of the name replaces. */
static void report_effort(const tw_conversation *conversation,
                          const char *const *settings, tw_losses *losses)
{
    const tw_value *effort = tw_value_member(conversation->root, TW_EFFORT);
    if (effort != NULL && !tw_value_is_void(effort) &&
        (settings == NULL || !tw_value_is_named(effort, settings) ||
         tw_conversation_setting(conversation, TW_EFFORT) != effort)) {
        tw_losses_add(losses, TW_LOSS_MEMBER_DROPPED, effort, 0, NULL);
    }
}

static void report_tools(const tw_value *tools, tw_losses *losses)
{
    for (const tw_value *at = tools != NULL ? tools->first : NULL; at != NULL;
         at = at->next) {
        if (tw_value_member(at, "input_schema") != NULL &&
            tw_tool_function(at) == at) {
            tw_losses_add(losses, TW_LOSS_TOOL_DROPPED, at, 0, ANTHROPIC);
        }
    }
}

void tw_report_unread_request(const tw_conversation *conversation,
                              const char *const *settings, tw_losses *losses)
{
    for (const tw_value *at = conversation->root->first; at != NULL;
         at = at->next) {
        report_member(at, losses);
    }
    report_tools(conversation->tools, losses);
    report_effort(conversation, settings, losses);
    report_settings(conversation->settings, settings, losses);
    report_settings(conversation->overrides, settings, losses);
}
