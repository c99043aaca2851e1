/* SPDX-License-Identifier: MIT
 *
 * A format that comes from a description at run time: it is loaded, and its
 * example decoded.
 */
#include <string.h>

#include "core/memory.h"
#include "formats/format.h"

typedef struct loaded_format {
    tw_format format; /* what callers have stands first */
    tw_loaded loaded;
    tw_memory memory;
} loaded_format;

static int fail(tw_format_error *error, int32_t code, const char *first,
                const char *second)
{
    const char *const texts[] = {first, second};
    size_t used = 0;
    error->code = code;
    for (size_t i = 0; i < 2; i++) {
        const size_t left = sizeof error->message - 1 - used;
        const size_t size = strlen(texts[i]);
        memcpy(error->message + used, texts[i], size < left ? size : left);
        used += size < left ? size : left;
    }
    error->message[used] = 0;
    return code;
}

/* ---- the example -------------------------------------------------------- */

typedef struct example {
    size_t calls;
    const tw_diagnostic *bad; /* the first thing that is not canonical */
    uint64_t offset;
} example;

static void look_at(example *seen, const tw_event *event)
{
    const tw_diagnostic *found =
        event->type == TW_EVENT_DIAGNOSTIC || event->type == TW_EVENT_UNPARSED
            ? tw_diagnostic_get(event->code)
            : NULL;
    seen->calls +=
        event->type == TW_EVENT_CALL_END && event->code == TW_CALL_COMPLETE;
    if (found != NULL && found->warning == 0 && seen->bad == NULL) {
        seen->bad = found;
        seen->offset = event->offset;
    }
}

static int drain(tw_decoder *decoder, example *seen)
{
    const tw_event *event;
    int result;
    while ((result = tw_decoder_next(decoder, &event)) == 1) {
        look_at(seen, event);
    }
    return result;
}

static int decode(tw_decoder *decoder, const char *text, example *seen)
{
    int result = tw_decoder_feed(decoder, text, strlen(text), TW_MARK_UNKNOWN);
    if (result == TW_OK) {
        result = drain(decoder, seen);
    }
    if (result == TW_OK) {
        result = tw_decoder_finish(decoder, TW_FINISH_STOP);
    }
    return result == TW_OK ? drain(decoder, seen) : result;
}

/* No call is read in the example: which marker opened none? */
static int fail_as_text(const loaded_format *made, const char *text,
                        tw_format_error *error)
{
    const tw_patterns *calls = &made->loaded.description.call;
    for (size_t i = 0; i < calls->count; i++) {
        const tw_part *open = tw_pattern_open(&calls->all[i]);
        const char *at = open != NULL ? strstr(text, open->text) : NULL;
        if (at != NULL) {
            error->offset = (uint64_t)(at - text);
            return fail(error, TW_ERROR_SCHEMA,
                        "example: no call is read in it: what stands behind "
                        "this marker is not as in call: ",
                        open->text);
        }
    }
    return fail(error, TW_ERROR_SCHEMA,
                "example: no call is read in it: no marker of call stands "
                "there",
                "");
}

/* The example of a description is text as the model writes it, with a call. */
static int check_example(const loaded_format *made, tw_format_error *error)
{
    const char *text = made->loaded.description.example;
    example seen = {0, NULL, 0};
    if (text[0] == 0) {
        return TW_OK;
    }
    tw_decoder *decoder = tw_decoder_new(&made->format, &made->memory);
    if (decoder == NULL) {
        return fail(error, TW_ERROR_MEMORY, "no memory", "");
    }
    const int result = decode(decoder, text, &seen);
    tw_decoder_free(decoder);
    if (result != TW_OK) {
        return fail(error, result, "example: no memory", "");
    }
    error->offset = seen.offset;
    if (seen.bad != NULL) {
        return fail(error, TW_ERROR_SCHEMA,
                    "example: not canonical: ", seen.bad->text);
    }
    return seen.calls > 0 ? TW_OK : fail_as_text(made, text, error);
}

/* ---- life --------------------------------------------------------------- */

static void fill(tw_format *format, const tw_description *d)
{
    format->name = d->name[0] != 0 ? d->name : "unnamed";
    format->alias = d->alias[0] != 0 ? d->alias : NULL;
    format->about = d->about;
    format->family = &tw_frame_family;
    format->markers = d->public_markers;
    format->marker_count = &d->public_count;
    format->turn_heads = d->turns;
    format->call_heads = d->heads;
    format->loaded = true;
    format->description = d;
}

int tw_format_load(const char *json, size_t size,
                   const tw_allocator *allocator, tw_format **format,
                   tw_format_error *error)
{
    tw_format_error unwanted;
    error = error != NULL ? error : &unwanted;
    memset(error, 0, sizeof *error);
    if (format == NULL || (json == NULL && size > 0)) {
        return fail(error, TW_ERROR_ARGUMENT, "no document, or no place for ",
                    "the format");
    }
    *format = NULL;
    const tw_memory memory = tw_memory_from(allocator);
    loaded_format *made = tw_memory_new(&memory, sizeof *made);
    if (made == NULL) {
        return fail(error, TW_ERROR_MEMORY, "no memory", "");
    }
    tw_loaded *loaded = &made->loaded;
    made->memory = memory;
    if (tw_description_load(loaded, &made->memory, json, size) != TW_OK) {
        error->offset = loaded->error == TW_ERROR_JSON ? loaded->offset : 0;
        fail(error, loaded->error,
             loaded->error == TW_ERROR_MEMORY ? "no memory" : loaded->message,
             "");
    } else {
        fill(&made->format, &loaded->description);
        check_example(made, error);
    }
    if (error->code == TW_OK) {
        *format = &made->format;
    } else {
        made->format.loaded = true;
        tw_format_free(&made->format);
    }
    return error->code;
}

void tw_format_free(tw_format *format)
{
    if (format == NULL || !format->loaded) {
        return;
    }
    loaded_format *made = (loaded_format *)(void *)format;
    const tw_memory memory = made->memory;
    tw_description_free(&made->loaded);
    tw_memory_free(&memory, made, sizeof *made);
}
