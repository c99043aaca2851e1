/* SPDX-License-Identifier: MIT
 *
 * What a decoder is told before the first byte: options, texts, tools.
 */
#include "core/utf8.h"
#include "decoder_state.h"
#include "json/tree.h"

/* ---- options ------------------------------------------------------------ */

static bool in_range(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static bool set_flag(bool *flag, int64_t value)
{
    if (!in_range(value, 0, 1)) {
        return false;
    }
    *flag = value == 1;
    return true;
}

static bool set_number(uint64_t *number, int64_t value, int64_t most)
{
    if (!in_range(value, 0, most)) {
        return false;
    }
    *number = (uint64_t)value;
    return true;
}

static bool set_size(size_t *size, int64_t value, int64_t most)
{
    if (!in_range(value, 1, most)) {
        return false;
    }
    *size = (size_t)value;
    return true;
}

static bool set_option(tw_decoder *decoder, tw_option option, int64_t value)
{
    tw_sink *sink = &decoder->sink;
    tw_decode_options *options = &decoder->options;
    const int64_t most = (int64_t)1 << 40;
    switch (option) {
    case TW_OPTION_STRICT:
        return set_flag(&options->strict, value) &&
               set_flag(&sink->strict, value);
    case TW_OPTION_START_REASONING:
        return set_flag(&options->start_reasoning, value);
    case TW_OPTION_CALLS_IN_REASONING:
        return set_flag(&options->calls_in_reasoning, value);
    case TW_OPTION_RECOVER_STRIPPED:
        return (decoder->format->family->can_recover_stripped || value == 0) &&
               set_flag(&options->recover_stripped, value);
    case TW_OPTION_KEEP_RAW: return set_flag(&sink->keep_raw, value);
    case TW_OPTION_FRAMING: return set_flag(&sink->framing, value);
    case TW_OPTION_FIRST_CALL:
        return set_number(&sink->first_call, value, most);
    case TW_OPTION_LIMIT_DEPTH:
        return set_size(&sink->limits.depth, value, 10000);
    case TW_OPTION_LIMIT_NAME:
        return set_size(&sink->limits.name, value, 1000);
    case TW_OPTION_LIMIT_ARGUMENTS:
        return set_size(&sink->limits.arguments, value, most);
    case TW_OPTION_LIMIT_CALLS:
        return set_size(&sink->limits.calls, value, UINT32_MAX - 1);
    case TW_OPTION_LIMIT_INPUT:
        return set_number(&sink->limits.input, value, INT64_MAX);
    default: return false;
    }
}

int tw_decoder_set(tw_decoder *decoder, tw_option option, int64_t value)
{
    if (decoder == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    if (decoder->phase != FRESH || decoder->primed) {
        return tw_decoder_refuse(decoder, TW_ERROR_STATE,
                                 "something was fed already");
    }
    if (!set_option(decoder, option, value)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT,
                                 "no such option, or not such a value");
    }
    decoder->format->family->reset(decoder->state, &decoder->options);
    return TW_OK;
}

int tw_decoder_set_text(tw_decoder *decoder, tw_text text, const char *data,
                        size_t size)
{
    if (decoder == NULL || text != TW_TEXT_CALL_ID_PREFIX ||
        (data == NULL && size > 0) || !tw_utf8_is_valid(data, size)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT, "no such text");
    }
    if (decoder->phase != FRESH) {
        return tw_decoder_refuse(decoder, TW_ERROR_STATE,
                                 "something was fed already");
    }
    tw_buffer prefix = {0};
    if (!tw_buffer_append(&prefix, &decoder->memory, data, size)) {
        return tw_decoder_refuse(decoder, TW_ERROR_MEMORY, "no memory");
    }
    tw_buffer_free(&decoder->sink.id_prefix, &decoder->memory);
    decoder->sink.id_prefix = prefix;
    return TW_OK;
}

/* ---- tools -------------------------------------------------------------- */

/* A tool is a name, a function with a name, or an OpenAI tool around one. */
static const tw_value *tool_name(const tw_value *tool)
{
    const tw_value *function = tw_value_member(tool, "function");
    const tw_value *custom = tw_value_member(tool, "custom");
    const tw_value *holder = function != NULL ? function
                             : custom != NULL ? custom
                                              : tool;
    const tw_value *name =
        tool->kind == TW_VALUE_STRING ? tool : tw_value_member(holder, "name");
    return name != NULL && name->kind == TW_VALUE_STRING ? name : NULL;
}

static int add_tool(tw_decoder *decoder, const tw_value *name)
{
    tw_sink *sink = &decoder->sink;
    const tw_name stored = {(const char *)(uintptr_t)sink->tool_text.size,
                            name->size};
    if (!tw_buffer_append(&sink->tool_text, &decoder->memory, name->text,
                          name->size) ||
        !tw_buffer_append(&sink->tools, &decoder->memory, &stored,
                          sizeof stored)) {
        return TW_ERROR_MEMORY;
    }
    return TW_OK;
}

static int add_tools(tw_decoder *decoder, const tw_value *list)
{
    if (list->kind != TW_VALUE_ARRAY) {
        return TW_ERROR_SCHEMA;
    }
    for (const tw_value *tool = list->first; tool != NULL; tool = tool->next) {
        const tw_value *name = tool_name(tool);
        const int added =
            name != NULL ? add_tool(decoder, name) : TW_ERROR_SCHEMA;
        if (added != TW_OK) {
            return added;
        }
    }
    return TW_OK;
}

int tw_decoder_set_tools(tw_decoder *decoder, const char *json, size_t size)
{
    if (decoder == NULL || (json == NULL && size > 0)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT, "no text");
    }
    if (decoder->phase != FRESH) {
        return tw_decoder_refuse(decoder, TW_ERROR_STATE,
                                 "something was fed already");
    }
    tw_sink *sink = &decoder->sink;
    sink->tools.size = sink->tool_text.size = 0;
    sink->has_tools = json != NULL;
    if (json == NULL) {
        return TW_OK;
    }
    tw_tree tree;
    tw_tree_init(&tree, &decoder->memory);
    int result = tw_tree_read(&tree, json, size, false);
    if (result == TW_OK) {
        result = add_tools(decoder, tree.root);
    }
    const uint64_t offset = tree.offset;
    tw_tree_free(&tree);
    if (result == TW_OK) {
        return TW_OK;
    }
    sink->has_tools = false;
    tw_decoder_refuse(decoder, result,
                      result == TW_ERROR_JSON ? "the tools are not JSON"
                      : result == TW_ERROR_SCHEMA
                          ? "the tools are no list of tools"
                          : "no memory");
    decoder->refusal.offset = offset;
    return result;
}
