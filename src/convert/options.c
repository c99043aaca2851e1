/* SPDX-License-Identifier: MIT
 *
 * What a converter is told between two records.
 */
#include <string.h>

#include "convert/state.h"
#include "core/options.h"
#include "core/utf8.h"

/* ---- calls against their tools ------------------------------------------ */

/* The calls of the conversation fit their tools, or the code says why not. */
static int check_calls(void *context)
{
    tw_converter *converter = context;
    tw_validity *validity = &converter->validity;
    tw_recode *recode = converter->recode;
    converter->base = 0;
    const int result = tw_validity_check(validity, &recode->conversation,
                                         tw_converter_note, converter);
    if (result == TW_ERROR_DEVIATION) {
        const tw_error error = {result, (int32_t)validity->refused, 0,
                                tw_diagnostic_get(validity->refused)->text,
                                (const char *)validity->path.data};
        recode->error = error;
    } else if (result != TW_OK) {
        tw_recode_fail(recode, &(tw_error){result, 0, 0, "no memory", NULL},
                       NULL);
    }
    return result;
}

/* A decoder checks what it decodes against the tools that it was given: it
 * knows where that stands.  All else is looked at in conversations. */
static int set_validation(tw_converter *converter, uint32_t policy)
{
    tw_validity *validity = &converter->validity;
    tw_recode *recode = converter->recode;
    validity->validation.policy = policy;
    validity->skips_decoded = validity->given && converter->decoder != NULL;
    if (recode != NULL) {
        recode->check = policy != TW_VALIDATE_NO ? check_calls : NULL;
        recode->checker = converter;
    }
    if (converter->decoder == NULL) {
        return TW_OK;
    }
    const int result = tw_decoder_set(
        converter->decoder, TW_OPTION_VALIDATE,
        recode == NULL || validity->given ? policy : TW_VALIDATE_NO);
    return result != TW_OK ? tw_converter_decoder_failed(converter, result)
                           : TW_OK;
}

int tw_converter_set_tools(tw_converter *converter, const char *json,
                           size_t size)
{
    if (converter == NULL ||
        (converter->decoder == NULL && converter->recode == NULL) ||
        (json == NULL && size > 0)) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0, "no text");
    }
    tw_validity *validity = &converter->validity;
    const tw_value *where = NULL;
    int result = TW_OK;
    tw_validity_forget(validity);
    if (converter->decoder != NULL) {
        result = tw_decoder_set_tools(converter->decoder, json, size);
        if (result != TW_OK) {
            return tw_converter_decoder_failed(converter, result);
        }
    }
    result = tw_validity_set_tools(validity, json, size, &where);
    if (result != TW_OK) {
        return tw_converter_fail(converter, result,
                                 validity->validation.tools.offset,
                                 tw_tools_fault(result, where));
    }
    return set_validation(converter, validity->validation.policy);
}

/* ---- options and texts -------------------------------------------------- */

int tw_converter_set(tw_converter *converter, tw_option option, int64_t value)
{
    if (converter == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    const char *fault = tw_option_fault(option, value);
    if (fault != NULL) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0, fault);
    }
    if (option == TW_OPTION_VALIDATE) {
        return set_validation(converter, (uint32_t)value);
    }
    if (option == TW_OPTION_START_REASONING && converter->decoder != NULL) {
        converter->finds_start = value == TW_START_FIND;
        value = converter->finds_start ? 0 : value;
    }
    int result = converter->recode != NULL
                     ? tw_recode_set(converter->recode, option, value)
                     : TW_ERROR_ARGUMENT;
    if (result != TW_OK && converter->decoder != NULL) {
        result = tw_decoder_set(converter->decoder, option, value);
    }
    if (result != TW_OK && converter->writer != NULL) {
        tw_writer_reset(converter->writer);
        result = tw_writer_set(converter->writer, option, value);
    }
    if (result != TW_OK) {
        tw_converter_fail(converter, result, 0,
                          "the converter has no such option");
    } else if (option == TW_OPTION_STRICT) {
        converter->strict = value == 1;
    } else if (option == TW_OPTION_START_REASONING) {
        /* Of every record, where it is said. */
        converter->says_prompt = !converter->finds_start;
    } else if (option == TW_OPTION_FIRST_CALL) {
        converter->first_call = value;
    }
    return result;
}

static int set_writer_text(tw_converter *converter, tw_text text,
                           const char *data, size_t size)
{
    if (converter->writer == NULL) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0,
                                 "no such text");
    }
    tw_writer_reset(converter->writer);
    const int result = tw_writer_set_text(converter->writer, text, data, size);
    if (result != TW_OK) {
        tw_converter_fail(converter, result, 0,
                          result == TW_ERROR_MEMORY
                              ? "no memory"
                              : "no such text, or not such a value");
    }
    return result;
}

/* Where records of a format have what is said of their text. */
static int set_own(tw_converter *converter, tw_text text, const char *data,
                   size_t size)
{
    tw_buffer *place = text == TW_TEXT_PROMPT_FIELD ? &converter->prompt_field
                                                    : &converter->finish_field;
    if (converter->transcript.format == NULL) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0,
                                 "only records of a format have such a text");
    }
    *(text == TW_TEXT_PROMPT_FIELD ? &converter->says_prompt
                                   : &converter->says_finish) = true;
    place->size = 0;
    if (size > 0 && (!tw_buffer_append(place, &converter->memory, data, size) ||
                     !tw_buffer_append(place, &converter->memory, "", 1))) {
        place->size = 0;
        return tw_converter_no_memory(converter);
    }
    return TW_OK;
}

/* An empty path is none. */
static int set_path(tw_converter *converter, const char *data, size_t size)
{
    const tw_memory *memory = &converter->memory;
    tw_recode *recode = converter->recode;
    if (recode == NULL || recode->from == NULL || !recode->from->takes_path) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0,
                                 "only OpenAI's messages are read elsewhere");
    }
    converter->path.size = 0;
    recode->recoder.path = NULL;
    if (!tw_buffer_append(&converter->path, memory, data, size) ||
        !tw_buffer_append(&converter->path, memory, "", 1)) {
        return tw_converter_no_memory(converter);
    }
    recode->recoder.path =
        size > 0 ? (const char *)converter->path.data : NULL;
    return TW_OK;
}

/* Is the text a path, which is kept as a C string? */
static bool is_place(tw_text text)
{
    return text == TW_TEXT_FIELD || text == TW_TEXT_MESSAGES ||
           text == TW_TEXT_PROMPT_FIELD || text == TW_TEXT_FINISH_FIELD;
}

int tw_converter_set_text(tw_converter *converter, tw_text text,
                          const char *data, size_t size)
{
    if (converter == NULL || (data == NULL && size > 0) ||
        (size > 0 && !tw_utf8_is_valid(data, size)) ||
        (size > 0 && is_place(text) && memchr(data, '\0', size) != NULL)) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0,
                                 "no such text, or not such a value");
    }
    if ((text == TW_TEXT_CALL_ID_PREFIX || text == TW_TEXT_TOOL_CHOICE) &&
        converter->decoder != NULL) {
        const int result =
            tw_decoder_set_text(converter->decoder, text, data, size);
        return result != TW_OK ? tw_converter_decoder_failed(converter, result)
                               : TW_OK;
    }
    if (text == TW_TEXT_SETTINGS || text == TW_TEXT_NOW) {
        return tw_converter_set_prompts(converter, text, data, size);
    }
    if (text == TW_TEXT_MESSAGES) {
        return set_path(converter, data, size);
    }
    if (text == TW_TEXT_PROMPT_FIELD || text == TW_TEXT_FINISH_FIELD) {
        converter->error.path = NULL;
        return set_own(converter, text, data, size);
    }
    if (text != TW_TEXT_FIELD) {
        return set_writer_text(converter, text, data, size);
    }
    converter->error.path = NULL; /* it may point to the old field */
    return tw_converter_set_field(converter, data, size)
               ? TW_OK
               : tw_converter_no_memory(converter);
}

int tw_converter_set_prompt(tw_converter *converter, const char *tail,
                            size_t size)
{
    if (converter == NULL || (tail == NULL && size > 0)) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0, "no text");
    }
    tw_buffer *prompt = &converter->prompt;
    if (size > prompt->size &&
        !tw_buffer_reserve(prompt, &converter->memory, size - prompt->size)) {
        return tw_converter_no_memory(converter);
    }
    prompt->size = 0;
    tw_buffer_append(prompt, &converter->memory, tail, size); /* it fits */
    return TW_OK;
}

int tw_converter_set_finish(tw_converter *converter, tw_finish how)
{
    if (converter == NULL || (unsigned)how > TW_FINISH_LENGTH) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0,
                                 "no such finish");
    }
    converter->finish = how;
    return TW_OK;
}

int tw_converter_set_chunk(tw_converter *converter, size_t size)
{
    if (converter == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    converter->chunk = size;
    return TW_OK;
}
