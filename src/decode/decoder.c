/* SPDX-License-Identifier: MIT
 *
 * The front door of decoding: window, format and sink put together.
 */
#include <string.h>

#include "core/options.h"
#include "core/skip.h"
#include "decode/state.h"
#include "decode/turn.h"

/* How much of a prompt's end is looked at. */
enum { PROMPT_SIZE = 64 * 1024 };

/* What is looked at byte by byte for a steady state: what a token brings. */
enum { STEADY_SIZE = 32 };

/* Kept out of its caller, whose usual way then saves no registers: without it
 * a token in a string costs up to a fifth more instructions. */
#define APART __attribute__((noinline))

tw_decoder *tw_decoder_new(const tw_format *format,
                           const tw_allocator *allocator)
{
    const tw_memory memory = tw_memory_from(allocator);
    if (format == NULL) {
        return NULL;
    }
    tw_decoder *decoder = tw_memory_new(&memory, sizeof *decoder);
    if (decoder == NULL) {
        return NULL;
    }
    decoder->memory = memory;
    decoder->format = format;
    tw_window_init(&decoder->window, &decoder->memory);
    tw_sink_init(&decoder->sink, &decoder->memory, &decoder->window);
    const tw_limits limits = {128, TW_NAME_SIZE, 16 << 20, 1024, 0};
    decoder->sink.limits = limits;
    decoder->options.calls_in_reasoning = true;
    decoder->state = format->family->decoding->create(
        &decoder->memory, format, &decoder->window, &decoder->sink);
    if (decoder->state == NULL) {
        tw_decoder_free(decoder);
        return NULL;
    }
    tw_decoder_reset(decoder);
    return decoder;
}

void tw_decoder_free(tw_decoder *decoder)
{
    if (decoder == NULL) {
        return;
    }
    const tw_memory memory = decoder->memory;
    decoder->format->family->decoding->destroy(decoder->state);
    tw_sink_free(&decoder->sink);
    if (decoder->validation != NULL) {
        tw_validation_free(decoder->validation);
        tw_memory_free(&memory, decoder->validation,
                       sizeof *decoder->validation);
    }
    tw_choice_free(decoder->choice);
    tw_window_free(&decoder->window);
    tw_buffer_free(&decoder->path, &memory);
    tw_memory_free(&memory, decoder, sizeof *decoder);
}

void tw_decoder_reset(tw_decoder *decoder)
{
    if (decoder == NULL) {
        return;
    }
    tw_window_reset(&decoder->window);
    tw_sink_reset(&decoder->sink);
    tw_watch_reset(&decoder->watch);
    tw_leading_reset(&decoder->leading);
    if (decoder->validation != NULL) {
        tw_validation_reset(decoder->validation);
    }
    if (decoder->choice != NULL) {
        tw_choice_reset(decoder->choice);
    }
    decoder->phase = FRESH;
    decoder->started = decoder->warned = false;
    decoder->pending = decoder->primed = decoder->too_long = false;
    decoder->drained = false;
    decoder->run_class = 0;
    decoder->fed = 0;
    decoder->last = &decoder->sink.error;
}

const tw_error *tw_decoder_error(const tw_decoder *decoder)
{
    static const tw_error none = {TW_OK, 0, 0,
                                  "NULL is no decoder: of a format that is "
                                  "NULL there is none",
                                  NULL};
    return decoder != NULL ? decoder->last : &none;
}

int tw_decoder_refuse(tw_decoder *decoder, int32_t code, const char *message)
{
    if (decoder != NULL) {
        const tw_error error = {code, 0, decoder->fed, message, NULL};
        decoder->refusal = error;
        decoder->last = &decoder->refusal;
    }
    return code;
}

int tw_decoder_refuse_late(tw_decoder *decoder)
{
    return tw_decoder_refuse(decoder, TW_ERROR_STATE,
                             decoder->phase == FRESH
                                 ? "a prompt was given already: set this "
                                   "before, or behind a reset"
                                 : "something was fed already: set this "
                                   "before, or behind a reset");
}

static int sticking(tw_decoder *decoder)
{
    decoder->last = &decoder->sink.error;
    return decoder->sink.error.code;
}

static int no_memory(tw_decoder *decoder)
{
    tw_sink_fail(&decoder->sink, TW_ERROR_MEMORY, decoder->fed, "no memory");
    return sticking(decoder);
}

/* ---- input -------------------------------------------------------------- */

static bool is_marker(const tw_format *format, const char *data, size_t size)
{
    for (size_t i = 0; i < *format->marker_count; i++) {
        if (data != NULL && format->markers[i].size == size &&
            memcmp(format->markers[i].text, data, size) == 0) {
            return true;
        }
    }
    return false;
}

/* The format begins a message, as the options are now. */
static void start(tw_decoder *decoder)
{
    if (!decoder->started) {
        decoder->format->family->decoding->reset(decoder->state,
                                                 &decoder->options);
        decoder->started = true;
    }
}

/* No bytes and no end are taken in this state. */
APART static int refuse_now(tw_decoder *decoder, const char *finished)
{
    return tw_decoder_refuse(decoder, TW_ERROR_STATE,
                             decoder->pending
                                 ? "the events of the last bytes were not all "
                                   "taken: ask for the next until there is "
                                   "none"
                                 : finished);
}

APART static int feed(tw_decoder *decoder, const char *data, size_t size,
                      tw_mark mark)
{
    if (decoder == NULL || (data == NULL && size > 0) ||
        mark > TW_MARK_CONTROL) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT,
                                 "the text is missing or the mark is unknown");
    }
    decoder->run_class = 0;
    if (decoder->sink.error.code != TW_OK) {
        return sticking(decoder);
    }
    if (decoder->pending || decoder->phase >= FINISHED) {
        return refuse_now(decoder,
                          "the output is finished: reset for the next");
    }
    if (mark == TW_MARK_CONTROL && !is_marker(decoder->format, data, size)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT,
                                 "not exactly one marker of the format");
    }
    start(decoder);
    decoder->phase = FEEDING;
    const uint64_t limit = decoder->sink.limits.input;
    if (limit > 0 && size > limit - decoder->fed) {
        size = (size_t)(limit - decoder->fed);
        decoder->too_long = true; /* said when what fits is decoded */
    }
    if ((decoder->choice != NULL &&
         !tw_choice_feed(decoder->choice, data, size)) ||
        !tw_window_feed(&decoder->window, (const uint8_t *)data, size, mark)) {
        return no_memory(decoder);
    }
    if (mark != TW_MARK_UNKNOWN && size > 0 &&
        decoder->window.marked_at == UINT64_MAX) {
        decoder->window.marked_at = decoder->sink.prompt + decoder->fed;
    }
    if (mark == TW_MARK_CONTROL) {
        decoder->window.control_at = decoder->sink.prompt + decoder->fed;
    }
    decoder->fed += size;
    decoder->pending = true;
    return TW_OK;
}

/* Nothing is to be said but that the bytes are there. */
static inline bool may_feed_steadily(const tw_decoder *decoder,
                                     const char *data, size_t size,
                                     tw_mark mark)
{
    return decoder != NULL && decoder->run_class != 0 && !decoder->pending &&
           data != NULL && size > 0 && mark == decoder->window.mark;
}

int tw_decoder_feed(tw_decoder *decoder, const char *data, size_t size,
                    tw_mark mark)
{
    if (may_feed_steadily(decoder, data, size, mark)) {
        tw_window_show(&decoder->window, (const uint8_t *)data, size);
        decoder->fed += size;
        decoder->pending = true;
        return TW_OK;
    }
    return feed(decoder, data, size, mark);
}

int tw_decoder_finish(tw_decoder *decoder, tw_finish finish)
{
    if (decoder == NULL || (unsigned)finish > TW_FINISH_LENGTH) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT, "no such finish");
    }
    if (decoder->sink.error.code != TW_OK) {
        return sticking(decoder);
    }
    if (decoder->pending || decoder->phase >= FINISHED) {
        return refuse_now(decoder,
                          "the output is finished already: reset for the "
                          "next");
    }
    start(decoder);
    decoder->phase = FINISHED;
    decoder->run_class = 0;
    decoder->window.finished = true;
    decoder->window.stops = finish != TW_FINISH_LENGTH;
    decoder->window.says_stop = finish == TW_FINISH_STOP;
    decoder->pending = true;
    decoder->finish = finish;
    return TW_OK;
}

/* ---- prompt ------------------------------------------------------------- */

/* The prompt, whose last turn of the model's is |text|, was read: it is over,
 * or another one begins in it, or it has |none| of the format. */
static bool is_elsewhere(const tw_decoder *decoder, const char *text,
                         size_t size, bool none)
{
    const tw_stand stand =
        decoder->format->family->decoding->stand(decoder->state);
    return stand == TW_STAND_ENDED ||
           (stand == TW_STAND_TEXT &&
            ((none && decoder->format->turn_heads[0] != NULL) ||
             tw_has_turn(decoder->format, text, size)));
}

/* What the model writes is kept, whoever's turn it was. */
static int begin_anew(tw_decoder *decoder)
{
    tw_decoder_reset(decoder);
    start(decoder);
    decoder->primed = true;
    tw_sink_diagnostic(&decoder->sink, TW_DIAGNOSTIC_NO_GENERATION_PROMPT, 0);
    return sticking(decoder);
}

int tw_decoder_set_prompt(tw_decoder *decoder, const char *tail, size_t size)
{
    if (decoder == NULL || (tail == NULL && size > 0)) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT, "no text");
    }
    if (decoder->phase != FRESH || decoder->primed) {
        return tw_decoder_refuse_late(decoder);
    }
    if (size > PROMPT_SIZE) {
        tail += size - PROMPT_SIZE;
        size = PROMPT_SIZE;
    }
    const char *turn = tw_turn_begin(decoder->format, tail, size);
    const char *begin = turn != NULL ? turn : tail;
    size -= (size_t)(begin - tail);
    tw_sink *sink = &decoder->sink;
    const tw_event *event;
    decoder->primed = true;
    start(decoder);
    sink->prompt = size;
    sink->replaying = true;
    if (!tw_window_feed(&decoder->window, (const uint8_t *)begin, size,
                        TW_MARK_UNKNOWN)) {
        return no_memory(decoder);
    }
    decoder->pending = true;
    const int result = tw_decoder_next(decoder, &event);
    if (result >= 0 &&
        is_elsewhere(decoder, begin, size, size > 0 && turn == NULL)) {
        return begin_anew(decoder);
    }
    tw_sink_end_replay(sink);
    return result < 0 ? result : TW_OK;
}

/* ---- output ------------------------------------------------------------- */

APART static void lead(tw_decoder *decoder, const tw_event *event)
{
    tw_leading_text(&decoder->leading, decoder->sink.tools, event);
}

/* Content in front of the window goes out without a queue.  Text that goes
 * this way begins no marker of any format (tw_skip_prose()): the watch need
 * not see it. */
static inline bool pass(tw_decoder *decoder)
{
    tw_window *window = &decoder->window;
    tw_advanced *way = &decoder->way;
    way->data = NULL;
    way->starved = way->escapes = false;
    way->run_class = way->run_lowest = decoder->run_class = 0;
    if (window->eof || window->at == window->limit || decoder->options.slow ||
        tw_watch_waits(&decoder->watch) ||
        !tw_sink_may_advance(&decoder->sink)) {
        return false;
    }
    const uint8_t *to =
        decoder->format->family->decoding->advance(decoder->state, way);
    const size_t span = (size_t)(to - window->at);
    if (span == 0) {
        return false;
    }
    const bool same = way->data == NULL;
    tw_sink_advanced(&decoder->sink, &decoder->passed, way->type, way->index,
                     same ? window->at : way->data, same ? span : way->size,
                     span);
    const bool leads =
        way->type == TW_EVENT_TEXT && tw_leading_waits(&decoder->leading);
    if (leads) {
        lead(decoder, &decoder->passed);
    }
    tw_window_skip(window, span);
    tw_window_settle(window);
    decoder->drained = tw_window_is_drained(window) && !window->finished &&
                       !decoder->too_long && !tw_decoder_validates(decoder);
    if (decoder->drained && decoder->sink.limits.input == 0 &&
        (decoder->choice == NULL || decoder->choice->kind != TW_CHOICE_NONE) &&
        !tw_watch_waits(&decoder->watch) && !leads) {
        decoder->run_class = way->run_class;
    }
    return true;
}

static inline bool is_steady(const tw_decoder *decoder, const uint8_t *at,
                             const uint8_t *limit)
{
    return tw_all_plain(at, limit, decoder->run_class) ||
           (decoder->way.escapes &&
            tw_all_escaped(at, limit, decoder->run_class));
}

/* Passes a token in a steady state, without a look at the format. */
static inline bool pass_steadily(tw_decoder *decoder)
{
    tw_window *window = &decoder->window;
    tw_sink *sink = &decoder->sink;
    tw_event *event = &decoder->passed; /* like the last one */
    const size_t size = tw_window_size(window);
    const bool call = event->type == TW_EVENT_CALL_ARGUMENTS;
    if (size > STEADY_SIZE || (call && size > tw_sink_arguments_left(sink)) ||
        window->limit[-1] < decoder->way.run_lowest ||
        !is_steady(decoder, window->at, window->limit)) {
        return false;
    }
    tw_sink_advanced(sink, event, (tw_event_type)event->type, event->index,
                     window->at, size, size);
    tw_window_pass(window);
    decoder->drained = true;
    return true;
}

APART static int record_passed(tw_decoder *decoder)
{
    const tw_event *event = &decoder->passed;
    tw_window_copy_record(&decoder->window, (const uint8_t *)event->data,
                          event->size);
    return 1;
}

static const tw_event *take(tw_decoder *decoder)
{
    const tw_event *event = tw_sink_take(&decoder->sink);
    const tw_tools *tools = decoder->sink.tools;
    if (event->type == TW_EVENT_TEXT) {
        lead(decoder, event);
        tw_watch_text(&decoder->watch, decoder->format, tools, event);
    } else if (event->type != TW_EVENT_DIAGNOSTIC) {
        tw_watch_end(&decoder->watch, decoder->format, tools);
        tw_leading_other(&decoder->leading, tools, event);
    }
    return event;
}

/* Steps until there is an event (1), an error, or nothing more to do (0). */
static int run(tw_decoder *decoder, const tw_event **event)
{
    tw_window *window = &decoder->window;
    tw_sink *sink = &decoder->sink;
    const tw_decoding *decoding = decoder->format->family->decoding;
    do {
        if (sink->error.code != TW_OK) {
            return sticking(decoder);
        }
        tw_window_settle(window);
        if (pass(decoder)) {
            *event = &decoder->passed;
            return 1;
        }
        if (sink->error.code != TW_OK) {
            return sticking(decoder);
        }
        const tw_step step = decoder->way.starved
                                 ? TW_STEP_MORE
                                 : decoding->step(decoder->state);
        if (step == TW_STEP_DONE && !tw_sink_has_events(sink)) {
            return sink->error.code != TW_OK ? sticking(decoder) : 0;
        }
        if (step == TW_STEP_MORE && !tw_sink_has_events(sink)) {
            const int extended = tw_window_extend(window);
            if (extended < 0) {
                return no_memory(decoder);
            }
            if (extended == 0) {
                return sink->error.code != TW_OK ? sticking(decoder) : 0;
            }
        }
    } while (!tw_sink_has_events(sink));
    *event = take(decoder);
    return 1;
}

/* May the format's marker in text, |at|, be one?  What the caller marked as
 * text is none. */
static bool may_be_meant(const tw_decoder *decoder, const tw_marker *marker,
                         uint64_t at)
{
    return marker->literal == 1 ||
           decoder->window.marked_at >=
               decoder->sink.prompt + at + marker->size;
}

/* Where a marker closed reasoning that nothing had opened, or that had been
 * closed, as text or not; UINT64_MAX: nowhere. */
static uint64_t orphan_at(const tw_decoder *decoder)
{
    const tw_sink *sink = &decoder->sink;
    const tw_watch *watch = &decoder->watch;
    const tw_marker *close = watch->close;
    uint64_t at =
        sink->orphan_at < sink->reasoning_at ? sink->orphan_at : UINT64_MAX;
    if (close != NULL && may_be_meant(decoder, close, watch->close_at) &&
        sink->prompt + watch->close_at < at) {
        at = sink->prompt + watch->close_at;
    }
    const uint64_t opened = watch->open_at != UINT64_MAX
                                ? sink->prompt + watch->open_at
                                : UINT64_MAX;
    return at < opened ? at : UINT64_MAX;
}

/* Behind all of a message: what only its end tells, or says once. */
static void warn(tw_decoder *decoder)
{
    tw_sink *sink = &decoder->sink;
    const tw_format *foreign = decoder->watch.foreign;
    const uint64_t orphan = orphan_at(decoder);
    decoder->warned = true;
    tw_watch_end(&decoder->watch, decoder->format, sink->tools);
    if (orphan != UINT64_MAX) {
        tw_sink_diagnostic(sink, TW_DIAGNOSTIC_ORPHAN_REASONING_CLOSE, orphan);
    }
    if (foreign != NULL) {
        tw_sink_named(sink, TW_DIAGNOSTIC_FOREIGN_MARKER,
                      sink->prompt + decoder->watch.foreign_at,
                      foreign->alias != NULL ? foreign->alias : foreign->name);
    }
    const tw_watch *watch = &decoder->watch;
    if (watch->like_at != UINT64_MAX &&
        may_be_meant(decoder, watch->like, watch->like_at)) {
        tw_sink_diagnostic(sink, TW_DIAGNOSTIC_CALL_LIKE_TEXT,
                           sink->prompt + watch->like_at);
    } else if (foreign == NULL && decoder->window.marked_at == UINT64_MAX &&
               tw_leading_end(&decoder->leading, sink->tools)) {
        tw_sink_diagnostic(sink, TW_DIAGNOSTIC_CALL_LIKE_TEXT,
                           sink->prompt + decoder->leading.at);
    }
}

/* The queue, and steps. */
APART static int next_seen(tw_decoder *decoder, const tw_event **event)
{
    tw_sink *sink = &decoder->sink;
    if (tw_sink_has_events(sink)) {
        *event = take(decoder);
        return 1;
    }
    if (!decoder->pending) {
        return sink->error.code != TW_OK ? sticking(decoder) : 0;
    }
    int result = run(decoder, event);
    if (result == 1) {
        return 1;
    }
    if (result == 0 && decoder->phase == FINISHED && !decoder->too_long &&
        !decoder->warned) {
        warn(decoder);
        if (tw_sink_has_events(sink)) {
            *event = take(decoder);
            return 1;
        }
        result = sticking(decoder);
    }
    if (result == 0 && decoder->phase == FINISHED && !decoder->too_long) {
        decoder->phase = ENDED;
        memset(&decoder->end, 0, sizeof decoder->end);
        decoder->end.type = TW_EVENT_END;
        decoder->end.index = TW_NO_INDEX;
        decoder->end.code = decoder->finish;
        decoder->end.offset = decoder->fed;
        *event = &decoder->end;
        decoder->pending = false;
        return 1;
    }
    if (result == 0 && decoder->too_long) {
        tw_sink_fail(sink, TW_ERROR_LIMIT, decoder->fed,
                     "the input is longer than its limit");
        result = sticking(decoder);
    }
    decoder->pending = false;
    return result;
}

/* Of a call that is refused all but the last brace goes out, however its bytes
 * were cut: the error takes the place of the brace. */
static int refuse_call(tw_decoder *decoder, const tw_event **event,
                       uint32_t code, const char *path)
{
    tw_validation *validation = decoder->validation;
    validation->held = NULL;
    tw_sink_refuse_call(&decoder->sink, code, validation->offset,
                        *path != '\0' ? path : NULL);
    if ((*event)->type != TW_EVENT_CALL_ARGUMENTS || (*event)->size < 2) {
        return sticking(decoder);
    }
    validation->event = **event;
    validation->event.size--;
    *event = &validation->event;
    return 1;
}

static bool ends_arguments(const tw_decoder *decoder, const tw_event *event)
{
    return event->type == TW_EVENT_CALL_ARGUMENTS &&
           event->data[event->size - 1] == '}' &&
           tw_sink_ends_complete(&decoder->sink, event->index);
}

/* The next event, and what the schemas of tools say of it. */
APART static int next_checked(tw_decoder *decoder, const tw_event **event)
{
    tw_validation *validation = decoder->validation;
    const char *path;
    *event = tw_validation_take(validation);
    while (*event == NULL) {
        const int result = next_seen(decoder, event);
        if (result != 1) {
            return result;
        }
        if (!tw_validation_see(validation, *event) ||
            (ends_arguments(decoder, *event) &&
             !tw_validation_check(validation))) {
            return no_memory(decoder);
        }
        const uint32_t refused = tw_validation_refused(validation, &path);
        if (refused != 0) {
            return refuse_call(decoder, event, refused, path);
        }
        const tw_event *first = tw_validation_take(validation);
        *event =
            first != NULL ? first : tw_validation_pass(validation, *event);
    }
    return 1;
}

/* What the format makes of the output. */
static inline int next_read(tw_decoder *decoder, const tw_event **event)
{
    if (decoder->drained) {
        decoder->drained = decoder->pending = false;
        return 0;
    }
    if (decoder->run_class != 0 && decoder->pending &&
        pass_steadily(decoder)) {
        *event = &decoder->passed;
        return decoder->window.recording ? record_passed(decoder) : 1;
    }
    return tw_decoder_validates(decoder) ? next_checked(decoder, event)
                                         : next_seen(decoder, event);
}

/* The next event as the request's tool_choice would have it. */
APART static int next_chosen(tw_decoder *decoder, const tw_event **event)
{
    tw_choice *choice = decoder->choice;
    const tw_event *read = NULL;
    int result = 1;
    while ((*event = tw_choice_take(choice)) == NULL && result == 1) {
        const tw_window *window = &decoder->window;
        result = next_read(decoder, &read);
        if (result < 0) {
            return result;
        }
        tw_choice_see(choice, result == 1 ? read : NULL,
                      window->offset - decoder->sink.prompt);
    }
    return *event != NULL;
}

int tw_decoder_next(tw_decoder *decoder, const tw_event **event)
{
    if (decoder == NULL || event == NULL) {
        return tw_decoder_refuse(decoder, TW_ERROR_ARGUMENT,
                                 "no place for the event");
    }
    return decoder->choice == NULL ? next_read(decoder, event)
                                   : next_chosen(decoder, event);
}
