/* SPDX-License-Identifier: MIT
 *
 * Which tool is to be called: what three APIs call the same.
 */
#include "records/apis/choice.h"

static const char *const words[][3] = {
    {"auto", "auto", "AUTO"},
    {"required", "any", "ANY"},
    {"none", "none", "NONE"},
};

enum { WORDS = sizeof words / sizeof words[0] };

const tw_value *tw_choice_name(const tw_value *choice)
{
    const tw_value *function = tw_value_member(choice, "function");
    const tw_value *name =
        tw_value_member(function != NULL ? function : choice, "name");
    return tw_value_is_a(name, TW_VALUE_STRING) ? name : NULL;
}

const char *tw_choice_word(const tw_value *choice, tw_choice_api api)
{
    const char *word = NULL;
    for (size_t i = 0; i < WORDS; i++) {
        word = tw_value_is(choice, words[i][TW_CHOICE_OPENAI]) ? words[i][api]
                                                               : word;
    }
    return word;
}

void tw_lose_beside_choice(tw_recoder *recoder, const tw_value *choice)
{
    static const char *const known[] = {"type", "function", "name", NULL};
    static const char *const named[] = {"name", NULL};
    const tw_value *function = tw_value_member(choice, "function");
    tw_losses_add_members(&recoder->losses, choice, known);
    if (function != NULL) {
        tw_losses_add_members(&recoder->losses, function, named);
    }
}

const tw_value *tw_take_choice(tw_recoder *recoder, const tw_value *request)
{
    const tw_value *given = tw_value_member(request, "tool_choice");
    const tw_value *legacy = tw_value_member(request, "function_call");
    const tw_value *choice = given != NULL ? given : legacy;
    if (given != NULL && legacy != NULL && legacy->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, legacy, NULL);
    }
    if (choice == NULL || choice->kind == TW_VALUE_NULL) {
        return NULL;
    }
    if (tw_choice_name(choice) == NULL &&
        tw_choice_word(choice, TW_CHOICE_OPENAI) == NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, choice, NULL);
        return NULL;
    }
    tw_lose_beside_choice(recoder, choice);
    return choice;
}

bool tw_read_choice_word(tw_recoder *recoder, const tw_value *word,
                         tw_choice_api api)
{
    const char *own = NULL;
    for (size_t i = 0; i < WORDS; i++) {
        own = tw_value_is(word, words[i][api]) ? words[i][TW_CHOICE_OPENAI]
                                               : own;
    }
    tw_value *made = own != NULL
                         ? tw_make_word(&recoder->made, recoder->request,
                                        "tool_choice", own)
                         : NULL;
    if (made != NULL) {
        made->origin = word->origin != NULL ? word->origin : word;
    }
    return own != NULL;
}

void tw_read_choice_name(tw_recoder *recoder, const tw_value *name)
{
    tw_tree *made = &recoder->made;
    tw_value *named = tw_read_part(recoder, recoder->request, "tool_choice",
                                   TW_VALUE_OBJECT, name);
    tw_make_word(made, named, "type", "function");
    tw_read_member(recoder, tw_make(made, named, "function", TW_VALUE_OBJECT),
                   "name", name);
}
