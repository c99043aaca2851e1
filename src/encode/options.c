/* SPDX-License-Identifier: MIT
 *
 * What callers set of an encoder.
 */
#include "core/options.h"
#include "encode/inside.h"
#include "template/library/clock.h"

int tw_encoder_set(tw_encoder *encoder, tw_option option, int64_t value)
{
    if (encoder == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    const char *fault = tw_option_fault(option, value);
    if (fault != NULL) {
        return tw_encoder_fail(encoder, TW_ERROR_ARGUMENT, NULL, 0, fault);
    }
    switch (option) {
    case TW_OPTION_GENERATION_PROMPT:
        encoder->generation_prompt = value;
        return TW_OK;
    case TW_OPTION_PYTHON_NUMBERS:
        encoder->segments.python_numbers = value == 1;
        return TW_OK;
    case TW_OPTION_CONTROL_TEXT:
        encoder->segments.control_text = (uint32_t)value;
        return TW_OK;
    case TW_OPTION_IDS: encoder->ids = (uint32_t)value; return TW_OK;
    case TW_OPTION_LOSS:
        encoder->segments.losses.policy = (uint32_t)value;
        return TW_OK;
    case TW_OPTION_SAMPLED_LAST: encoder->sampling.last = value == 1; break;
    case TW_OPTION_SAMPLED_NO_REASONING:
        encoder->sampling.no_reasoning = value == 1;
        break;
    case TW_OPTION_SAMPLED_BY_WEIGHT:
        encoder->sampling.by_weight = value == 1;
        break;
    default:
        return tw_encoder_fail(encoder, TW_ERROR_ARGUMENT, NULL, 0,
                               "encoders have no such option");
    }
    encoder->has_spans = false;
    return TW_OK;
}

int tw_encoder_set_text(tw_encoder *encoder, tw_text text, const char *data,
                        size_t size)
{
    if (encoder == NULL || (data == NULL && size > 0) ||
        (text != TW_TEXT_SETTINGS && text != TW_TEXT_NOW)) {
        return tw_encoder_fail(encoder, TW_ERROR_ARGUMENT, NULL, 0,
                               "no such text");
    }
    if (text == TW_TEXT_NOW) {
        return tw_clock_read(data, size, &encoder->now)
                   ? TW_OK
                   : tw_encoder_fail(
                         encoder, TW_ERROR_ARGUMENT, NULL, 0,
                         "a time is written as 2026-11-25T12:00:00");
    }
    encoder->conversation.overrides = NULL;
    tw_encoder_reset(encoder);
    const int result = tw_tree_read(&encoder->settings, data, size, false);
    const tw_value *root = encoder->settings.root;
    if (result != TW_OK || root->kind != TW_VALUE_OBJECT) {
        return tw_encoder_fail(
            encoder, result != TW_OK ? result : TW_ERROR_JSON, NULL,
            encoder->settings.offset,
            result == TW_ERROR_MEMORY ? "no memory"
                                      : "the settings are not a JSON object");
    }
    encoder->conversation.overrides = root;
    return TW_OK;
}
