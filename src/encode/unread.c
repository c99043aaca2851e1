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
    {"documents", TW_LOSS_CONTENT_DROPPED, NULL}, /* that nobody reads */
    {"chosen", TW_LOSS_CONTENT_DROPPED, PAIR},
    {"rejected", TW_LOSS_CONTENT_DROPPED, PAIR},
    {"reasoning", TW_LOSS_MEMBER_DROPPED, NULL},
    {"thinking", TW_LOSS_MEMBER_DROPPED, NULL},
    {"verbosity", TW_LOSS_MEMBER_DROPPED, NULL},
};

static void report_member(const tw_value *member, bool reads_documents,
                          tw_losses *losses)
{
    const bool read = reads_documents && member->kind == TW_VALUE_ARRAY &&
                      tw_value_has_key(member, "documents");
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !read; i++) {
        if (tw_value_has_key(member, rows[i].name) &&
            !tw_value_is_void(member)) {
            tw_losses_add(losses, rows[i].code, member, 0, rows[i].message);
        }
    }
}

/* The setting that |at| is of; NULL: the format has none of the name. */
static const tw_setting *setting_of(const tw_format *format,
                                    const tw_value *at)
{
    const tw_setting *setting;
    for (size_t i = 0; tw_format_setting(format, i, &setting) == 1; i++) {
        if (tw_value_has_key(at, setting->name)) {
            return setting;
        }
    }
    return NULL;
}

/* What the value is not, as a sentence; NULL: it is what is asked for. */
static const char *mistyped(const tw_setting *setting, const tw_value *value)
{
    switch (setting->type[0]) {
    case 'b':
        return value->kind == TW_VALUE_TRUE || value->kind == TW_VALUE_FALSE
                   ? NULL
                   : "The value is neither true nor false, as JSON writes "
                     "them.";
    case 's':
        return value->kind == TW_VALUE_STRING ? NULL
                                              : "The value is no string.";
    default:
        return value->kind == TW_VALUE_ARRAY ? NULL
                                             : "The value is no array.";
    }
}

static void report_settings(const tw_value *given, const tw_format *format,
                            tw_losses *losses)
{
    for (const tw_value *at = given != NULL ? given->first : NULL; at != NULL;
         at = at->next) {
        const tw_setting *setting = setting_of(format, at);
        if (at->kind == TW_VALUE_NULL) {
            continue;
        }
        if (setting == NULL && !tw_value_is_void(at)) {
            tw_losses_add(losses, TW_LOSS_MEMBER_DROPPED, at, 0,
                          "The format's template reads no setting of this "
                          "name.");
        } else if (setting != NULL && mistyped(setting, at) != NULL) {
            tw_losses_add(losses, TW_LOSS_SETTING_TYPE, at, 0,
                          mistyped(setting, at));
        }
    }
}

/* A setting that stands beside the messages, where templates do not look. */
static void report_misplaced(const tw_value *member, const tw_format *format,
                             tw_losses *losses)
{
    static const char *const known[] = {"enable_thinking", "preserve_thinking",
                                        NULL};
    if (member->kind != TW_VALUE_NULL &&
        !tw_value_has_key(member, TW_EFFORT) &&
        (tw_value_is_named(member, known) ||
         setting_of(format, member) != NULL)) {
        tw_losses_add(losses, TW_LOSS_MEMBER_DROPPED, member, 0,
                      "A template's settings stand in "
                      "`chat_template_kwargs`; here nobody reads it.");
    }
}

/* OpenAI's own place for a setting, which a setting of the name replaces. */
static void report_effort(const tw_conversation *conversation,
                          const tw_format *format, tw_losses *losses)
{
    const tw_value *effort = tw_value_member(conversation->root, TW_EFFORT);
    if (effort != NULL && !tw_value_is_void(effort) &&
        (setting_of(format, effort) == NULL ||
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
                              const tw_format *format, bool reads_documents,
                              tw_losses *losses)
{
    for (const tw_value *at = conversation->root->first; at != NULL;
         at = at->next) {
        report_member(at, reads_documents, losses);
        report_misplaced(at, format, losses);
    }
    report_tools(conversation->tools, losses);
    report_effort(conversation, format, losses);
    report_settings(conversation->settings, format, losses);
    report_settings(conversation->overrides, format, losses);
}
