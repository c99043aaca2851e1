/* SPDX-License-Identifier: MIT
 *
 * Losses, refusals, contents and arguments, for the encoders of all formats.
 */
#include "formats/encode.h"

#include <string.h>

#include "formats/description.h"
#include "formats/name_bytes.h"
#include "json/scan.h"

void tw_encode_loss(tw_segments *out, uint32_t code, const tw_value *where,
                    const char *message)
{
    tw_segments_report(out, code, where, message);
}

void tw_encode_refuse(tw_segments *out, const tw_value *where,
                      const char *message)
{
    if (out->control_text != TW_CONTROL_TEXT_ALLOW) {
        tw_segments_refuse(out, TW_ERROR_CANNOT_CARRY, where, 0, message);
    }
}

void tw_encode_content(tw_segments *out, const tw_value *content)
{
    if (tw_value_is_a(content, TW_VALUE_STRING)) {
        tw_out_text(out, content);
    } else if (content != NULL) {
        tw_encode_loss(out, TW_LOSS_CONTENT_NOT_TEXT, content, NULL);
    }
}

bool tw_encode_has_content(const tw_value *content)
{
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        return tw_value_is_a(content, TW_VALUE_STRING) && content->size > 0;
    }
    for (const tw_value *part = content->first; part != NULL;
         part = part->next) {
        const tw_value *text = tw_part_text(part);
        if (text != NULL && text->size > 0) {
            return true;
        }
    }
    return false;
}

const tw_message *tw_encode_only_message(const tw_conversation *conversation,
                                         tw_segments *out)
{
    const size_t count = tw_message_count(conversation);
    const tw_message *message =
        count > 0 ? tw_message_at(conversation, 0) : NULL;
    if (message != NULL && count == 1 && message->role == TW_ROLE_ASSISTANT) {
        return message;
    }
    tw_segments_refuse(out, TW_ERROR_CANNOT_CARRY,
                       message != NULL ? message->value : NULL, 0,
                       "of this format only completions are written: one "
                       "message, an assistant's (convert --unit "
                       "completion takes it out of its record)");
    return NULL;
}

bool tw_encode_refuses_free_text(tw_segments *out, const tw_call *call)
{
    if (call->input != NULL) {
        tw_segments_refuse(out, TW_ERROR_CANNOT_CARRY, call->value, 0,
                           "the format has no calls with free text");
    }
    return call->input != NULL;
}

void tw_encode_report_spelling(tw_segments *out, const tw_call *call,
                               size_t begin)
{
    const size_t size = out->text.size - begin;
    if (tw_value_is_a(call->given, TW_VALUE_STRING) &&
        (size != call->given->size ||
         (size > 0 &&
          memcmp(out->text.data + begin, call->given->text, size) != 0))) {
        tw_encode_loss(out, TW_LOSS_ARGUMENTS_SPELLING, call->given, NULL);
    }
}

void tw_encode_arguments(tw_segments *out, const tw_call *call)
{
    const size_t begin = out->text.size;
    if (call->arguments == NULL) {
        tw_out(out, "{}");
    } else {
        tw_out_json(out, call->arguments);
    }
    tw_encode_report_spelling(out, call, begin);
}

void tw_encode_json_name(tw_segments *out, const tw_value *name)
{
    if (name->size == 0 || memchr(name->text, 0, name->size) != NULL) {
        tw_encode_refuse(out, name, "no decoder takes such a name");
    }
    tw_out_json_string(out, name, name->text, name->size);
}

bool tw_encode_has_odd_blank(const tw_value *name)
{
    const uint8_t *at = (const uint8_t *)name->text;
    const uint8_t *limit = at + name->size;
    bool odd = false;
    while (at < limit && !odd) {
        const tw_json_lexeme lexeme =
            *at < 0x80 ? TW_JSON_OTHER : tw_json_scan(&at, limit, true);
        odd = lexeme == TW_JSON_NONSTANDARD_WS || lexeme == TW_JSON_BOM;
        at += !odd;
    }
    return odd;
}

bool tw_encode_takes_name(const tw_description *description,
                          const tw_value *name, bool served)
{
    const size_t server = served ? tw_name_server(name->text, name->size) : 0;
    const bool blanks = (description->quirks & TW_QUIRK_BLANK_NAMES) != 0;
    const bool gemma =
        tw_pattern_hole(description->call.all)->kind == TW_PATTERN_GEMMA;
    bool good = name->size > (server > 0 ? server + 1 : 0) &&
                (!served || name->text[0] != '.') &&
                !tw_encode_has_odd_blank(name) &&
                (!gemma || tw_gemma_is_name(name->text, name->size));
    for (size_t i = 0; i < name->size && good; i++) {
        const uint8_t c = (uint8_t)name->text[i];
        good = tw_is_bare_name_byte(c) || (blanks && c == ' ');
    }
    return good;
}
