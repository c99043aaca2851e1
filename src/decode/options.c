/* SPDX-License-Identifier: MIT
 *
 * What a decoder is told before the first byte: options, texts, tools.
 */
#include "core/options.h"
#include "core/utf8.h"
#include "decode/state.h"
#include "json/tree.h"
#include "messages/segments.h"

/* ---- options ------------------------------------------------------------ */

/* Is there what tools and the validation of arguments need?  Most decoders
 * need none. */
static bool can_validate(tw_decoder *decoder)
{
    if (decoder->validation == NULL) {
        decoder->validation =
            tw_memory_new(&decoder->memory, sizeof *decoder->validation);
        if (decoder->validation != NULL) {
            tw_validation_init(decoder->validation, &decoder->memory);
        }
    }
    return decoder->validation != NULL;
}

/* Framing says where a call that is text begins and ends. */
static void set_framing(tw_decoder *decoder, bool wanted)
{
    tw_choice *choice = decoder->choice;
    decoder->framing = decoder->sink.framing = wanted;
    if (choice != NULL) {
        choice->framing = wanted;
        decoder->sink.framing |= choice->kind == TW_CHOICE_NONE;
    }
}

/* A value in range.  NULL, or what is wrong. */
static const char *set_option(tw_decoder *decoder, tw_option option,
                              int64_t value)
{
    tw_sink *sink = &decoder->sink;
    tw_decode_options *options = &decoder->options;
    tw_limits *limits = &sink->limits;
    switch (option) {
    case TW_OPTION_STRICT: options->strict = sink->strict = value == 1; break;
    case TW_OPTION_START_REASONING:
        if (value == TW_START_FIND) {
            return "a decoder reads streams, which begin as they are told";
        }
        options->start_reasoning = value == 1;
        break;
    case TW_OPTION_CALLS_IN_REASONING:
        options->calls_in_reasoning = value == 1;
        break;
    case TW_OPTION_RECOVER_STRIPPED:
        if (value == 1 &&
            !decoder->format->family->decoding->can_recover_stripped) {
            return "the format cannot be read without its markers";
        }
        options->recover_stripped = value == 1;
        break;
    case TW_OPTION_KEEP_RAW: sink->keep_raw = value == 1; break;
    case TW_OPTION_FRAMING: set_framing(decoder, value == 1); break;
    case TW_OPTION_FIRST_CALL: sink->first_call = (uint64_t)value; break;
    case TW_OPTION_UNTYPED:
        options->untyped_json = value == TW_UNTYPED_JSON;
        break;
    case TW_OPTION_VALIDATE:
        return tw_validation_set_policy(decoder->validation, (uint32_t)value);
    case TW_OPTION_LIMIT_DEPTH: limits->depth = (size_t)value; break;
    case TW_OPTION_LIMIT_NAME: limits->name = (size_t)value; break;
    case TW_OPTION_LIMIT_ARGUMENTS: limits->arguments = (size_t)value; break;
    case TW_OPTION_LIMIT_CALLS: limits->calls = (size_t)value; break;
    case TW_OPTION_LIMIT_INPUT: limits->input = (uint64_t)value; break;
    default: return "decoders have no such option";
    }
    return NULL;
}

int tw_decoder_set(tw_decoder *decoder, tw_option option, int64_t value)
{
    if (decoder == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    if (decoder->phase != FRESH || decoder->primed) {
        return tw_decoder_refuse_late(decoder);
    }
    const char *fault = tw_option_fault(option, value);
    if (fault == NULL && option == TW_OPTION_VALIDATE &&
        !can_validate(decoder)) {
        return tw_decoder_refuse(decoder, TW_ERROR_MEMORY, "no memory");
    }
    if (fault == NULL) {
        fault = set_option(decoder, option, value);
    }
    if (fault != NULL) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT, fault);
    }
    return TW_OK;
}

static int set_prefix(tw_decoder *decoder, const char *data, size_t size)
{
    tw_buffer prefix = {0};
    if (!tw_buffer_append(&prefix, &decoder->memory, data, size)) {
        return tw_decoder_refuse(decoder, TW_ERROR_MEMORY, "no memory");
    }
    tw_buffer_free(&decoder->sink.id_prefix, &decoder->memory);
    decoder->sink.id_prefix = prefix;
    return TW_OK;
}

static int set_choice(tw_decoder *decoder, const char *data, size_t size)
{
    const tw_format *format = decoder->format;
    bool failed;
    tw_choice_free(decoder->choice);
    decoder->choice =
        tw_choice_new(&decoder->memory, format->markers, *format->marker_count,
                      data, size, &failed);
    set_framing(decoder, decoder->framing);
    return failed ? tw_decoder_refuse(decoder, TW_ERROR_MEMORY, "no memory")
                  : TW_OK;
}

int tw_decoder_set_text(tw_decoder *decoder, tw_text text, const char *data,
                        size_t size)
{
    if (decoder == NULL ||
        (text != TW_TEXT_CALL_ID_PREFIX && text != TW_TEXT_TOOL_CHOICE)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT,
                                 "decoders have no such text");
    }
    if ((data == NULL && size > 0) || !tw_utf8_is_valid(data, size)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT,
                                 "the text is not UTF-8");
    }
    if (text == TW_TEXT_TOOL_CHOICE && size > 0 && data[0] == '{') {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT,
                                 "of an object the name of its tool is wanted "
                                 "alone");
    }
    if (decoder->phase != FRESH) {
        return tw_decoder_refuse_late(decoder);
    }
    return text == TW_TEXT_TOOL_CHOICE ? set_choice(decoder, data, size)
                                       : set_prefix(decoder, data, size);
}

/* ---- tools -------------------------------------------------------------- */

/* As an encoder's path of a request names the place. */
static const char *path_of(tw_decoder *decoder, const tw_value *where)
{
    static const char list[] = "tools";
    tw_buffer *path = &decoder->path;
    const tw_memory *memory = &decoder->memory;
    path->size = 0;
    return tw_buffer_append(path, memory, list, sizeof list - 1) &&
                   tw_value_path(path, memory, where) &&
                   tw_buffer_append(path, memory, "", 1)
               ? (const char *)path->data
               : NULL;
}

static int refuse_tools(tw_decoder *decoder, const tw_tree *tree, int result,
                        const tw_value *where)
{
    tw_decoder_refuse(decoder, result, tw_tools_fault(result, where));
    if (result == TW_ERROR_JSON) {
        decoder->refusal.offset = tree->offset;
    } else if (result == TW_ERROR_SCHEMA) {
        decoder->refusal.path = path_of(decoder, where);
    }
    return result;
}

int tw_decoder_set_tools(tw_decoder *decoder, const char *json, size_t size)
{
    if (decoder == NULL || (json == NULL && size > 0)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT, "no text");
    }
    if (decoder->phase != FRESH) {
        return tw_decoder_refuse_late(decoder);
    }
    decoder->sink.tools = NULL;
    if (decoder->validation != NULL) {
        tw_validation_set_tools(decoder->validation, NULL, 0, NULL);
    }
    if (json == NULL) {
        return TW_OK;
    }
    if (!can_validate(decoder)) {
        return tw_decoder_refuse(decoder, TW_ERROR_MEMORY, "no memory");
    }
    const tw_value *where = NULL;
    const int result =
        tw_validation_set_tools(decoder->validation, json, size, &where);
    if (result == TW_OK) {
        decoder->sink.tools = &decoder->validation->names;
        return TW_OK;
    }
    refuse_tools(decoder, &decoder->validation->tools, result, where);
    tw_validation_set_tools(decoder->validation, NULL, 0, NULL);
    return result;
}
